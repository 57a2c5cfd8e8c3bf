"""The leaves of a tree (specification, section 6)."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from .aggregate import Aggregates
from .certificate import Box, Certificate
from .frame import Frame
from .groups import Group
from .interval import NOTHING, Interval, between
from .nodes import Nodes, Place
from .outcome import Deadline
from .partial import Partial, add, square
from .terms import Terms
from .text import exact


class Leaves:
    """All leaves of one tree."""

    def __init__(self, nodes: Nodes, certificate: Certificate, deadline: Deadline) -> None:
        self.nodes, self.certificate, self.deadline = nodes, certificate, deadline
        self.terms = Terms(nodes.rows, certificate.error, certificate.squares, deadline)
        self.aggregates = Aggregates(nodes, certificate, self.terms, deadline)
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
        judges = {
            "evaluate": self._evaluate,
            "aggregate": self.aggregates.judge,
            "open": self._open,
            "known": self._known,
        }
        judges[rule](tokens, place)

    def _evaluate(self, tokens: list[str], place: Place) -> None:
        self.nodes.count(tokens, 3)
        family, row = self.nodes.row(tokens[1], tokens[2], place)
        box = place.range()
        if box is None:
            return
        ranges = [between(low, high) for low, high in box]
        group, bound = self.nodes.scope.group[family], self.terms.bounds[family]
        if group.is_euclidean:
            enclosed = self._sum_of_squares(group, row, ranges)
            bound = bound * bound
        else:
            enclosed = self.nodes.rows.enclosed_where_defined(family, row, ranges)
        if enclosed is None:
            return
        low, high = square(enclosed) if self.certificate.squares else enclosed
        if not ((low is not None and low > bound) or (high is not None and high < -bound)):
            raise self.nodes.bad("the row may be as small as the error here")

    def _sum_of_squares(self, group: Group, row: int, ranges: list[Interval]) -> Partial | None:
        """The sum of the squares of a member where all of its rows are defined; nothing if one is defined nowhere."""
        total: Partial = NOTHING
        for family in group.families:
            enclosed = self.nodes.rows.enclosed_where_defined(family, row, ranges)
            if enclosed is None:
                return None
            total = add(total, square(enclosed))
        return total

    def _open(self, tokens: list[str], place: Place) -> None:
        self.nodes.count(tokens, 1)
        if self.certificate.within is None:
            raise self.nodes.bad("such a leaf proves nothing but `within`")
        box = place.range()
        if box is None:
            return
        self._check_open(box, place)
        if self.certificate.volume is not None:
            self._cover(_content(box), self.certificate.volume)

    def judge_piece(self, piece: Certificate, zeros: Sequence[Box], place: Place) -> None:
        """Reject the certificate unless what a piece leaves may be left here: its hull as an open leaf of the piece's
        own volume, its zeros (within these boxes) as known ones.
        """
        if piece.within is not None:
            if self.certificate.within is None:
                raise self.nodes.bad("the piece leaves something open, which proves nothing but `within`")
            self._check_open(piece.hull, Place(piece.hull, place.prepared))
            if self.certificate.volume is not None:
                if piece.volume is None:
                    raise self.nodes.bad("the piece says no volume of what it leaves open")
                self._cover(piece.volume, self.certificate.volume)
        for number, zero in enumerate(zeros):
            self.deadline.check()
            if not any(_inside(zero, box) for box in self.isolated):
                raise self.nodes.bad(f"the zero {number} of the piece is in the box of no zero here")

    def _check_open(self, box: Box, place: Place) -> None:
        if not _inside(box, self.certificate.hull):
            raise self.nodes.bad("the box leaves the hull")
        for (constant, normal), (_, bound) in zip(
            self._facets_of(place.prepared.frame), self.certificate.facets, strict=True
        ):
            self.deadline.check()
            if constant + _most(normal, place.box) > bound:
                raise self.nodes.bad("the box leaves the half-space of a facet")

    def _cover(self, content: fmpq, allowed: fmpq) -> None:
        """Count what may belong to the set; S(level) is covered by these boxes."""
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


def _most(normal: Sequence[fmpq], box: Box) -> fmpq:
    """The largest value of a . x on a box."""
    return sum((a * (high if a > 0 else low) for a, (low, high) in zip(normal, box, strict=True)), fmpq(0))


def _content(box: Box) -> fmpq:
    """The exact volume of a box."""
    content = fmpq(1)
    for low, high in box:
        content *= high - low
    return content


def _inside(box: Box, other: Box) -> bool:
    return all(first <= low and high <= last for (low, high), (first, last) in zip(box, other, strict=True))
