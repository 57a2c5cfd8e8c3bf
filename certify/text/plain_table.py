"""A table as plain text: a heading, a rule under what has a heading, and columns that line up."""

from __future__ import annotations

from collections.abc import Sequence


def plain_table(rows: Sequence[Sequence[str]], right: bool = True) -> str:
    """The first row is the heading. The first column is flush left, the others right, or left, too."""
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    heading = rows[0]
    ruled = ["-" * width if heading[k] or not k else "" for k, width in enumerate(widths)]
    lines = [_line(row, widths, right) for row in rows]
    lines.insert(1, _line(ruled, widths, right))
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int], right: bool) -> str:
    cells = [
        cell.rjust(width) if right and k else cell.ljust(width)
        for k, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
