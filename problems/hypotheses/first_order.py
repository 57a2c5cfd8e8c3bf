"""A first-order error in what is measured (S2's future work): T = t1 . (M - mid M), in all quantities of a row or in
one of them.

In one alone it is the scale of a sensor. A constant t0 would be the offset that distance models have anyway. M is the
true measurement, which is known as well as the interval says, not the reading.
"""

from __future__ import annotations

from collections.abc import Callable

from certify.problems.model.hypothesis import Hypothesis, Term, measured_places, measured_term
from certify.problems.model.model import Family, Problem


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """One for each group of columns at the same place of the families (x; L1, L2, ...), and one for all together."""
    if problem.groups:  # components of a pose are no legs
        return ()
    found = []
    for name, columns in measured_places(problem).items():
        found.append(
            Hypothesis(f"scale of {name}", f"the scale of {name} is not what it says", _terms(problem, columns))
        )
    if len(found) > 1:
        everything = frozenset(range(len(problem.columns)))
        found.insert(
            0,
            Hypothesis(
                "first order", "an error of first order in everything that is measured", _terms(problem, everything)
            ),
        )
    return tuple(found)


def _terms(problem: Problem, columns: frozenset[int]) -> Callable[[Family], tuple[Term, ...]]:
    def terms(family: Family) -> tuple[Term, ...]:
        numbers = dict.fromkeys(
            binding.index for binding in family.bindings if binding.measured and binding.index in columns
        )
        return tuple(term for number in numbers if (term := measured_term(problem, number)) is not None)

    return terms
