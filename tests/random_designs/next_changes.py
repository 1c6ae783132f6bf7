#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what the program advises, on random designs: the change to try next gives what was promised.

next_changes.py PROGRAM [--kind all|training|jobs|services] [--designs N] [--seed S] [--keep DIR]

Draws designs, asks `simulate` for the change to try next and simulates the design with it; where a
training job lacks memory alone, the change with which it fits. A design fails the test where
  - the change is bad input, or the design with it does not fit,
  - a number that was promised differs from what the change gives by more than 1 %,
  - what the change is judged by gets no better than it was.
The closing line counts designs and advised changes, and has the largest difference. Without
--designs as many are drawn as the environment's RAILWRIGHT_DESIGNS says, 60 if it says nothing.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import drawing

TOLERANCE = 0.01
DRAW = {
    "training": drawing.draw_training,
    "jobs": drawing.draw_jobs,
    "services": drawing.draw_service,
}
OF_ALL = {"training": 11, "services": 5, "jobs": 4}  # designs of each kind among 20


def mean_time(result):
    times = [job["training_time_s"] for job in result["jobs"]]
    return sum(times) / len(times)


def given(result, change, key):
    """What a result has of a number that a change promises; None where it is no number of results."""
    if key == "mean_training_time_s":
        return mean_time(result)
    if "job" in change:
        of_job = [job for job in result["jobs"] if job["name"] == change["job"]]
        return of_job[0].get(key)
    return result.get(key)


def is_better(kind, before, after):
    if kind == "training":
        return after["training_time_s"] < before["training_time_s"]
    if kind == "jobs":
        return mean_time(after) < mean_time(before)
    return True  # the promise itself is compared


class Program:
    def __init__(self, path, folder):
        self.path = path
        self.file = Path(folder) / "design.yaml"

    def simulate(self, *options):
        """Exit code and result."""
        command = [self.path, "simulate", str(self.file), *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
        return done.returncode, done.stdout if done.returncode in (0, 3) else done.stderr

    def result(self, *options):
        code, text = self.simulate("--format", "json", *options)
        return code, json.loads(text) if code in (0, 3) else {"problem": text}


def follow(program, kind, before, change, *options):
    """(largest difference, what is wrong) of a change that was advised for a result."""
    settings = [word for setting in change["settings"] for word in ("--set", setting)]
    code, after = program.result(*settings, *options)
    if code != 0:
        why = after.get("problem") or "; ".join(map(str, after["infeasible"]))
        return 0.0, [f"{' '.join(settings)} ends with {code}: {why.strip()[-200:]}"]
    wrong, largest = [], 0.0
    for key, promised in change.items():
        got = given(after, change, key) if isinstance(promised, float) else None
        if got is None:
            continue
        difference = abs(got / promised - 1)
        largest = max(largest, difference)
        if difference > TOLERANCE:
            wrong.append(f"{' '.join(settings)} promises {key} {promised}, gives {got}")
    if not is_better(kind, before, after):
        wrong.append(f"{' '.join(settings)} is no better than without")
    return largest, wrong


def follow_fit(program, fit):
    """(largest difference, what is wrong) of the smallest change that makes a design fit, whose step
    is one in closed form."""
    promised = {key: value for key, value in fit.items() if key != "setting"}
    change = {"settings": [fit["setting"]], **{key: float(value) for key, value in promised.items()}}
    return follow(program, "fit", {}, change, "--estimate")


def check(program, kind, design, with_text):
    """(exit code, changes advised, largest difference, what is wrong) of a design."""
    program.file.write_text(json.dumps(design, indent=1))
    code, result = program.result()
    if code not in (0, 2, 3):
        return code, 0, 0.0, [f"ended with {code}: {result.get('problem', '')[-200:]}"]
    if code == 3 and "smallest_change" in result:
        return code, 1, *follow_fit(program, result["smallest_change"])
    if code != 0:
        return code, 0, 0.0, []
    changes = result["try_next"]
    largest, wrong = 0.0, []
    for change in changes:
        difference, problems = follow(program, kind, result, change)
        largest = max(largest, difference)
        wrong += problems
    if with_text:
        _, text = program.simulate()
        line = next(line for line in text.splitlines() if line.startswith("try next"))
        if not all(setting in line for change in changes for setting in change["settings"]):
            wrong.append(f"the text advises {line!r}, the JSON {changes}")
    return code, len(changes), largest, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kind", choices=["all", *DRAW], default="all")
    parser.add_argument("--designs", type=int, default=int(os.environ.get("RAILWRIGHT_DESIGNS", 60)),
                        help="designs that give an answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    kinds = OF_ALL if options.kind == "all" else {options.kind: 1}
    codes, advised_of, answered_of, failures, largest = Counter(), Counter(), Counter(), 0, 0.0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        while codes[0] < options.designs and codes.total() < 8 * options.designs:
            kind = draw.choices(list(kinds), list(kinds.values()))[0]
            design = DRAW[kind](draw)
            code, advised, difference, wrong = check(
                program, kind, design, with_text=codes[0] % 10 == 0
            )
            codes[code] += 1
            answered_of[kind] += code == 0
            advised_of[kind] += advised
            largest = max(largest, difference)
            if not wrong:
                continue
            failures += 1
            name = f"{kind}-{options.seed}-{codes.total()}"
            print(f"{name}: {'; '.join(wrong)}", flush=True)
            if options.keep:
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                (Path(options.keep) / f"{name}.yaml").write_text(json.dumps(design, indent=1))
    print(f"exit codes {dict(codes)}; {codes[0]} designs, {advised_of.total()} changes advised")
    for kind in kinds:
        print(f"  {kind}: {answered_of[kind]} designs, {advised_of[kind]} changes")
    print(f"largest difference {largest:.2%}; {failures} designs failed")
    too_few = codes[0] < options.designs or any(
        4 * advised_of[kind] < answered_of[kind] or not advised_of[kind] for kind in kinds
    )
    if too_few:
        print("too few designs or changes: the test says nothing")
    return 1 if failures or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
