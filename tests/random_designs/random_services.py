#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random services through the program: what `try next` advises holds when it is run.

random_services.py PROGRAM [--services N] [--seed S] [--keep DIR]

Draws models, nodes, engines, number formats, loads and latencies, and runs each service with
`simulate`. Where the line `try next` gives settings, the service is run again with them. It fails
the test where
  - the program ends with anything but an answer (0), bad input (2) or infeasible (3),
  - the service with the settings does not fit,
  - a number that the line promises differs from that run's by more than 1 %,
  - it needs more nodes, or for a wanted load more accelerators,
  - nothing that the line may promise gets better by 1 %.
Services that fail are written to --keep. The closing line counts services, advice and failures.
"""

import argparse
import json
import math
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

NODES = {
    "dgx-a100": "qm8700",
    "dgx-h100": "qm9700",
    "dgx-h200": "qm9700",
    "dgx-b200": "qm9700",
    "hgx-h100": "qm9700",
    "gb200-nvl72": "qm9790",
}
MODELS = {  # the widest weights that a node of any of them may hold; whether it has experts
    "llama-2-7b": False,
    "llama-3.1-8b": False,
    "llama-2-70b": False,
    "llama-3.3-70b": False,
    "mixtral-8x7b": True,
    "qwen3-30b-a3b": True,
    "qwen3-235b-a22b": True,
    "gpt-oss-120b": True,
    "deepseek-r1": True,
}
TOLERANCE = 0.01  # of a promised number
UNITS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "min": 60.0, "h": 3600.0}


def draw_load(draw):
    """Requests one by one."""
    load = {
        "requests": draw.choice((1, 20, 50, 100, 300)),
        "arrivals": draw.choice(("poisson", "poisson", "gamma", "even", "at_once")),
        "seed": draw.randrange(1, 1000),
    }
    if draw.random() < 0.4:
        load["prompt_spread"] = draw.choice((0.5, 1, 2))
    if draw.random() < 0.4:
        load["output_spread"] = draw.choice((0.5, 1, 2))
    if draw.random() < 0.3:
        load["routing"] = "fewest_requests"
    if draw.random() < 0.3:
        load["percentile"] = draw.choice((0.5, 0.9, 0.999))
    if draw.random() < 0.2:
        load["replicas"] = draw.choice((1, 2, 4))
    elif draw.random() < 0.15:
        load["autoscaling"] = {
            "max_replicas": draw.choice((2, 4, 8)),
            "target_requests": draw.choice((2, 8, 32)),
        }
    return load


def draw_division(draw, has_experts):
    keys = {}
    if draw.random() < 0.5:
        keys["tp"] = draw.choice((1, 2, 4, 8))
    if has_experts and draw.random() < 0.3:
        keys["attention_dp"] = True
    if draw.random() < 0.3:
        keys["max_batch"] = draw.choice((1, 4, 16, 64, 256))
    if draw.random() < 0.2:
        keys["disaggregated"] = {}
    if draw.random() < 0.1 and "disaggregated" not in keys:
        keys["pp"] = 2
    return keys


def draw_service(draw):
    model = draw.choice(list(MODELS))
    node = draw.choice(list(NODES))
    inference = {
        "model": model,
        "weights": draw.choice(("bf16", "fp8", "fp8")),
        "kv_cache": draw.choice(("bf16", "fp8")),
        "prompt_tokens": draw.choice((64, 512, 1024, 4096)),
        "output_tokens": draw.choice((16, 64, 256, 1024)),
        "redundant_nodes": draw.choice((0, 0, 1)),
        "library": "nccl-2.30",
        "engine": draw.choice(("tensorrt-llm", "vllm", "sglang")),
    }
    if node == "dgx-a100":
        inference["weights"] = "bf16"
    if draw.random() < 0.85:
        inference["requests_per_s"] = draw.choice((0.5, 2, 5, 10, 30, 100))
    if draw.random() < 0.4:
        inference["time_to_first_token"] = draw.choice(("500 ms", "2 s", "10 s"))
    if draw.random() < 0.5:
        inference["time_per_output_token"] = draw.choice(("10 ms", "20 ms", "50 ms"))
    if draw.random() < 0.15:
        inference["speculative"] = {"draft_tokens": draw.choice((1, 3, 5)), "acceptance": 0.6}
    if draw.random() < 0.2:
        inference["prefix_hit_rate"] = draw.choice((0.3, 0.7))
    inference |= draw_division(draw, MODELS[model])
    if draw.random() < 0.55:
        inference["load"] = draw_load(draw)
    fabric = {"topology": draw.choice(("fat_tree", "rail_optimized")), "switch": NODES[node]}
    cluster = {"nodes": draw.choice((1, 2, 8, 32)), "node": node, "fabric": fabric}
    return {"name": "service", "inference": inference, "cluster": cluster}


def run(program, scenario, *options):
    command = [program, "simulate", str(scenario), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def advice_in(text):
    """(settings, promise) of the line `try next`; None if it advises nothing."""
    line = re.search(r"^try next +((?:--set \S+ ?)+): (.*)$", text, re.MULTILINE)
    if line is None:
        return None
    return re.findall(r"--set (\S+)", line[1]), line[2]


def answer(result, scenario):
    """Seconds of a whole answer: of a simulated run the 99th percentile."""
    if result.get("run"):
        return result["run"]["latency"]["p99_s"]
    first, further = result["time_to_first_token_s"], result["time_per_output_token_s"]
    return first + further * (scenario["inference"]["output_tokens"] - 1)


def seconds(text):
    """The times of a text, in seconds."""
    return [
        float(value.replace(",", "")) * UNITS[unit]
        for value, unit in re.findall(r"([\d.,]*\d) (s|ms|us|min|h)\b", text)
    ]


def differs(promised, found):
    return not math.isclose(promised, found, rel_tol=TOLERANCE)


def broken_promise(promise, own, found, scenario):
    """(kind, what is wrong or "") of a promise, against what the run with its settings prints."""
    number = float(re.match(r"[\d.,]*\d", promise)[0].replace(",", "")) if promise[0].isdigit() else 0
    if " in all in place of " in promise:
        kind, counted, before = "nodes", found["num_nodes"], own["num_nodes"]
    elif " in place of " in promise:
        kind, counted, before = "accelerators", found["num_accelerators"], own["num_accelerators"]
    elif "tokens/s an accelerator" in promise:
        key = "accelerator_tokens_per_s"
        better = found[key] >= own[key] * (1 + TOLERANCE) * (1 - 1e-9)
        wrong = "no more tokens/s" if not better else ""
        return "tokens/s", wrong or ("other tokens/s" if differs(number, found[key]) else "")
    elif re.match(r"[\d,]+ requests? in ", promise):
        key = "duration_s"
        times = seconds(promise)
        wrong = "no shorter" if found["run"][key] > own["run"][key] * 0.99 * (1 + 1e-9) else ""
        return "duration", wrong or ("other time" if differs(times[0], found["run"][key]) else "")
    else:
        return "latency", broken_latency(promise, own, found, scenario)
    if counted != number:
        return kind, f"{number:.0f} promised, {counted} found"
    return kind, "" if counted < before else f"{counted} in place of {before}"


def broken_latency(promise, own, found, scenario):
    if answer(found, scenario) > answer(own, scenario) * 0.99 * (1 + 1e-9):
        return "an answer takes as long"
    run_of = found.get("run")
    names = ("time_to_first_token", "time_per_output_token")
    kinds = ("p50", "p99") if run_of else ("",)
    values = [
        run_of[name][f"{kind}_s"] if run_of else found[f"{name}_s"]
        for kind in kinds
        for name in names
    ]
    times = seconds(promise)
    wrong = [f"{p} promised, {v} found" for p, v in zip(times, values) if differs(p, v)]
    return "; ".join(wrong) if len(times) >= len(values) else f"no times in {promise}"


def check(program, service, path):
    """(kind of the advice, "" for none; what is wrong)."""
    path.write_text(json.dumps(service, indent=1))
    own = run(program, path)
    if own.returncode not in (0, 2, 3):
        return "", f"ended with {own.returncode}: {own.stderr.strip()[-300:]}"
    if own.returncode != 0:
        return f"exit code {own.returncode}", ""
    advice = advice_in(own.stdout)
    if advice is None:
        return "none", "" if "try next" in own.stdout else "no line `try next`"
    settings, promise = advice
    options = [word for setting in settings for word in ("--set", setting)]
    before = json.loads(run(program, path, "--format", "json").stdout)
    changed = run(program, path, "--format", "json", *options)
    if changed.returncode != 0:
        return "", f"{settings} ends with {changed.returncode}: {changed.stderr.strip()[-200:]}"
    found = json.loads(changed.stdout)
    kind, wrong = broken_promise(promise, before, found, service)
    has_load = "requests_per_s" in service["inference"] or "load" in service["inference"]
    for key in ("num_nodes", "num_accelerators")[: 2 if has_load else 1]:
        if found[key] > before[key]:
            wrong += f"; {key} {before[key]} becomes {found[key]}"
    return kind + (" of two keys" if len(settings) > 1 else ""), wrong and f"{settings}: {wrong}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--services", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    draw = random.Random(options.seed)
    kinds, failures = Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.services):
            service = draw_service(draw)
            kind, wrong = check(options.program, service, Path(folder) / "service.yaml")
            kinds[kind] += 1
            if not wrong:
                continue
            failures += 1
            print(f"service {number} of seed {options.seed}: {wrong}")
            if options.keep:
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                path = Path(options.keep) / f"service-{options.seed}-{number}.yaml"
                path.write_text(json.dumps(service, indent=1))
    for kind, count in kinds.most_common():
        print(f"{count:6} x {kind}")
    answers = sum(count for kind, count in kinds.items() if not kind.startswith("exit code"))
    advised = answers - kinds["none"] - kinds[""]
    print(
        f"{options.services} services, {answers} with an answer, {advised} with advice, "
        f"{failures} failed"
    )
    if advised < options.services / 10:
        print("too few services had an advice to check")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
