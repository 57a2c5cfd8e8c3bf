"""The search for the smallest factor on a part's half-widths, in the shape of the search for its smallest model error
(certify/parts/tightening.py).

a level            a factor; what is asked about it is the problem whose half-widths are multiplied by it
(problems/model/scaled.py), without error a candidate        the descent of the smallest model error at factors that
secants propose, until that error is 0; then a witness in exact numbers what is refuted    everything within the model
error 0 of the problem of that level
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import inf

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import TRUST, UNBOUNDED, PartSearch
from certify.problems.experiments.half_widths import Statement, of_readings
from certify.problems.model.model import Problem
from certify.problems.model.scaled import scaled, uncertain_by_column
from certify.proofs.certificate_text import rows_named
from certify.proofs.problem_replay import Proving
from certify.proofs.witnesses import Witness, sharing
from certify.records.factor_records import Factor
from certify.records.options import Options, Progress
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.solvers.fits.falling_root import falling_root
from certify.solvers.fits.shared_measurements import minimise_jointly
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.proof.trace import Steps
from certify.solvers.search.refutation import Refutation, untried
from certify.text.decimals import round_up

FINE = Fraction(1, 100)  # the gap to which a factor is estimated at least
LARGEST = 10**6  # a factor that no reading's accuracy needs
MARGINS = (Fraction(0), *(Fraction(1, 10**power) for power in (9, 7, 6, 5, 4)))
DIGITS = 9  # of a factor
UNDEFINED = 1e300  # the error where the model cannot be evaluated
RESOLUTION = Fraction(1, 10**9)  # of a factor: what is always near enough


@dataclass(frozen=True)
class Fit(Witness):
    """A witness with the factor at which it stands; `verified` in exact numbers, or by estimate."""

    factor: Fraction = Fraction(LARGEST)
    verified: bool = False

    @property
    def hopeless(self) -> bool:
        """Whether no factor seems to be enough."""
        return self.factor >= LARGEST and not self.verified


class FactorSearch:
    """The tools for one scope. `refuted` is the largest factor that is proved to be too small so far; the point is near
    the best candidate.
    """

    unit = "times the half-widths"

    def __init__(
        self,
        problem: Problem,
        scope: tuple[int, ...],
        options: Options,
        start: Floats,
        half_widths: Statement,
        progress: Progress,
        limit: Limit,
    ) -> None:
        self.problem, self.scope, self.options, self.limit = problem, scope, options, limit
        self.resolution = RESOLUTION if options.resolution is None else options.resolution
        uncertain = uncertain_by_column(problem, scope)
        self.readings, self.half_widths = sum(uncertain.values()), of_readings(half_widths, uncertain)
        self.point = start
        self.refuted = Fraction(0)
        self.splits = 0
        self.obstacles: list[Stopped] = []
        self.begun = not limit.late()
        self.stopped = limit.why
        self.proved = ""
        self.began = time.perf_counter()
        self._box = Box(*problem.box)
        self._sharing = sharing(problem, scope)
        self._progress = progress
        self._at: dict[Fraction, PartSearch] = {}

    def at(self, factor: Fraction) -> PartSearch:
        """The tools for the problem with this factor. Raises Late: of thousands of rows they take their time."""
        if factor not in self._at:
            options = replace(self.options, splits=max(self.options.splits - self.splits, 0))
            with self.limit.enforced():
                proving = Proving(scaled(self.problem, factor))
            self._at[factor] = PartSearch(proving, self.scope, options, self.point, self.progress, self.limit)
        return self._at[factor]

    def progress(self, message: str) -> None:
        """Say what is being done, after what is proved so far."""
        self._progress(f"{self.proved}{message}")

    def error(self, factor: float) -> float:
        """The estimated smallest largest row side with this factor (negative where there is room); the point moves to
        its minimiser.
        """
        if self.limit.late():
            raise Late(self.limit.why)
        blocks = [rows.widened(factor) for rows in self.problem.blocks]
        found = minimise_jointly(
            blocks, self._sharing.widened(factor), self._box, self.point, TRUST, UNBOUNDED, self.limit
        )
        self.point = found.x
        return found.epsilon if np.isfinite(found.epsilon) else UNDEFINED

    def estimate(self, guess: float, tolerance: Fraction) -> float | None:
        """A factor that seems to be enough, near the smallest one; None if none does, or there is no time."""
        low = float(self.refuted)
        try:
            error = self.error(low)
            beyond = max(guess, 2.0 * low)
            return (
                low
                if error <= 0.0
                else falling_root(self.error, (low, error), beyond, float(LARGEST), float(tolerance))
            )
        except Late as late:
            self.stopped = late.why
            return None

    def candidate(self, start: Floats, guess: float = 1.0, tolerance: Fraction | None = None) -> Fit:
        """A witness near the smallest factor, from a start."""
        self.point = start
        found = self.estimate(guess, tolerance or min(self.options.gap / 8, FINE))
        if found is None:
            return Fit({}, {}, inf)
        if found <= self.resolution:
            zero = self._fit(Fraction(0))
            if zero.verified:
                return zero
        fit = Fit({}, {}, inf)
        for margin in MARGINS:
            fit = self._fit(round_up(Fraction(found) * (1 + margin), DIGITS))
            if fit.verified or self.limit.late():
                break
        return fit

    def _fit(self, factor: Fraction) -> Fit:
        search = self.at(factor)
        witness = search.candidate(self.point)
        verified = search.needed(witness) == 0
        self.stopped = search.stopped
        return Fit(
            **{field.name: getattr(witness, field.name) for field in fields(Witness)}, factor=factor, verified=verified
        )

    def needed(self, witness: Witness) -> Fraction | None:
        """The factor of a candidate, if it is one in exact numbers."""
        return witness.factor if isinstance(witness, Fit) and witness.verified else None

    def refute(
        self, lower: Fraction, limit: Limit | None = None, effort: float = inf, before: Refutation | None = None
    ) -> Refutation:
        """Try to prove that a factor is too small; a point that does with less ends the search."""
        try:
            answer = self.at(lower).refute(Fraction(0), limit, effort, before)
        except Late as late:
            answer = untried(late.why, before)
        self.splits += answer.splits
        self.stopped = answer.stopped
        return answer

    def tree(self, lower: Fraction, steps: Steps) -> list[str] | None:
        """The lines of a tree that refutes a factor; None, with the reason in `stopped`, if it is not confirmed."""
        search = self.at(lower)
        found = search.tree(Fraction(0), steps)
        if found is None:
            self.stopped = search.stopped
        else:
            self.refuted = max(self.refuted, lower)
        return found

    def part(
        self,
        name: str,
        verdict: Verdict,
        ends: tuple[Fraction, Fraction | None],
        witness: Witness | None = None,
        tree: Sequence[str] = (),
    ) -> Part:
        """The record, whatever the verdict would be for a model error."""
        if ends[1] is None and self.stopped is Stopped.TIME and not self.limit.late():
            self.stopped = Stopped.UNWITNESSED
        return self.ends(name, ends, witness, tree)

    def nothing(self, name: str) -> Factor:
        """The record of an answer of which nothing is proved; `stopped` says why."""
        return self.ends(name, (Fraction(0), None), None, ())

    def ends(
        self,
        name: str,
        ends: tuple[Fraction, Fraction | None],
        witness: Witness | None,
        tree: Sequence[str],
        estimate: float | None = None,
    ) -> Factor:
        """The record of what is proved, with a certificate for each end, and of what is estimated."""
        families, (lower, upper) = self.problem.families, ends
        low = self.at(lower).proving if tree else None
        high = self.at(upper).proving if upper is not None else None
        return Factor(
            name=name,
            scope=tuple(families[n].name for n in self.scope),
            verdict=Verdict.UNDECIDED if low is high is None else Verdict.FACTOR,
            stopped=self.stopped,
            obstacles=tuple(why for why in dict.fromkeys(self.obstacles) if why is not self.stopped),
            begun=self.begun,
            epsilon=ends,
            unit="1",
            witness=None
            if high is None or witness is None
            else {self.problem.variables[v].name: x for v, x in witness.values.items()},
            estimated_undetermined=(),
            tree=tuple(tree),
            certificate=None if low is None else low.document(self.scope, Fraction(0), None, None, tree),
            seconds=time.perf_counter() - self.began,
            splits=self.splits,
            conflict=self.problem.called(rows_named(tree)),
            readings=self.readings,
            half_widths=self.half_widths,
            estimate=estimate,
            witness_certificate=None
            if high is None
            else high.document(self.scope, None, Fraction(0), witness, (), limit=self.limit),
            refuted=None if low is None else low.canonical,
            fitting=None if high is None else high.canonical,
        )
