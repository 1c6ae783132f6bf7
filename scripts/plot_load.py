#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the reads and writes of storage over a run.

usage: plot_load.py SCENARIO PICTURE.png     (needs the railwright package and matplotlib)
"""

import sys

import matplotlib

matplotlib.use("Agg")

import railwright as rw


def main(scenario, picture):
    axes = rw.plot.storage_load(rw.simulate(scenario, load=True))
    axes.figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
