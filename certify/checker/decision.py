"""The whole check: both texts, the hash between them, the scope, the point, the witness, the hull, the
zeros, the tree.
"""

import hashlib
from copy import copy
from decimal import Context
from fractions import Fraction
from functools import partial
from typing import Final

from .certificate import DISCARDED, Certificate, parse_certificate
from .isolated import Enclosure, check_size, check_zeros
from .minimum import check_minimum
from .outcome import DEFAULT_SECONDS, Clock, Outcome, Rejection, ResourceLimit, Status, require
from .pieces import Judged, Load, Pieces
from .problem import CanonicalProblem, parse_problem
from .rules import Proof, Question
from .scope import Box, Scope, check_roles, find_families
from .shares import in_shares
from .tree import walk
from .witness import check_witness

LINES: Final = {
    **{rule: rule for rule in ("problem", "scope", "group", "point", "volume", "zeros")},
    "squares": "norm",
    "role": "groups",
    "part": "point",
    "discard": "discard",
}


def none_at_hand(_: str) -> None:
    """There are no pieces."""


def check(
    problem_bytes: bytes,
    certificate_bytes: bytes,
    seconds: int = DEFAULT_SECONDS,
    load: Load = none_at_hand,
    processes: int = 1,
) -> Outcome:
    """Judge a certificate for a canonical problem, its pieces loaded by their hashes; never raises on any content."""
    try:
        words = _verify(problem_bytes, certificate_bytes, Clock(seconds), load, processes)
        return Outcome(Status.VERIFIED, f"VERIFIED {words}")
    except Rejection as rejection:
        return Outcome(Status.REJECTED, f"REJECTED {rejection.where or 'certificate'}: {rejection}")
    except ResourceLimit as limit:
        return Outcome(Status.RESOURCE, f"RESOURCE {limit}")
    except (MemoryError, RecursionError) as limit:
        return Outcome(Status.RESOURCE, f"RESOURCE {type(limit).__name__}")


def _verify(problem_bytes: bytes, certificate_bytes: bytes, clock: Clock, load: Load, processes: int) -> str:
    """What was proved, in words."""
    problem = parse_problem(problem_bytes)
    certificate = parse_certificate(certificate_bytes)
    same = hashlib.sha256(problem_bytes).hexdigest() == certificate.problem
    return _judged(problem, certificate, clock, load, same, processes).words


def _judged(
    problem: CanonicalProblem,
    certificate: Certificate,
    clock: Clock,
    load: Load,
    same: bool = True,
    processes: int = 1,
) -> Judged:
    """What a certificate proves, if it is about this problem; its pieces one after the other, of which none has any."""
    try:
        require(same, "problem", "the certificate is for another problem")
        pieces = Pieces(certificate, load, lambda piece: _judged(problem, piece, clock, none_at_hand), clock)
        words, zeros = _proved(problem, certificate, clock, pieces, processes)
        return Judged(words, zeros)
    except Rejection as rejection:
        line = certificate.places.get(LINES.get(rejection.rule, ""))
        rejection.where = rejection.where or ("certificate" if line is None else f"certificate line {line}")
        raise


