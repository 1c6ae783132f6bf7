# SPDX-License-Identifier: Apache-2.0
"""Results of the verbs that run many predictions: explain, search, size, calibrate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from railwright import _format, _html
from railwright._results import Reported, Result

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from railwright._fields import (
        CalibrationFields,
        DiagnosisFields,
        ExplanationFields,
        SearchFields,
        ServingSearchFields,
        SizingFields,
        SizingSized,
    )
else:
    from railwright._no_fields import (
        CalibrationFields,
        DiagnosisFields,
        ExplanationFields,
        SearchFields,
        ServingSearchFields,
        SizingFields,
    )

_DIMENSIONS = ("tp", "cp", "pp", "virtual_stages", "dp", "ep", "micro_batch", "global_batch")


class Explanation(Reported, ExplanationFields):
    """Result of explain(); its docstring names the keys."""

    __slots__ = ()

    _VERB = "explain"

    def __repr__(self) -> str:
        if not self.feasible:
            return f"<Explanation {self.name!r}: does not fit: {'; '.join(self.infeasible)}>"
        return f"<Explanation {self.name!r}: {self.limit}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the rates and latencies that matter, the largest elasticity first."""
        import pandas

        return pandas.DataFrame(self._data.get("elasticities", []))

    def _repr_html_(self) -> str:
        if not self.feasible:
            return super()._repr_html_()
        body = [
            [
                one["path"],
                f"{one['elasticity']:.3f}",
                _format.percent(one["gain_of_1_percent"], signed=False),
                _format.percent(one["loss_of_1_percent"], signed=False),
            ]
            for one in self._data["elasticities"]
        ]
        header = ["1 % of", "elasticity", "faster saves", "slower costs"]
        return _html.table(header, body, caption=f"{self.name}: {self.limit}")


