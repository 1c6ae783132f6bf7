# SPDX-License-Identifier: Apache-2.0
"""Where the files that come with the package lie."""

from __future__ import annotations

import os
from pathlib import Path

from railwright import _core

# Beside the extension, which in an editable install is not where these sources are.
_PACKAGE = Path(_core.__file__).parent
_SHARE = _PACKAGE / "share" / "railwright"


def program() -> str:
    """The `railwright` program."""
    return str(_PACKAGE / "bin" / "railwright")


def catalogue_roots() -> list[str]:
    """As the program looks them up: RAILWRIGHT_CATALOGUE_PATH first, then the package's own."""
    named = [root for root in os.environ.get("RAILWRIGHT_CATALOGUE_PATH", "").split(":") if root]
    return [*named, str(_SHARE / "catalogue")]


def suites() -> dict[str, str]:
    """The files of the suites that come with the package, by name."""
    return {path.stem: str(path) for path in sorted((_SHARE / "validation").glob("*.yaml"))}
