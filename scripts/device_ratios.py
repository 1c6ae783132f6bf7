#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how well ratios between accelerators are predicted: of published steps of the same record, model,
sequence length, precision and stack, the time a sample takes on one over that on the other.

usage: railwright validate --suite published --format json | scripts/device_ratios.py
"""

import collections
import itertools
import json
import re
import statistics
import sys


def runs(cases):
    """Yields what two runs must share, and accelerator, published and predicted time a sample."""
    for case in cases:
        training = case.get("training")
        if case["quantity"] != "step_time" or not training:
            continue
        workload = case["scenario"].partition("workload: ")[2]
        shared = (case["group"], written(workload, "model"), written(workload, "lora"),
                  training["sequence_length"], training["precision"], training["software"])
        batch = int(written(workload, "global_batch"))
        yield shared, (training["device"], case["published"] / batch, case["predicted"] / batch)


def written(workload, key):
    """The text of a key of a workload in one line; "" where it has none."""
    found = re.search(rf"\b{key}: (\{{[^}}]*\}}|[^,}}]*)", workload)
    return found[1] if found else ""


def rows(cases):
    """Yields two accelerators, their number of pairs, and the median and ninth tenth of their errors."""
    alike = collections.defaultdict(list)
    for shared, run in runs(cases):
        alike[shared].append(run)
    ratios = collections.defaultdict(list)
    for of_group in alike.values():
        for pair in itertools.combinations(sorted(of_group), 2):
            (one, published, predicted), (other, other_published, other_predicted) = pair
            if one != other:
                ratio = (predicted / other_predicted) / (published / other_published)
                ratios[one, other].append(ratio)
    for (one, other), of_pair in sorted(ratios.items()):
        errors = sorted(abs(ratio - 1) for ratio in of_pair)
        yield one, other, len(errors), statistics.median(errors), errors[int(0.9 * (len(errors) - 1))]


def main():
    if len(sys.argv) != 1:
        raise SystemExit(__doc__)
    for one, other, pairs, median, nine in rows(json.load(sys.stdin)["cases"]):
        print(f"| {one} | {other} | {pairs} | {100 * median:.1f} % | {100 * nine:.1f} % |")


if __name__ == "__main__":
    main()
