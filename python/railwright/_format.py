# SPDX-License-Identifier: Apache-2.0
"""Numbers as readable text: three digits and a unit that fits the size."""

from __future__ import annotations

from typing import Any

# Unit, its seconds, and the smallest number of it that is shown in it: 100 s, but 2.00 min.
_TIMES = [
    ("days", 86400.0, 2),
    ("h", 3600.0, 2),
    ("min", 60.0, 2),
    ("s", 1.0, 1),
    ("ms", 1e-3, 1),
    ("µs", 1e-6, 0),
]
_PREFIXES = [(1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")]
_SUFFIXES = [
    ("_bytes_per_s", "B/s"),
    ("_bytes", "B"),
    ("_flops", "FLOP"),
    ("_w_per_s", "W/s"),
    ("_per_s", "/s"),
    ("_w", "W"),
]
# Units by the suffixes of keys, the longest first.
_UNITS = [
    ("_bytes_per_s", "bytes/s"),
    ("_w_per_s", "W/s"),
    ("_per_s", "1/s"),
    ("_bytes", "bytes"),
    ("_flops", "FLOP"),
    ("_j", "J"),
    ("_w", "W"),
    ("_s", "s"),
]
_FRACTIONS = ("_utilization", "_fraction", "_error", "_efficiency", "_residual")


def digits(value: float) -> str:
    """Returns three significant digits, never in powers of ten."""
    places = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{places}f}"


def time_unit(seconds: float) -> tuple[float, str]:
    """Returns the seconds of the unit that fits a time, and its name."""
    if seconds == 0:
        return 1.0, "s"
    return next((size, unit) for unit, size, least in _TIMES if seconds >= least * size)


def time(seconds: float) -> str:
    size, unit = time_unit(abs(seconds))
    return f"{digits(seconds / size)} {unit}"


def time_range(low: float, high: float) -> str:
    """Returns an interval in the unit of its lower end; ends that lie far apart keep their own."""
    size, unit = time_unit(low)
    if low * 100 <= high:
        return f"{time(low)} to {time(high)}"
    return f"{digits(low / size)} to {digits(high / size)} {unit}"


def memory(size: float) -> str:
    """Returns memory of a device in binary units, as cards are sold."""
    for power, unit in enumerate(("TiB", "GiB", "MiB", "KiB")):
        if abs(size) >= 1024 ** (4 - power):
            return f"{digits(size / 1024 ** (4 - power))} {unit}"
    return f"{size:.0f} B"


def unit(path: str, number: Any, within: str = "") -> str:
    """Returns the unit that a key names, "s" or "bytes/s"; "" for text and plain numbers. The
    causes of a breakdown are seconds without saying so."""
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return ""
    *above, key = path.split(".")
    for suffix, name in _UNITS:
        if key.endswith(suffix):
            return name
    return "s" if (above or [within])[-1] == "breakdown" else ""


def pairs(data: dict[str, Any], within: str = "") -> list[str]:
    """Returns keys with their values, as text; causes that take no time are left out."""
    causes = within == "breakdown"
    found = []
    for key, one in data.items():
        if isinstance(one, (dict, list)):
            found.append(f"{key} [{len(one)}]")
        elif not causes or one:
            found.append(f"{key} {value(key + '_s' if causes else key, one)}")
    return found


def percent(fraction: float | None, signed: bool = True) -> str:
    if fraction is None:
        return ""
    shown = round(100 * fraction, 1) or 0.0  # no "-0.0 %"
    return f"{shown:+.1f} %" if signed and shown else f"{shown:.1f} %"


def value(key: str, number: Any) -> str:
    """Formats a value in the unit that the suffix of its key names; text stays unchanged."""
    if number is None:
        return ""
    if isinstance(number, bool):
        return "yes" if number else "no"
    if not isinstance(number, (int, float)):
        return str(number)
    if "memory" in key and key.endswith("_bytes"):
        return memory(number)
    for suffix, unit in _SUFFIXES:
        if key.endswith(suffix):
            return _scaled(number, unit)
    if key.endswith("_s"):
        return time(number)
    if key == "utilization" or key.endswith(_FRACTIONS):
        return percent(number, signed=key.endswith("relative_error"))
    return f"{number:,}" if isinstance(number, int) else digits(number)


def _scaled(number: float, unit: str) -> str:
    for size, prefix in _PREFIXES:
        if abs(number) >= size or size == 1.0:
            return f"{digits(number / size)} {prefix}{unit}"
    raise AssertionError
