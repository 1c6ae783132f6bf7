#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fits the hand-over and jitter of clients to the calibration rows of MLPerf Storage: `any-reader` of the catalogue.

usage: railwright validate --suite storage --format json | scripts/fit_data_loading.py

Prints `hand_over` of each workload and one `jitter` for all: the maximum of the posterior with
independent errors of ln(utilization). Errors are double exponential, so that outliers matter
little. Rows in which a known rate of the storage binds are left out, since they contain no
information about the client. The three hand-overs give time a batch, a sample and a byte.
"""

import json
import math
import re
import sys

SIGMA = 0.05  # spread of ln(utilization) between products with the same workload
# Prior medians, estimated as 1 ms of Python plus the batch over PCIe Gen5 x16 at 55 GB/s.
BATCH_BYTES = {"unet3d": 7 * 146600628, "resnet50": 400 * 114660, "cosmoflow": 2828486}
SAMPLES = {"unet3d": 7, "resnet50": 400, "cosmoflow": 1}
HAND_OVER_WIDTH = 0.7  # standard deviation of its logarithm: a factor of two
JITTER, JITTER_WIDTH = 0.3, 0.7  # median and width of its logarithm, for a shared host


def seconds(text):
    value, unit = re.search(r"step_time: ([\d.]+) (ms|s)", text).groups()
    return float(value) * (1e-3 if unit == "ms" else 1.0)


def harmonic(n):
    return sum(1.0 / i for i in range(1, n + 1))


def utilization(row, hand_over, jitter):
    step, slowest = row["step"], 1.0 + jitter * (row["harmonic"] - 1.0)
    return step / (step + hand_over * slowest)


def penalty(value, median, width):
    return 0.5 * (math.log(value / median) / width) ** 2


def best_hand_over(workload, rows, jitter):
    median = 1e-3 + BATCH_BYTES[workload] / 55e9
    found = (math.inf, 0.0)
    for i in range(-300, 301):
        hand_over = median * math.exp(i * 0.01)
        cost = penalty(hand_over, median, HAND_OVER_WIDTH) + sum(
            abs(math.log(utilization(row, hand_over, jitter) / row["published"])) / SIGMA for row in rows)
        found = min(found, (cost, hand_over))
    return found


def print_reader(hand_over):
    """Solves hand_over = per_batch + samples * per_sample + bytes / copy_rate for the three workloads."""
    rows = [(SAMPLES[name], BATCH_BYTES[name], seconds) for name, seconds in hand_over.items()]
    if len(rows) != 3:
        return
    (n0, b0, t0), (n1, b1, t1), (n2, b2, t2) = rows
    (n1, b1, t1), (n2, b2, t2) = (n1 - n0, b1 - b0, t1 - t0), (n2 - n0, b2 - b0, t2 - t0)
    determinant = n1 * b2 - n2 * b1
    per_sample, per_byte = (t1 * b2 - t2 * b1) / determinant, (n1 * t2 - n2 * t1) / determinant
    per_batch = t0 - n0 * per_sample - b0 * per_byte
    print(f"per_batch: {per_batch * 1e3:.3f} ms, per_sample: {per_sample * 1e6:.2f} us, "
          f"copy_rate: {1e-9 / per_byte:.1f} GB/s")


def main():
    by_workload = {}
    for case in json.load(sys.stdin)["cases"]:
        if case["quantity"] != "accelerator_utilization" or case["role"] != "calibrate":
            continue
        if "Closed/Micron" in case["source"]:
            continue
        row = {"step": seconds(case["scenario"]), "published": case["published"],
               "harmonic": harmonic(case["training"]["num_accelerators"])}
        by_workload.setdefault(case["group"], []).append(row)
    best = (math.inf, 0.0, {})
    for i in range(1, 101):
        jitter = i * 0.01
        fits = {name: best_hand_over(name, rows, jitter) for name, rows in by_workload.items()}
        cost = penalty(jitter, JITTER, JITTER_WIDTH) + sum(fit[0] for fit in fits.values())
        best = min(best, (cost, jitter, fits), key=lambda one: one[0])
    print_reader({name: fit[1] for name, fit in best[2].items()})
    print(f"jitter: {best[1]:.2f}")
    for name, (_, hand_over) in best[2].items():
        print(f"{name}: hand_over: {hand_over * 1e3:.3g} ms, {len(by_workload[name])} rows")


if __name__ == "__main__":
    main()
