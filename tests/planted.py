"""Random systems with a planted solution, and boxes around it, for the laws that every contractor of
systems must keep.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from exact import arb_values

from certify.contractors.protocol.boxes import Boxes
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder, Operation, Tape

FUNCTIONS = [Operation[name] for name in ("TAN", "EXP", "LOG", "ASIN", "ACOS", "ATAN", "SINH", "COSH", "TANH", "ABS")]


@dataclass(frozen=True)
class Planted:
    """A system, and a point of doubles that satisfies it."""

    equations: Equations
    zero: np.ndarray


def function_of(builder, operation, i, j):
    """f(argument) x_j, with an argument for which f is defined wherever x is."""
    argument = i
    if operation in (Operation.ASIN, Operation.ACOS):
        argument = builder.sin(i)
    if operation is Operation.LOG:
        argument = builder.add(builder.sqr(i), builder.constant(Fraction(1, 2)))
    return builder.mul(builder.function(operation, argument), j)


def random_system(seed):
    """Three constraints in three unknowns, random expressions over the known operations; the value at a double is
    enclosed and allowed.
    """
    rng = np.random.default_rng(seed)
    builder = Builder(3)
    zero = np.round(rng.uniform(-1.5, 1.5, 3), 6)
    nodes = []
    for _ in range(3):
        value = builder.constant(Fraction(int(rng.integers(-3, 4)), 2))
        for _ in range(int(rng.integers(2, 5))):
            i, j = (int(k) for k in rng.integers(0, 3, 2))
            kind = rng.integers(0, 7 + len(FUNCTIONS))
            if kind >= 7:
                value = builder.add(value, function_of(builder, FUNCTIONS[int(kind) - 7], i, j))
                continue
            term = [
                lambda i=i, j=j: builder.mul(i, j),
                lambda i=i, j=j: builder.mul(builder.sqr(i), j),
                lambda i=i, j=j: builder.sqrt(builder.add(builder.sqr(i), builder.constant(1 + j))),
                lambda i=i, j=j: builder.sin(builder.add(i, j)),
                lambda i=i, j=j: builder.mul(builder.cos(i), j),
                lambda i=i, j=j: builder.div(i, builder.add(builder.sqr(j), builder.constant(1))),
                lambda i=i, j=j: builder.neg(builder.sub(i, builder.mul(j, builder.constant(Fraction(3, 2))))),
            ][int(kind)]()
            value = builder.add(value, term)
        nodes.append(builder.add(value, 0 if nodes else 1))
    tape = builder.tape(tuple(nodes))
    values = arb_values(tape, list(zero))
    ends = [(float(v.lower()), float(v.upper())) for v in values]
    low, high = np.nextafter([a for a, _ in ends], -np.inf), np.nextafter([b for _, b in ends], np.inf)
    return Planted(Equations(tape, np.minimum(low, high), np.maximum(low, high)), zero)


def exact_zero_system(seed):
    """Three equations f(x) = p(x) - p(zero) with rational data, so that the zero is exact."""
    rng = np.random.default_rng(seed)
    zero = [Fraction(int(v), 64) for v in rng.integers(-90, 91, 3)]
    builder = Builder(3)
    offsets = [builder.sub(i, builder.constant(z)) for i, z in enumerate(zero)]
    nodes = []
    for row in range(3):
        value = builder.mul(offsets[row], builder.constant(int(rng.integers(2, 6))))
        for _ in range(3):
            i, j = (int(k) for k in rng.integers(0, 3, 2))
            factor = [j, builder.sin(j), builder.sqr(j)][int(rng.integers(3))]
            value = builder.add(value, builder.mul(offsets[i], factor))
        nodes.append(value)
    none = np.zeros(3)
    return Planted(Equations(builder.tape(tuple(nodes)), none, none), np.array([float(z) for z in zero]))


def partial_system(seed):
    """Three constraints with operations that are undefined on one side of the planted point or on both; widely allowed
    values.
    """
    rng = np.random.default_rng(seed)
    builder = Builder(3)
    zero = np.round(rng.uniform(-1.0, 1.0, 3), 6)
    nodes = []
    for row in range(3):
        edge = Fraction(float(zero[row])) - Fraction(int(rng.integers(1, 2000)), 1000)
        shifted = builder.sub(row, builder.constant(edge))  # between 0 and 2 at the planted point
        value = [
            lambda s=shifted: builder.sqrt(s),
            lambda s=shifted: builder.function(Operation.LOG, s),
            lambda s=shifted, r=row: builder.div((r + 1) % 3, s),
            lambda s=shifted: builder.function(Operation.ASIN, builder.sub(s, builder.constant(1))),
        ][int(rng.integers(4))]()
        nodes.append(builder.add(value, builder.mul(row, (row + 1) % 3)))
    tape = builder.tape(tuple(nodes))
    middle = np.array([float(v.mid()) for v in arb_values(tape, list(zero))])
    slack = rng.uniform(1e-3, 1.0, 3)
    return Planted(Equations(tape, middle - slack, middle + slack), zero)


@lru_cache
def banded_system(seed, size=70):
    """As many equations as unknowns, each of which reads few that are close to each other, in no order; exact zero."""
    rng = np.random.default_rng(seed)
    zero = [Fraction(int(v), 64) for v in rng.integers(-90, 91, size)]
    places = rng.permutation(size).tolist()
    builder = Builder(size)
    offsets = [builder.sub(v, builder.constant(zero[v])) for v in places]
    nodes = []
    for row in range(size):
        value = builder.mul(offsets[row], builder.constant(int(rng.integers(4, 8))))
        for k in {max(row - 1, 0), min(row + 1, size - 1), min(row + int(rng.integers(0, 2)), size - 1)}:
            other = places[row]
            factor = [builder.constant(1), builder.constant(-1), builder.sin(other), builder.sqr(other)][
                rng.integers(4)
            ]
            value = builder.add(value, builder.mul(offsets[k], factor))
        nodes.append(value)
    none = np.zeros(size)
    tape = builder.tape(tuple(nodes[row] for row in rng.permutation(size).tolist()))
    return Planted(Equations(tape, none, none), np.array([float(z) for z in zero]))


def permuted(planted, order):
    """The same system with its variables renumbered: variable order[i] of the new one is variable i of the old."""
    tape = planted.equations.tape

    def place(node):
        return int(order[node]) if 0 <= node < tape.inputs else node

    steps = tuple(step._replace(first=place(step.first), second=place(step.second)) for step in tape.steps)
    zero = np.empty_like(planted.zero)
    zero[order] = planted.zero
    return Planted(
        replace(planted.equations, tape=Tape(tape.inputs, steps, tuple(place(o) for o in tape.outputs))), zero
    )


def boxes_around(zero, rng, batch, width):
    """Boxes that hold the point, somewhere in them or on their faces."""
    radius = width * 10.0 ** rng.uniform(-3, 0, (zero.size, batch))
    shift = rng.uniform(-1, 1, (zero.size, batch)) * radius
    low, high = zero[:, None] + shift - radius, zero[:, None] + shift + radius
    return Boxes(np.minimum(low, zero[:, None]), np.maximum(high, zero[:, None]))
