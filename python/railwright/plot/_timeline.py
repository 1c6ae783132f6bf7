# SPDX-License-Identifier: Apache-2.0
"""A step, stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railwright import _format
from railwright._results import SimulationResult
from railwright.plot._shared import new_axes, stand_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLOURS = {
    "compute": "#332288",
    "tensor parallel": "#DDCC77",
    "expert parallel": "#999933",
    "context parallel": "#88CCEE",
    "pipeline transfer": "#44AA99",
    "gradient reduce": "#CC6677",
    "parameter gather": "#882255",
    "optimizer": "#117733",
    "gradient norm": "#AA4499",
}


def timeline(result: SimulationResult, ax: Axes | None = None, max_stages: int = 8) -> Axes:
    """What each pipeline stage does over a step; needs simulate(trace=True).

    A row a stream of the first rank class of a stage, for at most `max_stages` stages, the first
    and the last among them.
    """
    frame = result.spans_to_pandas()
    if frame.empty:
        raise ValueError("the result has no operations: simulate it with trace=True")
    firsts = frame.groupby("stage")["rank_class"].min()
    kept = _spread(list(firsts.index), max_stages)
    frame = frame[frame["rank_class"].isin(firsts[kept])]
    lanes = [
        (stage, stream)
        for stage in kept
        for stream in frame["stream"].cat.categories
        if ((frame["stage"] == stage) & (frame["stream"] == stream)).any()
    ]
    ax = new_axes(ax, width=11.0, height=1.4 + 0.26 * len(lanes))
    size, unit = _format.time_unit(frame["end_s"].max() / 5)
    for place, (stage, stream) in enumerate(lanes):
        lane = frame[(frame["stage"] == stage) & (frame["stream"] == stream)]
        for operation, spans in lane.groupby("operation", observed=True):
            bars = list(zip(spans["start_s"] / size, (spans["end_s"] - spans["start_s"]) / size))
            ax.broken_barh(bars, (place - 0.4, 0.8), facecolor=_COLOURS[operation], linewidth=0)
    for operation in [name for name in _COLOURS if (frame["operation"] == name).any()]:
        ax.barh([0], [0], color=_COLOURS[operation], label=operation)
    ax.set_yticks(range(len(lanes)), [_label(lanes, i) for i in range(len(lanes))])
    ax.set_ylim(len(lanes) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, frame["end_s"].max() / size)
    ax.set_xlabel(f"time ({unit})")
    ax.set_title(result.name, fontsize=12, loc="left")
    ax.legend(frameon=False, fontsize=10, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    stand_below(ax, [result.to_dict()], band=True)
    return ax


def _spread(stages: list[int], most: int) -> list[int]:
    """At most so many, evenly, both ends among them."""
    if len(stages) <= most:
        return stages
    last = len(stages) - 1
    return [stages[round(i * last / (most - 1))] for i in range(most)]


def _label(lanes: list[tuple[int, str]], place: int) -> str:
    stage, stream = lanes[place]
    is_first = place == 0 or lanes[place - 1][0] != stage
    return f"stage {stage}  {stream}" if is_first else stream
