#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the rows of validation/data/kernels from full tables of measured kernel times.

    scripts/sample_kernels.py TABLES validation/data/kernels --rows 600

TABLES holds a folder a device with gzipped CSV files of the collectors of NVIDIA's AIConfigurator
(github ai-dynamo/aiconfigurator): gemm, quantize_computescale, quantize_scale_matrix and the others.
A row is drawn by the CRC-32 of its shape, so that the same tables give the same rows; `--rows` counts
them for each device, kind and format, half of them from the shapes that training has.
"""
import argparse
import bisect
import csv
import gzip
import math
import zlib
from pathlib import Path

DEVICES = {"a100_sxm": "a100-sxm", "h100_sxm": "h100-sxm", "b200_sxm": "b200-sxm", "gb200": "gb200", "l40s": "l40s"}
FORMATS = {"bfloat16": "bf16", "fp8": "fp8", "fp8_block": "fp8_block", "nvfp4": "nvfp4"}


def read(path):
    with gzip.open(path, "rt", newline="") as file:
        return list(csv.DictReader(file))


class Casts:
    """Milliseconds of a measured cast of an m x k matrix, bilinear in logarithms between measured shapes."""

    def __init__(self, path):
        self.times = {(int(r["m"]), int(r["k"])): float(r["ms"]) for r in read(path) if float(r["ms"]) > 0.0}
        self.rows = sorted({m for m, _ in self.times})
        self.columns = sorted({k for _, k in self.times})

    def nearest(self, m, k):
        def distance(at):
            return abs(math.log(at[0] / m)) + abs(math.log(at[1] / k))

        rows = self.around(self.rows, m)
        columns = self.around(self.columns, k)
        near = [(a, b) for a in rows for b in columns if (a, b) in self.times]
        return sorted(near or self.times, key=distance)[:4], distance

    @staticmethod
    def around(values, value):
        at = bisect.bisect_left(values, value)
        return values[max(0, at - 2) : at + 2]

    def time(self, m, k):
        if (m, k) in self.times:
            return self.times[m, k]
        near, distance = self.nearest(m, k)
        # Inverse distance; bytes scale what was measured at another size, a launch does not.
        weights = [1.0 / (distance(at) + 1e-9) for at in near]
        logs = [math.log(self.times[at]) for at in near]
        return math.exp(sum(w * x for w, x in zip(weights, logs)) / sum(weights))


def gemm_rows(folder):
    """format, m, n, k and microseconds; of fp8 the product alone, without amax and cast of its input."""
    casts = []
    for kind in ("quantize_computescale", "quantize_scale_matrix"):
        if (folder / f"{kind}.csv.gz").exists():
            casts.append(Casts(folder / f"{kind}.csv.gz"))
    for row in read(folder / "gemm.csv.gz"):
        m, n, k = int(row["m"]), int(row["n"]), int(row["k"])
        ms = float(row["ms"])
        left = ms
        if row["gemm_dtype"] == "fp8":
            left -= sum(cast.time(m, k) for cast in casts)
            # A small difference of large times says nothing.
            if left < 0.3 * ms:
                continue
        yield [FORMATS[row["gemm_dtype"]], m, n, k, f"{left * 1e3:.5g}"]


def is_training_shape(row):
    return row[1] >= 256 and row[2] >= 1024 and row[3] >= 1024


def draw(rows, count):
    """`count` rows a format, half of them of training, by the CRC-32 of their shapes."""
    def order(row):
        return zlib.crc32(("draw," + ",".join(map(str, row[1:4]))).encode())

    drawn = []
    for name in sorted({row[0] for row in rows}):
        of_format = sorted((row for row in rows if row[0] == name), key=order)
        training = [row for row in of_format if is_training_shape(row)]
        others = [row for row in of_format if not is_training_shape(row)]
        drawn += sorted(training[: count // 2] + others[: count - count // 2], key=lambda row: row[1:4])
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rows", type=int, default=600)
    options = parser.parse_args()
    for folder, device in DEVICES.items():
        target = options.out / device
        target.mkdir(parents=True, exist_ok=True)
        with open(target / "gemm.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["format", "m", "n", "k", "us"])
            writer.writerows(draw(list(gemm_rows(options.tables / folder)), options.rows))


if __name__ == "__main__":
    main()
