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


class Diary:
    """What each worker began and ended, a file a process: the task's points, as "begun 8 9 10 11"."""

    def __init__(self, folder):
        self.folder = folder
        self.go_on = folder.with_name("go_on")
        folder.mkdir()

    def keep(self, monkeypatch):
        """Tasks write it. Until one was killed they take 5 s, to be met in the middle."""
        folder, go_on = str(self.folder), str(self.go_on)

        def make_rows(question, points):
            import os
            import time

            from railwright._workers import make_rows

            def note(what):
                with open(f"{folder}/{os.getpid()}", "a", encoding="ascii") as diary:
                    print(what, *points.tolist(), file=diary)

            note("begun")
            for _ in range(500):
                if os.path.exists(go_on):
                    break
                time.sleep(0.01)
            rows = make_rows(question, points)
            note("ended")
            return rows

        monkeypatch.setattr("railwright._workers.make_rows", make_rows)

    def of(self, pid):
        """The sets of points begun and ended by a process."""
        path = self.folder / str(pid)
        lines = [line.split() for line in path.read_text(encoding="ascii").splitlines()]
        begun, ended = (
            {point for what, *points in lines if what == word for point in points}
            for word in ("begun", "ended")
        )
        return begun, ended

    def pids(self):
        return sorted(int(path.name) for path in self.folder.iterdir())

    def in_the_middle(self):
        """A process that has just begun a task; none where all tasks that were sent have ended."""
        for _ in range(250):
            for pid in self.pids():
                begun, ended = self.of(pid)
                age = time.time() - (self.folder / str(pid)).stat().st_mtime
                if begun - ended and age < 2.0:
                    return pid
            time.sleep(0.01)
        return None


class KillsOne:
    """As `progress`: once rows come in, kills a process in the middle of a task.

    A sweep sends no task while it waits here, so where none is under way the next call tries again.
    """

    def __init__(self, diary):
        self.diary = diary
        self.killed = None

    def __call__(self, what, done, of):
        if self.killed is None and 0 < done < of:
            self.killed = self.diary.in_the_middle()
            if self.killed is None:
                return
            os.kill(self.killed, signal.SIGKILL)
            self.diary.go_on.touch()

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

    def check(self):
        """It died with points begun and not ended; others began these again and ended them."""
        assert self.killed is not None, "no task was under way when rows came in"
        assert self.is_dead()
        begun, ended = self.diary.of(self.killed)
        lost = begun - ended
        assert len(lost) == 4, "a task's points"
        for word in (0, 1):
            elsewhere = [
                self.diary.of(pid)[word] for pid in self.diary.pids() if pid != self.killed
            ]
            assert lost <= set().union(*elsewhere)


@pytest.mark.filterwarnings("ignore")
def test_dask(seven_b, alone, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    diary = Diary(tmp_path / "diary")
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
        workers = set(client.run(os.getpid).values())
        diary.keep(monkeypatch)
        killer = KillsOne(diary)
        result = rw.sweep(
            seven_b,
            VARY,
            out=tmp_path / "t.sqlite",
            executor=client.get_executor(),
            progress=killer,
        )
        assert result.made == 96
        killer.check()
        assert killer.killed in workers
        client.wait_for_workers(2, timeout=60)
        assert killer.killed not in client.run(os.getpid).values()
    assert table(tmp_path / "t.sqlite") == alone


@pytest.mark.filterwarnings("ignore")
def test_ray(seven_b, alone, tmp_path, monkeypatch):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray = pytest.importorskip("ray")
    diary = Diary(tmp_path / "diary")
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
        diary.keep(monkeypatch)
        killer = KillsOne(diary)
        result = rw.sweep(seven_b, VARY, out=tmp_path / "t.sqlite", ray=True, progress=killer)
        assert result.made == 96
        killer.check()
        assert killer.killed not in workers()
    finally:
        ray.shutdown()
    assert table(tmp_path / "t.sqlite") == alone
