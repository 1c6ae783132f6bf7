# SPDX-License-Identifier: Apache-2.0
"""No circles. Usage: circles.py REPOSITORY

A unit is a header and the source of the same name; a family is a folder of units. Neither units nor
families may include one another in a circle: whoever reads one of a circle must read them all. A
private header is a detail of the public ones of its family: it may include them, as their sources
may include it.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from include_direction import INCLUDE, family_of, resolve, sources

LIBRARIES = (
    *("core", "topologies", "models", "simulation", "workloads", "planner", "validation"),
    *("importers", "output", "web", "cli", "python"),
)


def unit_of(path):
    """'simulation/step/costs' for simulation/src/step/costs.cpp, its header and that header's keys."""
    path = re.sub(r"^(\w+)/(?:include/railwright/\1|src)/", r"\1/", path)
    return str(Path(path).with_suffix("")).removesuffix("_fields")


def is_detail(root, source, target):
    """Whether `target` is a private header of the family whose public header `source` implements."""
    folder, *rest = unit_of(source).split("/")
    header = Path(folder, "include/railwright", folder, *rest).with_suffix(".hpp")
    is_facade = source.endswith(".cpp") and (root / header).is_file()
    return is_facade and "/src/" in f"/{target}" and family_of(source) == family_of(target)


def inclusions(root):
    """What each unit and each family includes."""
    units, families = defaultdict(set), defaultdict(set)
    for source in sources(root):
        if source.split("/")[0] not in LIBRARIES:
            continue
        text = (root / source).read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            target = resolve(root, source, match[2])
            if target is None:
                continue
            if not is_detail(root, source, target):
                units[unit_of(source)].add(unit_of(target))
            families["/".join(family_of(source))].add("/".join(family_of(target)))
    return units, families


def circles(graph):
    """Strongly connected sets of more than one, by Tarjan's algorithm."""
    number, low, path, on_path, found = {}, {}, [], set(), []

    def visit(name):
        number[name] = low[name] = len(number)
        path.append(name)
        on_path.add(name)
        for other in sorted(graph.get(name, ())):
            if other not in number:
                visit(other)
                low[name] = min(low[name], low[other])
            elif other in on_path:
                low[name] = min(low[name], number[other])
        if low[name] == number[name]:
            circle = set()
            while name not in circle:
                circle.add(path.pop())
            on_path.difference_update(circle)
            if len(circle) > 1:
                found.append(sorted(circle))

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return found


def check(root):
    complaints = []
    for what, graph in zip(("units", "families"), inclusions(root), strict=True):
        complaints += [f"{what} in a circle: {', '.join(circle)}" for circle in circles(graph)]
    return complaints


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    complaints = check(Path(sys.argv[1]).resolve())
    print("\n".join(complaints) or "no circles")
    sys.exit(bool(complaints))
