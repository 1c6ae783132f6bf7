# SPDX-License-Identifier: Apache-2.0
"""Plot of a queue of jobs over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railwright import _format
from railwright._results import QueueResult
from railwright.plot._shared import VALUE_COLOURS, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def queue(result: QueueResult, ax: Axes | None = None) -> Axes:
    """Draws accelerators with a job (up) and those that waiting jobs want (down) over time."""
    samples = result.to_dict()["over_time"]
    ax = new_axes(ax, width=10.0, height=4.2)
    starts = [one["time_s"] for one in samples]
    end = result.duration_s
    size, unit = _format.time_unit(end / 5)
    times = [time / size for time in [*starts, end]]
    occupied = [one["occupied"] for one in samples]
    wanted = [-one["wanted"] for one in samples]
    ax.stairs(
        occupied, times, fill=True, color=VALUE_COLOURS[0], linewidth=0.6, label="with a job"
    )
    ax.stairs(
        wanted, times, fill=True, color=VALUE_COLOURS[5], linewidth=0.6, label="wanted by waiting"
    )
    ax.axhline(result.num_accelerators, color="black", linewidth=0.8, linestyle="--")
    ax.axhline(0, color="black", linewidth=0.8)
    ax.yaxis.set_major_formatter(lambda count, _: f"{abs(count):,.0f}")
    ax.set_xlabel(f"time ({unit})")
    ax.set_ylabel("accelerators")
    ax.set_title(result.name, fontsize=12, loc="left")
    ax.set_xlim(0, times[-1])
    ax.legend(frameon=False, fontsize=10, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    return ax
