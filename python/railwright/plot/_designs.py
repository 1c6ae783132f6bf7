# SPDX-License-Identifier: Apache-2.0
"""Plots that compare designs: the worth of more NICs, and time against memory."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from railwright._comparisons import ComparisonResult
from railwright._planning import SearchResult
from railwright.plot._shared import MARKERS, VALUE_COLOURS, new_axes, short, stand_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def curves(result: ComparisonResult, which: int = 0, ax: Axes | None = None) -> Axes:
    """Draws a curve of a comparison: the worth of its last value over the first, by place.

    The height is how much more the cluster may cost, in percent, and still train as much for its
    price; places where either design does not fit are left out. The shade belongs to the curve of
    the unchanged scenario: an 80 % interval over sites, at which the step time varies but the
    difference of the two steps in seconds does not.
    """
    curve = result.to_dict()["curves"][which]
    ax = new_axes(ax, width=8.6, height=4.6)
    styles = zip(cycle(["#000000", *VALUE_COLOURS]), cycle(MARKERS))
    for i, (line, (colour, marker)) in enumerate(zip(curve["lines"], styles)):
        worths = [(float(place["at"]), place["points"][-1]["worth"]) for place in line["places"]]
        known = [(at, 100 * worth) for at, worth in worths if worth is not None]
        if not known:
            continue
        ax.plot(
            *zip(*known),
            color=colour,
            marker=marker,
            markersize=5,
            linewidth=1.4 if i else 2.4,
            label=line["variant"] or "as it stands",
        )
        if i == 0:
            _shade(ax, line, colour)
    places = sorted({float(place["at"]) for place in curve["lines"][0]["places"]})
    ax.set_xscale("log", base=2)
    ax.set_xticks(places, [f"{at:,.0f}" for at in places], rotation=45, ha="right")
    ax.minorticks_off()
    ax.set_ylim(bottom=0)
    ax.set_xlabel(short(curve["key"]))
    first, last = result.values[0], result.values[-1]
    ax.set_ylabel(f"{short(result.key)}: what {last} are worth against {first}\n(% of the cluster)")
    ax.set_title(curve["name"], fontsize=12, loc="left")
    ax.legend(frameon=False, fontsize=10, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    stand_below(ax, [curve])
    return ax


def _shade(ax: Axes, line: dict[str, Any], colour: str) -> None:
    """Shades the interval of a line, if its site has one."""
    last = [(float(place["at"]), place["points"][-1]) for place in line["places"]]
    bands = [
        (at, 100 * one["worth_low"], 100 * one["worth_high"])
        for at, one in last
        if "worth_low" in one
    ]
    if any(low < high for _, low, high in bands):
        label = "80 % interval over sites"
        at, lows, highs = zip(*bands)
        ax.fill_between(at, lows, highs, color=colour, alpha=0.13, linewidth=0, label=label)


def pareto_front(result: SearchResult, ax: Axes | None = None) -> Axes:
    """Draws step time against memory of an accelerator for the result of search(front=True).

    The line is the front: no other configuration is as fast with as little memory. Times come from
    the closed form, which all configurations have. The vertical line is the 80 % interval of the
    best over sites.
    """
    data = result.to_dict()
    ax = new_axes(ax, width=7.2, height=4.6)

    def points(entries: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
        return (
            [one["memory_per_accelerator_bytes"] / 2**30 for one in entries],
            [one["estimated_step_time_s"] for one in entries],
        )

    blue, orange, green = VALUE_COLOURS[:3]
    if data["front"]:
        ax.step(*points(data["front"]), where="post", color=blue, linewidth=1.6, zorder=1)
        ax.scatter(*points(data["front"]), s=22, color=blue, label="front", zorder=2)
    if data["best"]:
        best = data["best"][:1]
        ax.scatter(*points(best), s=70, marker="*", color=green, label="best", zorder=3)
        [memory], [time] = points(best)
        band = [time * data["step_time_low"], time * data["step_time_high"]]
        ax.plot([memory] * 2, band, color=green, linewidth=1.2, marker="_", zorder=3)
        ax.annotate(
            _dimensions(best[0]),
            (points(best)[0][0], points(best)[1][0]),
            xytext=(6, 6),
            textcoords="offset points",
            fontsize=10,
        )
    if data["own"]:
        ax.scatter(*points([data["own"]]), s=48, marker="D", color=orange, label="as it stands")
    capacity = data["memory_capacity_bytes"] / 2**30
    ax.axvline(capacity, color="#777777", linestyle=":", linewidth=1.2)
    ax.annotate(
        "memory of an accelerator",
        (capacity, 1),
        xycoords=("data", "axes fraction"),
        xytext=(-4, -4),
        textcoords="offset points",
        rotation=90,
        ha="right",
        va="top",
        fontsize=9,
        color="#555555",
    )
    ax.set_ylim(bottom=0)
    ax.set_xlim(left=0)
    ax.set_xlabel("memory per accelerator (GiB)")
    ax.set_ylabel("step time, estimated (s)")
    ax.set_title(result.name, fontsize=12, loc="left")
    ax.legend(frameon=False, fontsize=10)
    stand_below(ax, [data])
    return ax


def _dimensions(entry: dict[str, Any]) -> str:
    return " ".join(f"{key} {entry[key]}" for key in ("tp", "cp", "pp", "dp") if entry[key] > 1)
