#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes fitted numbers into the catalogue: `value`, its source, and `estimate: true`.

usage: railwright calibrate published --format json | scripts/write_fit.py
"""

import json
import re
import sys
from pathlib import Path

CATALOGUE = Path(__file__).resolve().parent.parent / "models" / "catalogue"
FOLDERS = {"cluster.node.accelerator.": "accelerators", "software.": "software"}
DURATIONS = {"kernel_overhead", "step_overhead", "host_launch"}


def text_of(key, value):
    if key in DURATIONS:
        return f"{value * 1e6:.3g} us" if value < 1e-3 else f"{value * 1e3:.3g} ms"
    return f"{value:.4g}"


def write(number, suite):
    prefix = next(p for p in FOLDERS if number["path"].startswith(p))
    key = number["path"].removeprefix(prefix)
    path = CATALOGUE / FOLDERS[prefix] / f"{number['of']}.yaml"
    old = path.read_text(encoding="utf-8")
    block = re.compile(rf"^{key}:\n((?:  .*\n)+)", re.MULTILINE)
    found = block.search(old)
    came_from = re.search(r'source: "(.*)"', found[1])[1] if found else ""
    came_from = re.sub(r"^(?:fitted by railwright calibrate [^;]*(?:; )?)+", "", came_from)
    rows = number["num_rows"]
    how = f"{rows} row{'s' if rows > 1 else ''}" if rows else "the mean of other stacks"
    source = f"fitted by railwright calibrate {suite} from {text_of(key, number['start'])}, {how}"
    if came_from:
        source += f"; {came_from}"
    new = (f"{key}:\n  value: {text_of(key, number['value'])}\n  source: \"{source}\"\n"
           "  estimate: true\n")
    if found:
        path.write_text(block.sub(lambda _: new, old, count=1), encoding="utf-8")
    else:
        path.write_text(re.sub(r"^(?=collectives:|power:)", lambda _: new, old, count=1,
                               flags=re.MULTILINE), encoding="utf-8")


def main():
    fit = json.load(sys.stdin)
    for number in fit["numbers"]:
        write(number, fit["suite"])


if __name__ == "__main__":
    main()
