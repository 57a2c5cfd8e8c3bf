"""A search that is ended at any checkpoint has lost nothing: every solution lies in a box that it tells of."""

from fractions import Fraction

import numpy as np
import pytest

from certify.contractors.operators.linear_hull import LinearHull
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder
from certify.problems.minibex import parse_minibex
from certify.questions.system_search import equations_of
from certify.solvers.limits import Limit, Stopped
from certify.solvers.linear_programs import simplex
from certify.solvers.search import branch_and_prune as search
from certify.solvers.search.branch_and_prune import SearchOptions, branch_and_prune
from certify.solvers.search.independent_systems import solve_apart

POINTS = [(a, b) for a in (Fraction(-3, 4), Fraction(1, 4), Fraction(5, 4)) for b in (Fraction(-1), Fraction(1, 2))]


def grid() -> Equations:
    """(x + 3/4)(x - 1/4)(x - 5/4) = 0 plus (y + 1)(y - 1/2) = 0, and twice the first less the second: six zeros."""
    b = Builder(2)
    first = b.mul(
        b.mul(b.add(0, b.constant(Fraction(3, 4))), b.sub(0, b.constant(Fraction(1, 4)))),
        b.sub(0, b.constant(Fraction(5, 4))),
    )
    second = b.mul(b.add(1, b.constant(1)), b.sub(1, b.constant(Fraction(1, 2))))
    outputs = (b.add(first, second), b.sub(b.mul(b.constant(2), first), second))
    return Equations(b.tape(outputs), np.zeros(2), np.zeros(2))


def ended_after(monkeypatch: pytest.MonkeyPatch, checkpoints: int) -> list[int]:
    """From now on limits are reached after so many looks at them; the looks that are left."""
    left = [checkpoints]

    def why(_: Limit) -> Stopped:
        left[0] -= 1
        return Stopped.TIME if left[0] < 0 else Stopped.FINISHED

    monkeypatch.setattr(Limit, "why", property(why))
    monkeypatch.setattr(search, "CHUNK", 2)
    return left


@pytest.mark.parametrize("checkpoints", [0, 1, 3, 5, 8, 13, 20, 30, 50, 80, 130, 210])
@pytest.mark.parametrize("solve", [branch_and_prune, solve_apart])
def test_every_solution_lies_in_a_box(monkeypatch: pytest.MonkeyPatch, solve, checkpoints: int):
    left = ended_after(monkeypatch, checkpoints)
    paving = solve(grid(), Box(np.full(2, -3.0), np.full(2, 4.0)), SearchOptions(batch=4))
    assert paving.stopped is (Stopped.TIME if left[0] < 0 else Stopped.FINISHED)
    boxes = [s.enclosure for s in paving.solutions] + [*paving.undecided, *paving.unexplored]
    for point in POINTS:
        assert any(
            all(Fraction(low) <= x <= Fraction(high) for low, x, high in zip(b.lower, point, b.upper, strict=True))
            for b in boxes
        )
    assert paving.unexplored if left[0] < 0 else len(paving.solutions) == len(POINTS)


def test_want_of_memory_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch):
    settle = search._Search._settle
    calls = []

    def fails_once(self, *arguments):
        calls.append(1)
        if len(calls) == 3:
            raise MemoryError
        settle(self, *arguments)

    monkeypatch.setattr(search._Search, "_settle", fails_once)
    paving = branch_and_prune(grid(), Box(np.full(2, -3.0), np.full(2, 4.0)), SearchOptions(batch=2))
    assert paving.stopped is Stopped.MEMORY
    boxes = [s.enclosure for s in paving.solutions] + [*paving.undecided, *paving.unexplored]
    for point in POINTS:
        assert any(
            all(Fraction(low) <= x <= Fraction(high) for low, x, high in zip(b.lower, point, b.upper, strict=True))
            for b in boxes
        )


def test_groups_that_are_not_reached_are_unexplored(monkeypatch: pytest.MonkeyPatch):
    """Twenty pairs with two zeros each are too many to write out: the box around them is."""
    text = "Variables x[20] in [-2,2], y[20] in [-2,2]; Constraints for i=1:20; x(i)^2+y(i)^2=1; x(i)=y(i); end end"
    monkeypatch.setattr(
        "certify.solvers.search.independent_systems.branch_and_prune",
        lambda *a, **k: branch_and_prune(*a, **k) if a[0].variables == 2 else stopped,
    )
    domain = Box(np.full(40, -2.0), np.full(40, 2.0))
    stopped = branch_and_prune(grid(), Box(np.full(2, -3.0), np.full(2, 4.0)), SearchOptions(time_limit=0.0))
    paving = solve_apart(equations_of(parse_minibex(text)), domain, SearchOptions())
    zero = 0.5**0.5
    assert not paving.solutions
    for signs in (np.ones(20), -np.ones(20), np.resize([1.0, -1.0], 20)):
        point = zero * np.concatenate([signs, signs])
        assert any((box.lower <= point).all() and (point <= box.upper).all() for box in paving.unexplored)


def test_programs_in_pieces_are_the_same_programs(monkeypatch: pytest.MonkeyPatch):
    random = np.random.default_rng(5)
    low = random.uniform(-2.0, 1.0, (2, 40))
    boxes = Boxes(low, low + random.uniform(0.01, 1.0, (2, 40)))
    contractor = LinearHull(grid(), simplex.Simplex())
    at_once = contractor.contract(boxes)
    monkeypatch.setattr(simplex, "LARGE", 0)
    for entries in (1, 40, 2**26):
        monkeypatch.setattr(simplex, "ENTRIES", entries)
        monkeypatch.setattr("certify.contractors.operators.linear_hull.ENTRIES", 40)
        monkeypatch.setattr("certify.contractors.operators.linear_hull.STEPS", 50)
        pieces = contractor.contract(boxes)
        assert (pieces.empty == at_once.empty).all()
        assert (pieces.lower == at_once.lower)[:, ~at_once.empty].all()
        assert (pieces.upper == at_once.upper)[:, ~at_once.empty].all()


def test_a_large_program_is_broken_off():
    equations = equations_of(
        parse_minibex(
            "Variables x[150] in [-1000,1000]; Constraints for i=1:150; x(i)^3 - i + sum(j=1:150, x(j)) = 0; end end"
        )
    )
    paving = branch_and_prune(
        equations, Box(np.full(150, -1000.0), np.full(150, 1000.0)), SearchOptions(time_limit=0.5)
    )
    assert paving.stopped is Stopped.TIME
    assert len(paving.unexplored) == 1
