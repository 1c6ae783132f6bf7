# SPDX-License-Identifier: Apache-2.0
"""Paths of the files that come with the package."""

from __future__ import annotations

import os
from pathlib import Path

from railwright import _core

# Beside the extension: an editable install keeps the sources elsewhere.
_PACKAGE = Path(_core.__file__).parent
_SHARE = _PACKAGE / "share" / "railwright"


def program() -> str:
    """Returns the path of the `railwright` program."""
    return str(_PACKAGE / "bin" / "railwright")


def catalogue_roots() -> list[str]:
    """Returns the folders that the program searches: RAILWRIGHT_CATALOGUE_PATH first, then the
    package's own."""
    named = [root for root in os.environ.get("RAILWRIGHT_CATALOGUE_PATH", "").split(":") if root]
    return [*named, str(_SHARE / "catalogue")]


def suites() -> dict[str, str]:
    """Returns the files of the suites that come with the package, by name."""
    return {path.stem: str(path) for path in sorted((_SHARE / "validation").glob("*.yaml"))}
