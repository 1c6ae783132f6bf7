# SPDX-License-Identifier: Apache-2.0
"""What an addition costs: the files of the product that it changes, its own new files left out.

Each addition of the how-tos is made in a copy of the sources: its files go where the how-to puts
them, its row into the table that CMakeLists.txt names. Then what changed is counted, the house
checks look at the copy, and the program answers with what needs no compiler.

usage: shared_files.py REPOSITORY [PROGRAM] [--keep FOLDER]
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from add_row import with_row

HERE = Path(__file__).resolve().parent
SKIP = shutil.ignore_patterns("build", ".git", "dist", "__pycache__", "node_modules", "*.png", "*.svg")
TOY_ROW = re.compile(r'^toy_row\(\s*(\S+)\s+(\S+)\s+("[^"]*"|[^\s")]+)\s*\)', re.MULTILINE)
NEUTRAL = ["simulate", "examples/neutral-llama-2-7b.yaml", "--estimate", "--set"]
CHECKS = ("source_files", "include_direction", "circles", "one_definition")


class Addition(NamedTuple):
    """One addition. `files` are of this folder; `into` is where they go, by default beside the table.

    `table` is the header of a toy_row() in CMakeLists.txt; `line` a file and its new last line;
    `patch` a diff of this folder; `texts` whole files by their place; `ask` words of the program.
    """

    what: str
    max_shared: int
    files: tuple = ()
    into: str = ""
    table: str = ""
    line: tuple = ()
    patch: str = ""
    texts: dict = {}
    ask: tuple = ()


def entry(kind, name, text):
    return {f"models/catalogue/{kind}/{name}.yaml":
            f"# SPDX-License-Identifier: Apache-2.0\nname: {name}\n{text}"}


ADDITIONS = [
    Addition("device", 0,
             texts=entry("nics", "twice-nic", "model: connectx-7\ndescription: A NIC of the how-to\n"),
             ask=(*NEUTRAL, "cluster.node.nics.nic=twice-nic")),
    Addition("storage product", 0,
             texts=entry("storage_nodes", "other-store",
                         "model: powerscale-f710\ndescription: A node of the how-to\n"),
             ask=("simulate", "examples/powerscale-checkpoints.yaml", "--estimate", "--set",
                  "cluster.storage.node=other-store")),
    Addition("model by shape", 0,
             texts=entry("workloads", "small-llama",
                         "description: A model of the how-to\nsource: made up\nnum_layers: 16\n"
                         "hidden_size: 2048\nnum_heads: 16\nnum_kv_heads: 16\nffn_size: 5632\nvocabulary_size: 32000\n"),
             ask=(*NEUTRAL, "workload.model=small-llama")),
    Addition("collective", 1, ("star.hpp", "star.cpp"), table="star.hpp"),
    Addition("schedule", 1, ("two_waves.hpp", "two_waves.cpp"), table="two_waves.hpp"),
    Addition("mixer of tokens", 1, ("running_mean.hpp", "running_mean.cpp"),
             into="models/src/workload/mixers/running_mean", table="running_mean.hpp"),
    Addition("topology", 1, ("chain.hpp", "chain.cpp"), table="chain.hpp"),
    Addition("importer", 1, ("pbs_nodes.hpp", "pbs_nodes.cpp"), into="importers/src/pbs",
             table="pbs_nodes.hpp"),
    Addition("result number", 1, ("tokens_per_joule.hpp", "tokens_per_joule.cpp"),
             table="tokens_per_joule.hpp"),
    Addition("kind of scenario", 1, ("copy_kind.hpp",), into="workloads/src/copy",
             table="copy_kind.hpp"),
    Addition("command", 1, ("nodes_verb.cpp",), into="cli", line=("cli/verbs.txt", "nodes")),
]


def toy_rows():
    """Returns table and row by the header that a toy_row() of CMakeLists.txt adds."""
    text = (HERE / "CMakeLists.txt").read_text(encoding="utf-8")
    return {header: (table, row.strip('"')) for table, header, row in TOY_ROW.findall(text)}


def in_place(text, folder):
    """Returns a source of this folder with its includes as they are seen from `folder`."""
    def seen(match):
        return f'#include "{os.path.relpath(match[1], folder)}"'

    return re.sub(r'#include "\.\./\.\./([^"]+)"', seen, text)


def put(root, place, text):
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def add(root, addition):
    """Makes an addition in the copy `root`, as its how-to says."""
    into = addition.into
    if addition.table:
        table, row = toy_rows()[addition.table]
        into = into or str(Path(table).parent)
        header = os.path.relpath(f"{into}/{addition.table}", Path(table).parent)
        put(root, table, with_row((root / table).read_text(encoding="utf-8"), header, row))
    for name in addition.files:
        text = (HERE / name).read_text(encoding="utf-8")
        put(root, f"{into}/{name}", in_place(text, into))
    for place, text in addition.texts.items():
        put(root, place, text)
    if addition.line:
        place, line = addition.line
        put(root, place, (root / place).read_text(encoding="utf-8") + line + "\n")
    if addition.patch:
        subprocess.run(["git", "apply", str(HERE / addition.patch)], cwd=root, check=True)


def contents(root):
    """Returns a hash of each file."""
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def refusal(root, program, addition):
    """Returns what the program says if it does not know the addition; "" if it does."""
    if program is None or not addition.ask:
        return ""
    command = [program, *addition.ask, "--catalogue", str(root / "models/catalogue")]
    done = subprocess.run(command, cwd=root, capture_output=True, check=False, text=True)
    return done.stderr.strip() if done.returncode else ""


def house_complaints(root):
    sys.path.insert(0, str(root / "tests/house"))
    sys.setrecursionlimit(10_000)
    return [line for name in CHECKS for line in __import__(name).check(root)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("repository")
    parser.add_argument("program", nargs="?")
    parser.add_argument("--keep", help="where the copy with all additions stays")
    arguments = parser.parse_args()
    sys.dont_write_bytecode = True
    program = arguments.program and str(Path(arguments.program).resolve())
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(arguments.keep or scratch).resolve() / "copy"
        shutil.copytree(arguments.repository, root, ignore=SKIP, symlinks=True)
        before = contents(root)
        print(f"{'to add':20} {'shared files':>12} {'at most':>8} {'own files':>10}  which")
        for addition in ADDITIONS:
            add(root, addition)
            after = contents(root)
            own = after.keys() - before.keys()
            shared = sorted(name for name in before if after.get(name) != before[name])
            print(f"{addition.what:20} {len(shared):12} {addition.max_shared:8} {len(own):10}  "
                  f"{', '.join(shared)}")
            if len(shared) > addition.max_shared:
                wrong.append(f"{addition.what}: {len(shared)} shared files")
            if said := refusal(root, program, addition):
                wrong.append(f"{addition.what}: {said}")
            if not own:
                wrong.append(f"{addition.what}: adds nothing")
            before = after
        wrong += house_complaints(root)
    print("\n".join(wrong) or "additions cost what CONTRIBUTING.md says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
