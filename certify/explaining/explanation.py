"""What a certificate says and how its proof goes, as facts; nothing is verified here
(`certify.explaining.explanation_text` tells them).

Both files are read by the checker's own parsers, so what they refuse is refused here too. The tree is walked
with its boxes, its leaves are counted and not judged.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass, field
from fractions import Fraction

from certify.checker.certificate import Certificate, parse_certificate
from certify.checker.nodes import (
    Aggregate,
    Evaluate,
    Hitting,
    Known,
    Node,
    Open,
    Prepare,
    RowTerm,
    Skew,
    Split,
    parse_node,
)
from certify.checker.outcome import Rejection
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checker.rules import Preparation, Proof, Question
from certify.checker.scope import Box, Scope, find_families
from certify.explaining.conditions import Bounds, conditions
from certify.explaining.model_text import is_table
from certify.explaining.model_units import row_unit, units

Row = tuple[int, int]  # family, row
SOLUTIONS = 10  # of a system whose boxes are kept


class AnotherProblem(Exception):
    """The certificate names another problem than the one given."""


@dataclass(slots=True)
class Use:
    """In how many leaves a row occurs, and the sum of its parts of their weights."""

    leaves: int = 0
    weight: float = 0.0


@dataclass(frozen=True, slots=True)
class Event:
    """A split: with `cut` the part below or above is refuted at once, else both parts are looked at; `rows` are those
    of the refutation.

    `whole` says that all other parts were refuted before: what is split then is what is left of the box, not some part
    of it.
    """

    variable: int
    at: Fraction
    cut: str | None
    rows: tuple[Row, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class CutRound:
    """The cuts in the order of the proof up to here, and the decimal logarithm of the part of the box
    that they leave.
    """

    cuts: int
    left: float


@dataclass
class Tree:
    """The shape of a proof. `rounds` are those of the first cuts, before the box is halved or what is left of it is
    refuted by `last`.

    `hit` has the rows of each conflict, in the order of the proof, and `parted` says whether some of them are of a part
    of the box only.
    """

    leaves: Counter[str] = field(default_factory=Counter)
    splits: int = 0
    prepares: int = 0
    frames: int = 0
    conflicts: int = 0
    hit: list[set[Row]] = field(default_factory=list)
    parted: bool = False
    depth: int = 0
    uses: dict[Row, Use] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    rounds: list[CutRound] = field(default_factory=list)
    left: Box = ()
    last: tuple[Row, ...] = ()

    @property
    def pieces(self) -> int:
        """How many leaves are proved by certificates of their own: what rows these use is not known here."""
        return self.leaves["piece"]

    def ranked(self) -> list[tuple[Row, Use]]:
        """The rows that occur, those of the most leaves first."""
        return sorted(self.uses.items(), key=lambda item: (-item[1].leaves, -item[1].weight, item[0]))


@dataclass(frozen=True)
class Explanation:
    """A problem and a certificate for it, read; `unit` is that of the rows, if it follows from the model, `solutions`
    the first isolated zeros, `conditions` the ends of the rows (by family) if all of them only say that a function lies
    between two ends.

    `complement` says whether the problem, translated anew from a system, is that of all points outside of its set; None
    where that is not known: names do not say so.
    """

    problem: CanonicalProblem
    certificate: Certificate
    scope: Scope
    variable_units: dict[str, str]
    column_units: dict[str, str]
    unit: str | None
    solutions: tuple[Box, ...]
    conditions: dict[int, Bounds]
    tree: Tree | None
    size: int
    complement: bool | None

    @property
    def families(self) -> list[int]:
        """The families of the scope, in order."""
        return sorted(self.scope.families)

    @property
    def rows(self) -> int:
        """The rows of the scope."""
        return sum(self.problem.families[number].rows for number in self.families)

    @property
    def inner(self) -> bool:
        """Whether the rows are all violations of a system: then what is claimed is that the system is satisfied."""
        every = len(self.conditions) == len(self.problem.families)
        return self.certificate.kind == "violations" and every and self.complement is True

    @property
    def grouped(self) -> bool:
        """Whether rows are bounded together, or not by the model error itself."""
        return not all(group.ordinary for group in self.certificate.groups)

    @property
    def members(self) -> int:
        """What can be left out: rows, or equally numbered rows of groups together."""
        return sum(
            self.problem.families[family].rows for family in self.families if self.scope.member(family)[0] == family
        )

    @property
    def columns(self) -> list[int]:
        """The columns of the scope, but for those of tables."""
        return [column for column in self.scope.columns if self.scope.named(column)]

    @property
    def tables(self) -> list[int]:
        """The families of the scope that are tables."""
        return [family for family in self.families if is_table(self.problem, family)]

    @property
    def shared(self) -> list[int]:
        """The columns whose entries are used more than once in the scope: there is one true value of each."""
        return [column for column in self.columns if self.scope.uses[column] > 1]

    def boxed(self) -> Iterator[tuple[str, str, Fraction, Fraction]]:
        """Name, unit and bounds of the scope's variables, in a piece those of its part."""
        bounds = self.certificate.part or self.scope.box
        for number, ends in zip(self.scope.variables, bounds, strict=True):
            name = self.problem.variables[number].name
            yield name, self.variable_units[name], *ends

    def half_widths(self, column: int) -> tuple[Fraction, Fraction]:
        """The least and the greatest half-width of a column."""
        widths = [self.scope.factor * (upper - lower) / 2 for lower, upper in self.problem.columns[column].entries]
        return min(widths), max(widths)


