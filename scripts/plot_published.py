#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws predicted against published step times, and the errors of each family.

usage: railwright validate --suite published --format json | scripts/plot_published.py PICTURE.png
(needs matplotlib)
"""

import itertools
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

INK, GRID = "#222222", "#dddddd"
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#f0e442"]
SHOWN = 100.0  # percent; larger errors are drawn at the edge


def steps(result):
    for case in result["cases"]:
        if case["training"] and case["quantity"] == "step_time" and case["predicted"] is not None:
            yield case


def draw_times(axes, cases):
    devices = sorted({case["training"]["device"] for case in cases})
    for device, (marker, colour) in zip(devices, itertools.product("os^", COLOURS)):
        of = [case for case in cases if case["training"]["device"] == device]
        faces = ["none" if case["role"] == "calibrate" else colour for case in of]
        axes.scatter([c["published"] for c in of], [c["predicted"] for c in of], s=16,
                     marker=marker, facecolors=faces, edgecolors=colour, linewidths=0.8)
        axes.scatter([], [], s=16, marker=marker, color=colour, label=device)
    ends = [min(c["published"] for c in cases) / 2, max(c["published"] for c in cases) * 2]
    axes.plot(ends, ends, color=INK, linewidth=1)
    for factor in (0.8, 1.25):
        axes.plot(ends, [factor * end for end in ends], color=INK, linewidth=0.6, linestyle=":")
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends,
             xlabel="published step time (s)", ylabel="predicted step time (s)")
    axes.set_title("predicted against published; hollow: calibrates; dotted: 25 %", loc="left",
                   fontsize=10, color=INK)
    axes.legend(frameon=False, fontsize=8, loc="upper left")


def draw_errors(axes, cases):
    families = sorted({case["group"] for case in cases}, reverse=True)
    for place, family in enumerate(families):
        for case in cases:
            if case["group"] != family:
                continue
            error = max(-SHOWN, min(SHOWN, 100 * case["relative_error"]))
            hollow = case["role"] == "calibrate"
            axes.scatter(error, place, s=16, facecolors="none" if hollow else COLOURS[0],
                         edgecolors=COLOURS[0], linewidths=0.8, alpha=0.6)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(families)), families)
    axes.set(xlim=(-SHOWN * 1.04, SHOWN * 1.04), xlabel="predicted / published - 1 (%)")
    axes.set_title("error of each row; at the edge: further off", loc="left", fontsize=10,
                   color=INK)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    cases = list(steps(json.load(sys.stdin)))
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), layout="constrained")
    draw_times(left, cases)
    draw_errors(right, cases)
    for axes in (left, right):
        axes.grid(color=GRID, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(sys.argv[1], dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
