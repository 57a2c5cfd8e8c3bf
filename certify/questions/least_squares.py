"""Is a least-squares result the minimum that it claims to be? Stationary, alone, global, and how many of its digits are
true.

The sum of the squares of all rows at the middles of the measurement boxes is what classical calibration minimises; here
it is a problem of its own, whose measurements are exact. For every independent part: Krawczyk's test of the gradient in
a box around the fit and a Hessian that is positive definite there (a strict minimum, alone in that box); then branch
and bound over the whole search box: outside the small box the sum is larger. Both are replayed in the checker's
arithmetic before they are claimed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, Self

import numpy as np

from certify.checker.isolated import Enclosure
from certify.checker.minimum import check_minimum
from certify.checker.outcome import Clock, Rejection
from certify.checker.rules import Question
from certify.checker.scope import Scope
from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import PartSearch
from certify.parts.scopes import independent_parts, start_point
from certify.parts.warm_up import begun
from certify.parts.workers import share_each
from certify.problems.errors import InputError
from certify.problems.formulas.units import described
from certify.problems.functions.dimensions import raised_unit
from certify.problems.model.known import without_known
from certify.problems.model.model import Problem, at_middles
from certify.proofs.certificate_text import Claim, Zero
from certify.proofs.problem_replay import PRECISION, Proving, Replay, Withdrawn
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.fits.plain_fit import fit
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.squares.float_jets import Unsupported
from certify.solvers.squares.local_minimum import Neighbourhood, neighbourhood
from certify.solvers.squares.square_forms import SquareRows
from certify.solvers.squares.square_search import SquareSearch
from certify.text.decimals import round_up

EXCESS = Fraction(1, 10**12)  # of the sum of squares, up to which points may remain around the minimum
RISE = Fraction(1, 2**40)  # of what the sum rises by towards the faces of the sharp box: the same where the sum is 0
MOST_DIGITS = 17  # of a double
SEARCHING = 0.7  # of the time that is left; the rest is for the replay
INSIDE = 0.999  # of the box's half-widths, in which the search refutes nothing


@dataclass(frozen=True, repr=False)
class Minimum(Part):
    """The answer about one part. `box` encloses the minimiser; `everywhere` says that it is the only global one in the
    search box.

    `epsilon` is the proved interval of the least sum of squares (its lower end 0 unless the minimum is global), in the
    unit of the rows squared. `box` and the lower end are what the checker's operator encloses on the way (nearer than
    the box that a certificate names); a certificate claims that box and the upper end. `value` encloses the sum at the
    minimiser, in the same way. `estimate` is the point that was judged. `local_certificate` proves the minimum in the
    box, `certificate` that it is global.
    """

    box: dict[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    everywhere: bool = False
    estimate: dict[str, float] = field(default_factory=dict)
    local_certificate: bytes | None = None
    value: tuple[Fraction, Fraction] | None = None

    @property
    def digits(self) -> dict[str, int]:
        """How many significant digits of the estimate are proved to be those of the minimiser (up to one unit of the
        last).
        """
        return {name: true_digits(value, *self.box[name]) for name, value in self.estimate.items() if name in self.box}

    @property
    def documents(self) -> tuple[tuple[bytes | None, bytes], ...]:
        """All certificates of the answer that a run writes."""
        return tuple((None, text) for text in (self.certificate, self.local_certificate) if text is not None)

    def standing(self, accepted: Collection[bytes]) -> Self:
        """Global with both certificates, local with that of the small box."""
        if self.local_certificate is not None and self.local_certificate not in accepted:
            return replace(super().standing(()), box={}, everywhere=False, local_certificate=None, value=None)
        if not self.everywhere or self.certificate in accepted:
            return self
        ends = Fraction(0), self.epsilon[1]
        local = replace(self, verdict=Verdict.LOCAL_MINIMUM, stopped=Stopped.UNCHECKED, epsilon=ends)
        return replace(local, everywhere=False, certificate=self.local_certificate)

    def as_json(self) -> dict[str, Any]:
        """The part's record, the minimiser and the true digits."""
        box = {name: [enclose_rational(low)[0], enclose_rational(high)[1]] for name, (low, high) in self.box.items()}
        told = super().as_json()
        least, told["epsilon"][0] = told["epsilon"][0], 0.0  # no certificate claims a lower end
        here = {"least_sum": least, "minimiser": box, "digits": self.digits}
        return told | {"gap": None, "global": self.everywhere, "estimate": self.estimate, "confirmed_here": here}


