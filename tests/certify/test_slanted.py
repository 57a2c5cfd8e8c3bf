"""Half-spaces along principal axes against listed vertices, and volumes against known ones."""

from fractions import Fraction
from math import factorial

import numpy as np
import planted_regressors as truth
import pytest
from two_checkers import both

from certify import Options, linear
from certify.linear_questions.polytope.exact_volume import exact_volume
from certify.linear_questions.polytope.half_spaces import inverted
from certify.linear_questions.polytope.sampling import Slab, estimated_share, points_inside
from certify.linear_questions.polytope.slanting import linear_polytope
from certify.solvers.limits import Stopped


def free():
    """No limit."""


def cube(size, side=1):
    rows = []
    for j in range(size):
        unit = [Fraction(int(k == j)) for k in range(size)]
        rows += [(unit, Fraction(side)), ([-x for x in unit], Fraction(0))]
    return rows


@pytest.mark.parametrize("size", range(1, 7))
def test_cubes_and_simplices_have_their_volumes(size):
    body = exact_volume(cube(size, Fraction(3, 2)), [2 * j for j in range(size)], free)
    assert len(body.vertices) == 2**size
    assert body.lower <= Fraction(3, 2) ** size <= body.upper
    assert body.upper - body.lower < Fraction(1, 10**100)
    assert not body.moved
    corner = exact_volume([*cube(size)[1::2], ([Fraction(1)] * size, Fraction(1))], list(range(size)), free)
    assert len(corner.vertices) == size + 1
    assert corner.lower <= Fraction(1, factorial(size)) <= corner.upper


def test_where_many_rows_meet_the_body_grows_a_little():
    rows = [*cube(3), ([Fraction(1)] * 3, Fraction(1))]  # of the cube only a corner is left, whose edges meet more rows
    body = exact_volume(rows, [1, 3, 5], free)
    assert body.moved
    assert Fraction(1, 6) <= body.upper < Fraction(1, 6) * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("seed", range(6))
def test_areas_are_those_of_polygons(seed):
    rng = np.random.default_rng(seed)
    normals = rng.integers(-9, 10, (6, 2))
    rows = [([Fraction(int(a)), Fraction(int(b))], Fraction(int(rng.integers(3, 9)))) for a, b in normals if a or b]
    rows += [([Fraction(1), Fraction(0)], Fraction(2)), ([Fraction(0), Fraction(1)], Fraction(2))]
    rows += [([Fraction(-1), Fraction(0)], Fraction(2)), ([Fraction(0), Fraction(-1)], Fraction(2))]
    found = [(tuple(a), b) for a, b in rows]
    corners = truth.vertices(found)
    tight = max(corners)
    first = [k for k, (a, b) in enumerate(found) if truth.dot(a, tight) == b][:2]
    body = exact_volume(rows, first, free)
    assert body.upper >= truth.area(corners)
    assert body.upper - truth.area(corners) < Fraction(1, 10**8)


def test_rows_that_meet_outside_are_no_beginning():
    assert exact_volume([*cube(2), ([Fraction(1)] * 2, Fraction(1))], [0, 2], free) is None


def planted(seed, size=2, rows=8):
    rng = np.random.default_rng([3, seed])
    W = rng.integers(-3, 4, (rows, size)) + 3.0
    W[:size] = np.eye(size)
    y = W @ (rng.integers(-4, 5, size) * 0.25) + rng.uniform(-0.2, 0.2, rows)
    return linear(W, y, 0.25)


@pytest.mark.parametrize("seed", range(8))
def test_all_vertices_are_between_the_half_spaces(seed):
    answer = planted(seed)
    found, problem = linear_polytope(answer), answer.problem
    ends = [problem.ends(k) for k in range(problem.rows)]
    corners = truth.vertices(truth.halves(problem.matrix, *zip(*ends, strict=True)))
    assert found.stopped is Stopped.FINISHED
    assert both(b"".join(problem.canonical()), found.certificate) == "VERIFIED"
    for axis in found.axes:
        reach = [truth.dot(axis.coefficients, corner) for corner in corners]
        assert axis.lower <= min(reach)
        assert max(reach) <= axis.upper
        assert axis.upper - axis.lower < (max(reach) - min(reach)) * (1 + Fraction(1, 10**6)) + Fraction(1, 10**9)
    assert truth.area(corners) <= found.volume <= found.box_volume


def test_a_half_space_that_cuts_is_refused():
    answer = planted(3)
    text = linear_polytope(answer).certificate
    line = next(line for line in text.split(b"\n") if line.startswith(b"facet"))
    head, _, end = line.rpartition(b" ")
    nearer = str(Fraction(end.decode()) - Fraction(1, 100)).encode()
    data = b"".join(answer.problem.canonical())
    assert both(data, text.replace(line, head + b" " + nearer)) == "REJECTED"


def test_what_is_not_accepted_does_not_stand():
    found = linear_polytope(planted(1))
    nothing = found.standing(())
    assert (nothing.axes, nothing.volume, nothing.certificate) == ((), None, None)
    assert found.checked().axes == found.axes


def test_of_more_parameters_the_share_is_estimated():
    rng = np.random.default_rng(2)
    W = rng.normal(size=(200, 7)) + 2.0
    found = linear_polytope(linear(W, W @ np.ones(7) + rng.uniform(-0.1, 0.1, 200), 0.11))
    assert found.volume is None
    assert 0 < found.estimated_share < 1
    assert len(found.axes) == 7


def test_open_sets_and_no_time_have_no_half_spaces():
    open_one = linear([[1.0, 1.0], [2.0, 2.0]], [1.0, 2.0], 0.1)
    assert linear_polytope(open_one).axes == ()
    assert linear_polytope(planted(1), Options(time_limit=0.0)).stopped is Stopped.TIME


def test_shares_are_estimated_to_a_few_per_cent():
    normals = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1], [1, 1]])
    share = estimated_share(Slab(normals, np.array([1.0, 1, 1, 1, 1])), 4, free)
    assert abs(share - 7 / 8) < 0.03
    points = points_inside(Slab(normals, np.array([1.0, 1, 1, 1, 1])), free)
    assert (points @ normals.T <= 1 + 1e-12).all()


def test_inverses_are_exact():
    matrix = [[Fraction(2), Fraction(1, 3)], [Fraction(0), Fraction(5)]]
    inverse = inverted(matrix)
    for i in range(2):
        for j in range(2):
            assert truth.dot(matrix[i], [row[j] for row in inverse]) == int(i == j)
