# SPDX-License-Identifier: Apache-2.0
"""Imports files of other tools about a cluster or a job as parts of a scenario."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, TypeAlias

from railwright import _core, _data
from railwright._errors import ConfigError, Diagnostic
from railwright._results import Result
from railwright._scenario import Scenario, ScenarioLike, native

if TYPE_CHECKING:
    from railwright._fields import ImportFields
else:
    from railwright._no_fields import ImportFields

Artefact: TypeAlias = str | os.PathLike[str] | tuple[str, str | os.PathLike[str]]


class ImportResult(Result, ImportFields):
    """Result of import_(); its docstring names the keys."""

    __slots__ = ()

    @property
    def scenario(self) -> Scenario:
        """The values as a scenario, merged over `base` if given."""
        return Scenario.load(self._data["scenario"])

    def __repr__(self) -> str:
        counts = {
            "values": "values",
            "assumed": "assumed",
            "not_known": "not known",
            "not_expressed": "not expressed",
            "conflicts": "said twice",
        }
        said = (f"{len(self._data[key])} {words}" for key, words in counts.items())
        return f"<ImportResult of {len(self._data['files'])} files: {', '.join(said)}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self._data['yaml'])}</pre>"


def import_(
    files: Artefact | Iterable[Artefact],
    kind: str | None = None,
    base: ScenarioLike | None = None,
    variables: Mapping[str, object] | None = None,
    recipe: str = "",
) -> ImportResult:
    """Reads files of other tools into parts of a scenario, as `railwright import` does.

    `files` is a path, or several. `kind` is "nccl-topology", "nvidia-smi-topo", "ibnetdiscover",
    "slurm-topology", "hugging-face", "megatron", "nemo", "deepspeed", "slurm-jobs" or
    "serving-launch"; without it, the content of each file decides. For files of several kinds each
    may be a pair `(kind, path)`.

    `variables` gives variables of a script their values, such as `{"TP": 8}`, whatever it sets them
    to; `recipe` names one of several in a file of Python.

    The result has `yaml`, a scenario file with the origin of each value; `scenario`, its content as
    a Scenario; `values` with `path`, `value`, `origin`, `assumed` and `file`; and `assumed`, the
    assumed ones among them. `not_known` lists keys that a scenario needs and the files lack;
    `not_expressed` lists what a scenario has no key for; `conflicts` lists contradictions between
    files; `notes` has all this in words. With `base`, a scenario that the values are merged over,
    `yaml` and `scenario` include it, and `problems` lists what keeps it from being simulated.
    """
    if isinstance(files, (str, os.PathLike, tuple)):
        files = [files]
    named = [
        (one[0], os.fspath(one[1])) if isinstance(one, tuple) else (kind or "", os.fspath(one))
        for one in files
    ]
    if not named:
        problem = Diagnostic("files", 0, 0, "", "no file to import", "")
        raise ConfigError("files: no file to import", [problem])
    text, yaml, notes, scenario, problems = _core.import_files(
        named,
        None if base is None else native(base),
        _data.catalogue_roots(),
        [f"{name}={value}" for name, value in (variables or {}).items()],
        recipe,
    )
    data = json.loads(text)
    data["assumed"] = [value for value in data["values"] if value["assumed"]]
    data.update(yaml=yaml, notes=notes, scenario=scenario, problems=problems)
    return ImportResult(data)
