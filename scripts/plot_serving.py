#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the trade-off of a service: tokens/s of an accelerator over tokens/s of a user.

usage: scripts/plot_serving.py PROGRAM SCENARIO.yaml PICTURE.png NODE[:WEIGHTS]...  (needs matplotlib)

Each NODE is a line: the Pareto front over all divisions of the model and all batches.
"""

import json
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

INK, GRID = "#222222", "#dddddd"
# Okabe and Ito's colours, which colour-blind readers can distinguish.
COLOURS = ["#000000", "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00"]


def front(program, scenario, node, weights):
    """Returns the Pareto front, from the fastest user to the slowest."""
    settings = [f"cluster.node={node}", f"inference.weights={weights}", "inference.load=~",
                "inference.time_to_first_token=~", "inference.time_per_output_token=~",
                "search.disaggregated=false", "search.pp=[1]"]
    arguments = [argument for setting in settings for argument in ("--set", setting)]
    run = subprocess.run([program, "search", scenario, "--front", "--format", "json", *arguments],
                         capture_output=True, text=True, check=False)
    # Exit code 3 (too few nodes for the load) still has a valid front.
    if run.returncode not in (0, 3):
        raise SystemExit(run.stderr)
    return [(one["user_tokens_per_s"], one["result"]["accelerator_tokens_per_s"], one["tp"])
            for one in json.loads(run.stdout)["front"]]


def main():
    if len(sys.argv) < 5:
        raise SystemExit(__doc__)
    program, scenario, picture, *nodes = sys.argv[1:]
    figure, axes = plt.subplots(figsize=(7, 4.4), layout="constrained")
    for i, name in enumerate(nodes):
        node, _, weights = name.partition(":")
        points = front(program, scenario, node, weights or "fp8")
        axes.plot([p[0] for p in points], [p[1] for p in points], color=COLOURS[i % len(COLOURS)],
                  marker="o", markersize=4, label=f"{node}, {weights or 'fp8'}")
        for before, after in zip([None, *points], points):
            if before is None or before[2] != after[2]:
                axes.annotate(f"tp {after[2]}", after[:2], xytext=(4, 4), fontsize=7.5,
                              textcoords="offset points", color=COLOURS[i % len(COLOURS)])
    axes.set_xlabel("output tokens/s of one user")
    axes.set_ylabel("output tokens/s of an accelerator")
    axes.set_ylim(bottom=0)
    axes.set_xlim(left=0)
    axes.grid(color=GRID, linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    axes.set_title("Full batches of Llama 3.3 70B, 1,500 tokens in and 350 out", loc="left",
                   fontsize=10, color=INK)
    figure.savefig(picture, dpi=130)


if __name__ == "__main__":
    main()
