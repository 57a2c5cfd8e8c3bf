"""Hulls and relaxations by linear programs: exact solutions of members are inside, verdicts are true, published hulls
are reached."""

import json
import os
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from exact_systems import exact, inside, members, random_system, solve_exactly
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.linear_system import LinearVerdict, interval_system
from certify.contractors.linear.weights import is_ray
from certify.contractors.operators.beaumont import beaumont
from certify.contractors.operators.oettli_prager import hull
from certify.solvers.linear_programs.highs import HighsOracle


class Nonsense:
    """An oracle whose answers are worth nothing."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def weights(self, program):
        return self.rng.choice(
            [0.0, 1.0, -1.0, 1e9, 1e-9, np.nan, np.inf], program.bound.size, p=[0.3, 0.3, 0.1, 0.1, 0.1, 0.05, 0.05]
        )

    def violation_weights(self, program):
        return float(self.rng.choice([-1.0, 1.0])), self.weights(program)

    def bound_weights(self, program, objectives):
        return [None if self.rng.random() < 0.2 else self.weights(program) for _ in objectives]


def wide_system(seed):
    """Up to three unknowns, wide enough to have singular members sometimes."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(k) for k in rng.integers(1, 4, 2))
    middle, right = rng.integers(-16, 17, (rows, columns)) / 8, rng.integers(-16, 17, rows) / 8
    radius = rng.choice([0.0, 0.125, 0.5, 1.0], (rows, columns))
    slack = rng.choice([0.0, 0.25], rows)
    return interval_system(middle - radius, middle + radius, right - slack, right + slack), rng


def check(system, answer, rng):
    rows, columns = system.shape
    if answer.ray is not None:
        assert answer.verdict is LinearVerdict.UNBOUNDED
        assert is_ray(system, *answer.ray)
    if answer.verdict is LinearVerdict.BOUNDED:
        assert np.isfinite(answer.lower).all() and np.isfinite(answer.upper).all()
    for matrix, right in members(system, rng, 6):
        x = solve_exactly(matrix, right) if rows == columns else None
        if x is not None:
            assert inside(answer, x)
        if rows == columns and answer.verdict is LinearVerdict.BOUNDED:
            assert x is not None
    for _ in range(10):  # points at which the rows can be satisfied, found by chance on a grid
        x = rng.integers(-12, 13, columns) / 4
        ends = [
            (np.where(x >= 0, a, b), np.where(x >= 0, b, a)) for a, b in zip(system.lower, system.upper, strict=True)
        ]
        solved = all(
            sum(exact(a) * exact(v) for a, v in zip(low, x, strict=True)) <= exact(top)
            and sum(exact(a) * exact(v) for a, v in zip(high, x, strict=True)) >= exact(bottom)
            for (low, high), bottom, top in zip(ends, system.right_lower, system.right_upper, strict=True)
        )
        if solved:
            assert inside(answer, [exact(v) for v in x])


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_hulls_of_wide_systems(seed):
    system, rng = wide_system(seed)
    check(system, hull(system, HighsOracle()), rng)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**9), spread=st.sampled_from([0.0, 5.0, 60.0]))
def test_hulls_are_inside_enclosures_and_hold_the_solutions(seed, spread):
    system, rng = random_system(seed, spread)
    answer, first = hull(system, HighsOracle()), enclose(system)
    for matrix, right in members(system, rng, 6):
        x = solve_exactly(matrix, right)
        if x is not None:
            assert inside(answer, x)
    if first.verdict is LinearVerdict.BOUNDED:
        assert answer.verdict is LinearVerdict.BOUNDED
        width = first.upper - first.lower
        assert (answer.upper - answer.lower <= width * (1 + 1e-9) + 1e-12 * np.abs(first.upper)).all()


@settings(max_examples=150)
@given(seed=st.integers(0, 10**9))
def test_an_oracle_of_nonsense_proves_nothing_false(seed):
    system, rng = wide_system(seed)
    check(system, hull(system, Nonsense(seed), limit=60), rng)
    low, high = np.full(system.shape[1], -8.0), np.full(system.shape[1], 8.0)
    answer = beaumont(system, Nonsense(seed + 1), low, high)
    for matrix, right in members(system, rng, 6):
        x = solve_exactly(matrix, right) if system.shape[0] == system.shape[1] else None
        if x is not None and all(abs(v) <= 8 for v in x):
            assert inside(answer, x)


@settings(max_examples=80)
@given(seed=st.integers(0, 10**9), secant=st.booleans())
def test_beaumont_keeps_solutions(seed, secant):
    system, rng = wide_system(seed)
    columns = system.shape[1]
    centre = rng.integers(-8, 9, columns) / 4
    low, high = centre - rng.choice([0.5, 2.0, 8.0], columns), centre + rng.choice([0.5, 2.0, 8.0], columns)
    answer = beaumont(system, HighsOracle(), low, high, secant=secant)
    for matrix, right in members(system, rng, 6):
        x = solve_exactly(matrix, right) if system.shape[0] == system.shape[1] else None
        if x is not None and all(exact(a) <= v <= exact(b) for a, v, b in zip(low, x, high, strict=True)):
            assert inside(answer, x)


