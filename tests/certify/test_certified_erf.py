"""The error function, which the language of certificates has since version 3 of the problem: systems, sets and models
are certified with it.
"""

from fractions import Fraction

import flint
from two_checkers import both

import certify
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace


def test_solutions_are_certified():
    """erf x = y on the unit circle has the solutions (x, y) and (-x, -y): the balls of Arb lie in the boxes."""
    answer = certify.solve(certify.system({"x": (-2, 2), "y": (-1, 1)}, ["erf(x) = y", "x^2 + y^2 = 1"]))
    assert answer.verified and len(answer.solutions) == 2
    for box in answer.solutions:
        with flint.ctx.workprec(200):
            ends = [flint.arb(end) for end in (box["x"].lower, box["x"].upper)]
            below, above = (x * x + x.erf() ** 2 - 1 for x in ends)
            assert (below < 0) != (above < 0)
            low, high = (x.erf() for x in ends)
            assert flint.arb(box["y"].lower) <= high and low <= flint.arb(box["y"].upper)
        assert box["x"].upper - box["x"].lower < 1e-14


def test_a_set_is_certified_from_both_sides():
    """Of {erf x <= y} in a square around 0 the area is half of the square's, as erf is odd."""
    answer = certify.solve_set(certify.system({"x": (-2, 2), "y": (-2, 2)}, "erf(x) <= y"))
    assert answer.verified
    low, high = (float(end) for end in str(answer).split("its volume lies in [")[1].split("]")[0].split(", "))
    assert low <= 8 <= high and high - low < 0.1


def test_a_model_is_certified():
    """erf u = 0.5 and 0.55 within 0.01 each: the least model error is 0.015."""
    tape = trace(lambda x, m: certify.erf(x.u) - m.y, {"u": ()}, {"y": ()})
    family = Family("f", tape, 2, (Binding(False, 0), Binding(True, 0)))
    ends = (Fraction(49, 100), Fraction(54, 100)), (Fraction(51, 100), Fraction(56, 100))
    problem = Problem((Variable("u", "1", Fraction(0), Fraction(2)),), (Column("y", "1", *ends),), (family,))
    assert canonical_bytes(problem).startswith(b"certify-problem 3\n")
    result = certify.adequacy(problem, options=certify.Options(gap=Fraction(1, 1000)))
    (part,) = result.parts
    assert part.epsilon[0] <= Fraction(15, 1000) <= part.epsilon[1]
    assert part.epsilon[1] - part.epsilon[0] <= Fraction(2, 10**5)
    assert part.certificate is not None and both(result.canonical, part.certificate) == "VERIFIED"
