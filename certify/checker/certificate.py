"""The certificate (specification, section 3): a header that is read at once, zeros and a tree that are read one by one.

Only the form is judged here; whether it proves anything is judged by `witness`, `isolated` and `rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .outcome import Rejection, ResourceLimit
from .problem import Bounds
from .text import NATURAL, SCALED, Lines, dyadic, fraction, name, natural, rational, scaled, shown

VERSION: Final = "2"
LEAST_PRECISION: Final = 64
GREATEST_PRECISION: Final = 512
NUMBERS: Final = 4_000_000
ZEROS: Final = 100_000
_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ROW_TERM: Final = re.compile(rf"([qm])({NATURAL})\.({NATURAL})([+-]){SCALED}", re.ASCII)
_PRODUCT: Final = re.compile(rf"b({NATURAL})([+-])({NATURAL})([+-]){SCALED}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Split:
    """Two children: x <= at, then x >= at."""

    variable: int
    at: Fraction


@dataclass(frozen=True, slots=True)
class Prepare:
    """One child, the same box."""

    cells: int


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A leaf: this row misses [-level, level]."""

    family: int
    row: int


@dataclass(frozen=True, slots=True)
class RowTerm:
    """A row as a polynomial: form `q` or `m`, side +1 or -1."""

    form: str
    family: int
    row: int
    side: int
    weight: Fraction


@dataclass(frozen=True, slots=True)
class Product:
    """Minus (rad_I - s_I d_I)(rad_J - s_J d_J)."""

    first: int
    first_sign: int
    second: int
    second_sign: int
    weight: Fraction


Term = RowTerm | Product


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A leaf: the weighted sum is positive."""

    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """A leaf: the box is within the hull."""


@dataclass(frozen=True, slots=True)
class Known:
    """A leaf: the box is within the box of this zero."""

    zero: int


Node = Split | Prepare | Evaluate | Aggregate | Open | Known
Token = tuple[Fraction, Fraction | None]


@dataclass(frozen=True, slots=True)
class Witness:
    """Values of the scope's variables; for each column its name and one (s, t) or (t, None) an entry."""

    values: tuple[Fraction, ...]
    columns: tuple[tuple[str, tuple[Token, ...]], ...]


@dataclass(frozen=True, slots=True)
class Zero:
    """A box Y that holds exactly one zero, and a matrix C, an inverse of the derivatives by estimate."""

    box: tuple[Bounds, ...]
    inverse: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """The claim and its proof; the lines of zeros and of the tree stay in `data`."""

    problem: str
    precision: int
    scope: tuple[str, ...]
    point: tuple[Fraction, ...] | None
    lower: Fraction | None
    upper: Fraction | None
    within: Fraction | None
    zeros: int | None
    witness: Witness | None
    hull: tuple[Bounds, ...] | None
    data: bytes
    isolated: tuple[int, int]
    tree: tuple[int, int]

    @property
    def level(self) -> Fraction | None:
        """What the tree is about: S(level); None if there is no tree."""
        return _level(self.lower, self.within, self.zeros)

    def isolated_zeros(self, variables: int) -> Zeros:
        """The zeros, from the first."""
        return Zeros(self._lines(self.isolated), variables)

    def nodes(self) -> Nodes:
        """The tree, from its first node."""
        return Nodes(self._lines(self.tree))

    def _lines(self, start: tuple[int, int]) -> Lines:
        lines = Lines(self.data, "certificate")
        lines.offset, lines.number = start
        return lines


class Zeros:
    """The isolated zeros of a system of so many variables, one by one."""

    __slots__ = ("_lines", "_variables", "count")

    def __init__(self, lines: Lines, variables: int) -> None:
        self._lines: Final = lines
        self._variables: Final = variables
        self.count = 0

    @property
    def where(self) -> str:
        """The zero that was read last."""
        return f"zero {self.count - 1} (line {self._lines.number})"

    def zero(self) -> Zero:
        """The next zero."""
        self.count += 1
        size = self._variables
        ends = [dyadic(token) for token in self._lines.fields("zero", 2 * size)]
        box = tuple(zip(ends[::2], ends[1::2], strict=True))
        if any(lower >= upper for lower, upper in box):
            raise Rejection("zero", "a lower end is not below its upper end")
        entries = [dyadic(token) for token in self._lines.fields("inverse", size * size)]
        return Zero(box, tuple(tuple(entries[size * i : size * (i + 1)]) for i in range(size)))


class Nodes:
    """The nodes of a tree in prefix order, then `end`."""

    __slots__ = ("_lines", "count")

    def __init__(self, lines: Lines) -> None:
        self._lines: Final = lines
        self.count = 0

    @property
    def where(self) -> str:
        """The node that was read last."""
        return f"node {self.count - 1} (line {self._lines.number})"

    def node(self) -> Node:
        """The next node."""
        self.count += 1
        tokens = self._lines.tokens()
        if tokens == ["end"]:
            raise Rejection("tree", "a child is missing")
        return parse_node(tokens)

    def end(self) -> None:
        """The tree is complete: only `end` may follow."""
        self.count += 1
        if self._lines.tokens() != ["end"]:
            raise Rejection("tree", "the tree is complete, 'end' was expected")
        self._lines.finish()


def parse_node(tokens: list[str]) -> Node:
    """One node of a tree."""
    match tokens:
        case ["split", variable, at]:
            return Split(natural(variable), dyadic(at))
        case ["prepare", cells]:
            return Prepare(natural(cells))
        case ["evaluate", family, row]:
            return Evaluate(natural(family), natural(row))
        case ["aggregate", *terms]:
            return Aggregate(tuple(parse_term(term) for term in terms))
        case ["open"]:
            return Open()
        case ["known", zero]:
            return Known(natural(zero))
    raise Rejection("tree", f"{shown(' '.join(tokens[:3]))} is no node")


