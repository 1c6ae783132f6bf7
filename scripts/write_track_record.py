#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the errors of published training steps into the catalogue; --check only compares.

usage: scripts/write_track_record.py [--check] [--left-out FILE] [--unstated] build/release/bin/railwright

FILE is what `railwright calibrate published --leave-out each --format json` printed. With it each
step's ratio of published to predicted, as a fit without its family predicts it, is written to
validation/data/left_out_steps.csv, with what a record without that family knows of the step; this
takes some minutes. Steps of the suite `outside` stand there as they are predicted: no fit has seen
their families. Beside it stands each step as it is predicted with its recipe taken away ("bare"), where that fits into
memory: a run to come may be described as well as a published one, or by its sizes alone. The errors by class
in the record are computed from that file. --unstated only writes anew what needs no fit: what settings that
nobody stated do to each step, steps that are bare, and the suite `outside`.
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
from typing import NamedTuple

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
CLOSED_FORMS = {"korthikanti2022"}  # of memory: no readings
CLASSES = ("like_published", "changed", "new_stack", "experts", "new_device")
KNOWN = CLASSES[:2]  # device and stack published: one interval, wider with each difference
HELD = 0.8
TENTH = math.log(5.0)  # half-width of a Laplace distribution's 80 % interval, in scales


class Step(NamedTuple):
    """A published step that its prediction has not seen."""

    id: str
    family: str
    of: str
    differences: int
    ratio: float  # published over predicted
    faster: float  # spread by settings that nobody stated, as logarithms
    slower: float
    bare: "Step | None" = None  # the same step with its recipe taken away

    @property
    def log(self):
        return math.log(self.ratio)

    @property
    def spread(self):
        """The spread towards the side on which the step was published."""
        return self.slower if self.ratio > 1.0 else self.faster


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


