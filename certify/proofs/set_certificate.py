"""Certificates for sets of inequalities: how large the set is at most, at least, and a point of it.

    outer    what is not refuted contains the set                       volume <= V
    inner    what is not refuted contains everything outside of it      volume >= volume of the domain - V
    point    one point at which all inequalities hold                   the set is not empty

Both proofs follow the tree of the paving. Each part that the search calls outside (or inside) is judged again in the
checker's arithmetic, the largest first; what is not confirmed as it stands is divided a few times, without the thin
strips at which a condition is just met. What is still not confirmed, or has no time left, stays open: the bound grows
by its volume, and nothing else is lost.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count

import numpy as np

from certify.checker.certificate import Hull
from certify.checker.nodes import Aggregate, Evaluate, Node, Prepare, RowTerm, Split
from certify.checker.rules import Proof, Question
from certify.checker.scope import Box
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.protocol.boxes import Boxes, reasons_of
from certify.contractors.protocol.contractor import Box as FloatBox
from certify.contractors.short_numbers import short_above, short_below
from certify.problems.model.model import Family, Problem
from certify.problems.systems.set_canonical import complement_problem, set_problem
from certify.problems.systems.system import System
from certify.problems.systems.system_canonical import NotCertifiable
from certify.proofs.certificate_text import OPEN, Claim, node_line
from certify.proofs.problem_replay import PRECISION, Proving, Replay, Withdrawn, volume_of
from certify.proofs.system_certificate import equations_of_problem
from certify.proofs.trimming import holds
from certify.records.options import Progress
from certify.solvers.graph.own import Own, OwnContractors
from certify.solvers.graph.set_graph import own_of_set
from certify.solvers.limits import UNLIMITED, Late, Limit, Stopped
from certify.solvers.proof.trace import Steps, recorded
from certify.solvers.search.paving_tree import Cell, End
from certify.solvers.search.proof_search import LONGER, late
from certify.text.decimals import round_up

TRIES = 6  # divisions of a part one below the other
STRIP, STRIP_BITS = 1 / 64, 8  # of a side, and of the place where one ends
WORTH = 1e-7  # of the domain: what is smaller is not divided
ENOUGH = 0.002  # of what the search left open: as much of what it did not may stay open too
MOST_LETTERS = 24 << 20  # of the confirmed parts of one certificate
WRITING = 2  # so many times as long as listing all parts takes writing them
TOLD = 2000  # parts between two reports of the progress
INNER, OUTER = "inner", "outer"


Ends = tuple[tuple[float, float], ...]  # of a cell: doubles, infinite where it ends as the domain does
WHOLE = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class Made:
    """A certificate with its problem, or the reason why there is none (`nothing`: the search has found nothing of this
    kind); `bound` is the volume that it claims, `inside` the part in whose middle there is a point, `own` how many of
    its `parts` users' contractors have given the reasons of.
    """

    canonical: bytes = b""
    certificate: bytes = b""
    reason: str = ""
    bound: Fraction | None = None
    parts: int = 0
    inside: Box = ()
    nothing: bool = False
    own: int = 0


@dataclass(frozen=True, slots=True)
class SetCertificates:
    """All three, and the exact volume of the domain."""

    outer: Made
    inner: Made
    point: Made
    domain: Fraction | None  # infinite
    seconds: float


Each = Callable[[Sequence[str], Callable[[str], Made]], Sequence[Made]]  # the answers for names


def one_by_one(names: Sequence[str], make: Callable[[str], Made]) -> list[Made]:
    """In this process."""
    return [make(name) for name in names]


def certify_set(
    system: System,
    tree: Cell,
    seconds: float,
    progress: Progress | None = None,
    limit: Limit = UNLIMITED,
    each: Each = one_by_one,
    contractors: OwnContractors = (),
) -> SetCertificates:
    """Certificates that follow the tree of a paving, in so many seconds, or until the limit of the run that it is part
    of; the inner and the outer one as `each` has them made. What no row alone refutes, users' own `contractors` are
    asked about.
    """
    began = time.perf_counter()
    limit = limit.within(seconds)

    def make(name: str) -> Made:
        if name == INNER:
            return _made(complement_problem, system, tree, End.INSIDE, limit.share(0.5), progress)
        return _made(set_problem, system, tree, End.OUTSIDE, limit, progress, contractors)

    inner, outer = each((INNER, OUTER), make)
    ends = [(variable.lower, variable.upper) for variable in system.variables]
    sides = [high - low for low, high in ends if low is not None and high is not None]
    whole = math.prod(sides, start=Fraction(1)) if len(sides) == len(ends) else None
    return SetCertificates(outer, inner, _point(system, inner), whole, time.perf_counter() - began)


def _made(
    make: Callable[[System], Problem],
    system: System,
    tree: Cell,
    end: End,
    limit: Limit,
    progress: Progress | None,
    contractors: OwnContractors = (),
) -> Made:
    """The outer (inner) certificate from the parts that are outside (inside), or why there is none."""
    try:
        with limit.enforced():
            proving = Proving(make(system))
            own = own_of_set(equations_of_problem(proving.problem), contractors)[0]
        return _certificate(proving, tree, end, limit, progress, own)
    except NotCertifiable as failure:
        return Made(reason=str(failure))
    except (Late, MemoryError) as reached:
        why = reached.why if isinstance(reached, Late) else Stopped.MEMORY
        longer = f" ({LONGER})" if why is Stopped.TIME else ""
        return Made(reason=f"{late(why, f'before a part that is {end.name.lower()} was confirmed')}{longer}")


def _certificate(
    proving: Proving, tree: Cell, end: End, limit: Limit, progress: Progress | None, own: Sequence[Own]
) -> Made:
    """Raises Late."""
    problem = proving.problem
    scope = tuple(range(len(problem.families)))
    discard = 0 if end is End.OUTSIDE else len(scope) - 1
    with limit.enforced():
        parts = _Parts(proving, discard, end, limit, progress, own)
    if not parts.confirm(tree):
        return Made(reason=f"the search found no part of the domain that is {end.name.lower()}", nothing=True)
    if not parts.lines:
        limit.check()
        return Made(reason=f"nothing is confirmed by the checker's arithmetic of what is {end.name.lower()}")
    lines, left = parts.written(tree)
    names = proving.names(scope)
    if not left:
        return Made(
            proving.canonical,
            proving.written(Claim(names, discard=discard, lower=Fraction(0)), lines),
            "",
            Fraction(0),
            *parts.told,
            own=parts.by_own,
        )
    total = sum((volume_of(box) for box in left), Fraction(0))
    bound = round_up(total) if total else total
    hull = Hull(tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*left, strict=True)))
    claim = Claim(names, discard=discard, within=Fraction(0), volume=bound, hull=hull)
    return Made(proving.canonical, proving.written(claim, lines), "", bound, *parts.told, own=parts.by_own)


def _point(system: System, inner: Made) -> Made:
    """The middle of the largest confirmed part inside: there each row has both signs, with the amounts at
    their ends.
    """
    if not inner.inside:
        return Made(reason=inner.reason or "nothing inside is confirmed")
    proving = Proving(set_problem(system))
    middle = " ".join(str((low + high) / 2) for low, high in inner.inside)
    witness = ["witness", f"values {middle}", *(f"column {column.name} 1:0" for column in proving.problem.columns)]
    claim = Claim(proving.names(tuple(range(len(proving.problem.families)))), upper=Fraction(0), witness=witness)
    return Made(proving.canonical, proving.written(claim, ()))


@dataclass
class _Parts:
    """Confirms the cells of a tree with one end; `lines` are the proofs of cells by their identity."""

    proving: Proving
    discard: int
    end: End
    limit: Limit
    progress: Progress | None
    own: Sequence[Own] = ()
    by_own: int = 0
    reasoned: list[str] = field(default_factory=list)  # the last lines with reasons of users' contractors
    lines: dict[int, list[str]] = field(default_factory=dict)
    letters: int = 0
    largest: tuple[float, Box] = (-1.0, ())

    def __post_init__(self) -> None:
        proving = self.proving
        self.scope = tuple(range(len(proving.problem.families)))
        box = proving.judge(self.scope).box
        self.proof = Proof(proving.checked, self.scope, PRECISION, Question(Fraction(0), discard=self.discard), box)
        self.sides = [_side(proving.problem, family) for family in proving.problem.families]
        self.order = list(self.scope)  # of rows, those that refuted last first
        self.about = [(float(low), float(high)) for low, high in box]

    @property
    def told(self) -> tuple[int, Box]:
        """How many parts were confirmed, and the largest of them."""
        return len(self.lines), self.largest[1]

    def confirm(self, tree: Cell) -> bool:
        """Judge the parts, the largest first, until it is late, or until what is left of them is little; whether there
        are any. Raises Late before the first.
        """
        began, whole, numbers = time.perf_counter(), self._size(self._root()), count()
        with self.limit.enforced():
            leaves = [(cell, self._size(ends), ends) for cell, ends in self._cells(tree) if cell.below is None]
        waiting = [(-size, next(numbers), TRIES, cell, ends) for cell, size, ends in leaves if cell.end is self.end]
        heapq.heapify(waiting)
        enough = ENOUGH * sum(size for cell, size, _ in leaves if cell.end is End.OPEN)
        rest, some = -sum(size for size, *_ in waiting), bool(waiting)
        del leaves
        left = self.limit.remaining
        limit = self.limit.within(max(left - WRITING * (time.perf_counter() - began), left / 2))
        for judged in count():
            if not waiting or rest < enough or self.letters > MOST_LETTERS:
                break
            if self.progress is not None and judged % TOLD == 0:
                self.progress(
                    f"certificate: {len(self.lines)} parts {self.end.name.lower()} are confirmed in the checker's "
                    f"arithmetic"
                )
            size, _, tries, cell, ends = heapq.heappop(waiting)
            rest += size
            box = self._exact(ends)
            try:
                found = self._judged(box, limit)
                if found is not None:
                    self.lines[id(cell)] = found
                    self.by_own += found is self.reasoned
                    self.letters += sum(map(len, found))
                    self.largest = max(self.largest, (-size, box), key=lambda one: one[0])
                elif tries and -size > WORTH * whole:
                    for part, inside in self._divided(cell, ends, box, limit):
                        heapq.heappush(waiting, (-self._size(inside), next(numbers), tries - 1, part, inside))
                        rest += self._size(inside)
            except Late:
                break
        return some

    def _judged(self, box: Box, limit: Limit) -> list[str] | None:
        """The same as `_refuted`; raises Late."""
        with limit.enforced():
            return self._refuted(box)

    def _refuted(self, box: Box) -> list[str] | None:
        """The lines of a proof that no point of the box is in S(0)."""
        if not self.discard:
            for place, row in enumerate(self.order):
                found = self._row(row, box, forms=False)
                if found is not None:
                    self.order.insert(0, self.order.pop(place))
                    return found
            alone = next((found for row in self.order if (found := self._row(row, box)) is not None), None)
            return self._by_own(box) if alone is None else alone
        lines = [f"hitting {len(self.scope)}"]
        for row in self.scope:
            found = self._row(row, box)
            if found is None:
                return None
            lines += found
        return lines

    def _by_own(self, box: Box) -> list[str] | None:
        """The lines with which a user's contractor refutes the box, if its reasons are confirmed. Raises Late."""
        lower, upper = (np.array(ends) for ends in zip(*(enclose_range(*ends) for ends in box), strict=True))
        before = FloatBox(lower, upper)
        for contractor in self.own:
            answer = contractor.contract(Boxes.of([before]))
            told = reasons_of(contractor, Boxes.of([before]), answer, 0) if answer.empty[0] else None
            if told is None or told.refuted is None:
                continue
            question = Question(Fraction(0), discard=self.discard)
            with suppress(Withdrawn):
                steps = Steps()
                recorded(steps, before, None, told)
                self.reasoned = Replay(self.proving.proof(self.scope, question), self.limit).run(steps, box)
                return self.reasoned
        return None

    def _row(self, row: int, box: Box, forms: bool = True) -> list[str] | None:
        """The lines with which one row refutes the box: its range, or its expansion of the second order."""
        if holds(self.proof, self.proof.root, box, Evaluate(row, 0)):
            return [node_line(Evaluate(row, 0))]
        if not forms:
            return None
        terms = (RowTerm("t", row, 0, self.sides[row], Fraction(1)),)
        prepared = self.proof.prepare(self.proof.root, box, 1)
        nodes: list[Node] = [Prepare(1), Aggregate(terms)]
        return [node_line(node) for node in nodes] if holds(self.proof, prepared, box, Aggregate(terms)) else None

    def _divided(self, cell: Cell, ends: Ends, box: Box, limit: Limit) -> list[tuple[Cell, Ends]]:
        """The parts of a cell: what is left without thin strips, if that is refuted, and these; else two halves. Raises
        Late.
        """
        faces = [(v, side) for v, (low, high) in enumerate(box) if low < high for side in (0, 1)]
        if not all(box[v][0] < _inwards(box[v], side) < box[v][1] for v, side in faces):
            return []  # too small to be divided at doubles
        found: list[tuple[Cell, Ends]] = []
        if self._judged(_without(box, faces), limit) is not None:
            for face in list(faces):
                others = [other for other in faces if other != face]
                if self._judged(_without(box, others), limit) is not None:
                    faces = others
            for v, side in faces:
                parts = self._parts(cell, ends, v, float(_inwards(box[v], side)))
                found.append(parts[side])
                cell, ends = parts[1 - side]
            return [*found, (cell, ends)]
        v = max(range(len(box)), key=lambda v: (box[v][1] - box[v][0]) / (_width(self.proof.root.box[v]) or 1))
        at = float((box[v][0] + box[v][1]) / 2)
        return list(self._parts(cell, ends, v, at)) if box[v][0] < at < box[v][1] else []

    def _parts(self, cell: Cell, ends: Ends, v: int, at: float) -> tuple[tuple[Cell, Ends], tuple[Cell, Ends]]:
        below, above = cell.divide(v, at)
        below.end = above.end = self.end
        first, second = _halves(ends, v, at)
        return (below, first), (above, second)

    def _root(self) -> Ends:
        return (WHOLE,) * len(self.proof.root.box)

    def _exact(self, ends: Ends) -> Box:
        """The box of a cell."""
        found = []
        for (low, high), (least, greatest) in zip(ends, self.proof.root.box, strict=True):
            found.append(
                (least if low == -math.inf else Fraction(low), greatest if high == math.inf else Fraction(high))
            )
        return tuple(found)

    def _size(self, ends: Ends) -> float:
        """About its volume."""
        sides = (
            min(high, greatest) - max(low, least)
            for (low, high), (least, greatest) in zip(ends, self.about, strict=True)
        )
        return math.prod(sides)

    def _cells(self, tree: Cell) -> Iterator[tuple[Cell, Ends]]:
        """All cells with their ends, each before its parts; of a cut that is beyond the exact domain only
        what is left.
        """
        waiting = [(tree, self._root())]
        while waiting:
            cell, ends = waiting.pop()
            if cell.below is None or cell.above is None:
                yield cell, ends
                continue
            v, at = cell.variable, cell.at
            if ends[v][0] < at < ends[v][1] and self._is_inside(v, at):
                yield cell, ends
                first, second = _halves(ends, v, at)
                waiting += [(cell.above, second), (cell.below, first)]
            else:
                waiting.append(
                    (cell.above if at <= ends[v][0] or at <= self.proof.root.box[v][0] else cell.below, ends)
                )

    def _is_inside(self, v: int, at: float) -> bool:
        """Whether a number is strictly between the exact ends of the domain: beyond their nearest doubles it is."""
        least, greatest = self.about[v]
        return least < at < greatest or self.proof.root.box[v][0] < at < self.proof.root.box[v][1]

    def written(self, tree: Cell) -> tuple[list[str], list[Box]]:
        """The lines of the tree, and the boxes that it leaves open: cells of which nothing is confirmed are not
        divided.
        """
        cells = list(self._cells(tree))
        useful: list[bool] = []  # of the parts that wait for what they are parts of, the last one on top
        marks: list[bool] = []
        for cell, _ in reversed(cells):
            proved = id(cell) in self.lines if cell.below is None else useful.pop() | useful.pop()
            useful.append(proved)
            marks.append(proved)
        lines: list[str] = []
        left: list[Box] = []
        passed = 0  # cells within one that is not divided
        for (cell, ends), proved in zip(cells, reversed(marks), strict=True):
            if passed:
                passed += 1 if cell.below is not None else -1
            elif not proved:
                lines.append(OPEN)
                left.append(self._exact(ends))
                passed = 2 if cell.below is not None else 0
            elif cell.below is None:
                lines += self.lines[id(cell)]
            else:
                lines.append(node_line(Split(cell.variable, Fraction(cell.at))))
        return lines, left


