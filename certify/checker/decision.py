"""The whole check: both texts, the hash between them, the scope, the point, the witness, the hull, the zeros, the tree."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import partial
from typing import Final

from .certificate import Certificate, Hull, parse_certificate
from .isolated import check_isolated, check_size, check_square, isolate
from .minimum import check_exact, check_minimum
from .outcome import DEFAULT_SECONDS, Clock, Outcome, Rejection, ResourceLimit, Status
from .problem import parse_problem
from .rules import Proof, Question, walk
from .scope import Box, Scope, find_families
from .witness import check_witness

HEADER: Final = {"problem": 2, "scope": 4, "point": 5, "squares": 6, "volume": 11, "zeros": 12, "witness": 14, "hull": 14}


def check(problem_bytes: bytes, certificate_bytes: bytes, seconds: int = DEFAULT_SECONDS) -> Outcome:
    """Judge a certificate for a canonical problem; never raises on any content."""
    try:
        return Outcome(Status.VERIFIED, f"VERIFIED {_verify(problem_bytes, certificate_bytes, Clock(seconds))}")
    except Rejection as rejection:
        return Outcome(Status.REJECTED, f"REJECTED {rejection.where}: {rejection}")
    except ResourceLimit as limit:
        return Outcome(Status.RESOURCE, f"RESOURCE {limit}")
    except (MemoryError, RecursionError) as limit:
        return Outcome(Status.RESOURCE, f"RESOURCE {type(limit).__name__}")


def _verify(problem_bytes: bytes, certificate_bytes: bytes, clock: Clock) -> str:
    """What was proved, in words."""
    problem = parse_problem(problem_bytes)
    certificate = parse_certificate(certificate_bytes)
    try:
        if hashlib.sha256(problem_bytes).hexdigest() != certificate.problem:
            raise Rejection("problem", "the certificate is for another problem")
        families = find_families(problem, certificate.scope)
        scope = Scope(problem, families, certificate.precision)
        box = _root_box(scope, certificate)
        if certificate.squares:
            check_exact(scope)
        if certificate.upper is not None and certificate.witness is not None:
            check_witness(scope, certificate.witness, box, certificate.upper, certificate.squares, clock)
        if certificate.hull is not None:
            _check_hull(scope, certificate.hull)
        if certificate.volume is not None:
            check_size(scope, "volume")
        if certificate.zeros is not None:
            check_square(scope)
    except Rejection as rejection:
        rejection.where = f"certificate line {HEADER[rejection.rule]}"
        raise
    minimum = certificate.minimum
    judge = isolate if minimum is None else partial(check_minimum, value=minimum.value)
    zeros = check_isolated(scope, certificate, judge, clock)
    if certificate.level is not None:
        question = Question(certificate.level, certificate.squares, certificate.discard, certificate.hull, zeros, certificate.volume)
        walk(Proof(problem, families, certificate.precision, question, box, clock), certificate.nodes(), clock)
    return _words(certificate, scope)


def _root_box(scope: Scope, certificate: Certificate) -> Box:
    """The scope's box, or the given point of it."""
    if certificate.point is None:
        return scope.box
    if len(certificate.point) != len(scope.variables):
        raise Rejection("point", f"{len(scope.variables)} values were expected, not {len(certificate.point)}")
    for variable, value, (lower, upper) in zip(scope.variables, certificate.point, scope.box, strict=True):
        if not lower <= value <= upper:
            raise Rejection("point", f"the value of variable {variable} is out of its bounds")
    return tuple((value, value) for value in certificate.point)


def _check_hull(scope: Scope, hull: Hull) -> None:
    size = len(scope.variables)
    if len(hull.box) != size or any(len(facet.coefficients) != size for facet in hull.facets):
        raise Rejection("hull", f"{size} lines, and facets of {size} coefficients and a bound, were expected")
    for variable, (lower, upper), (least, greatest) in zip(scope.variables, hull.box, scope.box, strict=True):
        if not least <= lower <= upper <= greatest:
            raise Rejection("hull", f"it exceeds the bounds of variable {variable}")


def _words(certificate: Certificate, scope: Scope) -> str:
    place = f"in the box of {len(scope.variables)} variables" if certificate.point is None else "at the given point"
    rows = f"all rows but {certificate.discard}" if certificate.discard else "all rows"
    error = "the sum of all r^2 is" if certificate.squares else f"in {rows} |r| is"
    claims = []
    if certificate.lower is not None:
        claims.append(f"for no unknowns and measurements within their bounds {error} <= lower = {_decimal(certificate.lower)}")
    if certificate.upper is not None:
        claims.append(f"for some unknowns and measurements within their bounds {error} <= upper = {_decimal(certificate.upper)}")
    if certificate.within is not None and certificate.hull is not None:
        bounds = zip(scope.variables, certificate.hull.box, strict=True)
        hull = ", ".join(f"{scope.problem.variables[v].name} [{_decimal(lower)}, {_decimal(upper)}]" for v, (lower, upper) in bounds)
        size = "" if certificate.volume is None else f", and have a volume <= {_decimal(certificate.volume)}"
        more = f" and in {len(certificate.hull.facets)} half-spaces" if certificate.hull.facets else ""
        claims.append(f"all unknowns for which with some measurements {error} <= within = {_decimal(certificate.within)} lie in {hull}{more}{size}")
    if certificate.zeros is not None:
        claims.append(f"exactly {certificate.zeros} points solve r = 0 in all rows")
    if certificate.minimum is not None:
        reach = "the only global minimiser" if certificate.minimum.everywhere else "a strict local minimiser"
        claims.append(f"zero 0 holds {reach} of the sum of all r^2, which is <= {_decimal(certificate.minimum.value)} there")
    return f"scope {' '.join(certificate.scope)}, {place}: {'; '.join(claims)}"


def _decimal(value: Fraction) -> str:
    """The exact decimal, if there is one of at most 40 places, else the fraction."""
    for places in range(41):
        scaled = value * 10**places
        if scaled.denominator == 1:
            sign, digits = "-" if value < 0 else "", str(abs(scaled.numerator)).rjust(places + 1, "0")
            return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else sign + digits
    return str(value)
