#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes fitted kernel constants into the catalogue, in place of those with the same names.

The efficiency of a large product also stands with the accelerator, and with those that take it over.

usage: railwright calibrate kernels --format json | scripts/write_kernels.py
"""

import json
import re
import sys
from pathlib import Path

import yaml

CATALOGUE = Path(__file__).resolve().parent.parent / "models" / "catalogue"
COLUMNS = 6  # factors per line: the grid of the inner dimension
EFFICIENCIES = {"gemm.bf16": "gemm_efficiency", "gemm.fp8": "fp8_gemm_efficiency"}
SCALES = {"s": (1e6, "us"), "ns": (1e-3, "us"), "ps": (1e-6, "us"), "B/s": (1e-9, "GB/s")}


def entry_of(device):
    text = (CATALOGUE / "accelerators" / f"{device}.yaml").read_text(encoding="utf-8")
    return CATALOGUE / "kernels" / f"{re.search(r'^kernels: (.*)$', text, re.MULTILINE)[1]}.yaml"


def rounded(value):
    """Rounds a value to four digits, more than the accuracy of a fit."""
    number, _, unit = value.partition(" ")
    scale, name = SCALES.get(unit, (1.0, unit))
    return f"{float(number) * scale:.4g} {name}".rstrip()


def lines_of(constants, indent):
    """Returns constants as lines of YAML, a list with COLUMNS numbers per line."""
    lines = []
    for key, value in constants.items():
        if isinstance(value, dict):
            lines += [f"{indent}{key}:"] + lines_of(value, indent + "  ")
        elif isinstance(value, list):
            rows = [", ".join(value[i : i + COLUMNS]) for i in range(0, len(value), COLUMNS)]
            lines += [f"{indent}{key}: ["] + [f"{indent}  {row}," for row in rows[:-1]] + [f"{indent}  {rows[-1]}]"]
        else:
            lines.append(f"{indent}{key}: {rounded(value)}")
    return lines


def write(path, place, constants):
    """Replaces what stands at `place`, such as decode.bf16_cache, or adds it behind its section."""
    text = path.read_text(encoding="utf-8")
    section, _, name = place.partition(".")
    indent = "    " if name else "  "
    block = "\n".join(lines_of(constants, indent)) + "\n"
    if not name:
        pattern, new = rf"(^{section}:\n)(?:  .*\n)+", block
    elif re.search(rf"^{section}:\n(?:  .*\n)*?  {name}:\n", text, re.MULTILINE):
        pattern, new = rf"(^{section}:\n(?:  .*\n)*?  {name}:\n)(?:    .*\n)+", block
    else:
        pattern, new = rf"(^{section}:\n(?:  .*\n)+)", f"  {name}:\n{block}"
    path.write_text(re.sub(pattern, lambda m: m[1] + new, text, count=1, flags=re.MULTILINE), encoding="utf-8")


def write_efficiency(device, key, value):
    """Writes the efficiency of a large product to the device and to all with the value that it had."""
    pattern = rf"(^{key}:\n  value: )(\S+)$"
    path = CATALOGUE / "accelerators" / f"{device}.yaml"
    before = re.search(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)[2]
    for path in (CATALOGUE / "accelerators").glob("*.yaml"):
        text = path.read_text(encoding="utf-8")
        new = re.sub(pattern, lambda m: m[1] + (value if m[2] == before else m[2]), text, flags=re.MULTILINE)
        path.write_text(new, encoding="utf-8")


def main():
    for fit in json.load(sys.stdin)["kernels"]:
        for place, text in fit["constants"].items():
            # Scalars stay words, as the program wrote them.
            constants = yaml.load(text, yaml.BaseLoader)
            write(entry_of(fit["device"]), place, constants)
            if place in EFFICIENCIES:
                write_efficiency(fit["device"], EFFICIENCIES[place], rounded(constants["efficiency"]))


if __name__ == "__main__":
    main()
