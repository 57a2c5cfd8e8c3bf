"""The fewest measurements to leave out so that the rest is explained within a given model error, proved to be the
fewest.

A *conflict* is a set of rows that no x explains together: the rows that a refutation names. Conflicts are collected
until a smallest set of rows that meets them all leaves rows that are explained, with a witness. That fewer would not do
is one certificate (every conflict refuted, and no smaller set meets them all), that these do is another one. Where
conflicts do not come to that in time, the rows that a robust fit misses most are left out, as few of them as do: an
upper end beside the lower one.

Where rows are the components of poses (the members of groups), poses are left out, never a component alone: a row is
then named by its pose, which is called by the first family of the group, in the records by the name of the group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any, Self

import numpy as np

from certify.checker.certificate import DISCARDED
from certify.checker.nodes import Hitting
from certify.checker.outcome import Clock, Rejection
from certify.checker.rules import Question
from certify.checker.scope import Box as ExactBox
from certify.checker.tree import hit
from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import Level, PartSearch, level_of
from certify.parts.scopes import independent_parts, start_point
from certify.parts.warm_up import begun
from certify.parts.workers import share_each
from certify.problems.errors import InputError
from certify.problems.model.groups import LARGEST
from certify.problems.model.model import Problem
from certify.problems.model.row_subsets import Row, kept_rows
from certify.proofs.certificate_text import Claim, node_line, rows_named, witness_lines
from certify.proofs.problem_replay import Proving, Replay, Withdrawn, proving_of
from certify.proofs.witnesses import Witness, shared_columns
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.fits.minimax import sides_at
from certify.solvers.fits.robust_fit import robust_fit
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.linear_programs.hitting_sets import fewest
from certify.solvers.proof.trace import Steps, renumbered

MOST = 8  # rows that are left out at most: the search for conflicts grows fast
GRACE = 2.0  # seconds after an interruption, to confirm the number of rows
SEARCHING, COLLECTING = 0.9, 0.7  # of the time; of that for conflicts, if no set is found that meets them all
ATTEMPT = 0.25  # of the remaining time for one refutation
SHARE = 0.05  # of that for one of a few rows only


@dataclass(frozen=True, repr=False)
class Discards(Part):
    """The answer about one part. Without the rows `discarded` (family name, row counted from 0; or name of the group,
    number of the pose) the rest is feasible; None if none were found. `labels` are what poses are called, `noun` says
    what is left out.

    `fewest` is proved: no smaller number suffices. `conflicts` are sets of rows that no x explains together, each
    proved. `witness_certificate` proves that the rest is feasible without `discarded`, `certificate` that `fewest` - 1
    rows are not enough. All of that is within the model error `level`; `epsilon` is about the rest, without
    `discarded`, not about all rows.
    """

    discarded: tuple[tuple[str, int], ...] | None = None
    fewest: int = 0
    conflicts: tuple[tuple[tuple[str, int], ...], ...] = ()
    witness_certificate: bytes | None = None
    level: Fraction = Fraction(0)
    labels: tuple[str, ...] = ()
    noun: str = "measurement"

    @property
    def documents(self) -> tuple[tuple[bytes | None, bytes], ...]:
        """All certificates of the answer that a run writes."""
        return tuple((None, text) for text in (self.certificate, self.witness_certificate) if text is not None)

    def standing(self, accepted: Collection[bytes]) -> Self:
        """The number that is needed, and the set that suffices, each with its own certificate."""
        enough = self.witness_certificate is not None and self.witness_certificate in accepted
        needed = self.fewest > 0 and self.certificate in accepted
        if enough == (self.discarded is not None) and needed == (self.fewest > 0):
            return self
        verdict = Verdict.DISCARDS if enough or needed else Verdict.UNDECIDED
        part = replace(self, verdict=verdict, stopped=Stopped.UNCHECKED)
        if not enough:
            part = replace(
                part, discarded=None, labels=(), witness=None, witness_certificate=None, epsilon=(Fraction(0), None)
            )
        return part if needed else replace(part, fewest=0, conflicts=(), certificate=part.witness_certificate)

    def as_json(self) -> dict[str, Any]:
        """The part's record, rows counted from 1."""

        def told(rows: Iterable[tuple[str, int]]) -> list[list[Any]]:
            return [[name, row + 1] for name, row in rows]

        discarded = None if self.discarded is None else told(self.discarded)
        conflicts = [told(conflict) for conflict in self.conflicts]
        return super().as_json() | {
            "discarded": discarded,
            "fewest": self.fewest,
            "conflicts": conflicts,
            "level": float(self.level),
            "labels": list(self.labels),
        }


