"""The dual method for few columns beside listed vertices, and beside HiGHS where it gives up; pivots."""

from fractions import Fraction

import numpy as np
import planted_regressors as truth
import pytest

from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_programs.simplex import _pivot
from certify.solvers.regressors.dense_programs import DensePrograms
from certify.solvers.regressors.few_rows import FewRows


def random_rows(seed, size, rows):
    """Rows that a point of the box fits, many of them in few places."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-2, 3, (rows, size)).astype(float) if seed % 2 else rng.normal(size=(rows, size))
    point = rng.integers(-1, 2, size) / 2
    return matrix, matrix @ point + rng.integers(0, 3, rows) / 4


def entered(matrix, bound, box=1.0):
    size = matrix.shape[1]
    program = DensePrograms(np.full(size, -box), np.full(size, box))
    program.enter([(k, 1) for k in range(len(bound))], matrix, bound)
    return program


@pytest.mark.parametrize("seed", range(12))
def test_optima_are_those_of_listed_vertices(seed):
    size, rows = 1 + seed % 3, 6
    matrix, bound = random_rows(seed, size, rows)
    program = entered(matrix, bound)
    for dropped in ((), (1,), (0, 3)):
        kept = [k for k in range(rows) if k not in dropped]
        found = [(tuple(map(Fraction, row)), Fraction(end)) for row, end in zip(matrix[kept], bound[kept], strict=True)]
        corners = truth.vertices(found + truth.halves(np.zeros((0, size)), [], [], [(-1, 1)] * size))
        asked = [program.ask(sign * unit, dropped) for unit in np.eye(size) for sign in (-1.0, 1.0)]
        for one, (_, basis) in zip(asked, program.solve(asked, Limit()), strict=True):
            best = max(truth.dot(map(Fraction, one.cost), corner) for corner in corners)
            assert abs(float(one.cost @ basis.point) - float(best)) < 1e-9
            assert len(basis.sides) + len(basis.columns) == size
            assert not {row for row, _ in basis.sides} & set(dropped)


def test_what_has_entered_later_is_gone_on_with():
    matrix, bound = random_rows(4, 3, 40)
    all_at_once, later = entered(matrix, bound), entered(matrix[:5], bound[:5])
    cost = np.array([1.0, -2.0, 0.5])
    asked, _ = later.solve([later.ask(cost)], Limit())[0]
    later.enter([(k, 1) for k in range(5, 40)], matrix[5:], bound[5:])
    (_, found), (_, wanted) = (
        program.solve([one], Limit())[0] for program, one in ((later, asked), (all_at_once, all_at_once.ask(cost)))
    )
    assert abs(cost @ found.point - cost @ wanted.point) < 1e-10


def test_what_ends_nowhere_is_asked_of_highs():
    program = DensePrograms(np.array([-np.inf, -np.inf]), np.array([np.inf, np.inf]))
    program.enter([(0, 1), (1, 1)], np.eye(2), np.array([5.0, 7.0]))
    (_, far), (_, open_one) = program.solve([program.ask(np.ones(2)), program.ask(-np.ones(2))], Limit())
    assert far.point.tolist() == [5.0, 7.0]
    assert open_one is None


def test_contradicting_rows_have_no_optimum():
    program = entered(np.array([[1.0], [-1.0]]), np.array([-0.25, -0.25]))
    assert program.solve([program.ask(np.ones(1))], Limit())[0][1] is None


def test_no_time_is_late():
    program = entered(*random_rows(1, 2, 5))
    over = Limit(0.0)
    with pytest.raises(Late) as late:
        program.solve([program.ask(np.ones(2))], over)
    assert late.value.why is Stopped.TIME


def test_many_programs_agree_with_highs():
    matrix, bound = random_rows(6, 9, 120)
    program, other = entered(matrix, bound), FewRows(-np.ones(9), np.ones(9))
    other.enter([(k, 1) for k in range(120)], matrix, bound)
    asked = [program.ask(sign * unit) for unit in np.eye(9) for sign in (-1.0, 1.0)]
    for one, (_, basis) in zip(asked, program.solve(asked, Limit()), strict=True):
        assert abs(one.cost @ basis.point - one.cost @ other.minimise(-one.cost, Limit()).point) < 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_pivots_of_sparse_rows_exchange_what_pivots_of_full_rows_do(seed):
    rng = np.random.default_rng(seed)
    size, row, column = 12, 2, 5
    table = rng.integers(-4, 5, (7, size)).astype(float)
    table[row] *= rng.random(size) < (0.1, 0.9)[seed % 2]
    table[row, column] = 2.0
    exact = [[Fraction(entry) for entry in line] for line in table]
    pivot = exact[row][column]
    expected = [
        [entry - line[column] / pivot * other for entry, other in zip(line, exact[row], strict=True)] for line in exact
    ]
    for line, was in zip(expected, exact, strict=True):
        line[column] = was[column] / pivot
    expected[row] = [-entry / pivot for entry in exact[row]]
    expected[row][column] = 1 / pivot
    _pivot(table, row, column, np.empty(size, dtype=np.int64))
    assert table.tolist() == expected
