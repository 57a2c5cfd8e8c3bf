"""The nodes of a tree and the terms of an aggregate (specification, section 6), as they are written; `rules` says what
they prove.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from .outcome import Rejection, require
from .text import NATURAL, NO_HASH, SCALED, SHA256, dyadic, matched, natural, scaled, shown

CONFLICTS: Final = 100_001
FRAME_MANTISSA: Final = 1 << 64
FRAME_EXPONENT: Final = 256
_ROW_TERM: Final = re.compile(rf"([qmt])({NATURAL})\.({NATURAL})([+-]){SCALED}", re.ASCII)
_PRODUCT: Final = re.compile(rf"b({NATURAL})([+-])({NATURAL})([+-]){SCALED}", re.ASCII)
_COLUMN: Final = re.compile(rf"c({NATURAL})", re.ASCII)


class Split(NamedTuple):
    """Two children: x <= at, then x >= at."""

    variable: int
    at: Fraction


class Prepare(NamedTuple):
    """One child, the same box."""

    cells: int


class Skew(NamedTuple):
    """One child, in coordinates y of x = point + matrix y."""

    point: tuple[Fraction, ...]
    matrix: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Hitting:
    """So many children, the same box: each refutes the rows that it names, and few rows do not meet them all."""

    count: int


class Evaluate(NamedTuple):
    """A leaf: this row misses [-level, level]."""

    family: int
    row: int


class RowTerm(NamedTuple):
    """A row as a polynomial: form `q`, `m` or `t`, side +1 or -1."""

    form: str
    family: int
    row: int
    side: int
    weight: Fraction


class Product(NamedTuple):
    """Minus (rad_I - s_I d_I)(rad_J - s_J d_J)."""

    first: int
    first_sign: int
    second: int
    second_sign: int
    weight: Fraction


Term: TypeAlias = RowTerm | Product


class Aggregate(NamedTuple):
    """A leaf: the weighted sum is positive; the entries of the columns `further` are unknowns in it."""

    terms: tuple[Term, ...]
    further: tuple[int, ...] = ()


class Open(NamedTuple):
    """A leaf: the box is within the hull."""


class Known(NamedTuple):
    """A leaf: the box is within the box of this zero."""

    zero: int


class Piece(NamedTuple):
    """A leaf: what there is to say of the box is said by the certificate whose bytes have this hash."""

    digest: str


Leaf: TypeAlias = Evaluate | Aggregate | Open | Known
Node: TypeAlias = Split | Prepare | Skew | Hitting | Leaf | Piece


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
            return Hitting(at_most(natural(count), CONFLICTS, "hitting"))
        case ["evaluate", family, row]:
            return Evaluate(natural(family), natural(row))
        case ["aggregate", *terms]:
            columns = [int(match[1]) for match in map(_COLUMN.fullmatch, terms) if match]
            return Aggregate(tuple(parse_term(term) for term in terms[len(columns) :]), tuple(columns))
        case ["open"]:
            return Open()
        case ["known", zero]:
            return Known(natural(zero))
        case ["piece", digest]:
            return Piece(matched(SHA256, digest, "piece", NO_HASH)[0])
        case ["end"]:
            raise Rejection("tree", "a child is missing")
    raise Rejection("tree", f"{shown(' '.join(tokens[:3]))} is no node")


def at_most(value: int, limit: int, rule: str) -> int:
    """The value, if it does not exceed the limit."""
    require(value <= limit, rule, f"more than {limit}")
    return value


def _skew(entries: list[Fraction]) -> Skew:
    """n numbers of a point, then n rows of a matrix."""
    size = math.isqrt(len(entries))
    require(size * (size + 1) == len(entries), "frame", f"{len(entries)} numbers are not n + n * n")
    for entry in entries:
        scale = entry.denominator.bit_length() - 1
        zeros = max((entry.numerator & -entry.numerator).bit_length() - 1, 0)
        require(
            abs(entry.numerator) >> zeros < FRAME_MANTISSA and max(scale, zeros) <= FRAME_EXPONENT,
            "frame",
            "a number is too long",
        )
    return Skew(tuple(entries[:size]), square(entries[size:], size))


def square(entries: list[Fraction], size: int) -> tuple[tuple[Fraction, ...], ...]:
    """A square matrix, row by row."""
    return tuple(tuple(entries[size * i : size * (i + 1)]) for i in range(size))


def parse_term(token: str) -> Term:
    """One term of an aggregate."""
    if (match := _ROW_TERM.fullmatch(token)) is not None:
        form, family, row, side, *weight = match.groups()
        return RowTerm(form, int(family), int(row), _sign(side), scaled(*weight))
    if (match := _PRODUCT.fullmatch(token)) is not None:
        first, first_sign, second, second_sign, *weight = match.groups()
        return Product(int(first), _sign(first_sign), int(second), _sign(second_sign), scaled(*weight))
    raise Rejection("term", f"{shown(token)} is no term")


def _sign(mark: str) -> int:
    return 1 if mark == "+" else -1
