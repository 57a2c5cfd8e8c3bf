"""The certificate (specification, section 3): a header that is read at once, a tree that is read node by node.

Only the form is judged here; whether it proves anything is judged by `witness` and `rules`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .outcome import Rejection, ResourceLimit
from .text import NATURAL, SCALED, Lines, dyadic, fraction, name, natural, rational, scaled, shown

VERSION: Final = "1"
LEAST_PRECISION: Final = 64
GREATEST_PRECISION: Final = 512
FRACTIONS: Final = 4_000_000
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
    """A leaf: this row misses [-lower, lower]."""

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


Node = Split | Prepare | Evaluate | Aggregate
Token = tuple[Fraction, Fraction | None]


@dataclass(frozen=True, slots=True)
class Witness:
    """Values of the scope's variables; for each column its name and one (s, t) or (t, None) an entry."""

    values: tuple[Fraction, ...]
    columns: tuple[tuple[str, tuple[Token, ...]], ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """The claim and its proof; the tree's lines stay in `data`."""

    problem: str
    precision: int
    scope: tuple[str, ...]
    point: tuple[Fraction, ...] | None
    lower: Fraction | None
    upper: Fraction | None
    witness: Witness | None
    data: bytes
    tree: tuple[int, int]

    def nodes(self) -> Nodes:
        """The tree, from its first node."""
        lines = Lines(self.data, "certificate")
        lines.offset, lines.number = self.tree
        return Nodes(lines)


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
    """Read a certificate, but not the nodes of its tree; raises Rejection with the line."""
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
    lower, upper = _claims(lines)
    witness = None if upper is None else _witness(lines)
    if lower is not None:
        lines.exact("tree")
    tree = lines.offset, lines.number
    if lower is None:
        lines.exact("end")
        lines.finish()
    return Certificate(problem, precision, scope, point, lower, upper, witness, lines.data, tree)


def _point(lines: Lines) -> tuple[Fraction, ...] | None:
    tokens = lines.tokens()
    if tokens == ["box"]:
        return None
    if tokens[0] != "point":
        raise Rejection("text", f"'point' with its values or 'box' was expected, not {shown(tokens[0])}")
    return tuple(rational(token) for token in tokens[1:])


def _claims(lines: Lines) -> tuple[Fraction | None, Fraction | None]:
    lower, upper = _claim(lines, "lower"), _claim(lines, "upper")
    if lower is None and upper is None:
        raise Rejection("claim", "lower and upper are both none")
    if lower is not None and upper is not None and lower >= upper:
        raise Rejection("claim", "lower must be below upper")
    return lower, upper


def _claim(lines: Lines, word: str) -> Fraction | None:
    (token,) = lines.fields(word, 1)
    value = None if token == "none" else rational(token)
    if value is not None and value < 0:
        raise Rejection("claim", f"{word} is negative")
    return value


def _witness(lines: Lines) -> Witness:
    """`values`, then one line for each column of the scope: how many there are is told by the next line's first token."""
    lines.exact("witness")
    values = tuple(rational(token) for token in lines.keyword("values"))
    columns: list[tuple[str, tuple[Token, ...]]] = []
    count = 0
    while lines.ahead("column "):
        tokens = lines.keyword("column")
        if not tokens:
            raise Rejection("witness", "a column has a name")
        count += len(tokens)
        if count > FRACTIONS:
            raise ResourceLimit(f"{FRACTIONS} fractions of a witness")
        columns.append((name(tokens[0]), tuple(_token(token) for token in tokens[1:])))
    return Witness(values, tuple(columns))


def _token(token: str) -> Token:
    first, colon, second = token.partition(":")
    return fraction(first), fraction(second) if colon else None
