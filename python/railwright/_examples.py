# SPDX-License-Identifier: Apache-2.0
"""The examples that come with the package."""

from __future__ import annotations

import difflib
import re
from html import escape
from pathlib import Path

from railwright._scenario import Scenario


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
    """Returns a shipped example as a scenario: `rw.example("llama-2-70b-six-nodes")`;
    rw.examples() lists them.

    Raises ValueError for a name that there is not, with those that there are.
    """
    return Scenario.load(example_path(name if name.endswith(".yaml") else f"{name}.yaml"))



class Examples(dict[str, str]):
    """Names of examples, for rw.example(), each with a sentence."""

    def __repr__(self) -> str:
        wide = max(len(name) for name in self)
        return "\n".join(f"{name:{wide}}  {what}" for name, what in self.items())

    def _repr_html_(self) -> str:
        left = 'style="text-align: left"'
        rows = (
            f"<tr><td {left}><code>{escape(name)}</code></td><td {left}>{escape(what)}</td></tr>"
            for name, what in self.items()
        )
        return f"<table><tbody>{''.join(rows)}</tbody></table>"


def examples() -> Examples:
    """Returns the shipped scenarios by name, each with the sentence that its file begins with."""
    found = Examples()
    for path in sorted(_EXAMPLES.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"(?m)^(cluster|include):", text):  # others are no scenarios
            found[path.stem] = _sentence(text)
    return found


def _sentence(text: str) -> str:
    """Returns the first sentence of the comment at the top, after the licence."""
    words = []
    for line in text.splitlines()[1:]:
        if not line.startswith("# ") or line.startswith("#  "):
            break
        words.append(line[2:])
    return re.split(r"(?<=[.?!])\s+(?=[A-Z])", " ".join(words))[0]
