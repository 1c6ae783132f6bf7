# SPDX-License-Identifier: Apache-2.0
"""Adds a dimension of parallelism as the how-to says, in copies of the files that it names, and compiles what
walks the knobs. A dimension that is left out of the table of knobs, or of one key, must not compile.

usage: add_dimension.py REPOSITORY COMPILER
"""

import subprocess
import sys
import tempfile
from pathlib import Path

PARALLELISM = "models/include/railwright/models/parallelism/parallelism.hpp"
LAYOUT = "models/src/parallelism/parallelism.cpp"
RANK_ORDER = "models/src/parallelism/rank_order.cpp"
CONFIGURATION = "simulation/include/railwright/simulation/estimator/configuration.hpp"
KNOBS = "simulation/include/railwright/simulation/estimator/knobs.hpp"
SEARCH_SPACE = "simulation/include/railwright/simulation/scenario/search_space.hpp"

# Ranks that divide a sequence, next to one another among the replicas.
EDITS = {
    PARALLELISM: [
        ("  int cp = 1;\n", "  int cp = 1;\n  int xp = 1;\n"),
        ('        field("ep", &Parallelism::ep,', '        field("xp", &Parallelism::xp, "Toy.", between(1, 64), optional),\n'
         '        field("ep", &Parallelism::ep,'),
        ("int T::*>, 4> kDimensions{", "int T::*>, 5> kDimensions{"),
        ('{"cp", &T::cp}, ', '{"cp", &T::cp}, {"xp", &T::xp}, '),
        ("return dp * cp; }", "return dp * xp * cp; }"),
        ("ranks_of_sequence() const { return cp; }", "ranks_of_sequence() const { return cp * xp; }"),
    ],
    LAYOUT: [
        ("          .cp = parallelism.cp,\n", "          .cp = parallelism.cp,\n          .xp = parallelism.xp,\n"),
        ("parallelism.cp * parallelism.pp", "parallelism.cp * parallelism.xp * parallelism.pp"),
        ("(tp) * cp * pp", "(tp) * cp * parallelism.xp * pp"),
    ],
    RANK_ORDER: [("{layout.dp, &", "{layout.dp * layout.xp, &")],
    CONFIGURATION: [("  int cp = 1;\n", "  int cp = 1;\n  int xp = 1;\n")],
    KNOBS: [("m10, m11]", "m10, m11, m12]"), ("&m10, &m11}", "&m10, &m11, &m12}")],
    SEARCH_SPACE: [
        ("  std::vector<int> cp;\n", "  std::vector<int> cp;\n  std::vector<int> xp;\n"),
        ('        field("ep", &SearchSpace::ep,', '        field("xp", &SearchSpace::xp, "Toy.", kRanks, optional),\n'
         '        field("ep", &SearchSpace::ep,'),
    ],
}
MAX_FILES = 8

# What walks the knobs, and what the dimension is made of.
COMPILED = [
    LAYOUT,
    RANK_ORDER,
    "simulation/src/estimator/estimator_tables.cpp",
    "planner/src/search/shapes.cpp",
    "planner/src/sweep/estimate_results.cpp",
]


def with_edits(text, edits):
    for before, after in edits:
        if before not in text:
            raise SystemExit(f"nothing to edit: {before!r}")
        text = text.replace(before, after)
    return text


def row_of_cp(knobs):
    start = knobs.index('knob("parallelism.cp"')
    return knobs[start : knobs.index('knob("parallelism.ep"')]


class Tree:
    """Edited files over a repository."""

    def __init__(self, repository, folder, compiler):
        self.repository = repository
        self.folder = folder
        self.compiler = compiler

    def put(self, path, text):
        out = self.folder / path
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)

    def read(self, path):
        edited = self.folder / path
        return (edited if edited.exists() else self.repository / path).read_text()

    def compiles(self, path):
        edited = self.folder / path
        roots = [base / part / "include" for base in (self.folder, self.repository)
                 for part in ("core", "topologies", "models", "simulation", "workloads", "planner")]
        command = [self.compiler, "-std=c++20", "-fsyntax-only", "-w", "-iquote", self.repository / Path(path).parent,
                   *(f"-I{root}" for root in roots), edited if edited.exists() else self.repository / path]
        return subprocess.run(command, capture_output=True, text=True, check=False)


def main():
    repository, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(repository, Path(folder), compiler)
        for path, edits in EDITS.items():
            tree.put(path, with_edits(tree.read(path), edits))
        tables = "simulation/src/estimator/estimator_tables.cpp"
        if tree.compiles(tables).returncode == 0:
            raise SystemExit("a member of Configuration without a row compiles")
        knobs = tree.read(KNOBS)
        row = row_of_cp(knobs).replace("cp", "xp").replace("kMaxContextRanks", "3")
        place = knobs.index('knob("parallelism.ep"')
        forgotten = row.replace(".networks = kValue,", "")
        tree.put(KNOBS, knobs[:place] + forgotten + knobs[place:])
        if forgotten == row or tree.compiles(tables).returncode == 0:
            raise SystemExit("a row that does not say what a key has of it compiles")
        tree.put(KNOBS, knobs[:place] + row + knobs[place:])
        for path in COMPILED:
            result = tree.compiles(path)
            if result.returncode != 0:
                raise SystemExit(f"{path}:\n{result.stderr}")
    print(f"a dimension touches {len(EDITS)} files")
    if len(EDITS) > MAX_FILES:
        raise SystemExit(f"more than {MAX_FILES}")


if __name__ == "__main__":
    main()