def _side(problem: Problem, family: Family) -> int:
    """From which side a row is refuted, if it is: its function less an amount is 0 where it is <= 0, or >= 0."""
    amounts = [problem.columns[binding.index] for binding in family.bindings if binding.measured]
    return 1 if all(column.upper[0] == 0 for column in amounts) else -1


def _halves(ends: Ends, v: int, at: float) -> tuple[Ends, Ends]:
    (low, high), before, after = ends[v], ends[:v], ends[v + 1 :]
    return (*before, (low, at), *after), (*before, (at, high), *after)


def _width(ends: tuple[Fraction, Fraction]) -> Fraction:
    return ends[1] - ends[0]


def _inwards(ends: tuple[Fraction, Fraction], side: int) -> Fraction:
    """A short number between the ends, near the lower one (side 0) or the upper one."""
    low, high = map(float, ends)
    strip = STRIP * (high - low)
    return Fraction(
        short_above(low + strip, high - low, STRIP_BITS)
        if side == 0
        else short_below(high - strip, high - low, STRIP_BITS)
    )


def _without(box: Box, faces: list[tuple[int, int]]) -> Box:
    """The box without the strips at these faces."""
    ends = [list(pair) for pair in box]
    for v, side in faces:
        ends[v][side] = _inwards(box[v], side)
    return tuple((low, high) for low, high in ends)
