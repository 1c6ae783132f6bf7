# SPDX-License-Identifier: Apache-2.0
"""The devices, models, stacks and sites that scenarios name.

    rw.catalogue.entries("nics"), rw.catalogue.entry("nics", "connectx-7").values.line_rate
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from railwright import _core, _data, _html
from railwright._results import Result

if TYPE_CHECKING:
    import pandas


class Entry(Result):
    """An entry: `kind`, `name`, `description` and `values`, each with `value`, `unit`, `source`."""

    __slots__ = ()

    if TYPE_CHECKING:
        kind: str
        name: str
        description: str
        values: Result

    def __repr__(self) -> str:
        return f"<Entry {self.kind}/{self.name}: {self.description}>"

    def to_pandas(self) -> pandas.DataFrame:
        """Returns one row per value, in SI base units, with its source."""
        import pandas

        return pandas.DataFrame.from_dict(self._data["values"], orient="index")

    def _repr_html_(self) -> str:
        body = [
            [key, *(str(value.get(name, "")) for name in ("value", "unit", "source"))]
            for key, value in self._data["values"].items()
        ]
        header = ["", "value", "unit", "source"]
        caption = f"{self.kind}/{self.name}: {self.description}"
        return _html.table(header, body, caption=caption, left={0, 2, 3})


def kinds() -> list[str]:
    """Returns the kinds of entries: "nics", "switches", ..."""
    return list(_listing(""))


def entries(kind: str | None = None) -> list[str]:
    """Returns the names of the entries of a kind, or "kind/name" of all. Raises ConfigError for an
    unknown kind."""
    listing = _listing(kind or "")
    if kind is not None:
        return [one["name"] for one in listing.get(kind, [])]
    return [f"{one}/{item['name']}" for one, items in listing.items() for item in items]


def entry(kind: str, name: str | None = None) -> Entry:
    """Returns an entry: `entry("connectx-7")`, or `entry("nics", "connectx-7")` as well as
    `entry("nics/connectx-7")`, which tell entries of several kinds apart.

    Parameters:
        kind: one of kinds(), or the name alone.
        name: one of entries(kind).

    Raises ConfigError if there is none."""
    full = kind if name is None else f"{kind}/{name}"
    return Entry(json.loads(_core.catalogue_show(full, _data.catalogue_roots())))


def _listing(kind: str) -> dict[str, list[dict[str, Any]]]:
    listing: dict[str, list[dict[str, Any]]] = json.loads(
        _core.catalogue_list(kind, _data.catalogue_roots())
    )
    return listing
