#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what questions cost, beside `simulate` of the same scenario in the same run.

    questions.py RAILWRIGHT [QUESTION ...]

Prints the rows of the table "Questions" of docs/benchmarks.md: processor seconds of one thread, the
median of three runs where one takes less than ten seconds, and the ratio to `simulate`.
"""

import resource
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

LLAMA = "llama3-405b-16384-h100.yaml"
SIZED = [
    "cluster.nodes=1",
    "cluster.fabric={topology: fat_tree, switch: qm9790}",
    "parallelism={}",
    "workload={model: llama-3.1-405b, sequence_length: 8192, global_batch: 2048, steps: 1}",
    "goals={deadline: 90 day, tokens: 15.6e12, max_global_batch: 4096, "
    "parts: {nodes: [xe9680-h100, xe9680-h200, dgx-b200], max_nodes: 4096}}",
]
DEEPSEEK = [
    "workload={model: deepseek-v3, sequence_length: 4096, global_batch: 8192, steps: 1000}",
    "parallelism={pp: 2, ep: 256, loss_as_layer: true}",
    "cluster.nodes=128",
    "software.recompute=full",
]
SERVICE = [
    "inference.requests_per_s=4000",
    "cluster.nodes=128",
    "cluster.fabric={topology: fat_tree, switch: qm9700}",
]


@dataclass
class Question:
    verb: list[str]
    example: str
    settings: tuple[str, ...] = ()
    simulated: tuple[str, ...] = ()  # settings with which `simulate` takes the scenario


QUESTIONS = {
    "explain 405B / 16,384": Question(["explain"], LLAMA),
    "explain pod-256": Question(["explain"], "pod-256.yaml"),
    "search 405B / 16,384": Question(["search"], LLAMA),
    "search DeepSeek-V3 / 1,024": Question(["search"], LLAMA, tuple(DEEPSEEK)),
    "size 405B, 3 node types, to 4,096 nodes": Question(
        ["size"], LLAMA, tuple(SIZED), ("cluster.nodes=2048",)
    ),
    "size the 70B example": Question(["size"], "size-llama2-70b-30-days.yaml", (), ("cluster.nodes=64",
        "workload.global_batch=1024", "parallelism={tp: 4, pp: 4}", "cluster.storage.num_switches=5")),
    "estimate 405B / 16,384": Question(["simulate", "--estimate"], LLAMA),
    "search 70B at 4,000 requests/s": Question(
        ["search"], "serving-llama-3.3-70b.yaml", tuple(SERVICE)
    ),
}


def seconds(command: list[str]) -> float:
    """Processor time of a command, which must not fail."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):  # 3: nothing meets what is wanted
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def median(command: list[str]) -> float:
    times = [seconds(command)]
    if times[0] < 10:
        times += [seconds(command), seconds(command)]
    return statistics.median(times)


def main() -> None:
    program, *chosen = sys.argv[1:]
    print("| question | seconds | simulate | ratio |\n|---|---:|---:|---:|")
    for name in chosen or QUESTIONS:
        question = QUESTIONS[name]
        file = str(EXAMPLES / question.example)

        def with_settings(settings: tuple[str, ...], file: str = file) -> list[str]:
            return [file, "--threads", "1"] + [x for one in settings for x in ("--set", one)]

        simulated = question.simulated
        if not simulated:
            simulated = question.settings
        base = median([program, "simulate", *with_settings(simulated)])
        asked = median([program, *question.verb, *with_settings(question.settings)])
        print(f"| {name} | {asked:.2f} | {base:.3f} | {asked / base:.1f} |", flush=True)


if __name__ == "__main__":
    main()
