"""The leaves of a tree (specification, section 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flint import arb, fmpq

from .certificate import Box, Certificate
from .frame import Frame
from .interval import HALF, LARGEST, ONE, ZERO, ball, between
from .nodes import Nodes, Place
from .outcome import Deadline
from .partial import square
from .polynomial import CONSTANT, poly_range
from .terms import Sum, Terms
from .text import exact, point_ball

WEIGHT = r"([1-9][0-9]*(?:p-?(?:0|[1-9][0-9]*))?)"
ROW_TERM = re.compile(r"([qmt])(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)([+-])" + WEIGHT)
PRODUCT_TERM = re.compile(r"b(0|[1-9][0-9]*)([+-])(0|[1-9][0-9]*)([+-])" + WEIGHT)
SIDES = {"+": 1, "-": -1}


class Leaves:
    """All leaves of one tree."""

    def __init__(self, nodes: Nodes, certificate: Certificate, deadline: Deadline) -> None:
        self.nodes, self.certificate, self.deadline = nodes, certificate, deadline
        self.level: arb = ball(certificate.error)
        self.terms = Terms(nodes.rows, self.level, certificate.squares, deadline)
        self.isolated = [tuple((exact(low), exact(high)) for low, high in zero.box) for zero in certificate.isolated]
        self._covered = fmpq(0)  # the volume of all leaves `open` so far
        self._frame: Frame | None = None
        self._facets: list[tuple[fmpq, list[fmpq]]] = [(fmpq(0), normal) for normal, _ in certificate.facets]

    def judge(self, tokens: list[str], place: Place) -> None:
        """Reject the certificate if this leaf proves nothing."""
        rule = self.nodes.rule
        if rule == "text":
            raise self.nodes.bad(f"there is no rule {tokens[0][:40]!r}")
        if rule in ("evaluate", "aggregate") and self.certificate.discard and place.named is None:
            raise self.nodes.bad("with `discard` it stands only below a `hitting`")
        if rule in ("open", "known") and place.named is not None:
            raise self.nodes.bad("it does not stand below a `hitting`")
        {"evaluate": self._evaluate, "aggregate": self._aggregate, "open": self._open, "known": self._known}[rule](
            tokens, place
        )

    def _evaluate(self, tokens: list[str], place: Place) -> None:
        self.nodes.count(tokens, 3)
        family, row = self.nodes.row(tokens[1], tokens[2], place)
        box = place.range()
        if box is None:
            return
        enclosed = self.nodes.rows.enclosed_where_defined(family, row, [between(low, high) for low, high in box])
        if enclosed is None:
            return
        low, high = square(enclosed) if self.certificate.squares else enclosed
        if not ((low is not None and low > self.level) or (high is not None and high < -self.level)):
            raise self.nodes.bad("the row may be as small as the error here")

    def _open(self, tokens: list[str], place: Place) -> None:
        self.nodes.count(tokens, 1)
        if self.certificate.within is None:
            raise self.nodes.bad("such a leaf proves nothing but `within`")
        box = place.range()
        if box is None:
            return
        if not _inside(box, self.certificate.hull):
            raise self.nodes.bad("the box leaves the hull")
        for (constant, normal), (_, bound) in zip(
            self._facets_of(place.prepared.frame), self.certificate.facets, strict=True
        ):
            self.deadline.check()
            if constant + _most(normal, place.box) > bound:
                raise self.nodes.bad("the box leaves the half-space of a facet")
        if self.certificate.volume is not None:
            self._cover(box, self.certificate.volume)

    def _cover(self, box: Box, allowed: fmpq) -> None:
        """Count what may belong to the set; S(level) is covered by these boxes."""
        content = fmpq(1)
        for low, high in box:
            content *= high - low
        self._covered += content
        if self._covered > allowed:
            raise self.nodes.bad("the open leaves so far have a larger volume")

    def _facets_of(self, frame: Frame | None) -> list[tuple[fmpq, list[fmpq]]]:
        """The facets' functions in the coordinates of the boxes; kept for one frame after the other."""
        if frame is not self._frame:
            normals = [normal for normal, _ in self.certificate.facets]
            self._facets = [frame.facet(normal) if frame else (fmpq(0), normal) for normal in normals]
            self._frame = frame
        return self._facets

    def _known(self, tokens: list[str], place: Place) -> None:
        self.nodes.count(tokens, 2)
        if self.certificate.zeros is None and self.certificate.minimum is None:
            raise self.nodes.bad("such a leaf proves nothing but `zeros` and `minimum`")
        number = self.nodes.lines.natural(tokens[1])
        if number >= len(self.isolated):
            raise self.nodes.bad("there is no such zero")
        box = place.range()
        if box is not None and not _inside(box, self.isolated[number]):
            raise self.nodes.bad("the box leaves the box of the zero")

    def _aggregate(self, tokens: list[str], place: Place) -> None:
        total = Sum()
        seen: set[tuple[object, ...]] = set()
        has_row = False
        for token in tokens[1:]:
            self.deadline.check()
            found, product = ROW_TERM.fullmatch(token), PRODUCT_TERM.fullmatch(token)
            if found:
                name = self._add_row(total, found, place)
                has_row = True
            elif product:
                name = self._add_product(total, product, place)
            else:
                raise self.nodes.bad(f"{token[:40]!r} is no term")
            if name in seen:
                raise self.nodes.bad(
                    f"the term {token[:40]!r} occurs twice" + (", or its row" if self.certificate.squares else "")
                )
            seen.add(name)
        if not has_row:
            raise self.nodes.bad("there is no row among the terms")
        if self.certificate.squares:
            total.add_polynomial(ONE, {CONSTANT: (-self.level, -self.level)})
        centre = place.prepared.centre
        ranges = [between(low - middle, high - middle) for (low, high), middle in zip(place.box, centre, strict=True)]
        least = poly_range(total.polynomial(), ranges)[0]
        if not ZERO < least < LARGEST:
            raise self.nodes.bad("the sum is not proved to be positive")

    def _add_row(self, total: Sum, found: re.Match[str], place: Place) -> tuple[object, ...]:
        """Add a q, m or t term; what may occur only once."""
        form, family_token, row_token, side, weight_token = found.groups()
        family, row = self.nodes.row(family_token, row_token, place)
        weight = point_ball(self.nodes.lines.dyadic(weight_token))
        total.add_term(weight, self.terms.row(form, family, row, SIDES[side], place.prepared))
        if not self.certificate.squares:
            return form, family, row, side
        loss = -(weight * HALF * HALF)  # r^2 >= weight P - weight^2 / 4
        total.add_polynomial(weight, {CONSTANT: (loss, loss)})
        return family, row

    def _add_product(self, total: Sum, product: re.Match[str], place: Place) -> tuple[object, ...]:
        """Add a product; what may occur only once."""
        first, first_sign, second, second_sign, weight_token = product.groups()
        i, j = self.nodes.variable(first), self.nodes.variable(second)
        if i > j or (i == j and (first_sign, second_sign) == ("-", "+")):
            raise self.nodes.bad(f"the product {product.group()[:40]!r} is not in order")
        weight = point_ball(self.nodes.lines.dyadic(weight_token))
        total.add_polynomial(weight, self.terms.product(i, SIDES[first_sign], j, SIDES[second_sign], place.prepared))
        return "b", i, first_sign, j, second_sign


def _most(normal: Sequence[fmpq], box: Box) -> fmpq:
    """The largest value of a . x on a box."""
    return sum((a * (high if a > 0 else low) for a, (low, high) in zip(normal, box, strict=True)), fmpq(0))


def _inside(box: Box, other: Box) -> bool:
    return all(first <= low and high <= last for (low, high), (first, last) in zip(box, other, strict=True))
