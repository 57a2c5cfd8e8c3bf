"""Problems with fewer rows, and in skew coordinates, have the same rows at the same points, exactly."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from exact import arb_values

from certify import Binding, Column, Family, Problem, Variable, norm, trace
from certify.problems.model.row_subsets import kept_rows
from certify.problems.model.skewed import skewed


def problem():
    tape = trace(lambda x, m: norm(x.p - m.a) - m.d, {"p": (2,)}, {"a": (2,), "d": ()})
    columns = tuple(
        Column(
            name,
            "m",
            tuple(Fraction(k + start) for k in range(4)),
            tuple(Fraction(k + start) + Fraction(1, 8) for k in range(4)),
        )
        for name, start in (("x", 1), ("y", 3), ("d", 5))
    )
    bindings = (Binding(False, 1), Binding(False, 2), Binding(True, 0), Binding(True, 1), Binding(True, 2))
    variables = tuple(Variable(name, "m", Fraction(-1), Fraction(1)) for name in ("other", "px", "py"))
    return Problem(variables, columns, (Family("f", tape, 4, bindings, "m"),))


def test_the_rows_that_are_kept_are_those_of_the_whole():
    whole = problem()
    subset = kept_rows(whole, (0,), {(0, 1), (0, 3)})
    assert subset.rows == {0: ((0, 0), (0, 2))}
    assert subset.problem.variables == whole.variables
    for ours, theirs in zip(subset.problem.families[0].bindings, whole.families[0].bindings, strict=True):
        assert ours.measured == theirs.measured
        if ours.measured:
            mine, full = subset.problem.columns[ours.index], whole.columns[theirs.index]
            assert mine.lower == (full.lower[0], full.lower[2])
            assert mine.upper == (full.upper[0], full.upper[2])


def test_a_family_without_rows_is_left_out():
    assert kept_rows(problem(), (0,), {(0, 0), (0, 1)}).scope == (0,)
    whole = problem()
    twice = replace(whole, families=(whole.families[0], replace(whole.families[0], name="g")))
    subset = kept_rows(twice, (0, 1), {(0, k) for k in range(4)})
    assert [family.name for family in subset.problem.families] == ["g"]
    assert subset.rows == {0: tuple((1, k) for k in range(4))}


def test_skew_coordinates_are_the_same_rows():
    whole, random = problem(), np.random.default_rng(2)
    start = [Fraction(1, 4), Fraction(-1, 2)]
    matrix = [[Fraction(3, 4), Fraction(-1, 8)], [Fraction(1, 2), Fraction(5, 4)]]
    turned = skewed(whole, (0,), (1, 2), start, matrix, [(Fraction(-1), Fraction(1))] * 2)
    assert turned.variables[0] == whole.variables[0]
    assert [v.name for v in turned.variables] == [v.name for v in whole.variables]
    family = turned.families[0]
    assert family.bindings[:2] == (Binding(False, 1), Binding(False, 2))
    for _ in range(20):
        y = [Fraction(int(k), 16) for k in random.integers(-16, 17, 2)]
        x = [s + sum(t * v for t, v in zip(row, y, strict=True)) for s, row in zip(start, matrix, strict=True)]
        measured = [Fraction(int(k), 8) for k in random.integers(8, 60, 3)]
        (ours,), (theirs,) = (
            arb_values(family.tape, [*y, *measured]),
            arb_values(whole.families[0].tape, [*x, *measured]),
        )
        assert ours.overlaps(theirs)
        assert float(abs(ours - theirs).upper()) < 1e-25
