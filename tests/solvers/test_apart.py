"""Systems in groups without common variables: the same answers as in one search, at the price of the parts."""

from fractions import Fraction

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder
from certify.solvers.limits import Stopped
from certify.solvers.search.branch_and_prune import SearchOptions, branch_and_prune
from certify.solvers.search.independent_systems import groups, solve_apart


def system(variables, make, kinds=None):
    builder = Builder(variables)
    nodes = make(builder)
    kinds = kinds or ["="] * len(nodes)
    return Equations(
        builder.tape(tuple(nodes)), np.array([0.0 if kind == "=" else -np.inf for kind in kinds]), np.zeros(len(nodes))
    )


def pairs(count):
    """x^2 + y^2 = 1 and x = y for interleaved variables: two zeros a pair."""

    def make(b):
        nodes = []
        for k in range(count):
            x, y = k, count + k
            nodes += [b.sub(b.add(b.sqr(x), b.sqr(y)), b.constant(1)), b.sub(x, y)]
        return nodes

    return system(2 * count, make)


def test_the_groups_are_those_of_the_variables():
    found = groups(pairs(3))
    assert [group.variables for group in found] == [(0, 3), (1, 4), (2, 5)]
    assert all(len(group.equations.tape.outputs) == 2 for group in found)


def test_combinations_are_the_solutions_of_the_whole():
    domain = Box(-np.full(6, 2.0), np.full(6, 2.1))
    apart, whole = solve_apart(pairs(3), domain), branch_and_prune(pairs(3), domain)
    assert len(apart.solutions) == len(whole.solutions) == 8
    assert not apart.undecided
    for a, b in zip(apart.solutions, whole.solutions, strict=True):
        assert np.abs(a.enclosure.centre - b.enclosure.centre).max() < 1e-12
    assert {tuple(np.sign(s.enclosure.centre[:3])) for s in apart.solutions} == {
        (a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)
    }


def test_many_groups_cost_the_sum():
    """Twelve pairs with one zero each in the domain, twenty-four variables."""
    paving = solve_apart(pairs(12), Box(np.zeros(24), np.full(24, 2.1)))
    assert len(paving.solutions) == 1
    assert paving.cells <= 12 * 20


def test_a_group_without_solution_empties_the_whole():
    def make(b):
        return [b.sub(b.sqr(0), b.constant(2)), b.add(b.sqr(1), b.constant(1))]

    paving = solve_apart(system(2, make), Box(-np.full(2, 3.0), np.full(2, 3.0)))
    assert paving.stopped is Stopped.FINISHED
    assert not paving.solutions
    assert not paving.undecided
    assert not paving.unexplored


def test_what_is_undecided_in_one_group_is_undecided_with_every_partner():
    """A double zero x = 1/3 beside y^2 = 2."""

    def make(b):
        return [b.sqr(b.sub(0, b.constant(Fraction(1, 3)))), b.sub(b.sqr(1), b.constant(2))]

    paving = solve_apart(system(2, make), Box(-np.full(2, 3.0), np.full(2, 3.0)), SearchOptions(width=1e-4))
    assert not paving.solutions
    for y in (-(2**0.5), 2**0.5):
        assert any(
            box.lower[0] <= 1 / 3 <= box.upper[0] and box.lower[1] <= y <= box.upper[1] for box in paving.undecided
        )


def test_zeros_beside_a_free_region_are_no_isolated_solutions():
    """x^2 = 2 with y <= 0 for another variable: sets of solutions, not two of them."""

    def make(b):
        return [b.sub(b.sqr(0), b.constant(2)), 1]

    paving = solve_apart(system(2, make, ["=", "<"]), Box(-np.full(2, 3.0), np.full(2, 3.0)), SearchOptions(width=1e-2))
    assert not paving.solutions
    assert paving.undecided
