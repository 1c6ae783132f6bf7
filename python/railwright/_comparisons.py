# SPDX-License-Identifier: Apache-2.0
"""Results that compare designs or published figures."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from railwright import _figure, _format, _html
from railwright._results import Reported, Result, Summarized

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from railwright._fields import (
        ComparisonFields,
        MixesFields,
        ServicesFields,
        SideBySideFields,
        ValidationFields,
    )
else:
    from railwright._no_fields import (
        ComparisonFields,
        MixesFields,
        ServicesFields,
        SideBySideFields,
        ValidationFields,
    )


class ServicesResult(Summarized, ServicesFields):
    """Result of compare() for inference scenarios; its docstring names the keys."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<ServicesResult: {len(self.designs)} designs, best {self._data['best']!r}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per design, in SI base units."""
        import pandas

        rows = [
            {"design": one["name"], **_numbers_of(one["result"])} for one in self._data["designs"]
        ]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        header = [
            "",
            "nodes",
            "accelerators",
            "tokens/s an accelerator",
            "first token",
            "each further",
        ]
        body = [
            [
                one["name"],
                str(one["result"].get("num_nodes", "does not fit")),
                str(one["result"].get("num_accelerators", "")),
                _format.digits(one["result"].get("accelerator_tokens_per_s", math.nan)),
                _format.value("_s", one["result"].get("time_to_first_token_s")),
                _format.value("_s", one["result"].get("time_per_output_token_s")),
            ]
            for one in self._data["designs"]
        ]
        return _html.table(header, body)


class MixesResult(Summarized, MixesFields):
    """Result of compare() for scenarios of several jobs or of a queue; its docstring names the
    keys."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<MixesResult: {len(self.designs)} designs, best {self._data['best']!r}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per design of a queue, or per job of a design, in SI base units."""
        import pandas

        rows: list[dict[str, Any]] = []
        for one in self._data["designs"]:
            of_each = one["result"].get("jobs", [one["result"]])
            rows += [{"design": one["name"], **_numbers_of(numbers)} for numbers in of_each]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        table = self.to_pandas()
        body = [[str(cell) for cell in row] for row in table.itertuples(index=False)]
        return _html.table([str(column) for column in table.columns], body)


def _numbers_of(result: dict[str, Any]) -> dict[str, Any]:
    """Returns the keys of a result that hold single values."""
    return {key: one for key, one in result.items() if not isinstance(one, dict | list)}


class ComparisonResult(Reported, ComparisonFields):
    """Result of compare(); its docstring names the keys."""

    __slots__ = ()

    _VERB = "compare"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws predicted and published times, with matplotlib, as rw.plot.comparison."""
        from railwright import plot

        return plot.comparison(self, ax)

    def __repr__(self) -> str:
        text = f"<ComparisonResult {self.name!r}: {len(self.rows)} cases of {len(self.values)}"
        if self.errors.num_cells:
            text += f", mean error {_format.percent(self.errors.mean_absolute_error, signed=False)}"
        return text + ">"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per cell, in SI base units. The column of the varied value has the key's
        name."""
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
        """Returns one row per assumption: the factors refitted under it and the remaining
        errors."""
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


class ValidationResult(Result, ValidationFields):
    """Result of validate(); its docstring names the keys."""

    __slots__ = ()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws predicted against published numbers, with matplotlib, as rw.plot.accuracy."""
        from railwright import plot

        return plot.accuracy(self, ax)

    def __repr__(self) -> str:
        summary = self.summary
        text = f"<ValidationResult {self.suite!r}: {len(self.cases)} cases, "
        predictions = sum(one.num_rows for one in summary.kinds if one.kind == "prediction")
        if predictions:
            error = _format.percent(summary.median_absolute_error, signed=False)
            text += f"{predictions} of them predictions with a median error of {error}"
        else:
            text += "none of them a prediction"
        return text + (f", {summary.num_unfit} do not fit>" if summary.num_unfit else ">")

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per case, with numbers in the case's own `unit`."""
        import pandas

        return pandas.DataFrame(self._data["cases"])

    def _repr_html_(self) -> str:
        header = ["case", "quantity", "kind", "published", "predicted", "unit", "error", "reason"]
        lines = [
            [
                case["id"],
                case["quantity"],
                case["kind"] or case["role"],
                "" if case["published"] is None else f"{case['published']:.4g}",
                "" if case["predicted"] is None else f"{case['predicted']:.4g}",
                case["unit"],
                _format.percent(case["relative_error"]),
                case["reason"] or case["about"],
            ]
            for case in self._data["cases"]
        ]
        return _html.table(header, lines, caption=self.suite, left={0, 1, 2, 5, 7})


class SideBySideResult(Reported, SideBySideFields):
    """Result of compare() for several designs; its docstring names the keys."""

    __slots__ = ()

    _VERB = "compare"

    def __repr__(self) -> str:
        names = ", ".join(repr(design["name"]) for design in self._data["designs"])
        return f"<SideBySideResult: {names}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per design, in SI base units; nested keys have a dot:
        `breakdown.optimizer_s`."""
        import pandas

        return pandas.json_normalize(
            [
                {"design": design["name"], **_flat(design["result"])}
                for design in self._data["designs"]
            ]
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws a step of each design by cause, with matplotlib, as rw.plot.breakdown."""
        from railwright import plot

        return plot.breakdown({one.name: one.result for one in self.designs}, ax)

    def changes_to_pandas(self) -> pandas.DataFrame:
        """Returns a column per design: the seconds of training time that it adds to the first
        design's, by cause."""
        import pandas

        return pandas.DataFrame(
            {design["name"]: design["changes"] for design in self._data["designs"][1:]}
        ).fillna(0.0)

    def _repr_html_(self) -> str:
        rows = [
            ("step", "step_time_s"),
            ("training", "training_time_s"),
            ("tokens/s", "tokens_per_s"),
            ("memory of an accelerator", "memory_per_accelerator_bytes"),
            ("limit", "limit"),
        ]
        results = [design["result"] for design in self._data["designs"]]
        body = [
            [label, *(_format.value(key, result.get(key)) for result in results)]
            for label, key in rows
        ]
        reasons = ["; ".join(result["infeasible"]) for result in results]
        if any(reasons):
            body.append(["does not fit", *reasons])
        designs = self._data["designs"]
        lines = _html.table(["", *(design["name"] for design in designs)], body)
        return lines + _figure.steps([(design["name"], design["result"]) for design in designs])


def _flat(result: dict[str, Any]) -> dict[str, Any]:
    """Returns a result without lists, which do not fit into cells."""
    return {key: value for key, value in result.items() if not isinstance(value, list)}


def _storage_columns(storage: dict[str, Any]) -> dict[str, Any]:
    names = ("checkpoint_bytes", "checkpoint_time_s", "peak_write_bytes_per_s")
    return {name: storage.get(name) for name in names}


def _parsed(text: str) -> Any:
    """Parses a varied value from YAML: a number if it is one, else text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _minutes(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds / 60:.1f} min"
