"""The fewest measurements to leave out so that the rest is explained within a given model error, proved to be the fewest.

A *conflict* is a set of rows that no x explains together: the rows that a refutation names. Conflicts are collected until a smallest set of
rows that meets them all leaves rows that are explained, with a witness. That fewer would not do is one certificate (every conflict
refuted, and no smaller set meets them all), that these do is another one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np

from certify.certificate_text import Claim, witness_lines
from certify.checker.outcome import Clock, Rejection
from certify.checker.rules import Question
from certify.checker.tree import hit
from certify.emission import Proving, Replay, Withdrawn
from certify.part_search import Options, PartSearch, Progress, exact_epsilon, independent_parts, named, silent, start_point
from certify.results import Part, Result
from certify.verdicts import Verdict
from certify.witnesses import Witness, shared_columns
from certify.workers import for_each
from contractors.evaluation import Floats
from contractors.narrowing import Aggregate, Cut, Evaluate, Reason, RowTerm
from problems.errors import InputError
from problems.model import Problem
from problems.row_subsets import Row, kept_rows
from solvers.hitting_sets import fewest
from solvers.limits import Stopped
from solvers.minimax import sides_at
from solvers.trace import Branch, Conflicts, Refuted, Steps

MOST = 8  # rows that are left out at most: the search for conflicts grows fast
ATTEMPT = 0.25  # of the remaining time for one refutation
SHARE = 0.05  # of that for one of a few rows only


@dataclass(frozen=True)
class Discards(Part):
    """The answer about one part. Without the rows `discarded` (family name, row counted from 0) the rest is feasible; None if none were found.

    `fewest` is proved: no smaller number suffices. `conflicts` are sets of rows that no x explains together, each proved.
    `witness_certificate` proves that the rest is feasible without `discarded`, `certificate` that `fewest` - 1 rows are not enough.
    All of that is within the model error `level`; `epsilon` is about the rest, without `discarded`, not about all rows.
    """

    discarded: tuple[tuple[str, int], ...] | None = None
    fewest: int = 0
    conflicts: tuple[tuple[tuple[str, int], ...], ...] = ()
    witness_certificate: bytes | None = None
    level: Fraction = Fraction(0)

    def standing(self, accepted: Collection[bytes]) -> Self:
        """The number that is needed, and the set that suffices, each with its own certificate."""
        enough = self.witness_certificate is not None and self.witness_certificate in accepted
        needed = self.fewest > 0 and self.certificate in accepted
        if enough == (self.discarded is not None) and needed == (self.fewest > 0):
            return self
        verdict = Verdict.DISCARDS if enough or needed else Verdict.UNDECIDED
        part = replace(self, verdict=verdict, stopped=Stopped.UNCHECKED)
        if not enough:
            part = replace(part, discarded=None, witness=None, witness_certificate=None, epsilon=(Fraction(0), None))
        return part if needed else replace(part, fewest=0, conflicts=(), certificate=part.witness_certificate)

    def as_json(self) -> dict[str, Any]:
        """The part's record, rows counted from 1."""

        def told(rows: Iterable[tuple[str, int]]) -> list[list[Any]]:
            return [[name, row + 1] for name, row in rows]

        discarded = None if self.discarded is None else told(self.discarded)
        conflicts = [told(conflict) for conflict in self.conflicts]
        return super().as_json() | {"discarded": discarded, "fewest": self.fewest, "conflicts": conflicts, "level": float(self.level)}


