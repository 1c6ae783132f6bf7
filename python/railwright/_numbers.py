# SPDX-License-Identifier: Apache-2.0
"""Names and formats of the numbers of results, and names and colours of the causes of a step."""

from __future__ import annotations

import json
from typing import Any

from railwright import _core

_TABLE = json.loads(_core.numbers_json())

NUMBERS: dict[str, dict[str, Any]] = {number["path"]: number for number in _TABLE["numbers"]}
"""Every number of a result by its path: its name, unit and column in sweeps."""

CAUSES: dict[str, dict[str, str]] = {cause["name"]: cause for cause in _TABLE["causes"]}


def ordered(causes: set[str]) -> list[str]:
    """Returns causes in the order of a result's breakdown."""
    return [cause for cause in CAUSES if cause in causes]
