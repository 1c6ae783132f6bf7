# SPDX-License-Identifier: Apache-2.0
"""Questions in a few words, without a file; the planner knows the words and what they mean."""

from __future__ import annotations

import difflib
import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from railwright import _core, _data
from railwright._scenario import Scenario, Settings, in_yaml, settings_of

if TYPE_CHECKING:
    from typing_extensions import Unpack


class Words(TypedDict, total=False):
    """The words of a question, as the program's options of the same names."""

    model: str | Mapping[str, Any] | None
    nodes: int | str | None
    gpus: int | str | None
    node: str | Mapping[str, Any] | None
    tokens: float | str | None
    deadline: str | None
    budget: float | str | None
    power: str | None
    prices: str | Mapping[str, Any] | None
    users: float | str | None
    requests_per_s: float | str | None
    ttft: str | None
    tpot: str | None


# The program's help of its options, with arguments in place of options.
_HELP = {
    name: re.sub(r"--([a-z-]+)", lambda found: f"`{found[1].replace('-', '_')}`", f"{meaning}.")
    for name, _, meaning in _core.WORDS
}
_Verb = TypeVar("_Verb", bound=Callable[..., Any])


def asks(verb: _Verb) -> _Verb:
    """Gives a verb the words as keyword arguments, in its signature and its docstring, and refuses a
    misspelt one."""

    @functools.wraps(verb)
    def checked(*args: Any, **given: Any) -> Any:
        for name in given.keys() - known:
            near = difflib.get_close_matches(name, sorted(known), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{verb.__name__}() has no argument {name!r}{hint}")
        return verb(*args, **given)

    signature = inspect.signature(verb)
    own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
    hints = Words.__annotations__
    words = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=hints[name].__forward_arg__,
        )
        for name in _HELP
    ]
    known = {one.name for one in [*own, *words]}
    checked.__signature__ = signature.replace(parameters=[*own, *words])  # type: ignore[attr-defined]
    lines = "".join(f"\n        {name}: {meaning}" for name, meaning in _HELP.items())
    heading = "\n\n    A question without a scenario, or words laid over one:" + lines
    checked.__doc__ = f"{(verb.__doc__ or '').rstrip()}{heading}\n    "
    return checked  # type: ignore[return-value]


def native(
    scenario: Scenario | Any | None, set: Settings, words: Mapping[str, Any]
) -> _core.Source:
    """Converts a verb's scenario, its settings and the words of a question for the extension."""
    said = [(name, _text(word)) for name, word in words.items() if word is not None]
    if scenario is None:
        return _core.Source("", False, settings_of(set), [], said)
    return Scenario.of(scenario, set).native(said)


@asks
def question(set: Settings = (), **words: Unpack[Words]) -> Scenario:
    """Returns the scenario that a question means, with what it leaves unsaid chosen:
    `rw.question(model="llama-3.1-70b", nodes=48)`. It is a start to change with `with_`, to sweep
    and to compare. Without `nodes` or `gpus` it is one for size().

    Parameters:
        set: settings over it, a dict or "path=value" texts."""
    source = native(None, set, words)
    has_nodes = any(words.get(name) is not None for name in ("nodes", "gpus"))
    return Scenario.of_yaml(_core.question_yaml(source, has_nodes, _data.catalogue_roots()))


def _text(word: Any) -> str:
    """Writes a word as it is typed: 1.5e12 tokens are "1500000000000"."""
    if isinstance(word, str):
        return word
    if isinstance(word, float) and word.is_integer():
        return str(int(word))
    return in_yaml(word)
