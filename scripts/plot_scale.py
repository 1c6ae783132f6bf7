#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the output of railwright_scale: the cost of a step by the size of the cluster.

usage: railwright_scale SCENARIO NODES... | scripts/plot_scale.py PICTURE.png     (needs matplotlib)
"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

INK, GRID = "#222222", "#dddddd"
COSTS = {
    "simulate_s": ("one step, folded", "#0072b2", "o"),
    "costs_s": ("routes and transfers of all ranks", "#e69f00", "s"),
    "build_s": ("fabric", "#999999", "^"),
    "fold_s": ("finding the classes", "#009e73", "D"),
}
COUNTS = {
    "links": ("links of the fabric", "#999999", "^"),
    "link_classes": ("classes of links", "#0072b2", "o"),
    "replicas": ("replicas", "#e69f00", "s"),
    "replica_classes": ("classes of replicas", "#009e73", "D"),
}


def draw(axes, rows, series, title):
    sizes = [int(row["accelerators"]) for row in rows]
    for key, (label, colour, marker) in series.items():
        values = [float(row[key]) for row in rows]
        axes.plot(sizes, values, color=colour, marker=marker, markersize=5, linewidth=1.8,
                  label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sizes[1::2], [f"{size:,}" for size in sizes[1::2]], rotation=30, ha="right")
    axes.minorticks_off()
    axes.set_xlabel("accelerators")
    axes.set_title(title, loc="left", fontsize=11, color=INK)
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=9, loc="upper left")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    rows = list(csv.DictReader(sys.stdin))
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    draw(left, rows, COSTS, "processor seconds")
    draw(right, rows, COUNTS, "how many")
    left.set_ylim(1e-4, 30)
    right.set_ylim(0.7, 3e8)
    figure.savefig(sys.argv[1], dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
