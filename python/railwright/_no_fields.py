# SPDX-License-Identifier: Apache-2.0
"""Stands in for _fields.pyi where no type checker reads: its classes have no attributes."""

from __future__ import annotations


class _Nothing:
    """The fields of a result, which come from its JSON."""

    __slots__ = ()


def __getattr__(name: str) -> type:
    return type(name, (_Nothing,), {"__slots__": ()})
