"""The forms of a least-squares search: Taylor's form holds in the box with the error that it states, the other never
exceeds the row.
"""

from __future__ import annotations

import numpy as np
import pytest

from certify import norm, sin, trace
from certify.contractors.rows.rows import Rows
from certify.solvers.squares.float_jets import FloatJets
from certify.solvers.squares.square_forms import Chart, SquareRows


def distances(count=12, seed=3):
    """Distances to anchors in the plane, with an offset."""
    tape = trace(lambda x, m: norm(x.p - m.a) - m.d - x.o, {"p": (2,), "o": ()}, {"a": (2,), "d": ()})
    random = np.random.default_rng(seed)
    measured = np.zeros((6, count))
    measured[3:5] = random.uniform(5.0, 9.0, (2, count))
    measured[5] = random.uniform(5.0, 9.0, count)
    return Rows("f", tape, (0, 1, 2, -1, -1, -1), measured, measured, (False,) * 6)


def waves(count=8):
    tape = trace(lambda x, m: sin(x.a * m.t) * x.b / (2 + x.a) - m.y, {"a": (), "b": ()}, {"t": (), "y": ()})
    measured = np.zeros((4, count))
    measured[2] = np.linspace(0.1, 2.0, count)
    return Rows("f", tape, (0, 1, -1, -1), measured, measured, (False,) * 4)


@pytest.mark.parametrize(("rows", "size"), [(distances(), 3), (waves(), 2)])
@pytest.mark.parametrize("skew", [False, True])
def test_jets_enclose_second_differences(rows, size, skew):
    random = np.random.default_rng(5)
    matrix = np.linalg.qr(random.normal(size=(size, size)))[0] if skew else np.eye(size)
    x, radius = random.uniform(0.5, 1.0, size), random.uniform(0.05, 0.2, size)
    jet = FloatJets(rows, {i: i for i in range(size)}, rows.lower).rows(x, matrix, radius)
    values = SquareRows(((0, rows),), tuple(range(size)), size, 1.0).values
    for _ in range(40):
        d, direction = random.uniform(-radius, radius), random.normal(size=size)
        at = values(x + matrix @ d)[0]
        assert (jet.value[0] - 1e-9 <= at).all() and (at <= jet.value[1] + 1e-9).all()
        step = 1e-4
        up, down = values(x + matrix @ (d + step * direction))[0], values(x + matrix @ (d - step * direction))[0]
        half = (up - 2.0 * at + down) / (2.0 * step**2)
        outer = np.outer(direction, direction)
        low = np.minimum(jet.square[0] * outer, jet.square[1] * outer).sum(axis=(1, 2))
        high = np.maximum(jet.square[0] * outer, jet.square[1] * outer).sum(axis=(1, 2))
        assert (low - 1e-4 <= half).all() and (half <= high + 1e-4).all()


@pytest.mark.parametrize("skew", [False, True])
def test_no_form_exceeds_its_row(skew):
    rows, random = distances(), np.random.default_rng(8)
    matrix = np.linalg.qr(random.normal(size=(3, 3)))[0] if skew else np.eye(3)
    chart = Chart(random.uniform(0.0, 1.0, 3), matrix)
    problem = SquareRows(((0, rows),), (0, 1, 2), 3, 60.0)
    forms_seen = set()
    for radius in (2.0, 0.5, 0.01):
        lower, upper = np.full(3, -radius), np.full(3, radius)
        forms = problem.forms(chart, lower, upper, np.zeros(3))
        forms_seen |= {tag[0] for tag in forms.tags}
        for _ in range(60):
            d = random.uniform(lower, upper)
            values = problem.values(chart.start + matrix @ d)[0]
            if values @ values > problem.level:
                continue
            p = forms.constant + forms.linear @ d + np.einsum("kij,i,j->k", forms.square, d, d)
            chosen = values[[row for _, _, row in forms.tags]]
            assert (np.abs(p) - forms.error <= np.abs(chosen) + 1e-9).all()
    assert forms_seen == {"q", "t"}
