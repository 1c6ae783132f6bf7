# SPDX-License-Identifier: Apache-2.0
"""How comments open. Usage: comments.py REPOSITORY

A comment of the product names its subject or opens with a verb: one that opens with "What", "Of"
or "Where" has to be read twice.
"""

import re
import sys
from pathlib import Path

FOLDERS = (
    *("core", "topologies", "models", "simulation", "workloads", "planner", "validation"),
    *("importers", "output", "web", "cli", "python", "scripts"),
)
MARKS = {".cpp": "//", ".hpp": "//", ".py": "#"}
PUZZLES = r"(?:What|Of|Where|That|Those|As|By|Whose|How|The same)\b"


def openings(path):
    """Yields line numbers and the first lines of comments that start on a line of their own."""
    mark = MARKS[path.suffix]
    pattern = re.compile(rf'\s*(?:{mark}/?|""")\s*({PUZZLES}.*)')
    within = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not within and (found := pattern.match(line)):
            yield number, found[1]
        within = line.lstrip().startswith(mark) and "SPDX" not in line


def check(root):
    """Returns complaints, in order of the files."""
    found = []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in MARKS or "build" in path.relative_to(root).parts:
                continue
            for number, text in openings(path):
                found.append(f"{path.relative_to(root)}:{number}: a comment opens with '{text}'")
    return found


def main():
    found = check(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "comments open with their subject or a verb")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
