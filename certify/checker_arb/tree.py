"""The tree: a proof by cases that S(e) is empty but for what lies in leaves `open` and `known` (specification, section 6)."""

from __future__ import annotations

import re

from flint import fmpq

from .boxes import Prepared, Rows
from .certificate import Box, Certificate
from .interval import LARGEST, ZERO, ball, between
from .outcome import Deadline, Exhausted, Rejection, Undefined
from .polynomial import poly_range
from .problem import Problem
from .terms import Sum, Terms
from .text import Lines, exact, point_ball

MOST_CELLS = 256
MOST_PENDING = 2_000_000
WEIGHT_OF_A_BOX = 8

RULES = frozenset(("split", "prepare", "evaluate", "aggregate", "open", "known"))
WEIGHT = r"([1-9][0-9]*(?:p-?(?:0|[1-9][0-9]*))?)"
ROW_TERM = re.compile(r"([qm])(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([+-])" + WEIGHT)
PRODUCT_TERM = re.compile(r"b(0|[1-9][0-9]*)([+-])(0|[1-9][0-9]*)([+-])" + WEIGHT)
SIDES = {"+": 1, "-": -1}


class Tree:
    """One walk through the nodes, in the order of the file."""

    def __init__(self, lines: Lines, problem: Problem, certificate: Certificate, rows: Rows, deadline: Deadline) -> None:
        self.lines, self.problem, self.certificate, self.rows, self.deadline = lines, problem, certificate, rows, deadline
        self.scope = certificate.scope
        self.error = ball(certificate.error)
        self.terms = Terms(rows, self.error, deadline)
        self.node = -1
        self.rule = "text"
        self.isolated = [tuple((exact(low), exact(high)) for low, high in zero.box) for zero in certificate.isolated]

    def _bad(self, reason: str) -> Rejection:
        return Rejection(self.rule, reason, self.lines.file, self.lines.number)

    def walk(self) -> None:
        """Read and judge all nodes."""
        start = self.certificate.start
        pending: list[tuple[Box, Prepared]] = [(start, Prepared(0, start, 1))]
        weight = len(self.scope.variables) + WEIGHT_OF_A_BOX
        while pending:
            self.deadline.check()
            if len(pending) * weight > MOST_PENDING:
                raise Exhausted(f"more than {MOST_PENDING} pending boxes times (variables + {WEIGHT_OF_A_BOX})")
            box, prepared = pending.pop()
            tokens = self.lines.read()
            self.node += 1
            self.rule = tokens[0] if tokens[0] in RULES else "text"
            if self.rule == "split":
                low, high = self._split(tokens, box)
                pending += [(high, prepared), (low, prepared)]
            elif self.rule == "prepare":
                pending.append((box, self._prepare(tokens, box)))
            else:
                try:
                    self._leaf(tokens, box, prepared)
                except Undefined as failure:
                    raise self._bad(str(failure)) from failure
        self.rule = "text"

    def _leaf(self, tokens: list[str], box: Box, prepared: Prepared) -> None:
        if self.rule == "aggregate":
            self._aggregate(tokens, box, prepared)
        elif self.rule == "evaluate":
            self._evaluate(tokens, box)
        elif self.rule == "open":
            self._open(tokens, box)
        elif self.rule == "known":
            self._known(tokens, box)
        else:
            raise self._bad(f"there is no rule {tokens[0][:40]!r}")

    def _count(self, tokens: list[str], count: int) -> None:
        if len(tokens) != count:
            raise self._bad(f"{count - 1} tokens were expected after {tokens[0]!r}, not {len(tokens) - 1}")

    def _variable(self, token: str) -> int:
        """The place of a variable among those of the scope."""
        number = self.lines.natural(token)
        if number not in self.scope.place:
            raise self._bad("this variable is not one of the scope")
        return self.scope.place[number]

    def _row(self, family_token: str, row_token: str) -> tuple[int, int]:
        family, row = self.lines.natural(family_token), self.lines.natural(row_token)
        if family not in self.rows.plans:
            raise self._bad("this family is not one of the scope")
        if row >= self.rows.plans[family].family.rows:
            raise self._bad("the family has no such row")
        return family, row

    def _split(self, tokens: list[str], box: Box) -> tuple[Box, Box]:
        self._count(tokens, 3)
        place = self._variable(tokens[1])
        cut: fmpq = exact(self.lines.dyadic(tokens[2]))
        low, high = box[place]
        if not low < cut < high:
            raise self._bad("the cut is not inside the box")
        return (*box[:place], (low, cut), *box[place + 1 :]), (*box[:place], (cut, high), *box[place + 1 :])

    def _prepare(self, tokens: list[str], box: Box) -> Prepared:
        self._count(tokens, 2)
        return Prepared(self.node + 1, box, self.lines.natural(tokens[1], 1, MOST_CELLS))

    def _evaluate(self, tokens: list[str], box: Box) -> None:
        self._count(tokens, 3)
        family, row = self._row(tokens[1], tokens[2])
        ranges = [between(low, high) for low, high in box]
        low, high = self.rows.enclosed(family, row, ranges)
        if not (low > self.error or high < -self.error):
            raise self._bad("the row may be as small as the error here")

    def _open(self, tokens: list[str], box: Box) -> None:
        self._count(tokens, 1)
        if self.certificate.within is None:
            raise self._bad("such a leaf proves nothing but `within`")
        if not _inside(box, self.certificate.hull):
            raise self._bad("the box leaves the hull")

    def _known(self, tokens: list[str], box: Box) -> None:
        self._count(tokens, 2)
        if self.certificate.zeros is None:
            raise self._bad("such a leaf proves nothing but `zeros`")
        number = self.lines.natural(tokens[1])
        if number >= len(self.isolated):
            raise self._bad("there is no such zero")
        if not _inside(box, self.isolated[number]):
            raise self._bad("the box leaves the box of the zero")

    def _aggregate(self, tokens: list[str], box: Box, prepared: Prepared) -> None:
        total = Sum()
        seen: set[tuple[str, ...]] = set()
        has_row = False
        for token in tokens[1:]:
            self.deadline.check()
            found = ROW_TERM.fullmatch(token)
            product = None if found else PRODUCT_TERM.fullmatch(token)
            if found is None and product is None:
                raise self._bad(f"{token[:40]!r} is no term")
            groups = (found or product).groups()  # type: ignore[union-attr]
            name = groups[:-1] if found else ("b", *groups[:-1])
            if name in seen:
                raise self._bad(f"the term {token[:40]!r} occurs twice")
            seen.add(name)
            weight = point_ball(self.lines.dyadic(groups[-1]))
            if found:
                has_row = True
                form, family_token, row_token, side = groups[:4]
                family, row = self._row(family_token, row_token)
                total.add_term(weight, self.terms.row(form, family, row, SIDES[side], prepared))
            else:
                first, first_sign, second, second_sign = groups[:4]
                i, j = self._variable(first), self._variable(second)
                if i > j or (i == j and (first_sign, second_sign) == ("-", "+")):
                    raise self._bad(f"the product {token[:40]!r} is not in order")
                total.add_polynomial(weight, self.terms.product(i, SIDES[first_sign], j, SIDES[second_sign], prepared))
        if not has_row:
            raise self._bad("there is no row among the terms")
        ranges = [between(low - centre, high - centre) for (low, high), centre in zip(box, prepared.centre, strict=True)]
        least = poly_range(total.polynomial(), ranges)[0]
        if not ZERO < least < LARGEST:
            raise self._bad("the sum is not proved to be positive")


def _inside(box: Box, other: Box) -> bool:
    return all(first <= low and high <= last for (low, high), (first, last) in zip(box, other, strict=True))
