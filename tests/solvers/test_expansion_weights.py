"""Rows about the centre of a box: polynomials of second degree as they are, others by their derivatives; what is shared
cancels.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.contractors.protocol.contractor import ProductTerm, RowTerm
from certify.problems.minibex import parse_minibex
from certify.questions.system_search import equations_of
from certify.solvers.weights.expansion_weights import Forms, as_reason, ranges, refuting, shortened, weights
from certify.solvers.weights.second_order import SecondOrder

DISTANCES = "(x-1)^2+(y+1)^2=4; x^2+(y-1/2)^2=3"


def system(constraints, variables="x in [-3,3]; y in [-3,3]"):
    return equations_of(parse_minibex(f"Variables {variables}; Constraints {constraints}; end"))


@pytest.mark.parametrize(
    ("constraint", "exact"),
    [
        ("x*y=1", True),
        ("(x+y)^2-x*y/3=2", True),
        ("(x*x+y)*2=y", True),
        ("x^3=1", False),
        ("x^2*y^2-(x*y)^2+x=1", False),  # a certificate sees the degree that the terms have as they stand
        ("sqrt(x^2+1)=y", False),
        ("x/y=1", False),
        ("sin(2)*x=y^2", True),
    ],
)
def test_rows_of_second_degree_are_found(constraint, exact):
    assert SecondOrder.of(system(f"{constraint}; x+y=0")).rows.tolist() == [exact, True]


@given(seed=st.integers(0, 10**6))
def test_a_row_is_its_expansion(seed):
    """At random points of random boxes: exactly for second degree, between the ends for the others, up to rounding."""
    rng = np.random.default_rng(seed)
    equations = system("x^2-3*x*y+y/2=1; x*y*z+sin(z)=0; (x-z)^2+(y-2*z)^2=3", "x in [-3,3]; y in [-3,3]; z in [-3,3]")
    second = SecondOrder.of(equations)
    low, high = np.sort(rng.uniform(-3, 3, (2, 3, 4)), axis=0)
    forms = Forms.of(equations, second, low, high)
    x = low + rng.uniform(0, 1, low.shape) * (high - low)
    d = (x - 0.5 * (low + high)).T
    least, most = forms.monomials(d, d)
    assert np.allclose(least, most)
    ends = [
        (forms.value_low + (slope * least[:, None]).sum(axis=2))[:, :3] for slope in (forms.slope_low, forms.slope_high)
    ]
    true = equations.values(x, x).lower.T
    assert second.rows.tolist() == [True, False, True]
    assert np.allclose(ends[0][:, [0, 2]], true[:, [0, 2]])
    slack = (np.abs(forms.slope_high - forms.slope_low) * np.abs(least[:, None])).sum(axis=2)[:, :3]
    assert (np.abs(ends[0] - true) <= slack + 1e-9).all()


@given(seed=st.integers(0, 10**6))
def test_products_are_not_positive_on_the_box(seed):
    rng = np.random.default_rng(seed)
    equations = system("x*y=1; x^2=y")
    second = SecondOrder.of(equations)
    radius = rng.uniform(0, 2, (3, 2))
    forms = Forms.of(equations, second, -radius.T, radius.T)
    assert forms.value_low.shape[1] == 2 + 3 + 4  # x^2, x y
    d = radius * rng.uniform(-1, 1, radius.shape)
    monomials = forms.monomials(d, d)[0]
    values = forms.value_low + (forms.slope_low * monomials[:, None]).sum(axis=2)
    assert (values[:, 2:] <= 1e-12).all()
    for k, (i, si, j, sj) in enumerate(second.products.tolist(), 2):
        assert np.allclose(values[:, k], -(radius[:, i] - si * d[:, i]) * (radius[:, j] - sj * d[:, j]))


def test_terms_in_common_cancel():
    """The difference of two circles is a line, which misses this box; neither circle does, nor do their derivatives
    together.
    """
    equations = system(DISTANCES)
    second = SecondOrder.of(equations)
    low, high = np.array([[0.0], [-9.0]]), np.array([[9.0], [-0.7]])
    forms, radius = Forms.of(equations, second, low, high), 0.5 * (high - low).T
    y = weights(forms, radius)
    refuted, _, _ = ranges(y, forms, radius)
    assert refuted.tolist() == [True]
    first_order = Forms.of(equations, _none(), low, high)
    assert not ranges(weights(first_order, radius), first_order, radius)[0][0]
    good = np.flatnonzero(refuting(y[0], forms.take(0), -radius[0], radius[0]))
    reason = as_reason(shortened(y[0, good[0]], forms.take(0), -radius[0], radius[0]), second)
    assert {term.form for term in reason.rows} == {"q"}
    assert all(isinstance(term, RowTerm) and term.weight > 0 for term in reason.rows)
    assert all(isinstance(term, ProductTerm) and term.weight > 0 for term in reason.products)


def _none():
    """No row is taken as a polynomial."""
    found = SecondOrder.of(system("x^3=0; y^3=0"))
    assert not found.rows.any()
    return found
