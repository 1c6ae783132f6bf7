# SPDX-License-Identifier: Apache-2.0
"""How a sweep gains by a second worker, and what a worker costs a point: this process's threads, a
process pool, Dask's LocalCluster, a local Ray, and shards with merge as an array of Slurm runs them.

usage: python tests/benchmark/many_machines.py [ESTIMATES SIMULATIONS]   (the package with [cluster])
       of each so many points, 0 for none

Prints a table. `start` is until the workers have done a first task; shards start with their work.
Every way's table is held against the first one's.
"""

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import railwright as rw

SCENARIO = Path(__file__).resolve().parents[2] / "examples" / "neutral-llama-2-7b.yaml"
PROGRAM = Path(sys.executable).parent / "railwright"
WORKERS = (1, 2)


def grid(points):
    """As many combinations of a batch size with NIC counts, tensor parallelism and recompute."""
    batches = [16 * i for i in range(1, points // 12 + 1)]
    return {
        "cluster.node.nics.count": [8, 4],
        "parallelism.tp": [1, 2, 4],
        "software.recompute": ["none", "full"],
        "workload.global_batch": batches,
    }


@contextlib.contextmanager
def threads(workers):
    yield {"threads": workers}


@contextlib.contextmanager
def process_pool(workers):
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        yield {"executor": pool}


@contextlib.contextmanager
def dask(workers):
    from distributed import Client, LocalCluster

    options = {"threads_per_worker": 1, "dashboard_address": None, "host": "127.0.0.1"}
    with LocalCluster(n_workers=workers, **options) as cluster, Client(cluster) as client:
        client.wait_for_workers(workers)
        yield {"executor": client.get_executor()}


@contextlib.contextmanager
def ray(workers):
    import ray as cluster

    cluster.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    try:
        yield {"ray": True}
    finally:
        cluster.shutdown()


def table(path):
    with sqlite3.connect(path) as database:
        return database.execute("SELECT * FROM points ORDER BY point").fetchall()


def in_python(way, workers, vary, estimate, folder):
    """Seconds until the workers stand, seconds of the sweep, and its table."""
    began = time.monotonic()
    with way(workers) as how:
        first = dict(list(vary.items())[:2])  # of another question: nothing of it serves the next
        rw.sweep(SCENARIO, first, estimate=estimate, **how)
        standing = time.monotonic()
        out = folder / f"{way.__name__}-{workers}-{estimate}.sqlite"
        rw.sweep(SCENARIO, vary, out=out, estimate=estimate, **how)
        return standing - began, time.monotonic() - standing, table(out)


def in_shards(workers, vary, estimate, folder):
    """The same with a process a shard and a merge, all of it in one time."""
    words = [w for key, values in vary.items() for w in ("--vary", f"{key}={','.join(map(str, values))}")]
    words += ["--threads", "1"] + (["--estimate"] if estimate else [])
    pieces = [folder / f"{i}-of-{workers}-{estimate}.sqlite" for i in range(1, workers + 1)]
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    began = time.monotonic()
    running = [
        subprocess.Popen(
            [PROGRAM, "sweep", SCENARIO, *words, "--shard", f"{i}/{workers}", "--out", piece],
            stdout=subprocess.DEVNULL,
        )
        for i, piece in enumerate(pieces, 1)
    ]
    if any([one.wait() for one in running]):
        raise SystemExit("a shard failed")
    out = folder / f"all-{workers}-{estimate}.sqlite"
    subprocess.run([PROGRAM, "merge", out, *pieces], **quiet)
    return None, time.monotonic() - began, table(out)


def main():
    sizes = [int(word) for word in sys.argv[1:3]] or [120_000, 600]
    ways = {
        "threads": threads,
        "process pool": process_pool,
        "Dask, LocalCluster": dask,
        "Ray, local": ray,
        "shards and merge": None,
    }
    print(f"{os.cpu_count()} processors, railwright {rw.__version__}\n")
    print("| points | way | start, s | 1 worker, s | 2 workers, s | gain | more than threads, a point |")
    print("|---|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as name:
        for points, estimate in zip(sizes, (True, False)):
            if points == 0:
                continue
            vary, expected, alone = grid(points), None, None
            num_points = 12 * len(vary["workload.global_batch"])
            for what, way in ways.items():
                taken = []
                for workers in WORKERS:
                    arguments = (workers, vary, estimate, Path(name))
                    start, sweep, rows = in_python(way, *arguments) if way else in_shards(*arguments)
                    taken.append(sweep)
                    expected = expected or rows
                    assert rows == expected, f"{what} gives another table"
                alone = alone or taken[0]
                more = 1e6 * (taken[0] - alone) / num_points
                print(
                    f"| {num_points:,} {'estimated' if estimate else 'simulated'} | {what} |"
                    f" {'' if start is None else f'{start:.1f}'} | {taken[0]:.1f} | {taken[1]:.1f} |"
                    f" {taken[0] / taken[1]:.2f} | {'' if way is threads else f'{more:+.0f} µs'} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
