#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the errors of published training steps into the catalogue; --check only compares.

usage: scripts/write_track_record.py [--check] [--left-out FILE] build/release/bin/railwright

FILE is what `railwright calibrate published --leave-out each --format json` printed; without it the
errors of families left out stay as they are.
"""

import argparse
import collections
import json
import subprocess
import sys
from pathlib import Path

FILE = (Path(__file__).resolve().parent.parent
        / "models" / "catalogue" / "track_records" / "training_steps.yaml")
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Written by scripts/write_track_record.py.
name: training_steps
description: >-
  Steps of `railwright validate --suite published`, by accelerator, software and precision
rows:
"""

FAMILIES = """# `railwright calibrate published --leave-out each`: each family predicted by a fit to the others.
families_left_out:
"""
DEVICES = """# Root mean square of the median logarithms of products (bf16, fp8) and attention (bf16) on five devices, each
# predicted from another's constants (`railwright validate --suite kernels`, baseline "left-out device").
device_spread: 0.1
"""


def traits_of(steps):
    """Returns the traits of a row's steps as YAML; a step outside them is not validated."""
    def listed(values):
        return json.dumps(sorted(set(values)), ensure_ascii=False)

    lengths = [step["sequence_length"] for step in steps]
    combinations = sorted({combination_of(step) for step in steps})
    return ("    combinations:\n" + "".join(f"      - {{{one}}}\n" for one in combinations)
            + f"    shortest_sequence: {min(lengths)}\n    longest_sequence: {max(lengths)}\n"
            f"    settings: {listed(one for step in steps for one in step['settings'])}\n")


def combination_of(step):
    """Returns the combination of traits of one step; traits of the network only if it used several
    nodes."""
    text = f"layout: {step['parallelism']}, node: {step['node']}"
    if not step["transport"]:
        return text
    return (f"{text}, transport: {step['transport']}, "
            f"nics_per_accelerator: {step['nics_per_accelerator']}, "
            f"nic_rate: {step['nic_bytes_per_s'] * 8e-9:.6g} Gb/s, "
            f'fabric: "{step["fabric"]}"')


def text_of(cases):
    rows = collections.defaultdict(lambda: {"validate": [], "calibrate": []})
    for case in cases:
        of = case["training"]
        if case["quantity"] == "step_time" and case["predicted"] and case["role"] != "reject":
            rows[of["device"], of["software"], of["precision"]][case["role"]].append(case)
    text = HEAD
    for (device, software, precision), by_role in sorted(rows.items()):
        left_out, fitted = by_role["validate"], by_role["calibrate"]
        largest = max(case["training"]["num_accelerators"] for case in left_out + fitted)
        text += (f"  - accelerator: {device}\n    software: {software}\n"
                 f"    precision: {precision}\n    left_out: {len(left_out)}\n"
                 f"    fitted: {len(fitted)}\n"
                 f"    num_accelerators: {largest}\n")
        text += traits_of([case["training"] for case in left_out + fitted])
    return text


def families_of(path):
    """Returns the errors of families left out, by class; of the file as it is without a path."""
    if path is None:
        text = FILE.read_text(encoding="utf-8")
        return text[text.index(FAMILIES) :]
    text = FAMILIES
    for one in json.loads(Path(path).read_text(encoding="utf-8"))["classes"]:
        errors = one["errors"]
        text += (f"  - {{class: {one['class']}, families: {one['num_families']}, steps: {errors['num_rows']}, "
                 f"median_error: {errors['median']:.2g}, low: {one['low']:.3g}, high: {one['high']:.3g}}}\n")
    return text + DEVICES


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--left-out", metavar="FILE")
    parser.add_argument("program")
    options = parser.parse_args()
    run = subprocess.run(
        [options.program, "validate", "--suite", "published", "--format", "json"],
        capture_output=True, text=True, check=False)
    text = text_of(json.loads(run.stdout)["cases"]) + families_of(options.left_out)
    if not options.check:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE} is out of date: run scripts/write_track_record.py {options.program}")


if __name__ == "__main__":
    main()
