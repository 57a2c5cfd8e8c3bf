"""How wide each parameter's interval is for other bounds: from the smallest with which anything fits up.

    all bounds times f,  f = f_0, 1.01 f_0, ..., 5 f_0 and 1      f_0: a millionth above the smallest factor

(There, at its proved upper end, nearly nothing is left, and programs in doubles do not tell its vertices apart.) Each
rung has a certificate of all its faces, about the same table: with one bound for all rows another bound stands in the
certificate's group, with a bound for each row its line `factor`. The rows that mattered for a rung begin the next one.
Where columns of W have half-widths these are multiplied, too: the factor is that on all half-widths.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.further import Document, Further
from certify.linear_questions.scaled import AtFactor, Scaled, at_factor
from certify.problems.regressors.interval_regressor import IntervalRegressor
from certify.problems.regressors.regressor import Regressor
from certify.records.options import Options, Progress, silent
from certify.regressors.by_signs import BySigns
from certify.regressors.cuts import cut
from certify.regressors.exact_bounds import ExactRows
from certify.regressors.identified import Identified
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.regressors.dense_programs import compile_programs
from certify.solvers.regressors.few_rows import Side
from certify.solvers.regressors.search import RowSearch
from certify.solvers.regressors.triangle import Triangle, triangle
from certify.text.decimals import round_up

RATIOS = tuple(map(Fraction, ("1.01", "1.02", "1.05", "1.1", "1.2", "1.35", "1.5", "1.75", "2", "2.5", "3", "4", "5")))
DIGITS, FIRST_DIGITS = 4, 8  # of a rung's factor
ABOVE = Fraction(1_000_001, 1_000_000)  # the smallest factor: the first rung
ALIKE = Fraction(1, 200)  # rungs that are no farther from the bounds as they are, are left out
TABLE, PICTURE = "widths.csv", "widths.png"
Ends = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True, slots=True)
class Rung:
    """All parameters that fit every row with all bounds times `factor` lie in the box; `certificate` says so."""

    factor: Fraction
    box: tuple[Ends, ...]
    certificate: bytes

    def width(self, j: int) -> Fraction | None:
        """Of a parameter's interval; None where it has no ends."""
        low, high = self.box[j]
        return None if low is None or high is None else high - low


