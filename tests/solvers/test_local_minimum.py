"""The neighbourhood of a least-squares minimum: enclosures are those of the checker, and boxes follow the rows whatever
the units are.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import certify
from certify import atan, cos, exp, log, sin
from certify.checker.minimum import derivatives
from certify.checker.outcome import Clock
from certify.proofs.problem_replay import PRECISION, Proving
from certify.solvers.squares.local_minimum import neighbourhood
from certify.solvers.squares.square_forms import SquareRows

MODELS = {
    "exp": lambda b, x: b[0] * (1 - exp(-b[1] * x)),
    "logistic": lambda b, x: b[0] / (1 + exp(b[1] - x)),
    "quotient": lambda b, x: (b[0] + x) / (b[1] * x + b[0] * b[1]),
    "log": lambda b, x: log(b[0] + x * b[1]) * b[1],
    "atan": lambda b, x: b[1] * atan(b[0] * x - 1),
    "waves": lambda b, x: sin(b[0] * x) * cos(b[1]) - certify.sqrt(b[0] + x),
}
TIMES = [Fraction(k, 2) for k in range(3, 12)]
TRUTH = (Fraction(3, 2), Fraction(7, 4))


def problem(model, units=(1, 1)):
    """Readings of the model at the truth, rounded: the minimum is near it."""
    values = [Fraction(round(float(model([float(t) for t in TRUTH], float(x))) * 10**3), 10**3) for x in TIMES]
    tape = certify.trace(
        lambda x, m: model([x.b[0] * units[0], x.b[1] * units[1]], m.x) - m.y, {"b": (2,)}, {"x": (), "y": ()}
    )
    columns = tuple(certify.Column(name, "1", tuple(v), tuple(v)) for name, v in (("x", TIMES), ("y", values)))
    variables = tuple(
        certify.Variable(f"b{k}", "1", t / u / 2, t / u * 2) for k, (t, u) in enumerate(zip(TRUTH, units, strict=True))
    )
    bindings = tuple(certify.Binding(measured, k) for measured in (False, True) for k in range(2))
    return certify.Problem(variables, columns, (certify.Family("fit", tape, len(TIMES), bindings, "1"),))


def rows_of(found):
    return SquareRows(((0, found.blocks[0]),), (0, 1), 2, 1.0)


@pytest.mark.parametrize("name", list(MODELS))
def test_the_hessian_is_enclosed_as_the_checker_does(name):
    """A narrower enclosure would promise what the replay does not confirm, a wider one would lose."""
    found = problem(MODELS[name])
    centre, radius = np.array([1.5, 1.75]), np.array([2.0**-5, 2.0**-6])
    low, high = rows_of(found).half_hessian(centre, radius)
    box = tuple((Fraction(c - r), Fraction(c + r)) for c, r in zip(centre, radius, strict=True))
    _, hessian = derivatives(Proving(found).judge((0,)), box, Clock())
    told = np.array([[[float(end) / 2.0**PRECISION for end in entry] for entry in row] for row in hessian])
    size = np.abs(told).max()
    assert np.abs(told[:, :, 0] - low).max() <= 1e-9 * size
    assert np.abs(told[:, :, 1] - high).max() <= 1e-9 * size


@pytest.mark.parametrize("name", ["exp", "atan", "log"])
def test_boxes_follow_the_rows_whatever_the_units(name):
    units = (Fraction(2) ** 20, Fraction(1, 2**30))
    factors = np.array([float(unit) for unit in units])
    starts = [np.array([1.4, 1.7]), np.array([1.4, 1.7]) / factors]
    first, other = (
        neighbourhood(rows_of(found), start, 0.5 * (found.box[1] - found.box[0]))
        for found, start in zip((problem(MODELS[name]), problem(MODELS[name], units)), starts, strict=True)
    )
    assert np.abs(other.point * factors - first.point).max() <= 1e-11
    assert (other.units * factors == first.units).all()
    assert (other.widest, other.sharpest) == (first.widest, first.sharpest)