class Diagnosis(Result, DiagnosisFields):
    """Result of diagnose(); its docstring names the keys."""

    __slots__ = ()

    def __repr__(self) -> str:
        if not self.feasible:
            return f"<Diagnosis {self.name!r}: does not fit: {'; '.join(self.infeasible)}>"
        where = "inside" if self.inside else "outside"
        return (
            f"<Diagnosis {self.name!r}: {_format.time(self.measured_s)} measured, "
            f"{_format.time(self.predicted_s)} predicted, {where} the 80 % interval>"
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a row for each reason, the most plausible first."""
        import pandas

        return pandas.DataFrame(
            {
                "reason": ", and ".join(cause["what"] for cause in one["causes"]),
                "step_time_s": one["step_time_s"],
                "explains": one["explains"],
                "plausibility": one["plausibility"],
            }
            for one in self._data.get("reasons", [])
        )


class OfferResult(Result):
    """Result of check(); its docstring names the keys."""

    __slots__ = ()

    def __repr__(self) -> str:
        data = self._data
        return (
            f"<OfferResult {data['name']!r}: of {len(data['claims'])} claims "
            f"{data['num_holding']} hold, {data['num_depending']} depend, "
            f"{data['num_refuted']} cannot hold>"
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a row for each claim, in the order of the offer."""
        import pandas

        columns = ["claim", "verdict", "unit", "published", "computed", "why"]
        return pandas.DataFrame(self._data["claims"], columns=columns)


class SearchResult(Reported, SearchFields):
    """Result of search(); its docstring names the keys."""

    __slots__ = ()

    _VERB = "search"

    def __repr__(self) -> str:
        if not self.feasible:
            return f"<SearchResult {self.name!r}: nothing fits>"
        best = self._data["best"][0]
        step = _format.time(best["simulated_step_time_s"] or best["estimated_step_time_s"])
        return f"<SearchResult {self.name!r}: {_dimensions(best)}, step {step}>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws time against memory of search(front=True), with matplotlib, as rw.plot.pareto_front."""
        from railwright import plot

        return plot.pareto_front(self, ax)

    def to_pandas(self, which: str = "best") -> pandas.DataFrame:
        """Returns one row per configuration, the best first; `which` is "best" or "front"."""
        import pandas

        return pandas.DataFrame(self._data[which])

    def _repr_html_(self) -> str:
        header = ["", *_DIMENSIONS, "recompute", "memory", "estimated", "simulated", "samples/s"]
        entries = [("", one) for one in self._data["best"]]
        if self._data["own"]:
            entries.append(("own", self._data["own"]))
        body = [
            [
                name,
                *(str(one[key]) for key in _DIMENSIONS),
                one["recompute"],
                _format.value("_bytes", one["memory_per_accelerator_bytes"]),
                _format.value("_s", one["estimated_step_time_s"]),
                _format.value("_s", one["simulated_step_time_s"]),
                _format.digits(one["samples_per_s"]),
            ]
            for name, one in entries
        ]
        counts = self._data["counts"]
        note = f"{counts['points']:,} points, {counts['fitting']:,} of them fit"
        return _html.table(header, body, caption=self.name, note=note)


class ServingSearchResult(Reported, ServingSearchFields):
    """Result of search() for an inference scenario; its docstring names the keys."""

    __slots__ = ()

    _VERB = "search"

    def __repr__(self) -> str:
        if not self._data["best"]:
            return f"<ServingSearchResult {self.name!r}: nothing fits: {self.why_none}>"
        best = self._data["best"][0]
        return (
            f"<ServingSearchResult {self.name!r}: tp {best['tp']}, batch {best['batch']:.0f},"
            f" {best['result']['num_nodes']} nodes>"
        )

    def to_pandas(self, which: str = "best") -> pandas.DataFrame:
        """Returns one row per division and batch, the best first; `which` is "best" or "front"."""
        import pandas

        numbers = (
            "accelerator_tokens_per_s",
            "time_to_first_token_s",
            "time_per_output_token_s",
            "num_accelerators",
            "num_nodes",
        )
        rows = [
            {
                **{key: one for key, one in entry.items() if key not in ("result", "settings")},
                **{key: entry["result"][key] for key in numbers},
            }
            for entry in self._data[which]
        ]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        frame = self.to_pandas()
        return _html.table(
            [str(column) for column in frame.columns],
            [
                [_format.digits(one) if isinstance(one, float) else str(one) for one in row]
                for row in frame.itertuples(index=False)
            ],
            caption=self.name,
        )


class SizingResult(Reported, SizingFields):
    """Result of size(); its docstring names the keys."""

    __slots__ = ()

    _VERB = "size"

    @property
    def best(self) -> SizingSized | None:
        """The cheapest cluster; the one with the fewest nodes if costs are not comparable, or without
        prices. None if no cluster meets the goals."""
        place = self._data["chosen"]
        return None if place is None else self.sized[place]

    def __repr__(self) -> str:
        if self.best is None:
            return f"<SizingResult {self.name!r}: no cluster meets the goals>"
        return f"<SizingResult {self.name!r}: {self.best.num_nodes} nodes, {self.best.option}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per cluster, in SI base units."""
        import pandas

        return pandas.DataFrame(
            {
                "option": one["option"],
                "num_nodes": one["num_nodes"],
                "num_spares": one["num_spares"],
                "num_storage_nodes": one["num_storage_nodes"],
                "num_accelerators": one["num_accelerators"],
                **{key: one["configuration"][key] for key in _DIMENSIONS},
                "training_time_at_confidence_s": one["training_time_at_confidence_s"],
                "deadline_probability": one["deadline_probability"],
                "peak_power_w": one["peak_power_w"],
                "racks": one["racks"]["count"],
                "binds": one["binds"],
            }
            for one in self._data["sized"]
        )

    def _repr_html_(self) -> str:
        header = ["", "nodes", "spares", "storage nodes", "time", "in time", "peak power", "racks"]
        body = [
            [
                one["option"],
                str(one["num_nodes"]),
                str(one["num_spares"]),
                str(one["num_storage_nodes"]),
                _format.time(one["training_time_at_confidence_s"]),
                _format.percent(one["deadline_probability"], signed=False),
                _format.value("_w", one["peak_power_w"]),
                str(one["racks"]["count"]),
                one["binds"],
            ]
            for one in self._data["sized"]
        ]
        body += [
            [one["option"], *[""] * 7, f"does not do: {one['why']}"] for one in self._data["missed"]
        ]
        return _html.table([*header, "binds"], body, caption=self.name, left={0, 8})


class CalibrationResult(Reported, CalibrationFields):
    """Result of calibrate(); its docstring names the keys."""

    __slots__ = ()

    _VERB = "calibrate"

    def __repr__(self) -> str:
        if self.refused:
            return f"<CalibrationResult: refused: {self.refusal}>"
        factors = [
            f"{name} {factor['value']:.3f}" for name, factor in self._data["factors"].items()
        ]
        runs = self._data["runs"]
        outside = sum(run["before"]["measured_is"] in ("below", "above") for run in runs)
        known = sum(run["before"]["measured_is"] is not None for run in runs)
        text = f"<CalibrationResult: {', '.join(factors)} of {len(runs)} runs"
        if known:
            text += f", {outside} of {known} outside their 80 % intervals before"
        return text + ">"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per run: measured and predicted seconds, and errors; those before the fit
        as `before.predicted_s` and so on."""
        import pandas

        return pandas.json_normalize(self._data["runs"])

    def _repr_html_(self) -> str:
        factors = _html.table(
            ["", "value", "standard error"],
            [
                [name, f"{factor['value']:.3f}", _error(factor)]
                for name, factor in self._data["factors"].items()
            ],
            note=self.refusal or "",
        )
        runs = _html.table(
            ["run", "measured", "before the fit", "80 % interval", "predicted", "error", "left out"],
            [
                [
                    run["name"],
                    _format.time(run["measured_s"]),
                    _format.time(run["before"]["predicted_s"]),
                    _interval(run["before"]),
                    _format.time(run["predicted_s"]),
                    _format.percent(run["relative_error"]),
                    _format.percent(run["left_out_relative_error"]),
                ]
                for run in self._data["runs"]
            ],
        )
        return factors + runs


class SuiteFitResult(Result):
    """Result of calibrate() for a suite; its docstring names the keys."""

    __slots__ = ()

    if TYPE_CHECKING:
        suite: str
        num_rows: int
        left_out: str
        numbers: list[Result]
        before: Result
        after: Result

    def __repr__(self) -> str:
        left_out = f" without {self.left_out}" if self.left_out else ""
        before, after = (
            _format.percent(self._data[key]["median"], signed=False) for key in ("before", "after")
        )
        return (
            f"<SuiteFitResult {self.suite!r}{left_out}: {len(self._data['numbers'])} numbers of"
            f" {self.num_rows} rows, median error {before} before and {after} after>"
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per number, in SI base units."""
        import pandas

        return pandas.DataFrame(self._data["numbers"])

    def _repr_html_(self) -> str:
        numbers = _html.table(
            ["number", "of", "rows", "start", "value", "standard error"],
            [
                [
                    one["path"],
                    one["of"],
                    str(one["num_rows"]),
                    f"{one['start']:.4g}",
                    f"{one['value']:.4g}",
                    _format.percent(one["log_error"], signed=False),
                ]
                for one in self._data["numbers"]
            ],
            caption=f"Suite {self.suite}" + (f", without {self.left_out}" if self.left_out else ""),
            left={0, 1},
        )
        errors = _html.table(
            ["", "rows", "median", "mean", "90th percentile", "largest"],
            [
                [
                    what,
                    str(self._data[key]["num_rows"]),
                    *(
                        _format.percent(self._data[key][which], signed=False)
                        for which in ("median", "mean", "percentile_90", "largest")
                    ),
                ]
                for what, key in (
                    ("fitted rows before", "before"),
                    ("fitted rows after", "after"),
                    (
                        "the family left out" if self.left_out else "rows left out",
                        "left_out_errors",
                    ),
                )
            ],
        )
        return numbers + errors


def _dimensions(entry: dict[str, Any]) -> str:
    return " ".join(f"{key} {entry[key]}" for key in ("tp", "cp", "pp", "dp") if entry[key] > 1)


def _interval(before: dict[str, Any]) -> str:
    if before["low_s"] is None:
        return "not known"
    return f"{_format.time(before['low_s'])} to {_format.time(before['high_s'])}"


def _error(factor: dict[str, Any]) -> str:
    if not factor["fitted"]:
        return "held"
    return "" if factor["standard_error"] is None else f"{factor['standard_error']:.3f}"