def fewest_discards(
    problem: Problem,
    epsilon: Level = 0,
    *,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
) -> Result:
    """For every independent part the fewest rows to discard so that the rest is consistent within `epsilon` (exact, in
    the rows' unit; one for each part, by name, if these have different units).
    """
    options = options or Options()
    proving, exact = proving_of(problem), proving_of(_exactly(problem))
    guess = start_point(problem, start)

    def answer(name: str, scope: tuple[int, ...], limit: Limit) -> Discards:
        if _shared(problem, scope):
            raise InputError(
                f"{name}: its rows share measurements, so that a row cannot be left out alone; ask about "
                f"families that share none"
            )
        progress(f"{name}: looking for conflicts")
        level = level_of(epsilon, name)
        search = PartSearch(proving if level else exact, scope, options, guess, named(progress, name), limit)
        part = _Discarding(search, level).solve(name)
        progress(f"{name}: {part.verdict.value} in {part.seconds:.2f} s")
        return part

    parts = share_each(independent_parts(problem), answer, options.workers, begun(options))
    return Result(tuple(parts), proving.canonical)


def _exactly(problem: Problem) -> Problem:
    """The same problem for a model error of 0, where all norms say the same, and the largest row is found soonest."""
    if not problem.distances:
        return problem
    return replace(problem, groups=tuple(replace(group, norm=LARGEST) for group in problem.groups))


def _shared(problem: Problem, scope: tuple[int, ...]) -> bool:
    """Whether members share measurements: rows of different families that are not one member."""
    members: dict[int, set[int]] = {column: set() for column in shared_columns(problem, scope)}
    for number in scope:
        for column in {binding.index for binding in problem.families[number].bindings if binding.measured}:
            members.get(column, set()).add(problem.member_families[number][0])
    return any(len(found) > 1 for found in members.values())


@dataclass(frozen=True, slots=True)
class _Conflict:
    """Rows that no x explains together, and the lines of the tree that proves it, as the checker accepts them."""

    rows: frozenset[Row]
    tree: tuple[str, ...]


