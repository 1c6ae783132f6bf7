# SPDX-License-Identifier: Apache-2.0
"""Draws small scenarios: a training job, several jobs on one storage, a service."""

MODELS = {  # layers, heads, experts
    "mpt-350m": (24, 16, 0),
    "mpt-1b": (24, 16, 0),
    "gpt-5b": (24, 32, 0),
    "llama-2-7b": (32, 32, 0),
    "llama-3.1-8b": (32, 32, 0),
    "llama-2-13b": (40, 40, 0),
    "gpt-22b": (48, 64, 0),
    "llama-2-70b": (80, 64, 0),
    "mixtral-8x7b": (32, 32, 8),
}
NODES = {  # NICs, collective library where it is not the stack's own
    "dgx-a100": (("connectx-6-hdr", "infiniband"),),
    "dgx-h100": (("connectx-7", "infiniband"), ("connectx-7", "roce")),
    "xe9680-h100": (("connectx-7", "infiniband"), ("connectx-7", "roce"), ("connectx-7", "tcp")),
    "xe9680-mi300x": (("bcm57608", "roce"),),
    "r760xa-h100": (("connectx-7", "infiniband"),),
}
SIZES = {"r760xa-h100": 4}  # accelerators of a node; of all others 8
SWITCHES = {"infiniband": ("qm8700", "qm9700", "qm9790"), "roce": ("z9664f-on",), "tcp": ("z9664f-on",)}
STACKS = (
    "nemo-22.08",
    "nemo-23.11",
    "nemo-24.09",
    "megatron-core-0.12",
    "internevo",
    "llama-3",
    "deepspeed-zero3",
)
STORAGE = ("powerscale-f600p", "powerscale-f710")
FLEETS = ("llama-3", "rsc-1", "rsc-2", "crusoe-h200")


def divisors(number, most=1 << 30):
    return [d for d in range(1, min(number, most) + 1) if number % d == 0]


def chance(draw, share):
    return draw.random() < share


def draw_fabric(draw, nodes, transport, switch):
    topology = draw.choice(("rail_optimized", "fat_tree", "leaf_spine", "single_switch"))
    if nodes > 8 and topology == "single_switch":
        topology = "fat_tree"
    fabric = {"topology": topology, "switch": switch}
    if topology != "single_switch" and chance(draw, 0.3):
        fabric["oversubscription"] = draw.choice((2, 3))
    return fabric


def draw_cluster(draw, nodes, storage):
    node = draw.choice(list(NODES))
    nic, transport = draw.choice(NODES[node])
    switch = "qm8700" if nic == "connectx-6-hdr" else draw.choice(SWITCHES[transport][-2:])
    count = draw.choice([n for n in (1, 2, 4, 8) if n <= SIZES.get(node, 8)])
    cluster = {
        "nodes": nodes,
        "node": {"model": node, "nics": {"nic": nic, "count": count, "transport": transport}},
        "fabric": draw_fabric(draw, nodes, transport, switch),
    }
    if storage:
        cluster["storage"] = {
            "node": draw.choice(STORAGE),
            "count": draw.choice((3, 4, 6, 12)),
            "switch": "s5232f-on",
            "num_switches": 2,
        }
    return cluster


