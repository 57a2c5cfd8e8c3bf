"""What is fitted: a model, observations and a loss, as the problem of a box, and the descent to its minimum."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.model_fits.descents import descended
from certify.problems.model.model import Problem
from certify.problems.model_fits.losses import HUBER, SQUARES
from certify.problems.model_fits.observations import Model, Observations, model_tape, regression
from certify.problems.model_fits.units import Units
from certify.questions.least_squares import Minimum
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.limits import Limit
from certify.solvers.shapes.shape_bound import ShapeBound, shape_bound

Box = Sequence[tuple[Fraction, Fraction]]
STEPS = 500
ALMOST = 1 - 2.0**-30  # of the scale: what is nearly beyond it is taken to be, where the row is the smaller one


@dataclass(frozen=True)
class Asked:
    """The rows of a loss huber depend on the point: on which side of the scale each residual lies there. `units` are
    those of all numbers, if these are other ones than the user's.
    """

    model: Model
    names: tuple[str, ...]
    data: Observations
    loss: str
    scale: Fraction
    units: Units | None = None

    def problem(self, box: Box, point: Floats) -> Problem:
        """The problem of the loss around a point."""
        sides = self._sides(point, box) if self.loss == HUBER else None
        found = regression(self.model, self.names, self.data, box, self.loss, self.scale, sides)
        return found if self.units is None else self.units.told(found, self.data)

    def descended(self, start: Floats, box: Box | None) -> Floats:
        """The best point that was found from a start, in the box if there is one."""
        around = box or [(Fraction(value) - 1, Fraction(value) + 1) for value in start.tolist()]
        if self.loss == SQUARES:
            return start
        if self.loss != HUBER:
            problem = self.problem(around, start)
            return descended(problem.blocks[0], start, problem.box if box else None)
        return self._robust(self._plain(around), start)

    def sided(self, box: Box, point: Floats, minimum: Minimum) -> bool:
        """Whether all residuals lie on their sides wherever the minimiser may be, and not at an end, by outward-rounded
        arithmetic: the loss is that of the rows there and near it.
        """
        if not minimum.box:
            return True
        rows = self._plain(box)
        lower, upper = (
            np.array([enclose_rational(minimum.box[name][side])[side] for name in self.names]) for side in (0, 1)
        )
        ranges, (low, high) = rows.enclose(lower, upper), enclose_rational(self.scale)
        sides = np.array(self._sides(point, box))
        above, below = ranges.lower[0] > high, ranges.upper[0] < -high
        between = (ranges.lower[0] > -low) & (ranges.upper[0] < low)
        return bool((ranges.defined & np.where(sides == 0, between, np.where(sides == 1, above, below))).all())

    def shape(self, limit: Limit) -> ShapeBound | None:
        """What the model's shape says of the least sum of squares, for any parameters."""
        if self.loss != SQUARES:
            return None
        tape = model_tape(self.model, self.names, self.data)
        return shape_bound(tape, [*self.data.predictors.values()], self.data.response, self.data.weights, limit)

    def _plain(self, box: Box) -> Rows:
        return regression(self.model, self.names, self.data, box, SQUARES).blocks[0]

    def _sides(self, point: Floats, box: Box) -> list[int]:
        rows, scale = self._plain(box), ALMOST * float(self.scale)
        values = residuals(rows, point, 0.5 * (rows.lower + rows.upper))[0]
        return [int(value > scale) - int(value < -scale) for value in values]

    def _robust(self, rows: Rows, start: Floats) -> Floats:
        """By scipy's method for the loss, an estimate."""
        from scipy.optimize import least_squares

        middle = 0.5 * (rows.lower + rows.upper)
        with np.errstate(all="ignore"):
            found = least_squares(
                lambda x: residuals(rows, x, middle, 1e150)[0], start, jac=lambda x: residuals(rows, x, middle)[1],
                loss=HUBER, f_scale=float(self.scale), x_scale="jac", xtol=1e-15, ftol=1e-15, gtol=1e-15,
                max_nfev=STEPS,
            )  # fmt: skip
        return np.asarray(found.x) if np.isfinite(found.x).all() else start


def least_sum(blocks: Sequence[Rows], point: Floats) -> Fraction | None:
    """A lower end of the sum of squares at a point; None where the model is not defined there."""
    total = Fraction(0)
    for rows in blocks:
        ranges = evaluate(rows.tape, *rows.with_box(point, point, rows.lower, rows.upper))
        if not ranges.defined.all():
            return None
        sizes = np.maximum(np.maximum(ranges.lower[0], -ranges.upper[0]), 0.0).tolist()
        total += sum((Fraction(size) ** 2 for size in sizes if isfinite(size)), Fraction(0))
    return total
