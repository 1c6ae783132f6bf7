#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Golden numbers of a few jobs by textbook formulas, from the models' published sizes.

Usage: textbook.py --write | --check     (golden.json beside this file)

Nothing here is read from railwright: sizes of the models are those of their papers (Llama 2,
arXiv:2307.09288; Llama 3, arXiv:2407.21783), formulas those of arXiv:2104.04473 and 1910.02054.
"""

import json
import sys
from pathlib import Path

GOLDEN = Path(__file__).with_name("golden.json")

MODELS = {  # layers, width, heads, heads of keys and values, feed-forward width, vocabulary
    "llama-2-7b": (32, 4096, 32, 32, 11008, 32000),
    "llama-2-13b": (40, 5120, 40, 40, 13824, 32000),
    "llama-2-70b": (80, 8192, 64, 8, 28672, 32000),
    "llama-3.1-8b": (32, 4096, 32, 8, 14336, 128256),
}

JOBS = [  # model, nodes of 8, tp, pp, sequence, batch, other settings
    ("llama-2-7b", 2, 2, 1, 4096, 144, []),
    ("llama-2-13b", 4, 4, 1, 4096, 128, []),
    ("llama-2-13b", 4, 2, 4, 4096, 64, []),
    ("llama-2-70b", 8, 8, 1, 4096, 64, ["software.recompute=full"]),
    ("llama-3.1-8b", 2, 4, 1, 8192, 64, []),
]


def golden(model, nodes, tp, pp, sequence, batch, more):
    layers, width, heads, kv_heads, ffn, vocabulary = MODELS[model]
    head = width // heads
    attention = width * heads * head * 2 + width * kv_heads * head * 2
    matrices = layers * (attention + 3 * width * ffn)
    norms = (2 * layers + 1) * width
    table = vocabulary * width
    parameters = matrices + norms + 2 * table
    tokens = batch * sequence
    dp = 8 * nodes // (tp * pp)
    expected = {
        "num_parameters": parameters,
        "tokens_per_step": tokens,
        # 2 bytes of weight, 12 of master weight and two moments
        "checkpoint_bytes": 14 * parameters,
        # 6 operations a token and weight of a product, 12 L h s a token for attention
        "model_flops_per_step": 6 * tokens * (matrices + table)
        + 12 * layers * width * sequence * tokens,
        # of a step: a stage waits for pp - 1 micro-batches beside its own m
        "bubble_fraction": (pp - 1) / (batch / dp + pp - 1),
    }
    if pp == 1:  # norms are on each tensor rank; ZeRO-1 divides the optimizer over replicas
        held = (parameters - norms) / tp + norms
        expected["parameters_bytes"] = 2 * held
        expected["gradients_bytes"] = 4 * held
        expected["optimizer_state_bytes"] = 12 * held / dp
    settings = [
        f"workload.model={model}",
        f"workload.sequence_length={sequence}",
        f"workload.global_batch={batch}",
        f"parallelism.tp={tp}",
        f"parallelism.pp={pp}",
        f"cluster.nodes={nodes}",
        *more,
    ]
    name = f"{model} tp {tp} pp {pp} on {nodes} nodes"
    return {"name": name, "settings": settings, "expected": expected}


def main():
    cases = [golden(*job) for job in JOBS]
    text = json.dumps({"scenario": "examples/neutral-llama-2-7b.yaml", "relative_tolerance": 1e-9,
                       "peak_flops": 989.4e12, "cases": cases}, indent=2) + "\n"
    if sys.argv[1:] == ["--write"]:
        GOLDEN.write_text(text, encoding="utf-8")
        return 0
    if sys.argv[1:] == ["--check"]:
        is_current = GOLDEN.read_text(encoding="utf-8") == text
        return 0 if is_current else "golden.json is not what textbook.py computes"
    return __doc__


if __name__ == "__main__":
    sys.exit(main())
