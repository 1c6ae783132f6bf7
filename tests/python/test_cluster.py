# SPDX-License-Identifier: Apache-2.0
"""Sweeps on many machines: a real Dask cluster and a real Ray, each of two workers on loopback.
A worker is killed in the middle; its points are made again, and the table is the same."""

import os
import signal
import sqlite3
import time
import warnings

import pytest
import railwright as rw

pytest.importorskip("numpy")
pytest.importorskip("pandas")

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would ask the network

# 96 points by events: about 4 s of one core.
VARY = {"workload.micro_batch": [1, 2, 3, 4], "cluster.nodes": range(2, 26)}


def table(path):
    with sqlite3.connect(path) as database:
        return database.execute("SELECT * FROM points ORDER BY point").fetchall()


@pytest.fixture(scope="module")
def alone(seven_b, tmp_path_factory):
    out = tmp_path_factory.mktemp("alone") / "t.sqlite"
    rw.sweep(seven_b, VARY, out=out)
    return table(out)


class KillsOne:
    """As `progress`: once rows come in, kills one of the processes and waits until it is dead."""

    def __init__(self, pids):
        self.pids = pids
        self.killed = None

    def __call__(self, what, done, of):
        if self.killed is None and 0 < done < of:
            self.killed = self.pids()[0]
            os.kill(self.killed, signal.SIGKILL)

    def is_dead(self):
        for _ in range(100):
            try:
                with open(f"/proc/{self.killed}/stat", encoding="ascii") as stat:
                    if stat.read().rpartition(")")[2].split()[0] == "Z":
                        return True
            except FileNotFoundError:
                return True
            time.sleep(0.05)
        return False


@pytest.mark.filterwarnings("ignore")
def test_dask(seven_b, alone, tmp_path):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            local_directory=str(tmp_path),
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        before = set(client.run(os.getpid).values())
        killer = KillsOne(lambda: sorted(before))
        result = rw.sweep(
            seven_b, VARY, out=tmp_path / "t.sqlite", executor=client.get_executor(),
            progress=killer,
        )
        assert result.made == 96
        assert killer.killed in before and killer.is_dead()
        client.wait_for_workers(2, timeout=60)
        assert killer.killed not in client.run(os.getpid).values()
    assert table(tmp_path / "t.sqlite") == alone


@pytest.mark.filterwarnings("ignore")
def test_ray(seven_b, alone, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray = pytest.importorskip("ray")
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        _node_ip_address="127.0.0.1",
        object_store_memory=100 << 20,
    )
    try:

        @ray.remote(num_cpus=1)
        def pid():
            time.sleep(0.2)
            return os.getpid()

        workers = lambda: sorted(set(ray.get([pid.remote() for _ in range(4)])))  # noqa: E731
        before = workers()
        killer = KillsOne(lambda: before)
        result = rw.sweep(seven_b, VARY, out=tmp_path / "t.sqlite", ray=True, progress=killer)
        assert result.made == 96
        assert killer.killed in before and killer.is_dead()
        assert killer.killed not in workers()
    finally:
        ray.shutdown()
    assert table(tmp_path / "t.sqlite") == alone
