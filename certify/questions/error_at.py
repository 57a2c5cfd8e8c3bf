"""What a given set of parameters, such as a least-squares fit, needs: the smallest model error with x fixed, both ends
proved.

Its upper end is a realisation of all measurements, the shared ones chosen pose by pose for all rows that use them.
Its lower end is one row, or one distance: at x it exceeds the bound for every measurement in its box. What several
rows need that share measurements may be more: between both ends no method is tried. The fit is proved to be consistent
with every measurement if the upper end is 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, RowTerm
from certify.parts.part_search import PartSearch
from certify.parts.scopes import independent_parts
from certify.parts.warm_up import begun
from certify.parts.workers import share_each
from certify.problems.errors import InputError
from certify.problems.formulas.units import require_known
from certify.problems.model.model import Problem
from certify.proofs.problem_replay import proving_of
from certify.proofs.witnesses import witness_at
from certify.records.options import Options
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.fits.minimax import sides_at
from certify.solvers.limits import Limit, Stopped
from certify.solvers.proof.trace import Prepared, Refuted, Steps
from certify.text.decimals import round_down

CELLS = 64
SHARES = (*(1 - Fraction(1, 10**digits) for digits in (10, 8, 6, 4, 2, 1)), Fraction(1, 2), Fraction(1, 10))


def error_at(
    problem: Problem,
    x: Sequence[Fraction],
    suffix: str = "",
    options: Options | None = None,
    only: Collection[str] | None = None,
) -> Result:
    """The model error that each independent part needs at the exact point x, or each of those that are named; parts are
    named after their families and `suffix`.
    """
    if not all(isinstance(value, (int, Fraction)) for value in x):
        raise InputError(
            'the point\'s numbers must be exact; write Fraction(value) for a float, Fraction("0.1") for a decimal'
        )
    if len(x) != len(problem.variables):
        raise InputError(
            f"the point has {len(x)} numbers, the problem has {len(problem.variables)} variables; give one for each"
        )
    for value, variable in zip(x, problem.variables, strict=True):
        if not variable.lower <= value <= variable.upper:
            ends = f"[{float(variable.lower)}, {float(variable.upper)}]"
            raise InputError(
                f"the point's {variable.name} is {float(value)}, outside its bounds {ends}; move the point or "
                f"widen the bounds"
            )
    found = independent_parts(problem)
    require_known("only", only or (), [name for name, _ in found])
    proving, options = proving_of(problem), options or Options()
    point = np.array([float(value) for value in x])

    def answer(name: str, numbers: tuple[int, ...], limit: Limit) -> Part:
        search = PartSearch(proving, numbers, options, point, limit=limit)
        return search.answered(name + suffix, partial(_solve, search, name + suffix, x))

    asked = [(name, scope) for name, scope in found if only is None or name in only]
    parts = share_each(asked, answer, options.workers, begun(options))
    return Result(tuple(parts), proving.canonical)


def _solve(search: PartSearch, name: str, x: Sequence[Fraction]) -> Part:
    values = {v: Fraction(x[v]) for v in search.variables}
    with search.limit.enforced():
        witness = witness_at(search.problem, search.scope, values, search.start, limit=search.limit)
    upper = search.needed(witness)
    if upper is None:
        return search.unknown(name)
    point = [x[v] for v in search.variables]
    if upper == 0:
        return search.part(name, Verdict.ADEQUATE, (Fraction(0), upper), witness, point=point)
    largest, reason = _worst(search)
    if largest > 0.0:
        for share in SHARES:
            lower = round_down(min(upper, Fraction(largest)) * share)
            tree = search.replayed(lower, Steps([Prepared(CELLS)], Refuted(reason)), point)
            if tree is not None:
                search.stopped = Stopped.FINISHED
                return search.part(name, Verdict.INADEQUATE, (lower, upper), witness, tree, point)
    search.stopped = search.limit.reached(Stopped.NO_REALISATION)
    return search.part(name, Verdict.UNDECIDED, (Fraction(0), upper), witness, point=point)


def _worst(search: PartSearch) -> tuple[float, Aggregate]:
    """The row side, or the distance, that is largest at the point with measurements of its own, by estimate."""
    values, _ = sides_at(search.problem.blocks, search.scope, search.start)
    sizes, sides, place = {}, {}, 0
    for number in search.scope:
        count = search.problem.families[number].rows
        both = values[place : place + 2 * count].reshape(2, count)
        sizes[number], sides[number] = both.max(axis=0), np.where(both[0] >= both[1], 1, -1)
        place += 2 * count
    members = [numbers for numbers in search.problem.distances if numbers[0] in sizes]
    members += [(number,) for number in search.scope if not any(number in numbers for numbers in members)]
    errors = [np.sqrt(sum(np.maximum(sizes[n], 0.0) ** 2 for n in numbers)) for numbers in members]
    worst = max(range(len(members)), key=lambda k: float(errors[k].max()))
    row, largest = int(errors[worst].argmax()), float(errors[worst].max())
    weights = [(n, float(sizes[n][row]) / largest) for n in members[worst] if sizes[n][row] > 0.0 and largest > 0.0]
    return largest, Aggregate(tuple(RowTerm("m", n, row, int(sides[n][row]), weight) for n, weight in weights), ())
