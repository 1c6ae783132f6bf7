# SPDX-License-Identifier: Apache-2.0
"""One name, one type. Usage: one_definition.py REPOSITORY

Two types of one qualified name in different files break the one-definition rule: the linker keeps
either one's inline functions for both, and no compiler says so. Names within anonymous namespaces
are free.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

LIBRARIES = (
    *("core", "topologies", "models", "simulation", "workloads", "planner", "validation"),
    *("importers", "output", "web", "cli", "python"),
)
OPENS = re.compile(r"^namespace\b\s*([\w:]*)\s*\{(?!.*\}\s*$)")
CLOSES = re.compile(r"^\}\s*// namespace")
TYPE = re.compile(r"^(?:struct|class|union|enum class)\s+(\w+)(?: final)?(?:\s*:[^:][^;]*)?\s*\{")


def types(path):
    """Qualified name and line of every type that other files could mean."""
    within = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if opened := OPENS.match(line):
            within.append(opened[1])
        elif CLOSES.match(line):
            within.pop()
        elif (found := TYPE.match(line)) and "" not in within:
            yield "::".join([*within, found[1]]), number


def check(root):
    """Complaints, in order of the files."""
    places = defaultdict(list)
    for library in LIBRARIES:
        for path in sorted((root / library).rglob("*.[ch]pp")):
            for name, number in types(path):
                places[name].append(f"{path.relative_to(root)}:{number}")
    return [f"{found[1]}: {name} is defined in {found[0]} too"
            for name, found in places.items() if len(found) > 1]


if __name__ == "__main__":
    complaints = check(Path(sys.argv[1]).resolve())
    print("\n".join(complaints) or "every type has a name of its own")
    sys.exit(bool(complaints))