@dataclass(frozen=True, eq=False, repr=False)
class Widths(Further):
    """The rungs, from the narrowest bounds up."""

    problem: Regressor
    rungs: tuple[Rung, ...] = ()
    estimate: tuple[float, ...] = ()
    stopped: Stopped = Stopped.FINISHED
    key: ClassVar[str] = "widths"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificates by their names."""
        return tuple((f"widths-{k:02}", rung.certificate) for k, rung in enumerate(self.rungs, 1))

    @property
    def extras(self) -> tuple[str, ...]:
        """A table of all rungs, and their picture."""
        return (TABLE, PICTURE) if self.rungs else ()

    def standing(self, accepted: Collection[bytes]) -> Widths:
        """What is left where the checker has accepted these certificates and no others."""
        kept = tuple(rung for rung in self.rungs if rung.certificate in accepted)
        return self if len(kept) == len(self.rungs) else replace(self, rungs=kept, stopped=Stopped.UNCHECKED)

    def bound(self, rung: Rung) -> Fraction | None:
        """That of a rung; None where each row has its own, or half-widths of W grow with it."""
        return rung.factor * self.problem.base if self.problem.base and not self.problem.has_ends else None

    def as_json(self) -> dict[str, Any]:
        """Ends are rounded outwards to doubles, bounds down: what holds for one holds for a smaller one."""
        return {
            "stopped": self.stopped.value,
            "rungs": [
                {
                    "factor": enclose_rational(rung.factor)[0],
                    "bound": None if (bound := self.bound(rung)) is None else enclose_rational(bound)[0],
                    "intervals": {
                        name: [
                            None if low is None else enclose_rational(low)[0],
                            None if high is None else enclose_rational(high)[1],
                        ]
                        for name, (low, high) in zip(self.problem.names, rung.box, strict=True)
                    },
                }
                for rung in self.rungs
            ],
        }


def widths_by_bound(
    answer: Identified, factors: Sequence[Fraction] = (), options: Options | None = None, progress: Progress = silent
) -> Widths:
    """Intervals for these factors on all bounds, or for a ladder of them from the smallest factor that is known to do
    up; a limit ends it with the rungs so far.
    """
    compile_programs()
    limit, problem = (options or Options()).begun(), answer.problem
    wanted = tuple(sorted(factors)) or _ladder(answer)
    found = Widths(problem, estimate=answer.estimate)
    if not wanted:
        return replace(found, stopped=limit.reached(Stopped.EXACT if answer.factor is None else Stopped.UNWITNESSED))
    rungs, sides, fitted = list[Rung](), list[Side](), triangle(problem)
    try:
        for factor in wanted:
            limit.check()
            progress(f"intervals with all bounds times {float(factor):.4g}")
            if isinstance(problem, IntervalRegressor):
                rung = _rung_of_intervals(problem, factor, fitted, limit)
            else:
                rung, sides = _rung(at_factor(problem, factor), factor, fitted, sides, limit)
            if rung is not None:
                rungs.append(rung)
    except Late as late:
        found = replace(found, stopped=late.why)
    if len(rungs) < len(wanted) and found.stopped is Stopped.FINISHED:
        found = replace(found, stopped=Stopped.GAP)
    return replace(found, rungs=tuple(rungs))


def _rung_of_intervals(problem: IntervalRegressor, factor: Fraction, fitted: Triangle, limit: Limit) -> Rung | None:
    """The union of all pieces of the search box that are left, with a factor on all half-widths."""
    emission = AtFactor(problem, factor)
    with np.errstate(over="ignore", invalid="ignore"):
        root, _, _ = BySigns(problem, fitted, emission, limit).grown(factor)
    found = emission.union(root)
    if found is None:
        return None
    pairs = zip(found[1], problem.box, problem.bounds, strict=True)
    box = tuple(
        (stated[0] if low == first else low, stated[1] if high == last else high)
        for (low, high), (first, last), stated in pairs
    )
    return Rung(factor, box, found[0])


def _ladder(answer: Identified) -> tuple[Fraction, ...]:
    """From the smallest factor that some parameters fit with up, and the bounds as they are, if they do."""
    needed = answer.factor
    if needed is None or not needed.upper:
        return ()
    first = round_up(needed.upper * ABOVE, FIRST_DIGITS)
    rungs = {first, *(round_up(first * ratio, DIGITS) for ratio in RATIOS)}
    if first < 1:
        rungs = {rung for rung in rungs if abs(rung - 1) > ALIKE} | {Fraction(1)}
    return tuple(sorted(rungs))


def _rung(
    problem: Regressor, factor: Fraction, fitted: Triangle, sides: list[Side], limit: Limit
) -> tuple[Rung | None, list[Side]]:
    """The faces of one rung, and the rows that mattered."""
    with np.errstate(over="ignore", invalid="ignore"):
        search = RowSearch(problem, fitted, limit)
        search.sides = list(dict.fromkeys([*sides, *search.sides]))
        faces = search.faces([(j, sign) for j in range(problem.size) for sign in (-1, 1)])
    exact = ExactRows(problem)
    bounds = [(face, exact.face(face.basis, face.parameter, face.sign)) for face in faces]
    cuts = [cut(bound, face.parameter, face.sign) for face, bound in bounds if bound is not None]
    times = factor if isinstance(problem, Scaled) else Fraction(1)
    hull = AtFactor(problem, times).hull(cuts)
    mattered = list(dict.fromkeys(side for face in faces for side in face.basis.sides))
    if hull is None:
        return None, mattered
    certificate, kept, _ = hull
    ends = {(one.parameter, one.sign): one.sign * one.at for one in kept}
    pairs = enumerate(problem.bounds)
    box = tuple((ends.get((j, -1), low), ends.get((j, 1), high)) for j, (low, high) in pairs)
    return Rung(factor, box, certificate), mattered
