# SPDX-License-Identifier: Apache-2.0
"""Who may include whom. Usage: include_direction.py REPOSITORY

A folder includes only what stands under it, and so does a family, which is a folder within it.
Libraries that are heavy to compile stay in one place.
"""

import re
import sys
from pathlib import Path

MODEL = {"core", "topologies", "models"}
MAY_INCLUDE = {
    "core": set(),
    "topologies": {"core"},
    "models": {"core"},
    "simulation": MODEL,
    "workloads": {*MODEL, "simulation"},
    "planner": {*MODEL, "simulation", "workloads"},
    "validation": {*MODEL, "simulation", "workloads", "planner"},
    "importers": {*MODEL, "simulation", "workloads"},
    "output": {*MODEL, "simulation", "workloads", "planner", "validation"},
    "web": {*MODEL, "simulation", "workloads", "planner", "output"},
}
PRODUCT = set(MAY_INCLUDE)
MAY_INCLUDE["cli"] = PRODUCT - {"topologies", "models"}
MAY_INCLUDE["python"] = PRODUCT - {"topologies", "models"}
MAY_INCLUDE["examples"] = PRODUCT
MAY_INCLUDE["tests"] = {*PRODUCT, "cli"}

OTHERS = "*"  # stands for the families that are named on no floor

# The families of a folder from the ground up; those of one floor do not know one another.
FLOORS = {
    "models": [
        {"offload", "kernel"},
        {"workload"},
        {"software"},
        {"parallelism"},
        {"schedule"},
        {"compute", "memory", "collective", "storage", "data_loading"},
        {"checkpoint", "inference"},
        {"reliability", "power", "money"},
        {"builtin"},
    ],
    "topologies": [
        {"cluster"},
        {"bill"},
        {"assembly"},
        {"topology"},
        {"pools"},
        {"wirings"},
    ],
    "simulation": [
        {"scenario"},
        {"step", "run"},
        {"closed_form"},
        {"estimator", "results"},
    ],
    "workloads": [
        {"simulate_options", "kind_facts"},
        {"training"},
        {OTHERS},  # a folder a kind of scenario
        {"post_training"},
        {"any_result"},
        {"scenario_kind"},
        {"kind_row"},
        {"kinds"},
        {"pools_of_kinds"},
        {"simulate_any"},
        {"upgrade"},
    ],
    "planner": [
        {"progress", "sweep", "site_fit"},
        {"so_far"},
        {"search", "compare", "explain", "next_change", "ranges"},
        {"size"},
        {"what_if", "unsaid", "prices"},
    ],
    "validation": [
        {"suites"},
        {"calibration", "offers"},
        {"measurements"},
    ],
    "output": [
        {"words", "chakra", "perfetto", "schema", "tables", "yaml"},
        {"catalogue", "drawing"},
        {"json"},
        {"html", "text"},
    ],
    "web": [
        {"html"},
        {"what_if"},
        {"goal"},
        {"server"},
    ],
}

# Include prefix -> where it may appear (a path prefix, or a suffix that starts with a dot).
AT_HOME = {
    "boost/graph/": "core/src/fabric/",
    "yaml-cpp/": "core/src/config/",
    "CLI/": "cli/main.cpp",
    "pybind11/": "python/bindings/",
    "sqlite3.h": "output/src/tables/",
    "pugixml.hpp": "importers/src/",
    "toml++/toml.h": "importers/src/common/toml_tree.cpp",
    "protozero/": "output/src/chakra/",
    "httplib.h": "web/src/server/",
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
    for name in (family, OTHERS):
        for number, families in enumerate(FLOORS[folder]):
            if name in families:
                return number
    return None


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
            if not source.startswith(home):
                return f"{prefix} belongs to {home}"
    if name == "nlohmann/json.hpp" and not source.endswith(".cpp"):
        return "nlohmann/json.hpp belongs to .cpp; headers take json_fwd.hpp"

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
    here, there = floor_of(folder, family), floor_of(folder, other_family)
    for number, unknown in ((here, family), (there, other_family)):
        if number is None:
            return f"{folder}/{unknown} has no floor in tests/house/include_direction.py"
    if there >= here:
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