def draw_division(draw, model, accelerators):
    """The parallelism, and how many replicas it makes."""
    layers, heads, experts = MODELS[model]
    tp = draw.choice([d for d in divisors(heads, 8) if accelerators % d == 0])
    rest = accelerators // tp
    pp = draw.choice([d for d in divisors(rest, 16) if layers % d == 0])
    rest //= pp
    cp = draw.choice(divisors(rest, 4)) if chance(draw, 0.15) else 1
    dp = rest // cp
    parallelism = {"tp": tp, "pp": pp, "cp": cp}
    parallelism["sequence_parallel"] = tp > 1 and chance(draw, 0.6)
    if experts:
        parallelism["ep"] = draw.choice([d for d in divisors(experts) if (dp * cp) % d == 0])
        parallelism["sequence_parallel"] |= tp > 1 and parallelism["ep"] > 1
    if pp > 1 and chance(draw, 0.5):
        schedule = draw.choice(("1f1b", "1f1b", "zb_h1", "zb_h1", "gpipe", "interleaved"))
        if schedule == "interleaved":
            parallelism["virtual_stages"] = draw.choice(divisors(layers // pp, 8))
        else:
            parallelism["schedule"] = schedule
    return parallelism, dp


def draw_software(draw, pp):
    software = {"model": draw.choice([s for s in STACKS if pp == 1 or s != "deepspeed-zero3"])}
    if chance(draw, 0.5):
        software["zero_stage"] = draw.choice((0, 1, 2, 3) if pp == 1 else (0, 1))
    if chance(draw, 0.4):
        software["recompute"] = draw.choice(("none", "selective", "full"))
    for key in ("overlap_gradient_reduce", "overlap_parameter_gather", "overlap_pipeline"):
        if chance(draw, 0.3):
            software[key] = chance(draw, 0.5)
    return software


def draw_job(draw, node, nodes):
    """Workload, parallelism and software of a job; micro-batches may be fewer than stages."""
    accelerators = nodes * SIZES.get(node, 8)
    model = draw.choice(list(MODELS))
    parallelism, dp = draw_division(draw, model, accelerators)
    micro_batch = draw.choice((1, 1, 2, 4))
    pp = parallelism["pp"]
    microbatches = draw.choice((1, 2, pp, 2 * pp, 4 * pp))
    if parallelism.get("virtual_stages", 1) > 1:
        microbatches = max(microbatches // pp, 1) * pp
    software = draw_software(draw, pp)
    if node == "xe9680-mi300x":
        software["collectives"] = "rccl"
    return {
        "workload": {
            "model": model,
            "sequence_length": draw.choice((512, 1024, 2048, 4096)),
            "global_batch": dp * micro_batch * microbatches,
            "micro_batch": micro_batch,
            "steps": draw.choice((10, 100, 500)),
        },
        "parallelism": parallelism,
        "software": software,
    }


def draw_checkpoint(draw):
    checkpoint = {"interval_steps": draw.choice((5, 10, 50))}
    if chance(draw, 0.4):
        checkpoint["mode"] = "asynchronous"
    return checkpoint


def draw_training(draw, checkpoints=0.7, failures=0.3, max_nodes=16):
    """A training job, with the shares of those that write checkpoints, and that fail."""
    nodes = draw.choice([n for n in (1, 2, 3, 4, 6, 8, 12, 16, 32, 64) if n <= max_nodes])
    writes = chance(draw, checkpoints)
    cluster = draw_cluster(draw, nodes, writes)
    scenario = {"name": "drawn", **draw_job(draw, cluster["node"]["model"], nodes), "cluster": cluster}
    if writes:
        scenario["checkpoint"] = draw_checkpoint(draw)
    if writes and chance(draw, failures):
        scenario["workload"]["steps"] = draw.choice((20000, 100000))
        scenario["checkpoint"] = {"interval_steps": draw.choice((200, 1000))}
        scenario["reliability"] = draw.choice(FLEETS)
        scenario["run"] = {"replicas": 10, "seed": draw.randint(1, 99)}
    return scenario


def draw_jobs(draw):
    """Two to four jobs that share a storage."""
    counts = [draw.choice((1, 2, 4)) for _ in range(draw.randint(2, 4))]
    cluster = draw_cluster(draw, sum(counts), storage=True)
    jobs = []
    for number, nodes in enumerate(counts):
        job = {"name": f"job {number}", "nodes": nodes, **draw_job(draw, cluster["node"]["model"], nodes)}
        if chance(draw, 0.8):
            job["checkpoint"] = draw_checkpoint(draw)
        if chance(draw, 0.3):
            job["start"] = f"{draw.randint(1, 10)} min"
        jobs.append(job)
    return {"name": "drawn", "cluster": cluster, "jobs": jobs}


def draw_service(draw):
    """A service, mostly with a load of its own."""
    nodes = draw.choice((1, 2, 4, 8))
    inference = {
        "model": draw.choice(("llama-2-7b", "llama-2-70b", "llama-3.1-70b", "mixtral-8x7b")),
        "weights": draw.choice(("fp16", "fp8")),
        "kv_cache": draw.choice(("fp16", "fp8")),
        "prompt_tokens": draw.choice((128, 1024, 4000)),
        "output_tokens": draw.choice((32, 256, 1000)),
        "requests_per_s": draw.choice((0.5, 2, 10, 40)),
        "time_to_first_token": draw.choice(("500 ms", "1 s", "4 s")),
        "time_per_output_token": draw.choice(("20 ms", "50 ms", "100 ms")),
        "library": "nccl-2.30",
    }
    if chance(draw, 0.5):
        inference["tp"] = draw.choice((1, 2, 4, 8))
    if chance(draw, 0.7):
        inference["load"] = {"requests": draw.choice((100, 300)), "arrivals": "poisson"}
    if chance(draw, 0.3):
        inference["max_batch"] = draw.choice((8, 32, 128))
    node = draw.choice(("dgx-a100", "dgx-h100", "xe9680-h100"))
    switch = "qm8700" if node == "dgx-a100" else "qm9700"
    return {
        "name": "drawn",
        "inference": inference,
        "cluster": {
            "nodes": nodes,
            "node": node,
            "fabric": {"topology": "single_switch", "switch": switch},
        },
    }
