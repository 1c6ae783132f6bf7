# SPDX-License-Identifier: Apache-2.0
"""Documents for contributors name what is there. Usage: named_paths.py REPOSITORY

Paths that README.md and CONTRIBUTING.md name exist, and the number of sources of
one compilation is that of the presets.
"""

import json
import re
import sys
from pathlib import Path

DOCUMENTS = ("README.md", "CONTRIBUTING.md")
MADE = {"build", "dist"}


def missing(root, document):
    """Yields the paths of a document that do not exist."""
    folders = sorted(path.name for path in root.iterdir() if path.is_dir() and path.name not in MADE)
    path = re.compile(rf"(?<![\w/.-])(?:{'|'.join(map(re.escape, folders))})/[\w./*-]*[\w*/]")
    text = (root / document).read_text(encoding="utf-8")
    for number, line in enumerate(text.splitlines(), 1):
        for name in path.findall(line):
            if not list(root.glob(name.rstrip("/"))):
                yield f"{document}:{number}: no such path: {name}"


def unity_complaints(root):
    """Returns where presets and pip compile another number of sources at a time than is said."""
    said = re.search(r"`release` \|.* up to (\d+) sources at a time",
                     (root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    presets = json.loads((root / "CMakePresets.json").read_text(encoding="utf-8"))
    sizes = {preset["cacheVariables"].get("CMAKE_UNITY_BUILD_BATCH_SIZE")
             for preset in presets["configurePresets"]} - {None}
    sizes |= set(re.findall(r'CMAKE_UNITY_BUILD_BATCH_SIZE = "(\d+)"',
                            (root / "pyproject.toml").read_text(encoding="utf-8")))
    if said and sizes == {said[1]}:
        return []
    return [f"CONTRIBUTING.md says '{said and said[0]}', the builds {sorted(sizes)}"]


def check(root):
    return [line for document in DOCUMENTS for line in missing(root, document)] + unity_complaints(root)


if __name__ == "__main__":
    complaints = check(Path(sys.argv[1]).resolve())
    print("\n".join(complaints) or "documents for contributors name what is there")
    sys.exit(bool(complaints))
