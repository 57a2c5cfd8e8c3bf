"""Certificates for systems of equations and inequalities.

    all solutions are known     exactly so many, each alone in a box of its own     zeros N
    there is none               no point solves it                                  lower 0
    anything else               every solution is in the boxes left open            within 0, and their volume

The solutions come from the engine's search, the proof that there are no others from a search of its own
(`certify.solvers.search.proof_search`), whose tree is replayed in the checker's arithmetic, trimmed there, and written.
A leaf that fails in the replay is divided where this brings it nearest to a proof; a zero or a box that cannot be
confirmed at all means that there is no certificate, and the answer says why. Boxes that may stay open do.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.checker.certificate import Hull
from certify.checker.isolated import Enclosure, overlapping
from certify.checker.outcome import Clock
from certify.checker.rules import Proof, Question
from certify.checker.scope import Box as ExactBox
from certify.contractors.checkpoint import checkpoints
from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.model.model import Problem
from certify.problems.systems.folded_terms import Fold, folds
from certify.problems.systems.system import System
from certify.problems.systems.system_canonical import MOST_VARIABLES, NotCertifiable, canonical_problem
from certify.proofs.certificate_text import Claim, Zero
from certify.proofs.problem_replay import Proving, Withdrawn, volume_of
from certify.proofs.system_replay import ProofReplay, lines_of, nested, outermost_first
from certify.proofs.system_zeros import zero_boxes, zeros_together
from certify.records.options import Progress
from certify.solvers.graph.own import Own, OwnContractors, own_of_system
from certify.solvers.journal.journal import NOTHING, Memory
from certify.solvers.limits import UNLIMITED, Late, Limit, Stopped
from certify.solvers.memory import garbage_waits
from certify.solvers.proof.proof_tree import Node
from certify.solvers.search.branch_and_prune import Paving
from certify.solvers.search.independent_systems import groups
from certify.solvers.search.proof_search import ENDED, LONGER, Exhausted, Limits, Manner, ProofSearch, Why, late
from certify.solvers.tasks.own_steps import OwnSteps
from certify.solvers.workers.crew import ALONE, Crew
from certify.text.decimals import round_up

MANNERS = (  # one after the other; the search of each may take this part of the time that is left
    (Manner(), 0.4),
    (Manner(power=1.0, dull=0.2, share=0.0), 0.5),
    (Manner(enough=0.2, dull=1.0, share=0.1), 0.7),
)
COUNTING = 0.8  # of the time left: the rest is for where the solutions are, if they cannot be counted
SEARCHING = 0.4  # of the time left, where boxes may stay open
MOST_LEAVES = 500_000
MOST_COVERING = 50_000  # leaves
LITTLE = 1e-3  # of the domain: so much may stay open of what the search did not reach
FEW = 200  # leaves that may show that what a search left undecided holds nothing else
NARROWED = 2  # boxes for each solution: more were divided rather than narrowed
UNBOUNDED = "bounds for all variables help"
SAMPLE = 10_000  # boxes whose volumes are summed
REFUTED_NOTHING = "no part of the domain could be refuted"
AT_AN_EDGE = (
    "most often a box touches the edge of a function's domain (a divisor that may be 0, the root or "
    "logarithm of what may be <= 0), and "
    "shrinking the domains of the variables away from it helps"
)


@dataclass(frozen=True, slots=True)
class Proves:
    """What a certificate says: exactly so many solutions, or (None) that all lie in the boxes left open, so large a
    share of the domain.

    `uncounted` is why solutions that the search has found are not counted, `meaning` what the variables of the
    certificate stand for, `own` how many of its leaves users' contractors have given the reasons of.
    """

    solutions: int | None = None
    open_boxes: int = 0
    share: Fraction | None = None
    uncounted: str = ""
    meaning: tuple[str, ...] = ()
    own: int = 0


@dataclass(frozen=True, slots=True)
class SystemCertificate:
    """The canonical problem and its certificate, or the reason why there is none."""

    canonical: bytes = b""
    certificate: bytes = b""
    proves: Proves | None = None
    reason: str = ""
    seconds: float = 0.0

    @property
    def counts(self) -> bool:
        """Whether it says that the solutions that were found are all."""
        return self.proves is not None and self.proves.solutions is not None


@garbage_waits()
def certify_system(
    system: System,
    paving: Paving,
    seconds: float,
    progress: Progress | None = None,
    limit: Limit = UNLIMITED,
    every: bool = False,
    memory: Memory = NOTHING,
    crew: Crew = ALONE,
    contractors: OwnContractors = (),
) -> SystemCertificate:
    """A certificate for what a search has found, in so many seconds, or until the limit of the run that
    it is part of; with `every` no leaf is written that was not judged in the checker's arithmetic. A `crew` works
    at the proof with this process, and what is in `memory` is not searched again. Users' own `contractors` give
    reasons where they can, of the rows of the certificate, unless a variable has no bounds.
    """
    began = time.perf_counter()
    limit = limit.within(seconds)
    try:
        with limit.enforced():
            proving = Proving(canonical_problem(system))
            equations = equations_of_problem(proving.problem)
            bounded = not any(fold.needed for fold in folds(system))
            own = own_of_system(equations, contractors) if bounded else ()
        found, rows = _folded(folds(system), paving), tuple(range(len(proving.problem.families)))
        work = _Work(
            proving,
            found,
            equations,
            Box(*proving.problem.box),
            rows,
            limit,
            progress,
            every,
            NOTHING if own else memory.about(proving.canonical),
            ALONE if own else crew,
            own,
        )
        certificate, proves = work.best()
    except (NotCertifiable, Exhausted, Withdrawn, Late, MemoryError) as failure:
        return SystemCertificate(reason=_reason(failure, system, seconds), seconds=time.perf_counter() - began)
    meaning = tuple(
        fold.text(variable.name) for variable, fold in zip(system.variables, folds(system), strict=True) if fold.needed
    )
    return SystemCertificate(
        proving.canonical, certificate, replace(proves, meaning=meaning), seconds=time.perf_counter() - began
    )


@garbage_waits()
def certify_part(
    proving: Proving, equations: Equations, paving: Paving, part: ExactBox, limit: Limit, leaves: int
) -> bytes:
    """A piece: that there are no solutions in a part of the box but those that a search has found, which the paving of
    the part holds. Raises Exhausted, Withdrawn or Late, also where its proof has more leaves.
    """
    low, high = (np.array(ends) for ends in zip(*(enclose_range(*ends) for ends in part), strict=True))
    rows = tuple(range(len(proving.problem.families)))
    work = _Work(proving, paving, equations, Box(low, high), rows, limit, None, False, part=part, leaves=leaves)
    return work.counted()[0]


def _reason(failure: Exception, system: System, seconds: float) -> str:
    """Why there is no certificate, and what helps, if anything does."""
    if isinstance(failure, MemoryError):
        return f"{ENDED[Stopped.MEMORY]}; a machine with more of it, or fewer equations, help"
    if isinstance(failure, Late):
        failure = late(failure.why, "before there was a proof")
    why = failure.why if isinstance(failure, Exhausted) else None
    if why is Why.LATE:
        return (
            f"{failure} (in {seconds:.3g} s; {LONGER})"
            if isinstance(failure, Exhausted) and failure.stopped is Stopped.TIME
            else str(failure)
        )
    if why is Why.TOO_SMALL:
        return f"{failure}; {UNBOUNDED if any(fold.needed for fold in folds(system)) else AT_AN_EDGE}"
    return str(failure)


def equations_of_problem(problem: Problem) -> Equations:
    """All rows of a system's problem on one tape, what is less an amount without it: what the checker will enclose, for
    the engine.
    """
    builder = Builder(len(problem.variables))
    outputs, lower, upper = [], [], []
    for family in problem.families:
        amounts = [problem.columns[b.index] for b in family.bindings if b.measured]
        inputs = [builder.constant(0) if b.measured else b.index for b in family.bindings]
        outputs.append(replay(family.tape, builder, inputs)[family.tape.outputs[0]])
        lower.append(-np.inf if amounts and amounts[0].lower[0] < 0 else 0.0)
        upper.append(np.inf if amounts and amounts[0].upper[0] > 0 else 0.0)
    return Equations(builder.tape(tuple(outputs)), np.array(lower), np.array(upper))


@dataclass(frozen=True, slots=True)
class _Work:
    """What a certificate is made of; `scope` are the rows, all of them or those of a group."""

    proving: Proving
    paving: Paving
    equations: Equations
    domain: Box
    scope: tuple[int, ...]
    limit: Limit
    progress: Progress | None
    every: bool
    memory: Memory = NOTHING
    crew: Crew = ALONE
    own: tuple[Own, ...] = ()
    part: ExactBox | None = None  # of the box, if that is all that is asked about
    leaves: int | None = None  # of a proof that is tried once, and given up where it is longer

    def best(self) -> tuple[bytes, Proves]:
        """All solutions counted, which may be provable though their search did not end; or where they are. Raises
        Exhausted, Withdrawn or Late.
        """
        paving = self.paving
        if paving.inner or (
            paving.solutions and (self.equations.variables > MOST_VARIABLES or not self.equations.square)
        ):
            return self.covered()
        complete = paving.stopped is Stopped.FINISHED and not (paving.undecided or paving.unexplored)
        try:
            return replace(self, limit=self.limit.share(COUNTING if complete else SEARCHING)).counted()
        except (Exhausted, Withdrawn, Late) as failure:
            if self.limit.late():
                raise
            certificate, proves = self.covered()
            return certificate, replace(
                proves, uncounted=str(failure)
            ) if complete and proves.solutions is None else proves

    def counted(self) -> tuple[bytes, Proves]:
        """Exactly the solutions that were found, of each group of variables if they were searched apart; raises
        Exhausted, Withdrawn or Late.
        """
        proving, scope = self.proving, self.scope
        places, proved, own = [], [], 0
        for chosen, columns, work in self._apart():
            zeros, replay = work._proved()
            tree, own = replay.found, own + replay.own
            if not zeros:
                claim = Claim(proving.names(scope), lower=Fraction(0), part=self.part)
                return proving.written(claim, lines_of(tree)), Proves(0, own=replay.own)
            places.append((chosen, columns, zeros))
            proved.append((tree, len(zeros)))
        with self.limit.enforced():
            order = outermost_first(proved)
            together = zeros_together([places[k] for k in order])
            lines = lines_of(nested([proved[k] for k in order]))
            claim = Claim(proving.names(scope), zeros=together, part=self.part)
            return proving.written(claim, lines), Proves(len(together), own=own)

    def _apart(self) -> list[tuple[tuple[int, ...], tuple[int, ...], _Work]]:
        """What is proved for each group of variables: these, the places of its equations among all, and its work; those
        that may have no solution first.
        """
        equalities = self.equations.equalities.tolist()
        with self.limit.enforced():
            found = {group.variables: group for group in groups(self.equations)} if self.paving.apart else {}
        if any(chosen not in found for chosen, _ in self.paving.apart) or not found:
            return [(tuple(range(self.equations.variables)), tuple(range(len(equalities))), self)]
        parts = []
        for chosen, paving in sorted(self.paving.apart, key=lambda part: len(part[1].solutions)):
            group, ends = found[chosen], list(chosen)
            domain = Box(self.domain.lower[ends], self.domain.upper[ends])
            rows = tuple(self.scope[k] for k in group.constraints)
            columns = tuple(equalities.index(group.constraints[k]) for k in group.equations.equalities)
            work = replace(self, paving=paving, equations=group.equations, domain=domain, scope=rows)
            parts.append((chosen, columns, work))
        return parts

    def _proved(self) -> tuple[list[Zero], ProofReplay]:
        """The zeros, and a tree that there are no others; raises Exhausted, Withdrawn or Late."""
        with self.limit.enforced():
            zeros = self._zeros()
        question = Question(Fraction(0), zeros=tuple(zero.box for zero in zeros))
        ends = _ends([(zero.lower, zero.upper) for zero in zeros], self.domain)
        self._settle_undecided(ends)
        manners, leaves = (MANNERS, MOST_LEAVES) if self.leaves is None else (MANNERS[:1], self.leaves)
        for number, (manner, share) in enumerate(manners, 1):
            last = number == len(manners)
            search = self._search(ends, Limits(self.limit if last else self.limit.share(share), leaves), manner)
            try:
                return zeros, self._confirmed(
                    search, search.prove(self.domain), self.proving.proof(self.scope, question, self.root())
                )
            except Exhausted:
                if last or self.limit.late():
                    raise
        raise AssertionError("there is no manner")

    def root(self) -> ExactBox | None:
        """The part that is asked about, in the variables of the scope; None where all of the box is."""
        return None if self.part is None else tuple(self.part[v] for v in self.proving.judge(self.scope).variables)

    def _settle_undecided(self, zeros: tuple[Floats, Floats]) -> None:
        """Raises Exhausted unless what the search left undecided is soon refuted, or lies within the boxes of zeros."""
        undecided = self.paving.undecided
        if not undecided:
            return
        search = self._search(zeros, Limits(self.limit, FEW))
        for box in undecided[: FEW + 1]:
            search.prove(box)

    def _search(self, zeros: tuple[Floats, Floats], limits: Limits, manner: Manner | None = None) -> ProofSearch:
        """Its tools, made within the limit. Raises Late."""
        with limits.limit.enforced(), checkpoints(limits.limit.check):
            shaves = self.paving.cells <= NARROWED * (1 + len(self.paving.solutions))
            memory = self.memory.about(repr(self.scope).encode())
            search = ProofSearch(
                self.equations, zeros, limits, manner, self.progress, shaves, self.paving.halvings, memory, self.crew
            )
            if self.own:
                judge = ProofReplay(self.proving.proof(self.scope, Question(Fraction(0))), search)
                search.heed(OwnSteps(self.own, judge.confirms))
            return search

    def _zeros(self) -> list[Zero]:
        """Boxes around the solutions."""
        square = _square(self.equations)
        enclosures = [solution.enclosure for solution in self.paving.solutions]
        isolated: list[Enclosure] = []

        def accepts(zero: Zero) -> bool:
            where = self.proving.isolated(self.scope, zero)
            isolated.extend([] if where is None else [where])
            return where is not None

        found = zero_boxes(square, enclosures, self.domain, accepts)
        zeros = [zero for zero in found if zero is not None]
        if len(zeros) < len(found):
            raise Withdrawn(
                f"solution {found.index(None) + 1} is not confirmed by the checker's arithmetic as isolated and "
                f"within the bounds"
            )
        if overlapping(isolated, Clock()) is not None:
            raise Withdrawn("the zeros are not isolated from each other")
        return zeros

    def covered(self) -> tuple[bytes, Proves]:
        """All solutions lie in boxes that are left open, or there are none; raises Withdrawn if these are the whole
        domain.
        """
        proving, scope, paving = self.proving, self.scope, self.paving
        proved = [solution.enclosure for solution in paving.solutions]
        share = sum(_share(boxes, self.domain) for boxes in (paving.undecided, paving.inner, proved))
        share += min(_share(paving.unexplored, self.domain), LITTLE)
        limits = Limits(self.limit.share(SEARCHING), MOST_COVERING)
        search = self._search(_ends([(box.lower, box.upper) for box in proved], self.domain), limits)
        exact = proving.judge(scope).box
        proof = proving.proof(scope, Question(Fraction(0), hull=Hull(exact)))
        replay = self._confirmed(search, search.cover(self.domain, share), proof, may_stay=True)
        left, tree = replay.left, replay.found
        if not left:
            return proving.document(scope, Fraction(0), None, None, lines_of(tree)), Proves(0, own=replay.own)
        hull = Hull(
            tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*left, strict=True))
        )
        sizes, whole = [volume_of(box) for box in left], volume_of(exact)
        if not replay.refuted:
            if limits.limit.late():
                raise late(limits.limit.why, "before a part of the domain was refuted")
            raise Withdrawn(REFUTED_NOTHING)
        volume = None if len(exact) > MOST_VARIABLES else round_up(sum(sizes, Fraction(0)) or Fraction(0))
        claim = Claim(proving.names(scope), within=Fraction(0), volume=volume, hull=hull)
        part = sum(sizes, Fraction(0)) / whole if whole else None
        return proving.written(claim, lines_of(tree)), Proves(None, len(left), part, own=replay.own)

    def _confirmed(self, search: ProofSearch, tree: Node, proof: Proof, may_stay: bool = False) -> ProofReplay:
        """The tree as the checker accepts it: its lines, and the boxes that it leaves open."""
        search.limits = Limits(self.limit)
        if self.progress is not None:
            self.progress(f"certificate: {search.leaves} leaves are confirmed in the checker's arithmetic")
        replay = ProofReplay(proof, search, may_stay, self.every)
        replay.run(tree)
        return replay


def _square(equations: Equations) -> Equations:
    """The equations alone, whose derivatives are known already if there is nothing else."""
    rows = equations.equalities
    if rows.size == len(equations.tape.outputs):
        return equations
    outputs = tuple(equations.tape.outputs[row] for row in rows)
    return Equations(
        Tape(equations.tape.inputs, equations.tape.steps, outputs), np.zeros(rows.size), np.zeros(rows.size)
    )


def _folded(found: Sequence[Fold], paving: Paving) -> Paving:
    """What was found, in the variables of the certificate."""
    if not any(fold.needed for fold in found):
        return paving

    def place(box: Box) -> Box:
        lower, upper = (
            np.array([float(fold.place(end)) for fold, end in zip(found, ends, strict=True)])
            for ends in (box.lower, box.upper)
        )
        return Box(lower, upper)

    def folded(v: int, at: float) -> float:
        return float(found[v].place(np.array(at)))

    solutions = tuple(replace(solution, enclosure=place(solution.enclosure)) for solution in paving.solutions)
    inner, undecided, unexplored = (
        tuple(map(place, boxes)) for boxes in (paving.inner, paving.undecided, paving.unexplored)
    )
    return replace(
        paving,
        solutions=solutions,
        inner=inner,
        undecided=undecided,
        unexplored=unexplored,
        halvings=None if paving.halvings is None else paving.halvings.mapped(folded),
        apart=tuple((chosen, _folded([found[v] for v in chosen], group)) for chosen, group in paving.apart),
    )


def _ends(boxes: Sequence[tuple[Any, Any]], domain: Box) -> tuple[Floats, Floats]:
    """Lower and upper ends of boxes, as arrays (box, variable)."""
    lower, upper = (np.array([box[end] for box in boxes]).reshape(-1, domain.lower.size) for end in (0, 1))
    return lower, upper


def _share(boxes: Sequence[Box], domain: Box) -> float:
    """The volume of boxes as a share of that of the domain; of very many by estimate, from some of them."""
    some = boxes[:: 1 + len(boxes) // SAMPLE]
    wide, whole = domain.upper > domain.lower, domain.upper - domain.lower
    return sum(float(((box.upper - box.lower)[wide] / whole[wide]).prod()) for box in some) * (
        len(boxes) / max(len(some), 1)
    )
