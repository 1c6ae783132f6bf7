#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random designs through the program: no crash, no hang, no answer that contradicts itself.

random_designs.py PROGRAM [--designs N] [--seed S] [--limit SECONDS] [--max-nodes N] [--keep DIR] [--bounds]

Draws nodes, fabrics, routing, models, layouts and software profiles from the catalogue and runs
each design with `simulate` and `simulate --estimate`. A design fails the test where a run
  - ends with anything but an answer (0), bad input (2) or infeasible (3),
  - takes more than the limit in processor time,
  - prints a number that is not finite, or a breakdown that does not add up to its step time,
  - is feasible in one method and not in the other.
The scenarios that fail are written to --keep. The closing line counts designs and failures; a table
of (estimate / simulation - 1) by kind comes before it. With --bounds the test also fails where fewer
than nine of ten designs are within what docs/models/schedule.md says of their schedule, or one is
beyond its largest difference; of designs that people build (RDMA, four NICs or more, tensor groups
within a node) nine of ten must be within 5 %.
"""

import argparse
import json
import math
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ETHERNET_ALONE = ("aws-p5",)
SERVERS = {
    "dgx-a100": 8,
    "dgx-h100": 8,
    "dgx-h200": 8,
    "xe9680-h100": 8,
    "xe9680-mi300x": 8,
    "hgx-b200": 8,
    "aws-p5": 8,
    "gb200-nvl72": 72,
}
MODELS = {  # layers, heads, experts
    "llama-2-7b": (32, 32, 0),
    "llama-2-70b": (80, 64, 0),
    "llama-3.1-8b": (32, 32, 0),
    "llama-3.1-70b": (80, 64, 0),
    "llama-3.1-405b": (126, 128, 0),
    "gpt-3-175b": (96, 96, 0),
    "mixtral-8x7b": (32, 32, 8),
    "dbrx": (40, 48, 16),
    "deepseek-v3": (61, 128, 256),
}
PROFILES = (
    "nemo-23.11",
    "nemo-24.09",
    "megatron-core-0.12",
    "internevo",
    "llama-3",
    "deepspeed-zero3",
    "megatron-lm-2022",
)
BOUNDS = {  # of nine of ten designs, of all; as docs/models/schedule.md has them
    "no pipeline": (0.05, 0.45),
    "pipeline": (0.05, 0.35),
    "interleaved": (0.15, 0.40),
}
BUILT_BOUNDS = (0.05, math.inf)  # of designs that people build
ROUTINGS = ("adaptive", "ecmp", "static")


def divisors(number, most=1 << 30):
    return [d for d in range(1, min(number, most) + 1) if number % d == 0]


def draw_fabric(draw, nodes, node):
    topology = draw.choice(("rail_optimized", "fat_tree", "leaf_spine"))
    if nodes <= 8 and draw.random() < 0.4:
        topology = "single_switch"
    switch = draw.choice(("qm9790", "z9664f-on"))
    if node in ETHERNET_ALONE:
        switch = "z9664f-on"
    fabric = {"topology": topology, "switch": switch}
    if topology != "single_switch" and draw.random() < 0.5:
        fabric["oversubscription"] = draw.choice((1.5, 2, 3, 4))
    if topology in ("rail_optimized", "fat_tree") and draw.random() < 0.4:
        fabric["tiers"] = draw.choice((2, 3))
    return fabric


def draw_parallelism(draw, model, accelerators, node_size):
    layers, heads, experts = MODELS[model]
    tp = draw.choice([d for d in divisors(heads, 16) if accelerators % d == 0])
    rest = accelerators // tp
    pp = draw.choice([d for d in divisors(rest, 32) if layers % d == 0])
    rest //= pp
    cp = draw.choice([d for d in divisors(rest, 8)]) if draw.random() < 0.25 else 1
    dp = rest // cp
    parallelism = {"tp": tp, "pp": pp, "cp": cp, "sequence_parallel": tp > 1 and draw.random() < 0.7}
    if experts:
        group = [d for d in divisors(experts, 64) if (dp * cp) % d == 0]
        parallelism["ep"] = draw.choice(group)
        parallelism["sequence_parallel"] |= tp > 1 and parallelism["ep"] > 1
    if pp > 2 and draw.random() < 0.4:
        parallelism["virtual_stages"] = draw.choice(divisors(layers // pp, 8))
    return parallelism, dp, pp


def draw_design(draw, max_nodes):
    node = draw.choice(list(SERVERS))
    nodes = draw.choice([n for n in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60, 62, 64, 72, 80, 96,
                                     112, 128, 192, 256, 320, 384, 512) if n <= max_nodes])
    accelerators = nodes * SERVERS[node]
    model = draw.choice(list(MODELS))
    parallelism, dp, pp = draw_parallelism(draw, model, accelerators, SERVERS[node])
    micro_batch = draw.choice((1, 1, 2, 4))
    batch = dp * micro_batch * pp * draw.choice((1, 2, 4))
    fabric = draw_fabric(draw, nodes, node)
    nics = {"count": 72 if node == "gb200-nvl72" else draw.choice((1, 2, 4, 8))}
    if node not in ETHERNET_ALONE:
        ethernet = draw.choice(("roce", "tcp"))
        nics["transport"] = ethernet if fabric["switch"] == "z9664f-on" else "infiniband"
    profiles = [name for name in PROFILES if pp == 1 or name != "deepspeed-zero3"]
    software = {"model": draw.choice(profiles)}
    if draw.random() < 0.3:
        software["zero_stage"] = draw.choice((0, 1, 2, 3) if pp == 1 else (0, 1))
    if draw.random() < 0.3:
        software["recompute"] = draw.choice(("none", "selective", "full"))
    for key in ("overlap_gradient_reduce", "overlap_parameter_gather", "overlap_pipeline"):
        if draw.random() < 0.2:
            software[key] = draw.random() < 0.5
    cluster = {"nodes": nodes, "node": {"model": node, "nics": nics}, "fabric": fabric}
    if draw.random() < 0.7:
        cluster["routing"] = {"policy": draw.choice(ROUTINGS)}
    return {
        "name": "random",
        "workload": {
            "model": model,
            "sequence_length": draw.choice((2048, 4096, 8192)),
            "global_batch": batch,
            "micro_batch": micro_batch,
            "steps": 10,
        },
        "parallelism": parallelism,
        "cluster": cluster,
        "software": software,
    }


def kind_of(design):
    p, s = design["parallelism"], design["software"]
    words = [w for w in ("tp", "cp", "ep", "pp") if p.get(w, 1) > 1]
    if p.get("virtual_stages", 1) > 1:
        words.append("v")
    if s.get("zero_stage") == 3 or s["model"] == "deepspeed-zero3":
        words.append("zero3")
    return "+".join(words) or "dp"


def is_built(design):
    """Whether somebody would build it: RDMA, four NICs or more, tensor groups within a node."""
    node = design["cluster"]["node"]
    nics = node["nics"]
    within = design["parallelism"]["tp"] <= SERVERS[node["model"]]
    return within and nics["count"] >= 4 and nics.get("transport") != "tcp"


class Run:
    """One run of the program: exit code, processor seconds, parsed output, what is wrong."""

    def __init__(self, program, scenario, method, limit):
        command = [program, "simulate", str(scenario), "--format", "json", *method]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        wrong = []
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=20 * limit,
                preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_CPU, (math.ceil(limit) + 1, math.ceil(limit) + 2)
                ),
            )
            self.code, text, self.errors = done.returncode, done.stdout, done.stderr
        except subprocess.TimeoutExpired:
            self.code, text, self.errors = None, "", "waited 20 times the limit"
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.result = {}
        if self.seconds > limit:
            wrong.append(f"took {self.seconds:.1f} s")
        elif self.code not in (0, 2, 3):
            wrong.append(f"ended with {self.code}: {self.errors.strip()[-300:]}")
        if self.code in (0, 3) and text:
            self.result = json.loads(text, parse_constant=lambda word: wrong.append(word) or 0.0)
        if self.code == 0:
            parts = sum(self.result["breakdown"].values())
            if not math.isclose(parts, self.result["step_time_s"], rel_tol=1e-6):
                wrong.append(f"parts {parts} of a step of {self.result['step_time_s']}")
        self.wrong = wrong


def check(program, design, limit, folder):
    """(simulation, estimate, what is wrong) of a design."""
    scenario = Path(folder) / "design.yaml"
    scenario.write_text(json.dumps(design, indent=1))
    simulated = Run(program, scenario, [], limit)
    estimated = Run(program, scenario, ["--estimate"], limit)
    wrong = [f"simulate: {w}" for w in simulated.wrong]
    wrong += [f"simulate --estimate: {w}" for w in estimated.wrong]
    if not wrong and simulated.code != estimated.code:
        wrong.append(f"simulate ends with {simulated.code}, the estimate with {estimated.code}")
    return simulated, estimated, wrong


def print_errors(errors):
    if errors:
        print(f"{'kind':<24}{'designs':>8}{'lowest':>9}{'median':>9}{'highest':>9}{'within 5 %':>12}")
    for kind, values in sorted(errors.items()):
        within = sum(abs(v) <= 0.05 for v in values) / len(values)
        print(
            f"{kind:<24}{len(values):>8}{100 * min(values):>8.1f}%"
            f"{100 * statistics.median(values):>8.1f}%{100 * max(values):>8.1f}%{within:>12.0%}"
        )


def schedule_of(kind):
    words = kind.split("+")
    if "v" in words:
        return "interleaved"
    return "pipeline" if "pp" in words else "no pipeline"


def by_schedule_of(errors):
    """Absolute differences by schedule."""
    by_schedule = defaultdict(list)
    for kind, values in errors.items():
        by_schedule[schedule_of(kind)] += [abs(value) for value in values]
    return by_schedule


def beyond_bounds(errors, errors_of_built):
    """How many bounds the differences do not keep, which it prints."""
    broken = 0
    bounded = [(name, values, BOUNDS[name]) for name, values in by_schedule_of(errors).items()]
    for name, values in by_schedule_of(errors_of_built).items():
        bounded.append((f"{name}, as people build", values, BUILT_BOUNDS))
    for schedule, values, (usual, largest) in sorted(bounded):
        within = sum(value <= usual for value in values) / len(values)
        print(f"{schedule}: {within:.0%} of {len(values)} within {usual:.0%}, all within {max(values):.1%}")
        if within < 0.9:
            broken += 1
            print(f"{schedule}: nine of ten must be within {usual:.0%}")
        if max(values) > largest:
            broken += 1
            print(f"{schedule}: all must be within {largest:.0%}")
    return broken


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--designs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=20.0)
    parser.add_argument("--max-nodes", type=int, default=512)
    parser.add_argument("--keep")
    parser.add_argument("--bounds", action="store_true")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    codes, failures, slowest, errors = Counter(), 0, (0.0, None), defaultdict(list)
    errors_of_built = defaultdict(list)
    messages = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.designs):
            design = draw_design(draw, options.max_nodes)
            simulated, estimated, wrong = check(options.program, design, options.limit, folder)
            codes[simulated.code] += 1
            if simulated.code == 2:
                messages[simulated.errors.splitlines()[0].split(": ", 1)[-1]] += 1
            slowest = max(slowest, (simulated.seconds, number), (estimated.seconds, number))
            if simulated.code == 0 and estimated.code == 0:
                ratio = estimated.result["step_time_s"] / simulated.result["step_time_s"]
                errors[kind_of(design)].append(ratio - 1)
                if is_built(design):
                    errors_of_built[kind_of(design)].append(ratio - 1)
            if not wrong:
                continue
            failures += 1
            print(f"design {number} of seed {options.seed}: {'; '.join(wrong)}")
            if options.keep:
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                path = Path(options.keep) / f"design-{options.seed}-{number}.yaml"
                path.write_text(json.dumps(design, indent=1))
    print_errors(errors)
    for message, count in messages.most_common(5):
        print(f"{count:6} x {message}")
    print(f"exit codes {dict(codes)}; slowest {slowest[0]:.1f} s of processor time, design {slowest[1]}")
    print(f"{options.designs - failures} designs passed, {failures} failed")
    if codes[0] < options.designs / 5:
        print(f"only {codes[0]} designs gave an answer: the program refuses what it should run")
        return 1
    if options.bounds and beyond_bounds(errors, errors_of_built) > 0:
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
