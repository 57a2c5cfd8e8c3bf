"""A backlash that is taken up by the side on which a quantity stands: an offset of two values, T = t sign(m - mid m).

Asked of every quantity of which each family has a column of its own, such as the length sensors of the legs. The sign
is that of the reading, a number that stands in the problem: the tape of a certificate has no sign, and needs none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from certify.problems.model.hypothesis import Hypothesis, Term, given_term, measured_places, measured_term
from certify.problems.model.model import Family, Problem


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """One for each such quantity whose readings differ."""
    if problem.groups:  # components of a pose are no legs
        return ()
    uses = Counter(index for family in problem.families for index in {b.index for b in family.bindings if b.measured})
    found = []
    for name, columns in measured_places(problem).items():
        if all(uses[number] == 1 and measured_term(problem, number) is not None for number in columns):
            sentence = f"an offset of two values, by the side of its range on which {name} stands"
            found.append(Hypothesis(f"backlash of {name}", sentence, _terms(problem, columns)))
    return tuple(found)


def _terms(problem: Problem, columns: frozenset[int]) -> Callable[[Family], tuple[Term, ...]]:
    def terms(family: Family) -> tuple[Term, ...]:
        numbers = dict.fromkeys(b.index for b in family.bindings if b.measured and b.index in columns)
        found = (given_term(f"sign_{problem.columns[number].name}", _signs(problem, number)) for number in numbers)
        return tuple(term for term in found if term is not None)

    return terms


def _signs(problem: Problem, number: int) -> list[Fraction]:
    """On which side of the middle of the column's range each reading stands."""
    column, term = problem.columns[number], measured_term(problem, number)
    middle = Fraction(0) if term is None else term.middle
    return [
        Fraction(1 if low + high >= 2 * middle else -1) for low, high in zip(column.lower, column.upper, strict=True)
    ]
