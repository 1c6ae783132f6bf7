# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. Usage: include_direction.py REPOSITORY

A folder includes only what stands under it; inside models and planner a family includes only
families of an earlier floor. Libraries that are heavy to compile stay in one place.
"""

import re
import sys
from pathlib import Path

EVERYTHING = {"core", "topologies", "models", "planner", "cli"}
MAY_INCLUDE = {
    "core": {"core"},
    "topologies": {"core", "topologies"},
    "models": {"core", "models"},
    "planner": {"core", "topologies", "models", "planner"},
    "cli": {"core", "planner", "cli"},
    "python": {"core", "planner"},
    "examples": EVERYTHING,
    "tests": EVERYTHING,
}

# Floors from the ground up. A family of a floor marked open may include its neighbours there.
# The last floor of each may include everything: the registry of built-in models, and the doors.
OPEN = True
FLOORS = {
    "models": [
        ({"offload"}, not OPEN),
        ({"software", "workload"}, not OPEN),
        ({"parallelism"}, not OPEN),
        ({"schedule"}, not OPEN),
        ({"compute", "memory", "collective", "storage"}, not OPEN),
        ({"checkpoint", "inference"}, not OPEN),
        ({"reliability", "power", "cost"}, not OPEN),
        ({"builtin"}, OPEN),
    ],
    "planner": [
        ({"scenario"}, not OPEN),
        ({"results"}, not OPEN),
        ({"step"}, not OPEN),
        ({"run", "estimate"}, not OPEN),
        (
            {
                *{"verbs", "benchmark", "inference", "jobs", "simulate", "compare", "sweep"},
                *{"search", "size", "calibrate", "validate"},
            },
            OPEN,
        ),
        ({"out", "in"}, not OPEN),
    ],
}

# Include prefix -> where it may appear (a path prefix, or a suffix that starts with a dot).
AT_HOME = {
    "boost/": "core/src/fabric/",
    "yaml-cpp/": "core/src/config/",
    "CLI/": "cli/main.cpp",
    "pybind11/": "python/bindings/",
    "sqlite3.h": "planner/src/out/",
    "pugixml.hpp": "planner/src/in/",
    "protozero/": "planner/src/out/chakra/",
    "nlohmann/": ".cpp",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".cpp", ".hpp", ".h", ".inl"}


def family_of(path):
    """('models', 'memory') for both models/src/memory/x.cpp and its header's path."""
    parts = Path(path).with_suffix("").parts
    folder = parts[0]
    if parts[1:4] == ("include", "railwright", folder):
        parts = parts[4:]
    elif parts[1:2] == ("src",):
        parts = parts[2:]
    else:
        parts = parts[1:]
    return folder, parts[0]


def floor_of(folder, family):
    for number, (families, is_open) in enumerate(FLOORS[folder]):
        if family in families:
            return number, is_open
    return None, False


def resolve(root, source, name):
    """The repository path of an included project header, or None for a library's."""
    if name.startswith("railwright/"):
        folder = name.split("/")[1]
        return f"{folder}/include/{name}"
    for base in (Path(source).parent, Path(Path(source).parts[0]) / "src"):
        if (root / base / name).is_file():
            return (root / base / name).resolve().relative_to(root.resolve()).as_posix()
    return None


def complaint(root, source, quote, name):
    """What is wrong with `source` including `name`, or None."""
    folder, family = family_of(source)
    for prefix, home in AT_HOME.items():
        if name.startswith(prefix) and folder not in ("tests", "examples"):
            at_home = source.endswith(home) if home[0] == "." else source.startswith(home)
            if not at_home:
                return f"{prefix} belongs to {home}"
    if name.startswith("nlohmann/") and not source.endswith(".cpp"):
        return "nlohmann/ belongs to .cpp"

    target = resolve(root, source, name)
    if target is None:
        return f"no such file: {name}" if quote == '"' else None
    if not (root / target).is_file():
        return f"no such file: {target}"
    other_folder, other_family = family_of(target)
    if other_folder not in MAY_INCLUDE[folder] and other_folder != folder:
        return f"{folder} must not include {other_folder}"
    if folder != other_folder or folder not in FLOORS or family == other_family:
        return None
    here, is_open = floor_of(folder, family)
    there, _ = floor_of(folder, other_family)
    for number, unknown in ((here, family), (there, other_family)):
        if number is None:
            return f"{folder}/{unknown} has no floor in tests/house/include_direction.py"
    if there > here or (there == here and not is_open):
        return f"{folder}/{family} must not include {folder}/{other_family}"
    return None


def sources(root):
    for folder in MAY_INCLUDE:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file():
                yield path.relative_to(root).as_posix()


def check(root):
    found = []
    for source in sources(root):
        text = (root / source).read_text(encoding="utf-8")
        for match in INCLUDE.finditer(text):
            wrong = complaint(root, source, match[1], match[2])
            if wrong:
                line = text.count("\n", 0, match.start(1)) + 1
                found.append(f"{source}:{line}: {wrong}")
    return found


def main():
    root = Path(sys.argv[1])
    scanned = len(list(sources(root)))
    found = check(root)
    print("\n".join(found) or f"{scanned} files include only what stands under them")
    return 1 if found or scanned == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
