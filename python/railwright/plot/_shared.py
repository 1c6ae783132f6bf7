# SPDX-License-Identifier: Apache-2.0
"""Axes, colours and texts that the plots share."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from railwright import _format

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, distinguishable with every kind of colour vision.
VALUE_COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"]
MARKERS = "osD^vP"


def new_axes(ax: Axes | None, width: float, height: float) -> Axes:
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(figsize=(width, height), layout="constrained")[1]
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(labelsize=10)
    ax.xaxis.label.set_fontsize(11)
    ax.yaxis.label.set_fontsize(11)
    return ax


def short(key: str) -> str:
    """Returns the last word of a dotted key; for `count`, the last two words."""
    words = key.split(".")
    return ".".join(words[-2:]) if words[-1] == "count" else words[-1]


def stand_below(ax: Axes, predictions: Iterable[dict[str, Any]], band: bool = False) -> None:
    """Writes the basis of the predictions below the axes, each text once. `band` adds the interval
    of their step time, for plots that cannot show it."""
    text = resting_on(ax, predictions, band)
    small: dict[str, Any] = {"fontsize": 8.5, "color": "#555555"}
    if not ax.get_xlabel():
        ax.set_xlabel(text, loc="left", **small)
    elif text:
        ax.annotate(
            text,
            (0, 0),
            xycoords=(ax.transAxes, ax.xaxis.label),
            xytext=(0, -6),
            textcoords="offset points",
            va="top",
            **small,
        )


def resting_on(ax: Axes, predictions: Iterable[dict[str, Any]], band: bool) -> str:
    """Returns that text, in lines as wide as the axes."""
    lines = []
    for prediction in predictions:
        words = []
        if band and prediction.get("step_time_low_s", 0) < prediction.get("step_time_high_s", 0):
            low, high = prediction["step_time_low_s"], prediction["step_time_high_s"]
            words.append(f"step {_format.time(low)} to {_format.time(high)} (80 % interval over sites)")
        if "basis" in prediction:
            words.append(f"{prediction['basis']['kind']}: {prediction['basis']['says']}")
        line = "; ".join(words)
        if line and line not in lines:
            lines.append(line)
    inches = ax.get_window_extent().width / ax.figure.dpi
    wrapped = [textwrap.fill(line, max(40, int(15 * inches))) for line in lines[:3]]
    if len(lines) > len(wrapped):
        wrapped.append(f"and {len(lines) - len(wrapped)} more")
    return "\n".join(wrapped)
