#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts one deliberate fault at a time into a copy of the sources and asks which test notices.

Usage: tests/mutation/mutate.py [--seed N] [--only WORD] [--named | --seeded] [--list]

Works in build/mutation, never in the sources themselves. A fault that does not compile is replaced
by the next of its folder. Answers that build/mutation/results.jsonl has already are not sought
again, so that a run that was stopped goes on; a survivor is tried again when the tests changed.
"""

import argparse
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from mutants import FOLDERS, NO_FAULTS, Mutant, shuffled
from named_faults import NAMED_FAULTS

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "mutation"
SOURCE = WORK / "source"
BUILD = SOURCE / "build" / "release"
RESULTS = WORK / "results.jsonl"
SEED = 8

# The programs that are asked, by the first beginning of a path that fits; the quickest first.
PROGRAMS = [
    ("core/src/sim", ["engine", "core"]),
    ("core", ["core", "topologies"]),
    ("topologies", ["topologies", "models"]),
    ("models/src/inference", ["serving", "catalogue_contract"]),
    ("models/src/reliability", ["reliability"]),
    ("models/src/cost", ["power"]),
    ("models/src/power", ["power"]),
    ("models", ["models", "contract", "golden"]),
    ("workloads/src/serving", ["serving"]),
    ("simulation/src/closed_form", ["estimator"]),
    ("simulation/src/estimator", ["estimator"]),
    ("simulation/src/run", ["run_parts"]),
    ("simulation", ["contract"]),
    ("validation", ["validation"]),
]
THEN = ["simulation", "workloads", "planner", "validation"]


def copy_sources():
    """Files that differ, so that ninja builds only what changed."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = listed.stdout.decode().split("\0")
    for name in filter(None, names):
        source, target = ROOT / name, SOURCE / name
        if not source.is_file():
            continue
        if target.is_file() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def environment():
    return os.environ | {
        "CCACHE_BASEDIR": str(SOURCE),
        "CCACHE_NOHASHDIR": "1",
        "CCACHE_SLOPPINESS": "time_macros",
    }


