#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the 80 % intervals of serving's latencies into the catalogue's engines, from the suite
`serving-latency`; --check only compares.

usage: scripts/write_latency_spread.py [--check] build/release/bin/railwright

Of the families that nothing is fitted to, with prompts and answers together, the ratios of measured
over predicted have a low and a high percentile, all families alike. They are the narrowest of
which each family, left out, has at least 80 % of its rows between those of the others, in the mean.
An engine that has no published throughput of its own takes the interval of a user's tokens a second.
"""

import argparse
import bisect
import collections
import json
import re
import statistics
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "models" / "catalogue" / "serving_engines"
ENGINES = ("tensorrt-llm", "vllm", "sglang")
QUANTITIES = {"first_token": "time_to_first_token", "output_token": "time_per_output_token"}
WANTED = 0.8


def families_of(cases, engine, quantity):
    """Ratios of measured over predicted of the held families, sorted."""
    families = collections.defaultdict(list)
    for case in cases:
        half, name, *apart = case["group"].split()
        if half == "held" and not apart and name.split("/")[2] == engine and case["quantity"] == quantity:
            if case.get("predicted"):
                families[name].append(case["published"] / case["predicted"])
    return {name: sorted(ratios) for name, ratios in families.items() if len(ratios) >= 5}


def percentile(families, share):
    """The ratio below which this share of the families' rows lies, each family alike."""
    weighted = sorted((ratio, 1.0 / len(ratios)) for ratios in families for ratio in ratios)
    below = 0.0
    for ratio, weight in weighted:
        below += weight
        if below >= share * len(families):
            return ratio
    return weighted[-1][0]


def ends(families, tail):
    return percentile(families, tail), percentile(families, 1.0 - tail)


def held_share(families, tail):
    """The share of rows between the ends of the other families."""
    held = []
    for name, ratios in families.items():
        low, high = ends([other for key, other in families.items() if key != name], tail)
        held.append((bisect.bisect_right(ratios, high) - bisect.bisect_left(ratios, low)) / len(ratios))
    return statistics.mean(held)


def interval_of(families):
    """Low and high end, and the share that they hold of a family left out."""
    tail = 0.1
    while tail > 0.005 and held_share(families, tail) < WANTED:
        tail -= 0.005
    return *ends(list(families.values()), tail), held_share(families, tail)


def entry(key, value, source):
    return f'{key}:\n  value: {value:.2f}\n  source: "{source}"\n'


def text_of(cases, engine, has_throughput):
    text = ""
    for key, quantity in QUANTITIES.items():
        families = families_of(cases, engine, quantity)
        low, high, held = interval_of(families)
        rows = sum(len(ratios) for ratios in families.values())
        middle = statistics.median(abs(1.0 / ratio - 1.0) for ratios in families.values() for ratio in ratios)
        source = (f"`railwright validate --suite serving-latency`: {rows} rows of {len(families)} families "
                  f"that nothing is fitted to, half within {100 * middle:.2g} %; holds {100 * held:.0f} % of "
                  "those of a family left out")
        text += entry(f"{key}_low", low, source) + entry(f"{key}_high", high, source)
        if key == "output_token" and not has_throughput:
            text += entry("throughput_low", 1.0 / high, source) + entry("throughput_high", 1.0 / low, source)
    return text


def without(text, keys):
    for key in keys:
        text = re.sub(rf"^{key}:\n(?:  .*\n)+", "", text, flags=re.MULTILINE)
    return text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("program")
    options = parser.parse_args()
    output = subprocess.run([options.program, "validate", "--suite", "serving-latency", "--format", "json"],
                            check=False, capture_output=True, text=True).stdout
    cases = json.loads(output)["cases"]
    stale = []
    for engine in ENGINES:
        file = FOLDER / f"{engine}.yaml"
        has_throughput = engine == "tensorrt-llm"
        keys = [f"{key}_{end}" for key in QUANTITIES for end in ("low", "high")]
        keys += [] if has_throughput else ["throughput_low", "throughput_high"]
        before = file.read_text(encoding="utf-8")
        text = without(before, keys)
        new = text_of(cases, engine, has_throughput)
        # The lines of write_serving_spread.py stand last.
        at = text.index("throughput_low:") if has_throughput else len(text)
        text = text[:at] + new + text[at:]
        if text != before:
            stale.append(file.name)
            if not options.check:
                file.write_text(text, encoding="utf-8")
    if options.check and stale:
        sys.exit(f"{', '.join(stale)} out of date: run scripts/write_latency_spread.py {options.program}")


if __name__ == "__main__":
    main()
