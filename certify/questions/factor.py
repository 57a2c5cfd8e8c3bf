"""The smallest common factor on all half-widths of the measurements that makes the model fit, both ends proved.

    f* = min { f >= 0 : some x in the box and some M with |M - middle| <= f half-width satisfy every row exactly }

The boxes of a factor lie within those of a larger one, so a refutation at f proves f* > f, and a witness at f proves f*
<= f. Both are certificates in the format of all others (`lower 0`, `upper 0`) about the problem whose half-widths are
multiplied by f (problems/model/scaled.py), which is written beside each. The lower end comes coarse first and then
tighter, as that of the smallest model error (certify/parts/tightening.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from certify.contractors.tape.evaluation import Floats
from certify.parts.scopes import TOGETHER, independent_parts, joined, joint_scope, start_point
from certify.parts.tightening import Tightening
from certify.parts.warm_up import begun
from certify.parts.widening import DIGITS, FINE, LARGEST, FactorSearch
from certify.parts.workers import share_each
from certify.problems.experiments.half_widths import UNSTATED, Statement
from certify.problems.formulas.units import require_known
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.model import Problem
from certify.records.factor_records import Factor, FactorResult
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part, Result
from certify.solvers.limits import Late, Limit, Stopped
from certify.text.decimals import round_up

GAP = Fraction(1, 10**4)
CLOSE = Fraction(
    1, 100
)  # a gap with which a factor is refuted in any case, if that of noise alone lies so near to the upper end
ABOVE = Fraction(1000001, 1000000)  # times the factor that noise alone needs: what is worth being refuted
QUICK = 1e7  # the effort (Ranges) for what is refuted at once or not at all
JOINT, APART = Fraction(1, 100), 1.5  # all parts together most often need far more than the worst one
HOPELESS = tuple(Fraction(LARGEST, 10**power) for power in (0, 2, 4, 5, 6))


def smallest_factor(
    problem: Problem,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
    only: Collection[str] | None = None,
    half_widths: Statement = UNSTATED,
    rough: bool = False,
) -> Result:
    """The smallest factor on all half-widths for every independent part, and for all rows with one realisation of
    shared measurements.

    The default gap is 1e-4. `only` names the parts that are asked about (all if left out). `half_widths` says what they
    are: the factor that noise alone needs is refuted, where that is possible, however wide the gap may be. `rough`
    answers are content with that, and with a witness.
    """
    options = options or Options(gap=GAP)
    guess, limit, found = start_point(problem, start), begun(options), independent_parts(problem)
    require_known("only", only or (), [name for name, _ in found])
    asked = [(name, scope) for name, scope in found if only is None or name in only]
    scope = joint_scope(problem, len(found)) if only is None else None

    def solve(name: str, numbers: tuple[int, ...], limit: Limit) -> Part:
        progress(f"{name}: how much wider half-widths must be")
        search = FactorSearch(problem, numbers, options, guess, half_widths, named(progress, name), limit)
        if not search.readings:
            search.stopped = Stopped.EXACT
        if not search.readings or not search.begun:
            return search.nothing(name)
        first, tree = Fraction(0), list[str]()
        try:
            first, tree = _beyond_noise(search)
            return _roughly(search, name, first, tree) if rough and tree else _solve(search, name, first, tree)
        except Late as late:
            search.stopped = late.why
            return search.ends(name, (first, None), None, tree)

    parts = share_each(asked, solve, options.workers, limit, after=scope is not None)
    if scope is not None:
        progress(f"{TOGETHER}: one realisation of every shared measurement")
        search = FactorSearch(
            problem, scope, options, joined(problem, parts, guess), half_widths, named(progress, TOGETHER), limit
        )
        parts.append(_together(search, [part for part in parts if isinstance(part, Factor)]))
    return FactorResult(tuple(parts), canonical_bytes(problem))


def _beyond_noise(search: FactorSearch) -> tuple[Fraction, list[str]]:
    """What noise alone needs (1 if that is nothing), if that is refuted at once, with its tree; else 0 without."""
    factor = round_up(
        max(ABOVE * Fraction(search.half_widths.factor_of_noise(search.readings) or 0), Fraction(1)), DIGITS
    )
    answer = search.refute(factor, search.limit.share(0.5), QUICK)
    tree = search.tree(factor, answer.steps) if answer.stopped is Stopped.FINISHED else None
    return (factor, tree) if tree is not None else (Fraction(0), [])


def _roughly(search: FactorSearch, name: str, first: Fraction, tree: list[str]) -> Part:
    """More than that, and no more than a candidate needs: both ends proved, however far they are apart."""
    fit = search.candidate(search.point, 2.0 * float(first), FINE)
    search.stopped = Stopped.FINISHED
    if fit.verified:
        return search.ends(name, (first, fit.factor), fit, tree)
    return search.ends(name, (first, None), None, tree, None if fit.hopeless else float(fit.factor))


def _solve(search: FactorSearch, name: str, first: Fraction, tree: list[str]) -> Part:
    """Both ends for one scope, as near to each other as the options ask for, or nearer if noise alone needs that; the
    first lower one is known.
    """
    fit = search.candidate(search.point)
    if fit.hopeless:
        return _without_witness(search, name, first, tree)
    noise = Fraction(
        search.half_widths.factor_of_noise(search.readings) or int(search.half_widths.stated)
    )  # bounds need 1
    if noise and fit.factor:
        search.options = replace(
            search.options, gap=min(search.options.gap, max(1 - ABOVE * noise / fit.factor, CLOSE))
        )
    ends = Tightening(search, fit, fit.factor, fit.verified, first, tree, digits=DIGITS)
    ends.run()
    return ends.part(name)


def _without_witness(search: FactorSearch, name: str, first: Fraction, proof: list[str]) -> Part:
    """No factor seems to be enough: how large is proved to be too small?"""
    why = search.limit.reached(Stopped.UNBOUNDED)
    for factor in HOPELESS:
        answer = search.refute(factor, search.limit.share(0.5))
        tree = search.tree(factor, answer.steps) if answer.stopped is Stopped.FINISHED else None
        if tree is not None:
            search.stopped = why
            return search.ends(name, (factor, None), None, tree)
    search.stopped = why
    return search.ends(name, (first, None), None, proof)


def _together(search: FactorSearch, parts: Sequence[Factor]) -> Part:
    """All rows with one realisation of each shared measurement.

    What refutes a part refutes the whole: the lower end is that of the worst part, with its proof. The upper end needs
    a witness of its own.
    """
    worst = max(parts, key=lambda part: part.epsilon[0])
    lower = search.refuted = worst.epsilon[0]
    search.stopped = worst.stopped
    if not search.readings or any(part.epsilon[1] is None for part in parts):
        return search.ends(TOGETHER, (lower, None), None, worst.tree)
    try:
        fit = search.candidate(search.point, APART * max(float(lower), float(search.resolution)), JOINT)
    except Late as late:
        search.stopped = late.why
        return search.ends(TOGETHER, (lower, None), None, worst.tree)
    upper = fit.factor if fit.verified else None
    if upper is None or upper - lower > max(search.options.gap * upper, search.resolution):
        search.stopped = search.limit.reached(Stopped.JOINT)
    return search.ends(TOGETHER, (lower, upper), fit, worst.tree)
