"""Boxes of one zero are narrow in the end, also where Krawczyk's operator hardly narrows them."""

import numpy as np
import pytest

from certify.problems.minibex import parse_minibex
from certify.questions.system_search import search
from certify.solvers.zeros import proved_zeros


def _planted(n: int) -> str:
    """A discrete boundary value problem of which 0 is the one solution."""
    names = ["0", *(f"x{i}" for i in range(1, n + 1)), "0"]
    rows = (
        f"2*{names[i]} - {names[i - 1]} - {names[i + 1]} + (({names[i]} + 1 + {i}/{n + 1})^3 - (1 + {i}/{n + 1})^3)"
        f"/{2 * (n + 1) ** 2} = 0;\n"
        for i in range(1, n + 1)
    )
    return (
        f"Variables {', '.join(f'{name} in [-100, 100]' for name in names[1:-1])};\nConstraints\n{''.join(rows)}end\n"
    )


@pytest.mark.parametrize("n", [9, 10])
def test_a_box_of_one_zero_that_krawczyks_operator_hardly_narrows_is_narrowed_around_an_estimate(n, monkeypatch):
    """The planted zero stays in it; without the estimate it is wider than one."""
    (found,) = search(parse_minibex(_planted(n))).paving.solutions
    low, high = found.enclosure.lower, found.enclosure.upper
    assert (low <= 0.0).all() and (high >= 0.0).all()
    assert (high - low).max() < 1e-9
    monkeypatch.setattr(proved_zeros, "WIDE", np.inf)
    (wide,) = search(parse_minibex(_planted(n))).paving.solutions
    assert (wide.enclosure.upper - wide.enclosure.lower).max() > 1e-3
    assert (wide.enclosure.lower <= low).all() and (wide.enclosure.upper >= high).all()
