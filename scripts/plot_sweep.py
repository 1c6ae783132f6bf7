#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a sweep of two keys: a number over the first key, with a line for each value of the second.

usage: railwright sweep S.yaml --out T.csv && scripts/plot_sweep.py T.csv X LINES NUMBER PICTURE.png [PANELS]
X, LINES, NUMBER and PANELS are columns of the table; each value of PANELS has axes of its own.  (needs matplotlib)
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

GRID = "#dddddd"
# Okabe and Ito's colours, which colour-blind readers can distinguish.
COLOURS = ["#000000", "#0072b2", "#e69f00", "#009e73", "#999999", "#cc79a7", "#d55e00", "#56b4e9"]
MARKERS = "osD^vPX*"


def draw(axes, rows, x, lines, number):
    points = {}
    for row in rows:
        if row[number]:
            points.setdefault(row[lines], []).append((float(row[x]), float(row[number])))
    for i, (value, line) in enumerate(points.items()):
        axes.plot(*zip(*sorted(line)), color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)],
                  markersize=4.5, label=value)
    at = sorted({place for line in points.values() for place, _ in line})
    if at[-1] >= 16 * at[0] > 0:
        axes.set_xscale("log", base=2)
        axes.set_xticks(at, [f"{place:g}" for place in at])
        axes.minorticks_off()
    axes.set_xlabel(x)
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def main():
    if len(sys.argv) not in (6, 7):
        raise SystemExit(__doc__)
    table, x, lines, number, picture = sys.argv[1:6]
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    panels = {}
    for row in rows:
        panels.setdefault(row[sys.argv[6]] if len(sys.argv) == 7 else "", []).append(row)
    figure, all_axes = plt.subplots(1, len(panels), figsize=(2.4 + 4.0 * len(panels), 4.0),
                                    layout="constrained", squeeze=False)
    for axes, (name, of_panel) in zip(all_axes[0], panels.items()):
        draw(axes, of_panel, x, lines, number)
        axes.set_title(name, loc="left", fontsize=10)
    all_axes[0][0].set_ylabel(number)
    all_axes[0][-1].legend(title=lines, frameon=False)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main()
