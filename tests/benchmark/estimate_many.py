# SPDX-License-Identifier: Apache-2.0
"""rw.estimate_many against `railwright sweep`: the same designs on one thread each, in one run.

usage: python tests/benchmark/estimate_many.py [RUNS]  (with the package installed)

Prints the least processor time of RUNS (5) of each, and the ratio of the rates: above 0.5 Python has more
than half of the program's. The program drops its rows, Python makes a data frame of them.
"""

import itertools
import json
import resource
import subprocess
import sys
from pathlib import Path

import pandas
import railwright as rw

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GPT_3 = EXAMPLES / "search-gpt3-175b-1024-a100.yaml"
LLAMA_2 = EXAMPLES / "neutral-llama-2-7b.yaml"

DIVISIONS = {
    "parallelism.tp": [1, 2, 4, 8],
    "parallelism.pp": [1, 2, 4, 8, 16, 32],
    "workload.micro_batch": [1, 2, 4, 8],
    "software.recompute": ["none", "selective", "full"],
    "software.zero_stage": [0, 1, 2],
    "parallelism.sequence_parallel": [False, True],
    "workload.global_batch": [256 * i for i in range(1, 13)],
}
# Few tables, many rows: what a row costs alone, and most of them fit.
BATCHES = {
    "parallelism.tp": [1, 2, 4, 8],
    "workload.micro_batch": [1, 2],
    "workload.global_batch": [16 * i for i in range(1, 5001)],
}
# Keys that have the scenario read again.
SERVERS = {
    "cluster.nodes": list(range(2, 12)),
    "cluster.node.nics.count": [2, 4, 8],
    "parallelism.tp": [1, 2, 4, 8],
    "workload.global_batch": [5040 * i for i in range(1, 9)],
}
SPACES = {
    "divisions, steps alone": (GPT_3, DIVISIONS, True),
    "batches, steps alone": (LLAMA_2, BATCHES, True),
    "batches, whole runs": (LLAMA_2, BATCHES, False),
    "nodes and NICs, whole runs": (LLAMA_2, SERVERS, False),
}


def by_python(scenario, designs, steps_only):
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    frame = rw.estimate_many(scenario, designs, steps_only=steps_only, threads=1)
    spent = resource.getrusage(resource.RUSAGE_SELF).ru_utime - start
    return spent, int(frame["feasible"].sum())


def by_program(scenario, keys, steps_only):
    vary = [f"{key}={','.join(str(one).lower() for one in values)}" for key, values in keys.items()]
    flags = [flag for one in vary for flag in ("--vary", one)]
    command = [str(Path(sys.executable).parent / "railwright"), "sweep", str(scenario), *flags]
    command += ["--estimate", "--threads", "1", "--out", "none", "--format", "json"]
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    out = subprocess.run(
        command + ["--steps-only"] * steps_only, capture_output=True, check=True
    ).stdout
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start
    return spent, json.loads(out)["feasible"]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    for name, (scenario, keys, steps_only) in SPACES.items():
        designs = pandas.DataFrame(itertools.product(*keys.values()), columns=list(keys))
        python_s, program_s = [], []
        for _ in range(runs):
            spent, fit = by_python(scenario, designs, steps_only)
            python_s.append(spent)
            spent, fit_too = by_program(scenario, keys, steps_only)
            program_s.append(spent)
            assert fit == fit_too
        python, program = (len(designs) / min(times) for times in (python_s, program_s))
        print(
            f"{name}: {len(designs):,} designs, {fit:,} fit; a second of a core: Python {python:,.0f},"
            f" program {program:,.0f}, ratio {python / program:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
