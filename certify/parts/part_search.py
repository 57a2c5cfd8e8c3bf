"""What every question about a part needs: candidates turned into verified witnesses, refutation through the contractor
graph, and the record of both.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, cached_property
from math import inf

import numpy as np

from certify.checker.scope import Box as ExactBox
from certify.contractors.numbers.enclosures import enclose_range, enclose_rational
from certify.contractors.operators.lifted_relaxation import RangeOracle
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats
from certify.parts.warm_up import begun
from certify.problems.errors import InputError
from certify.proofs.certificate_text import rows_named
from certify.proofs.problem_replay import Proving, Repair, Withdrawn
from certify.proofs.witnesses import (
    Witness,
    candidate_witness,
    estimated_error,
    expecting,
    joint_blocks,
    near,
    realised,
    scope_variables,
    sharing,
)
from certify.records.options import Options, Progress, silent
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.solvers.advice.determination import undetermined
from certify.solvers.advice.thinning import Question, enough, fewer
from certify.solvers.fits.joint_conflict import conflicting
from certify.solvers.fits.minimax import error_at, minimise, spread
from certify.solvers.fits.shared_measurements import fixed_rows, minimise_jointly
from certify.solvers.graph.accounts import Statistics
from certify.solvers.graph.components import Component, build_refuting, build_without_lift, components
from certify.solvers.graph.own import OwnContractors
from certify.solvers.journal.journal import NOTHING
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Row, Steps, renumbered
from certify.solvers.search.before_refuting import NO_NARROWINGS, Ahead, Narrowings
from certify.solvers.search.refutation import Refutation, halved, open_refuting, refute, refuting_text, untried
from certify.solvers.workers.work import Work
from certify.text.decimals import round_up

Level = Fraction | int | str | Mapping[str, Fraction | int | str]
Graph = Callable[[Constraints, RangeOracle, OwnContractors, Statistics], Component]
UNBOUNDED = -inf  # below what any row side can reach
TRUST = 0.1  # first trust radius, in parts of the half-widths
NEAR = 0.01  # the same where a candidate is known
RESOLUTION = 2e-12  # of what the rows vary over the box
FEW, FEW_SPLITS = (
    0.5,
    200,
)  # of the time, and bisections, for a refutation by few of very many rows, before all are tried
TOGETHER_SPLITS, TOGETHER_ROWS = 32, 512  # of a refutation of parts together at most, unless more is asked for
ASKED_SPLITS = 512  # if it is
REPAIR_SPLITS = 200  # of one box that the engine had refuted before


class PartSearch:
    """The tools for one scope; `statistics` adds up over its searches. `proved` are the ends so far, for
    the progress.
    """

    def __init__(
        self,
        proving: Proving,
        scope: tuple[int, ...],
        options: Options,
        start: Floats,
        progress: Progress = silent,
        limit: Limit | None = None,
    ) -> None:
        self.proving, self.scope, self.options, self.start = proving, scope, options, start
        self.refuting = scope  # the families whose rows refutations name
        self.problem = proving.problem
        self.variables = scope_variables(self.problem, scope)
        self.box = Box(*self.problem.box)
        self.blocks: tuple[Rows, ...] = joint_blocks(self.problem, scope)  # they know what they have to do with others
        self.statistics: Statistics = {}
        self.splits = 0
        self.obstacles: list[Stopped] = []
        self.limit = begun(options) if limit is None else limit
        self.memory = NOTHING if options.contractors else options.memory.about(proving.canonical)
        self.begun = not self.limit.late()
        self.stopped = self.limit.why
        self.proved = ""
        self._least, self._best = inf, start
        self._began = time.perf_counter()
        self._progress = progress

    def progress(self, message: str) -> None:
        """Say what is being done, after what is proved so far."""
        left = self.limit.remaining
        self._progress(f"{self.proved}{message}{f', {left:.0f} s left' if left < inf else ''}")

    def candidate(self, start: Floats, goal: float = UNBOUNDED, little: float = 0.0) -> Witness:
        """The witness of an estimated minimiser; its error is an estimate too. Raises Late.

        `goal` is what cannot be undercut, `little` the part of the way there that is not worth a step.
        """
        with self.limit.enforced():
            found = candidate_witness(
                self.problem, self.scope, self.box, start, TRUST, goal, self.limit, little, self.memory
            )
        if found.estimate < self._least:
            self._least, self._best = found.estimate, self._at(found)
            self.blocks = expecting(self.blocks, self.problem, self.scope, found)
        return found

    def _at(self, witness: Witness) -> Floats:
        """The values of a witness, the start's for other variables."""
        point = self.start.copy()
        for v, value in witness.values.items():
            point[v] = float(value)
        return point

    def needed(self, witness: Witness, share: float = 1.0) -> Fraction | None:
        """The smallest short decimal within which the witness is accepted; None, with the reason in `stopped`, if that
        is not known.

        It takes half a millisecond a row and side, and no more than this share of the time that is left.
        """
        try:
            with self.limit.share(share).enforced():
                found = self.proving.needed(self.scope, witness)
        except Late as late:
            self.stopped = late.why
            return None
        if found is None:
            self.stopped = Stopped.UNDEFINED
        return found

    @property
    def together(self) -> bool:
        """Whether parts are refuted together where none is inadequate alone: it is asked for, or there are few rows."""
        return self.options.together or sum(self.blocks[n].count for n in self.scope) <= TOGETHER_ROWS

    def conflicting(self, witness: Witness) -> tuple[int, ...]:
        """The families that contradict each other at a joint minimum (estimated)."""
        found = sharing(self.problem, self.scope), realised(self.problem, self.scope, witness)
        return tuple(
            sorted(conflicting(self.problem.blocks, found[0], self.box, self._at(witness), found[1], self.limit))
        )

    def sharpened(self, witness: Witness) -> Witness:
        """A candidate from a descent of those families alone that are refuted: the others follow, with what they share
        as it is then, for they have room. Raises Late.
        """
        blocks, whole, few = (
            self.problem.blocks,
            sharing(self.problem, self.scope),
            sharing(self.problem, self.refuting),
        )
        shared, guess = (realised(self.problem, scope, witness) for scope in (self.scope, self.refuting))
        with self.limit.enforced():
            found = minimise_jointly(blocks, few, self.box, self._at(witness), NEAR, UNBOUNDED, self.limit, guess)
            for number, table in few.entries.items():
                known = table >= 0
                shared[whole.entries[number][known]] = found.shared[table[known]]
            fixed, x = list(blocks), found.x
            for number in self.scope:
                fixed[number] = fixed_rows(blocks[number], whole.entries[number], shared)
            for numbers, variables in components(fixed, sorted(set(self.scope) - set(self.refuting))):
                x = minimise(fixed, numbers, variables, self.box, x, NEAR, self.limit).x
            return near(self.problem, self.scope, x, shared, self.limit)

    @cached_property
    def resolution(self) -> Fraction:
        """The gap that is always good enough: the one asked for, or a part of what the rows vary over the box
        (estimated).
        """
        if self.options.resolution is not None:
            return self.options.resolution
        return round_up(Fraction(RESOLUTION * self.spread), 3)

    @cached_property
    def spread(self) -> float:
        """By how much a row varies over the box, at most (estimated): the natural unit of its values."""
        return spread(self.problem.blocks, self.scope, self.variables, self.box)

    def answered(self, name: str, solve: Callable[[], Part]) -> Part:
        """The answer, or the record that the limit came before there was any."""
        try:
            return solve() if self.begun else self.unknown(name)
        except Late as late:
            self.stopped = late.why
            return self.unknown(name)

    @property
    def unit(self) -> str:
        """The unit of the part's rows."""
        return self.problem.families[self.scope[0]].unit

    @property
    def remaining(self) -> float:
        """Seconds that this part may still take."""
        return self.limit.remaining

    def refute(
        self, lower: Fraction, limit: Limit | None = None, effort: float = inf, before: Refutation | None = None
    ) -> Refutation:
        """Try to refute everything within `lower`; a candidate that does with less ends the search, a spent effort
        (Ranges) pauses it.

        A descent from its centre is as dear as the box, so only the first, second, fourth, ... box gets one: a wrong
        claim costs twice the boxes.
        """
        asked = 0

        def better(box: Box) -> bool:
            nonlocal asked
            asked += 1
            if asked & (asked - 1):
                return False
            found = estimated_error(self.problem, self.refuting, self.box, box.centre, TRUST, self.limit, self.memory)
            return found < epsilon

        epsilon, limit = enclose_rational(lower)[1], limit or self.limit
        try:
            rows = self._few(self._question(epsilon, limit), before)
        except Late as late:
            self.stopped = late.why
            return untried(late.why, before)
        before = before if before is None or rows == before.rows else None
        if rows is None:
            return self._refute(build_refuting, epsilon, better, limit, effort, before)
        fair, splits = (
            limit if effort < inf else limit.share(FEW),
            min(max(self.options.splits - self.splits, 0), FEW_SPLITS),
        )
        answer = self._refute(build_refuting, epsilon, better, fair, effort, before, splits, rows)
        failed = answer.stopped in (Stopped.WIDTH, Stopped.SPLITS) or (
            effort == inf and answer.stopped in (Stopped.PAUSED, Stopped.TIME)
        )
        return self._refute(build_refuting, epsilon, better, limit, effort) if failed and not limit.late() else answer

    def _few(self, question: Question, before: Refutation | None) -> tuple[Row, ...] | None:
        """Few of very many rows that may do (see thinning), no fewer than before; None: all of them. Raises Late."""
        with question.limit.enforced():
            if before is None:
                return enough(question, self._best)
            if before.rows is None or before.remaining is None:
                return before.rows
            return enough(question, before.remaining.centre, before.rows)

    def _question(self, epsilon: float, limit: Limit) -> Question:
        """What is refuted, for those who look for few rows."""
        return Question(self.blocks, self.refuting, self.box, epsilon, limit, self.statistics)

    def refute_together(self, lower: Fraction, witness: Witness) -> Refutation:
        """The same by the rows of those parts that contradict each other where the witness stands."""
        options, self.refuting = self.options, self.conflicting(witness)
        most = min(options.splits, ASKED_SPLITS if options.together else TOGETHER_SPLITS)
        self.options = replace(options, splits=most)
        try:
            return self.refute(lower)
        finally:
            self.options = options

    def refute_at_once(self, lower: Fraction) -> Refutation:
        """The same in the box as it is, without bisection and without looking for a candidate."""
        return self._refute(build_refuting, enclose_rational(lower)[1], lambda box: False, self.limit, splits=0)

    def refute_without_lift(self, lower: Fraction, seconds: float) -> Refutation:
        """The same with the papers' contractors alone; a centre of a box that does with less ends the search."""

        def better(box: Box) -> bool:
            return error_at(self.problem.blocks, self.scope, box.centre) < epsilon

        epsilon = enclose_rational(lower)[1]
        return self._refute(build_without_lift, epsilon, better, self.limit.within(seconds))

    def _refute(
        self,
        graph: Graph,
        epsilon: float,
        better: Callable[[Box], bool],
        limit: Limit,
        effort: float = inf,
        before: Refutation | None = None,
        splits: int | None = None,
        rows: Sequence[Row] | None = None,
    ) -> Refutation:
        """The search, among these rows alone if they are given."""
        oracle = Ranges(limit)
        asked, kept = self._question(epsilon, limit), None
        if rows is not None:
            asked, kept = asked.only(rows)
        component = graph(asked.constraints, oracle, self.options.contractors, self.statistics)
        most = max(self.options.splits - self.splits, 0) if splits is None else splits

        def pause() -> bool:
            return oracle.effort > effort

        known = self._narrowings(asked.constraints, graph, oracle, limit, effort)
        answer = refute(component, self.box, better, limit, most, self.progress, pause, before, known)
        self.splits += answer.splits
        self.stopped = answer.stopped
        if rows is None or kept is None:
            return answer
        done = answer.stopped is Stopped.FINISHED
        return replace(answer, rows=tuple(rows), steps=renumbered(answer.steps, kept) if done else answer.steps)

    def _narrowings(
        self, constraints: Constraints, graph: Graph, meter: Ranges, limit: Limit, effort: float
    ) -> Narrowings:
        """What is known of narrowing boxes by these rows, and who narrows some of them ahead."""
        crew = self.options.crew
        ahead: Ahead | None = None
        if crew.count and not self.options.contractors:
            whole = self.box.upper - self.box.lower
            work = cache(lambda: Work.of(open_refuting, refuting_text(constraints, whole, graph is build_refuting)))
            ahead = Ahead(crew, work, limit, effort)
        if self.memory.journal is None and ahead is None:
            return NO_NARROWINGS
        about = [repr((graph is build_refuting, self.scope, constraints.epsilon)).encode()]
        for number, rows in constraints.blocks:
            arrays = rows.lower, rows.upper, rows.row_numbers, *(() if rows.expected is None else (rows.expected,))
            about += [repr((number, rows.shared, rows.group)).encode(), *(array.tobytes() for array in arrays)]
        counts = {number: rows.count for number, rows in constraints.blocks}
        return Narrowings(self.memory.about(*about), counts, len(self.problem.columns), meter, ahead)

    def repair(self, lower: Fraction) -> Repair:
        """How to go on where a refutation of everything within `lower` is not confirmed by the checker's arithmetic
        (see Replay), or has no reason: by our contractors alone.
        """
        epsilon = enclose_rational(lower)[1]

        def again(exact: ExactBox, tries: int) -> Steps | None:
            box = self.around(exact)
            constraints = self._question(epsilon, self.limit).constraints
            component = build_refuting(constraints, Ranges(self.limit), statistics=self.statistics)
            before = None
            if tries:
                halves = halved(component, box)
                if halves is None:
                    return None
                before = Refutation(halves[0], Stopped.PAUSED, None, 0, tuple(halves[1]))
            most = min(max(self.options.splits - self.splits, 0), REPAIR_SPLITS)
            answer = refute(component, box, lambda box: False, self.limit, most, before=before)
            self.splits += answer.splits
            return answer.steps if answer.stopped is Stopped.FINISHED else None

        return again

    def around(self, exact: ExactBox) -> Box:
        """A box of the part's unknowns in doubles that enclose it; other variables keep their bounds."""
        lower, upper = self.box.lower.copy(), self.box.upper.copy()
        for variable, ends in zip(self.variables, exact, strict=True):
            lower[variable], upper[variable] = enclose_range(*ends)
        return Box(lower, upper)

    def replayed(self, lower: Fraction, steps: Steps, point: Sequence[Fraction] | None = None) -> list[str] | None:
        """The lines of a tree that refutes everything within `lower`, repaired where that is needed; None, with the
        reason in `stopped`.
        """
        try:
            repair = self.repair(lower) if point is None else None
            return self.proving.tree(self.scope, lower, steps, point, self.limit, repair)
        except Withdrawn:
            self.stopped = self.limit.reached(Stopped.REPLAY)
        except Late as late:
            self.stopped = late.why
        return None

    def tree(self, lower: Fraction, steps: Steps) -> list[str] | None:
        """The lines of a tree that refutes everything within `lower`; with fewer rows than `steps` names where few are
        enough.
        """
        for few in fewer(self._question(enclose_rational(lower)[1], self.limit), steps, self._best):
            tree = self.replayed(lower, few)
            if tree is not None:
                return tree
        return self.replayed(lower, steps)

    def witness_at(self, x: Floats) -> Witness:
        """The witness at a point, moved by a rounding error, its measurements chosen as well as can be found."""
        return near(self.problem, self.scope, np.clip(x, self.box.lower, self.box.upper), limit=self.limit)

    def part(
        self,
        name: str,
        verdict: Verdict,
        ends: tuple[Fraction, Fraction | None],
        witness: Witness | None = None,
        tree: Sequence[str] = (),
        point: Sequence[Fraction] | None = None,
    ) -> Part:
        """The record of the answer, with its certificate if it claims anything. A lower end is claimed where there is a
        tree.
        """
        problem, (lower, upper) = self.problem, ends
        claims = upper is not None or bool(tree)
        certificate = (
            self.proving.document(self.scope, lower if tree else None, upper, witness, tree, point, self.limit)
            if claims
            else None
        )
        return Part(
            name=name,
            scope=tuple(problem.families[n].name for n in self.scope),
            verdict=verdict,
            stopped=Stopped.CLOSE
            if verdict is Verdict.UNDECIDED and self.stopped is Stopped.FINISHED
            else self.stopped,
            obstacles=tuple(why for why in dict.fromkeys(self.obstacles) if why is not self.stopped),
            begun=self.begun,
            epsilon=ends,
            unit=self.unit,
            witness=None
            if witness is None
            else {problem.variables[v].name: value for v, value in witness.values.items()},
            estimated_undetermined=self._undetermined(witness),
            tree=tuple(tree),
            certificate=certificate,
            seconds=time.perf_counter() - self._began,
            splits=self.splits,
            contractors=self.statistics,
            conflict=problem.called(rows_named(tree)),
        )

    def undefined(self, name: str) -> Part:
        """The record of an answer that could not be found because the model cannot be evaluated there."""
        self.stopped = Stopped.UNDEFINED
        return self.unknown(name)

    def unknown(self, name: str) -> Part:
        """The record of an answer that could not be found: the model cannot be evaluated at the candidate, or there was
        no time (`stopped` says).
        """
        return self.part(name, Verdict.UNDECIDED, (Fraction(0), None))

    def _undetermined(self, witness: Witness | None) -> tuple[str, ...]:
        if witness is None:
            return ()
        free = undetermined(self.problem.blocks, self.scope, self.variables, self._at(witness), self.box.radius)
        return tuple(self.problem.variables[v].name for v in free)


def exact_number(name: str, value: Fraction | int | str) -> Fraction:
    """The value, which must be exact; `name` says what it is."""
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError) as error:
        raise InputError(f"{name} {value!r} is no exact number; write a Fraction or a decimal string") from error


def level_of(epsilon: Level, part: str) -> Fraction:
    """The model error that is asked about of a part: one for all, or one for each by name."""
    if not isinstance(epsilon, Mapping):
        return exact_epsilon(epsilon)
    if part not in epsilon:
        raise InputError(f"epsilon says nothing of {part}; give one for each part, in the unit of its rows")
    return exact_epsilon(epsilon[part])


def exact_epsilon(value: Fraction | int | str) -> Fraction:
    """A model error, exact and not negative."""
    bound = exact_number("epsilon", value)
    if bound < 0:
        raise InputError(f"epsilon is {float(bound)}, a model error cannot be negative; give 0 or more")
    return bound
