# SPDX-License-Identifier: Apache-2.0
"""Scenarios: a file or a dict, and settings that override its keys."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any, TypeAlias

from railwright import _core

Settings: TypeAlias = str | Iterable[str]


# Plain scalars that YAML reads back as text: names, and numbers with a unit.
_WORD = re.compile(r"[A-Za-z][\w./-]*|[0-9.]+ [A-Za-z][A-Za-z0-9/]*")
_NO_WORDS = {"true", "false", "null", "nan", "inf"}


_EXAMPLES = Path(__file__).with_name("examples")


def example_path(name: str) -> Path:
    """Returns the path of a shipped example, such as "calibrate-h20003.yaml".

    Raises ValueError for a name that there is not, with those that there are.
    """
    files = [one for one in _EXAMPLES.rglob("*") if one.is_file()]
    known = sorted(one.relative_to(_EXAMPLES).as_posix() for one in files)
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"no example {name!r}{hint} (known: {', '.join(known)})")
    return _EXAMPLES / name


def example(name: str) -> Scenario:
    """Returns a shipped example as a scenario: `rw.example("llama-2-70b-six-nodes")`.

    Raises ValueError for a name that there is not, with those that there are.
    """
    return Scenario.load(example_path(name if name.endswith(".yaml") else f"{name}.yaml"))


class Scenario:
    """A scenario with its changes. It is immutable: `with_` returns a modified copy.

    rw.Scenario.load("cluster.yaml").with_({"cluster.node.nics.count": 4})
    """

    __slots__ = ("_allow_include", "_is_json", "_settings", "_text")

    def __init__(
        self,
        text: str,
        is_json: bool,
        settings: tuple[str, ...] = (),
        allow_include: tuple[str, ...] = (),
    ):
        self._text = text
        self._is_json = is_json
        self._settings = settings
        self._allow_include = allow_include

    @classmethod
    def load(
        cls,
        scenario: ScenarioLike,
        set: Settings = (),
        allow_include: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    ) -> Scenario:
        """Takes the path of a YAML file, a dict of the same shape, or another Scenario.

        `set` has the form of the program's `--set`: "cluster.nodes=4". A file may include others
        from its own folder and below; `allow_include` adds a folder, or several. Raises ConfigError
        if the text is not YAML; the verbs that use the scenario report errors in its keys.
        """
        if isinstance(allow_include, (str, os.PathLike)):
            allow_include = [allow_include]
        loaded = _of(scenario, set)
        loaded._allow_include += tuple(os.fspath(folder) for folder in allow_include)
        loaded.to_dict()
        return loaded

    def with_(self, changes: Mapping[str, Any]) -> Scenario:
        """Returns a copy with these keys changed: `{"cluster.node.nics.count": 4}`.

        Keys are dotted paths, quantities are text with their unit: `"400 Gb/s"`. None is YAML's
        null. A later change of the same key wins.
        """
        more = tuple(f"{key}={in_yaml(value)}" for key, value in changes.items())
        return Scenario(self._text, self._is_json, self._settings + more, self._allow_include)

    def to_dict(self) -> dict[str, Any]:
        """Returns the scenario with its includes and changes, but without the catalogue's
        values."""
        tree: dict[str, Any] = self.native().to_python()
        return tree

    def __getitem__(self, path: str) -> Any:
        """Returns what the scenario says at a dotted path: `scenario["cluster.nodes"]`.

        Raises KeyError for a key that it does not state, with the nearest that it does.
        """
        if not isinstance(path, str):
            raise TypeError("a key of a scenario is a dotted path")
        value: Any = self.to_dict()
        for key in path.split("."):
            if not isinstance(value, dict) or key not in value:
                known = list(value) if isinstance(value, dict) else []
                near = difflib.get_close_matches(key, known, 1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise KeyError(f"{path}: the scenario does not state {key!r}{hint}")
            value = value[key]
        return value

    def native(self) -> _core.Source:
        """Returns the scenario for the extension."""
        return _core.Source(
            self._text, self._is_json, list(self._settings), list(self._allow_include)
        )

    @property
    def settings(self) -> tuple[str, ...]:
        """The overrides of the file or dict, in order, in the form of `--set`."""
        return self._settings

    @property
    def name(self) -> str:
        """The `name` of the scenario, or else its file or "<dict>"."""
        return str(self.to_dict().get("name", "<dict>" if self._is_json else self._text))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scenario):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._text, self._is_json, self._settings, self._allow_include)

    def __repr__(self) -> str:
        where = "from a dict" if self._is_json else self._text
        changed = "".join(f", {setting}" for setting in self._settings)
        return f"<Scenario {self.name!r}: {where}{changed}>"

    def _repr_html_(self) -> str:
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        return f"<details><summary>{escape(repr(self))}</summary><pre>{escape(text)}</pre></details>"


ScenarioLike: TypeAlias = Scenario | str | os.PathLike[str] | Mapping[str, Any]


def native(scenario: ScenarioLike, set: Settings = ()) -> _core.Source:
    """Converts a verb's scenario argument for the extension."""
    return _of(scenario, set).native()


def settings_of(settings: Settings) -> list[str]:
    return [settings] if isinstance(settings, str) else list(settings)


def variations(vary: Mapping[str, Iterable[Any]] | Settings) -> list[str]:
    """Converts `{"parallelism.tp": [1, 2]}` to the program's form: "parallelism.tp=1, 2"."""
    if not isinstance(vary, Mapping):
        return settings_of(vary)
    return [f"{key}={', '.join(map(_plain_yaml, values))}" for key, values in vary.items()]


def _plain_yaml(value: Any) -> str:
    """Writes words and quantities without quotes, as users do, so that a table begun by the program
    has the same question."""
    if isinstance(value, str) and _WORD.fullmatch(value) and value not in _NO_WORDS:
        return value
    return in_yaml(value)


def in_yaml(value: Any) -> str:
    """Writes a value on one line, as JSON, which is YAML."""
    return json.dumps(value, ensure_ascii=False, default=_plain)


def _of(scenario: ScenarioLike, set: Settings) -> Scenario:
    more = tuple(settings_of(set))
    if isinstance(scenario, Scenario):
        return Scenario(
            scenario._text,
            scenario._is_json,
            scenario._settings + more,
            scenario._allow_include,
        )
    if isinstance(scenario, Mapping):
        return Scenario(in_yaml(dict(scenario)), True, more)
    return Scenario(os.fspath(scenario), False, more)


def _plain(value: Any) -> Any:
    """Converts types that JSON lacks: mappings, scenarios, results, and NumPy scalars."""
    if isinstance(value, Mapping):
        return dict(value)
    for method in ("to_dict", "item"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"a scenario cannot hold a {type(value).__name__}: {value!r}")
