"""The certificate (specification, section 3): a header that is read at once, zeros and a tree that are read one by one.

Only the form is judged here; whether it proves anything is judged by `witness`, `isolated` and `rules`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from .outcome import Rejection, ResourceLimit
from .problem import Bounds
from .text import NATURAL, SCALED, Lines, dyadic, fraction, name, natural, rational, scaled, shown

VERSION: Final = "4"
LEAST_PRECISION: Final = 64
GREATEST_PRECISION: Final = 512
NUMBERS: Final = 4_000_000
ZEROS: Final = 100_000
DISCARDED: Final = 64
CONFLICTS: Final = 10_000
FRAME_MANTISSA: Final = 1 << 64
FRAME_EXPONENT: Final = 256
_HASH: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ROW_TERM: Final = re.compile(rf"([qmt])({NATURAL})\.({NATURAL})([+-]){SCALED}", re.ASCII)
_ROW: Final = re.compile(rf"({NATURAL})\.({NATURAL})", re.ASCII)
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
class Skew:
    """One child, in coordinates y of x = point + matrix y."""

    point: tuple[Fraction, ...]
    matrix: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Hitting:
    """So many children, the same box: each refutes the rows that it names, and few rows do not meet them all."""

    count: int


@dataclass(frozen=True, slots=True)
class Evaluate:
    """A leaf: this row misses [-level, level]."""

    family: int
    row: int


@dataclass(frozen=True, slots=True)
class RowTerm:
    """A row as a polynomial: form `q`, `m` or `t`, side +1 or -1."""

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


Node = Split | Prepare | Skew | Hitting | Evaluate | Aggregate | Open | Known
Token = tuple[Fraction, Fraction | None]


@dataclass(frozen=True, slots=True)
class Witness:
    """Values of the scope's variables; for each column its name and one (s, t) or (t, None) an entry; rows that are left out."""

    values: tuple[Fraction, ...]
    columns: tuple[tuple[str, tuple[Token, ...]], ...]
    without: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Zero:
    """A box Y that holds exactly one zero, and a matrix C, an inverse of the derivatives by estimate."""

    box: tuple[Bounds, ...]
    inverse: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Facet:
    """The half-space of all x with coefficients . x <= bound."""

    coefficients: tuple[Fraction, ...]
    bound: Fraction


@dataclass(frozen=True, slots=True)
class Hull:
    """A box and half-spaces."""

    box: tuple[Bounds, ...]
    facets: tuple[Facet, ...] = ()


@dataclass(frozen=True, slots=True)
class Minimum:
    """The value that a minimum does not exceed, and whether nothing else in the box does better."""

    value: Fraction
    everywhere: bool


@dataclass(frozen=True, slots=True)
class Certificate:
    """The claim and its proof; the lines of zeros and of the tree stay in `data`."""

    problem: str
    precision: int
    scope: tuple[str, ...]
    point: tuple[Fraction, ...] | None
    squares: bool
    discard: int
    lower: Fraction | None
    upper: Fraction | None
    within: Fraction | None
    volume: Fraction | None
    zeros: int | None
    minimum: Minimum | None
    witness: Witness | None
    hull: Hull | None
    data: bytes
    isolated: tuple[int, int]
    tree: tuple[int, int]

    @property
    def level(self) -> Fraction | None:
        """What the tree is about: S(level); None if there is no tree."""
        if self.zeros is not None:
            return Fraction(0)
        if self.minimum is not None:
            return self.minimum.value if self.minimum.everywhere else None
        return self.lower if self.within is None else self.within

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
        case ["frame", *entries]:
            return _skew([dyadic(entry) for entry in entries])
        case ["hitting", count]:
            return Hitting(_at_most(natural(count), CONFLICTS, "hitting"))
        case ["evaluate", family, row]:
            return Evaluate(natural(family), natural(row))
        case ["aggregate", *terms]:
            return Aggregate(tuple(parse_term(term) for term in terms))
        case ["open"]:
            return Open()
        case ["known", zero]:
            return Known(natural(zero))
    raise Rejection("tree", f"{shown(' '.join(tokens[:3]))} is no node")


def _skew(entries: list[Fraction]) -> Skew:
    """n numbers of a point, then n rows of a matrix."""
    size = math.isqrt(len(entries))
    if size * (size + 1) != len(entries):
        raise Rejection("frame", f"{len(entries)} numbers are not n + n * n")
    for entry in entries:
        scale = entry.denominator.bit_length() - 1
        zeros = max((entry.numerator & -entry.numerator).bit_length() - 1, 0)
        if abs(entry.numerator) >> zeros >= FRAME_MANTISSA or max(scale, zeros) > FRAME_EXPONENT:
            raise Rejection("frame", "a number is too long")
    return Skew(tuple(entries[:size]), tuple(tuple(entries[size * i : size * (i + 1)]) for i in range(1, size + 1)))


