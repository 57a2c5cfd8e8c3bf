"""How far a deviation between the corners of a cell may be from what it is there, for all parameters in their box.

    f(x, q) - f(x0, q) = sum_i a_i (x_i - x0_i),    a_i(s) = the mean of df/dx_i on the way from x0 to x

For given x each a_i has a polynomial whose coefficients lie in those of the Taylor model of df/dx_i over the box and
x0, so the deviation loses no more than sum_i loss(a_i) max |x_i - x0_i|; its length, the root of the sum of squares.
Taken together like this, what cancels in df/dx_i because the tool is not turned cancels in numbers, before x is a box.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from certify.branches.enclosing import ARITHMETIC, fraction, size
from certify.branches.inverse import Branch
from certify.branches.taylor_models import Model, Modelled, Number, Space, space
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.model.certified import plain
from certify.problems.model.model import Family, Problem

ORDER = 4


def rows_of(variables: int, families: Sequence[Family], joints: Sequence[int]) -> Tape:
    """The rows of families as functions of the variables and of these columns, with 0 for what is read."""
    builder = Builder(variables + len(joints))
    rows = []
    for family in families:
        inputs = [
            b.index
            if not b.measured
            else variables + joints.index(b.index)
            if b.index in joints
            else builder.constant(0)
            for b in family.bindings
        ]
        tape = plain(family.tape)
        rows.append(replay(tape, builder, inputs)[tape.outputs[0]])
    return builder.tape(tuple(rows))


class Losses:
    """Those of a deviation as a function of the variables and of the joints, or of what it is the difference of."""

    def __init__(self, problem: Problem, tape: Tape, at: Sequence[Fraction], held: Collection[int]) -> None:
        slopes, places = jacobian(tape)
        fixed, self._ways = {}, dict[int, int]()
        for k, (variable, value) in enumerate(zip(problem.variables, at, strict=True)):
            low, high = (value, value) if k in held else (min(variable.lower, value), max(variable.upper, value))
            fixed[k] = ARITHMETIC.span(low, high)
            self._ways[k] = ARITHMETIC.ceiling(max(high - value, value - low))
        self._rows, self._places = len(tape.outputs), [(int(i), int(j)) for i, j in places.tolist()]
        self._models = Modelled(slopes, fixed)

    def of(self, branch: Branch, variables: int) -> Fraction:
        """That of a cell. Raises Undefined."""
        high, low = space(variables, branch.order), space(variables, ORDER)
        return self.over(low, [_lowered(high, low, model) for model in branch.models()])

    def over(self, kind: Space, joints: Sequence[Number]) -> Fraction:
        """That of a cell over which the joints are these models. Raises Undefined."""
        found = [0] * self._rows
        for (row, variable), model in zip(self._places, self._models.at(kind, joints), strict=True):
            if variable in self._ways:
                found[row] += loss(kind, model) * self._ways[variable]
        total = sum(-(-(value**2) // ARITHMETIC.one**3) for value in found)
        return fraction(ARITHMETIC.sqrt((total, total))[1])


def loss(kind: Space, model: Number, last: int | None = None) -> int:
    """How far it may be from the interpolation of its corners in its variables, or in the last ones, whatever the
    coefficients and the other variables are.
    """
    if isinstance(model, tuple):
        return 0
    first = 0 if last is None else kind.variables - last
    ends = zip(model.low, model.above, kind.monomials, strict=True)
    return sum(size((low, high)) for low, high, exponents in ends if max(exponents[first:]) > 1) + 2 * model.rest


def _lowered(high: Space, low: Space, model: Model) -> Model:
    """With fewer degrees; what is left out goes to the remainder."""
    if high.order <= low.order:
        return model
    kept = len(low.monomials)
    beyond = sum(max(-a, b) for a, b in zip(model.low[kept:], model.above[kept:], strict=True))
    return Model(model.low[:kept], None if model.high is None else model.high[:kept], model.rest + beyond)
