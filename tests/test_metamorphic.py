"""The same problem told in other units, orders, names and origins: a few problems of every kind of the benchmark."""

from __future__ import annotations

import pytest

from benchmarks._tellings import KINDS
from benchmarks.metamorphic import _contradictions, compared


@pytest.mark.parametrize("number", range(2 * len(KINDS)))
def test_answers_agree(number):
    """Nothing contradicts what is planted or the first telling, and everything is decided, with no more than twice the work."""
    rows = list(compared(number))
    assert len(rows) >= 6
    for row in rows:
        assert row["faults"] == [], (row["kind"], row["seed"], row["change"])
        assert all(row["decided"])
        assert row["work"][1] <= 2 * row["work"][0] + 10


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_contradiction_is_found(kind):
    """Another problem of the same kind is no other telling of the first: that is seen."""
    first, other = (KINDS[kind](seed)[1][0][1]() for seed in (1, 5))
    assert _contradictions(first, other)
