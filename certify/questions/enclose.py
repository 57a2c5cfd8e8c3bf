"""Where can the parameters be? For every part the box hull of all x that explain every measurement within epsilon.

Outer side: the contractor graph narrows the search box; then, face by face, the slab between the face and the outermost
witness is refuted by branch and bound, all but a hundredth of the width, or as much of it as can be. Inner side: for
each variable and direction a witness found by sequential linear programming and verified exactly. One certificate a
part says that nothing lies outside the hull.

Parts are enclosed apart. Rows of different parts may share measurements; one realisation for all can only make the
hulls smaller, so they hold for all rows together as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction

from certify.contractors.tape.evaluation import Floats
from certify.parts.hull_search import HullSearch
from certify.parts.hulls import Enclosed, Enclosure, Face, Hull
from certify.parts.part_search import Level, PartSearch, exact_number, level_of
from certify.parts.polytope import Direction, Polytope, polytope
from certify.parts.scopes import independent_parts, joint_scope, start_point
from certify.parts.warm_up import begun
from certify.parts.workers import share_each
from certify.problems.errors import InputError
from certify.problems.formulas.units import require_known
from certify.problems.model.model import Problem
from certify.proofs.problem_replay import Withdrawn, proving_of
from certify.records.options import Options, Progress, named, silent
from certify.records.results import Part
from certify.records.verdicts import Verdict
from certify.solvers.limits import Late, Limit, Stopped
from certify.solvers.proof.trace import Steps, left_open

BOX = 0.5  # of the time, where half-spaces are asked for too
GAP = Fraction(1, 100)  # of the hull's width, between a face and its witness


def enclose(
    problem: Problem,
    epsilon: Level = 0,
    *,
    gap: Fraction | int | str = GAP,
    start: Floats | None = None,
    options: Options | None = None,
    progress: Progress = silent,
    polytopes: bool = False,
    directions: Mapping[str, Sequence[Direction]] | None = None,
) -> Enclosure:
    """The hull of everything consistent within `epsilon` (exact, in the rows' unit; one for each part by name,
    if these have different units), for every independent part.

    `gap` is the distance of a face from its witness that is good enough, in parts of the hull's width; of the options
    the gap is not used, and the resolution is a distance that is always good enough, in the variables' units (by
    default 1e-11 of their bounds' width). `polytopes` asks also for half-spaces along the principal axes of the rows,
    which cut the hull down where parameters trade off against each other; `directions` for those along sums of
    variables, by the names of parts.
    """
    tolerance = exact_number("gap", gap)
    if not 0 < tolerance < 1:
        raise InputError(f"gap is {float(tolerance)}; give a part of the hull's width between 0 and 1, such as 1/100")
    found = independent_parts(problem)
    require_known("directions", directions or (), [name for name, _ in found])
    options = options or Options()
    proving = proving_of(problem)
    guess = start_point(problem, start)

    def answer(name: str, numbers: tuple[int, ...], limit: Limit) -> Enclosed:
        progress(f"{name}: enclosing")
        search = PartSearch(proving, numbers, options, guess, named(progress, name), limit)
        level = level_of(epsilon, name)
        wanted = tuple((directions or {}).get(name, ()))
        part = (
            _solve(search, name, level, tolerance, polytopes or bool(wanted), wanted)
            if search.begun
            else _enclosed(search.unknown(name))
        )
        progress(f"{name}: {part.verdict.value} in {part.seconds:.2f} s")
        return replace(part, level=level)

    parts = share_each(found, answer, options.workers, begun(options))
    cut = {name for name, wanted in (directions or {}).items() if wanted}
    bare = tuple(
        part.name
        for part in parts
        if (polytopes or part.name in cut) and part.box is not None and part.polytope is None
    )
    return Enclosure(tuple(parts), proving.canonical, joint_scope(problem, len(parts)) is not None, bare)


def _solve(
    search: PartSearch,
    name: str,
    epsilon: Fraction,
    tolerance: Fraction,
    with_polytope: bool,
    directions: Sequence[Direction],
) -> Enclosed:
    """Narrow, find witnesses, cut slabs; without a witness the whole box is refuted, as far as that goes."""
    whole = search.limit
    search.limit = whole.share(BOX) if with_polytope else whole
    hull = HullSearch(search, epsilon, tolerance)
    steps = hull.narrow()
    if left_open(steps) and not hull.begin(search.start):
        answer = search.refute(epsilon, search.limit.share(0.5))
        steps = answer.steps
        if answer.stopped is Stopped.FEASIBLE and answer.remaining is not None:
            hull.begin(answer.remaining.centre)
    if hull.inner is None:
        return _without_witness(search, hull, name, steps)
    hull.walk()
    hull.cut_slabs()
    search.stopped = next((hull.stopped(face) for face in hull.faces() if not hull.closed(face)), Stopped.FINISHED)
    part = search.part(name, Verdict.ENCLOSED, (Fraction(0), epsilon), hull.witness)
    skew = polytope(hull, whole, directions) if with_polytope else None
    certificate = hull.proof.certificate() if skew is None else skew.certificate
    return _enclosed(part, _faces(hull), certificate, _witnesses(search, hull), skew)


def _without_witness(search: PartSearch, hull: HullSearch, name: str, steps: Steps) -> Enclosed:
    """Everything is refuted, or what was left undecided has a hull, in which there may be nothing."""
    try:
        rest, tree = search.proving.enclosure(
            search.scope, hull.epsilon, steps, search.limit, search.repair(hull.epsilon)
        )
        if rest is None:
            search.stopped = Stopped.FINISHED
            return _enclosed(search.part(name, Verdict.INFEASIBLE, (hull.epsilon, None), tree=tree))
        hull.proof.replace(rest, tree)
    except Withdrawn:
        search.stopped = search.limit.reached(Stopped.REPLAY)
    except Late as late:
        search.stopped = late.why
    part = search.part(name, Verdict.UNDECIDED, (Fraction(0), None))
    return _enclosed(part, _faces(hull), hull.proof.certificate())


def _faces(hull: HullSearch) -> Hull:
    variables = [hull.search.problem.variables[v] for v in hull.search.variables]
    faces = []
    for v, variable in zip(hull.search.variables, variables, strict=True):
        pair = []
        for face, bound in (((v, -1), variable.lower), ((v, 1), variable.upper)):
            reached = hull.reached.get(face)
            outer = hull.outer(face)
            pair.append(Face(outer, None if reached is None else reached.value, outer == bound, hull.stopped(face)))
        faces.append((pair[0], pair[1]))
    return Hull(tuple(v.name for v in variables), tuple(v.unit for v in variables), tuple(faces))


def _witnesses(search: PartSearch, hull: HullSearch) -> dict[str, bytes]:
    """A certificate for the witness of every face: that there is something consistent at this point."""
    return {
        f"{search.problem.variables[face[0]].name}-{'upper' if face[1] > 0 else 'lower'}": search.proving.document(
            search.scope, None, hull.epsilon, reached.witness, (), limit=search.limit
        )
        for face, reached in hull.reached.items()
    }


def _enclosed(
    part: Part,
    box: Hull | None = None,
    certificate: bytes | None = None,
    witnesses: dict[str, bytes] | None = None,
    skew: Polytope | None = None,
) -> Enclosed:
    told = {field.name: getattr(part, field.name) for field in fields(part)}
    told |= {
        "box": box,
        "certificate": certificate or part.certificate,
        "witness_certificates": witnesses or {},
        "polytope": skew,
    }
    return Enclosed(**told)
