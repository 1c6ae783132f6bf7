# SPDX-License-Identifier: Apache-2.0
"""Plot of predicted against published times."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING, Any

from railwright._comparisons import ValidationResult
from railwright.plot._shared import VALUE_COLOURS, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHAPES = {"step_time": "o", "training_time": "s"}
_WHAT = {"step_time": "step time", "training_time": "training time"}


def accuracy(result: ValidationResult, ax: Axes | None = None) -> Axes:
    """Draws predicted against published times of steps (round) and whole trainings (square), one
    colour per device.

    Hollow points calibrate the models, full ones are pure predictions. The dotted lines are at 0.8
    and 1.25 times the published time; the band, if the suite has one, is the 80 % interval.
    """
    cases = [
        case
        for case in result.to_dict()["cases"]
        if case["training"] and case["quantity"] in _SHAPES and case["predicted"] is not None
    ]
    ax = new_axes(ax, width=6.4, height=6.0)
    devices = sorted({case["training"]["device"] for case in cases})
    for device, colour in zip(devices, cycle([*VALUE_COLOURS, "#000000"])):
        for quantity, shape in _SHAPES.items():
            rows = [
                case
                for case in cases
                if case["training"]["device"] == device and case["quantity"] == quantity
            ]
            ax.scatter(
                [case["published"] for case in rows],
                [case["predicted"] for case in rows],
                s=18,
                marker=shape,
                facecolors=["none" if case["role"] == "calibrate" else colour for case in rows],
                edgecolors=colour,
                linewidths=0.9,
            )
        ax.scatter([], [], s=18, color=colour, label=device)
    published = [case["published"] for case in cases] or [1.0]
    ends = [min(published) / 2, max(published) * 2]
    ax.plot(ends, ends, color="#222222", linewidth=1)
    for factor in (0.8, 1.25):
        ax.plot(ends, [factor * end for end in ends], color="#222222", linewidth=0.7, linestyle=":")
    band = result.to_dict()["summary"].get("band")
    if band:
        low, high = ([end / band[name] for end in ends] for name in ("high", "low"))
        ax.fill_between(ends, low, high, color="#777777", alpha=0.15, linewidth=0)
    ax.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    quantities = {case["quantity"] for case in cases}
    what = _WHAT[quantities.pop()] if len(quantities) == 1 else "time"
    ax.set_xlabel(f"published {what} (s)")
    ax.set_ylabel(f"predicted {what} (s)")
    if what == "time":
        for quantity, shape in _SHAPES.items():
            style: dict[str, Any] = {"marker": shape, "facecolors": "none", "edgecolors": "#555555"}
            ax.scatter([], [], s=18, label=_WHAT[quantity], **style)
    ax.set_title(result.suite, fontsize=12, loc="left")
    ax.legend(frameon=False, fontsize=9, loc="upper left")
    return ax
