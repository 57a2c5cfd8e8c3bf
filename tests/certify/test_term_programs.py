"""Families with the same tape share a program: it is, bit for bit, what each would have been alone."""

from fractions import Fraction

import numpy as np
import pytest

from certify import sqrt
from certify.bulk.bulk_rows import NoProgram, bulk_rows
from certify.bulk.term_programs import TermPrograms, term_programs
from certify.checker.scope import Scope
from certify.problems.formulas.expression import cos, norm, sin
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.proofs.problem_replay import Proving

UNKNOWNS, MEASURED = {"a": (), "b": (), "c": ()}, {"v": (), "w": ()}


def leg(x, m):
    return norm([x.a + sin(m.v) * m.w, x.b * cos(m.v) - 2, x.c - m.w]) - m.v - x.a


def polynomial(x, m):
    return (x.a * x.b - x.c * x.c * m.v) / (m.w * m.w + Fraction(1, 2)) - m.v * x.a + sqrt(m.w)


def turned(x, m):
    return cos(x.a + m.v) * x.b - sin(x.c - x.a * m.w) * (x.b - 3) + sqrt(x.c * x.c + m.w) / (x.a + 4) - x.a


MODELS = [leg, polynomial, turned]
ORDERS = ((0, 1, 2), (1, 3, 4), (2, 0, 1), (4, 2, 3), (0, 0, 3))


def problem(model):
    """One row a family, whose variables are others of five in each: in the same order, in another one, or one twice."""
    ends = (Fraction(-1),), (Fraction(1),)
    variables = tuple(Variable(f"x{k}", "1", Fraction(-1), Fraction(1)) for k in range(5))
    columns = tuple(Column(name, "1", (Fraction(1),), (Fraction(2),)) for name in MEASURED)
    tape = trace(model, UNKNOWNS, MEASURED)
    measured = tuple(Binding(True, k) for k in range(len(columns)))
    families = tuple(
        Family(f"f{number}", tape, len(ends[0]), (*(Binding(False, v) for v in order), *measured))
        for number, order in enumerate(ORDERS)
    )
    return Problem(variables, columns, families)


@pytest.mark.parametrize("form", ["m", "t", "q"])
@pytest.mark.parametrize("model", MODELS)
def test_what_is_shared_is_what_each_would_have_been(model, form):
    scope = Scope(Proving(problem(model)).checked, tuple(range(len(ORDERS))), 64)
    programs, codes = TermPrograms(form, ()), []
    for rows in bulk_rows(scope).values():
        try:
            alone = term_programs(rows, form)
        except NoProgram:
            with pytest.raises(NoProgram):
                programs.of(rows)
            continue
        found = programs.of(rows)
        assert found.keys() == alone.keys()
        for side, program in found.items():
            assert np.array_equal(program.code, alone[side].code)
            assert (program.outputs, program.guard) == (alone[side].outputs, alone[side].guard)
            assert (program.registers, program.zero) == (alone[side].registers, alone[side].zero)
        codes.append(found[1].code)
    assert len(codes) in (0, len(ORDERS))
    if codes:
        assert codes[0] is codes[1]  # the same order
        assert codes[2] is not codes[0]