class _Discarding:
    """The conflicts of one part so far, the rows that are left out, and a witness of the others if one was found."""

    def __init__(self, search: PartSearch, epsilon: Fraction) -> None:
        self.search, self.epsilon = search, epsilon
        self.conflicts: list[_Conflict] = []
        self.removed: tuple[Row, ...] = ()
        self.found: Witness | None = None
        self.guess = search.start

    def solve(self, name: str) -> Discards:
        """Conflicts until what meets them all leaves something feasible, or until the limit: then what was proved so
        far.
        """
        if not self.search.begun:
            return self._answer(name)
        searching = self.search.limit.share(SEARCHING)
        for step, limit in ((self._collect, searching.share(COLLECTING)), (self._suffice, searching)):
            try:
                with limit.enforced():
                    step()
            except Late as late:
                self.search.stopped = late.why
        return self._answer(name)

    def _collect(self) -> None:
        while True:
            self.found = self._feasible(self.removed)
            if self.found is not None:
                return
            if len(self.removed) >= MOST:
                self.search.stopped = Stopped.MANY
                return
            conflict = self._conflict(self.removed)
            if conflict is None:
                return
            self.conflicts.append(conflict)
            self.removed = fewest([conflict.rows for conflict in self.conflicts], self._suspicion())
            told = (
                f"{len(self.conflicts)} conflicts, so that {len(self.removed)} or more rows must go, "
                f"{self.search.remaining:.0f} s left"
            )
            self.search.progress(told)

    def _suffice(self) -> None:
        """If nothing is known to suffice: the fewest of the rows that a robust fit misses most, one after the other, no
        more than a certificate may name; then those are put back that need not go.
        """
        if self.found is not None:
            return
        order, low, high = self._by_robust_fit()[:DISCARDED], len(self.removed), max(len(self.removed), 1)
        while high < len(order) and not self._suffices(order[:high]):
            low, high = high, 2 * high
        high = min(high, len(order))
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._suffices(order[:middle]) else (middle, high)
        if self.found is None:
            self._suffices(order[:high])
        for row in reversed(self.removed):
            self._suffices(tuple(other for other in self.removed if other != row))

    def _suffices(self, removed: Sequence[Row]) -> bool:
        """Whether the rest is explained without these; then they are what is left out."""
        why = self.search.stopped
        found = self._feasible(tuple(removed))
        self.search.stopped = why
        if found is not None:
            self.found, self.removed = found, tuple(removed)
        return found is not None

    def _by_robust_fit(self) -> list[Row]:
        """All rows, those first that a robust fit misses by most of what their half-widths do not explain."""
        search = self.search
        fit = robust_fit(search.problem.blocks, search.scope, (), self.guess, search.box.radius)
        if fit is None:
            suspicion = self._suspicion()
            return sorted(suspicion, key=lambda row: -suspicion[row])
        beyond = iter((fit.misses - fit.explained).tolist())
        worst: dict[Row, float] = {}
        for number in search.scope:
            for k in range(search.problem.families[number].rows):
                row = (self._first(number), k)
                worst[row] = max(next(beyond), worst.get(row, -np.inf))
        return sorted(worst, key=lambda row: -worst[row])

    def _part(self, removed: Iterable[Row]) -> tuple[PartSearch, dict[int, tuple[Row, ...]]]:
        subset = kept_rows(self.search.problem, self.search.scope, set(removed))
        return PartSearch(
            Proving(subset.problem), subset.scope, self.search.options, self.guess, limit=self.search.limit
        ), subset.rows

    def _feasible(self, removed: tuple[Row, ...]) -> Witness | None:
        """A witness of the rows that are left, if a descent finds one; where none are left any point is one."""
        if not self._all() - set(removed):
            return _whole(self.search, Witness({}, {}, 0.0), self.search, {})
        part, rows = self._part(removed)
        witness = part.candidate(self.guess)
        needed = part.needed(witness)
        for v, value in witness.values.items():
            self.guess = np.array(self.guess)
            self.guess[v] = float(value)
        if needed is None or needed > self.epsilon:
            return None
        return _whole(self.search, witness.of_distances if self.epsilon else witness, part, rows)

    def _conflict(self, removed: tuple[Row, ...]) -> _Conflict | None:
        """Rows among those left that are refuted: the few that are worst at the last point if they are, else more and
        more of them, at last all.
        """
        left = self._all() - set(removed)
        worst = sorted(left, key=self._suspicion().__getitem__, reverse=True)
        fewest = len(self.search.variables) + 1
        sizes = [size for size in (fewest, 2 * fewest, 4 * fewest) if size < len(left)]
        for size in [*sizes, len(left)]:
            found = self._refuted(set(worst[:size]), 1.0 if size == len(left) else SHARE)
            if found is not None:
                return found
        return None

    def _refuted(self, kept: set[Row], share: float) -> _Conflict | None:
        """The rows that a refutation of these names, and its proof."""
        part, rows = self._part(self._all() - kept)
        answer = part.refute(self.epsilon, part.limit.share(ATTEMPT * share))
        self.search.splits += answer.splits
        self.search.stopped = answer.stopped
        if answer.stopped is not Stopped.FINISHED:
            return None
        again = part.repair(self.epsilon)

        def repair(box: ExactBox, tries: int) -> Steps | None:
            steps = again(box, tries)
            return None if steps is None else renumbered(steps, rows)

        proof = self.search.proving.proof(self.search.scope, Question(self.epsilon))
        try:
            tree = Replay(proof, self.search.limit, repair).run(renumbered(answer.steps, rows))
        except (Withdrawn, Rejection):
            self.search.stopped = Stopped.REPLAY
            return None
        return _Conflict(frozenset((self._first(n), k) for n, k in rows_named(tree)), tuple(tree))

    def _first(self, number: int) -> int:
        """The family that stands for a member with rows of this one."""
        return self.search.problem.member_families[number][0]

    def _all(self) -> set[Row]:
        return {(self._first(n), k) for n in self.search.scope for k in range(self.search.problem.families[n].rows)}

    def _suspicion(self) -> dict[Row, float]:
        """How badly each row fits at the last point, from 0 to 1."""
        found: dict[Row, float] = {}
        for number in self.search.scope:
            sides, _ = sides_at(self.search.problem.blocks, (number,), self.guess)
            count = self.search.problem.families[number].rows
            worst = np.maximum(sides[:count], sides[count : 2 * count])
            for k in range(count):
                row = (self._first(number), k)
                found[row] = max(float(worst[k]), found.get(row, -np.inf))
        largest = max(max(found.values()), 1e-300)
        return {row: min(max(value / largest, 0.0), 1.0) for row, value in found.items()}

    def _answer(self, name: str) -> Discards:
        search, found, removed = self.search, self.found, self.removed
        certificate, least = self._at_least()
        chosen = None
        if found is not None:
            block = witness_lines(search.problem, found, removed if removed else None)
            names = search.proving.names(search.scope)
            chosen = search.proving.written(Claim(names, discard=len(removed), upper=self.epsilon, witness=block), ())
        if found is not None and least == len(removed):
            search.stopped = Stopped.FINISHED
        part = search.part(
            name, Verdict.UNDECIDED if found is None and not least else Verdict.DISCARDS, (Fraction(0), None), found
        )
        problem = search.problem
        poses = any(search.scope[0] in problem.part(group.families) for group in problem.groups)
        told = {item.name: getattr(part, item.name) for item in fields(part)}
        told |= {
            "epsilon": (Fraction(0), self.epsilon if found is not None else None),
            "certificate": certificate or chosen,
        }
        told |= {
            "discarded": None if found is None else problem.called(removed),
            "labels": tuple(problem.poses[k] if problem.poses else str(k + 1) for _, k in sorted(removed))
            if found is not None and poses
            else (),
            "noun": "pose" if poses else "measurement",
            "fewest": least,
            "witness_certificate": chosen,
            "level": self.epsilon,
        }
        return Discards(**told | {"conflicts": tuple(problem.called(conflict.rows) for conflict in self.conflicts)})

    def _at_least(self) -> tuple[bytes | None, int]:
        """How many rows must go, with the certificate that fewer are not enough; the count is a solver's, that no fewer
        suffice is confirmed here.
        """
        if not self.conflicts:
            return None, 0
        search = self.search
        count = len(fewest([conflict.rows for conflict in self.conflicts], {}))
        try:
            with search.limit.after(GRACE).enforced():
                self._prune(count)
                confirmed = not hit([conflict.rows for conflict in self.conflicts], count - 1, Clock())
        except Late as late:
            search.stopped = late.why
            return None, 0
        if not confirmed:
            search.stopped = Stopped.REPLAY
            return None, 0
        trees = [line for conflict in self.conflicts for line in conflict.tree]
        tree = trees if count == 1 else [node_line(Hitting(len(self.conflicts))), *trees]
        claim = Claim(search.proving.names(search.scope), discard=count - 1, lower=self.epsilon)
        return search.proving.written(claim, tree), count

    def _prune(self, least: int) -> None:
        """Leave out conflicts without which as many rows are needed."""
        for conflict in list(self.conflicts):
            others = [other for other in self.conflicts if other is not conflict]
            if len(fewest([other.rows for other in others], {})) == least:
                self.conflicts = others


def _whole(search: PartSearch, witness: Witness, part: PartSearch, rows: dict[int, tuple[Row, ...]]) -> Witness:
    """The witness of a subset of the rows as one of all; the entries of rows that are left out stay in the middle."""
    half = (Fraction(1, 2), Fraction(1, 2))
    columns = {
        c: [half] * len(search.problem.columns[c].lower) for n in search.scope for c in _columns(search.problem, n)
    }
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
