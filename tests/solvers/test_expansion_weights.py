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
from certify.solvers.weights.expansion_weights import Expansions, Forms, as_reason, weights
from certify.solvers.weights.short_weights import CLOSED, ranges, settle

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
    assert Expansions.of(system(f"{constraint}; x+y=0")).rows.exact.tolist() == [exact, True]


@given(seed=st.integers(0, 10**6))
def test_a_row_is_in_its_expansions(seed):
    """At random points of random boxes each form contains the value of its row, an exact one nothing else."""
    rng = np.random.default_rng(seed)
    equations = system(
        "x^2-3*x*y+y/2=1; x*y*z+sin(z)=0; (x-z)^2+(y-2*z)^2=3; exp(x)*y+z^2/7=x/(z+4); atan(x*y)+sqrt(x^2+1)=log(y+5)",
        "x in [-3,3]; y in [-3,3]; z in [-3,3]",
    )
    expansions = Expansions.of(equations)
    low, high = np.sort(rng.uniform(-3, 3, (2, 3, 4)), axis=0)
    forms = Forms.of(expansions, low, high)
    x = low + rng.uniform(0, 1, low.shape) * (high - low)
    d = (x - 0.5 * (low + high)).T
    least, most = forms.monomials(d, d)
    assert np.allclose(least, most)
    products = forms.slope_low * least[:, None], forms.slope_high * least[:, None]
    ends = forms.value_low + np.minimum(*products).sum(axis=2), forms.value_high + np.maximum(*products).sum(axis=2)
    true, count = equations.values(x, x).lower.T, len(expansions.forms)
    assert expansions.rows.exact.tolist() == [True, False, True, False, False]
    assert [form for form, _ in expansions.forms] == ["q", "m", "q", "m", "m", "t", "t", "t", "q"]
    value = true[:, [row for _, row in expansions.forms]]
    known = (forms.slope_low != 0.0).any(axis=2)[:, :count] | (forms.value_low != 0.0)[:, :count]
    assert known[:, [0, 1, 2]].all()
    assert ((ends[0][:, :count] <= value + 1e-9) & (value - 1e-9 <= ends[1][:, :count]))[known].all()
    assert np.allclose(ends[0][:, [0, 2]], true[:, [0, 2]])


@given(seed=st.integers(0, 10**6))
def test_products_are_not_positive_on_the_box(seed):
    rng = np.random.default_rng(seed)
    expansions = Expansions.of(system("x*y=1; x^2=y"))
    radius = rng.uniform(0, 2, (3, 2))
    forms = Forms.of(expansions, -radius.T, radius.T)
    assert forms.value_low.shape[1] == 2 + 3 + 4  # x^2, x y
    d = radius * rng.uniform(-1, 1, radius.shape)
    monomials = forms.monomials(d, d)[0]
    values = forms.value_low + (forms.slope_low * monomials[:, None]).sum(axis=2)
    assert (values[:, 2:] <= 1e-12).all()
    for k, (i, si, j, sj) in enumerate(expansions.products.tolist(), 2):
        assert np.allclose(values[:, k], -(radius[:, i] - si * d[:, i]) * (radius[:, j] - sj * d[:, j]))


def test_terms_in_common_cancel():
    """The difference of two circles is a line, which misses this box; neither circle does, nor do their derivatives
    together.
    """
    expansions = Expansions.of(system(DISTANCES))
    low, high = np.array([[0.0], [-9.0]]), np.array([[9.0], [-0.7]])
    forms, radius = Forms.of(expansions, low, high), 0.5 * (high - low).T
    y = weights(forms, radius)
    assert ranges(y, forms, radius)[0].tolist() == [True]
    none = np.zeros((0, 2)), np.zeros((0, 2))
    widths = (high - low).T.copy(), np.zeros((1, 2))
    ((closed, _, _, why),) = settle(y, forms, low, high, widths, none, 0.6, 0.06, 0.1)[0]
    assert closed == CLOSED and why.sure
    reason = as_reason(why, expansions)
    assert {term.form for term in reason.rows} == {"q"}
    assert all(isinstance(term, RowTerm) and term.weight > 0 for term in reason.rows)
    assert all(isinstance(term, ProductTerm) and term.weight > 0 for term in reason.products)
    for circle in (0, 1):
        alone = y.copy()
        alone[..., circle] = 0.0
        assert not ranges(alone, forms, radius)[0][0]