def test_beaumont_is_exact_in_one_orthant_and_better_than_its_decomposition():
    system = interval_system([[2, -2], [-1, 2]], [[4, 1], [2, 4]], [-2, -2], [2, 2])
    whole = beaumont(system, HighsOracle(), np.full(2, -20.0), np.full(2, 20.0))
    simple = beaumont(system, HighsOracle(), np.full(2, -20.0), np.full(2, 20.0), secant=False)
    corner = beaumont(system, HighsOracle(), np.zeros(2), np.full(2, 20.0))
    assert (whole.upper <= simple.upper + 1e-9).all()
    assert np.allclose(corner.upper, [4.0, 3.0], rtol=1e-9, atol=0)
    with pytest.raises(ValueError, match="finite ends"):
        beaumont(system, HighsOracle(), np.full(2, -np.inf), np.full(2, 20.0))


@pytest.mark.parametrize(
    ("matrix", "right"),
    [
        ([[1, 0], [0, 1], [1, 1]], [1, 1, 3]),
        ([[1], [1]], [0, 1]),
        ([[1, 1], [1, 1]], [1, 2]),
        ([[1, -1, 2], [2, -2, 4]], [1, 3]),
        ([[0]], [1]),
        ([[0, 1], [0, 1]], [1, 2]),
    ],
)
def test_empty_systems_are_proved_empty(matrix, right):
    answer = hull(interval_system(matrix, matrix, right, right), HighsOracle())
    assert answer.verdict is LinearVerdict.EMPTY
    assert (answer.lower > answer.upper).all()


def test_a_rectangular_hull():
    """Two unknowns, three rows; the hull by all pairs of ends of all rows in exact arithmetic on the one orthant that
    is reached."""
    lower, upper = np.array([[1, 0.5], [0.5, 1], [1, -1]]), np.array([[1.5, 1], [1, 1.25], [1.25, -0.5]])
    system = interval_system(lower, upper, [4, 4, -1], [5, 5, 1])
    answer = hull(system, HighsOracle(), np.zeros(2), np.full(2, 100.0))
    rows = (
        [(lower[i], [5, 5, 1][i]) for i in range(3)]
        + [(-upper[i], -[4, 4, -1][i]) for i in range(3)]
        + [(-np.eye(2)[i], 0) for i in range(2)]
    )
    corners = []
    for first in range(len(rows)):
        for second in range(first):
            pair = [[exact(v) for v in rows[k][0]] for k in (first, second)]
            x = solve_exactly(pair, [Fraction(rows[k][1]) for k in (first, second)])
            if x is not None and all(
                sum(exact(a) * v for a, v in zip(row, x, strict=True)) <= bound for row, bound in rows
            ):
                corners.append(x)
    assert answer.verdict is LinearVerdict.BOUNDED
    for j in range(2):
        least, most = min(x[j] for x in corners), max(x[j] for x in corners)
        assert exact(answer.lower[j]) <= least and most <= exact(answer.upper[j])
        assert answer.lower[j] > float(least) - 1e-9 and answer.upper[j] < float(most) + 1e-9


def test_fewer_equations_than_unknowns_are_unbounded():
    answer = hull(interval_system([[1, 1]], [[1, 1]], [1], [1]), HighsOracle())
    assert answer.verdict is LinearVerdict.UNBOUNDED
    assert answer.ray is not None and is_ray(interval_system([[1, 1]], [[1, 1]], [1], [1]), *answer.ray)


def test_the_search_may_be_stopped():
    matrix = np.where(np.eye(6, dtype=bool), 3.0, -0.77)
    system = interval_system(
        matrix, matrix + np.where(np.eye(6, dtype=bool), 1.0, 1.42), np.full(6, -3.0), np.full(6, 3.0)
    )
    part, whole = hull(system, HighsOracle(), limit=2), hull(system, HighsOracle())
    assert "stopped" in part.proof or part.verdict is LinearVerdict.NOT_PROVED
    assert (part.lower <= whole.lower).all() and (whole.upper <= part.upper).all()


DATA = Path(os.environ.get("CERTIFY_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "interval_linear"
KNOWN = json.loads((DATA / "systems.json").read_text()) if (DATA / "systems.json").is_file() else {}


@pytest.mark.skipif(
    not KNOWN, reason=f"systems.json is not in {DATA}; set CERTIFY_DATA to the folder that contains interval_linear/"
)
@pytest.mark.parametrize("name", KNOWN)
def test_systems_known_from_the_literature(name):
    entry = KNOWN[name]
    matrix, right = np.array(entry["A"]), np.array(entry["b"])
    system = interval_system(matrix[..., 0], matrix[..., 1], right[:, 0], right[:, 1])
    answer = hull(system, HighsOracle())
    check(system, answer, np.random.default_rng(0))
    if entry["published"].get("unbounded"):
        assert answer.verdict is LinearVerdict.UNBOUNDED
        return
    assert answer.verdict is LinearVerdict.BOUNDED
    float_hull = np.array(entry["hull_check_float_oettli_prager_LP"])
    assert np.abs(answer.lower - float_hull[:, 0]).max() < 1e-8 and np.abs(answer.upper - float_hull[:, 1]).max() < 1e-8
    for kind, published in entry["published"].items():
        ends = np.array([published]) if kind == "hull_component0" else np.array(published)
        slack = 1e-6 if kind.startswith("hull") else 0.01  # digits published
        assert (answer.lower[: len(ends)] >= ends[:, 0] - slack).all() and (
            answer.upper[: len(ends)] <= ends[:, 1] + slack
        ).all()
    first = enclose(system)
    for kind in ("enclosure_HBR", "enclosure_HBR_ILA", "enclosure_rohn"):
        if kind in entry["published"]:
            ends = np.array(entry["published"][kind])
            assert (first.lower >= ends[:, 0] - 0.01).all() and (first.upper <= ends[:, 1] + 0.01).all()