def _proved(
    problem: CanonicalProblem, certificate: Certificate, clock: Clock, pieces: Pieces, processes: int
) -> tuple[str, tuple[Box, ...]]:
    """What was proved, in words, and where its zeros are."""
    groups, factor, precision = certificate.groups, certificate.factor, certificate.precision
    families = find_families(problem, groups)
    scope = Scope(problem, families, precision, groups, factor)
    if certificate.kind:
        check_roles(scope, certificate.kind, certificate.discard)
    many = certificate.discard <= DISCARDED or all(scope.table(family) is not None for family in families)
    require(many, "discard", f"more than {DISCARDED} rows, of families that are not all tables")
    box = _root_box(scope, certificate)
    entries = (bounds for column in scope.columns for bounds in problem.columns[column].entries)
    exact = not certificate.squares or factor == 0 or all(lower == upper for lower, upper in entries)
    require(exact, "squares", "a measurement is not known exactly")
    if certificate.upper is not None and certificate.witness is not None:
        check_witness(scope, certificate.witness, box, certificate.upper, certificate.squares, clock)
    if certificate.hull is not None:
        scope.check_within("hull", certificate.hull.box, scope.box)
        fit = all(len(facet.coefficients) == len(box) for facet in certificate.hull.facets)
        require(fit, "hull", f"facets of {len(box)} coefficients and a bound were expected")
    require(
        all(len(zero.box) == len(box) for zero in certificate.isolated),
        "zero",
        f"{len(box)} pairs of ends were expected",
    )
    if certificate.volume is not None:
        check_size(scope, "volume")
    enclosures: list[Enclosure] = []
    if certificate.zeros is not None:
        enclosures = check_zeros(scope, certificate.isolated, clock)
    if certificate.minimum is not None:
        check_minimum(scope, certificate.isolated[0], certificate.minimum, clock)
    if certificate.level is not None:
        isolated = tuple(zero.box for zero in certificate.isolated)
        asked = certificate.level, certificate.squares, certificate.discard, certificate.hull
        question = Question(*asked, isolated, certificate.volume, groups, factor, certificate.kind)
        proof = Proof(problem, families, precision, question, box, clock)
        walked = partial(walk, proof, copy(certificate.tree), clock, pieces.judge)
        in_shares(walked, 1 if certificate.discard else processes)
    clock.check()
    grid = scope.arithmetic.one
    zeros = tuple(tuple((Fraction(low, grid), Fraction(high, grid)) for low, high in found) for found in enclosures)
    return _words(certificate, scope, pieces.count), zeros


def _root_box(scope: Scope, certificate: Certificate) -> Box:
    """The scope's box, or the given part or point of it."""
    if certificate.part is not None:
        scope.check_within("part", certificate.part, scope.box)
        return certificate.part
    if certificate.point is None:
        return scope.box
    box = tuple((value, value) for value in certificate.point)
    scope.check_within("point", box, scope.box)
    return box


def _words(certificate: Certificate, scope: Scope, pieces: int) -> str:
    """The claim of a valid certificate."""
    part = "" if certificate.part is None else "a part of "
    place = f"in {part}the box of {len(scope.variables)} variables"
    place = place if certificate.point is None else "at the given point"
    rows = f"all rows but {certificate.discard}" if certificate.discard else "all rows"
    error = "the sum of all r^2 is" if certificate.squares else f"in {rows} |r| is"
    if not all(group.ordinary for group in certificate.groups):
        error = f"{rows.replace('row', 'member')} of the groups are within their bounds b(e), e"
    times = "" if certificate.factor == 1 else f" {_decimal(certificate.factor)} times as wide"
    bounds = f"unknowns and measurements within their bounds{times}"
    facets = certificate.hull.facets if certificate.hull is not None else ()
    hull = f"the hull and its {len(facets)} half-spaces" if facets else "the hull"
    others = "unknowns " if certificate.zeros is None else "unknowns but those of the zeros "
    counted = "the number of points that solve r = 0 in all rows is exactly"
    if certificate.within is not None:
        counted = counted.replace("exactly", "at least")
    if part:
        counted = "isolated points of the whole box that solve r = 0 in all rows, with all such points of this part ="
    reach = "the only global minimiser" if certificate.everywhere else "a strict local minimiser"
    claims = (
        (certificate.lower, f"for no {bounds} {error} <= lower ="),
        (certificate.upper, f"for some {bounds} {error} <= upper ="),
        (certificate.within, f"in {hull} lie all {others}for which with some measurements {error} <= within ="),
        (certificate.volume, "these have a volume <="),
        (certificate.zeros, counted),
        (certificate.minimum, f"zero 0 holds {reach} of the sum of all r^2, which there is <="),
    )
    told = "; ".join(f"{words} {_decimal(Fraction(value))}" for value, words in claims if value is not None)
    kind = f"{certificate.kind}, " if certificate.kind else ""
    proofs = f" (with {pieces} piece{'s' if pieces > 1 else ''})" if pieces else ""
    return f"{kind}scope {' '.join(certificate.scope)}, {place}: {told}{proofs}"


def _decimal(value: Fraction) -> str:
    """The exact decimal, if there is one of at most 40 digits, else the fraction."""
    quotient = Context(prec=40).divide(value.numerator, value.denominator)
    return f"{quotient:f}" if Fraction(quotient) == value else str(value)
