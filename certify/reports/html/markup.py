"""Text as HTML: whatever is no markup of ours is escaped, and what cannot be seen is shown by its number.

    tag("td", name, class_="name", data_sort=3)     <td class="name" data-sort="3">...</td>

A name from a file may hold anything: <script>, quotes, an order of writing that turns lines around. Nothing of it
becomes markup, because only `Markup` is taken as it is, and only `tag` and `island` make it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, TypeAlias

VOID = frozenset({"br", "meta", "input"})
LONGEST = 2000  # characters of a text that are shown


class Markup(str):
    """HTML that was made here."""

    __slots__ = ()


Node: TypeAlias = "str | Markup | Iterable[Node] | None"


def visible(text: str, longest: int = LONGEST) -> str:
    """The text with characters that cannot be seen, or that turn the order of others around, by their numbers."""
    cut = text if len(text) <= longest else f"{text[:longest]} ... ({len(text) - longest} more characters)"
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut)


def render(node: Node) -> Markup:
    """A node and all in it as HTML."""
    if node is None:
        return Markup("")
    if isinstance(node, Markup):
        return node
    if isinstance(node, str):
        return Markup(escape(visible(node), quote=True))
    return Markup("".join(map(render, node)))


def tag(name: str, /, *children: Node, **attributes: str | float | None) -> Markup:
    """An element; an attribute that is None is left out, class_ and data_sort are written class and data-sort."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(str(value)), quote=True)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{told}>" if name in VOID else f"<{name}{told}>{render(children)}</{name}>")


def island(key: str, data: Any) -> Markup:
    """Data for the page's script, which no browser takes for a script and no text in it can end."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(f'<script type="application/json" id="{escape(key)}">{text}</script>')


def table(
    headings: Sequence[str], rows: Iterable[Iterable[Node]], caption: str = "", key: str | None = None,
    stacked: bool = False,
) -> Markup:  # fmt: skip
    """A table whose columns can be sorted; the first cell of a row names it. Where a page is narrow, a stacked one has
    its cells below each other, each behind its heading, and nothing scrolls sideways.
    """
    head = tag("tr", [tag("th", tag("button", heading, type="button"), scope="col") for heading in headings])
    body = [_row(list(cells), headings if stacked else ()) for cells in rows]
    told = tag("caption", caption) if caption else None
    made = tag(
        "table",
        told,
        tag("thead", head),
        tag("tbody", body),
        class_="sortable stacked" if stacked else "sortable",
        id=key,
    )
    return tag("div", made, class_="wide", tabindex="0", role="region", aria_label=caption or "table")


def filled(headings: Sequence[str], rows: Sequence[Sequence[Node]]) -> tuple[list[str], list[list[Node]]]:
    """A table without the columns that are empty in each of its rows."""
    kept = [k for k in range(len(headings)) if not rows or any(row[k] for row in rows)]
    return [headings[k] for k in kept], [[row[k] for k in kept] for row in rows]


def _row(cells: list[Node], labels: Sequence[str]) -> Markup:
    told = [
        tag("td", cell, data_label=label)
        for cell, label in zip(cells[1:], [*labels[1:], *[None] * len(cells)], strict=False)
    ]
    return tag("tr", tag("th", cells[0], scope="row"), told)


def listed(items: Iterable[Node]) -> Markup | None:
    """A list, nothing if it would be empty."""
    found = [tag("li", item) for item in items]
    return tag("ul", found) if found else None