def fewest_discards(
    problem: Problem,
    epsilon: Fraction | int | str = 0,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> Result:
    """For every independent part the fewest rows to discard so that the rest is consistent within `epsilon` (exact, in the rows' unit)."""
    bound = exact_epsilon(epsilon)
    options = options or Options()
    proving = Proving(problem)
    guess = start_point(problem, start)

    def answer(name: str, scope: tuple[int, ...]) -> Discards:
        if shared_columns(problem, scope):
            raise InputError(f"{name}: its rows share measurements, so that a row cannot be left out alone; ask about families that share none")
        progress(f"{name}: looking for conflicts")
        part = _Discarding(PartSearch(proving, scope, options, guess, named(progress, name)), bound).solve(name)
        progress(f"{name}: {part.verdict.value} in {part.seconds:.2f} s")
        return part

    parts = for_each(independent_parts(problem), answer, options.workers)
    return Result(tuple(parts), proving.canonical)


class _Discarding:
    """The conflicts of one part, and the refutations that prove them."""

    def __init__(self, search: PartSearch, epsilon: Fraction) -> None:
        self.search, self.epsilon = search, epsilon
        self.conflicts: list[tuple[frozenset[Row], Steps]] = []
        self.guess = search.start

    def solve(self, name: str) -> Discards:
        """Conflicts until what meets them all leaves something feasible."""
        removed: tuple[Row, ...] = ()
        while True:
            found = self._feasible(removed)
            if found is not None or len(removed) >= MOST or self.search.remaining <= 0:
                break
            conflict = self._conflict(removed)
            if conflict is None:
                break
            self.conflicts.append(conflict)
            self.search.progress(f"{len(self.conflicts)} conflicts, {len(removed)} rows left out, {max(self.search.remaining, 0.0):.0f} s left")
            removed = fewest([rows for rows, _ in self.conflicts], self._suspicion())
        return self._answer(name, removed, found)

    def _part(self, removed: Iterable[Row]) -> tuple[PartSearch, dict[int, tuple[Row, ...]]]:
        subset = kept_rows(self.search.problem, self.search.scope, set(removed))
        options = Options(self.search.options.gap, self.search.options.resolution, max(self.search.remaining, 0.0))
        return PartSearch(Proving(subset.problem), subset.scope, options, self.guess), subset.rows

    def _feasible(self, removed: tuple[Row, ...]) -> Witness | None:
        """A witness of the rows that are left, if a descent finds one; where none are left any point is one."""
        if not self._all() - set(removed):
            return _whole(self.search, Witness({}, {}, 0.0), self.search, {})
        part, rows = self._part(removed)
        witness = part.candidate(self.guess)
        needed = part.proving.needed(part.scope, witness)
        for v, value in witness.values.items():
            self.guess = np.array(self.guess)
            self.guess[v] = float(value)
        return _whole(self.search, witness, part, rows) if needed is not None and needed <= self.epsilon else None

    def _conflict(self, removed: tuple[Row, ...]) -> tuple[frozenset[Row], Steps] | None:
        """Rows among those left that are refuted: the few that are worst at the last point if they are, else more and more of them, at last all."""
        left = self._all() - set(removed)
        worst = sorted(left, key=self._suspicion().__getitem__, reverse=True)
        fewest = len(self.search.variables) + 1
        sizes = [size for size in (fewest, 2 * fewest, 4 * fewest) if size < len(left)]
        for size in [*sizes, len(left)]:
            found = self._refuted(set(worst[:size]), 1.0 if size == len(left) else SHARE)
            if found is not None or self.search.remaining <= 0:
                return found
        return None

    def _refuted(self, kept: set[Row], share: float) -> tuple[frozenset[Row], Steps] | None:
        """The rows that a refutation of these names, and its steps."""
        part, rows = self._part(self._all() - kept)
        answer = part.refute(self.epsilon, ATTEMPT * share)
        self.search.splits += answer.splits
        self.search.stopped = answer.stopped
        if answer.stopped is not Stopped.FINISHED:
            return None
        steps = _renumbered(answer.steps, rows)
        if not self._confirmed(steps):
            self.search.stopped = Stopped.REPLAY
            return None
        return frozenset(_rows_of(steps)), steps

    def _all(self) -> set[Row]:
        return {(n, k) for n in self.search.scope for k in range(self.search.problem.families[n].rows)}

    def _confirmed(self, steps: Steps) -> bool:
        try:
            Replay(self.search.proving.proof(self.search.scope, Question(self.epsilon))).run(steps)
        except (Withdrawn, Rejection):
            return False
        return True

    def _suspicion(self) -> dict[Row, float]:
        """How badly each row fits at the last point, from 0 to 1."""
        found: dict[Row, float] = {}
        for number in self.search.scope:
            sides, _ = sides_at(self.search.problem.blocks, (number,), self.guess)
            count = self.search.problem.families[number].rows
            worst = np.maximum(sides[:count], sides[count : 2 * count])
            found |= {(number, k): float(worst[k]) for k in range(count)}
        largest = max(max(found.values()), 1e-300)
        return {row: min(max(value / largest, 0.0), 1.0) for row, value in found.items()}

    def _answer(self, name: str, removed: tuple[Row, ...], found: Witness | None) -> Discards:
        search, scope = self.search, self.search.scope
        names = search.proving.names(scope)
        least = len(fewest([rows for rows, _ in self.conflicts], {}))
        self._prune(least)
        certificate = self._at_least(least) if least else None
        least = least if certificate is not None else 0
        chosen = None
        if found is not None:
            block = witness_lines(search.problem, found, removed if removed else None)
            chosen = search.proving.written(Claim(names, discard=len(removed), upper=self.epsilon, witness=block), ())
        if found is not None and least == len(removed):
            search.stopped = Stopped.FINISHED
        part = search.part(name, Verdict.UNDECIDED if found is None and not least else Verdict.DISCARDS, (Fraction(0), None), found)
        families = search.problem.families

        def named_rows(rows: Iterable[Row]) -> tuple[tuple[str, int], ...]:
            return tuple((families[number].name, row) for number, row in sorted(rows))

        told = {item.name: getattr(part, item.name) for item in fields(part)}
        told |= {"epsilon": (Fraction(0), self.epsilon if found is not None else None), "certificate": certificate or chosen}
        told |= {"discarded": None if found is None else named_rows(removed), "fewest": least, "witness_certificate": chosen, "level": self.epsilon}
        return Discards(**told | {"conflicts": tuple(named_rows(rows) for rows, _ in self.conflicts)})

    def _prune(self, least: int) -> None:
        """Leave out conflicts without which as many rows are needed."""
        for conflict in list(self.conflicts):
            others = [other for other in self.conflicts if other is not conflict]
            if len(fewest([rows for rows, _ in others], {})) == least:
                self.conflicts = others

    def _at_least(self, count: int) -> bytes | None:
        """The certificate that count - 1 rows are not enough; None if it is not confirmed: the count is a solver's, the proof is the checker's."""
        search = self.search
        names = search.proving.names(search.scope)
        if hit([rows for rows, _ in self.conflicts], count - 1, Clock()):
            search.stopped = Stopped.REPLAY
            return None
        try:
            one = self.conflicts[0][1]
            steps = one if count == 1 else Steps([], Conflicts(tuple(steps for _, steps in self.conflicts)))
            tree = Replay(search.proving.proof(search.scope, Question(self.epsilon, discard=count - 1))).run(steps)
        except (Withdrawn, Rejection):
            search.stopped = Stopped.REPLAY
            return None
        return search.proving.written(Claim(names, discard=count - 1, lower=self.epsilon), tree)


def _whole(search: PartSearch, witness: Witness, part: PartSearch, rows: dict[int, tuple[Row, ...]]) -> Witness:
    """The witness of a subset of the rows as one of all; the entries of rows that are left out stay in the middle."""
    half = (Fraction(1, 2), Fraction(1, 2))
    columns = {c: [half] * len(search.problem.columns[c].lower) for n in search.scope for c in _columns(search.problem, n)}
    for place, kept in rows.items():
        number = kept[0][0]
        pairs = zip(search.problem.families[number].bindings, part.problem.families[place].bindings, strict=True)
        for ours, theirs in pairs:
            if ours.measured:
                for k, (_, row) in enumerate(kept):
                    columns[ours.index][row] = witness.columns[theirs.index][k]
    values = dict(witness.values)
    for v in search.variables:
        values.setdefault(v, search.problem.variables[v].lower)
    return Witness(values, {c: tuple(tokens) for c, tokens in columns.items()}, witness.estimate)


def _columns(problem: Problem, number: int) -> list[int]:
    return [binding.index for binding in problem.families[number].bindings if binding.measured]


def _renumbered(steps: Steps, rows: dict[int, tuple[Row, ...]]) -> Steps:
    """The steps with the rows of the whole problem."""
    actions = [
        Cut(action.variable, action.at, action.below, _reason(action.reason, rows)) if isinstance(action, Cut) else action
        for action in steps.actions
    ]
    end = steps.end
    if isinstance(end, Refuted):
        end = Refuted(_reason(end.reason, rows))
    elif isinstance(end, Branch):
        end = Branch(end.variable, end.at, _renumbered(end.lower, rows), _renumbered(end.upper, rows))
    return Steps(actions, end)


def _reason(reason: Reason, rows: dict[int, tuple[Row, ...]]) -> Reason:
    if isinstance(reason, Evaluate):
        return Evaluate(*rows[reason.block][reason.row])
    return Aggregate(tuple(RowTerm(t.form, *rows[t.block][t.row], t.side, t.weight) for t in reason.rows), reason.products)


def _rows_of(steps: Steps) -> Iterable[Row]:
    """The rows that the reasons of a refutation name."""
    reasons = [action.reason for action in steps.actions if isinstance(action, Cut)]
    if isinstance(steps.end, Refuted):
        reasons.append(steps.end.reason)
    for reason in reasons:
        if isinstance(reason, Evaluate):
            yield reason.block, reason.row
        else:
            yield from ((term.block, term.row) for term in reason.rows)
    if isinstance(steps.end, Branch):
        yield from _rows_of(steps.end.lower)
        yield from _rows_of(steps.end.upper)
