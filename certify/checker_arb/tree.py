"""The tree: a proof by cases that S(level) is empty but for what lies in leaves `open` and `known` (specification,
section 6).
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq

from .boxes import Prepared, Rows
from .certificate import MOST_DISCARDED, MOST_VARIABLES, Certificate
from .frame import MOST_EXPONENT, MOST_MANTISSA, Frame
from .groups import Row
from .hitting import are_disjoint, can_be_hit
from .leaves import Leaves
from .nodes import Nodes, Place
from .outcome import Deadline, Exhausted, Rejection, Undefined
from .pieces import Pieces
from .text import HASH, Lines, exact

MOST_CELLS = 256
MOST_CHILDREN, MOST_DISJOINT = 10_000, 100_001
MOST_PENDING = 2_000_000
WEIGHT_OF_A_BOX = 8


@dataclass(frozen=True, slots=True)
class Conflict:
    """A `hitting`, to be judged when all of its children have been read: the rows that each of them names."""

    node: int
    line: int
    named: list[set[Row]]


class Tree:
    """One walk through the nodes, in the order of the file."""

    def __init__(
        self, lines: Lines, certificate: Certificate, rows: Rows, deadline: Deadline, pieces: Pieces | None = None
    ) -> None:
        self.pieces = pieces
        self.lines, self.certificate, self.deadline = lines, certificate, deadline
        self.nodes = Nodes(lines, rows)
        self.leaves = Leaves(self.nodes, certificate, deadline)
        self.judged = -1  # the node that is being judged
        self.count = 0

    def walk(self) -> None:
        """Read and judge all nodes."""
        start = self.certificate.start
        pending: list[Place | Conflict] = [Place(start, Prepared(0, start, 1))]
        weight = len(start) + WEIGHT_OF_A_BOX
        while pending:
            self.deadline.check()
            if len(pending) * weight > MOST_PENDING:
                raise Exhausted(f"more than {MOST_PENDING} pending boxes times (variables + {WEIGHT_OF_A_BOX})")
            place = pending.pop()
            if isinstance(place, Conflict):
                self._resolve(place)
                continue
            tokens = self.nodes.read()
            self.judged = self.nodes.number
            try:
                pending += reversed(self._below(tokens, place))
            except Undefined as failure:
                raise self.nodes.bad(str(failure)) from failure
        self.count = self.nodes.number + 1
        self.nodes.rule = "text"

    def _below(self, tokens: list[str], place: Place) -> list[Place | Conflict]:
        """What is to be read after this node."""
        rule = self.nodes.rule
        if rule == "split":
            return self._split(tokens, place)
        if rule == "prepare":
            return self._prepare(tokens, place)
        if rule == "frame":
            return self._frame(tokens, place)
        if rule == "hitting":
            return self._hitting(tokens, place)
        if rule == "piece":
            self._piece(tokens, place)
        else:
            self.leaves.judge(tokens, place)
        return []

    def _piece(self, tokens: list[str], place: Place) -> None:
        """Another certificate, about a part that this box lies in, says what there is to say."""
        self.nodes.count(tokens, 2)
        if place.named is not None or place.prepared.frame is not None:
            raise self.nodes.bad("there is a `hitting` or a `frame` above it")
        if not self.certificate.kind or self.certificate.place != "box" or self.pieces is None:
            raise self.nodes.bad("pieces belong to certificates of version 6 about all of the box")
        self.lines.match(HASH, tokens[1], "hash in lower case hexadecimal")
        try:
            piece, zeros = self.pieces.proved(tokens[1], self.certificate, place.box)
        except Rejection as rejection:
            line = "" if rejection.line is None else f" line {rejection.line}"
            where = f"piece {tokens[1][:12]}{line}: {rejection.rule}"
            raise self.nodes.bad(f"{where}: {rejection.reason}") from rejection
        self.leaves.judge_piece(piece, zeros, place)

    def _split(self, tokens: list[str], place: Place) -> list[Place | Conflict]:
        self.nodes.count(tokens, 3)
        k = self.nodes.variable(tokens[1])
        cut: fmpq = exact(self.lines.dyadic(tokens[2]))
        box = place.box
        low, high = box[k]
        if not low < cut < high:
            raise self.nodes.bad("the cut is not inside the box")
        return [
            Place((*box[:k], part, *box[k + 1 :]), place.prepared, place.named) for part in ((low, cut), (cut, high))
        ]

    def _prepare(self, tokens: list[str], place: Place) -> list[Place | Conflict]:
        self.nodes.count(tokens, 2)
        cells = self.lines.natural(tokens[1], 1, MOST_CELLS)
        return [Place(place.box, Prepared(self.nodes.number + 1, place.box, cells, place.prepared.frame), place.named)]

    def _frame(self, tokens: list[str], place: Place) -> list[Place | Conflict]:
        size = len(place.box)
        if place.prepared.frame is not None:
            raise self.nodes.bad("there is a frame above it")
        if size > MOST_VARIABLES:
            raise self.nodes.bad(f"a frame has at most {MOST_VARIABLES} variables")
        self.nodes.count(tokens, 1 + size + size * size)
        numbers = []
        for token in tokens[1:]:
            mantissa, exponent = self.lines.dyadic(token)
            twos = (mantissa & -mantissa).bit_length() - 1 if mantissa else -exponent
            if abs(mantissa >> max(twos, 0)) >= MOST_MANTISSA or abs(exponent + twos) > MOST_EXPONENT:
                raise self.nodes.bad(
                    f"no odd number below 2^64 in size times a power of 2 that is not beyond {MOST_EXPONENT}"
                )
            numbers.append(exact((mantissa, exponent)))
        frame = Frame(numbers[:size], numbers[size:], place.box, self.certificate.precision)
        return [Place(frame.start, Prepared(self.nodes.number + 1, frame.start, 1, frame), place.named)]

    def _hitting(self, tokens: list[str], place: Place) -> list[Place | Conflict]:
        if not self.certificate.discard:
            raise self.nodes.bad("such a node needs `discard`")
        if place.named is not None:
            raise self.nodes.bad("there is a `hitting` above it")
        self.nodes.count(tokens, 2)
        most = MOST_CHILDREN if self.certificate.discard <= MOST_DISCARDED else MOST_DISJOINT
        named: list[set[Row]] = [set() for _ in range(self.lines.natural(tokens[1], 1, most))]
        children = [Place(place.box, place.prepared, rows) for rows in named]
        return [*children, Conflict(self.nodes.number, self.lines.number, named)]

    def _resolve(self, conflict: Conflict) -> None:
        """Whoever leaves out too few rows keeps all rows of one child."""
        discard, named = self.certificate.discard, conflict.named
        if discard <= MOST_DISCARDED:
            fault = f"{discard} rows or fewer meet the rows of every child"
            is_proved = not can_be_hit(map(frozenset, named), discard, self.deadline)
        else:
            fault = f"more than {discard} children without a common row were expected"
            is_proved = len(named) > discard and are_disjoint(named)
        if not is_proved:
            self.judged = conflict.node
            raise Rejection("hitting", fault, self.lines.file, conflict.line)
