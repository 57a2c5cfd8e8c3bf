"""What the nodes of a tree are read with, and what the leaves below them are about (specification, section 6)."""

from __future__ import annotations

from dataclasses import dataclass

from .boxes import Prepared, Rows
from .certificate import Box
from .groups import Row
from .outcome import Rejection
from .text import Lines

RULES = frozenset(("split", "prepare", "frame", "hitting", "evaluate", "aggregate", "open", "known", "piece"))


@dataclass(frozen=True, slots=True)
class Place:
    """A box of the tree, of y in a frame; `named` are the members (specification, 12.2) that the leaves of a child of
    a `hitting` have named so far.
    """

    box: Box
    prepared: Prepared
    named: set[Row] | None = None

    def range(self) -> Box | None:
        """A box that contains the points meant, or nothing."""
        frame = self.prepared.frame
        return self.box if frame is None else frame.range(self.box)


class Nodes:
    """The node that was read last."""

    def __init__(self, lines: Lines, rows: Rows) -> None:
        self.lines, self.rows, self.scope = lines, rows, rows.scope
        self.number = -1
        self.rule = "text"

    def read(self) -> list[str]:
        """The tokens of the next node."""
        tokens = self.lines.read()
        self.number += 1
        self.rule = tokens[0] if tokens[0] in RULES else "text"
        return tokens

    def bad(self, reason: str) -> Rejection:
        """The rejection of this node."""
        return Rejection(self.rule, reason, self.lines.file, self.lines.number)

    def count(self, tokens: list[str], count: int) -> None:
        """So many tokens."""
        if len(tokens) != count:
            raise self.bad(f"{count - 1} tokens were expected after {tokens[0]!r}, not {len(tokens) - 1}")

    def variable(self, token: str) -> int:
        """The place of a variable among those of the scope."""
        number = self.lines.natural(token)
        if number not in self.scope.place:
            raise self.bad("this variable is not one of the scope")
        return self.scope.place[number]

    def row(self, family_token: str, row_token: str, place: Place) -> Row:
        """A row of the scope, which is named in a leaf at this place."""
        family, row = self.lines.natural(family_token), self.lines.natural(row_token)
        if family not in self.rows.plans:
            raise self.bad("this family is not one of the scope")
        if row >= self.rows.plans[family].family.rows:
            raise self.bad("the family has no such row")
        if place.named is not None:
            place.named.add(self.scope.group[family].member(family, row))
        return family, row