def least_squares(
    problem: Problem,
    estimate: Sequence[float] | None = None,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
    searching: float = SEARCHING,
) -> Result:
    """What a least-squares result is worth: the estimate (by default our own fit) against the minimum of every
    independent part. `searching` is the part of the time for a search of the whole box.

    The certificates speak of the problem whose measurements are the middles of their boxes, and whose known variables
    are measurements too: the canonical problem of the result.
    """
    options = options or Options()
    exact = without_known(at_middles(problem))
    proving = Proving(exact)
    given = None if estimate is None else _finite(estimate, len(exact.variables))
    guess = start_point(exact, start if given is None else given)

    def answer(name: str, scope: tuple[int, ...], limit: Limit) -> Minimum:
        progress(f"{name}: least squares")
        search = PartSearch(proving, scope, options, guess, named(progress, name), limit)
        point = fit(exact.blocks, scope, guess) if search.begun else guess
        judged = point if given is None else given
        told = {exact.variables[v].name: float(judged[v]) for v in search.variables}
        part = _solve(search, name, point, told, searching)
        progress(f"{name}: {part.verdict.value} in {part.seconds:.2f} s")
        return part

    parts = share_each(independent_parts(exact), answer, options.workers, begun(options))
    return Result(tuple(parts), proving.canonical)


def _finite(estimate: Sequence[float], count: int) -> Floats:
    """The estimate as it was given, also where it lies outside the search box."""
    found = np.asarray(estimate, dtype=np.float64)
    if found.shape != (count,) or not np.isfinite(found).all():
        raise InputError(
            f"the estimate {described(str(estimate))} is not {count} finite numbers; give one for each "
            f"variable of the problem"
        )
    return found


@dataclass(frozen=True, slots=True)
class _Local:
    """The minimum near a point: its value (rounded up), a box in which it is alone, and where in it (scaled)."""

    near: Neighbourhood
    value: Fraction
    zero: Zero
    found: Enclosure


def _solve(search: PartSearch, name: str, point: Floats, estimate: dict[str, float], searching: float) -> Minimum:
    """What is proved about the minimum in a small box, and then about all others, as far as the limit allows."""
    try:
        with search.limit.enforced():
            local = _local(search, point[list(search.variables)])
    except Late as late:
        local = late.why
    if isinstance(local, Stopped):
        return _minimum(search, name, local, estimate)
    judge, scale = search.proving.judge(search.scope), Fraction(1, 2**PRECISION)
    box = {
        search.problem.variables[v].name: (low * scale, high * scale)
        for v, (low, high) in zip(judge.variables, local.found, strict=True)
    }
    claim = Claim(search.proving.names(search.scope), squares=True, minimum=(local.value, False), zeros=[local.zero])
    try:
        with search.limit.enforced():
            certificate, stopped = _global(search, local, searching)
    except Late as late:
        certificate, stopped = None, late.why
    reached = judge.sum_of_squares(local.found, Clock())
    value = max(reached[0] * scale, Fraction(0)), min(reached[1] * scale, local.value)
    ends = value[0] if certificate else Fraction(0), local.value
    return _minimum(search, name, stopped, estimate, ends, box, certificate, search.proving.written(claim, ()), value)


def _local(search: PartSearch, start: Floats) -> _Local | Stopped:
    """The minimum near the start, or why it is not proved."""
    judge, variables = search.proving.judge(search.scope), list(search.variables)
    if not ((search.box.lower[variables] < start) & (start < search.box.upper[variables])).all():
        return Stopped.EDGE
    try:
        near = neighbourhood(_rows(search, 1.0), start, search.box.radius[variables])
    except Unsupported:
        return Stopped.UNSUPPORTED
    if near is None:
        return Stopped.SINGULAR
    value = round_up(_sum(judge, _zero(near, near.sharpest)) * (1 + EXCESS) + RISE * Fraction(4) ** near.sharpest)
    for zero in map(partial(_zero, near), range(near.sharpest, near.widest + 1, 2)):
        found = _isolated(judge, zero, value)
        if found:
            return _Local(near, value, zero, found)
    return Stopped.UNPROVED


def _global(search: PartSearch, local: _Local, searching: float) -> tuple[bytes | None, Stopped]:
    """The certificate that the minimum is the only global one, or none and why."""
    judge, names = search.proving.judge(search.scope), search.proving.names(search.scope)
    boxes = map(partial(_zero, local.near), _wider(local.near))
    wide = next((zero for zero in boxes if _isolated(judge, zero, local.value)), local.zero)
    tree, stopped = _everywhere(search, wide, local.value, local.near.point, searching)
    if tree is None:
        return None, stopped
    claim = Claim(names, squares=True, minimum=(local.value, True), zeros=[wide])
    return search.proving.written(claim, tree), stopped


