# SPDX-License-Identifier: Apache-2.0
"""Results as pages that open without a network, like those of the program's --report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from railwright import _core


def write(path: str | os.PathLike[str], verb: str, document: dict[str, Any] | str) -> None:
    """Writes the whole page or nothing. Raises ConfigError without a chart library."""
    text = document if isinstance(document, str) else json.dumps(document)
    page = _core.html_report(verb, _core.__version__, text)
    place = Path(path)
    part = place.with_name(f"{place.name}.{os.getpid()}.part")
    try:
        part.write_text(page, encoding="utf-8")
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
