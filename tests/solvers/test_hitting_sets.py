"""Minimum hitting sets against brute force over all sets of rows."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from certify.solvers.linear_programs.hitting_sets import fewest


def brute(conflicts):
    rows = sorted(set().union(*conflicts))
    return next(
        size
        for size in range(len(rows) + 1)
        for chosen in combinations(rows, size)
        if all(set(chosen) & c for c in conflicts)
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_smallest_set_is_found(seed):
    random = np.random.default_rng(seed)
    conflicts = [
        {(0, int(row)) for row in random.choice(9, random.integers(1, 5), replace=False)}
        for _ in range(random.integers(1, 7))
    ]
    found = fewest(conflicts, {})
    assert all(conflict & set(found) for conflict in conflicts)
    assert len(found) == brute(conflicts)


def test_among_several_the_suspected_one_is_taken():
    assert fewest([{(0, 1), (0, 2), (1, 5)}], {(1, 5): 1.0, (0, 1): 0.2}) == ((1, 5),)


def test_no_conflict_needs_nothing():
    assert fewest([], {}) == ()


def test_without_an_answer_the_rows_still_meet_all(monkeypatch):
    monkeypatch.setattr("certify.solvers.linear_programs.hitting_sets.is_optimal", lambda solver: False)
    conflicts = [{(0, 1), (0, 2)}, {(0, 2), (0, 3)}, {(0, 1), (0, 4)}]
    assert all(set(conflict) & set(fewest(conflicts, {})) for conflict in conflicts)
