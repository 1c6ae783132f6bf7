#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far random steps are from their closed form, and from what the program says of that.

estimate_errors.py PROGRAM [--designs N] [--seed S] [--max-nodes N] [--keep DIR]

Draws training jobs, also with few micro-batches and split backward passes, and runs each simulated
and with --estimate. The test fails where events differ by more than the estimate says
(`closed_form_error.largest`) or where less than 85 % of all designs are within what it calls usual.
The table has the differences by what is approximated and by the share of the step that moves data.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import drawing
from next_changes import Program

MOVING = (
    "overlap_slowdown",
    "tensor_parallel",
    "expert_parallel",
    "context_parallel",
    "pipeline_transfer",
    "gradient_reduce",
    "parameter_gather",
)
SHARES = (0.1, 0.2, 0.4, 0.6, 1.0)
SAME_STEP = ("--set", "run.step_time=1s")  # of the run alone: no change is looked for


def share_of_moving_data(result):
    return sum(result["breakdown"][cause] for cause in MOVING) / result["step_time_s"]


def print_table(differences):
    """By what is usual, which tells the reason of the approximation."""
    print(f"{'usual':>8}{'share':>8}{'designs':>9}{'90 %':>8}{'most':>8}{'stated':>8}")
    for (usual, share), values in sorted(differences.items()):
        ordered = sorted(difference for difference, _ in values)
        print(
            f"{usual:>8.1%}{share:>8.0%}{len(values):>9}{ordered[int(0.9 * (len(ordered) - 1))]:>8.1%}"
            f"{ordered[-1]:>8.1%}{max(stated for _, stated in values):>8.1%}"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--designs", type=int, default=100, help="designs that give an answer")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-nodes", type=int, default=16)
    parser.add_argument("--keep")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    differences, num_designs, num_usual, num_beyond = defaultdict(list), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options.program, folder)
        for number in range(8 * options.designs):
            if num_designs == options.designs:
                break
            design = drawing.draw_training(draw, checkpoints=0, max_nodes=options.max_nodes)
            program.file.write_text(json.dumps(design, indent=1))
            code, estimate = program.result("--estimate", *SAME_STEP)
            if code != 0:
                continue
            code, events = program.result(*SAME_STEP)
            num_designs += 1
            stated = estimate["closed_form_error"]
            difference = abs(events["step_time_s"] / estimate["step_time_s"] - 1)
            share = share_of_moving_data(estimate)
            kind = (stated["usual"], next(limit for limit in SHARES if share <= limit + 1e-9))
            differences[kind].append((difference, stated["largest"]))
            num_usual += difference <= stated["usual"]
            if difference <= stated["largest"]:
                continue
            num_beyond += 1
            print(f"design {number}: {difference:.1%} from events, {stated['largest']:.1%} stated")
            if options.keep:
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                name = f"estimate-{options.seed}-{number}.yaml"
                (Path(options.keep) / name).write_text(json.dumps(design, indent=1))
    print_table(differences)
    print(f"{num_designs} designs, {num_beyond} beyond what is stated, {num_usual} as usual")
    too_few = num_designs < options.designs
    return 1 if num_beyond or too_few or num_usual < 0.85 * num_designs else 0


if __name__ == "__main__":
    sys.exit(main())
