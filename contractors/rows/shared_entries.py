"""Measurements that rows share as further unknowns u of a weighted sum, |u| <= 1, in coordinates of their boxes.

A row has, beside its polynomial in t, the terms  l_a u_a + q_ab u_a u_b + c_aj u_a t_j  with interval coefficients. In
a sum of rows with one realisation of u its derivative by u_a,

    l_a + 2 q_aa u_a + sum_b q_ab u_b + sum_j c_aj t_j,

is enclosed over what is left of the box. Where it is >= 0 (<= 0) the sum is least at u_a = -1 (1), and that number
takes the place of u_a: so what is of second order in u is lost only where no end is best. *Keeps* every feasible x: at
the end the sum is no larger than at the true u. The checker puts them at ends, too (12.4 of its specification).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import Floats

UNIT = 2.0**-53
SURE = 1e-9  # of the size of a derivative, so that another arithmetic finds its sign, too
Numbers = NDArray[np.int64]
Ends = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class Entries:
    """Coefficients of rows, as ends: `linear` (rows, S), of products `square` (rows, S, S; a <= b) and, with the V
    variables, `cross` (rows, S, V). There is a slot for each column, and rows of one of the `numbers` share entries;
    `places` (rows, S) tells which one each is, -1 none. `columns` are those of a block, which a proof names; `guess`
    (rows, S) is where u is expected.
    """

    numbers: Numbers
    places: Numbers
    linear: Ends
    square: Ends
    cross: Ends
    columns: dict[int, tuple[int, ...]]
    guess: Floats

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.places.max(initial=-1)) + 1

    @property
    def alone(self) -> Floats:
        """What a row may lose to its own entries, each term at its worst."""
        lost = sum(_size(*ends).reshape(self.numbers.size, -1).sum(axis=1) for ends in (self.linear, self.cross))
        diagonal = np.arange(self.places.shape[1])
        low, high = (ends.copy() for ends in self.square)
        high[:, diagonal, diagonal] = np.minimum(high[:, diagonal, diagonal], 0.0)
        low[:, diagonal, diagonal] = np.minimum(low[:, diagonal, diagonal], 0.0)
        lost = lost + _size(low, high).reshape(self.numbers.size, -1).sum(axis=1)
        count = sum(int(np.prod(ends[0].shape[1:])) for ends in (self.linear, self.square, self.cross))
        return np.asarray(lost * (1.0 + _rounding(count)))

    def near_guess(self) -> tuple[Floats, Floats, Floats]:
        """The rows' terms about u = guess, to first order (estimated): constants, coefficients of u and of t."""
        linear, square, cross = (0.5 * (low + high) for low, high in (self.linear, self.square, self.cross))
        both = square + square.transpose(0, 2, 1)
        turned = np.einsum("kab,kb->ka", both, self.guess)
        constant = -0.5 * (turned * self.guess).sum(axis=1)
        return constant, linear + turned, np.einsum("kaj,ka->kj", cross, self.guess)

    def least(self, rows: Numbers, weights: Floats, gamma: float) -> tuple[Floats, Ends]:
        """Of each sum (a row of weights of these rows) a lower bound of its terms with u: of the constant, and the ends
        of coefficients of t.
        """
        sums = _Sums.of(self, rows, weights, gamma)
        sums.settle()
        return sums.bounds()


