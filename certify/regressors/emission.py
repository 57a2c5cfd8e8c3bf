"""Certificates about a table: what weighted rows prove, and points at which every row is judged.

    faces       a tree of cuts theta_j >= c (or <=), each refuted by the weighted sum of few rows
    lower end   one weighted sum; or one row, at a given point
    upper end   a witness

A certificate that names few rows is judged here at once, about the problem of these rows alone: a further row makes the
set smaller, so what holds without it holds with it. That of a witness reads every row; it is left to the check. Faces
whose numbers are of ordinary size are left to it, too: their sums are known in rational numbers, and a cut keeps a
2^-60th of its place as a margin, where the checker's arithmetic errs by 2^-300 of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from math import floor

import numpy as np

from certify.checker import check
from certify.checker.certificate import Group, Hull
from certify.checker.nodes import Aggregate, Evaluate, RowTerm, Split
from certify.checker.outcome import Status
from certify.problems.regressors.regressor import FAMILY, Regressor
from certify.proofs.certificate_text import OPEN, Claim, document, node_line
from certify.regressors.cuts import Cut, Line, Lines, around, narrowed, summed
from certify.regressors.exact_bounds import Bound, Bounds, whole
from certify.regressors.pieces import Piece

FEW_BITS, MANY_BITS = 256, 512  # of fractions: of witnesses, and of sums, whose weights must cancel exactly
DIGITS = 30
ORDINARY = 64  # numbers from 2^-64 to 2^64, or 0: exact in the checker's arithmetic
SHORT = 1500  # bits of a weight
FEW = 20  # rows that show whether the arithmetic is fine enough


class Emission:
    """Writes the certificates of one problem."""

    def __init__(self, problem: Regressor) -> None:
        self.problem = problem

    def hull(self, cuts: Sequence[Cut]) -> tuple[bytes, tuple[Cut, ...], tuple[Bounds, ...]] | None:
        """All cuts that the checker's arithmetic confirms, and the box that they leave; None if that is none."""
        tree = self._hull(cuts)
        if not (self._is_ordinary(tree) or self._accepted(tree)):
            tree = self._hull([one for one in cuts if self._accepted(self._hull((one,)))])
            if not self._accepted(tree):
                return None
        return self._written(tree, None), tree.cuts, tree.box

    def _hull(self, cuts: Sequence[Cut]) -> _Tree:
        """Those that cut something off."""
        box, done = narrowed(self.problem.box, cuts)
        claim = self._claim(Fraction(1), within=Fraction(0), hull=Hull(box))
        return _Tree(claim, tuple(around(done, (OPEN,))), done, box)

    def lower(self, bound: Bound, factor: bool) -> tuple[Fraction, bytes] | None:
        """A lower end (of the error, or of the factor on all half-widths) and its certificate; None if it is not
        positive.
        """
        least = _below(bound.value)
        if least <= 0:
            return None
        level, times = (Fraction(0), least) if factor else (least, Fraction(1))
        tree = _Tree(self._claim(times, lower=level), (whole(bound.terms),))
        return (least, self._written(tree, None)) if self._accepted(tree) else None

    def union(self, root: Piece, discard: int = 0) -> tuple[bytes, tuple[Bounds, ...], tuple[int, ...]] | None:
        """The box of all pieces that are open (for all theta that fit all rows but `discard` many), its certificate and
        the rows that this names; None if that is none.
        """
        boxes = [leaf.box for leaf in root.leaves if not leaf.refuted]
        if not boxes:
            return None
        box = tuple((min(low for low, _ in ends), max(high for _, high in ends)) for ends in zip(*boxes, strict=True))
        claim = self._claim(Fraction(1), within=Fraction(0), hull=Hull(box), discard=discard)
        tree = _Tree(claim, tuple(root.lines))
        return (self._written(tree, None), box, tuple(sorted(tree.rows))) if self._accepted(tree) else None

    def refuted(
        self, root: Piece, value: Fraction, times: Fraction | None, bound: Fraction | None
    ) -> tuple[Fraction, bytes, tuple[int, ...]] | None:
        """A lower end of the error, or with `times` of the factor (with a bound that it does not touch, if one is
        given), by the pieces that are all refuted.
        """
        least = _below(value) if times is None else value
        if least <= 0 or not all(leaf.refuted for leaf in root.leaves):
            return None
        factor = Fraction(1) if times is None else times
        base = factor * self.problem.base if bound is None else bound
        claim = self._about(factor, base, lower=least if times is None else Fraction(0))
        tree = _Tree(claim, tuple(root.lines))
        return (least, self._written(tree, None), tuple(sorted(tree.rows))) if self._accepted(tree) else None

    def lower_at(self, point: Sequence[Fraction], row: int, needed: Fraction) -> tuple[Fraction, bytes] | None:
        """The same of the error that one point needs, by one row."""
        least = _below(needed)
        inside = all(low <= x <= high for x, (low, high) in zip(point, self.problem.box, strict=True))
        if least <= 0 or not inside:
            return None
        tree = _Tree(self._claim(Fraction(1), lower=least, point=tuple(point)), (Evaluate(0, row),))
        return (least, self._written(tree, None)) if self._accepted(tree) else None

    def upper(
        self, point: Sequence[Fraction], level: Fraction, times: Fraction, at_point: bool, bound: Fraction | None = None
    ) -> bytes | None:
        """The certificate that a point needs no more; None if it is outside of the search box, or numbers are so small
        that the checker's arithmetic does not tell some rows from others.
        """
        if not all(low <= x <= high for x, (low, high) in zip(point, self.problem.box, strict=True)):
            return None
        values = ("witness", "values " + " ".join(map(str, point)))
        where = tuple(point) if at_point else None
        claim = self._claim(times, upper=level, witness=values, point=where)
        if bound is not None:
            claim = self._about(times, bound, upper=level, witness=values, point=where)
        few = self.problem.reduced(range(min(FEW, self.problem.rows)))
        if check(few, document(sha256(few).hexdigest(), FEW_BITS, claim, ())).status is not Status.VERIFIED:
            return None
        return document(self.problem.digest, FEW_BITS, claim, ())

    def proved(self, lines: Lines, times: Fraction = Fraction(1), **claimed: object) -> bytes | None:
        """The certificate of such a tree; None if the checker does not accept it about the rows that it names."""
        tree = _Tree(self._claim(times, **claimed), tuple(lines))
        return self._written(tree, None) if self._accepted(tree) else None

    def upper_without(self, point: Sequence[Fraction], rows: Sequence[int]) -> bytes | None:
        """The certificate that a point fits all rows but these; None if it is outside of the search box."""
        if not all(low <= x <= high for x, (low, high) in zip(point, self.problem.box, strict=True)):
            return None
        values = ("witness", "values " + " ".join(map(str, point)))
        without = (" ".join(["without", *(f"0.{row}" for row in sorted(rows))]),) if rows else ()
        claim = self._claim(Fraction(1), upper=Fraction(0), discard=len(rows), witness=(*values, *without))
        return document(self.problem.digest, FEW_BITS, claim, ())

    def _claim(self, times: Fraction, **claimed: object) -> Claim:
        return self._about(times, times * self.problem.base, **claimed)

    def _about(self, times: Fraction, base: Fraction, **claimed: object) -> Claim:
        """With a factor on the half-widths of the table, and a bound that it does not touch."""
        groups = [Group("model", "rows", base, Fraction(1), (FAMILY,))]
        return Claim((FAMILY,), kind="errors", groups=groups, factor=times, **claimed)  # type: ignore[arg-type]

    def _written(self, tree: _Tree, numbers: Mapping[int, int] | None, digest: str = "") -> bytes:
        """With these numbers of rows, or their own."""
        lines = [_line(line, numbers) for line in tree.lines]
        return document(digest or self.problem.digest, MANY_BITS, tree.claim, lines)

    def _is_ordinary(self, tree: _Tree) -> bool:
        """Whether the checker's arithmetic has nothing to round that counts: then exact weights are enough."""
        rows, problem = sorted(tree.rows), self.problem
        if not rows or any(term.weight.numerator.bit_length() > SHORT for one in tree.cuts for term in one.terms):
            return False
        numbers = [problem.matrix[rows].ravel(), problem.lower[rows], problem.upper[rows]]
        sizes = np.abs(np.concatenate([*numbers, [float(one.at) for one in tree.cuts], [float(problem.base)]]))
        sizes = sizes[sizes > 0.0]
        return bool(((sizes >= 2.0**-ORDINARY) & (sizes <= 2.0**ORDINARY)).all())

    def _accepted(self, tree: _Tree) -> bool:
        """Whether the checker accepts it about the rows that it names."""
        rows = sorted(tree.rows)
        if not rows:
            return False
        problem = self.problem.reduced(rows)
        numbers = {row: k for k, row in enumerate(rows)}
        return check(problem, self._written(tree, numbers, sha256(problem).hexdigest())).status is Status.VERIFIED


