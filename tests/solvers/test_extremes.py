"""Extreme points of the feasible set: as far out as they can be, and consistent."""

from fractions import Fraction

import numpy as np
import pytest
from systems import bilinear, circle, leg

from certify.contractors.protocol.contractor import Box
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.proofs.witnesses import sharing
from certify.solvers.fits.extremes import Point, Sides, deepest, furthest, pulled


def sides_of(problem):
    return Sides(
        problem.blocks, sharing(problem, tuple(range(len(problem.families)))), tuple(range(len(problem.variables)))
    )


def sensor(half=Fraction(1, 2), bound=Fraction(10)):
    """u read by one sensor: |u - y|, y in [-half, half]."""
    tape = trace(lambda x, m: x.u - m.y, {"u": ()}, {"y": ()})
    family = Family("f", tape, 1, (Binding(False, 0), Binding(True, 0)))
    return Problem((Variable("u", "1", -bound, bound),), (Column("y", "1", (-half,), (half,)),), (family,))


def two_numbers_of_one_sensor():
    """|u - y| and |u + y - 1| with the same y in [0, 1]: exactly, only u = 1/2 is possible; with a reading each, all of
    [0, 1].
    """
    tapes = [trace(model, {"u": ()}, {"y": ()}) for model in (lambda x, m: x.u - m.y, lambda x, m: x.u + m.y - 1)]
    families = tuple(Family(f"f{k}", tape, 1, (Binding(False, 0), Binding(True, 0))) for k, tape in enumerate(tapes))
    column = Column("y", "1", (Fraction(0),), (Fraction(1),))
    return Problem((Variable("u", "1", Fraction(-3), Fraction(4)),), (column,), families)


@pytest.mark.parametrize("direction", [-1, 1])
def test_a_sensor_allows_its_interval_and_epsilon(direction):
    problem = sensor()
    sides, box = sides_of(problem), Box(*problem.box)
    inner = deepest(sides, box, np.array([3.0]), 1.0)
    found = pulled(sides, inner, furthest(sides, box, inner, 0, direction, 0.25), 0.25)
    assert found.x[0] == pytest.approx(0.75 * direction, abs=1e-6)
    assert found.largest <= 0.25


def test_the_box_ends_the_walk():
    problem = sensor(bound=Fraction(1, 4))
    sides, box = sides_of(problem), Box(*problem.box)
    assert furthest(sides, box, sides.point(np.zeros(1)), 0, 1, 0.0).x[0] == 0.25


@pytest.mark.parametrize("system", [leg, circle, bilinear])
def test_extremes_are_consistent_and_further_out_than_where_the_walk_began(system):
    problem = system(2).problem
    sides, box = sides_of(problem), Box(*problem.box)
    inner = deepest(sides, box, box.centre, 1.0)
    epsilon = max(inner.largest, 0.0) + 0.05
    for variable in sides.places:
        for direction in (-1, 1):
            found = pulled(sides, inner, furthest(sides, box, inner, variable, direction, epsilon), epsilon)
            assert found.largest <= epsilon
            assert direction * (found.x[variable] - inner.x[variable]) >= 0.0
            assert (box.lower <= found.x).all() and (found.x <= box.upper).all()


def test_shared_measurements_are_chosen_together():
    problem = two_numbers_of_one_sensor()
    sides, box = sides_of(problem), Box(*problem.box)
    for chosen, expected in ((sides, 0.6), (sides.apart(), 1.1)):
        inner = deepest(chosen, box, np.array([0.2]), 1.0)
        found = pulled(chosen, inner, furthest(chosen, box, inner, 0, 1, 0.1), 0.1)
        assert found.x[0] == pytest.approx(expected, abs=1e-4)
        assert found.largest <= 0.1


def test_where_nothing_outside_is_consistent_the_inner_point_stays():
    problem = sensor()
    sides = sides_of(problem)
    inner, outer = sides.point(np.zeros(1)), sides.point(np.array([5.0]))
    assert pulled(sides, inner, outer, 0.0, 1.0) is inner
    assert 0.49 < pulled(sides, inner, outer, 0.0).x[0] <= 0.5
    edge = Point(np.array([0.5]), np.empty(0), 0.0)
    assert pulled(sides, edge, outer, 0.0) is edge
