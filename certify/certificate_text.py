"""The text of a certificate, token by token, as the checker's specification lays it down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.witnesses import Token, Witness
from contractors.narrowing import Evaluate, ProductTerm, Reason, RowTerm
from problems.model import Problem

HEADER = "certify-certificate 2"
OPEN = "open"
Bounds = tuple[Fraction, Fraction]


def dyadic(value: float) -> str:
    """A double as mantissa p exponent, without the p where it is a small whole number."""
    numerator, denominator = value.as_integer_ratio()
    if denominator == 1 and abs(numerator) < 2**40:
        return str(numerator)
    exponent = -(denominator.bit_length() - 1)
    while numerator % 2 == 0:
        numerator //= 2
        exponent += 1
    return f"{numerator}p{exponent}"


def _sign(sign: int) -> str:
    return "+" if sign > 0 else "-"


def row_term(term: RowTerm) -> str:
    """A multiple of one side of one row."""
    return f"{term.form}{term.block}.{term.row}{_sign(term.side)}{dyadic(term.weight)}"


def product_term(term: ProductTerm) -> str:
    """A multiple of a product of two distances from faces; a square's mixed signs are written + first."""
    signs = (term.first_sign, term.second_sign)
    if term.first == term.second and signs == (-1, 1):
        signs = (1, -1)
    return f"b{term.first}{_sign(signs[0])}{term.second}{_sign(signs[1])}{dyadic(term.weight)}"


def leaf(reason: Reason) -> str:
    """The line of a leaf."""
    if isinstance(reason, Evaluate):
        return f"evaluate {reason.block} {reason.row}"
    return " ".join(["aggregate", *map(row_term, reason.rows), *map(product_term, reason.products)])


def split(variable: int, at: float) -> str:
    """The line of two halves."""
    return f"split {variable} {dyadic(at)}"


def fraction(value: Fraction) -> str:
    """A number from 0 to 1 as a decimal."""
    if value in (0, 1):
        return str(value)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    return "0." + str((value * 10**places).numerator).rjust(places, "0")


def token(pair: Token) -> str:
    """An entry of a witness."""
    return fraction(pair[0]) if pair[0] == pair[1] else f"{fraction(pair[0])}:{fraction(pair[1])}"


def witness_lines(problem: Problem, witness: Witness) -> list[str]:
    """The witness block."""
    lines = ["witness", "values " + " ".join(str(witness.values[v]) for v in sorted(witness.values))]
    for column in sorted(witness.columns):
        lines.append(f"column {problem.columns[column].name} " + " ".join(token(pair) for pair in witness.columns[column]))
    return lines


def known(zero: int) -> str:
    """The line of a leaf within the box of this zero."""
    return f"known {zero}"


def hull_lines(hull: Sequence[Bounds]) -> list[str]:
    """The hull block: both ends for each variable of the scope, in order."""
    return ["hull", *(f"{lower} {upper}" for lower, upper in hull)]


@dataclass(frozen=True)
class Zero:
    """A box around a zero of a system, and an inverse of the derivatives in it by estimate; all numbers are doubles."""

    lower: tuple[float, ...]
    upper: tuple[float, ...]
    inverse: tuple[tuple[float, ...], ...]

    @property
    def box(self) -> tuple[Bounds, ...]:
        """The box, exactly."""
        return tuple((Fraction(a), Fraction(b)) for a, b in zip(self.lower, self.upper, strict=True))


def isolated_lines(zeros: Sequence[Zero]) -> list[str]:
    """The block of isolated zeros, also if there is none."""
    lines = ["isolated"]
    for zero in zeros:
        ends = (dyadic(end) for pair in zip(zero.lower, zero.upper, strict=True) for end in pair)
        entries = (dyadic(entry) for row in zero.inverse for entry in row)
        lines += [" ".join(["zero", *ends]), " ".join(["inverse", *entries])]
    return lines


def document(
    digest: str,
    precision: int,
    scope: Sequence[str],
    point: Sequence[Fraction] | None,
    lower: Fraction | None,
    upper: Fraction | None,
    witness: Sequence[str],
    tree: Sequence[str],
    within: Fraction | None = None,
    hull: Sequence[Bounds] | None = None,
    zeros: Sequence[Zero] | None = None,
) -> bytes:
    """The whole certificate: of a lower and an upper end, or of a hull alone, or of isolated zeros alone."""
    lines = [HEADER, f"problem {digest}", f"precision {precision}", "scope " + " ".join(scope)]
    lines.append("box" if point is None else "point " + " ".join(map(str, point)))
    claims = {"lower": lower, "upper": upper, "within": within, "zeros": None if zeros is None else len(zeros)}
    lines += [f"{word} {'none' if value is None else value}" for word, value in claims.items()]
    if upper is not None:
        lines += witness
    if hull is not None:
        lines += hull_lines(hull)
    if zeros is not None:
        lines += isolated_lines(zeros)
    if lower is not None or hull is not None or zeros is not None:
        lines += ["tree", *tree]
    return ("\n".join([*lines, "end"]) + "\n").encode("ascii")
