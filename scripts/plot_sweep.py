#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a sweep of two keys: a number over the first key, with a line for each value of the second.

usage: railwright sweep S.yaml --out T.csv && scripts/plot_sweep.py T.csv X LINES NUMBER PICTURE.png
X, LINES and NUMBER are columns of the table.  (needs matplotlib)
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


def main():
    if len(sys.argv) != 6:
        raise SystemExit(__doc__)
    table, x, lines, number, picture = sys.argv[1:]
    points = {}
    with open(table, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row[number]:
                points.setdefault(row[lines], []).append((float(row[x]), float(row[number])))
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    for i, (value, line) in enumerate(points.items()):
        axes.plot(*zip(*sorted(line)), color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)],
                  markersize=4.5, label=value)
    axes.set_xlabel(x)
    axes.set_ylabel(number)
    axes.set_ylim(bottom=0)
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(title=lines, frameon=False)
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main()
