"""What the page of `certify report` says of an experiment, read back: its table of verdicts and its intervals as those
that a run prints, and its own sentences.
"""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from reading import CONSISTENT, REASONS, SENTENCES, _row, error_band, names
from statements import Said, Unread, compiled, nothing, number, read_line

from certify.claims.report_claims import QUESTION

OWN = compiled(
    [
        (
            "Of the parts in {U} {P} has the largest lower end that is proved; its smallest model error: {W}.",
            lambda part, band: [(kind, part, values) for kind, _, values in error_band(band)],
        ),
        (
            "{P}: {I} of {I} rows contradict the fit that the run has judged, whatever was true within the intervals "
            "of their measurements (computed in outward rounding, without a certificate).",
            lambda part, count, rows: [("fit inconsistent", part, ())],
        ),
        (
            "The smallest model error of {P}: {W}.",
            lambda part, band: [(kind, part, values) for kind, _, values in error_band(band)],
        ),
        (
            "{W}: no value of the parameters explains the measurements within their intervals (proved), so an "
            "uncertainty that takes the model to be right says little there.",
            lambda parts: [("inconsistent", part, ()) for part in names(parts)],
        ),
        ("{I} of {I} certificates verified by a separate process, while this report was made.", nothing),
    ]
)


class Page(HTMLParser):
    """The lines of a page, and the cells of its tables by their ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.lines: list[tuple[str, str]] = []  # the section, and what is told there
        self.tables: dict[str, list[list[str]]] = {}
        self._section, self._table, self._text = "", "", ""
        self.feed(text)

    def handle_starttag(self, name: str, attributes: list[tuple[str, str | None]]) -> None:
        told = dict(attributes)
        self._section = told.get("aria-labelledby") or "" if name == "section" else self._section
        self._table = told.get("id") or "" if name == "table" else self._table
        if name == "tr":
            self.tables.setdefault(self._table, []).append([])
        if name in ("p", "li", "td", "th"):
            self._text = ""

    def handle_data(self, text: str) -> None:
        self._text += text

    def handle_endtag(self, name: str) -> None:
        if name in ("td", "th"):
            self.tables[self._table][-1].append(self._text)
        elif name in ("p", "li"):
            self.lines.append((self._section, self._text))

    def rows(self, table: str) -> Iterator[dict[str, str]]:
        """The rows of a table by its headings."""
        heading, *rows = self.tables.get(table, [[]])
        yield from (dict(zip(heading, row, strict=True)) for row in rows)


def read_report(path: Path) -> Iterator[Said]:
    """What the page in this file says."""
    page = Page(path.read_text())
    for row in page.rows("verdicts"):
        yield from _row(row)
    for row in page.rows("statements"):
        ends = [value for heading, value in row.items() if heading.endswith(": from") or heading == "to"]
        if ends and "not known" not in ends:
            yield Said("hull", row["parameter"], (number(ends[0]), number(ends[1])), "  ".join(row.values()))
    for section, line in page.lines:
        if section == "claim" or (section == "residuals" and " contradict " in line) or "so an uncertainty" in line:
            yield from _read_line(line)


def _read_line(line: str) -> Iterator[Said]:
    if line.startswith(QUESTION):
        for answer in line.removeprefix(QUESTION).strip().removesuffix(".").split("; "):
            parts, _, told = answer.partition(": ")
            if told not in CONSISTENT:
                raise Unread(f"no template reads {answer!r}")
            yield from (Said(CONSISTENT[told], part, (), line) for part in names(parts) if CONSISTENT[told])
    elif (
        REASONS.fullmatch(line) is None and line not in LEGEND and not line.startswith(("A row whose", "The residual"))
    ):
        yield from read_line(line, OWN if any(pattern.fullmatch(line) for pattern, _ in OWN) else SENTENCES)


LEGEND = (
    " refuted: no parameters fit within this error (proved)",
    " some parameters fit within this error (witness)",
    " least squares needs more than this (proved)",
    " least squares fits every measurement (witness)",
)