def run(command, timeout):
    """Exit status and output; all that it started ends with it."""
    process = subprocess.Popen(
        ["nice", "-n", "8", *command], cwd=BUILD, env=environment(), text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except BaseException as error:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if isinstance(error, subprocess.TimeoutExpired):
            return None, ""
        raise


def build(program, jobs):
    return run(["ninja", f"-j{jobs}", f"railwright_{program}_tests"], 3600)


def programs_of(path):
    first = next(names for begin, names in PROGRAMS if path.startswith(begin))
    return [*first, *(p for p in THEN if p not in first)]


def object_compiles(path, jobs):
    library = path.split("/")[0]
    target = f"{library}/CMakeFiles/railwright_{library}.dir/{path.removeprefix(library + '/')}.o"
    return run(["ninja", f"-j{jobs}", target], 3600)[0] == 0


def verdict(path, jobs, quick):
    """What became of the fault that stands in `path` now, and the test that noticed it."""
    if not object_compiles(path, jobs):
        return "does not compile", ""
    programs = programs_of(path)
    rounds = [(p, mirrored_suites(path)) for p in programs[:2]] + [(p, "*") for p in programs]
    for program, suites in rounds[: 2 if quick else None]:
        status, output = build(program, jobs)
        if status != 0:
            return "does not link", output[-300:]
        status, output = run(
            [f"bin/railwright_{program}_tests", "--gtest_fail_fast", "--gtest_brief=1",
             f"--gtest_filter={suites}"], 600
        )
        if status is None:
            return "killed", f"{program}: does not end"
        if status != 0:
            failed = re.search(r"\[  FAILED  \] ([\w/.]+)", output)
            return "killed", failed.group(1) if failed else f"{program}: ends with {status}"
    return "survived", ""


def mirrored_suites(path):
    """gtest's filter of the tests that stand where the file stands."""
    suites = set()
    folder = Path(path.replace("/src", "", 1)).parent
    for test in (ROOT / "tests" / folder).glob("*_test.cpp"):
        suites |= set(re.findall(r"^TEST(?:_F|_P)?\((\w+),", test.read_text("utf-8"), re.M))
    return ":".join(f"{s}.*:*/{s}.*" for s in sorted(suites)) or "*"


def tests_now():
    """Survivors are asked again when this changes."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "tests").rglob("*.cpp")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def known_results():
    if not RESULTS.exists():
        return {}
    entries = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    return {e["key"]: e for e in entries}


def attempt(mutant, known, tests, jobs, quick):
    if why := NO_FAULTS.get(mutant.new.strip()):
        return {"name": mutant.name, "operator": mutant.operator, "new": mutant.new.strip(),
                "result": "no fault", "test": why, "seconds": 0}
    key = f"{mutant.name} {mutant.new.strip()}"
    entry = known.get(key)
    if entry and (entry["result"] != "survived" or entry["tests"] == tests):
        return entry
    target = SOURCE / mutant.path
    text = (ROOT / mutant.path).read_text(encoding="utf-8")
    if mutant.line:
        lines = text.split("\n")
        lines[mutant.line - 1] = mutant.new
        changed = "\n".join(lines)
    else:
        if text.count(mutant.old) != 1:
            sys.exit(f"{mutant.name}: its text is not once in {mutant.path}")
        changed = text.replace(mutant.old, mutant.new)
    start = time.monotonic()
    try:
        target.write_text(changed, encoding="utf-8")
        result, test = verdict(mutant.path, jobs, quick)
    finally:
        target.write_text(text, encoding="utf-8")
    entry = {
        "key": key, "name": mutant.name, "path": mutant.path, "operator": mutant.operator,
        "old": mutant.old.strip(), "new": mutant.new.strip(), "result": result, "test": test,
        "tests": tests, "seconds": round(time.monotonic() - start),
    }
    with RESULTS.open("a", encoding="utf-8") as out:
        out.write(json.dumps(entry) + "\n")
    return entry


def show(entry):
    fault = entry["name"] if entry["operator"] == "named" else (
        f"{entry['name']}: {entry['operator']}: {entry['new']}")
    print(f"{entry['result']:16} {fault}   {entry['test']} ({entry['seconds']} s)", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", default="", help="faults with this in file, line or name")
    parser.add_argument("--named", action="store_true", help="only the named ones")
    parser.add_argument("--seeded", action="store_true", help="only the seeded ones")
    parser.add_argument("--list", action="store_true", help="the first of the seed; runs nothing")
    parser.add_argument("--quick", action="store_true", help="only tests beside the fault's file")
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    groups = shuffled(ROOT, random.Random(arguments.seed))
    if arguments.list:
        for folder, count in FOLDERS.items():
            for m in groups[folder][:count]:
                print(f"{m.name}: {m.operator}\n    {m.old.strip()}\n    {m.new.strip()}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # as Ctrl-C: what was changed is restored
    WORK.mkdir(parents=True, exist_ok=True)
    copy_sources()
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "release"], cwd=SOURCE, check=True, env=environment())
    known, tests, counted = known_results(), tests_now(), []
    if arguments.quick:
        tests += " quick"
    how = (known, tests, arguments.jobs, arguments.quick)
    if not arguments.seeded:
        for name, path, old, new in NAMED_FAULTS:
            if arguments.only in f"{path} {name}":
                counted.append(attempt(Mutant(name, path, 0, old, new, "named"), *how))
                show(counted[-1])
    for folder, count in {} if arguments.named else FOLDERS.items():
        for m in groups[folder]:
            if count == 0:
                break
            entry = attempt(m, *how) if arguments.only in m.name else None
            if entry:
                show(entry)
            if entry is None or not entry["result"].startswith("does not"):
                count -= 1
                counted += [entry] if entry else []
    survivors = [e for e in counted if e["result"] == "survived"]
    print(f"{len(counted)} faults, {len(survivors)} survived")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
