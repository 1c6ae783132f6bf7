# SPDX-License-Identifier: Apache-2.0
"""The keys that scenarios have, by the schema of the planner."""

from __future__ import annotations

import difflib
import functools
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from railwright import _core, _data
from railwright._errors import ConfigError, Diagnostic


def check(changes: Mapping[str, Any]) -> None:
    """Raises ConfigError with every key that no scenario has: of the changes, dotted, and of the
    mappings that they hold."""
    schema = _schema(tuple(_data.catalogue_roots()))
    problems = []
    for path in _paths(changes):
        hint = _unknown(schema, path)
        if hint is not None:
            name = ".".join(path)
            problems.append(Diagnostic("with_", 0, 0, name, "no scenario has this key", hint))
    if problems:
        lines = (
            f"{one.path}: {one.message}" + (f"; {one.hint}" if one.hint else "") for one in problems
        )
        raise ConfigError("\n".join(lines), problems)


@functools.lru_cache(maxsize=4)
def _schema(roots: tuple[str, ...]) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(_core.scenario_schema(list(roots)))
    return schema


def _paths(changes: Mapping[str, Any]) -> Iterator[list[str]]:
    """Yields the paths of all values: a dot divides the keys of the changes, not those of mappings."""
    waiting = [(str(key).split("."), value) for key, value in reversed(list(changes.items()))]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, Mapping) and value:
            waiting += [([*path, str(key)], inner) for key, inner in reversed(list(value.items()))]
        else:
            yield path


def _unknown(schema: dict[str, Any], path: list[str]) -> str | None:
    """Returns None if a scenario can have the path, else a hint, which may be empty."""
    here = [schema]
    for i, key in enumerate(path):
        there: list[dict[str, Any]] = []
        known: set[str] = set()
        for shape in _shapes(schema, here):
            if not shape.keys() - {"description", "default"}:
                return None  # holds anything
            known |= shape.get("properties", {}).keys()
            there += _below(shape, key)
        if not there:
            near = difflib.get_close_matches(key, sorted(known), 1)
            if near:
                return f"did you mean {'.'.join([*path[:i], near[0]])!r}?"
            return f"known below {'.'.join(path[:i])}: {', '.join(sorted(known))}" if i else ""
        here = there
    return None


def _below(shape: dict[str, Any], key: str) -> Iterator[dict[str, Any]]:
    properties = shape.get("properties", {})
    if key in properties:
        yield properties[key]
    elif isinstance(shape.get("additionalProperties"), dict):
        yield shape["additionalProperties"]
    if "items" in shape and key.isdigit():
        yield shape["items"]


def _shapes(schema: dict[str, Any], some: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yields the shapes that values of these schemas may have: without references and choices."""
    waiting = list(some)
    seen: set[str] = set()
    while waiting:
        shape = waiting.pop()
        ref = shape.get("$ref", "").rpartition("/")[2]
        if ref:
            if ref not in seen:
                seen.add(ref)
                waiting.append(schema["$defs"][ref])
            continue
        inner = [*shape.get("anyOf", []), *(shape[key] for key in ("then", "else") if key in shape)]
        waiting += inner
        if not inner:
            yield shape
