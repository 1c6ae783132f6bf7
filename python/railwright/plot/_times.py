# SPDX-License-Identifier: Apache-2.0
"""Plots of training times and step times."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from railwright import _format, _numbers
from railwright._comparisons import ComparisonResult
from railwright._results import SimulationResult
from railwright.plot._shared import VALUE_COLOURS, new_axes, short, stand_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def comparison(result: ComparisonResult, ax: Axes | None = None) -> Axes:
    """Draws predicted training times beside the published ones, one group of bars per case.

    Each bar is labelled with its time; a predicted one also with its error: predicted / published -
    1. The line at a predicted bar's end is the 80 % interval of the step time over sites.
    """
    rows = result.to_dict()["rows"]
    drawn = [
        (kind, i, [_time_of(row["cells"][i], kind) for row in rows])
        for i in range(len(result.values))
        for kind in ("published", "predicted")
    ]
    drawn = [one for one in drawn if one[0] == "predicted" or any(one[2])]
    longest = max((time for _, _, times in drawn for time in times if time), default=1.0)
    size, unit = _format.time_unit(longest / 5)
    ax = new_axes(ax, width=max(6.0, 1.4 + 0.58 * len(drawn) * len(rows)), height=4.8)
    bar = 0.86 / len(drawn)
    for place, (kind, i, times) in enumerate(drawn):
        colour = VALUE_COLOURS[i % len(VALUE_COLOURS)]
        middles = [k + (place - (len(drawn) - 1) / 2) * bar for k in range(len(rows))]
        ax.bar(
            middles,
            [(time or 0) / size for time in times],
            0.94 * bar,
            facecolor=colour if kind == "predicted" else "white",
            edgecolor=colour,
            hatch=None if kind == "predicted" else "////",
            linewidth=1.2,
            label=f"{short(result.key)} = {result.values[i]}, {kind}",
        )
        if kind == "predicted":
            for middle, row in zip(middles, rows):
                low, high = (edge / size for edge in _band_of(row["cells"][i]))
                if low < high:
                    ax.plot([middle] * 2, [low, high], color="black", linewidth=1.0, marker="_")
        for middle, row, time in zip(middles, rows, times):
            top = _band_of(row["cells"][i])[1] if kind == "predicted" else time
            text = _bar_label(row["cells"][i], kind, size)
            upright = text == "does not fit" or len(drawn) > 6
            ax.annotate(
                text.replace("\n", "  ") if upright else text,
                (middle, (top or 0) / size),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=9,
                rotation=90 if upright else 0,
            )
    ax.set_xticks(range(len(rows)), [_case_label(row) for row in rows])
    ax.set_ylabel(f"training time ({unit})")
    ax.set_title(result.name, fontsize=12)
    ax.margins(y=0.14)
    ax.tick_params(axis="x", length=0)
    ax.legend(frameon=False, fontsize=10)
    stand_below(ax, [cell["result"] for row in rows for cell in row["cells"]])
    return ax


def breakdown(
    results: SimulationResult
    | ComparisonResult
    | Iterable[SimulationResult]
    | Mapping[str, SimulationResult],
    ax: Axes | None = None,
) -> Axes:
    """Draws the time of a step by cause, one bar per result.

    The line at a bar's end is the 80 % interval of the prediction over sites. Takes results, a
    mapping from the name of a bar to its result, or a whole comparison.
    """
    named = _named(results)
    causes = [
        cause
        for cause in _numbers.ordered({cause for _, r in named if r.feasible for cause in r.breakdown})
        if any(r.breakdown[cause] > 0 for _, r in named if r.feasible)
    ]
    ax = new_axes(ax, width=10.0, height=2.2 + 0.42 * len(named))
    places = range(len(named))
    ends = [0.0] * len(named)
    for cause in causes:
        times = [r.breakdown[cause] if r.feasible else 0.0 for _, r in named]
        ax.barh(
            places,
            times,
            0.72,
            left=ends,
            color=_numbers.CAUSES[cause]["color"],
            linewidth=0,
            label=cause.replace("_", " "),
        )
        ends = [end + time for end, time in zip(ends, times)]
    for place, end, (_, r) in zip(places, ends, named):
        text = _format.time(r.step_time_s) if r.feasible else "does not fit"
        right = end
        if r.feasible:
            low, right = r.step_time_low_s, r.step_time_high_s
            ax.plot([low, right], [place, place], color="black", linewidth=1.2, marker="|")
        ax.annotate(
            text, (right, place), xytext=(6, 0), textcoords="offset points", va="center", fontsize=10
        )
    ax.set_yticks(places, [name for name, _ in named])
    ax.invert_yaxis()
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel("time of a step (s)")
    ax.margins(x=0.1)
    ax.legend(frameon=False, fontsize=10, ncols=5, loc="lower center", bbox_to_anchor=(0.36, 1.0))
    stand_below(ax, [r.to_dict() for _, r in named if r.feasible])
    return ax


def _time_of(cell: dict[str, Any], kind: str) -> float | None:
    published: float | None = cell["published_training_time_s"]
    predicted: float | None = cell["result"].get("training_time_s")
    return published if kind == "published" else predicted


def _band_of(cell: dict[str, Any]) -> tuple[float, float]:
    """Returns the training time if every step took the low or high end of its interval."""
    result = cell["result"]
    if "step_time_s" not in result:
        return (0.0, 0.0)
    per_step = result["training_time_s"] / result["step_time_s"]
    return (result["step_time_low_s"] * per_step, result["step_time_high_s"] * per_step)


def _bar_label(cell: dict[str, Any], kind: str, size: float) -> str:
    time = _time_of(cell, kind)
    if kind == "published":
        return "" if time is None else f"{time / size:.3g}"  # printed in whole minutes, mostly
    if time is None:
        return "does not fit"
    error = _format.percent(cell["relative_error"])
    return f"{_format.digits(time / size)}\n{error}".rstrip()


def _case_label(row: dict[str, Any]) -> str:
    name: str = row["name"]
    return name.replace(", ", "\n") + ("\n(fitted)" if row["fitted"] else "")


def _named(results: object) -> list[tuple[str, SimulationResult]]:
    if isinstance(results, SimulationResult):
        return [(results.name, results)]
    if isinstance(results, ComparisonResult):
        return [
            (f"{row.name}, {short(results.key)} = {cell.value}", cell.result)
            for row in results.rows
            for cell in row.cells
        ]
    if isinstance(results, Mapping):
        return list(results.items())
    return [(result.name, result) for result in results]  # type: ignore[attr-defined]
