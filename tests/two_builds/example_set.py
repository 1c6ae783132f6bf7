# SPDX-License-Identifier: Apache-2.0
"""The example set: every verb that has an example, with the arguments that make it print JSON."""

from pathlib import Path

# Of these the rows, which go to a table, are the result.
TABLE = "TABLE"

SIMULATED = [
    *("all-reduce-8-h100-nodes", "checkpoints-on-local-drives", "inference-llama-2-70b"),
    *("serving-llama-3.3-70b", "serving-disaggregated", "serving-prefixes-on-files", "serving-prefix-cache",
      "serving-llama-3.1-405b-two-nodes", "serving-autoscaled", "serving-64-users",
      "serving-2000-users",
      "serving-deepseek-r1-wide"),
    *("inference-offload-bloom", "llama-2-70b-cost", "llama-2-70b-six-nodes"),
    *("mi300x-fine-tuning", "neutral-llama-2-7b", "one-leaf-down", "pod-256"),
    *("powerscale-checkpoints", "queue-month-2000-gpus", "rail-optimized-256", "resnet-18"),
    *("resnet50-f600p", "post-training-qwen3-8b", "power-loss-eight-jobs", "powerscale-two-pools"),
    *("storage-on-infiniband", "three-jobs-one-powerscale", "two-qm9790-24-nodes"),
    "three-teams-as-loads",
    *("two-qm9790-8-nodes", "zero-infinity-1t-dgx-2"),
    *("qlora-llama-2-70b", "llama-2-70b-rented"),
    *("p-tuning-llama-2-7b", "lemon-nodes-512-gpus", "long-context-llama-3.1-8b"),
    *("racks-fail-together", "mlperf-storage-unet3d"),
    *("sft-packed-qwen3-32b", "transfer-learning-llama-2-7b", "sft-qwen3-vl-8b-images",
      "serving-qwen3-vl-images"),
    "serving-glm-5.2-long-prompts",
    *("two-generations", "one-job-two-generations"),
]
ESTIMATED = ["llama3-405b-16384-h100", "llama3-405b-54-days", "front-end-512-nodes",
             "kimi-k2-muon"]
COMPARED = ["nic-wiring", "xe9680-4-vs-8-nics"]
SEARCHED = ["search-h20003-cluster"]
CHECKED = ["offer-refuted-claims", "offer-24-xe9680"]
SIZED = ["size-most-tokens-20-million", "size-llama2-70b-30-days", "power-loss-eight-jobs"]
EXPLAINED = ["neutral-llama-2-7b"]
TOPOLOGIES = ["pod-256", "storage-on-infiniband", "oversubscribed-three-tiers", "two-generations"]


def example(name):
    return f"examples/{name}.yaml"


def example_set():
    """(name, arguments) of every run; arguments that differ only in --threads are not among them."""
    runs = [(f"simulate {name}", ["simulate", example(name)]) for name in SIMULATED]
    runs += [(f"estimate {name}", ["simulate", "--estimate", example(name)]) for name in ESTIMATED]
    runs += [(f"compare {name}", ["compare", example(name)]) for name in COMPARED]
    runs += [("compare nic-break-even", ["compare", "--estimate", example("nic-break-even")])]
    runs += [(f"search {name}", ["search", example(name)]) for name in SEARCHED]
    runs += [(f"size {name}", ["size", example(name)]) for name in SIZED]
    runs += [(f"check {name}", ["check", example(name)]) for name in CHECKED]
    runs += [(f"explain {name}", ["explain", "--estimate", example(name)]) for name in EXPLAINED]
    runs += [(f"diagnose {name}", ["diagnose", "--estimate", example(name), "--measured", "5.2s"])
             for name in EXPLAINED]
    runs += [(f"topology {name}", ["topology", example(name)]) for name in TOPOLOGIES]
    sweep = ["sweep", example("sweep-nics-and-batch"), "--estimate", "--out", TABLE]
    runs += [("sweep sweep-nics-and-batch", sweep)]
    rates = ["sweep", example("sweep-nics-and-rates"), "--out", TABLE]
    runs += [("sweep sweep-nics-and-rates", rates)]
    loading = ["sweep", example("sweep-data-loading"), "--estimate", "--out", TABLE]
    runs += [("sweep sweep-data-loading", loading)]
    jobs = ["sweep", example("sweep-jobs-on-storage"), "--out", TABLE]
    runs += [("sweep sweep-jobs-on-storage", jobs)]
    fit = ["calibrate", "examples/measured/megatron.log", "--scenario", example("neutral-llama-2-7b")]
    runs += [("calibrate megatron.log", fit)]
    return [(name, [*arguments, "--format", "json"]) for name, arguments in runs]


def takes_threads(arguments):
    return arguments[0] in ("simulate", "compare", "search", "size", "explain", "diagnose", "sweep", "calibrate")


def missing_examples(root):
    """Examples that no run of the set reads."""
    # Read with another one, or as long as the tests may take as a whole.
    besides = {"calibrate-h20003", "search-gpt3-175b-1024-a100", "size-gpt3-175b-112-days",
               "size-1-mw-by-june"}
    text = " ".join(word for _, arguments in example_set() for word in arguments)
    names = {path.stem for path in Path(root, "examples").glob("*.yaml")} - besides
    return sorted(name for name in names if f"/{name}.yaml" not in text)
