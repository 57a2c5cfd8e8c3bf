"""The rows of a least-squares problem as quadratic polynomials whose squares no sum can undercut, estimated in floats
for a search.

On a box of y, x = m + T y (T the identity where there is no frame), each row r becomes P(d) = a + b d + d' C d, d = y -
centre, with |P| <= |r| but for an error: by Taylor's formula (`t`: the error is of third order in the box), or, where r
= sigma sqrt(D) + v, by D - v^2 divided by an upper bound of |r - 2 v| (`q`: no error, but a smaller P where v varies
much). For every row the form that promises more is taken. Proofs are made of the same forms by whoever replays the
search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from certify.contractors.rows.rows import Rows
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.contractors.tape.lift import Lift, NotPolynomial, lift
from certify.contractors.tape.tape import Tape
from certify.solvers.fits.plain_fit import residuals
from certify.solvers.squares.float_jets import FloatJets

Quadratics = tuple[Floats, Floats, Floats, Floats]  # constant, linear, square, error, a row each


@dataclass(frozen=True)
class Chart:
    """x = start + matrix y for the unknowns of a search, in their order."""

    start: Floats
    matrix: Floats

    def image(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """A box that holds x for all y of a box, up to rounding."""
        centre, radius = 0.5 * (lower + upper), 0.5 * (upper - lower)
        middle, reach = self.start + self.matrix @ centre, np.abs(self.matrix) @ radius
        return middle - reach, middle + reach


@dataclass(frozen=True)
class SquareForms:
    """Rows as quadratics in d: constant (K), linear (K, n), square (K, n, n), error (K), and for each its form, block
    and row.
    """

    constant: Floats
    linear: Floats
    square: Floats
    error: Floats
    tags: list[tuple[str, int, int]]


@dataclass(frozen=True)
class SquareRows:
    """Blocks of rows with exact measurements, the places of their unknowns, and the level: no |r| exceeds its root."""

    blocks: tuple[tuple[int, Rows], ...]
    variables: tuple[int, ...]
    size: int
    level: float

    @cached_property
    def _jets(self) -> list[FloatJets]:
        return [FloatJets(rows, self._positions(rows), _middle(rows)) for _, rows in self.blocks]

    def values(self, x: Floats) -> tuple[Floats, Floats]:
        """All rows and their slopes in the unknowns at x (of the unknowns)."""
        point = np.zeros(self.size)
        point[list(self.variables)] = x
        parts = [residuals(rows, point, _middle(rows)) for _, rows in self.blocks]
        return np.concatenate([value for value, _ in parts]), np.vstack([slopes for _, slopes in parts])[
            :, list(self.variables)
        ]

    def half_gradient(self, x: Floats) -> Floats:
        """Half the gradient of the sum of squares at x."""
        values, slopes = self.values(x)
        return np.asarray(slopes.T @ values)

    def half_hessian(self, x: Floats, radius: Floats) -> tuple[Floats, Floats]:
        """Half the Hessian of the sum of squares over the box x +- radius, entry by entry as in the checker; not finite
        where undefined.
        """
        squares = [jets.squares(x, radius) for jets in self._jets]
        return np.sum([low for low, _ in squares], axis=0), np.sum([high for _, high in squares], axis=0)

    def forms(self, chart: Chart, lower: Floats, upper: Floats, target: Floats) -> SquareForms:
        """The forms on a box of y; `target` is where in it (as d) the sum of squares matters most."""
        parts = []
        for (number, rows), jets in zip(self.blocks, self._jets, strict=True):
            taylor, lifted = self._taylor(jets, chart, lower, upper), self._lifted(rows, chart, lower, upper)
            squared = (
                np.zeros(rows.count, dtype=bool) if lifted is None else _worth(lifted, target) > _worth(taylor, target)
            )
            for k in range(rows.count):
                chosen = lifted if squared[k] and lifted is not None else taylor
                if np.isfinite(chosen[3][k]):
                    parts.append((*(array[k] for array in chosen), ("q" if squared[k] else "t", number, k)))
        n = len(self.variables)
        shapes = (-1,), (-1, n), (-1, n, n), (-1,)  # of no rows, too, where none is defined
        constant, linear, square, error = (
            np.array([part[i] for part in parts], dtype=np.float64).reshape(shapes[i]) for i in range(4)
        )
        return SquareForms(constant, linear, square, error, [part[4] for part in parts])

    def _positions(self, rows: Rows) -> dict[int, int]:
        """For each unknown input of the tape its position among the unknowns."""
        return {int(i): self.variables.index(rows.unknowns[i]) for i in rows.unknown_inputs}

    def _at(self, rows: Rows, x: Floats) -> tuple[Floats, Floats]:
        point = np.zeros(self.size)
        point[list(self.variables)] = x
        middle = _middle(rows)
        return rows.with_box(point, point, middle, middle)

    def _taylor(self, jets: FloatJets, chart: Chart, lower: Floats, upper: Floats) -> Quadratics:
        """Value and slopes at the centre, second derivatives over the box."""
        radius, x = 0.5 * (upper - lower), chart.start + chart.matrix @ (0.5 * (lower + upper))
        over, at = jets.rows(x, chart.matrix, radius), jets.rows(x, chart.matrix, np.zeros(len(radius)))
        with np.errstate(all="ignore"):  # where a row is undefined
            square = 0.5 * (over.square[0] + over.square[1])
        error = 0.5 * np.einsum("kij,i,j->k", over.square[1] - over.square[0], radius, radius)
        fine = np.isfinite(error)
        return at.centre, at.linear[0], np.where(fine[:, None, None], square, 0.0), np.where(fine, error, np.inf)

    def _lifted(self, rows: Rows, chart: Chart, lower: Floats, upper: Floats) -> Quadratics | None:
        """(D - v^2) / (sqrt(level) + 2 |v|), or r itself where there is no root."""
        inputs, n = tuple(int(i) for i in rows.unknown_inputs), len(self.variables)
        sides = _lifts(rows.tape, inputs)
        if sides is None:
            return None
        main, other = sides
        centre, radius = 0.5 * (lower + upper), 0.5 * (upper - lower)
        low, high = self._at(rows, chart.start + chart.matrix @ centre)
        zero = np.zeros(rows.count)
        position = self._positions(rows)

        def quadratic(tape: Tape, monomials: Sequence[tuple[int, ...]], first: int) -> tuple[Floats, Floats, Floats]:
            coefficients = evaluate(tape, np.vstack([low, zero]), np.vstack([high, zero])).estimated_middle[first:]
            constant, linear, square = np.zeros(rows.count), np.zeros((rows.count, n)), np.zeros((rows.count, n, n))
            for m, values in zip(monomials, coefficients, strict=True):
                if not m:
                    constant += values
                elif len(m) == 1:
                    linear[:, position[m[0]]] += values
                else:
                    square[:, position[m[0]], position[m[1]]] += 0.5 * values
                    square[:, position[m[1]], position[m[0]]] += 0.5 * values
            return constant, linear @ chart.matrix, chart.matrix.T @ square @ chart.matrix

        constant, linear, square = quadratic(main.tape, main.monomials, 0)
        if other.sign_monomials:
            v = quadratic(other.tape, other.sign_monomials, len(other.monomials))
            largest = np.abs(v[0]) + np.abs(v[1]) @ radius + np.einsum("kij,i,j->k", np.abs(v[2]), radius, radius)
            divisor = np.sqrt(self.level) + 2.0 * largest
            constant, linear, square = constant / divisor, linear / divisor[:, None], square / divisor[:, None, None]
        return constant, linear, square, np.zeros(rows.count)


def _middle(rows: Rows) -> Floats:
    return np.asarray(0.5 * (rows.lower + rows.upper))


def _worth(form: Quadratics, d: Floats) -> Floats:
    """What a row adds to the sum at d: P^2, less twice |P| times its error."""
    constant, linear, square, error = form
    size = np.abs(constant + linear @ d + np.einsum("kij,i,j->k", square, d, d))
    return np.where(np.isfinite(error), size * (size - 2.0 * np.where(np.isfinite(error), error, 0.0)), -np.inf)


@lru_cache(maxsize=64)
def _lifts(tape: Tape, inputs: tuple[int, ...]) -> tuple[Lift, Lift] | None:
    """The side of the lift that needs no sign, then the other one; None if the row is not quadratic after squaring."""
    try:
        main, other = sorted(
            (lift(tape, inputs, side) for side in (1, -1)), key=lambda found: bool(found.sign_monomials)
        )
    except NotPolynomial:
        return None
    return None if main.sign_monomials or any(len(m) > 2 for m in other.sign_monomials) else (main, other)