@dataclass(eq=False)
class _Sums:
    """Summed coefficients by sum and number of rows: `linear` (Q, P, S), `square` (Q, P, S, S), `cross` (Q, P, S, V);
    and what is left of the box of u.
    """

    linear: Ends
    square: Ends
    cross: Ends
    low: Floats
    high: Floats

    @staticmethod
    def of(entries: Entries, rows: Numbers, weights: Floats, gamma: float) -> _Sums:
        """Sums of these rows, outwards by the rounding errors of weighted sums."""
        known, which = np.unique(entries.numbers[rows], return_inverse=True)
        members = [np.flatnonzero(which == p) for p in range(known.size)]
        linear, square, cross = (
            _summed(ends, rows, members, weights, gamma) for ends in (entries.linear, entries.square, entries.cross)
        )
        return _Sums(linear, square, cross, np.full(linear[0].shape, -1.0), np.full(linear[0].shape, 1.0))

    def settle(self) -> None:
        """Put every u at the end at which the sum is least, where that is known."""
        cross = _size(*self.cross).sum(axis=-1)
        for _ in range(self.low.shape[-1]):
            low, high = self._linear_in_each((self.low, self.high))
            size = cross + np.maximum(np.abs(low), np.abs(high))
            free = self.low < self.high
            rises, falls = free & (low - cross > SURE * size), free & (high + cross < -SURE * size)
            if not (rises.any() or falls.any()):
                return
            self.high, self.low = np.where(rises, -1.0, self.high), np.where(falls, 1.0, self.low)

    def _linear_in_each(self, u: Ends) -> Ends:
        """Linear coefficients of every u, those of products taken with the others (and twice that of its square) over
        their ends.
        """
        both = (self.square[0] + self.square[0].swapaxes(2, 3), self.square[1] + self.square[1].swapaxes(2, 3))
        low, high = _product(both, (u[0][:, :, None, :], u[1][:, :, None, :]))
        size = _size(low, high).sum(axis=-1) + _size(*self.linear)
        error = _rounding(self.low.shape[-1] + 1) * size
        return self.linear[0] + low.sum(axis=-1) - error, self.linear[1] + high.sum(axis=-1) + error

    def bounds(self) -> tuple[Floats, Ends]:
        """Lower bounds of what is constant, and the ends of what is linear in t: numbers in the place of the u that are
        settled, what is left of the others at its worst.
        """
        settled = self.low == self.high
        at, free = np.where(settled, self.low, 0.0), (~settled).astype(np.float64)
        point = at[..., None]
        parts = [
            _product(self.linear, (at, at))[0],
            _product(self.square, (point * at[:, :, None, :],) * 2)[0],
            -_size(*self._linear_in_each((at, at))) * free,
            -_size(*self.cross) * free[..., None],
            -_size(*self._of_squares(free)),
        ]
        linear = _product(self.cross, (point, point))
        error = _rounding(at[0].size) * _size(*linear).sum(axis=(1, 2))
        sums = [part.reshape(part.shape[0], -1) for part in parts]
        constant = sum(one.sum(axis=1) - _rounding(one.shape[1]) * np.abs(one).sum(axis=1) for one in sums)
        return np.asarray(constant), (linear[0].sum(axis=(1, 2)) - error, linear[1].sum(axis=(1, 2)) + error)

    def _of_squares(self, free: Floats) -> Ends:
        """Products of u that are not settled; their squares are not negative."""
        low, high = (ends * free[..., None] * free[:, :, None, :] for ends in self.square)
        diagonal = np.arange(free.shape[-1])
        high[:, :, diagonal, diagonal] = np.minimum(high[:, :, diagonal, diagonal], 0.0)
        return low, high


def _summed(ends: Ends, rows: Numbers, members: list[Numbers], weights: Floats, gamma: float) -> Ends:
    """Weighted sums of these rows by member (Q, P, ...), outwards."""
    shape = (weights.shape[0], len(members), *ends[0].shape[1:])
    low, high = np.empty(shape), np.empty(shape)
    for p, own in enumerate(members):
        least, most = (one[rows[own]].reshape(own.size, -1) for one in ends)
        error = gamma * (weights[:, own] @ np.maximum(np.abs(least), np.abs(most))) * (1.0 + 2.0 * gamma)
        error = np.where(error > 0.0, error + 1e-300, 0.0)
        low[:, p] = (weights[:, own] @ least - error).reshape(shape[0], *shape[2:])
        high[:, p] = (weights[:, own] @ most + error).reshape(shape[0], *shape[2:])
    return low, high


def _rounding(count: int) -> float:
    """What rounding may do to a sum of so many products, of the sum of their sizes, and more."""
    return 4.0 * (count + 8) * UNIT


def _size(low: Floats, high: Floats) -> Floats:
    """The largest absolute value."""
    return np.asarray(np.maximum(np.maximum(-low, high), 0.0))


def _product(a: Ends, b: Ends) -> Ends:
    """The ends of products, rounded anyhow."""
    ends = a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]
    low, high = np.minimum(ends[0], ends[1]), np.maximum(ends[0], ends[1])
    return np.minimum(low, np.minimum(ends[2], ends[3])), np.maximum(high, np.maximum(ends[2], ends[3]))
