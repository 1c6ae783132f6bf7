#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the errors of published training steps into the catalogue; --check only compares.

usage: scripts/write_track_record.py [--check] [--left-out FILE] build/release/bin/railwright

FILE is what `railwright calibrate published --leave-out each --format json` printed. With it each
step's ratio of published to predicted, as a fit without its family predicts it, is written to
validation/data/left_out_steps.csv, with what a record without that family knows of the step; this
takes some minutes. Steps of the suite `outside` stand there as they are predicted: no fit has seen
their families. The errors by class in the record are computed from that file.
"""

import argparse
import collections
import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "models" / "catalogue" / "track_records" / "training_steps.yaml"
STEPS = ROOT / "validation" / "data" / "left_out_steps.csv"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Written by scripts/write_track_record.py.
name: training_steps
description: >-
  Steps of `railwright validate --suite published`, by accelerator, software and precision
rows:
"""
FAMILIES = """# Of validation/data/left_out_steps.csv: steps of families that no fit has seen.
families_left_out:
"""
CLASSES = ("like_published", "changed", "new_stack", "experts", "new_device")
KNOWN = CLASSES[:2]  # device and stack published: one interval, wider with each difference
HELD = 0.8


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


def rows_of(cases):
    """Returns the record's rows as YAML, of the training steps among the cases of a suite."""
    rows = collections.defaultdict(lambda: {"validate": [], "calibrate": []})
    for case in cases:
        of = case["training"]
        if is_step(case):
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


def is_step(case):
    return case["quantity"] == "step_time" and case["predicted"] and case["role"] != "reject"


def cases_of(program, suite, catalogue=None):
    """Returns the cases of a suite, with a folder's catalogue before the program's own."""
    environment = dict(os.environ)
    if catalogue is not None:
        environment["RAILWRIGHT_CATALOGUE_PATH"] = str(catalogue)
    run = subprocess.run([program, "validate", "--suite", suite, "--format", "json"],
                         capture_output=True, text=True, check=False, env=environment)
    return json.loads(run.stdout)["cases"]


def known_without(program, cases, family, neutral):
    """Returns the cases of a family with what a record without it knows of them. `neutral` are the
    record's errors by class, which only have to be there."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "track_records" / FILE.name
        record.parent.mkdir()
        others = [case for case in cases if case["group"] != family]
        record.write_text(rows_of(others) + neutral, encoding="utf-8")
        return [case for case in cases_of(program, "published", folder)
                if case["group"] == family and is_step(case)]


def left_out_steps(program, cases, path):
    """Returns (id, family, class, differences, published / predicted) of every step that its
    prediction has not seen."""
    ratios = {one["id"]: one for one in json.loads(Path(path).read_text(encoding="utf-8"))["steps"]}
    neutral = FAMILIES + "".join(
        f"  - {{class: {one}, families: 1, steps: 1, median_error: 0, percentile_90: 0, low: 1, high: 1}}\n"
        for one in CLASSES)
    steps = []
    for family in sorted({one["family"] for one in ratios.values()}):
        for case in known_without(program, cases, family, neutral):
            if case["id"] in ratios:  # rows that keep their role are in no fit
                steps.append((case, ratios[case["id"]]["ratio"]))
    for case in filter(is_step, cases_of(program, "outside")):
        steps.append((case, case["published"] / case["predicted"]))
    return [(case["id"], case["group"], case["training"]["class"],
             case["training"]["num_differences"], float(f"{ratio:.5g}")) for case, ratio in steps]


class Families:
    """Values of steps by family, each family with the same weight."""

    def __init__(self, steps, value):
        self.values = collections.defaultdict(list)
        for step in steps:
            self.values[step[1]].append(value(step))

    def quantile(self, share, but=None):
        families = {name: values for name, values in self.values.items() if name != but}
        weighted = sorted((value, 1.0 / len(values) / len(families))
                          for values in families.values() for value in values)
        reached = 0.0
        for value, weight in weighted:
            reached += weight
            if reached >= share - 1e-12:
                return value
        return weighted[-1][0]

    def band(self, widening=1.0, but=None):
        """Returns the logarithms of the 80 % interval, made wider by a factor."""
        return (min(0.0, widening * self.quantile(0.1, but)),
                max(0.0, widening * self.quantile(0.9, but)))

    def held(self, widening):
        """Returns the mean share of a family within the interval of the others."""
        shares = []
        for family, values in self.values.items():
            low, high = self.band(widening, family)
            shares.append(sum(low <= value <= high for value in values) / len(values))
        return sum(shares) / len(shares)

    def band_that_holds(self):
        """Returns the interval that holds four fifths of a family that it was not made of."""
        widening = 1.0
        while self.held(widening) < HELD and widening < 3.0:
            widening += 0.01
        return self.band(widening)


def growth_of(steps):
    """Returns the variance that a difference adds over that of a step without any: the most likely
    one of Laplace-distributed logarithms, families weighted equally."""
    count = collections.Counter(step[1] for step in steps)

    def likelihood(growth):
        wide = [math.sqrt(1.0 + growth * step[3]) for step in steps]
        weights = [1.0 / count[step[1]] / len(count) for step in steps]
        scale = sum(w * abs(math.log(step[4])) / s for w, step, s in zip(weights, steps, wide))
        return -sum(w * math.log(scale * s) for w, s in zip(weights, wide)) - 1.0

    return max((0.05 * i for i in range(61)), key=likelihood)


def classes_of(steps):
    """Returns the record's errors by class as YAML."""
    growth = growth_of([step for step in steps if step[2] in KNOWN])
    text = FAMILIES
    for one in CLASSES:
        of_class = [step for step in steps if step[2] == one]
        if not of_class:
            continue
        errors = Families(of_class, lambda step: abs(1.0 / step[4] - 1.0))
        like = [step for step in steps if step[2] in (KNOWN if one in KNOWN else (one,))]
        low, high = Families(
            like, lambda step: math.log(step[4]) / math.sqrt(1.0 + growth * step[3])).band_that_holds()
        text += (f"  - {{class: {one}, families: {len(errors.values)}, steps: {len(of_class)}, "
                 f"median_error: {errors.quantile(0.5):.2g}, percentile_90: {errors.quantile(0.9):.2g}, "
                 f"low: {math.exp(low):.3g}, high: {math.exp(high):.3g}}}\n")
    return text + f"difference_growth: {growth:.2g}\n"


def read_steps():
    rows = csv.DictReader(STEPS.read_text(encoding="utf-8").splitlines())
    return [(row["id"], row["family"], row["class"], int(row["differences"]), float(row["ratio"]))
            for row in rows]


def write_steps(steps):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("id", "family", "class", "differences", "ratio"))
    writer.writerows(sorted(steps, key=lambda step: (step[1], step[0])))
    STEPS.write_text(text.getvalue(), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--left-out", metavar="FILE")
    parser.add_argument("program")
    options = parser.parse_args()
    cases = cases_of(options.program, "published")
    if options.left_out:
        write_steps(left_out_steps(options.program, cases, options.left_out))
    text = rows_of(cases) + classes_of(read_steps())
    if not options.check:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE} is out of date: run scripts/write_track_record.py {options.program}")


if __name__ == "__main__":
    main()
