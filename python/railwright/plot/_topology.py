# SPDX-License-Identifier: Apache-2.0
"""Plot of a fabric with the load of its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railwright import _format
from railwright._results import TopologyResult
from railwright.plot._shared import new_axes, resting_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FILLS = {
    "core": "#DDEAF7",
    "spine": "#DDEAF7",
    "leaf": "#DDEAF7",
    "nic": "#FCEBCF",
    "accelerator": "#DFF1E4",
    "front_end": "#F6E3EE",
    "failed": "#FFFFFF",
    "short": "#FBD0D0",
}
_OTHER_FILL = "#F2F2F2"
_POINTS_PER_INCH = 100


def topology(result: TopologyResult, ax: Axes | None = None) -> Axes:
    """Draws the result of rw.topology(): a node opened up below the switches, identically wired
    parts as one.

    Colour and width of a wire show the share of a step that its busiest link is busy; without load
    all wires look the same.
    """
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize
    from matplotlib.patches import FancyBboxPatch, Rectangle

    drawing = result.to_dict()["drawing"]
    width, height = drawing["width"], drawing["height"]
    ax = new_axes(ax, width / _POINTS_PER_INCH, 0.5 + height / _POINTS_PER_INCH)
    colours = colormaps["viridis_r"]
    loads = [wire.get("utilization", 0.0) for wire in drawing["wires"]]
    most = max([*loads, 0.01])

    for frame in drawing["frames"]:
        corner = (frame["x"] - frame["width"] / 2, frame["y"] - frame["height"] / 2)
        ax.add_patch(
            Rectangle(corner, frame["width"], frame["height"], facecolor="none", edgecolor="#AAAAAA")
        )
        ax.text(frame["x"], corner[1] + 9, frame["label"], ha="center", va="center", fontsize=8)
    for wire, load in zip(drawing["wires"], loads):
        x1, y1, x2, y2 = wire["line"]
        if wire["paint"] == "failed":
            ax.plot([x1, x2], [y1, y2], color="#D55E00", linestyle=":", linewidth=1.2, zorder=1)
        elif drawing["has_load"] and load > 0:
            ax.plot(
                [x1, x2], [y1, y2], color=colours(load / most), linewidth=1 + 4 * load / most, zorder=1
            )
        else:
            ax.plot([x1, x2], [y1, y2], color="#BBBBBB", linewidth=1.0, zorder=1)
    for box in drawing["boxes"]:
        if not box["label"] or box.get("legend"):
            continue
        corner = (box["x"] - box["width"] / 2, box["y"] - box["height"] / 2)
        ax.add_patch(
            FancyBboxPatch(
                corner,
                box["width"],
                box["height"],
                boxstyle="round,pad=0,rounding_size=4",
                facecolor=_FILLS.get(box["paint"], _OTHER_FILL),
                edgecolor="#C00000" if box["paint"] == "short" else "#555555",
                linewidth=0.8,
                zorder=2,
            )
        )
        ax.text(box["x"], box["y"], box["label"], ha="center", va="center", fontsize=8, zorder=3)
    for wire in drawing["wires"]:
        if wire["label"]:
            x, y = wire["label_at"]
            ax.text(
                *(x, y, wire["label"]),
                ha="center",
                va="center",
                fontsize=7.5,
                color="#333333",
                zorder=4,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.8},
            )
    ax.set_xlim(0, width)
    ax.set_ylim(0, height)
    ax.set_aspect("equal")
    ax.axis("off")
    pool = f", pool {drawing['pool']}" if "pool" in drawing else ""
    ax.set_title(result.name + pool, fontsize=12, loc="left")
    if drawing["shortfalls"]:
        words = "\n".join(f"does not fit: {one}" for one in drawing["shortfalls"])
        ax.text(0, height, words, ha="left", va="top", fontsize=9, color="#C00000")
    if drawing["has_load"]:
        scale = ScalarMappable(Normalize(0, 100 * most), colours)
        ax.figure.colorbar(
            scale,
            ax=ax,
            orientation="horizontal",
            shrink=0.4,
            aspect=40,
            pad=0.02,
            label="busiest link of a wire, share of a step (%)",
        )
        busiest = drawing["links"][0] if drawing["links"] else None
        if busiest and not drawing["shortfalls"]:
            share = _format.percent(busiest["utilization"], signed=False)
            words = f"busiest: {busiest['from']} to {busiest['to']}, {share} of a step"
            ax.text(width, height, words, ha="right", va="top", fontsize=9, color="#555555")
        words = resting_on(ax, [result.to_dict()], band=True)
        ax.text(0, 0, words, ha="left", va="top", fontsize=8.5, color="#555555")
    return ax
