# SPDX-License-Identifier: Apache-2.0
"""Plot of a step, stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railwright import _format
from railwright._results import SimulationResult
from railwright.plot._shared import new_axes, stand_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy import ndarray
    from pandas import DataFrame

_POINTS = 1200  # points of a lane
_PALEST = 0.15  # opacity of a point that is hardly busy

_COLOURS = {
    "forward": "#332288",
    "backward": "#6699CC",
    "compute": "#000000",
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
    """Draws the operations of each pipeline stage over a step; needs simulate(trace=True).

    Each row is a stream of the first rank class of a stage, for at most `max_stages` stages,
    including the first and the last. A point shows its longest operation, paler if less of the
    point's time is busy.
    """
    frame = result.spans_to_pandas()
    if frame.empty:
        raise ValueError("the result has no operations: simulate it with trace=True")
    frame["operation"] = _shown(frame)
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
    end = frame["end_s"].max()
    size, unit = _format.time_unit(end / 5)
    for place, (stage, stream) in enumerate(lanes):
        lane = frame[(frame["stage"] == stage) & (frame["stream"] == stream)]
        ax.imshow(
            _pixels(lane, end),
            extent=(0, end / size, place + 0.4, place - 0.4),
            aspect="auto",
            interpolation="nearest",
        )
    for operation in [name for name in _COLOURS if (frame["operation"] == name).any()]:
        ax.barh([0], [0], color=_COLOURS[operation], label=operation)
    ax.set_yticks(range(len(lanes)), [_label(lanes, i) for i in range(len(lanes))])
    ax.set_ylim(len(lanes) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.set_xlim(0, end / size)
    ax.set_xlabel(f"time ({unit})")
    ax.set_title(result.name, fontsize=12, loc="left")
    ax.legend(frameon=False, fontsize=10, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    stand_below(ax, [result.to_dict()], band=True)
    return ax


def _shown(frame: DataFrame) -> list[str]:
    """Returns the operations, computation as that of forward and backward passes."""
    return [
        operation if operation != "compute" or not of else "forward" if of == "forward" else "backward"
        for operation, of in zip(frame["operation"], frame["pass"])
    ]


def _pixels(lane: DataFrame, end: float) -> ndarray:
    """Returns one row of colours: the operation with the most time of each point, as opaque as the
    point is busy."""
    import numpy
    from matplotlib.colors import to_rgb

    busy = numpy.zeros((len(_COLOURS), _POINTS))
    for operation, spans in lane.groupby("operation", observed=True):
        row = busy[list(_COLOURS).index(str(operation))]
        starts = spans["start_s"].to_numpy() / end * _POINTS
        ends = spans["end_s"].to_numpy() / end * _POINTS
        # Time spent before each edge of a point; the difference is the time within it.
        edges = numpy.arange(_POINTS + 1)
        done = numpy.zeros(_POINTS + 1)
        for start, stop in zip(starts, ends):
            first, last = int(start), min(_POINTS, int(stop) + 1)
            done[first : last + 1] += numpy.clip(edges[first : last + 1], start, stop) - start
            done[last + 1 :] += stop - start
        row += numpy.diff(done)
    colours = numpy.array([to_rgb(colour) for colour in _COLOURS.values()])[busy.argmax(axis=0)]
    share = numpy.minimum(1.0, busy.sum(axis=0))
    alpha = numpy.where(share > 0, _PALEST + (1 - _PALEST) * share, 0.0)
    return numpy.dstack([colours[None, :, :], alpha[None, :]])


def _spread(stages: list[int], most: int) -> list[int]:
    """Returns at most `most` stages, evenly spaced, including both ends."""
    if len(stages) <= most:
        return stages
    last = len(stages) - 1
    return [stages[round(i * last / (most - 1))] for i in range(most)]


def _label(lanes: list[tuple[int, str]], place: int) -> str:
    stage, stream = lanes[place]
    is_first = place == 0 or lanes[place - 1][0] != stage
    return f"stage {stage}  {stream}" if is_first else stream
