#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py BUILD [--least PERCENT]: lines of the libraries that the tests of BUILD executed.

BUILD is the folder of the `coverage` preset, build/coverage, after `ctest --preset coverage`. Exits
with 1 if a library has less than PERCENT of its lines executed.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

LIBRARIES = (
    *("core", "topologies", "models", "simulation", "workloads", "planner"),
    *("validation", "importers", "output"),
    "web",
)
NUM_LEAST_COVERED = 10
ROOT = pathlib.Path(__file__).resolve().parent.parent


def compile_time_lines(functions: list[dict]) -> dict[str, set[int]]:
    """Returns the lines of every `fields()`, which the compiler evaluates and no program runs."""
    lines = collections.defaultdict(set)
    for function in functions:
        if re.search(r"6fields(B\w+)?Ev$", function["name"]):
            first, last = function["regions"][0][0], function["regions"][0][2]
            lines[function["filenames"][0]].update(range(first, last + 1))
    return lines


def counted_lines(segments: list[list]) -> dict[int, bool]:
    """Maps each line with code, as llvm-cov counts them, to whether it was executed."""
    lines = {}
    count, has_count = 0, False
    for segment, following in zip(segments, [*segments[1:], None]):
        line, _, count, has_count, is_entry, _ = segment
        if has_count and is_entry:
            lines[line] = lines.get(line, False) or count > 0
        last = following[0] if following else line
        for within in range(line + 1, last + 1) if has_count else ():
            lines[within] = lines.get(within, False) or count > 0
    return lines


def executed_lines(build: pathlib.Path) -> dict[str, tuple[int, int]]:
    """Maps the path of every file of a library to its executed lines and its lines with code."""
    merged = build / "coverage.profdata"
    profiles = sorted((build / "profiles").glob("*.profraw"))
    subprocess.run(["llvm-profdata-19", "merge", "-sparse", *profiles, "-o", merged], check=True)
    first, *others = sorted(path for path in (build / "bin").iterdir() if "fuzz" not in path.name)
    exported = subprocess.run(
        ["llvm-cov-19", "export", "-skip-expansions", f"-instr-profile={merged}", first,
         *(f"-object={path}" for path in others)],
        check=True, stdout=subprocess.PIPE).stdout
    data = json.loads(exported)["data"][0]
    compiled_away = compile_time_lines(data["functions"])
    lines = {}
    for file in data["files"]:
        path = pathlib.Path(file["filename"])
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in LIBRARIES:
            counted = counted_lines(file["segments"])
            for line in compiled_away[file["filename"]]:
                counted.pop(line, None)
            lines[str(path.relative_to(ROOT))] = (sum(counted.values()), len(counted))
    return lines


def percent(lines: list[tuple[int, int]]) -> float:
    """Returns the percentage of executed lines of several files."""
    return 100 * sum(covered for covered, _ in lines) / max(1, sum(count for _, count in lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=90.0)
    arguments = parser.parse_args()
    lines = executed_lines(arguments.build)
    short = False
    for library in LIBRARIES:
        of_library = [count for path, count in lines.items() if path.startswith(library + "/")]
        share = percent(of_library)
        short |= share < arguments.least
        print(f"{library:12} {share:5.1f} % of {sum(count for _, count in of_library)} lines")
    print("least covered:")
    missing = sorted(lines, key=lambda path: lines[path][0] - lines[path][1])[:NUM_LEAST_COVERED]
    for path in missing:
        print(f"  {lines[path][1] - lines[path][0]:5} lines not executed  {path}")
    return int(short)


if __name__ == "__main__":
    sys.exit(main())
