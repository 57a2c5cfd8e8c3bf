"""What a model says of a pose, as equations for its joints: where the point is, and how the tool is turned.

    position       f(x0, q), the equation of the model without its reading
    orientation    c_i(q) . c_j(configuration) = 0 for i < j,  c_i the slopes of f for part i of the tool's point

A point that is fixed in the tool is affine in where it lies there, p = o + R t, so that c_i are the axes of the tool:
near the configuration these products vanish only where the tool is turned as it is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from certify.branches.enclosing import ARITHMETIC, Program, Vector, middles
from certify.branches.inverse import Inverse
from certify.checker.interval import Interval
from certify.contractors.tape.derivative import gradient
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.errors import InputError
from certify.problems.model.certified import plain
from certify.problems.model.model import Bounds, Family

RIGID = 1e-6  # by so much axes of a tool may miss unit length and right angles, as floats see them


@dataclass(frozen=True)
class Pose:
    """The families of a position, the parameters in use by their number, the columns of the joints, and the variables
    of the tool's point (none: only the position matters).
    """

    families: tuple[Family, ...]
    at: Mapping[int, Fraction]
    joints: tuple[int, ...]
    units: tuple[str, ...]
    tool: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many components the position has."""
        return len(self.families)

    def _row(self, builder: Builder, family: Family) -> tuple[int, list[int]]:
        """The nodes of a component, and of its derivatives for the tool's point."""
        tape = plain(family.tape)
        inputs = [
            builder.constant(self.at[b.index])
            if not b.measured
            else self.joints.index(b.index)
            if b.index in self.joints
            else builder.constant(0)
            for b in family.bindings
        ]
        slopes = gradient(tape)
        nodes = replay(slopes, builder, inputs)
        places = {b.index: i for i, b in enumerate(family.bindings) if not b.measured}
        tool = [places[v] for v in self.tool if v in places]
        if _reads(slopes, [slopes.outputs[1 + i] for i in tool], tool):
            raise InputError(f"{family.name} is not affine in the tool's point; an orientation cannot be told from it")
        axes = [nodes[slopes.outputs[1 + places[v]]] if v in places else builder.constant(0) for v in self.tool]
        return nodes[slopes.outputs[0]], axes

    def _tape(self) -> Tape:
        """Inputs: the joints, and the axes of the tool at the configuration; outputs: position, axes, products."""
        count, size = len(self.joints), self.size
        builder = Builder(count + size * len(self.tool))
        rows = [self._row(builder, family) for family in self.families]
        axes = [[row[1][k] for row in rows] for k in range(len(self.tool))]
        products = []
        for i in range(len(axes)):
            for j in range(i + 1, len(axes)):
                total = builder.constant(0)
                for m in range(size):
                    total = builder.add(total, builder.mul(axes[i][m], count + size * j + m))
                products.append(total)
        return builder.tape((*(row[0] for row in rows), *(part for axis in axes for part in axis), *products))

    def about(self, configuration: Sequence[Bounds]) -> tuple[Inverse, Vector]:
        """The equations, and what they say of a configuration that is known so closely: its position, and zeros."""
        tape, count, size = self._tape(), len(self.joints), self.size
        q = [ARITHMETIC.span(low, high) for low, high in configuration]
        unknown = {count + k: (0, 0) for k in range(size * len(self.tool))}
        here = Program(tape, unknown).at(q)
        axes = here[size : size + size * len(self.tool)]
        self._check(np.reshape(middles(axes), (len(self.tool), -1)) if self.tool else np.zeros((0, size)))
        fixed: dict[int, Interval] = {count + k: value for k, value in enumerate(axes)}
        outputs = (*tape.outputs[:size], *tape.outputs[size + size * len(self.tool) :])
        found = Builder(tape.inputs)
        nodes = replay(tape, found, list(range(tape.inputs)))
        equations = found.tape(tuple(nodes[output] for output in outputs))
        wanted = [*here[:size], *[(0, 0)] * (len(outputs) - size)]
        return Inverse(equations, self.units, fixed), wanted

    def _check(self, axes: np.ndarray) -> None:
        if axes.size and np.abs(axes @ axes.T - np.eye(len(axes))).max() > RIGID:
            raise InputError(
                "the point does not move with the tool's parameters as a point of a rigid tool does, so that they say "
                "nothing of its orientation; name them with --tool"
            )


def _reads(tape: Tape, nodes: Sequence[int], inputs: Sequence[int]) -> bool:
    """Whether some of these nodes depend on some of these inputs."""
    waiting, seen = list(nodes), set[int]()
    while waiting:
        node = waiting.pop()
        if node < tape.inputs:
            if node in inputs:
                return True
        elif node not in seen:
            seen.add(node)
            waiting += [k for k in tape.steps[node - tape.inputs][1:3] if k >= 0]
    return False
