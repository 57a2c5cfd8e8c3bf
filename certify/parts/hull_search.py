"""The search for the hull of one part: narrowing, extreme witnesses, and slabs that are refuted one after the other.

A face is (variable, direction), direction +1 for the upper one. A face is closed when it is as near to a verified
witness as was asked for; until then the slab between the two (all but the gap asked for) is refuted by branch and
bound, or a thinner one where that takes too many bisections. A feasible point that turns up in a slab is a better
witness. Every slab that goes makes the box smaller for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.short_numbers import BITS, short_near
from certify.contractors.tape.evaluation import Floats
from certify.parts.enclosure_emission import HullProof
from certify.parts.part_search import TRUST, PartSearch
from certify.proofs.witnesses import Witness, near, sharing
from certify.solvers.fits.extremes import Point, Sides, deepest, furthest, pulled
from certify.solvers.graph.components import build
from certify.solvers.limits import Limit, Stopped
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Steps, left_open
from certify.solvers.search.explore import Best, explore
from certify.solvers.search.refutation import refute

AIM = 0.8  # of the gap asked for: where a slab begins
SPLITS = (8, 64, 512, 4096)  # bisections for one slab, pass after pass
THINNER = 0.25  # of a slab that could not be refuted is tried next
FAILURES = 3  # of one face in one pass
SHRUNK = 0.85  # of a half-width: then the graph is run again
FINEST = Fraction(1, 10**11)  # of a variable's bounds: a distance that is always good enough
PULLS = (0.0, 1e-6, 1e-4, 1e-2, 1.0)  # of the way back to where a walk began, if a witness is not accepted

FaceKey = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Reached:
    """A verified witness, and its coordinate."""

    witness: Witness
    value: Fraction


class HullSearch:
    """Narrows what is left of the box (`proof`) from outside, and moves the witnesses (`reached`)
    outwards from inside.
    """

    def __init__(self, search: PartSearch, epsilon: Fraction, tolerance: Fraction) -> None:
        self.search, self.epsilon, self.tolerance = search, epsilon, tolerance
        problem = search.problem
        self.below, self.above = enclose_rational(epsilon)
        self.sides = Sides(problem.blocks, sharing(problem, search.scope), search.variables)
        self._apart = self.sides.apart()
        constraints = Constraints.of([(number, problem.blocks[number]) for number in search.scope], self.above)
        oracle, own = Ranges(search.limit), search.options.contractors
        self.component = build(constraints, oracle, own, search.statistics)
        self.proof = HullProof(search, epsilon)
        self.box = self.narrowed = self.proof.box
        self.reached: dict[FaceKey, Reached] = {}
        self.inner: Point | None = None
        self.witness: Witness | None = None
        self._why: dict[FaceKey, Stopped] = {}

    def faces(self) -> Iterator[FaceKey]:
        """All faces of the part's box."""
        return ((variable, direction) for variable in self.search.variables for direction in (-1, 1))

    def late(self) -> bool:
        """Whether the time is over."""
        return self.search.limit.late()

    def outer(self, face: FaceKey) -> Fraction:
        """The proved end."""
        low, high = self.proof.exact[self.search.variables.index(face[0])]
        return high if face[1] > 0 else low

    def closed(self, face: FaceKey) -> bool:
        """Whether a face is as near to its witness as was asked for."""
        if face not in self.reached:
            return False
        return self._distance(face) <= self._allowed(face[0], self.outer((face[0], 1)) - self.outer((face[0], -1)))

    def stopped(self, face: FaceKey) -> Stopped:
        """Why no more was tried."""
        if self.closed(face):
            return Stopped.FINISHED
        return self._why.get(face, self.search.limit.reached(self.search.stopped))

    def narrow(self) -> Steps:
        """Run the contractor graph on what is left; where that refutes it, nothing is changed."""
        steps = Steps()
        self.component.narrow(self.box, steps, self.late)
        if left_open(steps):
            self.proof.grow(steps)
            self.box = self.narrowed = self.proof.box
        elif self.inner is not None:
            raise ArithmeticError("what holds a verified witness was refuted")
        return steps

    def begin(self, start: Floats) -> bool:
        """Find an inner point, the deepest in the feasible set near the start, and verify it."""
        point = deepest(self.sides, self.search.box, start, TRUST, self.search.limit)
        witness = near(self.search.problem, self.search.scope, point.x, point.shared)
        if not self._accepted(witness):
            return False
        self.inner, self.witness = point, witness
        self.reached = {face: Reached(witness, witness.values[face[0]]) for face in self.faces()}
        return True

    def reach(self, face: FaceKey, start: Point) -> bool:
        """Walk from the start to an extreme of this face and verify a witness there; whether it is further out than the
        last.
        """
        variable, direction = face
        end = furthest(self.sides, self.box, start, variable, direction, self.below, self.search.limit)
        for part in PULLS:
            found = pulled(self.sides, start, end, self.below, part)
            witness = near(self.search.problem, self.search.scope, found.x, found.shared)
            value = witness.values[variable]
            if direction * (value - self.reached[face].value) <= 0:
                return False
            if self._accepted(witness):
                self.reached[face] = Reached(witness, value)
                return True
        return False

    def walk(self) -> None:
        """Walk to the extremes of all faces, from the inner point."""
        self.search.progress("looking for extreme witnesses")
        for face in self.faces():
            if self.inner is not None and not self.late():
                self.reach(face, self.inner)

    def cut_slabs(self) -> None:
        """Pass after pass with more bisections, the nearest face first."""
        for splits in SPLITS:
            waiting = Best((face for face in self.faces() if not self.closed(face)), self._relative)

            def push(faces: list[FaceKey], splits: int = splits, waiting: Best[FaceKey] = waiting) -> list[FaceKey]:
                self._push(faces[0], splits, 1.0 / (1 + len(waiting)))
                return []

            explore(waiting, push, self.search.limit)

    def _better(self, face: FaceKey, found: Point, box: Box) -> bool:
        """A witness further out, from a point at which every row is satisfied; rows that share measurements need one
        realisation for all.
        """
        if found.largest >= self.below:
            found = deepest(self.sides, box, found.x, TRUST, self.search.limit)
        return found.largest < self.below and self.reach(face, found)

    def _accepted(self, witness: Witness) -> bool:
        needed = self.search.needed(witness)
        return needed is not None and needed <= self.epsilon

    def _distance(self, face: FaceKey) -> Fraction:
        return face[1] * (self.outer(face) - self.reached[face].value)

    def _allowed(self, number: int, width: Fraction) -> Fraction:
        variable = self.search.problem.variables[number]
        finest = (
            FINEST * (variable.upper - variable.lower)
            if self.search.options.resolution is None
            else self.search.options.resolution
        )
        return max(self.tolerance * width, finest)

    def _known_width(self, variable: int) -> Fraction:
        return self.reached[variable, 1].value - self.reached[variable, -1].value

    def _relative(self, face: FaceKey) -> float:
        """How far a face is from its witness, in widths between witnesses."""
        return float(self._distance(face)) / max(float(self._known_width(face[0])), 1e-300)

    def _push(self, face: FaceKey, splits: int, share: float) -> None:
        """Move one face inwards: the whole slab up to its aim, or thinner ones, in this share of the remaining time."""
        part, failures = 1.0, 0
        limit = self.search.limit.share(share)
        while not self.closed(face) and failures < FAILURES:
            if limit.late():
                self._why[face] = limit.why
                return
            gap = float(self._distance(face) - Fraction(AIM) * self._allowed(face[0], self._known_width(face[0])))
            at = short_near(float(self.outer(face)) - face[1] * part * gap, gap, BITS)
            why, improved = self._cut(face, at, splits, limit)
            self._why[face] = why
            if why is Stopped.FINISHED:
                part = min(1.0, 2.0 * part)
                if (self.box.radius < SHRUNK * self.narrowed.radius).any():
                    self.narrow()
            elif not improved:
                part, failures = THINNER * part, failures + 1

    def _cut(self, face: FaceKey, at: float, splits: int, limit: Limit) -> tuple[Stopped, bool]:
        """Refute the slab beyond `at` and cut it off; why that ended, and whether a better witness was found in it."""
        variable, direction = face
        lower, upper = self.box.lower.copy(), self.box.upper.copy()
        if not lower[variable] < at < upper[variable]:
            return Stopped.WIDTH, False
        (lower if direction > 0 else upper)[variable] = at
        found: list[Point] = []

        def feasible(box: Box) -> bool:
            point = deepest(self._apart, box, box.centre, TRUST, limit)
            if point.largest < self.below:
                found.append(self.sides.point(point.x))
            return bool(found)

        search = self.search
        search.progress(
            f"cutting {search.problem.variables[variable].name} {'above' if direction > 0 else 'below'} {at:.6g}"
        )
        answer = refute(self.component, Box(lower, upper), feasible, limit, splits)
        search.splits += answer.splits
        if answer.stopped is not Stopped.FINISHED:
            return answer.stopped, bool(found) and self._better(face, found[0], answer.remaining or self.box)
        if not self.proof.remove(variable, at, direction < 0, answer.steps):
            return limit.reached(Stopped.REPLAY), False
        self.box = self.proof.box
        return Stopped.FINISHED, False
