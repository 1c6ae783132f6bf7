# SPDX-License-Identifier: Apache-2.0
"""Results: the planner's JSON with attribute access, tables for notebooks and for pandas."""

from __future__ import annotations

import copy
import difflib
import json
import os
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from railwright import _card, _core, _figure, _format, _html, _report

if TYPE_CHECKING:
    import numpy
    import pandas
    from matplotlib.axes import Axes

    from railwright._fields import (
        BenchmarkFields,
        InferenceFields,
        JobsFields,
        PostTrainingFields,
        QueueFields,
        SimulationFields,
        TopologyFields,
    )
else:
    from railwright._no_fields import (
        BenchmarkFields,
        InferenceFields,
        JobsFields,
        PostTrainingFields,
        QueueFields,
        SimulationFields,
        TopologyFields,
    )

# Two kinds of operations share a name.
_OPERATIONS = list(dict.fromkeys(_core.OPERATIONS))


class Result:
    """A JSON object. `result.storage.checkpoint_bytes` is `result["storage"]["checkpoint_bytes"]`.

    Keys end in the unit of their value, in SI base units: `_s`, `_bytes`, `_bytes_per_s`, `_w`.
    """

    __slots__ = ("_data",)

    def __init__(self, data: dict[str, Any]):
        self._data = data

    def __getitem__(self, key: str) -> Any:
        return _wrap(self._data[key], key)

    if not TYPE_CHECKING:  # checkers know the attributes from _fields.pyi

        def __getattr__(self, name):
            if name.startswith("_") or name not in self._data:
                hint = "" if name.startswith("_") else self._why_not() or _near(name, self._data)
                raise AttributeError(f"{self._called()} has no {name!r}{hint}")
            return self[name]

    def _why_not(self) -> str:
        return ""

    def _called(self) -> str:
        return type(self).__name__

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per value: its `value` in SI base units and its `unit`, indexed by its
        dotted path as `key`; lists are left out."""
        import pandas

        row = self._row()
        return pandas.DataFrame(
            {
                "value": pandas.Series(list(row.values())),
                "unit": [_format.unit(key, value, self._called()) for key, value in row.items()],
            }
        ).set_index(pandas.Index(list(row), name="key"))

    def row_to_pandas(self) -> pandas.DataFrame:
        """Returns one row, to stack many results: a column for each dotted path; lists are left
        out."""
        import pandas

        return pandas.DataFrame([self._row()])

    def _row(self) -> dict[str, Any]:
        return dict(_leaves(self._data))

    def keys(self) -> list[str]:
        """Names of the keys, in the order of the JSON."""
        return list(self._data)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._data]

    def __eq__(self, other: object) -> bool:
        return self._data == other._data if isinstance(other, Result) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data,)

    def to_dict(self) -> dict[str, Any]:
        """Returns a deep copy as plain dicts, lists, numbers and text."""
        return copy.deepcopy(self._data)

    def __repr__(self) -> str:
        shown = _format.pairs(self._data, self._called())
        text = textwrap.shorten(", ".join(shown), width=120, placeholder=" ...")
        return f"<{self._called()}: {text}>"

    def _repr_html_(self) -> str:
        return _html.table(["", ""], _html.lines(self._data))


class _Part(Result):
    """An object inside a result, by its key."""

    __slots__ = ("_key",)

    def __init__(self, data: dict[str, Any], key: str):
        super().__init__(data)
        self._key = key

    def _called(self) -> str:
        return self._key

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._data, self._key)


class Summarized(Result):
    """A result that the program has words for."""

    __slots__ = ("_answer",)

    def __init__(
        self, data: dict[str, Any], answer: _core.Answer | _core.Simulated | None = None
    ):
        super().__init__(data)
        self._answer = answer

    def summary(self, tables: bool = False, width: int = 100) -> str:
        """Returns what the program prints: whether it fits, the answer, what limits it, what to try
        next. Of an unpickled result, and of one inside another, it is the `repr`.

        Parameters:
            tables: add all numbers, as the program's --tables does.
            width: columns of a line; 0 does not break lines."""
        return repr(self) if self._answer is None else self._answer.summary(tables, width)


class Reported(Summarized):
    """A result that report() writes as a page."""

    __slots__ = ()

    _VERB = ""

    if TYPE_CHECKING:
        _answer: _core.Answer | None

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a page with the answer, its assumptions and every constant with its source, like
        the program's --report; it opens without a network. The page of an unpickled result lacks
        assumptions and constants."""
        document = self._data if self._answer is None else self._answer.report_json()
        _report.write(path, self._VERB, document)


