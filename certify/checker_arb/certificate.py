"""The certificate down to its tree: the claim, the witness, the hull, the isolated zeros or the minimum (specification,
section 3).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from flint import fmpq

from .groups import ROLES_OF, GroupReader, Row, Scope
from .outcome import Exhausted, Undefined
from .problem import Problem, Quantity
from .text import HASH, Lines, shown

VERSIONS = ("5", "6")
LEAST_PRECISION, MOST_PRECISION = 64, 512
MOST_NUMBERS = 4_000_000  # fractions of a witness, numbers of a hull, ends of boxes
MOST_VARIABLES = 64  # of a volume, a system, a minimum or a frame
MOST_DISCARDED, MOST_OF_TABLES = 64, 100_000
MOST_ZEROS = 100_000

Box = tuple[tuple[fmpq, fmpq], ...]
Dyadic = tuple[int, int]
Facet = tuple[list[fmpq], fmpq]  # a and b of a half-space a . x <= b

ROW = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Zero:
    """A zero that is claimed (or a minimiser: a zero of the gradient): its box, and the matrix that proves it, row by
    row.
    """

    box: tuple[tuple[Dyadic, Dyadic], ...]
    inverse: list[Dyadic]
    line: int


@dataclass(slots=True)
class Certificate:
    """Everything before the tree; the problem is the one with the factor on its half-widths."""

    problem: Problem
    precision: int
    scope: Scope
    bounds: Box  # of the variables, in the problem
    start: Box
    place: str  # what `start` is: box, point or part
    factor: fmpq
    kind: str = ""  # of version 6: errors, system or violations
    squares: bool = False  # whether the model error is the sum of the squares, not the largest row
    discard: int = 0
    lower: fmpq | None = None
    upper: fmpq | None = None
    within: fmpq | None = None
    volume: fmpq | None = None  # that the leaves `open` do not exceed
    zeros: int | None = None
    minimum: fmpq | None = None
    is_global: bool = False
    values: list[fmpq] = field(default_factory=list)
    fractions: dict[int, list[tuple[fmpq, fmpq]]] = field(default_factory=dict)  # of each column of the scope
    without: frozenset[Row] = frozenset()  # members of groups
    claim_line: int = 0  # the last line of the claim itself
    witness_line: int = 0
    hull: Box = ()
    facets: list[Facet] = field(default_factory=list)
    isolated: list[Zero] = field(default_factory=list)

    @property
    def is_point(self) -> bool:
        """Whether the claim is about a single point."""
        return self.place == "point"

    @property
    def is_part(self) -> bool:
        """Whether the claim is about a part of the box: such a certificate is a piece."""
        return self.place == "part"

    @property
    def has_tree(self) -> bool:
        """Whether something is to be shown by cases."""
        return not (self.lower is None and self.within is None and self.zeros is None) or self.is_global

    @property
    def error(self) -> fmpq:
        """The level: the model error that the tree is about."""
        return next((given for given in (self.lower, self.within, self.minimum) if given is not None), fmpq(0))


def _limited(count: int, what: str) -> None:
    if count > MOST_NUMBERS:
        raise Exhausted(f"more than {MOST_NUMBERS} {what}")


class _Reader:
    """The lines of a certificate from its first to `tree`."""

    def __init__(self, lines: Lines, problem: Problem) -> None:
        self.lines, self.problem = lines, problem

    def kind(self) -> str:
        """What the claim is about."""
        (kind,) = self.lines.headed("claim", 1)
        if kind not in ROLES_OF:
            raise self.lines.bad(f"{shown(kind)} is no kind of a claim")
        return kind

    def start(self, bounds: Box, names: Sequence[str], with_parts: bool) -> tuple[Box, str]:
        """Where the claim is made: in all of the box, at a point of it, or in a part."""
        tokens = self.lines.read()
        if tokens == ["box"]:
            return bounds, "box"
        if tokens[0] == "part" and with_parts:
            return self._part(tokens[1:], bounds), "part"
        if tokens[0] != "point" or len(tokens) != len(bounds) + 1:
            raise self.lines.bad(f"`box` or `point` and {len(bounds)} values were expected")
        point = [self.lines.rational(token) for token in tokens[1:]]
        for value, (lowest, highest), name in zip(point, bounds, names, strict=True):
            if not lowest <= value <= highest:
                raise self.lines.bad(f"the point leaves the bounds of {name}")
        return tuple((value, value) for value in point), "point"

    def _part(self, tokens: Sequence[str], bounds: Box) -> Box:
        """The box of a piece."""
        if len(tokens) != 2 * len(bounds):
            raise self.lines.bad(f"{2 * len(bounds)} ends were expected after `part`, not {len(tokens)}")
        ends = [self.lines.rational(token) for token in tokens]
        part = tuple(zip(ends[::2], ends[1::2], strict=True))
        for (low, high), (lowest, highest) in zip(part, bounds, strict=True):
            if not lowest <= low <= high <= highest:
                raise self.lines.bad("the part is not made of intervals within the bounds of their variables")
        return part

    def number(self, word: str) -> fmpq | None:
        """A line with a number >= 0, or `none`."""
        (token,) = self.lines.headed(word, 1)
        if token == "none":  # noqa: S105 - a token of a text is no password
            return None
        return self.lines.not_negative(word, token)

    def norm(self, found: Certificate) -> None:
        """What a model error is."""
        lines = self.lines
        (norm,) = lines.headed("norm", 1)
        if norm not in ("largest", "squares"):
            raise lines.bad(f"{shown(norm)} is no norm")
        found.squares = norm == "squares"
        if found.squares:
            for number in found.scope.columns:
                self._check_exact(self.problem.columns[number])
        (count,) = lines.headed("discard", 1)
        found.discard = lines.natural(count, 0, MOST_OF_TABLES if self._only_tables(found) else MOST_DISCARDED)
        if found.squares and found.discard:
            raise lines.bad("`norm squares` needs `discard 0`")

    def _only_tables(self, found: Certificate) -> bool:
        """Whether the claim is of errors, and all its families are tables."""
        families = [self.problem.families[number] for number in found.scope.families]
        return found.kind == "errors" and all(family.table is not None for family in families)

    def _check_exact(self, column: Quantity) -> None:
        """That all entries are numbers."""
        try:
            exact = all(low == high for low, high in map(column.ends, range(len(column.lower))))
        except Undefined as failure:
            raise self.lines.bad(str(failure)) from failure
        if not exact:
            raise self.lines.bad("`norm squares` needs measurements that are known exactly")

    def claim(self, found: Certificate) -> None:
        lines = self.lines
        found.lower, found.upper, found.within = self.number("lower"), self.number("upper"), self.number("within")
        found.volume = self.number("volume")
        (token,) = lines.headed("zeros", 1)
        found.zeros = None if token == "none" else lines.natural(token, 0, MOST_ZEROS)  # noqa: S105
        tokens = lines.headed("minimum")
        if tokens != ["none"]:
            if len(tokens) != 2 or tokens[0] not in ("local", "global"):
                raise lines.bad("`minimum local`, `minimum global` and a number, or `minimum none` was expected")
            found.is_global = tokens[0] == "global"
            found.minimum = lines.not_negative("minimum", tokens[1])
        ends = found.lower is not None or found.upper is not None
        given = ends + sum(claim is not None for claim in (found.within, found.zeros, found.minimum))
        if found.kind and given == 2 and found.within is not None and found.zeros is not None:
            given = 1  # so many zeros at least, and where the others are
        if given != 1:
            raise lines.bad("nothing is claimed" if given == 0 else "`within`, `zeros` and `minimum` each stand alone")
        if found.lower is not None and found.upper is not None and not found.lower < found.upper:
            raise lines.bad("lower is not below upper")
        if found.is_part and (found.upper is not None or found.minimum is not None):
            raise lines.bad("a piece claims no `upper` and no `minimum`")
        if not ends and found.is_point:
            raise lines.bad("`within`, `zeros` and `minimum` need `box`")
        if found.volume is not None and found.within is None:
            raise lines.bad("`volume` needs `within`")
        if found.zeros is not None:
            self._check_system(found)
        if found.minimum is not None and not found.squares:
            raise lines.bad("`minimum` needs `norm squares`")
        if found.kind:
            self._check_kind(found)
        small = found.zeros is not None or found.minimum is not None or found.volume is not None
        if small and len(found.scope.variables) > MOST_VARIABLES:
            raise lines.bad(f"`volume`, `zeros` and `minimum` need at most {MOST_VARIABLES} variables")

    def _check_kind(self, found: Certificate) -> None:
        """That what is claimed is of the kind that the certificate says."""
        lines, kind = self.lines, found.kind
        ends = (found.lower, found.upper, found.within)
        if (kind != "errors" or found.squares) and not all(group.is_plain for group in found.scope.groups):
            raise lines.bad("only of errors that are not squared a group has another norm or bound than rows and e")
        if kind != "errors" and any(end is not None and end != 0 for end in ends):
            raise lines.bad(f"the kind {kind} is about rows that are 0: `lower`, `upper` and `within` are 0")
        if kind != "errors" and found.squares:
            raise lines.bad("`norm squares` needs the kind errors")
        if kind != "system" and found.zeros is not None:
            raise lines.bad("`zeros` needs the kind system")
        if kind == "violations":
            if found.upper is not None:
                raise lines.bad("the kind violations claims that nothing is possible: it has no `upper`")
            rows = sum(self.problem.families[number].rows for number in found.scope.families)
            if found.discard != rows - 1:
                raise lines.bad(f"the kind violations needs `discard {rows - 1}`: all rows but one")

    def _check_system(self, found: Certificate) -> None:
        """`zeros` is about as many equations as unknowns; what is measured is a condition, and no two share a
        measurement.
        """
        families = [self.problem.families[number] for number in found.scope.families]
        equations = sum(family.rows for family in families if not any(binding.measured for binding in family.bindings))
        if equations != len(found.scope.variables) or not equations:
            raise self.lines.bad("`zeros` needs as many rows without measurements as variables, one at least")
        if any(uses != 1 for uses in found.scope.bound.values()):
            raise self.lines.bad("`zeros` needs conditions that share no measurement, and use each one once")
        if found.squares or found.discard:
            raise self.lines.bad("`zeros` needs `norm largest` and `discard 0`")

    def witness(self, found: Certificate) -> None:
        lines, scope = self.lines, found.scope
        lines.exactly("witness")
        named = [number for number in scope.columns if not self.problem.columns[number].of_table]
        columns = [self.problem.columns[number] for number in named]
        _limited(sum(len(column.lower) for column in columns), "fractions of a witness")
        found.values = [lines.rational(token) for token in lines.headed("values", len(scope.variables))]
        found.witness_line = lines.number
        for place, variable in enumerate(scope.variables):
            low, high = found.start[place]
            if not low <= found.values[place] <= high:
                raise lines.bad(f"the value of {self.problem.variables[variable].name} is not where the claim is")
        if found.discard:
            self.without(found)
        summed = {
            binding.number
            for number in scope.families
            if scope.group[number].is_euclidean
            for binding in self.problem.families[number].bindings
            if binding.measured
        }
        known: dict[str, tuple[fmpq, fmpq]] = {}
        for number, column in zip(named, columns, strict=True):
            tokens = lines.headed("column", len(column.lower) + 1)
            if tokens[0] != column.name:
                raise lines.bad(f"column {column.name} was expected")
            for token in tokens[1:]:
                if ":" in token and (found.squares or scope.bound[number] != 1 or number in summed):
                    raise lines.bad("s:t is for a measurement that is used once, by a row whose square is not summed")
                if token not in known:
                    low_token, colon, high_token = token.partition(":")
                    first = lines.fraction(low_token)
                    known[token] = first, lines.fraction(high_token) if colon else first
            found.fractions[number] = [known[token] for token in tokens[1:]]

    def without(self, found: Certificate) -> None:
        """The rows that are left out."""
        lines = self.lines
        rows: list[Row] = []
        for token in lines.headed("without"):
            first, second = lines.match(ROW, token, "row").groups()
            family, row = lines.natural(first), lines.natural(second)
            if family not in found.scope.families or row >= self.problem.families[family].rows:
                raise lines.bad(f"the scope has no row {shown(token)}")
            if rows and (family, row) <= rows[-1]:
                raise lines.bad("the rows left out are not in ascending order, each once")
            rows.append((family, row))
        if len(rows) > found.discard:
            raise lines.bad(f"more than {found.discard} rows are left out")
        found.without = frozenset(found.scope.group[family].member(family, row) for family, row in rows)

    def hull(self, found: Certificate) -> None:
        self.lines.exactly("hull")
        _limited(2 * len(found.bounds), "numbers of a hull")
        intervals = []
        for low, high in found.bounds:
            first, second = self.lines.counted(2)
            lower, upper = self.lines.rational(first), self.lines.rational(second)
            if not low <= lower <= upper <= high:
                raise self.lines.bad("the hull is not an interval within the bounds of its variable")
            intervals.append((lower, upper))
        found.hull = tuple(intervals)
        while True:
            tokens = self.lines.read()
            if tokens == (["tree"] if found.zeros is None else ["isolated"]):
                return
            if tokens[0] != "facet" or len(tokens) != len(intervals) + 2:
                raise self.lines.bad(f"`tree`, or `facet` and {len(intervals) + 1} numbers were expected")
            _limited((len(found.facets) + 1) * (len(tokens) - 1) + 2 * len(intervals), "numbers of a hull")
            *normal, bound = map(self.lines.rational, tokens[1:])
            found.facets.append((normal, bound))

    def isolated(self, found: Certificate, count: int) -> None:
        lines, size = self.lines, len(found.scope.variables)
        if found.within is None:
            lines.exactly("isolated")  # else the hull has ended with this line
        _limited(2 * size * count, "ends of boxes")
        for _ in range(count):
            ends = [lines.dyadic(token) for token in lines.headed("zero", 2 * size)]
            line = lines.number
            box = tuple(zip(ends[::2], ends[1::2], strict=True))
            inverse = [lines.dyadic(token) for token in lines.headed("inverse", size * size)]
            found.isolated.append(Zero(box, inverse, line))


def read_certificate(lines: Lines, problem: Problem, digest: str) -> Certificate:
    """Everything before the tree; the line `tree` is read too, if there must be one."""
    (version,) = lines.headed("certify-certificate", 1)
    if version not in VERSIONS:
        raise lines.bad(f"{shown(version)} is no version of certificates")
    (named,) = lines.headed("problem", 1)
    lines.match(HASH, named, "hash in lower case hexadecimal")
    if named != digest:
        raise lines.bad("the certificate is for another problem")
    (bits,) = lines.headed("precision", 1)
    precision = lines.natural(bits, LEAST_PRECISION, MOST_PRECISION)
    reader = _Reader(lines, problem)
    kind = reader.kind() if version == "6" else ""
    families = GroupReader(lines, problem)
    scope = families.groups(kind) if kind else families.scope()
    variables = [problem.variables[v] for v in scope.variables]
    bounds = tuple((variable.lower[0], variable.upper[0]) for variable in variables)
    start, place = reader.start(bounds, [variable.name for variable in variables], kind != "")
    factor = fmpq(1)
    if kind:
        (token,) = lines.headed("factor", 1)
        factor = lines.not_negative("the factor", token)
        if factor != 1 and kind != "errors":
            raise lines.bad(f"the kind {kind} needs `factor 1`")
        reader.problem = problem = problem.widened(factor)
    found = Certificate(problem, precision, scope, bounds, start, place, factor, kind)
    reader.norm(found)
    reader.claim(found)
    found.claim_line = lines.number
    if found.upper is not None:
        reader.witness(found)
    if found.within is not None:
        reader.hull(found)
    if found.zeros is not None:
        reader.isolated(found, found.zeros)
    if found.minimum is not None:
        reader.isolated(found, 1)
    if found.has_tree and (found.within is None or found.zeros is not None):
        lines.exactly("tree")  # else the hull has ended with this line
    return found
