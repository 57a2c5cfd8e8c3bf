"""The page: one file that asks nobody for anything.

Its content security policy allows nothing but the one style and the one script that are written into it, which it names
by their SHA-256: no request, no other script, whatever the data say. Without scripts everything but the plot of
residuals and the robot is there.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from certify.reports.html.markup import Markup, Node, island, render, tag
from certify.runs.folders import REPORT_MARK

SCRIPTS = ("tables.js", "residuals.js", "robot.js")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: the key of its heading, and data for the page's script by their keys."""

    key: str
    title: str
    body: Sequence[Node]
    data: Mapping[str, Any] = field(default_factory=dict)


def page(title: str, told: str, sections: Sequence[Section]) -> bytes:
    """The whole file."""
    style, script = _asset("page.css"), "\n".join(map(_asset, SCRIPTS))
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; "
        f"form-action 'none'"
    )
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("title", title),
        Markup(f"<style>{style}</style>"),
    ]
    links = [tag("a", section.title, href=f"#{section.key}") for section in sections]
    body = [
        tag("header", tag("h1", title), tag("p", told), tag("nav", links, aria_label="sections")),
        tag("main", [_section(section) for section in sections]),
        [island(key, data) for section in sections for key, data in section.data.items()],
        Markup(f"<script>{script}</script>"),
    ]
    document = tag("html", tag("head", head), tag("body", body), lang="en")
    return f"{REPORT_MARK}{render(document)}\n".encode()


def _section(section: Section) -> Markup:
    return tag("section", tag("h2", section.title, id=section.key), section.body, aria_labelledby=section.key)


def _asset(name: str) -> str:
    return files("certify.reports.html").joinpath(name).read_text("utf-8").strip()


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
