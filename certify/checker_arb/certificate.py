"""The certificate down to its tree: the claim, the witness, the hull and the isolated zeros (specification, section 3)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from flint import fmpq

from .outcome import Exhausted
from .problem import Problem
from .text import HASH, Lines

LEAST_PRECISION, MOST_PRECISION = 64, 512
MOST_NUMBERS = 4_000_000  # fractions of a witness, numbers of a hull, ends of boxes
MOST_ROWS_OF_A_SYSTEM = 64
MOST_ZEROS = 100_000

Box = tuple[tuple[fmpq, fmpq], ...]
Dyadic = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Scope:
    """The families that a claim is about, by number, and the variables and columns that these are bound to."""

    families: tuple[int, ...]
    variables: tuple[int, ...]
    columns: tuple[int, ...]
    place: dict[int, int]  # of a variable among those of the scope
    bound: dict[int, int]  # through how many bindings of the scope each entry of a column is used


@dataclass(frozen=True, slots=True)
class Zero:
    """A zero that is claimed: its box, lower and upper ends, and the matrix that proves it, row by row."""

    box: tuple[tuple[Dyadic, Dyadic], ...]
    inverse: list[Dyadic]
    line: int


@dataclass(slots=True)
class Certificate:
    """Everything before the tree."""

    precision: int
    scope: Scope
    start: Box
    is_point: bool
    lower: fmpq | None = None
    upper: fmpq | None = None
    within: fmpq | None = None
    zeros: int | None = None
    values: list[fmpq] = field(default_factory=list)
    fractions: dict[int, list[tuple[fmpq, fmpq]]] = field(default_factory=dict)  # of each column of the scope
    witness_line: int = 0
    hull: Box = ()
    isolated: list[Zero] = field(default_factory=list)

    @property
    def has_tree(self) -> bool:
        """Whether something is to be shown by cases."""
        return not (self.lower is None and self.within is None and self.zeros is None)

    @property
    def error(self) -> fmpq:
        """The model error that the tree is about."""
        return self.lower if self.lower is not None else self.within if self.within is not None else fmpq(0)


def _limited(count: int, what: str) -> None:
    if count > MOST_NUMBERS:
        raise Exhausted(f"more than {MOST_NUMBERS} {what}")


def scope_of(problem: Problem, families: tuple[int, ...]) -> Scope:
    """The scope of these families, which are in the order of the problem."""
    variables: set[int] = set()
    bound: dict[int, int] = {}
    for number in families:
        for binding in problem.families[number].bindings:
            if binding.measured:
                bound[binding.number] = bound.get(binding.number, 0) + 1
            else:
                variables.add(binding.number)
    ordered = tuple(sorted(variables))
    return Scope(families, ordered, tuple(sorted(bound)), {v: k for k, v in enumerate(ordered)}, bound)


class _Reader:
    """The lines of a certificate from its first to `tree`."""

    def __init__(self, lines: Lines, problem: Problem) -> None:
        self.lines, self.problem = lines, problem

    def scope(self) -> Scope:
        names = self.lines.headed("scope")
        if not names:
            raise self.lines.bad("the scope is empty")
        known = {family.name: number for number, family in enumerate(self.problem.families)}
        families: list[int] = []
        for name in names:
            if name not in known:
                raise self.lines.bad(f"there is no family {name[:64]!r}")
            if families and known[name] <= families[-1]:
                raise self.lines.bad("the scope is not in the order of the problem, each family once")
            families.append(known[name])
        return scope_of(self.problem, tuple(families))

    def start(self, scope: Scope) -> tuple[Box, bool]:
        tokens = self.lines.read()
        bounds = [self.problem.variables[v] for v in scope.variables]
        if tokens == ["box"]:
            return tuple((variable.lower[0], variable.upper[0]) for variable in bounds), False
        if tokens[0] != "point" or len(tokens) != len(bounds) + 1:
            raise self.lines.bad(f"`box` or `point` and {len(bounds)} values were expected")
        point = [self.lines.rational(token) for token in tokens[1:]]
        for value, variable in zip(point, bounds, strict=True):
            if not variable.lower[0] <= value <= variable.upper[0]:
                raise self.lines.bad(f"the point leaves the bounds of {variable.name}")
        return tuple((value, value) for value in point), True

    def number(self, word: str) -> fmpq | None:
        """A line with a number >= 0, or `none`."""
        (token,) = self.lines.headed(word, 1)
        if token == "none":  # noqa: S105 - a token of a text is no password
            return None
        value = self.lines.rational(token)
        if value < 0:
            raise self.lines.bad(f"{word} is negative")
        return value

    def claim(self, found: Certificate) -> None:
        lines = self.lines
        found.lower, found.upper, found.within = self.number("lower"), self.number("upper"), self.number("within")
        (token,) = lines.headed("zeros", 1)
        found.zeros = None if token == "none" else lines.natural(token, 0, MOST_ZEROS)  # noqa: S105
        ends = found.lower is not None or found.upper is not None
        given = ends + (found.within is not None) + (found.zeros is not None)
        if given != 1:
            raise lines.bad("nothing is claimed" if given == 0 else "`within` and `zeros` each stand alone")
        if found.lower is not None and found.upper is not None and not found.lower < found.upper:
            raise lines.bad("lower is not below upper")
        if not ends and found.is_point:
            raise lines.bad("`within` and `zeros` need `box`")
        if found.zeros is not None:
            if found.scope.columns:
                raise lines.bad("`zeros` needs a scope without columns")
            rows = sum(self.problem.families[number].rows for number in found.scope.families)
            if rows != len(found.scope.variables) or rows > MOST_ROWS_OF_A_SYSTEM:
                raise lines.bad(f"`zeros` needs as many rows as variables, at most {MOST_ROWS_OF_A_SYSTEM}")

    def witness(self, found: Certificate) -> None:
        lines, scope = self.lines, found.scope
        lines.exactly("witness")
        columns = [self.problem.columns[number] for number in scope.columns]
        _limited(sum(len(column.lower) for column in columns), "fractions of a witness")
        found.values = [lines.rational(token) for token in lines.headed("values", len(scope.variables))]
        found.witness_line = lines.number
        for place, variable in enumerate(scope.variables):
            low, high = found.start[place]
            if not low <= found.values[place] <= high:
                raise lines.bad(f"the value of {self.problem.variables[variable].name} is not where the claim is")
        known: dict[str, tuple[fmpq, fmpq]] = {}
        for number, column in zip(scope.columns, columns, strict=True):
            tokens = lines.headed("column", len(column.lower) + 1)
            if tokens[0] != column.name:
                raise lines.bad(f"column {column.name} was expected")
            for token in tokens[1:]:
                if ":" in token and scope.bound[number] != 1:
                    raise lines.bad("s:t is allowed only for a measurement that is used once")
                if token not in known:
                    low_token, colon, high_token = token.partition(":")
                    first = lines.fraction(low_token)
                    known[token] = first, lines.fraction(high_token) if colon else first
            found.fractions[number] = [known[token] for token in tokens[1:]]

    def hull(self, found: Certificate) -> None:
        self.lines.exactly("hull")
        _limited(2 * len(found.start), "numbers of a hull")
        intervals = []
        for low, high in found.start:
            first, second = self.lines.counted(2)
            lower, upper = self.lines.rational(first), self.lines.rational(second)
            if not low <= lower <= upper <= high:
                raise self.lines.bad("the hull is not an interval within the bounds of its variable")
            intervals.append((lower, upper))
        found.hull = tuple(intervals)

    def isolated(self, found: Certificate, count: int) -> None:
        lines, size = self.lines, len(found.scope.variables)
        lines.exactly("isolated")
        _limited(2 * size * count, "ends of boxes")
        for _ in range(count):
            ends = [lines.dyadic(token) for token in lines.headed("zero", 2 * size)]
            line = lines.number
            box = tuple(zip(ends[::2], ends[1::2], strict=True))
            inverse = [lines.dyadic(token) for token in lines.headed("inverse", size * size)]
            found.isolated.append(Zero(box, inverse, line))


def read_certificate(lines: Lines, problem: Problem, problem_bytes: bytes) -> Certificate:
    """Everything before the tree; the line `tree` is read too, if there must be one."""
    lines.exactly("certify-certificate", "2")
    (named,) = lines.headed("problem", 1)
    lines.match(HASH, named, "hash in lower case hexadecimal")
    if named != hashlib.sha256(problem_bytes).hexdigest():
        raise lines.bad("the certificate is for another problem")
    (bits,) = lines.headed("precision", 1)
    precision = lines.natural(bits, LEAST_PRECISION, MOST_PRECISION)
    reader = _Reader(lines, problem)
    scope = reader.scope()
    start, is_point = reader.start(scope)
    found = Certificate(precision, scope, start, is_point)
    reader.claim(found)
    if found.upper is not None:
        reader.witness(found)
    if found.within is not None:
        reader.hull(found)
    if found.zeros is not None:
        reader.isolated(found, found.zeros)
    if found.has_tree:
        lines.exactly("tree")
    return found