def explain(
    canonical: bytes,
    certificate_bytes: bytes,
    complement: bool | None = None,
    read: Callable[[bytes], CanonicalProblem] = parse_problem,
) -> Explanation:
    """Read both. Raises Rejection or ResourceLimit as the checker's parsers do, AnotherProblem if they do not belong
    together.

    `complement` is for who has made the canonical bytes anew from a system: whether they are its complement; `read` is
    for who has many certificates of a problem explained, and reads it once.
    """
    certificate = parse_certificate(certificate_bytes)
    problem = read(canonical)
    digest = hashlib.sha256(canonical).hexdigest()
    if digest != certificate.problem:
        raise AnotherProblem(
            f"the certificate is about the problem with the SHA-256 {certificate.problem}, the one given has {digest}"
        )
    families = find_families(problem, certificate.groups)
    scope = Scope(problem, families, certificate.precision, certificate.groups, certificate.factor)
    _require_sizes(certificate, scope)
    variable_units, column_units = units(canonical)
    found = {row_unit(problem, number, (variable_units, column_units)) for number in scope.families}
    unit = found.pop() if len(found) == 1 else None
    unit = unit if all(group.scale == 1 for group in certificate.groups) else "1"
    tree = None if certificate.level is None else _read_tree(problem, certificate, scope)
    told = conditions(problem, certificate, scope)
    solutions = tuple(zero.box for zero in certificate.isolated[:SOLUTIONS])
    return Explanation(
        problem,
        certificate,
        scope,
        variable_units,
        column_units,
        unit,
        solutions,
        told,
        tree,
        len(certificate_bytes),
        complement,
    )


def _require_sizes(certificate: Certificate, scope: Scope) -> None:
    """Refuse numbers of other unknowns, and rows that there are not."""
    blocks = [
        ("point", certificate.point),
        ("part", certificate.part),
        *(("zero", zero.box) for zero in certificate.isolated),
    ]
    if certificate.witness is not None:
        blocks.append(("witness", certificate.witness.values))
        for family, row in certificate.witness.without:
            scope.check_row("witness", family, row)
    if certificate.hull is not None:
        blocks += [("hull", certificate.hull.box), *(("hull", facet.coefficients) for facet in certificate.hull.facets)]
    for name, numbers in blocks:
        if numbers is not None and len(numbers) != len(scope.variables):
            raise Rejection(name, f"it is of {len(numbers)} unknowns, there are {len(scope.variables)}")


@dataclass(frozen=True, slots=True)
class _Place:
    """A node with its children; the tree as it is read."""

    node: Node
    children: tuple[int, ...]


