# SPDX-License-Identifier: Apache-2.0
"""Scenarios: a file or a dict, and settings that override its keys."""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, TypeAlias

from railwright import _core, _keys

# "path=value", several of them, or {"path": value}.
Settings: TypeAlias = str | Iterable[str] | Mapping[str, Any]


# Plain scalars that YAML reads back as text: names, and numbers with a unit.
_WORD = re.compile(r"[A-Za-z][\w./-]*|[0-9.]+ [A-Za-z][A-Za-z0-9/]*")
_NO_WORDS = {"true", "false", "null", "nan", "inf"}


class Scenario:
    """A scenario with its changes. It is immutable: `with_` returns a modified copy.

    rw.Scenario.load("cluster.yaml").with_({"cluster.node.nics.count": 4})

    Parameters:
        scenario: the path of a YAML file, a dict of the same shape, or another Scenario.
        set: settings over it, a dict or texts of the form of the program's `--set`:
            "cluster.nodes=4".
        allow_include: a folder, or several, whose files a file may include; those of its own
            folder and below it may always.

    Raises ConfigError if the text is not YAML; the verbs that use the scenario report errors in its
    keys.
    """

    __slots__ = ("_allow_include", "_is_json", "_settings", "_text")

    def __init__(
        self,
        scenario: ScenarioLike,
        set: Settings = (),
        allow_include: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    ):
        if isinstance(allow_include, (str, os.PathLike)):
            allow_include = [allow_include]
        like = Scenario.of(scenario, set)
        self._text: str = like._text
        self._is_json: bool = like._is_json
        self._settings: tuple[str, ...] = like._settings
        self._allow_include: tuple[str, ...] = (
            *like._allow_include,
            *(os.fspath(folder) for folder in allow_include),
        )
        self.to_dict()

    @classmethod
    def load(
        cls,
        scenario: ScenarioLike,
        set: Settings = (),
        allow_include: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] = (),
    ) -> Scenario:
        """Is Scenario() by another name."""
        return cls(scenario, set, allow_include)

    @classmethod
    def of(cls, scenario: ScenarioLike, set: Settings = ()) -> Scenario:
        """Returns a Scenario that is not read yet, as the verbs take it."""
        more = tuple(settings_of(set))
        if isinstance(scenario, Scenario):
            settings = scenario._settings + more
            return _made(scenario._text, scenario._is_json, settings, scenario._allow_include)
        if isinstance(scenario, Mapping):
            return _made(in_yaml(dict(scenario)), True, more)
        return _made(os.fspath(scenario), False, more)

    @classmethod
    def of_yaml(cls, text: str) -> Scenario:
        """Returns the scenario of a text: YAML, or JSON, which is YAML."""
        return _made(text, True)

    def with_(self, changes: Mapping[str, Any]) -> Scenario:
        """Returns a copy with these keys changed: `{"cluster.node.nics.count": 4}`.

        Keys are dotted paths, quantities are text with their unit: `"400 Gb/s"`. None is YAML's
        null. A later change of the same key wins. Raises ConfigError for a key that no scenario
        has, also of a catalogue entry's own.

        Parameters:
            changes: values by key; a mapping takes the place of all that stands at its key.
        """
        _keys.check(changes)
        settings = self._settings + tuple(settings_of(changes))
        return _made(self._text, self._is_json, settings, self._allow_include)

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

    def native(self, words: Iterable[tuple[str, str]] = ()) -> _core.Source:
        """Returns the scenario for the extension, with the words of a question over it."""
        return _core.Source(
            self._text, self._is_json, list(self._settings), list(self._allow_include), list(words)
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
        return _made, (self._text, self._is_json, self._settings, self._allow_include)

    def __repr__(self) -> str:
        where = "from a dict" if self._is_json else self._text
        changed = "".join(f", {setting}" for setting in self._settings)
        return f"<Scenario {self.name!r}: {where}{changed}>"

    def _repr_html_(self) -> str:
        text = json.dumps(self.to_dict(), indent=2, ensure_ascii=False)
        return f"<details><summary>{escape(repr(self))}</summary><pre>{escape(text)}</pre></details>"


def _made(
    text: str, is_json: bool, settings: tuple[str, ...] = (), allow_include: tuple[str, ...] = ()
) -> Scenario:
    scenario = Scenario.__new__(Scenario)
    scenario._text, scenario._is_json = text, is_json
    scenario._settings, scenario._allow_include = settings, allow_include
    return scenario


ScenarioLike: TypeAlias = Scenario | str | os.PathLike[str] | Mapping[str, Any]


def native(scenario: ScenarioLike, set: Settings = ()) -> _core.Source:
    """Converts a verb's scenario argument for the extension."""
    return Scenario.of(scenario, set).native()


def settings_of(settings: Settings) -> list[str]:
    """Converts settings to the program's form: "path=value"."""
    if isinstance(settings, Mapping):
        return [f"{key}={in_yaml(value)}" for key, value in settings.items()]
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


def _plain(value: Any) -> Any:
    """Converts types that JSON lacks: mappings, scenarios, results, and NumPy scalars."""
    if isinstance(value, Mapping):
        return dict(value)
    for method in ("to_dict", "item"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"a scenario cannot hold a {type(value).__name__}: {value!r}")