def _wider(near: Neighbourhood) -> range:
    """The exponents of boxes that may hold the minimum alone, the widest first; half of what should do leaves other
    arithmetics some room.
    """
    return range(near.widest - 1, near.sharpest, -2)


def _rows(search: PartSearch, level: float) -> SquareRows:
    """The rows of a part at the middles of their (exact) measurements."""
    blocks = tuple((number, _at_middle(search.problem.blocks[number])) for number in search.scope)
    return SquareRows(blocks, search.variables, len(search.problem.variables), level)


def _at_middle(rows: Rows) -> Rows:
    middle = 0.5 * (rows.lower + rows.upper)
    return Rows(rows.name, rows.tape, rows.unknowns, middle, middle, rows.repeated)


def _zero(near: Neighbourhood, exponent: int) -> Zero:
    """A box of doubles around the minimum with the inverse."""
    lower, upper = near.box(exponent)
    return Zero(tuple(lower), tuple(upper), tuple(map(tuple, near.inverse)))


def _sum(judge: Scope, zero: Zero) -> Fraction:
    """An upper bound of the sum of squares at the middle of the box."""
    middle = [judge.arithmetic.enclose((low + high) / 2) for low, high in zero.box]
    return Fraction(judge.sum_of_squares(middle, Clock())[1], 2**PRECISION)


def _isolated(judge: Scope, zero: Zero, value: Fraction) -> Enclosure | None:
    """Where the only minimiser in the box is, in the checker's arithmetic; None if that is not proved."""
    try:
        return check_minimum(judge, zero.checked, value, Clock())
    except Rejection:
        return None


def _everywhere(
    search: PartSearch, zero: Zero, value: Fraction, minimiser: Floats, searching: float
) -> tuple[list[str] | None, Stopped]:
    """The tree that nothing outside the box of the minimum does better, or why there is none."""
    if not searching:
        return None, Stopped.ELSEWHERE
    lower, upper = (np.array(ends) for ends in (zero.lower, zero.upper))
    centre, radius = 0.5 * (lower + upper), INSIDE * 0.5 * (upper - lower)
    variables, level, limit = list(search.variables), enclose_rational(value)[1], search.limit.share(searching)
    try:
        hunt = SquareSearch(
            _rows(search, level), level, minimiser, (centre - radius, centre + radius), limit, search.progress
        )
        steps = hunt.run(search.box.lower[variables], search.box.upper[variables])
    except Unsupported:
        return None, Stopped.UNSUPPORTED
    search.splits += hunt.splits
    if hunt.stopped is not Stopped.FINISHED:
        return None, hunt.stopped
    question = Question(value, squares=True, zeros=(zero.box,))
    try:
        return Replay(search.proving.proof(search.scope, question), search.limit).run(steps), Stopped.FINISHED
    except (Withdrawn, Rejection):
        return None, Stopped.REPLAY


def _minimum(
    search: PartSearch,
    name: str,
    stopped: Stopped,
    estimate: dict[str, float],
    ends: tuple[Fraction, Fraction | None] = (Fraction(0), None),
    box: dict[str, tuple[Fraction, Fraction]] | None = None,
    certificate: bytes | None = None,
    local: bytes | None = None,
    value: tuple[Fraction, Fraction] | None = None,
) -> Minimum:
    search.stopped = stopped
    verdict = (
        Verdict.UNDECIDED if box is None else Verdict.LOCAL_MINIMUM if certificate is None else Verdict.GLOBAL_MINIMUM
    )
    part = search.part(name, verdict, (Fraction(0), None))
    told = {item.name: getattr(part, item.name) for item in fields(part)}
    told |= {
        "unit": raised_unit(part.unit, 2),
        "epsilon": ends,
        "certificate": certificate or local,
        "local_certificate": local,
    }
    return Minimum(
        **told | {"box": box or {}, "everywhere": certificate is not None, "estimate": estimate, "value": value}
    )


def true_digits(value: float, low: Fraction, high: Fraction) -> int:
    """The largest d with |value - z| <= 10^-d |z| for every z in the enclosure; 0 if there is none."""
    distance, size = max(abs(Fraction(value) - low), abs(Fraction(value) - high)), min(abs(low), abs(high))
    if low <= 0 <= high or not size:
        return 0
    return next((digits for digits in range(MOST_DIGITS, 0, -1) if distance * 10**digits <= size), 0)