def parse_term(token: str) -> Term:
    """One term of an aggregate."""
    match = _ROW_TERM.fullmatch(token)
    if match is not None:
        form, family, row, side, mantissa, exponent = match.groups()
        return RowTerm(form, int(family), int(row), _sign(side), scaled(mantissa, exponent))
    match = _PRODUCT.fullmatch(token)
    if match is None:
        raise Rejection("term", f"{shown(token)} is no term")
    first, first_sign, second, second_sign, mantissa, exponent = match.groups()
    return Product(int(first), _sign(first_sign), int(second), _sign(second_sign), scaled(mantissa, exponent))


def _sign(token: str) -> int:
    return 1 if token == "+" else -1


def parse_certificate(data: bytes) -> Certificate:
    """Read a certificate, but not its zeros and the nodes of its tree; raises Rejection with the line."""
    lines = None
    try:
        lines = Lines(data, "certificate")
        return _certificate(lines)
    except Rejection as rejection:
        rejection.where = "certificate" if lines is None else lines.where
        raise


def _certificate(lines: Lines) -> Certificate:
    lines.exact("certify-certificate", VERSION)
    (problem,) = lines.fields("problem", 1)
    if _HASH.fullmatch(problem) is None:
        raise Rejection("problem", "a SHA-256 in lower case was expected")
    precision = natural(lines.fields("precision", 1)[0])
    if not LEAST_PRECISION <= precision <= GREATEST_PRECISION:
        raise Rejection("precision", f"it must be from {LEAST_PRECISION} to {GREATEST_PRECISION}")
    scope = tuple(name(token) for token in lines.keyword("scope"))
    point = _point(lines)
    lower, upper, within = (_claim(lines, word) for word in ("lower", "upper", "within"))
    zeros = _zeros(lines)
    given = sum(claim is not None for claim in (lower, upper, within, zeros))
    if not given:
        raise Rejection("claim", "nothing is claimed")
    if lower is not None and upper is not None and lower >= upper:
        raise Rejection("claim", "lower must be below upper")
    if (within is not None or zeros is not None) and (given > 1 or point is not None):
        raise Rejection("claim", "within and zeros are claimed alone, and about the box")
    witness = None if upper is None else _witness(lines)
    hull = None if within is None else _hull(lines)
    isolated = _skip_isolated(lines, zeros)
    proved = _level(lower, within, zeros) is not None
    if proved:
        lines.exact("tree")
    tree = lines.offset, lines.number
    if not proved:
        lines.exact("end")
        lines.finish()
    return Certificate(problem, precision, scope, point, lower, upper, within, zeros, witness, hull, lines.data, isolated, tree)


def _point(lines: Lines) -> tuple[Fraction, ...] | None:
    tokens = lines.tokens()
    if tokens == ["box"]:
        return None
    if tokens[0] != "point":
        raise Rejection("text", f"'point' with its values or 'box' was expected, not {shown(tokens[0])}")
    return tuple(rational(token) for token in tokens[1:])


def _claim(lines: Lines, word: str) -> Fraction | None:
    (token,) = lines.fields(word, 1)
    value = None if token == "none" else rational(token)
    if value is not None and value < 0:
        raise Rejection("claim", f"{word} is negative")
    return value


def _level(lower: Fraction | None, within: Fraction | None, zeros: int | None) -> Fraction | None:
    """The number of `lower` or `within`, 0 for `zeros`."""
    if zeros is not None:
        return Fraction(0)
    return lower if within is None else within


def _zeros(lines: Lines) -> int | None:
    (token,) = lines.fields("zeros", 1)
    count = None if token == "none" else natural(token)
    if count is not None and count > ZEROS:
        raise Rejection("claim", f"more than {ZEROS} zeros")
    return count


def _hull(lines: Lines) -> tuple[Bounds, ...]:
    """One line for each variable of the scope: `tree` tells how many there are."""
    lines.exact("hull")
    found: list[Bounds] = []
    while not lines.ahead("tree"):
        tokens = lines.tokens()
        if len(tokens) != 2:
            raise Rejection("hull", f"a lower and an upper end were expected, not {len(tokens)} tokens")
        lower, upper = map(rational, tokens)
        if lower > upper:
            raise Rejection("hull", "a lower end is above its upper end")
        found.append((lower, upper))
        if 2 * len(found) > NUMBERS:
            raise ResourceLimit(f"{NUMBERS} numbers of a hull")
    return tuple(found)


def _skip_isolated(lines: Lines, zeros: int | None) -> tuple[int, int]:
    """Where the first zero stands; `zeros` pairs of lines are passed over, to be read by `Zeros`."""
    if zeros is not None:
        lines.exact("isolated")
    start = lines.offset, lines.number
    for _ in range(zeros or 0):
        lines.keyword("zero")
        lines.keyword("inverse")
    return start


def _witness(lines: Lines) -> Witness:
    """`values`, then one line for each column of the scope: how many there are is told by the next line's first token."""
    lines.exact("witness")
    values = tuple(rational(token) for token in lines.keyword("values"))
    columns: list[tuple[str, tuple[Token, ...]]] = []
    count = 0
    while lines.ahead("column "):
        tokens = lines.keyword("column")
        count += len(tokens)
        if count > NUMBERS:
            raise ResourceLimit(f"{NUMBERS} fractions of a witness")
        columns.append((name(tokens[0]), tuple(_token(token) for token in tokens[1:])))
    return Witness(values, tuple(columns))


def _token(token: str) -> Token:
    first, colon, second = token.partition(":")
    return fraction(first), fraction(second) if colon else None
