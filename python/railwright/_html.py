# SPDX-License-Identifier: Apache-2.0
"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Any

from railwright import _format


def lines(data: dict[str, Any], prefix: str = "") -> list[list[str]]:
    """Returns all keys and values; nested objects have keys `a.b`."""
    # The causes of a breakdown are in seconds, but their keys lack the suffix.
    unit = "_s" if prefix == "breakdown." else ""
    found = []
    for key, value in data.items():
        if key == "load_over_time":
            continue  # thousands of numbers
        if isinstance(value, dict):
            found += lines(value, f"{prefix}{key}.")
        elif key == "parts":
            found += [
                [f"parts.{part['kind']}", f"{part['count']:,} × {part['name']}"] for part in value
            ]
        elif isinstance(value, list):
            found += [[prefix + key, str(item)] for item in value if not isinstance(item, dict)]
        else:
            found.append([prefix + key, _format.value(key + unit, value)])
    return found


def folded(summary: str, content: str) -> str:
    """Returns content that shows when its line is clicked."""
    return f"<details><summary>{escape(summary)}</summary>{content}</details>"


def table(
    header: list[str],
    body: list[list[str]],
    caption: str = "",
    note: str = "",
    left: Collection[int] = (0,),
) -> str:
    """`left` names the columns of text; the others hold numbers."""

    def row(cells: list[str], tag: str) -> str:
        return "".join(
            f'<{tag} style="text-align: {"left" if i in left else "right"}">{escape(cell)}</{tag}>'
            for i, cell in enumerate(cells)
        )

    parts = ["<table>"]
    if caption:
        parts.append(f"<caption>{escape(caption)}</caption>")
    if any(header):
        parts.append(f"<thead><tr>{row(header, 'th')}</tr></thead>")
    parts.append("<tbody>")
    parts += [f"<tr>{row(line, 'td')}</tr>" for line in body]
    parts.append("</tbody></table>")
    if note:
        parts.append(f"<p>{escape(note)}</p>")
    return "\n".join(parts)
