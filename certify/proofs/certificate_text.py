"""The text of a certificate, token by token, as the checker's specification lays it down."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from certify.checker import nodes
from certify.checker.certificate import Group, Hull
from certify.checker.certificate import Zero as CheckedZero
from certify.contractors.protocol.contractor import Evaluate, Reason
from certify.problems.model.groups import EUCLIDEAN, LARGEST
from certify.problems.model.model import Problem
from certify.proofs.witnesses import Token, Witness

HEADER = "certify-certificate 6"
OPEN, AGGREGATE = "open", "aggregate"
_ROW_TERM = re.compile(r" [qmt]([0-9]+)\.([0-9]+)[+-]")
WHOLE = 40  # bits of a number that may be written without an exponent
LONGER = 14  # bits that make a whole number longer than an exponent does, by four digits or more
FAR = 512  # exponents whose letters are counted once
_LETTERS = {exponent: len(str(exponent)) for exponent in range(1 - FAR, FAR)}
Bounds = tuple[Fraction, Fraction]


def dyadic(value: float | Fraction) -> str:
    """A dyadic number as mantissa p exponent, or as a whole number where that is not longer."""
    numerator, denominator = value.as_integer_ratio()
    return scaled(numerator, 1 - denominator.bit_length())


def scaled(mantissa: int, exponent: int) -> str:
    """mantissa * 2^exponent, in its shortest form."""
    if not mantissa:
        return "0"
    zeros = (mantissa & -mantissa).bit_length() - 1
    odd, power = mantissa >> zeros, exponent + zeros
    short = f"{odd}p{power}"
    return min(str(odd << power), short, key=len) if 0 <= power < WHOLE else short


def letters_of(multiples: Sequence[tuple[int, int]]) -> Callable[[int], int]:
    """How many letters mantissa * 2^(exponent - power) take together as `scaled` writes them, for any power."""
    parts: dict[int, list[tuple[int, int]]] = {}
    for mantissa, exponent in multiples:
        zeros = (mantissa & -mantissa).bit_length() - 1
        odd = mantissa >> zeros
        parts.setdefault(exponent + zeros, []).append((odd, len(str(odd))))
    digits = sum(length for group in parts.values() for _, length in group)

    def letters(power: int) -> int:
        total = digits
        for exponent, group in parts.items():
            shifted = exponent - power
            more = 1 + (_LETTERS[shifted] if -FAR < shifted < FAR else len(str(shifted)))
            if 0 < shifted < LONGER:
                total += sum(min(len(str(odd << shifted)) - length, more) for odd, length in group)
            elif shifted:
                total += more * len(group)
        return total

    return letters


def _sign(sign: int) -> str:
    return "+" if sign > 0 else "-"


def node(reason: Reason) -> nodes.Evaluate | nodes.Aggregate:
    """A leaf as the checker holds it; of a square's mixed signs + comes first."""
    if isinstance(reason, Evaluate):
        return nodes.Evaluate(reason.block, reason.row)
    rows = (nodes.RowTerm(t.form, t.block, t.row, t.side, Fraction(t.weight)) for t in reason.rows)
    products = (
        nodes.Product(t.first, 1, t.second, -1, Fraction(t.weight))
        if t.first == t.second and t.first_sign < t.second_sign
        else nodes.Product(t.first, t.first_sign, t.second, t.second_sign, Fraction(t.weight))
        for t in reason.products
    )
    return nodes.Aggregate((*rows, *products), reason.further)


def leaf(reason: Reason) -> str:
    """The line of a leaf."""
    return node_line(node(reason))


def rows_named(tree: Iterable[str]) -> set[tuple[int, int]]:
    """The rows (family, row) that the leaves of a tree name."""
    found = {(int(family), int(row)) for line in tree for family, row in _ROW_TERM.findall(line)}
    return found | {
        (int(family), int(row))
        for line in tree
        if line.startswith("evaluate ")
        for family, row in [line.split(" ")[1:]]
    }


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


