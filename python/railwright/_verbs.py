# SPDX-License-Identifier: Apache-2.0
"""The verbs: they hand a scenario to the C++ planner and wrap the JSON that it returns."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from railwright import _core, _data
from railwright._errors import ConfigError, Diagnostic
from railwright._results import (
    BenchmarkResult,
    ComparisonResult,
    InferenceResult,
    JobsResult,
    SimulationResult,
    ValidationResult,
)

Scenario: TypeAlias = str | os.PathLike[str] | Mapping[str, Any]
Settings: TypeAlias = str | Iterable[str]


def simulate(
    scenario: Scenario,
    set: Settings = (),
    estimate: bool = False,
    unfolded: bool = False,
    load: bool = False,
) -> SimulationResult | JobsResult | BenchmarkResult | InferenceResult:
    """Predicts one scenario.

    `scenario` is the path of a YAML file or a dict with the same keys; its quantities are text with
    a unit, such as "400 Gb/s". `set` holds "path=value" texts laid over it in order, as the
    program's --set does. `estimate` takes the closed form in place of simulated events; `unfolded`
    simulates every replica on every link, not one of each class, to the same numbers. `load` adds
    `storage.load_over_time`, lists of what storage moves in equal bins of time: `time_s`,
    `read_bytes_per_s`, `write_bytes_per_s`, `operations_per_s`, `used_bytes` and peaks.

    Gives `feasible` and `infeasible` (sentences; empty when the design fits), `num_accelerators`,
    `memory_per_accelerator_bytes`, and where feasible `step_time_s`, `training_time_s` (both in
    seconds), `samples_per_s`, `tokens_per_s`, `model_flops_utilization` (0 to 1), `limit` (a
    sentence), `breakdown` (seconds a step by cause, adding up to `step_time_s`) and `storage`
    (bytes, s, bytes/s).
    A scenario with `jobs` in place of `workload` gives a JobsResult: `jobs`, each with `name`,
    `training_time_s`, `alone_training_time_s` and `run` (seconds by cause), and `storage`.
    One with `benchmark` in place of `workload` gives a BenchmarkResult of the collective:
    `time_s`, `bus_bandwidth_bytes_per_s`, `algorithm`, `protocol`, `busiest_links`. One with
    `inference` gives an InferenceResult: `tp`, `batch`, `time_to_first_token_s`,
    `time_per_output_token_s`, `node_tokens_per_s`, `num_accelerators`, `num_nodes`, `limit`.
    Raises ConfigError with every problem of the input.
    """
    text = _core.simulate(
        *_source(scenario), _settings(set), estimate, unfolded, load, _data.catalogue_roots()
    )
    data = json.loads(text)
    if "jobs" in data:
        return JobsResult(data)
    if "op" in data:
        return BenchmarkResult(data)
    return InferenceResult(data) if "weights_bytes" in data else SimulationResult(data)


def compare(
    scenario: Scenario, set: Settings = (), estimate: bool = False, assumptions: bool = True
) -> ComparisonResult:
    """Sets the cases of a scenario's `comparison` side by side, against what was published.

    Arguments are those of simulate(); `assumptions` also runs the comparison's departures from the
    scenario, each with the installation fitted again.

    Gives `key` and `values` (what varies), `rows` (a case each, with a cell a value: `value`,
    `result` as simulate() gives it, `published_training_time_s` and `effect_s` in seconds,
    `relative_error` = predicted / published - 1), `errors` and `assumptions`.
    """
    source, is_json = _source(scenario)
    text = _core.compare(
        source, is_json, _settings(set), estimate, assumptions, _data.catalogue_roots()
    )
    return ComparisonResult(json.loads(text))


def validate(suite: str | os.PathLike[str] = "documents") -> ValidationResult:
    """Sets published figures beside what the same scenarios predict.

    `suite` is the name of a suite that comes with railwright, or the path of a suite file.

    Gives `cases` (each with `id`, `quantity`, `unit`, `role` (calibrate, validate or reject),
    `published`, `predicted`, `relative_error`, `source` and the `scenario` it ran), `summary`, and
    `not_covered` (sentences: what no public record covers).
    """
    return ValidationResult(json.loads(_core.validate(_suite_path(suite), _data.catalogue_roots())))


def _source(scenario: Scenario) -> tuple[str, bool]:
    """The path, or the JSON text of a dict; and whether it is JSON, which YAML contains."""
    if isinstance(scenario, Mapping):
        return json.dumps(dict(scenario), ensure_ascii=False, default=_plain), True
    return os.fspath(scenario), False


def _plain(value: Any) -> Any:
    """What JSON does not know: nested mappings, results, and the scalars of NumPy."""
    if isinstance(value, Mapping):
        return dict(value)
    for method in ("to_dict", "item"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"a scenario cannot hold a {type(value).__name__}: {value!r}")


def _settings(settings: Settings) -> list[str]:
    return [settings] if isinstance(settings, str) else list(settings)


def _suite_path(suite: str | os.PathLike[str]) -> str:
    name = os.fspath(suite)
    if name != suite or os.sep in name or name.endswith(".yaml"):
        return name
    for folder in _data.suite_folders():
        path = folder / f"{name}.yaml"
        if path.is_file():
            return str(path)
    known = sorted(path.stem for folder in _data.suite_folders() for path in folder.glob("*.yaml"))
    problem = Diagnostic(name, 0, 0, "", "no suite of this name", f"known: {', '.join(known)}")
    raise ConfigError(f"{problem.file}: {problem.message}; {problem.hint}", [problem])
