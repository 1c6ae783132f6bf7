# SPDX-License-Identifier: Apache-2.0
"""railwright: cluster sizing for AI training.

    import railwright as rw

    scenario = rw.example("llama-2-70b-six-nodes")
    result = rw.simulate(scenario.with_({"cluster.nodes": 12}))
    result.step_time_s, result.storage.checkpoint_bytes, result.limit

The functions match the program's commands: simulate, estimate, compare, explain, diagnose, search,
sweep, size, topology, calibrate, validate, check, import_. Numbers are in SI base units; the suffix of their key
names the unit: `_s` seconds, `_bytes`, `_bytes_per_s`, `_w`. No function prints. Bad input raises
ConfigError. A design that does not fit is a result whose `feasible` is False. Several threads may
call functions at once; a call does not block other threads, and Ctrl-C ends it.
"""

from railwright import _core, catalogue, plot
from railwright._comparisons import (
    ComparisonResult,
    MixesResult,
    ServicesResult,
    SideBySideResult,
    ValidationResult,
)
from railwright._examples import example, example_path, examples
from railwright._errors import ConfigError, Diagnostic, ModelError, SimulationError, TableError
from railwright._imports import ImportResult, import_
from railwright._many import estimate_many
from railwright._numbers import NUMBERS
from railwright._planning import (
    CalibrationResult,
    Diagnosis,
    Explanation,
    OfferResult,
    SearchResult,
    ServingSearchResult,
    SizingResult,
    SuiteFitResult,
)
from railwright._results import (
    BenchmarkResult,
    InferenceResult,
    JobsResult,
    PostTrainingResult,
    QueueResult,
    Result,
    SimulationResult,
    TopologyResult,
)
from railwright._question import question
from railwright._scenario import Scenario
from railwright._sweep import SweepResult, merge, sweep
from railwright._verbs import (
    calibrate,
    check,
    compare,
    diagnose,
    estimate,
    explain,
    search,
    simulate,
    size,
    topology,
    validate,
)

OPERATIONS: tuple[str, ...] = _core.OPERATIONS
"""Names of the kinds of operations of a step, in the order that `SimulationResult.spans` counts."""

PASSES: tuple[str, ...] = _core.PASSES
"""Names of the passes of a micro-batch, in the order that `SimulationResult.spans` counts; "" is none."""

STREAMS: tuple[str, ...] = _core.STREAMS
"""Names of the streams of a step, in the order that `SimulationResult.spans` counts."""

__version__: str = _core.__version__
"""Version of the package and of its program."""

__all__ = [
    "NUMBERS",
    "OPERATIONS",
    "PASSES",
    "STREAMS",
    "BenchmarkResult",
    "CalibrationResult",
    "ComparisonResult",
    "ConfigError",
    "Diagnosis",
    "Diagnostic",
    "Explanation",
    "ImportResult",
    "InferenceResult",
    "JobsResult",
    "PostTrainingResult",
    "QueueResult",
    "MixesResult",
    "ModelError",
    "OfferResult",
    "Result",
    "Scenario",
    "SearchResult",
    "ServicesResult",
    "ServingSearchResult",
    "SideBySideResult",
    "SimulationError",
    "SimulationResult",
    "SizingResult",
    "SuiteFitResult",
    "SweepResult",
    "TableError",
    "TopologyResult",
    "ValidationResult",
    "__version__",
    "calibrate",
    "catalogue",
    "check",
    "compare",
    "diagnose",
    "estimate",
    "estimate_many",
    "example",
    "example_path",
    "examples",
    "explain",
    "import_",
    "merge",
    "plot",
    "question",
    "search",
    "simulate",
    "size",
    "sweep",
    "topology",
    "validate",
]

# Makes tracebacks show the public names.
for _error in (ConfigError, Diagnostic, ModelError, SimulationError, TableError):
    _error.__module__ = "railwright"
del _error
