# SPDX-License-Identifier: Apache-2.0
"""What the pictures share: axes, colours, words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's: told apart with every kind of colour vision.
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
    """The last word of a dotted key; with the one before it where that says too little."""
    words = key.split(".")
    return ".".join(words[-2:]) if words[-1] == "count" else words[-1]
