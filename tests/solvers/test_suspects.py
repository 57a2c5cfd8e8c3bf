"""Suspects: rows with a gross error are found, one after the other; none where no error is needed."""

from fractions import Fraction

import numpy as np
import pytest

from certify.contractors.protocol.contractor import Box
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.solvers.advice.suspects import suspects


def line(errors):
    """y = u + v s at 20 places s, known to 0.01, with errors at some of them."""
    places = [Fraction(k, 10) for k in range(20)]
    values = [1 + 2 * s + Fraction(errors.get(k, 0)) for k, s in enumerate(places)]
    half = Fraction(1, 100)
    columns = (
        Column("s", "1", tuple(places), tuple(places)),
        Column("y", "1", tuple(v - half for v in values), tuple(v + half for v in values)),
    )
    tape = trace(lambda x, m: x.u + x.v * m.s - m.y, {"u": (), "v": ()}, {"s": (), "y": ()})
    bindings = (Binding(False, 0), Binding(False, 1), Binding(True, 0), Binding(True, 1))
    variables = tuple(Variable(name, "1", Fraction(-10), Fraction(10)) for name in "uv")
    return Problem(variables, columns, (Family("line", tape, 20, bindings),))


def found(errors, most=3):
    problem = line(errors)
    return [row for _, row in suspects(problem.blocks, (0, 1), Box(*problem.box), np.zeros(2), 1.0, most)]


def test_none_where_none_is_wrong():
    assert found({}) == []


@pytest.mark.parametrize("row", [0, 7, 19])
def test_one_wrong_row_is_found(row):
    assert found({row: 1}) == [row]


def test_several_are_found_and_no_more_than_asked():
    errors = {3: 1, 11: -2, 17: Fraction(3, 2)}
    assert sorted(found(errors)) == [3, 11, 17]
    assert len(found(errors, 2)) == 2
    assert set(found(errors, 2)) <= {3, 11, 17}
