#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the curves of a comparison: the worth of its last value over the first, by place.

usage: railwright compare S.yaml --format json | scripts/plot_curves.py PICTURE.png  (needs matplotlib)
"""

import json
import sys
import textwrap

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

INK, GRID = "#222222", "#dddddd"
# Okabe and Ito's colours, which colour-blind readers can distinguish.
COLOURS = ["#000000", "#0072b2", "#e69f00", "#009e73", "#999999", "#cc79a7", "#d55e00", "#56b4e9"]
MARKERS = "osD^vPX*"


def draw(axes, curve):
    for i, line in enumerate(curve["lines"]):
        points = [(float(place["at"]), place["points"][-1]["worth"]) for place in line["places"]]
        known = [(at, 100 * worth) for at, worth in points if worth is not None]
        axes.plot(*zip(*known), color=COLOURS[i % len(COLOURS)], marker=MARKERS[i % len(MARKERS)],
                  markersize=4.5, linewidth=2.2 if i == 0 else 1.3,
                  label=line["variant"] or "as it stands", zorder=3 if i == 0 else 2)
    points = [(float(place["at"]), place["points"][-1]) for place in curve["lines"][0]["places"]]
    bands = [(at, 100 * one["worth_low"], 100 * one["worth_high"]) for at, one in points
             if "worth_low" in one]
    if any(low < high for _, low, high in bands):
        axes.fill_between(*zip(*bands), color=COLOURS[0], alpha=0.13, linewidth=0, zorder=1,
                          label="80 % interval over sites")
    places = sorted({float(place["at"]) for place in curve["lines"][0]["places"]})
    axes.set_xscale("log", base=2)
    axes.set_xticks(places, [f"{at:,.0f}" for at in places], rotation=45, ha="right")
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    axes.set_xlabel(curve["key"].rsplit(".", 1)[-1])
    if "basis" in curve:
        said = textwrap.fill(f"{curve['basis']['kind']}: {curve['basis']['says']}", 68)
        axes.annotate(said, (0, 0), xycoords=(axes.transAxes, axes.xaxis.label), xytext=(0, -6),
                      textcoords="offset points", va="top", fontsize=7.5, color="#555555")
    axes.set_title(curve["name"], loc="left", fontsize=10, color=INK)
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    comparison = json.load(sys.stdin)
    curves = comparison["curves"]
    figure, all_axes = plt.subplots(1, len(curves), figsize=(5 * len(curves), 4.4),
                                    layout="constrained", squeeze=False)
    for axes, curve in zip(all_axes[0], curves):
        draw(axes, curve)
    # All panels have the same variants, so one legend suffices.
    with_variants = [axes for axes, curve in zip(all_axes[0], curves) if len(curve["lines"]) > 1]
    if with_variants:
        with_variants[0].legend(frameon=False, fontsize=8, loc="upper left")
    first, last = comparison["values"][0], comparison["values"][-1]
    what = comparison["key"].removesuffix(".count").rsplit(".", 1)[-1]
    all_axes[0][0].set_ylabel(f"{what}: what {last} are worth against {first}, % of the cluster")
    figure.savefig(sys.argv[1], dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main()
