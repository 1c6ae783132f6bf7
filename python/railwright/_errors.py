# SPDX-License-Identifier: Apache-2.0
"""Exceptions of railwright. A design that does not fit is a result, not an exception."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnostic:
    """One problem of an input.

    Lines and columns count from 1; 0 means the input as a whole. `path` is the dotted key path,
    and `path` and `hint` may be empty.
    """

    file: str
    line: int
    column: int
    path: str
    message: str
    hint: str


class ConfigError(ValueError):
    """Bad input. `diagnostics` lists every problem that was found; the text shows them all."""

    def __init__(self, text: str, diagnostics: list[Diagnostic]):
        super().__init__(text, diagnostics)
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return str(self.args[0])


def refusal(where: str, message: str, hint: str = "") -> ConfigError:
    """Returns the error of an argument."""
    problem = Diagnostic(where, 0, 0, "", message, hint)
    return ConfigError(f"{where}: {message}" + (f"; {hint}" if hint else ""), [problem])


class ModelError(ValueError):
    """A model was used outside its range; the text names the model, the parameter and the valid
    range."""


class SimulationError(RuntimeError):
    """The simulation cannot continue: a stall, or an overflow of simulated time."""


class TableError(RuntimeError):
    """A sweep's table cannot be written: the disk is full or the file is gone. Committed rows are
    kept, and the same call resumes."""
