# SPDX-License-Identifier: Apache-2.0
"""Results: the planner's JSON with attribute access, tables for notebooks and for pandas."""

from __future__ import annotations

import copy
import json
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from railwright import _format, _html

if TYPE_CHECKING:
    import pandas


class Result:
    """A JSON object. `result.storage.checkpoint_bytes` is `result["storage"]["checkpoint_bytes"]`.

    Keys end in the unit of their value, in SI base units: `_s`, `_bytes`, `_bytes_per_s`, `_w`.
    """

    __slots__ = ("_data",)

    def __init__(self, data: dict[str, Any]):
        self._data = data

    def __getitem__(self, key: str) -> Any:
        return _wrap(self._data[key])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._data:
            raise AttributeError(f"{type(self).__name__} has no {name!r}{self._why_not()}")
        return self[name]

    def _why_not(self) -> str:
        return ""

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def keys(self) -> list[str]:
        return list(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Result) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def to_dict(self) -> dict[str, Any]:
        """A deep copy as plain dicts, lists, numbers and text."""
        return copy.deepcopy(self._data)

    def __repr__(self) -> str:
        keys = textwrap.shorten(", ".join(self._data), width=120, placeholder=" ...")
        return f"<{type(self).__name__}: {keys}>"

    def _repr_html_(self) -> str:
        return _html.table(["", ""], _html.lines(self._data))


