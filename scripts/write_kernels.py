#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes fitted kernel constants into the catalogue, replacing those of the same format.

usage: railwright calibrate kernels --format json | scripts/write_kernels.py
"""

import json
import re
import sys
from pathlib import Path

CATALOGUE = Path(__file__).resolve().parent.parent / "models" / "catalogue"
COLUMNS = 6  # factors per line: the grid of the inner dimension


def entry_of(device):
    text = (CATALOGUE / "accelerators" / f"{device}.yaml").read_text(encoding="utf-8")
    return CATALOGUE / "kernels" / f"{re.search(r'^kernels: (.*)$', text, re.MULTILINE)[1]}.yaml"


def rounded(value):
    """Rounds a value to four digits, more than the accuracy of a fit."""
    number, _, unit = value.partition(" ")
    if unit == "s":
        return f"{float(number) * 1e6:.4g} us"
    return f"{float(number):.4g} {unit}".rstrip()


def lines_of(constants):
    """Returns the constants as YAML under a format, with COLUMNS factors per line."""
    text = constants.strip().removeprefix("{").removesuffix("}")
    text, _, factors = text.partition(", factors: ")
    pairs = [item.split(": ") for item in text.split(", ")]
    lines = [f"    {key}: {rounded(value)}" for key, value in pairs]
    numbers = factors.strip("[]").split(", ") if factors else []
    rows = [", ".join(numbers[i : i + COLUMNS]) for i in range(0, len(numbers), COLUMNS)]
    if rows:
        lines += ["    factors: ["] + [f"      {row}," for row in rows[:-1]] + [f"      {rows[-1]}]"]
    return "\n".join(lines) + "\n"


def write(fit):
    path = entry_of(fit["device"])
    text = path.read_text(encoding="utf-8")
    section = re.compile(rf"(^{fit['kind']}:\n(?:  .*\n)*?)  {fit['format']}:\n((?:    .*\n)+)", re.MULTILINE)
    path.write_text(section.sub(lambda m: f"{m[1]}  {fit['format']}:\n{lines_of(fit['constants'])}", text, count=1),
                    encoding="utf-8")


def main():
    for fit in json.load(sys.stdin)["kernels"]:
        write(fit)


if __name__ == "__main__":
    main()
