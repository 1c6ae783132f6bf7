# SPDX-License-Identifier: Apache-2.0
"""No key is taken and then ignored: every number and switch of a catalogue entry moves a result of
some scenario, or is refused where a scenario sets it.
Usage: idle_keys_test.py RAILWRIGHT REPOSITORY"""

import json
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

PROGRAM, ROOT = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
OK, _, BAD_INPUT, INFEASIBLE = range(4)
# Little, which also moves what matters always, and so much that what was no limit becomes one.
FACTORS = (0.8, 1.25, 0.02, 50)
NOT_RESULTS = ("name", "basis")
# Keys that change nothing, each with the reason.
WITHOUT_EFFECT = {
    "cluster.storage.switch.latency": "microseconds beside the milliseconds of files",
    "cluster.storage.switch.in_network_reduction": "storage reduces nothing",
    "cluster.storage.switch.packet_spraying": "traffic of storage is always spread",
    "cluster.fabric.switch.split_ways": "no device of these examples is slow enough for a split port",
    "cluster.storage.switch.split_ways": "as of the fabric's",
}


def scenario(name, *settings):
    words = ["simulate", f"examples/{name}.yaml", "--estimate", "--format", "json"]
    for setting in settings:
        words += ["--set", setting]
    return words


NEUTRAL = scenario("neutral-llama-2-7b")
FP8 = scenario("neutral-llama-2-7b", "software=nemo-24.09", "software.precision=fp8")
FP32 = scenario("neutral-llama-2-7b", "software=jax-fsdp", "software.precision=fp32")
TF32 = scenario("neutral-llama-2-7b", "software=jax-fsdp", "software.precision=tf32")
BEST_KERNELS = scenario("neutral-llama-2-7b", "software=nemo-24.09")
SHARDED = scenario("neutral-llama-2-7b", "software=jax-fsdp", "parallelism.tp=1")
IMAGES = scenario("resnet50-f600p")
FEW_READERS = scenario("resnet50-f600p", "data.num_workers=1")
SAVED = scenario("powerscale-checkpoints")
SAVED_BESIDE = scenario(
    "powerscale-checkpoints", "software=nemo-24.09", "checkpoint.mode=asynchronous"
)
# Drives that others keep busy, so that what memory spares them shows.
BUSY_DRIVES = scenario(
    "powerscale-checkpoints", "run.other_loads=[{duration: 30 d, write: 5 GB/s}]",
    "run.incidents=[{time: 10 h, component: software}]",
)  # fmt: skip
MANY_FILES = scenario(
    "powerscale-checkpoints", "checkpoint.files_per_writer=100000", "checkpoint.metadata_operations=3"
)
THREE_TIERS = scenario("rail-optimized-256")
SPRAYED = scenario(
    "pod-256", "cluster.fabric.switch=sn5600", "cluster.node.nics.nic=bluefield-3-supernic"
)
PIPELINE = scenario("llama-2-70b-six-nodes", "software=nemo-24.09", "parallelism.sequence_parallel=false")
WITHOUT_RDMA = scenario("neutral-llama-2-7b", "cluster.node.nics.transport=tcp")
WITHOUT_NVLINK = scenario("neutral-llama-2-7b", "cluster.node.scale_up=none")
CONTEXT = scenario("neutral-llama-2-7b", "software=nemo-24.09", "parallelism.cp=2")
SWAPPED = scenario(
    "neutral-llama-2-7b", "software=nemo-24.09", "parallelism.cp=4", "parallelism.tp=1",
    "software.context_exchange=all_to_all_ring",
)  # fmt: skip
DIVIDED = scenario("neutral-llama-2-7b", "software=nemo-24.09", "parallelism.sequence_parallel=true")
MIXTURE = scenario(
    "neutral-llama-2-7b", "software=nemo-24.09", "workload.model=mixtral-8x7b", "parallelism.tp=1",
    "parallelism.ep=8", "cluster.node.accelerator.memory=1 TB",
)  # fmt: skip
HYBRID = scenario(
    "neutral-llama-2-7b", "software=nemo-24.09", "workload.model=nemotron-h-8b", "parallelism.tp=1",
    "cluster.node.accelerator.memory=1 TB",
)  # fmt: skip
MANY_REPLICAS = scenario(
    "neutral-llama-2-7b", "software=nemo-24.09", "cluster.nodes=6", "parallelism.tp=1",
    "cluster.node.accelerator.memory=1 TB",
)  # fmt: skip
SERVED = ["simulate", "examples/inference-llama-2-70b.yaml", "--format", "json"]
BUILT = ["topology", "examples/llama-2-70b-cost.yaml", "--format", "json"]
STORED = ["topology", "examples/powerscale-checkpoints.yaml", "--format", "json"]
IN_NETWORK = scenario("all-reduce-8-h100-nodes", "benchmark.library={model: nccl-2.30, in_network_reduction: true}")
FAILING = scenario(
    "powerscale-checkpoints",
    "reliability={model: llama-3, failures: [{component: storage_node, mtbf: {value: 10 h, source: test}}]}",
)  # fmt: skip
SLOW_INSIDE = scenario("powerscale-checkpoints", "cluster.storage.node.back_end_port_rate=1 Gb/s")
OFFLOADED = scenario("zero-infinity-1t-dgx-2")