class _Prediction(Result):
    """A design that fits, or why it does not."""

    __slots__ = ()

    def _in_short(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        fits = self.feasible
        what = self._in_short() if fits else f"does not fit: {'; '.join(self.infeasible)}"
        return f"<{type(self).__name__} {self.name!r}: {what}>"


class SimulationResult(_Prediction):
    """What simulate() gives; its docstring names the keys."""

    __slots__ = ()

    def _why_not(self) -> str:
        reasons = self._data.get("infeasible")
        return f"; the design does not fit: {'; '.join(reasons)}" if reasons else ""

    def _in_short(self) -> str:
        step, training = _format.time(self.step_time_s), _format.time(self.training_time_s)
        return f"step {step}, training {training}"

    def _repr_html_(self) -> str:
        shown = {key: value for key, value in self._data.items() if key != "name"}
        return _html.table(["", ""], _html.lines(shown), caption=self.name)


class JobsResult(_Prediction):
    """What simulate() gives of several jobs; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        return f"{len(self.jobs)} jobs"

    def to_pandas(self) -> pandas.DataFrame:
        """One row a job, in SI base units; nested keys with a dot: `run.steps_s`."""
        import pandas

        return pandas.json_normalize(self._data["jobs"])

    def _repr_html_(self) -> str:
        if not self.feasible:
            return super()._repr_html_()
        header = ["job", "time", "alone", "waits for data", "for checkpoints"]
        body = [
            [
                job.name,
                _format.time(job.training_time_s),
                _format.time(job.alone_training_time_s),
                _format.time(job.run.data_stall_s),
                _format.time(job.run.checkpoint_stall_s),
            ]
            for job in self.jobs
        ]
        return _html.table(header, body, caption=self.name)


class BenchmarkResult(_Prediction):
    """What simulate() gives of a collective alone; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        rate = self.bus_bandwidth_bytes_per_s / 1e9
        return f"{_format.time(self.time_s)}, bus bandwidth {rate:.4g} GB/s"

    def to_pandas(self) -> pandas.DataFrame:
        """The busiest links, one a row."""
        import pandas

        return pandas.DataFrame(self._data["busiest_links"])

    def _repr_html_(self) -> str:
        shown = {k: v for k, v in self._data.items() if k not in ("name", "busiest_links")}
        return _html.table(["", ""], _html.lines(shown), caption=self.name)


class InferenceResult(_Prediction):
    """What simulate() gives of a model that answers requests; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        first = _format.time(self.time_to_first_token_s)
        further = _format.time(self.time_per_output_token_s)
        return f"{self.num_nodes} nodes, {first} + {further}/token"

    def _repr_html_(self) -> str:
        shown = {key: value for key, value in self._data.items() if key != "name"}
        return _html.table(["", ""], _html.lines(shown), caption=self.name)


class ComparisonResult(Result):
    """What compare() gives; its docstring names the keys."""

    __slots__ = ()

    def __repr__(self) -> str:
        text = f"<ComparisonResult {self.name!r}: {len(self.rows)} cases of {len(self.values)}"
        if self.errors.num_cells:
            text += f", mean error {_format.percent(self.errors.mean_absolute_error, signed=False)}"
        return text + ">"

    def to_pandas(self) -> pandas.DataFrame:
        """One row a cell, in SI base units. The column of what varies has the key's name."""
        import pandas

        return pandas.DataFrame(
            {
                "case": row["name"],
                self.key: _parsed(cell["value"]),
                "feasible": cell["result"]["feasible"],
                "fitted": row["fitted"],
                "training_time_s": cell["result"].get("training_time_s"),
                "published_training_time_s": cell["published_training_time_s"],
                "relative_error": cell["relative_error"],
                "step_time_s": cell["result"].get("step_time_s"),
                "effect_s": cell["effect_s"],
                "memory_per_accelerator_bytes": cell["result"]["memory_per_accelerator_bytes"],
                **_storage_columns(cell["result"].get("storage", {})),
                "limit": cell["result"].get("limit"),
            }
            for row in self._data["rows"]
            for cell in row["cells"]
        )

    def assumptions_to_pandas(self) -> pandas.DataFrame:
        """One row an assumption: the factors fitted again under it and the errors they leave."""
        import pandas

        return pandas.DataFrame(
            {
                "assumption": assumption["name"],
                **{
                    name: (assumption["fit"] or {}).get(name)
                    for name in ("compute_efficiency", "nic_efficiency")
                },
                **{
                    name: assumption.get("errors", {}).get(name)
                    for name in ("mean_absolute_error", "largest_absolute_error")
                },
                "why_no_fit": assumption.get("why_no_fit"),
            }
            for assumption in self._data["assumptions"]
        )

    def _repr_html_(self) -> str:
        header = ["case", self.key, "predicted", "published", "error", "step", "effect", "limit"]
        lines = []
        for row in self._data["rows"]:
            name = row["name"] + (" *" if row["fitted"] else "")
            for i, cell in enumerate(row["cells"]):
                result = cell["result"]
                published = cell["published_training_time_s"]
                step, effect = result.get("step_time_s"), cell["effect_s"]
                lines.append(
                    [
                        "" if i else name,
                        cell["value"],
                        _minutes(result.get("training_time_s")) or "does not fit",
                        _minutes(published),
                        _format.percent(cell["relative_error"]),
                        _format.value("step_time_s", step),
                        "" if not i or effect is None else f"{effect:+.2f} s",
                        result.get("limit") or "; ".join(result["infeasible"]),
                    ]
                )
        fitted = any(row["fitted"] for row in self._data["rows"])
        note = "* the installation was fitted to these times" if fitted else ""
        return _html.table(header, lines, caption=self.name, note=note, left={0, 7})


class ValidationResult(Result):
    """What validate() gives; its docstring names the keys."""

    __slots__ = ()

    def __repr__(self) -> str:
        summary = self.summary
        error = _format.percent(summary.mean_absolute_error, signed=False)
        return (
            f"<ValidationResult {self.suite!r}: {len(self.cases)} cases, {summary.num_validate}"
            f" validate with a mean error of {error}>"
        )

    def to_pandas(self) -> pandas.DataFrame:
        """One row a case, numbers in the case's own `unit`."""
        import pandas

        return pandas.DataFrame(self._data["cases"])

    def _repr_html_(self) -> str:
        header = ["case", "quantity", "role", "published", "predicted", "unit", "error", "reason"]
        lines = [
            [
                case["id"],
                case["quantity"],
                case["role"],
                f"{case['published']:.4g}",
                "" if case["predicted"] is None else f"{case['predicted']:.4g}",
                case["unit"],
                _format.percent(case["relative_error"]),
                case["reason"],
            ]
            for case in self._data["cases"]
        ]
        return _html.table(header, lines, caption=self.suite, left={0, 1, 2, 5, 7})


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        # A cell of a comparison holds a whole simulation.
        return SimulationResult(value) if "infeasible" in value else Result(value)
    return [_wrap(item) for item in value] if isinstance(value, list) else value


def _storage_columns(storage: dict[str, Any]) -> dict[str, Any]:
    names = ("checkpoint_bytes", "checkpoint_time_s", "peak_write_bytes_per_s")
    return {name: storage.get(name) for name in names}


def _parsed(text: str) -> Any:
    """A value that varies, written as YAML: a number where it is one."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _minutes(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds / 60:.1f} min"