def _read_tree(problem: CanonicalProblem, certificate: Certificate, scope: Scope) -> Tree:
    level = certificate.level or Fraction(0)
    all_of_it = certificate.part or scope.box
    box = all_of_it if certificate.point is None else tuple((value, value) for value in certificate.point)
    proof = Proof(problem, sorted(scope.families), certificate.precision, Question(level), box)
    places = _places(certificate)
    tree = Tree()
    pending: list[tuple[int, Box, Preparation, int, set[Row]]] = [(0, box, proof.root, 0, set())]
    chain = 0  # the node that the first cuts have led to
    cuts, whole = 0, _volume(box)
    while pending:
        number, part, preparation, depth, named = pending.pop()
        place = places[number]
        tree.depth = max(tree.depth, depth)
        if isinstance(place.node, Split):
            parts = _halves(proof, part, place.node)
            leaf = next(
                (k for k, child in enumerate(place.children) if isinstance(places[child].node, Evaluate | Aggregate)),
                None,
            )
            rows = () if leaf is None else tuple(_rows(places[place.children[leaf]].node))
            tree.splits += 1
            if (
                preparation.chart.frame is None and not tree.conflicts
            ):  # elsewhere it is not said of the variable, or not of all rows
                cut = None if leaf is None else ("below", "above")[leaf]
                tree.events.append(Event(place.node.variable, place.node.at, cut, rows, number == chain))
            if number == chain and leaf is not None:
                cuts += 1
                chain = place.children[1 - leaf]
                tree.left = parts[1 - leaf]
            pending += [
                (child, half, preparation, depth + 1, named)
                for child, half in reversed(list(zip(place.children, parts, strict=True)))
            ]
            continue
        if number == chain and cuts and (not tree.rounds or tree.rounds[-1].cuts < cuts):
            tree.rounds.append(CutRound(cuts, _volume(part) - whole))
        if isinstance(place.node, Prepare):
            tree.prepares += 1
            chain = place.children[0] if number == chain else chain
            pending.append((place.children[0], part, preparation, depth, named))
        elif isinstance(place.node, Skew):
            skewed = _skewed(proof, preparation, part, place.node)
            tree.frames += 1
            if number == chain:
                chain, cuts = 0, 0
            pending.append((place.children[0], skewed.box, skewed, depth, named))
        elif isinstance(place.node, Hitting):
            tree.conflicts += place.node.count
            tree.parted = tree.parted or depth > 0
            found: list[set[Row]] = [set() for _ in place.children]
            tree.hit += found
            pending += [
                (child, part, preparation, depth, rows_)
                for child, rows_ in reversed(list(zip(place.children, found, strict=True)))
            ]
        else:
            _count(tree, scope, certificate, place.node)
            named.update(_rows(place.node))
            tree.last = tuple(_rows(place.node)) if number == chain else tree.last
    if chain and cuts and (not tree.rounds or tree.rounds[-1].cuts < cuts):
        tree.rounds.append(CutRound(cuts, _volume(tree.left) - whole))
    return tree


def _places(certificate: Certificate) -> list[_Place]:
    """All nodes in the order of the file, with the numbers of their children."""
    lines = copy(certificate.tree)
    found: list[Node] = []
    children: list[list[int]] = []
    waiting = [-1]  # the parents of the nodes to come, the next one last
    try:
        while waiting:
            parent = waiting.pop()
            node = parse_node(lines.tokens())
            if parent >= 0:
                children[parent].append(len(found))
            waiting += [len(found)] * _children(node)
            found.append(node)
            children.append([])
        lines.exact("end")
        lines.finish()
    except Rejection as rejection:
        rejection.where = lines.where
        raise
    return [_Place(node, tuple(below)) for node, below in zip(found, children, strict=True)]


def _children(node: Node) -> int:
    match node:
        case Split():
            return 2
        case Prepare() | Skew():
            return 1
        case Hitting(count):
            return count
    return 0


def _skewed(proof: Proof, preparation: Preparation, box: Box, node: Skew) -> Preparation:
    try:
        return proof.skew(preparation, box, node)
    except Rejection as rejection:
        rejection.where = rejection.where or "tree"
        raise


def _halves(proof: Proof, box: Box, node: Split) -> tuple[Box, Box]:
    try:
        return proof.split(box, node.variable, node.at)
    except Rejection as rejection:
        rejection.where = rejection.where or "tree"
        raise


def _volume(box: Box) -> float:
    """The decimal logarithm of the volume, over the variables that have any width."""
    total = 0.0
    for lower, upper in box:
        width = upper - lower
        if width:
            total += math.log10(width.numerator) - math.log10(width.denominator)
    return total


def _rows(node: Node) -> Iterator[Row]:
    if isinstance(node, Evaluate):
        yield node.family, node.row
    elif isinstance(node, Aggregate):
        yield from dict.fromkeys((term.family, term.row) for term in node.terms if isinstance(term, RowTerm))


def _refuse(reason: str) -> None:
    rejection = Rejection("tree", reason)
    rejection.where = "tree"
    raise rejection


def _count(tree: Tree, scope: Scope, certificate: Certificate, node: Node) -> None:
    tree.leaves[type(node).__name__.lower()] += 1
    if isinstance(node, Open) and certificate.hull is None:
        _refuse("there is no hull for what is open")
    if isinstance(node, Known) and node.zero >= len(certificate.isolated):
        _refuse(f"there is no zero {node.zero}")
    for family, row in _rows(node):
        scope.check_row("tree", family, row)
        tree.uses.setdefault((family, row), Use()).leaves += 1
    if isinstance(node, Evaluate):
        tree.uses[node.family, node.row].weight += 1.0
    elif isinstance(node, Aggregate):
        terms = [term for term in node.terms if isinstance(term, RowTerm)]
        total = sum(term.weight for term in terms)
        for term in terms:
            tree.uses[term.family, term.row].weight += float(term.weight / total) if total else 0.0
