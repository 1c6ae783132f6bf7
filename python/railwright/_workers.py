# SPDX-License-Identifier: Apache-2.0
"""Rows of a sweep from worker processes: a pool, Dask, Ray."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from railwright import _core, _data
from railwright._errors import TableError
from railwright._scenario import Settings, variations

if TYPE_CHECKING:
    import numpy

_MOST_TASKS = 256  # tasks that wait or run at a time


class Executor(Protocol):
    """Any concurrent.futures.Executor: a process pool, dask.distributed's client.get_executor()."""

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any: ...


@dataclass(frozen=True)
class Question:
    """A sweep that another process can rebuild: it has no files and no handles."""

    yaml: str
    vary: tuple[str, ...]
    estimate: bool
    steps_only: bool
    roots: tuple[str, ...]
    fingerprint: str = ""

    def sweep(self, shard: str = "", threads: int = 0, max_points: int = 0) -> _core.Sweep:
        source = _core.Source(self.yaml, True, [])
        return _core.Sweep(
            source,
            list(self.vary),
            self.estimate,
            not self.steps_only,
            shard,
            threads,
            max_points,
            list(self.roots),
        )


def question_of(
    source: _core.Source,
    vary: Mapping[str, Iterable[Any]] | Settings,
    estimate: bool,
    steps_only: bool,
) -> Question:
    return Question(
        source.to_yaml(),
        tuple(variations(vary)),
        estimate,
        steps_only,
        tuple(_data.catalogue_roots()),
    )


def by_workers(
    run: _core.SweepRun, question: Question, executor: Executor, size: int
) -> Iterator[_core.Rows]:
    """Yields rows in the order of the requested points, which ordered tables require."""
    tasks: deque[Any] = deque()
    try:
        while True:
            while len(tasks) < _MOST_TASKS and len(points := run.next(size)):
                tasks.append(executor.submit(make_rows, question, points))
            if not tasks:
                return
            yield tasks.popleft().result()
    except BrokenExecutor as error:
        raise TableError(
            "a worker is gone, and this executor starts no other; what is in the table stays, and"
            " the same call resumes"
        ) from error
    finally:
        for task in tasks:
            task.cancel()


def make_rows(question: Question, points: numpy.ndarray) -> _core.Rows:
    """Computes rows in a worker."""
    return _kept(question).make(points)


@functools.lru_cache(maxsize=4)
def _kept(question: Question) -> _core.Sweep:
    """Returns the worker's checked sweep, cached because its next tasks belong to the same
    sweep."""
    _core.keep_freed_memory()
    checked = question.sweep(threads=1)
    if checked.fingerprint != question.fingerprint:
        raise RuntimeError("this worker has another version of railwright, or another catalogue")
    return checked


class Ray:
    """A Ray cluster as an executor. Ray itself reassigns the tasks of a lost worker."""

    def __init__(self) -> None:
        import ray

        if not ray.is_initialized():
            ray.init(log_to_driver=False)
        self._ray = ray

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> Any:
        return self._ray.remote(max_retries=-1)(fn).remote(*args).future()