@dataclass(frozen=True, slots=True)
class _Tree:
    """A claim with its tree, whose sums are still weighted rows."""

    claim: Claim
    lines: tuple[Line, ...]
    cuts: tuple[Cut, ...] = ()
    box: tuple[Bounds, ...] = ()

    @property
    def rows(self) -> set[int]:
        """Those that are named."""
        return {term.row for term in summed(self.lines)} | {
            line.row for line in self.lines if isinstance(line, Evaluate)
        }


def _line(line: Line, numbers: Mapping[int, int] | None) -> str:
    if isinstance(line, str):
        return line
    if isinstance(line, Split):
        return node_line(line)
    if isinstance(line, Evaluate):
        return node_line(Evaluate(line.family, line.row if numbers is None else numbers[line.row]))
    rows = (
        RowTerm("m", 0, t.row if numbers is None else numbers[t.row], 1 if t.weight > 0 else -1, abs(t.weight))
        for t in line
    )
    return node_line(Aggregate(tuple(rows)))


def _below(value: Fraction) -> Fraction:
    """A little less, with few digits."""
    if value <= 0:
        return Fraction(0)
    unit = Fraction(10) ** (len(str(value.numerator)) - len(str(value.denominator)) - DIGITS)
    return (floor(value / unit) - 1) * unit
