# SPDX-License-Identifier: Apache-2.0
"""Plot of storage load over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railwright import _format
from railwright._results import JobsResult, SimulationResult
from railwright.plot._shared import VALUE_COLOURS, new_axes, stand_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def storage_load(result: SimulationResult | JobsResult, ax: Axes | None = None) -> Axes:
    """Draws reads (up) and writes (down) of storage over the run, in GB/s; needs
    simulate(load=True).

    The lines are means over equal bins of time, the light areas behind them the peaks in each bin.
    """
    load = result.to_dict()["storage"]["load_over_time"]
    ax = new_axes(ax, width=10.0, height=4.2)
    starts = load["time_s"]
    size, unit = _format.time_unit(starts[-1] / 5)
    times = [time / size for time in [*starts, starts[-1] + (starts[1] if len(starts) > 1 else 1)]]
    for way, colour, sign in (("read", VALUE_COLOURS[0], 1), ("write", VALUE_COLOURS[5], -1)):
        means = [sign * rate / 1e9 for rate in load[f"{way}_bytes_per_s"]]
        peaks = [sign * rate / 1e9 for rate in load[f"peak_{way}_bytes_per_s"]]
        ax.stairs(peaks, times, fill=True, color=colour, alpha=0.2, linewidth=0.6)
        ax.stairs(means, times, fill=True, color=colour, linewidth=0.6, label=way)
    ax.axhline(0, color="black", linewidth=0.8)
    ax.yaxis.set_major_formatter(lambda rate, _: f"{abs(rate):g}")
    ax.set_xlabel(f"time ({unit})")
    ax.set_ylabel("storage load (GB/s)")
    ax.set_title(result.name, fontsize=12, loc="left")
    ax.set_xlim(0, times[-1])
    ax.legend(frameon=False, fontsize=10, ncols=2, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    stand_below(ax, [result.to_dict()], band=True)
    return ax
