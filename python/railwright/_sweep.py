# SPDX-License-Identifier: Apache-2.0
"""sweep: evaluates every point of a grid into a table, on one machine or on many."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from railwright import _core, _tables
from railwright._results import Result
from railwright._scenario import ScenarioLike, Settings, native
from railwright._verbs import Progress
from railwright._workers import Executor, Ray, by_workers, question_of

if TYPE_CHECKING:
    import pandas

# Points per task: about a second of work, so that a lost worker costs little.
_POINTS_OF_A_TASK = {"estimate": 2048, "simulate": 4}


class SweepResult(Result):
    """Result of sweep(); its docstring names the keys."""

    __slots__ = ("_frame",)

    if TYPE_CHECKING:
        name: str
        points: int
        feasible: int
        out: str

    def __init__(self, data: dict[str, Any], frame: pandas.DataFrame | None = None):
        super().__init__(data)
        self._frame = frame

    def __repr__(self) -> str:
        return (
            f"<SweepResult {self.name!r}: {self.points:,} points, {self.feasible:,} feasible,"
            f" in {self.out}>"
        )

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the table, one row per point, in the order of the points."""
        return self._frame if self._frame is not None else _tables.read(self.out)


def sweep(
    scenario: ScenarioLike,
    vary: Mapping[str, Iterable[Any]] | Settings = (),
    out: str | os.PathLike[str] | None = None,
    set: Settings = (),
    estimate: bool = False,
    steps_only: bool = False,
    shard: str = "",
    threads: int = 0,
    executor: Executor | None = None,
    ray: bool = False,
    progress: Progress | None = None,
) -> SweepResult:
    """Evaluates every combination of the values of some keys, one row per point.

    Parameters:
        scenario: as for simulate().
        vary: values by key ({"parallelism.tp": [1, 2, 4]}); they add to the scenario's `sweep` or
            replace its values.
        out: a .sqlite, .csv or .jsonl file; without it the table is only in memory. An existing
            file of the same sweep is resumed: after Ctrl-C, a crash or a lost worker the same call
            computes the missing rows, and the final table is identical.
        set: values over those of the scenario, a dict or "path=value" texts.
        estimate: use the closed form instead of simulated events.
        steps_only: skip the run that the steps are part of.
        shard: "2/8" takes every eighth point from the second on.
        threads: of this process, which compute the rows by default; 0 uses every core.
        executor: any concurrent.futures.Executor whose workers have railwright: a process pool, or
            dask.distributed's `client.get_executor()`.
        ray: use the Ray cluster that RAY_ADDRESS or an earlier ray.init() names, else a local one.
        progress: called as `progress(what, done, all)`, repeatedly.

    Whoever computes the rows, they are identical. Ctrl-C ends the call after the current points.

    The result has `points`, `found` (in the table before), `made`, `feasible`, `infeasible`,
    `errors`, `shortest_step` and `max_throughput` (with `settings`, as for `set`), `time_s`, and
    `to_pandas()`. In place of these two best points a service has `min_nodes` and `max_throughput`,
    a queue `shortest_wait` and `max_useful`, several jobs `shortest_makespan` and `min_slowdown`. Raises ConfigError, and TableError if the table cannot be written.
    """
    question = question_of(native(scenario, set), vary, estimate, steps_only)
    checked = question.sweep(shard, threads)
    if out is not None and executor is None and not ray:
        return SweepResult(json.loads(checked.run(os.fspath(out), progress)))
    run = _core.SweepRun(checked, "none" if out is None else os.fspath(out))
    kept: list[_core.Rows] = []
    size = _POINTS_OF_A_TASK["estimate" if estimate else "simulate"]
    if executor is None and not ray:
        made = _by_threads(checked, run, size * (threads or os.cpu_count() or 1))
    else:
        sent = dataclasses.replace(question, fingerprint=checked.fingerprint)
        made = by_workers(run, sent, Ray() if executor is None else executor, size)
    try:
        for rows in made:
            if out is None:
                kept.append(rows)
            if not run.put(rows):
                break
            run.tell(progress)
    finally:
        summary = json.loads(run.finish())
    run.tell(progress)
    if out is not None:
        return SweepResult(summary)
    return SweepResult(summary | {"out": "memory"}, _tables.of_rows(checked, kept))


def merge(out: str | os.PathLike[str], pieces: Iterable[str | os.PathLike[str]]) -> Result:
    """Merges the SQLite tables of shards. The result has `rows`, `added`, `complete`, `missing`."""
    return Result(json.loads(_core.merge(os.fspath(out), [os.fspath(one) for one in pieces])))


def _by_threads(checked: _core.Sweep, run: _core.SweepRun, size: int) -> Iterator[_core.Rows]:
    while len(points := run.next(size)):
        yield checked.make(points)
