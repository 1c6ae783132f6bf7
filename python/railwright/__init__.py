# SPDX-License-Identifier: Apache-2.0
"""railwright: cluster sizing for AI training.

    import railwright as rw

    result = rw.simulate("examples/llama-2-70b-six-nodes.yaml", set=["cluster.nodes=12"])
    result.step_time_s, result.storage.checkpoint_bytes, result.limit

Numbers are in SI base units, named by the suffix of their key: `_s` seconds, `_bytes`,
`_bytes_per_s`. Nothing prints; bad input raises ConfigError; a design that does not fit is a
result whose `feasible` is False. Scenarios may run in several threads at once.
"""

from railwright import plot
from railwright._core import __version__
from railwright._errors import ConfigError, Diagnostic, ModelError, SimulationError
from railwright._results import (
    BenchmarkResult,
    ComparisonResult,
    InferenceResult,
    JobsResult,
    Result,
    SimulationResult,
    ValidationResult,
)
from railwright._verbs import compare, simulate, validate

__all__ = [
    "BenchmarkResult",
    "ComparisonResult",
    "ConfigError",
    "Diagnostic",
    "InferenceResult",
    "JobsResult",
    "ModelError",
    "Result",
    "SimulationError",
    "SimulationResult",
    "ValidationResult",
    "__version__",
    "compare",
    "plot",
    "simulate",
    "validate",
]

# Tracebacks then name them as callers do.
for _error in (ConfigError, Diagnostic, ModelError, SimulationError):
    _error.__module__ = "railwright"
del _error