def _at_most(value: int, limit: int, rule: str) -> int:
    if value > limit:
        raise Rejection(rule, f"more than {limit}")
    return value


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
    squares = _choice(lines, "norm", ("largest", "squares")) == "squares"
    discard = _at_most(natural(lines.fields("discard", 1)[0]), DISCARDED, "discard")
    lower, upper, within, volume = (_claim(lines, word) for word in ("lower", "upper", "within", "volume"))
    zeros, minimum = _zeros(lines), _minimum(lines)
    given = sum(claim is not None for claim in (lower, upper, within, zeros, minimum))
    if not given:
        raise Rejection("claim", "nothing is claimed")
    if lower is not None and upper is not None and lower >= upper:
        raise Rejection("claim", "lower must be below upper")
    if given > (1 if lower is None or upper is None else 2):
        raise Rejection("claim", "only lower and upper may be claimed together")
    if point is not None and lower is None and upper is None:
        raise Rejection("claim", "within, zeros and minimum are claimed about the box")
    if volume is not None and within is None:
        raise Rejection("claim", "a volume is claimed with within only")
    if discard and (squares or zeros is not None):
        raise Rejection("claim", "rows are discarded with the largest error only, and not with zeros")
    if (squares and zeros is not None) or (minimum is not None and not squares):
        raise Rejection("claim", "zeros need the norm largest, a minimum squares")
    witness = None if upper is None else _witness(lines, discard)
    hull = None if within is None else _hull(lines)
    start = _skip_isolated(lines, zeros if minimum is None else 1)
    found = Certificate(
        problem, precision, scope, point, squares, discard, lower, upper, within, volume, zeros, minimum, witness, hull, lines.data, start, start
    )
    if found.level is None:
        lines.exact("end")
        lines.finish()
    else:
        lines.exact("tree")
    return replace(found, tree=(lines.offset, lines.number))


def _point(lines: Lines) -> tuple[Fraction, ...] | None:
    tokens = lines.tokens()
    if tokens == ["box"]:
        return None
    if tokens[0] != "point":
        raise Rejection("text", f"'point' with its values or 'box' was expected, not {shown(tokens[0])}")
    return tuple(rational(token) for token in tokens[1:])


def _choice(lines: Lines, word: str, choices: Sequence[str]) -> str:
    (token,) = lines.fields(word, 1)
    if token not in choices:
        raise Rejection(word, f"{shown(token)} is none of {', '.join(choices)}")
    return token


def _minimum(lines: Lines) -> Minimum | None:
    match lines.keyword("minimum"):
        case ["none"]:
            return None
        case ["local" | "global" as reach, token]:
            return Minimum(_not_negative("minimum", rational(token)), reach == "global")
    raise Rejection("claim", "minimum takes 'none', or 'local' or 'global' and a number")


def _not_negative(word: str, value: Fraction) -> Fraction:
    if value < 0:
        raise Rejection("claim", f"{word} is negative")
    return value


def _claim(lines: Lines, word: str) -> Fraction | None:
    (token,) = lines.fields(word, 1)
    return None if token == "none" else _not_negative(word, rational(token))


def _zeros(lines: Lines) -> int | None:
    (token,) = lines.fields("zeros", 1)
    return None if token == "none" else _at_most(natural(token), ZEROS, "claim")


def _hull(lines: Lines) -> Hull:
    """Two ends for each variable of the scope, then facets: `facet` and `tree` tell how many there are."""
    lines.exact("hull")
    box: list[Bounds] = []
    facets: list[Facet] = []
    numbers = 0
    while not lines.ahead("tree"):
        skew = lines.ahead("facet ") or bool(facets)
        tokens = lines.keyword("facet") if skew else lines.tokens()
        numbers += len(tokens)
        if numbers > NUMBERS:
            raise ResourceLimit(f"{NUMBERS} numbers of a hull")
        if len(tokens) != 2 and not (skew and tokens):
            raise Rejection("hull", f"a lower and an upper end were expected, or a facet, not {len(tokens)} tokens")
        *first, last = map(rational, tokens)
        if skew:
            facets.append(Facet(tuple(first), last))
        elif first[0] > last:
            raise Rejection("hull", "a lower end is above its upper end")
        else:
            box.append((first[0], last))
    return Hull(tuple(box), tuple(facets))


def _skip_isolated(lines: Lines, zeros: int | None) -> tuple[int, int]:
    """Where the first zero stands; `zeros` pairs of lines are passed over, to be read by `Zeros`."""
    if zeros is not None:
        lines.exact("isolated")
    start = lines.offset, lines.number
    for _ in range(zeros or 0):
        lines.keyword("zero")
        lines.keyword("inverse")
    return start


def _witness(lines: Lines, discard: int) -> Witness:
    """`values`, the rows `without` if some are discarded, then one line for each column of the scope; the next line's first token tells how many."""
    lines.exact("witness")
    values = tuple(rational(token) for token in lines.keyword("values"))
    without = tuple(_row(token) for token in lines.keyword("without")) if discard else ()
    if len(without) > discard or any(later <= earlier for earlier, later in pairwise(without)):
        raise Rejection("witness", f"at most {discard} rows, ascending, each once, may be left out")
    columns: list[tuple[str, tuple[Token, ...]]] = []
    count = 0
    while lines.ahead("column "):
        tokens = lines.keyword("column")
        count += len(tokens)
        if count > NUMBERS:
            raise ResourceLimit(f"{NUMBERS} fractions of a witness")
        columns.append((name(tokens[0]), tuple(_token(token) for token in tokens[1:])))
    return Witness(values, tuple(columns), without)


def _row(token: str) -> tuple[int, int]:
    match = _ROW.fullmatch(token)
    if match is None:
        raise Rejection("witness", f"{shown(token)} is no row")
    return int(match[1]), int(match[2])


def _token(token: str) -> Token:
    first, colon, second = token.partition(":")
    return fraction(first), fraction(second) if colon else None