class _Prediction(Summarized):
    """A prediction of one design, which may not fit."""

    __slots__ = ()

    if TYPE_CHECKING:
        name: str
        feasible: bool
        infeasible: list[str]

    def _in_short(self) -> str:
        raise NotImplementedError

    def __repr__(self) -> str:
        fits = self.feasible
        what = self._in_short() if fits else f"does not fit: {'; '.join(self.infeasible)}"
        return f"<{type(self).__name__} {self.name!r}: {what}>"

    def _picture(self) -> str:
        return ""

    def _repr_html_(self) -> str:
        """A picture, a card of what matters, and all numbers folded away."""
        card = _card.of(self._data)
        return self._picture() + _html.table(["", ""], card, caption=self.name, left={0, 1}) + self._folded()

    def _folded(self) -> str:
        shown = _html.lines({key: value for key, value in self._data.items() if key != "name"})
        return _html.folded(f"All {len(shown)} values", _html.table(["", ""], shown))


class _Advised(_Prediction):
    """A prediction that knows which change to try next."""

    __slots__ = ("_simulated", "_try_next")

    def __init__(
        self,
        data: dict[str, Any],
        simulated: _core.Simulated | None = None,
        answer: _core.Answer | None = None,
    ):
        super().__init__(data, simulated or answer)
        self._simulated = simulated
        self._try_next: list[dict[str, Any]] | None = None

    @property
    def try_next(self) -> list[Result]:
        """The change to try next, as the program advises it: a list of one Result, or of none if no
        change helps. Its `settings` are for `set`; its other keys are what simulate() gives with
        them. Found when first read, which takes a few simulations. Empty for an unpickled result,
        and for one inside another result."""
        if self._try_next is None:
            text = "null" if self._simulated is None else self._simulated.try_next_json()
            self._try_next = json.loads(text) or []
        return [Result(change) for change in self._try_next]


