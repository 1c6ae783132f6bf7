# SPDX-License-Identifier: Apache-2.0
"""Tables of sweeps as pandas data frames."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from railwright import _core

if TYPE_CHECKING:
    import numpy
    import pandas

_FEASIBLE, _INFEASIBLE, _ERROR = range(3)


def read(path: str) -> pandas.DataFrame:
    """Reads a table from disk."""
    import pandas

    if path.endswith(".csv"):
        frame = pandas.read_csv(path)
    elif path.endswith(".jsonl"):
        frame = pandas.read_json(path, lines=True)
    else:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            frame = pandas.read_sql_query("SELECT * FROM points ORDER BY point", database)
    frame["feasible"] = frame["feasible"].astype("boolean")
    return frame.set_index("point")


def of_rows(sweep: _core.Sweep, rows: list[_core.Rows]) -> pandas.DataFrame:
    """Returns inputs and outputs, indexed by point."""
    import pandas

    frame = outputs(sweep, rows).sort_index()
    inputs = dict(zip(sweep.columns, sweep.inputs(frame.index.to_numpy())))
    return pandas.concat([pandas.DataFrame(inputs, index=frame.index), frame], axis=1)


def outputs(sweep: _core.Sweep, rows: list[_core.Rows]) -> pandas.DataFrame:
    """Returns the outputs, in the order of the rows."""
    import numpy
    import pandas

    names = sweep.columns[sweep.columns.index("feasible") :]
    integers = set(sweep.integer_columns)
    points = _joined([one.points() for one in rows], numpy.int64)
    states = _joined([one.states() for one in rows], numpy.uint8)
    notes = numpy.array([note for one in rows for note in one.notes()], dtype=object)
    nothing = numpy.full(len(notes), None, dtype=object)
    columns: dict[str, object] = {
        "feasible": pandas.array(states == _FEASIBLE, dtype="boolean"),
        "reason": numpy.where(states == _INFEASIBLE, notes, nothing),
        "error": numpy.where(states == _ERROR, notes, nothing),
    }
    columns["feasible"][states == _ERROR] = pandas.NA  # type: ignore[index]
    for i, name in enumerate(names[len(columns) :]):
        numbers = _joined([one.numbers()[:, i] for one in rows], numpy.float64)
        columns[name] = _whole(numbers) if name in integers else numbers
    return pandas.DataFrame(columns, index=pandas.Index(points, name="point"))


def _joined(pieces: list[numpy.ndarray], dtype: type) -> numpy.ndarray:
    import numpy

    return numpy.concatenate(pieces) if pieces else numpy.empty(0, dtype=dtype)


def _whole(numbers: numpy.ndarray) -> object:
    """Converts whole numbers, some of which may be missing, to pandas' Int64."""
    import numpy
    import pandas

    missing = numpy.isnan(numbers)
    array = pandas.array(numpy.where(missing, 0, numbers).astype(numpy.int64), dtype="Int64")
    array[missing] = pandas.NA
    return array