def witness_lines(problem: Problem, witness: Witness, without: Sequence[tuple[int, int]] | None = None) -> list[str]:
    """The witness block; `without` are the rows left out, if some are discarded."""
    lines = ["witness", "values " + " ".join(str(witness.values[v]) for v in sorted(witness.values))]
    if without is not None:
        lines.append(" ".join(["without", *(f"{family}.{row}" for family, row in sorted(without))]))
    for column in sorted(witness.columns):
        lines.append(
            f"column {problem.columns[column].name} " + " ".join(token(pair) for pair in witness.columns[column])
        )
    return lines


def aggregate_line(terms: Iterable[nodes.Term], weights: Iterable[tuple[int, int]], further: tuple[int, ...]) -> str:
    """The line of an aggregate with these weights, mantissas and exponents of 2."""
    said = [_unweighted(term) + scaled(*weight) for term, weight in zip(terms, weights, strict=True)]
    return " ".join([AGGREGATE, *(f"c{column}" for column in further), *said])


def _unweighted(term: nodes.Term) -> str:
    """A term without its weight."""
    if isinstance(term, nodes.RowTerm):
        return f"{term.form}{term.family}.{term.row}{_sign(term.side)}"
    return f"b{term.first}{_sign(term.first_sign)}{term.second}{_sign(term.second_sign)}"


def node_line(node: nodes.Node) -> str:
    """The line of a node as the checker holds it."""
    match node:
        case nodes.Split(variable, at):
            return split(variable, at)
        case nodes.Prepare(cells):
            return f"prepare {cells}"
        case nodes.Evaluate(family, row):
            return f"evaluate {family} {row}"
        case nodes.Aggregate(terms, further):
            ratios = (term.weight.as_integer_ratio() for term in terms)
            return aggregate_line(terms, [(n, 1 - d.bit_length()) for n, d in ratios], further)
        case nodes.Known(zero):
            return known(zero)
        case nodes.Hitting(count):
            return f"hitting {count}"
        case nodes.Skew(point, matrix):
            return " ".join(["frame", *(dyadic(entry) for row in (point, *matrix) for entry in row)])
    return OPEN


def split(variable: int, at: float | Fraction) -> str:
    """The line of a division."""
    return f"split {variable} {dyadic(at)}"


def known(zero: int) -> str:
    """The line of a leaf within the box of this zero."""
    return f"known {zero}"


def hull_lines(hull: Hull) -> list[str]:
    """The hull block: both ends for each variable of the scope, in order, then the facets."""
    facets = (" ".join(["facet", *map(str, facet.coefficients), str(facet.bound)]) for facet in hull.facets)
    return ["hull", *(f"{lower} {upper}" for lower, upper in hull.box), *facets]


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

    @property
    def checked(self) -> CheckedZero:
        """As the checker reads it."""
        return CheckedZero(self.box, tuple(tuple(map(Fraction, row)) for row in self.inverse))


def isolated_lines(zeros: Sequence[Zero]) -> list[str]:
    """The block of isolated zeros, also if there is none. The zeros of groups that are combined share their numbers."""
    lines, text = ["isolated"], cache(dyadic)
    for zero in zeros:
        ends = (text(end) for pair in zip(zero.lower, zero.upper, strict=True) for end in pair)
        entries = (text(entry) for row in zero.inverse for entry in row)
        lines += [" ".join(["zero", *ends]), " ".join(["inverse", *entries])]
    return lines


@dataclass(frozen=True)
class Claim:
    """What a certificate says, with its blocks: two ends, a hull (and a volume), isolated zeros, or a minimum (value,
    everywhere) in a zero; without `kind` and `groups` it follows from its problem what its rows are (`said`).
    With a `part` it is a piece.
    """

    scope: Sequence[str]
    point: Sequence[Fraction] | None = None
    squares: bool = False
    discard: int = 0
    lower: Fraction | None = None
    upper: Fraction | None = None
    within: Fraction | None = None
    volume: Fraction | None = None
    minimum: tuple[Fraction, bool] | None = None
    witness: Sequence[str] = ()
    hull: Hull | None = None
    zeros: Sequence[Zero] | None = None
    kind: str = ""
    groups: Sequence[Group] = ()
    factor: Fraction = Fraction(1)
    part: Sequence[Bounds] | None = None


