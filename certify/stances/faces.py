"""How much longer one leg may have to be at the nodes of a grid of poses: linear programs leaf by leaf, and the
certificates that prove them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from certify.accuracy.emission import Emission, Face
from certify.accuracy.guarantees import Document
from certify.accuracy.outputs import Axis, Deviation, Output, fineness
from certify.accuracy.supports import Support, Supports
from certify.checker.scope import Box
from certify.problems.model.model import Bounds
from certify.proofs.problem_replay import Proving
from certify.solvers.limits import Limit
from certify.stances.leaves import Leaves, Node
from certify.stances.leg import Leg
from certify.stances.readouts import Grid

PIECE = 32  # nodes that one certificate is about


@dataclass(frozen=True)
class Faces:
    """The bounds at the nodes, and the certificates."""

    bounds: tuple[Bounds, ...]
    documents: tuple[Document, ...]


class LegFaces:
    """Those of one leg."""

    def __init__(self, leg: Leg, leaves: Leaves, grid: Grid, limit: Limit) -> None:
        self._leg, self._leaves, self._limit, self.grid = leg, leaves, limit, grid
        self.deviation = deviation_of(leg, grid)
        told = self.deviation.told
        self._outputs = [Output((Fraction(1),), tuple((place[j],) * 2 for j in told)) for place in grid.nodes]
        self._supports: dict[Node, list[Support | None]] = {}

    @property
    def _signs(self) -> list[tuple[int, int]]:
        return [(k, sign) for k in range(len(self._outputs)) for sign in (1, -1)]

    def estimate(self) -> list[tuple[float, float]] | None:
        """How far d reaches at each node, down and up; None if that is not known. Raises Late."""
        block, blocks = self.deviation.rows_of(self._outputs).blocks[0], self._leg.measured.blocks
        for node in self._leaves.nodes:
            self._limit.check()
            supports = Supports(blocks, self._leaves.doubles(node), self._limit)
            self._supports[node] = supports.of(block, self._signs)
        found = []
        for k in range(len(self._outputs)):
            ends = [
                [None if support is None else support.value for support in supports[2 * k : 2 * k + 2]]
                for supports in self._supports.values()
            ]
            highs, lows = ([end[side] for end in ends] for side in (0, 1))
            if None in highs or None in lows:
                return None
            found.append((-max(v for v in lows if v is not None), max(v for v in highs if v is not None)))
        return found

    def furthest(self, number: int, sign: int) -> list[float]:
        """The coordinates where d reaches furthest at a node (estimated)."""
        place = 2 * number + (sign < 0)
        found = [
            (support.value, (box.centre + box.radius * support.point).tolist())
            for node, supports in self._supports.items()
            if (support := supports[place]) is not None
            for box in [self._leaves.doubles(node)]
        ]
        best: list[float] = max(found, key=lambda pair: pair[0])[1]
        return best

    def prove(self) -> Faces:
        """All faces of all leaves, some nodes in each certificate. Raises Late."""
        bounds, documents = list[Bounds](), []
        for start in range(0, len(self._outputs), PIECE):
            found, document = self._piece(range(start, min(start + PIECE, len(self._outputs))))
            bounds += found
            documents.append(document)
        return Faces(tuple(bounds), tuple(documents))

    def _piece(self, numbers: range) -> tuple[Box, Document]:
        """Those of some nodes, in one tree."""
        fine, measured = fineness(self._leg.level.epsilon), self._leg.measured
        outputs = [self._outputs[k] for k in numbers]
        proving = Proving(self.deviation.with_outputs(measured, outputs, fine))
        emission = Emission(proving, len(measured.variables), len(measured.families), 1 / fine, self._limit)
        lines, boxes = {}, []
        for node, supports in self._supports.items():
            self._limit.check()
            emission.begin(node.box or ())
            emission.prepare()
            emission.reached(
                Face(k, sign, support)
                for k, number in enumerate(numbers)
                for sign, support in zip((1, -1), supports[2 * number : 2 * number + 2], strict=True)
                if support is not None
            )
            self._limit.check()
            lines[node] = emission.lines
            boxes.append(emission.left)
        hull = tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*boxes, strict=True))
        text = emission.document(hull, self._leaves.lines(lambda node: lines[node]))
        return hull[len(measured.variables) :], (proving.canonical, text)


def deviation_of(leg: Leg, grid: Grid) -> Deviation:
    """The difference of its row over the poses of a grid."""
    axes = tuple(Axis(column, line[0], line[-1]) for column, line in zip(leg.pose, grid.lines, strict=True))
    return Deviation(leg.problem, leg.problem.families, leg.origin, frozenset(), axes, turned=False)