class _Run(_Advised):
    """A run over time, with arrays that share the memory of the C++ result."""

    __slots__ = ()

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a page with the answer, its assumptions and what would change it, like the
        program's --report; it opens without a network. After simulate(trace=True) it includes the
        timeline of the step. The page of an unpickled result, or of one inside another result,
        lacks assumptions and constants."""
        document = self._data if self._simulated is None else self._simulated.report_json()
        _report.write(path, "simulate", document)

    @property
    def load_bins(self) -> numpy.ndarray | None:
        """Storage traffic in equal bins of time, one record per bin, without a copy: `read_bytes`,
        `written_bytes`, `operations`, `peak_read_bytes_per_s`, `peak_write_bytes_per_s`, the peaks
        of the busiest storage node (`peak_node_...`), `peak_operations_per_s`,
        `peak_processor_load` (0 to 1), `used_bytes`. None without storage, for an unpickled result,
        and for one inside another result."""
        return self._simulated.load() if self._simulated is not None else None

    @property
    def bin_width_s(self) -> float:
        """Width of the bins of `load_bins`, in seconds."""
        return self._simulated.bin_width_s if self._simulated is not None else 0.0

    def load_to_pandas(self) -> pandas.DataFrame:
        """Returns `load_bins` indexed by the start of each bin, `time_s`."""
        import pandas

        bins = self.load_bins
        if bins is None:
            return pandas.DataFrame()
        times = [self.bin_width_s * i for i in range(len(bins))]
        return pandas.DataFrame(bins, index=pandas.Index(times, name="time_s"))


class SimulationResult(_Run, SimulationFields):
    """Result of simulate(); its docstring names the keys."""

    __slots__ = ()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws where the time of a step goes, with matplotlib, as rw.plot.breakdown."""
        from railwright import plot

        return plot.breakdown([self], ax)

    @property
    def spans(self) -> numpy.ndarray | None:
        """The operations of a step, one record each, without a copy; needs simulate(trace=True).

        `kind`, `pass` and `stream` are indices into rw.OPERATIONS, rw.PASSES and rw.STREAMS;
        `microbatch` and `chunk` are those of the pass, `rank_class` is an index into
        `rank_classes`; `start_ps`, `end_ps` and `delay_ps` (computation, or latency of a transfer)
        are in picoseconds; `bytes` is the size of one rank's buffer."""
        return self._simulated.spans() if self._simulated is not None else None

    @property
    def rank_classes(self) -> list[tuple[int, int]]:
        """Classes of ranks that do the same at the same time: their pipeline stage and their
        number."""
        return self._simulated.rank_classes if self._simulated is not None else []

    def spans_to_pandas(self) -> pandas.DataFrame:
        """Returns `spans` with names and seconds: `operation`, `pass`, `microbatch`, `chunk`,
        `stream`, `rank_class`, `stage`, `start_s`, `end_s`, `bytes`."""
        import pandas

        spans = self.spans
        if spans is None:
            return pandas.DataFrame()
        stages = [stage for stage, _ in self.rank_classes]
        return pandas.DataFrame(
            {
                "operation": pandas.Categorical.from_codes(
                    [_OPERATIONS.index(_core.OPERATIONS[kind]) for kind in spans["kind"]],
                    pandas.Index(_OPERATIONS),
                ),
                "pass": pandas.Categorical.from_codes(
                    spans["pass"].tolist(), pandas.Index(_core.PASSES)
                ),
                "microbatch": spans["microbatch"],
                "chunk": spans["chunk"],
                "stream": pandas.Categorical.from_codes(
                    spans["stream"].tolist(), pandas.Index(_core.STREAMS)
                ),
                "rank_class": spans["rank_class"],
                "stage": [stages[i] for i in spans["rank_class"]],
                "start_s": spans["start_ps"] * 1e-12,
                "end_s": spans["end_ps"] * 1e-12,
                "bytes": spans["bytes"],
            }
        )

    def _why_not(self) -> str:
        reasons = self._data.get("infeasible")
        return f"; the design does not fit: {'; '.join(reasons)}" if reasons else ""

    def _in_short(self) -> str:
        step, training = _format.time(self.step_time_s), _format.time(self.training_time_s)
        return f"step {step}, training {training}"

    def _picture(self) -> str:
        return _figure.steps([("a step", self._data)])


