#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the 80 % interval of a service's throughput into the catalogue's TensorRT-LLM, from the suite
`serving`; --check only compares.

usage: scripts/write_serving_spread.py [--check] build/release/bin/railwright

Nothing is fitted to the suite's rows, so each is a prediction. Their logarithms of published over
predicted have a mean for each model on a device and a spread around it. The next model on a device then
lies, with t of so many families less one,

    exp(mean of the families +- t * sqrt(variance between families * (1 + 1 / families)
                                         + variance within one))
"""

import argparse
import collections
import json
import math
import re
import statistics
import subprocess
import sys
from pathlib import Path

FILE = (Path(__file__).resolve().parent.parent
        / "models" / "catalogue" / "serving_engines" / "tensorrt-llm.yaml")
# 90th percentile of Student's t by degrees of freedom.
STUDENT = {1: 3.078, 2: 1.886, 3: 1.638, 4: 1.533, 5: 1.476, 6: 1.440, 7: 1.415, 8: 1.397, 9: 1.383,
           10: 1.372, 11: 1.363, 12: 1.356}


def families_of(cases):
    """Logarithms of published over predicted, by model and device."""
    families = collections.defaultdict(list)
    for case in cases:
        if case["quantity"] != "throughput":
            continue
        model_and_device = case["id"].rsplit("-", 2)[0]
        families[model_and_device].append(math.log(case["published"] / case["predicted"]))
    return families


def interval_of(families):
    """The 80 % interval of the next family's ratios."""
    count = len(families)
    means = [statistics.mean(family) for family in families]
    within = statistics.mean(statistics.pvariance(family) for family in families)
    spread = math.sqrt(statistics.variance(means) * (1 + 1 / count) + within)
    middle, reach = statistics.mean(means), STUDENT[count - 1] * spread
    return math.exp(middle - reach), math.exp(middle + reach)


def held_share(families):
    """The share of ratios that the other families' interval holds, families alike."""
    held = []
    for name, family in families.items():
        low, high = interval_of([other for key, other in families.items() if key != name])
        held.append(statistics.mean(low <= math.exp(ratio) <= high for ratio in family))
    return statistics.mean(held)


def text_of(families):
    low, high = interval_of(list(families.values()))
    rows = sum(len(family) for family in families.values())
    middle = statistics.median(abs(math.exp(-ratio) - 1)
                               for family in families.values() for ratio in family)
    source = (f"`railwright validate --suite serving`: {rows} throughputs of {len(families)} models and "
              f"devices, half within {100 * middle:.2g} %; holds {100 * held_share(families):.0f} % of "
              "those of a family left out")
    return (f'throughput_low:\n  value: {low:.2f}\n  source: "{source}"\n'
            f'throughput_high:\n  value: {high:.2f}\n  source: "{source}"\n')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    output = subprocess.run([options.program, "validate", "--suite", "serving", "--format", "json"],
                            check=True, capture_output=True, text=True).stdout
    new = text_of(families_of(json.loads(output)["cases"]))
    before = FILE.read_text(encoding="utf-8")
    text = re.sub(r"throughput_low:(.|\n)*", "", before) + new
    if options.check and text != before:
        sys.exit(f"{FILE} is out of date: run scripts/write_serving_spread.py {options.program}")
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