def said(problem: Problem, claim: Claim) -> Claim:
    """The claim with what it is about: violations of which one row is kept, a system of equations and conditions, or
    the errors of a model.
    """
    families = [family for family in problem.families if family.name in set(claim.scope)]
    roles = {family.name: family.role for family in families}
    known, at_zero = set(roles.values()), not (claim.lower or claim.upper or claim.within or claim.squares)
    kept_one = claim.upper is None and claim.discard + 1 == sum(family.rows for family in families)
    if known == {"violation"} and at_zero and kept_one:
        kind = "violations"
    elif (at_zero and known <= {"equation", "condition"}) or (claim.zeros is not None and claim.minimum is None):
        kind = "system"
        equations = {family.name for family in families if not any(binding.measured for binding in family.bindings)}
        roles = {name: "equation" if name in equations else role for name, role in roles.items()}
    else:
        return replace(claim, kind="errors", groups=groups_of(problem, list(roles), claim))
    groups = [
        Group(role, "rows", Fraction(0), Fraction(1), tuple(name for name in roles if roles[name] == role))
        for role in dict.fromkeys(roles.values())
    ]
    return replace(claim, kind=kind, groups=groups)


def groups_of(problem: Problem, names: Sequence[str], claim: Claim) -> list[Group]:
    """The groups of a claim about errors of these families. Rows stand alone where it says the same: in a sum of
    squares, and where nothing is left out of a largest error. Where every row is to be 0 all norms say the same.
    """
    norms = {LARGEST: LARGEST, EUCLIDEAN: LARGEST if claim.upper == 0 else EUCLIDEAN}
    joined = [
        (norms[group.norm], tuple(name for name in names if name in group.families))
        for group in problem.groups
        if not (claim.squares or (norms[group.norm] == LARGEST and claim.discard == 0))
    ]
    alone = set(names) - {name for _, found in joined for name in found}
    found = [("rows", tuple(name for name in names if name in alone)), *joined]
    groups = [Group("model", norm, Fraction(0), Fraction(1), members) for norm, members in found if members]
    return sorted(groups, key=lambda group: names.index(group.names[0]))


def _about(claim: Claim) -> list[str]:
    """What the rows are, where they are looked at, and with which half-widths."""
    groups = (
        f"group {group.role} {group.norm} {group.base} {group.scale} {' '.join(group.names)}" for group in claim.groups
    )
    place = "box" if claim.point is None else "point " + " ".join(map(str, claim.point))
    if claim.part is not None:
        place = " ".join(["part", *(str(end) for ends in claim.part for end in ends)])
    return [f"claim {claim.kind}", f"groups {len(claim.groups)}", *groups, place, f"factor {claim.factor}"]


def document(digest: str, precision: int, claim: Claim, tree: Sequence[str]) -> bytes:
    """The whole certificate of a claim that says what it is about."""
    lines = [HEADER, f"problem {digest}", f"precision {precision}", *_about(claim)]
    lines += [f"norm {'squares' if claim.squares else 'largest'}", f"discard {claim.discard}"]
    count = None if claim.zeros is None or claim.minimum is not None else len(claim.zeros)
    told = {"lower": claim.lower, "upper": claim.upper, "within": claim.within, "volume": claim.volume, "zeros": count}
    lines += [f"{word} {'none' if value is None else value}" for word, value in told.items()]
    lines.append(
        "minimum none"
        if claim.minimum is None
        else f"minimum {'global' if claim.minimum[1] else 'local'} {claim.minimum[0]}"
    )
    if claim.upper is not None:
        lines += claim.witness
    if claim.hull is not None:
        lines += hull_lines(claim.hull)
    if claim.zeros is not None:
        lines += isolated_lines(claim.zeros)
    if (
        claim.lower is not None
        or claim.within is not None
        or count is not None
        or (claim.minimum is not None and claim.minimum[1])
    ):
        lines += ["tree", *tree]
    return ("\n".join([*lines, "end"]) + "\n").encode("ascii")
