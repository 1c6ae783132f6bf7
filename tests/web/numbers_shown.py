# SPDX-License-Identifier: Apache-2.0
"""Numbers as a page shows them, read back without the page's own code."""

import re

UNITS = {
    "": 1,
    "%": 0.01,
    "s": 1,
    "ms": 1e-3,
    "us": 1e-6,
    "ns": 1e-9,
    "min": 60,
    "h": 3600,
    "d": 86400,
    "trillion": 1e12,
    "billion": 1e9,
    "million": 1e6,
    "USD": 1,
    "million USD": 1e6,
    "J": 1,
    "kWh": 3.6e6,
    "MWh": 3.6e9,
    "GWh": 3.6e12,
}
for prefix, factor in {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}.items():
    for unit in ("B", "B/s", "W", "W/s", "FLOP/s"):
        UNITS[f"{prefix}{unit}"] = factor

for power, prefix in enumerate("KMGT", start=1):
    UNITS[f"{prefix}iB"] = 1024**power

SHOWN = re.compile(r"^([-+]?[0-9][0-9,]*(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?) ?(.*)$")


def at(document, pointer):
    """The value at a JSON pointer."""
    for key in pointer.split("/")[1:]:
        key = key.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def value_and_last_digit(text):
    """What a shown number says, and what one more in its last digit would add."""
    match = SHOWN.match(text)
    assert match, f"no number: {text}"
    digits, unit = match.group(1).replace(",", ""), match.group(2)
    assert unit in UNITS, f"unknown unit: {text}"
    mantissa, _, power = digits.partition("e")
    decimals = len(mantissa.partition(".")[2])
    return float(digits) * UNITS[unit], 10.0 ** (int(power or 0) - decimals) * UNITS[unit]
