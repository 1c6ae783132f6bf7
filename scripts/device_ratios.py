#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints how well ratios between accelerators are predicted: of published steps of the same record, model,
sequence length, precision and stack, the time a sample takes on one over that on the other.

usage: railwright validate --suite published --format json | scripts/device_ratios.py  (needs PyYAML)
"""

import collections
import itertools
import json
import statistics
import sys

import yaml


def runs(validation):
    """Yields what two runs must share, and accelerator, published and predicted time a sample."""
    for case in validation["cases"]:
        training = case.get("training")
        if case["quantity"] != "step_time" or not training:
            continue
        workload = yaml.safe_load(case["scenario"])["workload"]
        shared = (case["group"], str(workload["model"]), str(workload.get("lora")), training["sequence_length"],
                  training["precision"], training["software"])
        batch = workload["global_batch"]
        yield shared, (training["device"], case["published"] / batch, case["predicted"] / batch)


def main():
    if len(sys.argv) != 1:
        raise SystemExit(__doc__)
    alike = collections.defaultdict(list)
    for shared, run in runs(json.load(sys.stdin)):
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
        print(f"| {one} | {other} | {len(of_pair)} | {100 * statistics.median(errors):.1f} % | "
              f"{100 * errors[int(0.9 * (len(errors) - 1))]:.1f} % |")


if __name__ == "__main__":
    main()
