# SPDX-License-Identifier: Apache-2.0
"""rw.estimate_many against `railwright sweep`, the same designs on one thread each, in one run.

usage: python tests/benchmark/estimate_many.py  (with the package installed)
"""

import itertools
import json
import subprocess
import sys
import time
from pathlib import Path

import pandas
import railwright as rw

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "search-gpt3-175b-1024-a100.yaml"
KEYS = {
    "parallelism.tp": [1, 2, 4, 8],
    "parallelism.pp": [1, 2, 4, 8, 16, 32],
    "parallelism.virtual_stages": [1, 2, 3],
    "workload.micro_batch": [1, 2, 4, 8],
    "software.recompute": ["none", "selective", "full"],
    "software.zero_stage": [0, 1, 2],
    "parallelism.sequence_parallel": [False, True],
    "workload.global_batch": [256 * i for i in range(1, 13)],
}


def by_python(designs):
    start = time.perf_counter()
    frame = rw.estimate_many(SCENARIO, designs, steps_only=True, threads=1)
    return time.perf_counter() - start, int(frame["feasible"].sum())


def by_program():
    vary = [f"{key}={','.join(str(value).lower() for value in values)}" for key, values in KEYS.items()]
    flags = [flag for one in vary for flag in ("--vary", one)]
    command = [str(Path(sys.executable).parent / "railwright"), "sweep", str(SCENARIO), *flags]
    command += ["--estimate", "--steps-only", "--threads", "1", "--out", "none", "--format", "json"]
    summary = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return summary["time_s"], summary["feasible"]


def main():
    designs = pandas.DataFrame(itertools.product(*KEYS.values()), columns=list(KEYS))
    for _ in range(3):
        (python_s, python_feasible), (program_s, program_feasible) = by_python(designs), by_program()
        assert python_feasible == program_feasible
        print(
            f"{len(designs)} designs: Python {len(designs) / python_s:,.0f} a second,"
            f" program {len(designs) / program_s:,.0f}, ratio {program_s / python_s:.2f}"
        )


if __name__ == "__main__":
    main()
