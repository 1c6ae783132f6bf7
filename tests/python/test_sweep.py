# SPDX-License-Identifier: Apache-2.0
"""Sweeps: the same table from threads, from processes, in memory and on disk."""

import sqlite3
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context

import pytest
import railwright as rw

numpy = pytest.importorskip("numpy")
pandas = pytest.importorskip("pandas")

VARY = {
    "cluster.node.nics.count": [8, 4],
    "parallelism.tp": [1, 2, 4],
    "workload.micro_batch": [1, 2, 3],
    "software.recompute": ["none", "full"],
}


def table(path):
    with sqlite3.connect(path) as database:
        return database.execute("SELECT * FROM points ORDER BY point").fetchall()


@pytest.fixture(scope="module")
def by_program(seven_b, program, tmp_path_factory):
    out = tmp_path_factory.mktemp("program") / "t.sqlite"
    vary = [f"{key}={','.join(map(str, values))}" for key, values in VARY.items()]
    flags = [flag for one in vary for flag in ("--vary", one)]
    code, _, err = program("sweep", seven_b, "--estimate", "--out", out, *flags)
    assert code == 0, err
    return out


def test_a_table_on_disk_is_the_programs(seven_b, by_program, tmp_path):
    told = []
    out = tmp_path / "t.sqlite"
    result = rw.sweep(
        seven_b, VARY, out=out, estimate=True, progress=lambda *news: told.append(news)
    )
    assert result.points == result.made == 36
    assert table(out) == table(by_program)
    assert told[-1] == ("points", 36, 36)
    again = rw.sweep(seven_b, VARY, out=by_program, estimate=True)
    assert (again.found, again.made) == (36, 0), "the program's table is gone on with"
    assert "36 points" in repr(result)


@pytest.mark.parametrize("ending", ["sqlite", "csv", "jsonl"])
def test_tables_read_back_alike(seven_b, tmp_path, ending):
    in_memory = rw.sweep(seven_b, VARY, estimate=True).to_pandas()
    on_disk = rw.sweep(seven_b, VARY, out=tmp_path / f"t.{ending}", estimate=True).to_pandas()
    assert list(in_memory.columns) == list(on_disk.columns)
    assert list(in_memory.index) == list(on_disk.index) == list(range(36))
    for key in ("step_time_s", "training_time_s", "num_accelerators", "parallelism.tp"):
        pandas.testing.assert_series_equal(
            in_memory[key].astype(float), on_disk[key].astype(float), rtol=1e-12
        )
    assert in_memory["feasible"].equals(on_disk["feasible"])
    assert in_memory["feasible"].isna().any(), "micro-batches of 2 do not divide what three of them share"


def test_rows_are_those_of_simulate(seven_b):
    frame = rw.sweep(seven_b, {"parallelism.tp": [1, 2], "cluster.nodes": [2, 3]}).to_pandas()
    for _, row in frame.iterrows():
        settings = [f"{key}={row[key]}" for key in ("parallelism.tp", "cluster.nodes")]
        result = rw.simulate(seven_b, set=settings)
        assert bool(row["feasible"]) == result.feasible
        if result.feasible:
            assert row["step_time_s"] == result.step_time_s


def test_rows_of_several_jobs_are_those_of_simulate(examples):
    scenario = examples / "three-jobs-one-powerscale.yaml"
    result = rw.sweep(scenario, {"cluster.storage.count": [3, 6], "jobs.2.nodes": [1, 2]})
    assert result.shortest_makespan["point"] == 2, "six storage nodes; the 70B model ends last"
    assert result.min_slowdown["max_slowdown"] == 1
    for _, row in result.to_pandas().iterrows():
        settings = [f"{key}={row[key]}" for key in ("cluster.storage.count", "jobs.2.nodes")]
        one = rw.simulate(scenario, set=settings)
        assert row["makespan_s"] == one.makespan_s == max(
            start + job.training_time_s for start, job in zip((0, 3600, 1800), one.jobs)
        )
        assert row["max_slowdown"] == one.max_slowdown
        assert row["run_peak_read_bytes_per_s"] == one.storage.run_peak_read_bytes_per_s


def test_steps_alone_and_shards(seven_b, tmp_path):
    pieces = [tmp_path / f"{i}.sqlite" for i in (1, 2)]
    for i, piece in enumerate(pieces, 1):
        rw.sweep(seven_b, VARY, out=piece, estimate=True, steps_only=True, shard=f"{i}/2")
    merged = rw.merge(tmp_path / "all.sqlite", pieces)
    assert merged.complete and merged.rows == 36
    whole = tmp_path / "whole.sqlite"
    frame = rw.sweep(seven_b, VARY, out=whole, estimate=True, steps_only=True).to_pandas()
    assert "training_time_s" not in frame
    assert table(tmp_path / "all.sqlite") == table(whole)


@pytest.mark.parametrize("ending", ["sqlite", "csv"])
def test_a_process_pool_gives_the_same_table(seven_b, tmp_path, ending):
    alone, together = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    rw.sweep(seven_b, VARY, out=alone, estimate=True)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        result = rw.sweep(seven_b, VARY, out=together, estimate=True, executor=pool)
        in_memory = rw.sweep(seven_b, VARY, estimate=True, executor=pool)
    assert result.made == 36
    if ending == "sqlite":
        assert table(together) == table(alone)
    else:
        assert together.read_bytes() == alone.read_bytes()
    pandas.testing.assert_frame_equal(
        in_memory.to_pandas(), rw.sweep(seven_b, VARY, estimate=True).to_pandas()
    )


