"""Columns of the same function f of one parameter each, where these parameters may become equal.

Near t_1 = t_2 the columns f(t_1) and f(t_2) hardly differ, and a sum of squares is hardly bounded by them. Their span
is that of f(t_1) and the divided difference f[t_1, t_2] = (f(t_2) - f(t_1)) / (t_2 - t_1), which is f'(t) where both
are t: there the span is larger, so that a lower bound holds for both. It is smooth in the parameters:

    d/dt_i f[T] = f[T, t_i],   d^2/dt_i dt_j f[T] = f[T, t_i, t_j]  (twice that if i = j).

For n + 1 numbers T with the mean c, in an interval I, Hermite and Genocchi's formula gives

    f[T] in f^(n)(I) / n!,   |f[T] - f^(n)(c) / n!| <= max |f^(n+2)(I)| / (n+2)! * sum (t - c)^2 / 2,

the variance of the mean's weights. Otherwise f[T] is a quotient of a difference; the closer one of both is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from math import factorial

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.evaluation import Floats, evaluate
from certify.contractors.tape.tape import Builder, Operation, Tape, apply, replay
from certify.solvers.projected.pairs import EPS, TINY, UP, Pair, middles, size, times
from certify.solvers.projected.written_columns import written

NEAR = 2.0  # times the sum of their half-widths: parameters that are no farther apart are taken together


@dataclass(frozen=True)
class Twins:
    """The columns `members` are one function of a parameter each, at these `places`; of some the parameter is a number,
    `fixed`, and there is no place. `derivatives` are those of the function, of order 0, 1, ..., where every parameter
    is the first of all.
    """

    members: tuple[int, ...]
    places: tuple[int | None, ...]
    fixed: tuple[float | None, ...]
    derivatives: tuple[Tape, ...]


def same_functions(whole: Tape, others: tuple[int, ...], free: int) -> list[Twins]:
    """Of the first `free` outputs of a tape those that are the same function of one parameter, or of a number."""
    builder = Builder(whole.inputs)
    numbers = {Fraction(0)} | {step.constant for step in whole.steps if step.constant is not None}
    found: dict[int, list[tuple[int, int | None, float | None]]] = {}
    still: dict[int, int] = {}
    for k, output in enumerate(whole.outputs[:free]):
        own = [i for i in others if _depends(whole, output, i)]
        inputs = [others[0] if i in own else i for i in range(whole.inputs)]
        node = replay(whole, builder, inputs)[output]
        if len(own) == 1:
            found.setdefault(node, []).append((k, others.index(own[0]), None))
        elif not own:
            still[node] = k
    for node, members in found.items():
        column = builder.tape((node,))
        for number in sorted(n for n in numbers if n == float(n)):
            known = still.get(_at_number(column, builder, others[0], number))
            if known is not None:
                members.insert(0, (known, None, float(number)))
    return [
        Twins(
            tuple(k for k, _, _ in members),
            tuple(place for _, place, _ in members),
            tuple(number for _, _, number in members),
            _derivatives(builder.tape((node,)), others, len(members) + 2),
        )
        for node, members in found.items()
        if len(members) > 1
    ]


def _at_number(column: Tape, builder: Builder, parameter: int, number: Fraction) -> int:
    """The node of a column whose parameter is a number; exp(0) is 1."""
    inputs = [builder.constant(number) if i == parameter else i for i in range(column.inputs)]
    nodes = list(inputs)
    for operation, first, second, constant in column.steps:
        if operation is Operation.EXP and builder.value_of(nodes[first]) == 0:
            nodes.append(builder.constant(1))
        else:
            left, right = (nodes[k] if k >= 0 else -1 for k in (first, second))
            nodes.append(apply(builder, operation, left, right, constant))
    return nodes[column.outputs[0]]


def _depends(tape: Tape, output: int, wanted: int) -> bool:
    reached = {output}
    for node in range(tape.nodes - 1, tape.inputs - 1, -1):
        if node in reached:
            step = tape.steps[node - tape.inputs]
            reached.update(k for k in (step.first, step.second) if k >= 0)
    return wanted in reached


def _derivatives(column: Tape, others: tuple[int, ...], orders: int) -> tuple[Tape, ...]:
    """Of a column, divided by what may be, its derivatives in the first of the others."""
    apart = written(column, others, 1)
    builder = Builder(apart.inputs)
    zeros = [builder.constant(0)] * (apart.columns.value.inputs - apart.inputs)
    inputs = [*range(apart.inputs), *zeros]
    difference = replay(apart.differences.value, builder, inputs)[apart.differences.value.outputs[0]]
    inputs[apart.inputs] = builder.function(Operation.EXP, difference)
    value = apart.columns.value
    tapes = [builder.tape((replay(value, builder, inputs)[value.outputs[0]],))]
    for _ in range(orders):
        whole, found = jacobian(tapes[-1])
        outputs = [output for output, (_, i) in zip(whole.outputs, found.tolist(), strict=True) if i == others[0]]
        builder = Builder(whole.inputs)
        nodes = replay(whole, builder, list(range(whole.inputs)))
        tapes.append(builder.tape((nodes[outputs[0]] if outputs else builder.constant(0),)))
    return tuple(tapes)


@dataclass
class Differences:
    """Divided differences of boxes' parameters, for `inputs`, which makes the inputs of a tape from ends of the one
    parameter (N,); all answers are middles and radii (N, K).
    """

    derivatives: tuple[Tape, ...]
    inputs: Callable[[Floats, Floats], tuple[Floats, Floats]]
    middle: Floats  # (N, members)
    radius: Floats
    _known: dict[tuple[int, ...], Pair] = field(default_factory=dict)
    _over: dict[tuple[int, ...], Pair] = field(default_factory=dict)

    def at(self, places: tuple[int, ...]) -> Pair:
        """f[T] for the middles of these members, one of them as often as it stands there, in order."""
        if places not in self._known:
            self._known[places] = self._at(places)
        return self._known[places]

    def over(self, places: tuple[int, ...]) -> Pair:
        """f[T] for all numbers of the boxes of these members."""
        if places not in self._over:
            self._over[places] = self._on_boxes(places)
        return self._over[places]

    def _on_boxes(self, places: tuple[int, ...]) -> Pair:
        chosen, n = sorted(set(places)), len(places) - 1
        lower, upper = (np.nextafter(self.middle + sign * self.radius, sign * np.inf) for sign in (-1.0, 1.0))
        hull = self._derivative(n, lower[:, chosen].min(axis=1), upper[:, chosen].max(axis=1))
        first, last = places[0], places[-1]
        if first == last:
            return times(hull, 1.0 / factorial(n))
        least, most = lower[:, last] - upper[:, first], upper[:, last] - lower[:, first]
        ends = np.nextafter(least, -np.inf), np.nextafter(most, np.inf)
        return _closer(_quotient(self.over(places[1:]), self.over(places[:-1]), *ends), times(hull, 1.0 / factorial(n)))

    def _at(self, places: tuple[int, ...]) -> Pair:
        n, nodes = len(places) - 1, self.middle[:, places]
        mean = nodes.mean(axis=1)
        if places[0] == places[-1]:
            return times(self._derivative(n, nodes[:, 0], nodes[:, 0]), 1.0 / factorial(n))
        central = times(self._derivative(n, mean, mean), 1.0 / factorial(n))
        lower, upper = np.minimum(nodes.min(axis=1), mean), np.maximum(nodes.max(axis=1), mean)
        off = np.abs(nodes - mean[:, None]).max(axis=1) * UP + TINY
        drift = (n + 2) * EPS * np.abs(nodes).sum(axis=1)  # of the mean
        first, second = (size(self._derivative(n + k, lower, upper)) / factorial(n + k) for k in (1, 2))
        rest = second * (0.5 * (n + 1) * off**2)[:, None] + first * ((n + 1) * drift)[:, None]
        near = central[0], (central[1] + rest * UP) * UP + TINY
        gap = nodes[:, -1] - nodes[:, 0]
        ends = np.nextafter(gap, -np.inf), np.nextafter(gap, np.inf)
        return _closer(_quotient(self.at(places[1:]), self.at(places[:-1]), *ends), near)

    def _derivative(self, order: int, lower: Floats, upper: Floats) -> Pair:
        found = evaluate(self.derivatives[order], *self.inputs(lower, upper))
        low, high = (side.reshape(len(lower), -1) for side in (found.lower[0], found.upper[0]))
        middle, radius = middles(low, high)
        return middle, np.where(found.defined.reshape(radius.shape), radius, np.inf)


def _quotient(left: Pair, right: Pair, least: Floats, most: Floats) -> Pair:
    """(left - right) / gap for gaps between ends (N,); equal numbers without radii leave exactly 0."""
    apart = (least > 0.0) | (most < 0.0)
    with np.errstate(all="ignore"):
        small, large = np.fmin(np.abs(least), np.abs(most))[:, None], np.fmax(np.abs(least), np.abs(most))[:, None]
        middle = left[0] - right[0]
        radius = left[1] + right[1] + EPS * np.abs(middle)
        inverse, spread = 0.5 * (1.0 / small + 1.0 / large), 0.5 * (1.0 / small - 1.0 / large)
        found = np.where(least > 0.0, 1.0, -1.0)[:, None] * middle * inverse
        size_of = np.abs(middle)
        wide = (radius * inverse * (1 + 4 * EPS) + (size_of + radius) * spread + 8 * EPS * size_of * inverse) * UP
    fine = np.isfinite(found) & np.isfinite(wide) & apart[:, None]
    return np.where(fine, found, 0.0), np.where(fine, wide, np.inf)


def _closer(one: Pair, other: Pair) -> Pair:
    """Of two enclosures the one with the smaller radius."""
    chosen = one[1] < other[1]
    return np.where(chosen, one[0], other[0]), np.where(chosen, one[1], other[1])


def clusters(
    middle: Floats, radius: Floats, steep: Floats, references: NDArray[np.int64]
) -> dict[tuple[tuple[int, ...], ...], NDArray[np.int64]]:
    """Which members of each box (N, members) are near to each other, for the box or for how `steep` they are, or are
    divided by what they are at the same observation, two at least, in ascending order (neighbours make the least
    errors): the boxes of each answer.
    """
    gap = np.abs(middle[:, :, None] - middle[:, None])
    near = gap <= NEAR * (radius[:, :, None] + radius[:, None])
    steepest = np.maximum(steep[:, :, None], steep[:, None])
    near |= (gap * steepest <= 1.0) & (steepest > 0.0)
    near |= references[:, :, None] == references[:, None]
    found: dict[tuple[tuple[int, ...], ...], list[int]] = {}
    for box, table in enumerate(near):
        left, parts = set(range(len(table))), []
        while left:
            part, waiting = set(), {min(left)}
            while waiting:
                one = waiting.pop()
                part.add(one)
                waiting |= {k for k in left - part if table[one, k]}
            left -= part
            parts.append(tuple(sorted(part, key=middle[box].__getitem__)))
        kept = tuple(part for part in parts if len(part) > 1)
        if kept:
            found.setdefault(kept, []).append(box)
    return {parts: np.array(boxes) for parts, boxes in found.items()}
