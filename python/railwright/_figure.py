# SPDX-License-Identifier: Apache-2.0
"""The figure below a table in a notebook: time of a step by cause, drawn without a library."""

from __future__ import annotations

import itertools
from html import escape
from typing import Any

from railwright import _format, _numbers

_BAR, _GAP, _WIDTH = 22, 10, 640  # pixels, without the margins
_LEFT, _RIGHT = 150, 90


def steps(named: list[tuple[str, dict[str, Any]]]) -> str:
    """Returns one bar per prediction that fits: its causes in the order of a breakdown, and the 80
    % interval of the step at its end. Below is the basis of each. Returns "" if none fits."""
    shown = [(name, one) for name, one in named if one.get("feasible") and "breakdown" in one]
    if not shown:
        return ""
    causes = _numbers.ordered({cause for _, one in shown for cause in one["breakdown"]})
    causes = [cause for cause in causes if any(one["breakdown"][cause] > 0 for _, one in shown)]
    colours = {cause: _numbers.CAUSES[cause]["color"] for cause in causes}
    longest = max(max(one["step_time_s"], one.get("step_time_high_s", 0)) for _, one in shown)
    scale = _WIDTH / longest
    drawn: list[str] = []
    for i, (name, one) in enumerate(shown):
        drawn += _bar(name, one, colours, scale, i * (_BAR + _GAP))
    picture = _drawing(drawn, len(shown), "Time of a step by cause")
    return picture + _legend(colours) + _rests_on(shown)


def _drawing(drawn: list[str], num_bars: int, title: str) -> str:
    height = num_bars * (_BAR + _GAP)
    return (
        f'<div><svg xmlns="http://www.w3.org/2000/svg" role="img" width="100%" style="max-width: 900px"'
        f' viewBox="{-_LEFT} 0 {_LEFT + _WIDTH + _RIGHT} {height}" font-size="12"'
        f' font-family="sans-serif"><title>{escape(title)}</title>{"".join(drawn)}</svg></div>'
    )


def _legend(colours: dict[str, str]) -> str:
    words = " ".join(
        f'<span style="white-space: nowrap; margin-right: 1em"><span style="display: inline-block;'
        f' width: 0.8em; height: 0.8em; background: {colour}"></span>'
        f" {escape(cause.removesuffix('_s').replace('_', ' '))}</span>"
        for cause, colour in colours.items()
    )
    return f"<p>{words}</p>"


# Causes of a step whose colours are well apart.
_APART = (
    "matrix_products",
    "overlap_slowdown",
    "pipeline_transfer",
    "tensor_parallel",
    "gradient_reduce",
    "overhead",
    "kernel_gaps",
)


def plain(named: list[tuple[str, dict[str, float]]], title: str) -> str:
    """Returns bars of parts in seconds, whose keys are their names: of a service or a
    post-training step, which have no colours of their own."""
    names = list(dict.fromkeys(name for _, parts in named for name, one in parts.items() if one > 0))
    colours = {
        name: _numbers.CAUSES[cause]["color"] for name, cause in zip(names, itertools.cycle(_APART))
    }
    totals = [sum(parts.values()) for _, parts in named]
    if not names or max(totals) <= 0:
        return ""
    scale = _WIDTH / max(totals)
    drawn: list[str] = []
    for i, ((name, parts), total) in enumerate(zip(named, totals)):
        bar = {"breakdown": {**dict.fromkeys(names, 0.0), **parts}, "step_time_s": total}
        drawn += _bar(name, bar, colours, scale, i * (_BAR + _GAP))
    return _drawing(drawn, len(named), title) + _legend(colours)


def _bar(
    name: str, one: dict[str, Any], colours: dict[str, str], scale: float, top: float
) -> list[str]:
    """Returns the elements of a bar: causes, interval, and time as text."""
    middle = top + _BAR / 2
    text = f'y="{middle + 4:g}" fill="currentColor"'
    label = name if len(name) <= 22 else name[:21] + "…"
    drawn = [f'<text x="-6" {text} text-anchor="end">{escape(label)}</text>']
    start = 0.0
    for cause, colour in colours.items():
        seconds = one["breakdown"][cause]
        if seconds <= 0:
            continue
        drawn.append(
            f'<rect x="{start * scale:.1f}" y="{top}" width="{seconds * scale:.1f}" height="{_BAR}"'
            f' fill="{colour}"><title>{escape(cause.replace("_", " "))}:'
            f" {_format.time(seconds)}</title></rect>"
        )
        start += seconds
    end = one["step_time_s"]
    low, high = one.get("step_time_low_s", end), one.get("step_time_high_s", end)
    if low < high:
        drawn.append(
            f'<path d="M{low * scale:.1f} {middle:g}H{high * scale:.1f}M{low * scale:.1f}'
            f' {middle - 5:g}v10M{high * scale:.1f} {middle - 5:g}v10" stroke="currentColor"'
            f' fill="none" stroke-width="1.5"><title>80 % interval: {_format.time(low)} to'
            f" {_format.time(high)}</title></path>"
        )
    drawn.append(f'<text x="{max(high, end) * scale + 6:.1f}" {text}>{_format.time(end)}</text>')
    return drawn


def _rests_on(shown: list[tuple[str, dict[str, Any]]]) -> str:
    said = dict.fromkeys(
        f"{one['basis']['kind']}: {one['basis']['says']}" for _, one in shown if "basis" in one
    )
    return "".join(f"<p><small>{escape(line)}</small></p>" for line in said)
