# SPDX-License-Identifier: Apache-2.0
"""What the numbers of results and the causes of a step are called, and how they are drawn."""

from __future__ import annotations

import json
from typing import Any

from railwright import _core

_TABLE = json.loads(_core.numbers_json())

NUMBERS: dict[str, dict[str, Any]] = {number["path"]: number for number in _TABLE["numbers"]}
"""Every number of a result by its path: what it is called, its unit and its column in sweeps."""

CAUSES: dict[str, dict[str, str]] = {cause["name"]: cause for cause in _TABLE["causes"]}


def ordered(causes: set[str]) -> list[str]:
    """In the order of a result's breakdown."""
    return [cause for cause in CAUSES if cause in causes]