class BreaksAfter(Executor):
    """Runs so many tasks, then is as a pool whose worker was killed."""

    def __init__(self, tasks):
        self.tasks = tasks

    def submit(self, fn, /, *args):
        from concurrent.futures.process import BrokenProcessPool

        future = Future()
        self.tasks -= 1
        if self.tasks < 0:
            future.set_exception(BrokenProcessPool("killed"))
        else:
            future.set_result(fn(*args))
        return future


def test_what_a_lost_worker_leaves_is_gone_on_with(seven_b, by_program, tmp_path):
    out = tmp_path / "t.sqlite"
    vary = {**VARY, "cluster.nodes": [2, 3]}  # 72 points, 4 a task
    with pytest.raises(rw.TableError, match="the same call resumes"):
        rw.sweep(seven_b, vary, out=out, executor=BreaksAfter(3))
    assert len(table(out)) == 12
    result = rw.sweep(seven_b, vary, out=out)
    assert (result.found, result.made) == (12, 60)
    whole = tmp_path / "whole.sqlite"
    rw.sweep(seven_b, vary, out=whole)
    assert table(out) == table(whole)


def test_a_table_of_another_question_is_refused(seven_b, by_program):
    with pytest.raises(rw.ConfigError):
        rw.sweep(seven_b, {"parallelism.tp": [1]}, out=by_program, estimate=True)


def test_unknown_keys_are_refused(seven_b):
    with pytest.raises(rw.ConfigError, match="unknown key"):
        rw.sweep(seven_b, {"parallelism.pt": [1, 2]}, estimate=True)
    with pytest.raises(rw.ConfigError, match="unknown key"):
        rw.estimate_many(seven_b, {"parallelism.pt": [1, 2]})


def test_many_designs_at_once(seven_b):
    columns = {
        "cluster.nodes": numpy.array([2, 3, 2, 4]),
        "parallelism.tp": [1, 2, 1, 3],
        "cluster.node.nics.nic.line_rate": ["400 Gb/s", "200 Gb/s", "400 Gb/s", "100 Gb/s"],
    }
    index = pandas.Index(["a", "b", "c", "d"])
    frame = rw.estimate_many(seven_b, pandas.DataFrame(columns, index=index))
    assert list(frame.index) == list(index)
    assert list(frame.columns[:3]) == list(columns)
    for name, row in frame.iterrows():
        settings = [f"{key}={row[key]}" for key in columns]
        if name == "d":
            with pytest.raises(rw.ConfigError):
                rw.estimate(seven_b, set=settings)
            assert pandas.isna(row["feasible"]) and row["error"]
            continue
        result = rw.estimate(seven_b, set=settings)
        assert row["step_time_s"] == pytest.approx(result.step_time_s, rel=1e-12)
        assert row["training_time_s"] == pytest.approx(result.training_time_s, rel=1e-9)
    assert frame.loc["a"].equals(frame.loc["c"])
    assert rw.estimate_many(seven_b, columns).reset_index(drop=True).equals(
        frame.reset_index(drop=True)
    )


def test_many_designs_may_differ_in_slow_keys(seven_b):
    """More of them than a YAML file may have nodes."""
    from railwright import _many, _workers

    rates = [f"{400 + i / 1e4:.4f} Gb/s" for i in range(60_000)]
    frame = pandas.DataFrame({"cluster.node.nics.nic.line_rate": rates, "parallelism.tp": 2})
    plan = _many._Plan(frame)
    source = _many._with_cases(seven_b, (), plan.cases)
    sweep = _workers.question_of(source, plan.vary, True, True).sweep(threads=1)
    assert sweep.num_points == len(plan.points) == 60_000
    first = sweep.make(plan.points[:3]).numbers()[:, 5]
    expected = [
        rw.estimate(seven_b, set=[f"cluster.node.nics.nic.line_rate={rate}"]).step_time_s
        for rate in rates[:3]
    ]
    assert list(first) == pytest.approx(expected, rel=1e-12)


def test_many_designs_refuse_what_is_ambiguous(seven_b):
    with pytest.raises(ValueError, match="missing values"):
        rw.estimate_many(seven_b, {"cluster.nodes": [2, None]})
    with pytest.raises(ValueError, match="vary one of them"):
        rw.estimate_many(
            seven_b, {"cluster.node.nics": ["connectx-7"], "cluster.node.nics.count": [4]}
        )


def test_rows_are_views(seven_b):
    from railwright import _core, _data
    from railwright._scenario import native

    sweep = _core.Sweep(
        native(seven_b), ["parallelism.tp=1,2"], True, False, "", 1, 0, _data.catalogue_roots()
    )
    rows = sweep.make(numpy.array([1, 0]))
    numbers = rows.numbers()
    assert rows.points().tolist() == [1, 0]
    assert not numbers.flags.owndata and not numbers.flags.writeable
    del rows, sweep
    assert numpy.isfinite(numbers[:, 5]).all(), "the array keeps its rows"