def cases_of(program, suite, catalogue=None, options=()):
    """Returns the cases of a suite, with a folder's catalogue before the program's own."""
    environment = dict(os.environ)
    if catalogue is not None:
        environment["RAILWRIGHT_CATALOGUE_PATH"] = str(catalogue)
    run = subprocess.run([program, "validate", "--suite", suite, "--format", "json", *options],
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
    return with_spreads(program, [step_of(case, ratio) for case, ratio in steps])


def step_of(case, ratio):
    return Step(case["id"], case["group"], case["training"]["class"],
                case["training"]["num_differences"], float(f"{ratio:.5g}"), *spread_of(case))


def spread_of(case):
    """Returns by how much the settings that nobody stated spread a step, as logarithms."""
    spread = case["training"]["unstated"]
    return float(f"{spread['faster']:.4g}"), float(f"{spread['slower']:.4g}")


def with_spreads(program, steps):
    """Returns the steps of families left out, and those of the suite `outside`, with the spreads that the
    program computes now, and as it predicts them bare."""
    def by_id(suite, *options):
        return {case["id"]: case for case in filter(is_step, cases_of(program, suite, options=options))}

    fitted, outside = by_id("published"), by_id("outside")
    bare = by_id("published", "--without-recipe") | by_id("outside", "--without-recipe")

    def now(case, ratio, step):
        faster, slower = spread_of(case)
        step = step._replace(ratio=float(f"{ratio:.5g}"), faster=faster, slower=slower, bare=None)
        if case["id"] not in bare:
            return step
        other = bare[case["id"]]
        faster, slower = spread_of(other)
        ratio *= case["predicted"] / other["predicted"]
        return step._replace(bare=step._replace(ratio=float(f"{ratio:.5g}"), faster=faster, slower=slower))

    return ([now(fitted[step.id], step.ratio, step) for step in steps if step.id in fitted]
            + [now(case, case["published"] / case["predicted"], step_of(case, 1.0)) for case in outside.values()])


def weighted_quantile(families, share):
    """Returns a quantile of values by family, each family with the same weight."""
    weighted = sorted((value, 1.0 / len(values) / len(families))
                      for values in families.values() for value in values)
    reached = 0.0
    for value, weight in weighted:
        reached += weight
        if reached >= share - 1e-12:
            return value
    return weighted[-1][0]


class Families:
    """Values of steps by family, each family with the same weight."""

    def __init__(self, steps, value=lambda step: step):
        self.values = collections.defaultdict(list)
        for step in steps:
            self.values[step.family].append(value(step))

    def quantile(self, share, but=None):
        return weighted_quantile({name: values for name, values in self.values.items() if name != but}, share)


class Bands:
    """80 % intervals of the steps of one class or of both that are KNOWN, which have one shape and each
    its scale: that of stated recipes, wider with each difference, and what unstated settings add to it
    by squares."""

    def __init__(self, steps, growth, weight):
        self.wide = {step.id: math.sqrt(1.0 + growth * step.differences) for step in steps}
        self.weight = weight
        self.classes = {one: Families(step for step in steps if step.of == one)
                        for one in CLASSES if any(step.of == one for step in steps)}
        shape = Families(steps, lambda step: step.log / self.wide[step.id])
        self.tenths = {family: (shape.quantile(0.1, family), shape.quantile(0.9, family))
                       for family in [None, *shape.values]}

    def band(self, scale, but=None):
        """Returns the logarithms of the stated interval: the quantiles of the steps, scaled."""
        low, high = self.tenths[but]
        return min(0.0, scale * low), max(0.0, scale * high)

    def held(self, of, scale):
        """Returns the mean share of a family of a class that the interval holds. An interval made of the
        family too holds more of it than of one to come, and one made of the others alone less than one
        of so many families would: the mean of both."""
        shares = []
        for family, steps in self.classes[of].values.items():
            for band in (self.band(scale, family), self.band(scale)):
                shares.append(sum(self.is_within(step, *band) for step in steps) / len(steps))
        return sum(shares) / len(shares)

    def is_within(self, step, low, high):
        wide = self.wide[step.id]
        return (-math.hypot(wide * low, self.weight * step.faster) <= step.log
                <= math.hypot(wide * high, self.weight * step.slower))

    def bands_that_hold(self):
        """Returns by class the narrowest interval that holds four fifths of a family, and that is no
        narrower than that of a class of which more is known."""
        scale, bands = 0.2, {}
        for of in self.classes:
            while self.held(of, scale) < HELD and scale < 3.0:
                scale += 0.01
            bands[of] = self.band(scale)
        return bands


def mean_by_likelihood(values, log_likelihood):
    """Returns the mean of values that were as likely as one another before the steps were seen. The
    likelihood is flat, so that the most likely value alone would hang on single steps."""
    logs = [log_likelihood(value) for value in values]
    weights = [math.exp(log - max(logs)) for log in logs]
    return sum(weight * value for weight, value in zip(weights, values)) / sum(weights)


def growth_of(steps):
    """Returns the variance that a difference adds over that of a step without any, by the likelihood
    of Laplace-distributed logarithms beside a scale of each class, families weighted equally."""
    def likelihood(growth):
        total = 0.0
        for one in KNOWN:
            of_class = [step for step in steps if step.of == one]
            count = collections.Counter(step.family for step in of_class)
            wide = [math.sqrt(1.0 + growth * step.differences) for step in of_class]
            weights = [1.0 / count[step.family] for step in of_class]
            scale = sum(w * abs(step.log) / s for w, step, s in zip(weights, of_class, wide))
            total -= sum(w * math.log(scale * s) for w, s in zip(weights, wide))
        return total

    return round(mean_by_likelihood([0.05 * i for i in range(61)], likelihood), 2)


def weight_of(steps, growth):
    """Returns the half-width of an 80 % interval for each unit of a step's spread by unstated
    settings, by the likelihood beside a scale of each class, families weighted equally. What
    publishers left unsaid is a part of how far families lie apart already, so that no more is
    added than the steps say."""
    by_class = collections.defaultdict(list)
    for step in steps:
        by_class[step.of].append(step)
    return round(mean_by_likelihood([0.05 * i for i in range(41)], lambda weight: sum(
        likelihood_of_class(one, growth, weight) for one in by_class.values())), 2)


def likelihood_of_class(steps, growth, weight):
    """Returns the largest likelihood over the scales that the class may have without its spreads."""
    count = collections.Counter(step.family for step in steps)

    def likelihood(scale):
        total = 0.0
        for step in steps:
            wide = math.hypot(scale * math.sqrt(1.0 + growth * step.differences),
                              weight / TENTH * step.spread)
            total -= (math.log(wide) + abs(step.log) / wide) / count[step.family]
        return total

    return max(likelihood(0.01 * 1.1**i) for i in range(40))


def classes_of(steps):
    """Returns the record's errors by class as YAML. Unstated settings count as much as the steps say whose
    recipes were taken away, and the interval without trying them holds these and those as published. What
    a stated recipe leaves open is what the steps left open as they were published."""
    growth = growth_of([step for step in steps if step.of in KNOWN])
    bare = [step.bare for step in steps if step.bare]
    either = steps + bare
    weight, published_weight = weight_of(bare, growth), weight_of(steps, growth)
    text = FAMILIES
    for one in CLASSES:
        of_class = [step for step in steps if step.of == one]
        if not of_class:
            continue
        errors = Families(of_class, lambda step: abs(1.0 / step.ratio - 1.0))
        alike = KNOWN if one in KNOWN else (one,)
        low, high = Bands([step for step in either if step.of in alike], growth, 0.0).bands_that_hold()[one]
        stated_low, stated_high = Bands([step for step in steps if step.of in alike], growth,
                                        published_weight).bands_that_hold()[one]
        low, high = min(low, stated_low), max(high, stated_high)  # knowing less is never narrower
        text += (f"  - {{class: {one}, families: {len(errors.values)}, steps: {len(of_class)}, "
                 f"median_error: {errors.quantile(0.5):.2g}, percentile_90: {errors.quantile(0.9):.2g}, "
                 f"low: {math.exp(low):.3g}, high: {math.exp(high):.3g}, "
                 f"stated_low: {math.exp(stated_low):.3g}, stated_high: {math.exp(stated_high):.3g}}}\n")
    return text + f"difference_growth: {growth:.3g}\nunstated_weight: {weight:.3g}\n"


def memory_of(cases):
    """Returns how published readings of memory compare with what is computed for them, as YAML."""
    readings = [case for case in cases
                if case["quantity"] == "memory" and case["role"] == "validate" and case["group"] not in CLOSED_FORMS]
    ratios = collections.defaultdict(list)
    for case in readings:
        ratios[case["group"]].append(case["published"] / case["predicted"])
    low, median, high = (weighted_quantile(ratios, share) for share in (0.1, 0.5, 0.9))
    return (f"memory: {{families: {len(ratios)}, readings: {len(readings)}, "
            f"low: {low:.3g}, median: {median:.3g}, high: {high:.3g}}}\n")


COLUMNS = ("id", "family", "class", "differences", "ratio", "faster", "slower",
           "bare_ratio", "bare_faster", "bare_slower")


def read_steps():
    def step_of(row):
        step = Step(row["id"], row["family"], row["class"], int(row["differences"]), float(row["ratio"]),
                    float(row["faster"]), float(row["slower"]))
        if not row.get("bare_ratio"):
            return step
        return step._replace(bare=step._replace(ratio=float(row["bare_ratio"]), faster=float(row["bare_faster"]),
                                                slower=float(row["bare_slower"])))

    return [step_of(row) for row in csv.DictReader(STEPS.read_text(encoding="utf-8").splitlines())]


def write_steps(steps):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for step in sorted(steps, key=lambda step: (step.family, step.id)):
        bare = step.bare
        writer.writerow((*step[:-1], *((bare.ratio, bare.faster, bare.slower) if bare else ("", "", ""))))
    STEPS.write_text(text.getvalue(), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--left-out", metavar="FILE")
    parser.add_argument("--unstated", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    cases = cases_of(options.program, "published")
    if options.left_out:
        write_steps(left_out_steps(options.program, cases, options.left_out))
    elif options.unstated:
        write_steps(with_spreads(options.program, read_steps()))
    text = rows_of(cases) + classes_of(read_steps()) + memory_of(cases)
    if not options.check:
        FILE.write_text(text, encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != text:
        sys.exit(f"{FILE} is out of date: run scripts/write_track_record.py {options.program}")


if __name__ == "__main__":
    main()
