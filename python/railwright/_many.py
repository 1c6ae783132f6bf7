# SPDX-License-Identifier: Apache-2.0
"""estimate_many: takes columns of designs and returns a row for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from railwright import _core, _tables
from railwright._scenario import ScenarioLike, Settings, native, settings_of, variations
from railwright._workers import question_of

if TYPE_CHECKING:
    import numpy
    import pandas


def estimate_many(
    scenario: ScenarioLike,
    columns: Mapping[str, Any] | pandas.DataFrame,
    set: Settings = (),
    steps_only: bool = False,
    threads: int = 0,
) -> pandas.DataFrame:
    """Runs estimate() for many designs at once: row i has value i of each column.

    Parameters:
        scenario: as for simulate().
        columns: arrays of equal length by dotted key, or a data frame: {"cluster.nodes": [...],
            "parallelism.tp": [...]}.
        set: values over those of the scenario, a dict or "path=value" texts.
        steps_only: skip the run that the steps are part of.
        threads: 0 uses every core.

    Returns a DataFrame with the same index: the columns, `feasible`,
    `reason` (why not), `error` (what is wrong with the input), and the numbers of sweep(), in SI
    base units. Raises ConfigError for a key that no scenario has.
    """
    import numpy
    import pandas

    frame = pandas.DataFrame(dict(columns) if isinstance(columns, Mapping) else columns)
    _refuse_nested(list(frame.columns))
    plan = _Plan(frame)
    question = question_of(_with_cases(scenario, set, plan.cases), plan.vary, True, steps_only)
    checked = question.sweep(threads=threads, max_points=numpy.iinfo(numpy.int64).max // 2)
    asked, places = numpy.unique(plan.points, return_inverse=True)
    rows = _tables.outputs(checked, [checked.make(asked)])
    return pandas.concat([frame, rows.iloc[places].set_axis(frame.index)], axis=1)


class _Plan:
    """Columns as points of a sweep. Keys that require reading the scenario again become its cases,
    one for each combination that occurs; the others vary."""

    def __init__(self, frame: pandas.DataFrame):
        import numpy

        keys = [str(key) for key in frame]
        fast = [key for key in keys if _core.varies_fast(key)]
        slow = [key for key in keys if key not in fast]
        self.points = numpy.zeros(len(frame), dtype=numpy.int64)
        self.cases: list[dict[str, Any]] = []
        for key in slow:
            self._add(*_coded(frame, key))
            _, first, self.points = numpy.unique(
                self.points, return_index=True, return_inverse=True
            )
            rows = frame[slow].iloc[first]
        if slow:
            self.cases = [
                {"name": str(i), "set": variations({key: [row[key]] for key in slow})}
                for i, row in enumerate(rows.to_dict("records"))
            ]
        self.vary: dict[str, list[Any]] = {}
        for key in fast:
            codes, values = _coded(frame, key)
            self._add(codes, values)
            self.vary[key] = values

    def _add(self, codes: numpy.ndarray, values: list[Any]) -> None:
        self.points = self.points * len(values) + codes


def _coded(frame: pandas.DataFrame, key: str) -> tuple[numpy.ndarray, list[Any]]:
    """Returns the index of each value in the list of distinct values, and that list."""
    import pandas

    codes, values = pandas.factorize(frame[key])
    if (codes < 0).any():
        raise ValueError(f"{key!r} has missing values")
    return codes, list(values)


def _refuse_nested(keys: list[str]) -> None:
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"{key!r} is the name of {keys.count(key)} columns")
        inner = [other for other in keys if other.startswith(f"{key}.")]
        if inner:
            raise ValueError(f"{key!r} has {inner[0]!r} in it: vary one of them")


def _with_cases(
    scenario: ScenarioLike, set: Settings, cases: list[dict[str, Any]]
) -> _core.Source:
    """Replaces the scenario's own `sweep` by `cases`, which may be longer than a setting can be."""
    place = "cases-of-estimate-many"
    tree = native(scenario, [*settings_of(set), f"sweep={{cases: {place}}}"]).to_yaml()
    return _core.Source(tree.replace(place, json.dumps(cases)), True, [])
