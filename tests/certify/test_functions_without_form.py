"""A function that certificates cannot state, erf: all else works, and everybody is told what is not certified."""

from fractions import Fraction

import flint
import pytest

import certify
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace

CANNOT = "no certificate: the constraint of line 2 uses erf, which certificates cannot state."


def test_solutions_are_found_and_not_called_certified():
    """erf x = y on the unit circle has the solutions (x, y) and (-x, -y): the balls of Arb lie in the boxes."""
    answer = certify.solve(certify.system({"x": (-2, 2), "y": (-1, 1)}, ["erf(x) = y", "x^2 + y^2 = 1"]))
    assert "by the engine's outward-rounded arithmetic, not certified: the box holds exactly 2 solutions" in str(answer)
    assert CANNOT in str(answer)
    assert not answer.verified
    assert not answer.documents
    for box in answer.solutions:
        with flint.ctx.workprec(200):
            ends = [flint.arb(end) for end in (box["x"].lower, box["x"].upper)]
            below, above = (x * x + x.erf() ** 2 - 1 for x in ends)
            assert (below < 0) != (above < 0)
            low, high = (x.erf() for x in ends)
            assert flint.arb(box["y"].lower) <= high and low <= flint.arb(box["y"].upper)
        assert box["x"].upper - box["x"].lower < 1e-14
    assert len(answer.solutions) == 2


def test_a_set_is_paved_from_both_sides():
    """Of {erf x <= y} in a square around 0 the area is half of the square's, as erf is odd."""
    answer = certify.solve_set(certify.system({"x": (-2, 2), "y": (-2, 2)}, "erf(x) <= y"))
    text = str(answer)
    assert CANNOT in text and "by the engine's outward-rounded arithmetic" in text
    low, high = (float(end) for end in text.split("its volume lies in [")[1].split("]")[0].split(", "))
    assert low <= 8 <= high and high - low < 0.1


def test_a_model_is_refused_where_a_certificate_is_to_be_written():
    tape = trace(lambda x, m: certify.erf(x.u) - m.y, {"u": ()}, {"y": ()})
    ends = Fraction(0), Fraction(1)
    family = Family("f", tape, 1, (Binding(False, 0), Binding(True, 0)))
    problem = Problem((Variable("u", "1", *ends),), (Column("y", "1", ends[:1], ends[1:]),), (family,))
    with pytest.raises(certify.InputError, match=r"the model uses erf, which certificates cannot state yet .*rewrite"):
        canonical_bytes(problem)