class JobsResult(_Run, JobsFields):
    """Result of simulate() for several jobs; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        return f"{len(self.jobs)} jobs"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per job, in SI base units; nested keys have a dot: `run.steps_s`."""
        import pandas

        return pandas.json_normalize(self._data["jobs"])

    def _repr_html_(self) -> str:
        if not self.feasible:
            return super()._repr_html_()
        header = ["job", "time", "alone", "waits for data", "for checkpoints"]
        body = [_row_of_load(job) if "load" in job else _row_of_job(job) for job in self._data["jobs"]]
        return _html.table(header, body, caption=self.name) + self._folded()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the load of the storage over time, with matplotlib, as rw.plot.storage_load."""
        from railwright import plot

        return plot.storage_load(self, ax)


def _row_of_job(job: dict[str, Any]) -> list[str]:
    times = job["training_time_s"], job["alone_training_time_s"]
    waits = job["run"]["data_stall_s"], job["run"]["checkpoint_stall_s"]
    return [job["name"], *(_format.time(time) for time in (*times, *waits))]


def _row_of_load(job: dict[str, Any]) -> list[str]:
    """Returns a row without waits, of a job that is a load on the storage alone."""
    times = job["load"]["time_s"], job["load"]["time_alone_s"]
    return [job["name"], *(_format.time(time) for time in times), "", ""]


class BenchmarkResult(_Prediction, BenchmarkFields):
    """Result of simulate() for a single collective; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        rate = self.bus_bandwidth_bytes_per_s / 1e9
        return f"{_format.time(self.time_s)}, bus bandwidth {rate:.4g} GB/s"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the busiest links, one per row."""
        import pandas

        return pandas.DataFrame(self._data["busiest_links"])


class QueueResult(_Prediction, QueueFields):
    """Result of simulate() for a queue of jobs; its docstring names the keys."""

    __slots__ = ("_simulated",)

    def __init__(
        self,
        data: dict[str, Any],
        simulated: _core.Simulated | None = None,
        answer: _core.Answer | None = None,
    ):
        super().__init__(data, simulated or answer)
        self._simulated = simulated

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws what waits and what runs over time, with matplotlib, as rw.plot.queue."""
        from railwright import plot

        return plot.queue(self, ax)

    @property
    def job_times(self) -> numpy.ndarray | None:
        """The course of each job by submission, one record each, without a copy: `submit_s`,
        `accelerators`, `duration_s`, `limit_s`, `start_s` (its first start), `end_s`, `ran_s` (time
        on its nodes, all attempts together), `num_interruptions`, `num_leaves` (of its last
        attempt). None if the jobs did not run, for an unpickled result, and for one inside another
        result."""
        return self._simulated.jobs() if self._simulated is not None else None

    def jobs_to_pandas(self) -> pandas.DataFrame:
        """Returns `job_times`, one row per job."""
        import pandas

        jobs = self.job_times
        return pandas.DataFrame() if jobs is None else pandas.DataFrame(jobs)

    def _in_short(self) -> str:
        wait = _format.time(self.wait_mean_s)
        return f"{self.num_jobs} jobs wait {wait}, {100 * self.occupied_fraction:.3g} % occupied"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the state of the cluster over time, in SI base units."""
        import pandas

        return pandas.DataFrame(self._data["over_time"])

    def _folded(self) -> str:
        shown = {k: v for k, v in self._data.items() if k not in ("name", "over_time", "sizes")}
        lines = _html.lines(shown)
        return _html.folded(f"All {len(lines)} values", _html.table(["", ""], lines))


class PostTrainingResult(_Prediction, PostTrainingFields):
    """Result of simulate() for post-training; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        step = _format.time(self.step_time_s)
        return f"a step takes {step}, {100 * self.idle_fraction:.3g} % of accelerator time idle"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the parts of a step, one per row, in seconds."""
        import pandas

        parts = self._data["breakdown"]
        return pandas.DataFrame({"part": list(parts), "time_s": list(parts.values())})

    def _picture(self) -> str:
        if not self.feasible:
            return ""
        return _figure.plain([("a step", self._data["breakdown"])], "Time of a step by part")


class InferenceResult(_Advised, InferenceFields):
    """Result of simulate() for inference; its docstring names the keys."""

    __slots__ = ()

    def _in_short(self) -> str:
        first = _format.time(self.time_to_first_token_s)
        further = _format.time(self.time_per_output_token_s)
        return f"{self.num_nodes} nodes, {first} + {further}/token"

    def _picture(self) -> str:
        bars = (("prompts", "prefill_breakdown"), ("a token", "decode_breakdown"))
        named = [(name, self._data[key]) for name, key in bars if key in self._data]
        return _figure.plain(named, "Time of a pass by cause") if self.feasible else ""


class TopologyResult(Result, TopologyFields):
    """Result of topology(); its docstring names the keys."""

    __slots__ = ()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the fabric, with matplotlib, as rw.plot.topology."""
        from railwright import plot

        return plot.topology(self, ax)


def _near(name: str, data: dict[str, Any]) -> str:
    """Returns the key that a misspelt one may mean, of the result or of an object in it."""
    near = difflib.get_close_matches(name, list(data), 1, 0.7)
    if not near:
        last = {path.rpartition(".")[2]: path for path, _ in _leaves(data)}
        near = [last[one] for one in difflib.get_close_matches(name, list(last), 1, 0.7)]
    return f"; did you mean {near[0]!r}?" if near else ""


def _leaves(data: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yields dotted paths and values, without lists."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            yield f"{prefix}{key}", value


def _wrap(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        # A cell of a comparison contains a whole simulation.
        if "infeasible" not in value:
            return _Part(value, key)
        is_service = "kv_cache_bytes_per_token" in value
        return InferenceResult(value) if is_service else SimulationResult(value)
    return [_wrap(item, key) for item in value] if isinstance(value, list) else value
