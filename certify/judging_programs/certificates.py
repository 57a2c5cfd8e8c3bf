"""Certificates of small linear programs: rows of a table, for the checker that other answers have, too.

    infeasible    no x is within e of all rows and bounds:  `lower e`, by one weighted sum
    lower end     no x keeps them and has an objective of at most a:  the same, of the table with the cost as a row
    upper end     a point keeps all of them and has an objective of at most b:  `upper s`, a witness; s is 0 where its
                  numbers are dyadic, else next to nothing, as checkers may round

A row with one end only has 2^1000 as the other one. The table's unknowns end at 10^100: no |a . x| reaches 2^1000 there
where the numbers of a row are below 2^600, which is looked at. So a certificate is about points with |x_j| <= 10^100.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from certify.judging_programs.bounds import above_rational, below_rational
from certify.judging_programs.exact_vertices import Numbers
from certify.judging_programs.judged import Document
from certify.problems.programs.program import Program
from certify.problems.regressors.regressor import Regressor
from certify.regressors.emission import Emission
from certify.regressors.exact_bounds import Bound, Weighted

FAR = 2.0**1000
LARGEST = 2.0**600
MOST = 1 << 22  # numbers of a table
SLACK = Fraction(1, 2**160)
BITS = 6000  # of a weight, written as a whole number


def table(found: Program, cost_end: float | None = None) -> Regressor | None:
    """Rows and bounds of a linear program as a table, and its cost (without its constant) as the last row."""
    n = found.size
    ends = np.concatenate([found.lower, found.low]), np.concatenate([found.upper, found.high])
    count = ends[0].size + (cost_end is not None)
    if not found.is_linear or count * (n + 2) > MOST or not count or not n:
        return None
    matrix = np.vstack([found.matrix.toarray(), np.eye(n)])
    low, high = (np.clip(end, -FAR, FAR) for end in ends)
    if cost_end is not None:
        matrix = np.vstack([matrix, found.cost])
        low, high = np.append(low, -FAR), np.append(high, cost_end)
    finite = np.concatenate([end[np.isfinite(end)] for end in ends])
    if max(np.abs(matrix).max(initial=0.0), np.abs(finite).max(initial=0.0)) > LARGEST:
        return None
    names = tuple(f"x{j + 1}" for j in range(n))
    none: tuple[Fraction | None, Fraction | None] = (None, None)
    return Regressor(matrix, low, low, high, Fraction(0), names, ("",) * n, "", (none,) * n)


def infeasible(found: Program, rows: Numbers, sides: list[tuple[int, int]]) -> Document | None:
    """From the multipliers of the elastic program, whose rows are (row of the table, sign)."""
    made = table(found)
    if made is None:
        return None
    weights: dict[int, Fraction] = {}
    for y, (row, _) in zip(rows, sides, strict=True):
        weights[row] = weights.get(row, Fraction(0)) - y
    bound = _bound(made, weights)
    written = None if bound is None else Emission(made).lower(bound, factor=False)
    if written is None:
        return None
    return Document("infeasible", below_rational(written[0]), made, written[1])


def lower_end(found: Program, rows: Numbers, costs: Numbers, value: Fraction) -> Document | None:
    """No point costs as little as a double just below the bound."""
    least = _double_below(value - Fraction(found.offset))
    made = table(found, least)
    if made is None:
        return None
    weights = {k: -y for k, y in enumerate([*rows, *costs]) if y}
    weights[made.rows - 1] = Fraction(1)
    bound = _bound(made, weights)
    written = None if bound is None else Emission(made).lower(bound, factor=False)
    if written is None:
        return None
    return Document("lower", below_rational(Fraction(least) + Fraction(found.offset)), made, written[1])


def upper_end(found: Program, point: Numbers, value: Fraction) -> Document | None:
    """The point costs no more than a double just above its objective."""
    most = -_double_below(-(value - Fraction(found.offset)))
    made = table(found, most)
    if made is None or max(x.denominator.bit_length() for x in point) > BITS:
        return None
    dyadic = all(x.denominator & (x.denominator - 1) == 0 for x in point)
    slack = Fraction(0) if dyadic else SLACK
    text = Emission(made).upper(point, slack, Fraction(1), at_point=False)
    end = above_rational(Fraction(most) + Fraction(found.offset) + slack)
    return None if text is None else Document("upper", end, made, text, float(slack))


def _double_below(value: Fraction) -> float:
    """A double below the value by a few units in the last place: something must be left for the checker to see."""
    near = float(value)
    return float(near - 4.0 * np.spacing(max(abs(near), 2.0**-200)))


def _bound(made: Regressor, weights: dict[int, Fraction]) -> Bound | None:
    """What weighted rows prove: by how much at least some row must be missed."""
    terms = tuple(Weighted(row, weight) for row, weight in sorted(weights.items()) if weight)
    if not terms or any(term.weight.numerator.bit_length() > BITS for term in terms):
        return None
    most = Fraction(0)
    for term in terms:
        low, high = made.ends(term.row)
        most += term.weight * (high if term.weight > 0 else low)
    value = -most / sum(abs(term.weight) for term in terms)
    return Bound(value, terms) if value > 0 else None
