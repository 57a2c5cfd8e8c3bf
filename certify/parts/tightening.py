"""The lower end of one part, coarse first and then tighter: whatever is proved when the search must end is the answer.

    the gap asked for          with a little effort, which is enough for a leg: then one refutation does
    1/10, 1/100, 1e-4, ...     else something coarse, replayed at once so that its certificate is in hand; twice as many
        digits next
    between the two            where that takes too long
    four times the effort      where nothing lies between them

A refutation that was put off is gone on with when its turn comes again. Efforts are counted (Ranges), not timed,
so that answers under a limit in bisections repeat. Candidates that turn up on the way make the upper end smaller.

Parts that share measurements are tightened `together` by the rows of those only that contradict each other at the joint
minimum (`joint_conflict`), most often two, a quarter of the gap at a time. Where the curvature in the shared
measurements is what is left of a gap, a smaller one takes as many times the bisections: unless more is asked for, a
refutation that took some is the last.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Protocol

from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import ASKED_SPLITS, TOGETHER_SPLITS, PartSearch
from certify.proofs.witnesses import Witness
from certify.records.options import Options
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.proof.trace import Steps
from certify.solvers.search.refutation import Refutation
from certify.text.decimals import ends_so_far, round_down, round_up

COARSE = Fraction(1, 10)
HOPELESS = Fraction(97, 100)  # a lower end that is less than this far from 0 helps nobody
APART = 4  # gaps in this ratio have one between them that is worth a try
FIRST_EFFORT, MORE_EFFORT = 6e7, 4.0
ATTEMPT = 0.6  # of the time that is left, for one refutation; the rest is for its replay
FIRST_ATTEMPT = 0.25
STEP, EASY = 16, 4  # a gap is tried together that is so many times smaller; bisections after which another one is tried
HARD = (Stopped.SPLITS, Stopped.WIDTH, Stopped.REPLAY, Stopped.FEASIBLE)  # more effort does not help


def estimated(witness: Witness) -> Fraction:
    """The model error of a witness that was not verified, for what is to be refuted below it."""
    return round_up(max(Fraction(witness.estimate), Fraction(0)))


class Search(Protocol):
    """What is tightened: a part's smallest model error (PartSearch), or its smallest factor on the half-widths
    (FactorSearch).
    """

    options: Options
    limit: Limit
    obstacles: list[Stopped]
    stopped: Stopped
    proved: str

    @property
    def unit(self) -> str:
        """What stands behind the ends."""

    @property
    def resolution(self) -> Fraction:
        """A gap that is always good enough."""

    def candidate(self, start: Floats) -> Witness:
        """A candidate for the upper end."""

    def needed(self, witness: Witness) -> Fraction | None:
        """The upper end that a candidate proves, if it does."""

    def refute(self, lower: Fraction, limit: Limit, effort: float, before: Refutation | None) -> Refutation:
        """Try to refute a lower end."""

    def tree(self, lower: Fraction, steps: Steps) -> list[str] | None:
        """The lines of a proof of it."""

    def part(
        self,
        name: str,
        verdict: Verdict,
        ends: tuple[Fraction, Fraction | None],
        witness: Witness | None,
        tree: Sequence[str],
    ) -> Part:
        """The record of both."""


@dataclass
class Tightening:
    """Both ends of a part; `gap` is that of the lower end, as a part of the upper one, which is an estimate as long as
    it is not `verified`.
    """

    search: Search
    witness: Witness
    upper: Fraction
    verified: bool = True
    lower: Fraction = Fraction(0)
    tree: list[str] = field(default_factory=list)
    gap: Fraction = Fraction(1)
    effort: float = FIRST_EFFORT
    digits: int = 15
    _hard: Fraction = Fraction(0)
    _put_off: dict[Fraction, Refutation] = field(default_factory=dict)
    _began: float = field(default_factory=time.perf_counter)
    _history: list[tuple[float, Fraction, Fraction | None]] = field(default_factory=list)

    def run(self) -> None:
        """Tighten until the gap asked for is proved, or nothing is left to try, or the limit is reached."""
        trial: Fraction | None = self.search.options.gap
        share = FIRST_ATTEMPT
        while trial is not None and not self.closed and not self.search.limit.late():
            self._note()
            before, why = self.upper, self._attempt(trial, share)
            if why is Stopped.FINISHED:
                self.gap = trial
                trial = self._above(self.gap * self.gap)
            elif self.upper == before:
                if why in HARD:
                    self._hard = max(self._hard, trial)
                    self.search.obstacles.append(why)
                trial = self._wider(trial)
            share = ATTEMPT

    def _note(self) -> None:
        """Both ends at this moment, if they have changed."""
        ends = self.lower, self.upper if self.verified else None
        if not self._history or self._history[-1][1:] != ends:
            self._history.append((time.perf_counter() - self._began, *ends))

    @property
    def closed(self) -> bool:
        """Whether the ends are as near to each other as was asked."""
        return self.upper - self.lower <= max(self.search.options.gap * self.upper, self.search.resolution)

    def part(self, name: str) -> Part:
        """The record of both ends."""
        self.search.stopped = self._why()
        adequate = self.verified and self.upper == 0
        verdict = Verdict.ADEQUATE if adequate else Verdict.INADEQUATE if self.lower > 0 else Verdict.UNDECIDED
        upper, witness = (self.upper, self.witness) if self.verified else (None, None)
        self._note()
        part = self.search.part(name, verdict, (self.lower, upper), witness, self.tree)
        return replace(part, history=tuple(self._history))

    def _why(self) -> Stopped:
        if self.verified and (self.upper == 0 or (self.closed and self.lower > 0)):
            return Stopped.FINISHED
        if not self.verified:
            return self.search.limit.reached(Stopped.TIME)  # the witness has had its share of it
        if self.closed:
            return Stopped.SMALL
        obstacles = self.search.obstacles
        if self.lower > 0:
            obstacles.append(Stopped.GAP)
        otherwise = next((why for why in HARD if why in obstacles), Stopped.GAP)
        return self.search.limit.reached(otherwise)

    def _target(self, gap: Fraction) -> Fraction:
        """The lower end to prove: a little more than asked for, so that its rounding to a short decimal does not cost
        the gap.
        """
        return round_down(
            max(self.upper - Fraction(999, 1000) * max(gap * self.upper, self.search.resolution), Fraction(0)),
            self.digits,
        )

    def _attempt(self, gap: Fraction, share: float) -> Stopped:
        """Refute and replay; FINISHED if the lower end is proved, PAUSED if more effort may help. The upper end may
        have become better.
        """
        search, target = self.search, self._target(gap)
        if target <= self.lower:
            return Stopped.FINISHED
        upper = self.upper if self.verified else None
        search.proved = f"{ends_so_far(self.lower, upper)} {search.unit} proved so far, tightening; "
        answer = search.refute(target, search.limit.share(share), self.effort, self._put_off.pop(target, None))
        if answer.stopped is Stopped.FEASIBLE:
            self._take_better(answer)
        if answer.stopped is Stopped.FINISHED:
            tree = search.tree(target, answer.steps)
            if tree is None:
                return search.stopped
            self.lower, self.tree = target, tree
            return Stopped.FINISHED
        if answer.waiting:
            self._put_off[target] = answer
        return answer.stopped if answer.stopped in HARD else Stopped.PAUSED

    def _take_better(self, answer: Refutation) -> None:
        """The point at which a refutation ended may make a better upper end."""
        if answer.remaining is None:
            return
        with suppress(Late):
            self.improve(self.search.candidate(answer.remaining.centre))

    def improve(self, witness: Witness) -> None:
        """The upper end of a witness, if it is a better one. Raises Late."""
        needed = self.search.needed(witness)
        if needed is not None and (needed < self.upper or not self.verified):
            self.witness, self.upper, self.verified = witness, needed, True

    def _wider(self, failed: Fraction) -> Fraction | None:
        """The next gap to try after one that failed; with more effort where there is none between it and what is
        proved.
        """
        between = self._between(failed)
        if between is not None:
            return between
        self.effort *= MORE_EFFORT
        return self._above(COARSE if self.gap == 1 else self.gap * self.gap)

    def _above(self, gap: Fraction) -> Fraction | None:
        """The given gap, no smaller than asked for, or one that has not failed for good."""
        wanted = max(self.search.options.gap, gap)
        return wanted if wanted > self._hard else self._between(self._hard)

    def _between(self, failed: Fraction) -> Fraction | None:
        """A gap between one that failed and what is proved, if that is worth a try."""
        if self.gap == 1:
            gap = COARSE if failed < COARSE else (1 + failed) / 2
            return gap if gap < HOPELESS else None
        if not failed or self.gap < APART * failed:
            return None
        return Fraction(float(self.gap * failed) ** 0.5).limit_denominator(10**12)


def tighten_together(search: PartSearch, ends: Tightening) -> None:
    """Raise the lower end. Raises Late."""
    options = search.options
    while not ends.closed and not search.limit.late():
        known, search.refuting = search.refuting, search.conflicting(ends.witness)
        if search.refuting != known:
            ends.improve(search.sharpened(ends.witness))
        before, proved = search.splits, ends.lower
        ends.gap = 1 - ends.lower / ends.upper
        most = min(options.splits, ASKED_SPLITS if options.together else before + TOGETHER_SPLITS)
        search.options = replace(options, gap=max(options.gap, ends.gap / STEP), splits=most)
        try:
            ends.run()
        finally:
            search.options = options
        if ends.lower == proved or not (options.together or search.splits - before <= EASY):
            break
    if not options.together:  # the user has not said how many bisections there may be
        search.obstacles = [why for why in search.obstacles if why is not Stopped.SPLITS]
