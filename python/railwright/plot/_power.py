# SPDX-License-Identifier: Apache-2.0
"""Plot of power over a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from railwright import _format
from railwright._results import SimulationResult
from railwright.plot._shared import VALUE_COLOURS, new_axes, stand_below

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def power(result: SimulationResult, ax: Axes | None = None) -> Axes:
    """Draws the power of the building over a step, between what it draws idle and while all nodes
    compute; needs simulate(trace=True)."""
    drawn = result.to_dict().get("power", {})
    if "over_step" not in drawn:
        raise ValueError("the result has no power over a step: simulate it with trace=True")
    ax = new_axes(ax, width=10.0, height=4.0)
    starts = drawn["over_step"]["time_s"]
    end = result.step_time_s
    size, unit = _format.time_unit(end / 5)
    scale, prefix = _scale(drawn["peak_power_w"])
    times = [time / size for time in [*starts, end]]
    watts = [watt / scale for watt in drawn["over_step"]["power_w"]]
    ax.stairs(watts, times, baseline=None, color=VALUE_COLOURS[0], linewidth=1.2)
    for key, name in (("peak_power_w", "all nodes compute"), ("idle_power_w", "idle")):
        ax.axhline(drawn[key] / scale, color="grey", linewidth=0.8, linestyle="--")
        ax.text(times[-1], drawn[key] / scale, name + " ", ha="right", va="bottom", fontsize=9)
    ax.set_xlim(0, times[-1])
    ax.set_ylim(0, 1.12 * drawn["peak_power_w"] / scale)
    ax.set_xlabel(f"time ({unit})")
    ax.set_ylabel(f"power ({prefix}W)")
    ax.set_title(result.name, fontsize=12, loc="left")
    stand_below(ax, [result.to_dict()])
    return ax


def _scale(watts: float) -> tuple[float, str]:
    return (1e6, "M") if watts >= 1e6 else (1e3, "k")