# Kind and name of an entry, the place of its keys in a scenario, and scenarios that they move.
PARTS = [
    ("accelerators", "h100-sxm", "cluster.node.accelerator",
     [NEUTRAL, FP8, FP32, TF32, BEST_KERNELS, IMAGES]),
    ("nodes", "xe9680-h100", "cluster.node",
     [NEUTRAL, SAVED, SAVED_BESIDE, WITHOUT_RDMA, WITHOUT_NVLINK, SERVED, BUILT]),
    ("nodes", "dgx-2", "cluster.node", [OFFLOADED]),
    ("nics", "connectx-7", "cluster.node.nics.nic", [NEUTRAL]),
    ("switches", "qm9790", "cluster.fabric.switch", [NEUTRAL, THREE_TIERS, IN_NETWORK]),
    ("switches", "sn5600", "cluster.fabric.switch", [SPRAYED]),
    ("storage_nodes", "powerscale-f600p", "cluster.storage.node",
     [SAVED, SLOW_INSIDE, MANY_FILES, FEW_READERS, FAILING, STORED, BUSY_DRIVES]),
    ("switches", "s5232f-on", "cluster.storage.switch", [SAVED, IMAGES]),
    ("software", "nemo-24.09", "software", [PIPELINE, NEUTRAL, FP8, CONTEXT, SWAPPED, SAVED_BESIDE, MIXTURE, HYBRID, DIVIDED, MANY_REPLICAS]),
    ("software", "jax-fsdp", "software", [SHARDED]),
]  # fmt: skip


def run(words):
    done = subprocess.run([PROGRAM, *words], cwd=ROOT, capture_output=True, text=True, timeout=280)
    if done.returncode not in (OK, INFEASIBLE):
        return done.returncode, done.stderr
    result = json.loads(done.stdout)
    for key in NOT_RESULTS:
        result.pop(key, None)
    return done.returncode, json.dumps(result, sort_keys=True)


def other_values(entry):
    value, unit = entry["value"], entry.get("unit", "")
    if isinstance(value, bool):
        return ["false" if value else "true"]
    if isinstance(value, int):
        return [str(value + 1), str(2 * value), str(value // 2), "1"]
    if value == 0.0:
        return [f"0.5 {unit}".strip()]
    if isinstance(value, float):
        return [f"{value * factor!r} {unit}".strip() for factor in FACTORS]
    return []


class IdleKeys(unittest.TestCase):
    def answer(self, words):
        if (found := self.answers.get(tuple(words))) is None:
            found = self.answers[tuple(words)] = run(words)
            self.assertIn(found[0], (OK, INFEASIBLE), found[1])
        return found

    def is_idle(self, path, entry, scenarios):
        values = other_values(entry)
        for words in scenarios:
            for value in values:
                code, said = run([*words, "--set", f"{path}={value}"])
                # A value out of its range is refused, which says nothing of those within it.
                if (code != BAD_INPUT or "must be" not in said) and (code, said) != self.answer(words):
                    return False
        return bool(values)

    def idle_keys(self, kind, name, place, scenarios):
        shown = run(["catalogue", "show", name, "--format", "json"])[1]
        entry = json.loads(shown)
        self.assertEqual(entry["kind"], kind)
        for words in scenarios:
            self.answer(words)
        found = [(f"{place}.{key}", value) for key, value in entry["values"].items()]
        with ThreadPoolExecutor(2) as pool:
            idle = pool.map(lambda item: self.is_idle(*item, scenarios), found)
        return {path for (path, _), is_idle in zip(found, idle, strict=True) if is_idle}

    def test_every_number_moves_a_result_or_is_refused(self):
        self.answers = {}
        idle = {}
        for kind, name, place, scenarios in PARTS:
            found = self.idle_keys(kind, name, place, scenarios)
            idle[place] = idle.get(place, found) & found
        self.assertEqual(sorted(set().union(*idle.values())), sorted(WITHOUT_EFFECT))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
