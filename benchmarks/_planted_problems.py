"""Random small problems with a planted truth for `metamorphic`: legs, legs that share poses, serial arms, systems, sets
and least-squares fits.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

import certify
from certify.problems.formulas.expression import cos, norm, rotation_xyz, sin
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace

PLACES = 9
Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Measured:
    """A measured model, the units in which its variables and columns may be told, and a bound on its smallest model
    error.
    """

    problem: Problem
    variables: tuple[str, ...]
    columns: tuple[str, ...]
    epsilon: Fraction


@dataclass(frozen=True)
class Told:
    """A system as text with {0}, {1}, ... for its variables, their domains, and what is planted: a solution, or the
    volume of the set.
    """

    constraints: tuple[str, ...]
    domains: tuple[tuple[Fraction, Fraction], ...]
    solution: tuple[Fraction, ...] = ()
    volume: float = 0.0


@dataclass(frozen=True)
class Fit:
    """A least-squares problem, and its only minimum in the box, exactly."""

    problem: Problem
    minimiser: tuple[Fraction, ...]
    least: Fraction


def decimal(value: float, places: int = PLACES) -> Fraction:
    """The decimal nearest to a float."""
    return Fraction(round(value * 10**places), 10**places)


def _column(name: str, values: Floats, half: float, random: np.random.Generator) -> Column:
    """Readings within 0.9 half-widths of what is true."""
    width, noise = decimal(half), random.uniform(-0.9, 0.9, values.size) * half
    middles = [decimal(float(value)) for value in values + noise]
    return Column(name, "1", tuple(v - width for v in middles), tuple(v + width for v in middles))


def _box(names: list[str], truth: Floats, radius: Floats, random: np.random.Generator) -> tuple[Variable, ...]:
    middles = [decimal(float(value), 6) for value in truth + random.uniform(-0.5, 0.5, truth.size) * radius]
    return tuple(
        Variable(n, "1", m - decimal(float(r)), m + decimal(float(r)))
        for n, m, r in zip(names, middles, radius, strict=True)
    )


def _bindings(variables: list[int], columns: list[int]) -> tuple[Binding, ...]:
    return (*(Binding(False, v) for v in variables), *(Binding(True, c) for c in columns))


def _leg(x: Any, m: Any) -> Any:
    turned = rotation_xyz(*m.r) @ x.b
    return norm(m.p + turned - x.a) - x.l - m.d


def _legs(seed: int, legs: int, poses: int, error: float) -> Measured:
    random = np.random.default_rng([seed, legs])
    tape = trace(_leg, {"a": (3,), "b": (3,), "l": ()}, {"p": (3,), "r": (3,), "d": ()})
    place = np.array([0.0, 0.0, 400.0])[:, None] + random.uniform(-60.0, 60.0, (3, poses))
    angles = random.uniform(-0.25, 0.25, (3, poses))
    columns = [_column(f"p{i}", place[i], 0.02, random) for i in range(3)] + [
        _column(f"r{i}", angles[i], 0.0001, random) for i in range(3)
    ]
    variables: list[Variable] = []
    families = []
    for leg in range(legs):
        truth = np.concatenate(
            [random.uniform(-200.0, 200.0, 3) * [1, 1, 0.1], random.uniform(-100.0, 100.0, 3) * [1, 1, 0.1], [10.0]]
        )
        readings = []
        for k in range(poses):
            x, m = (
                SimpleNamespace(a=truth[:3], b=truth[3:6], l=truth[6]),
                SimpleNamespace(p=place[:, k], r=angles[:, k], d=0.0),
            )
            readings.append(float(_leg(x, m)) + random.uniform(-error, error))
        names = [f"{n}{leg}" for n in ("ax", "ay", "az", "bx", "by", "bz", "l")]
        first = len(variables)
        variables += _box(names, truth, np.full(7, 5.0), random)
        columns.append(_column(f"d{leg}", np.array(readings), 0.02, random))
        families.append(
            Family(f"leg{leg}", tape, poses, _bindings([*range(first, first + 7)], [*range(6), len(columns) - 1]), "mm")
        )
    kinds = ("length",) * 3 + ("angle",) * 3 + ("length",) * legs
    return Measured(
        Problem(tuple(variables), tuple(columns), tuple(families)),
        ("length",) * len(variables),
        kinds,
        decimal(error) + Fraction(1, 10**6),
    )


def leg(seed: int) -> Measured:
    """One leg of a Gough platform; every third model is right."""
    return _legs(seed, 1, 16, 0.0 if seed % 3 == 0 else 0.1 * (1 + seed % 7))


def joint(seed: int) -> Measured:
    """Two legs that share the measured poses."""
    return _legs(seed, 2, 9, 0.0 if seed % 3 == 0 else 0.2 * (1 + seed % 5))


def arm(seed: int) -> Measured:
    """A serial arm in space: unknown lengths and joint offsets, exact joint angles, the measured place of its tip."""
    random, joints, poses = np.random.default_rng([seed, 3]), 3, 8
    error = 0.0 if seed % 3 == 0 else 0.1 * (1 + seed % 5)

    def tip(x: Any, m: Any, axis: int) -> Any:
        v = [0.0 * x.l[0], 0.0 * x.l[0], 0.0 * x.l[0]]
        for k in reversed(range(joints)):
            c, s = cos(m.q[k] + x.o[k]), sin(m.q[k] + x.o[k])
            v = [v[0] + x.l[k], v[1], v[2]]
            v = (
                [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]
                if k % 2 == 0
                else [c * v[0] + s * v[2], v[1], c * v[2] - s * v[0]]
            )
        return v[axis] - m.u

    truth = np.concatenate([random.uniform(100.0, 300.0, joints), random.uniform(-0.01, 0.01, joints)])
    angles = np.round(random.uniform(-1.2, 1.2, (joints, poses)), 5)
    names = [f"l{k}" for k in range(joints)] + [f"o{k}" for k in range(joints)]
    columns: list[Column] = []
    families = []
    for axis in range(3):
        tape = trace(
            lambda x, m, axis=axis: tip(x, m, axis), {"l": (joints,), "o": (joints,)}, {"q": (joints,), "u": ()}
        )
        space = SimpleNamespace(l=truth[:joints], o=truth[joints:])
        reached = np.array([float(tip(space, SimpleNamespace(q=angles[:, k], u=0.0), axis)) for k in range(poses)])
        first = len(columns)
        columns += [
            Column(f"q{j}.{axis}", "1", exact, exact)
            for j in range(joints)
            for exact in [tuple(decimal(float(v)) for v in angles[j])]
        ]
        columns.append(_column(f"u{axis}", reached + random.uniform(-error, error, poses), 0.05, random))
        families.append(
            Family(
                f"axis{axis}", tape, poses, _bindings([*range(2 * joints)], [*range(first, first + joints + 1)]), "mm"
            )
        )
    variables = _box(names, truth, np.array([2.0] * joints + [0.005] * joints), random)
    kinds = (("angle",) * joints + ("length",)) * 3
    problem = Problem(variables, tuple(columns), tuple(families))
    return Measured(problem, ("length",) * joints + ("angle",) * joints, kinds, decimal(error) + Fraction(1, 10**6))


def system(seed: int) -> Told:
    """Three equations f(x) = f(z) with an exact zero z."""
    random = np.random.default_rng([seed, 4])
    zero = [Fraction(int(v), 16) for v in random.integers(-24, 25, 3)]
    rows = []
    for row in range(3):
        terms = [f"{int(random.integers(2, 6))}*({{{row}}} - ({zero[row]}))"]
        for _ in range(3):
            i, j = (int(k) for k in random.integers(0, 3, 2))
            shape = ("{{{0}}}", "sin({{{0}}})", "{{{0}}}^2", "exp({{{0}}}/2)")[int(random.integers(4))]
            terms.append(f"({{{i}}} - ({zero[i]}))*({shape.format(j)})")
        rows.append(" + ".join(terms) + " = 0")
    domains = tuple(
        (z - Fraction(int(random.integers(5, 30)), 8), z + Fraction(int(random.integers(5, 30)), 8)) for z in zero
    )
    return Told(tuple(rows), domains, tuple(zero))


def inequalities(seed: int) -> Told:
    """An ellipse less a smaller one inside: its area is known."""
    random = np.random.default_rng([seed, 5])
    a, b = (Fraction(int(v), 8) for v in random.integers(4, 17, 2))
    x, y = (Fraction(int(v), 8) for v in random.integers(-8, 9, 2))
    part = Fraction(int(random.integers(2, 6)), 8)
    form = f"({{0}} - ({x}))^2/({a * a}) + ({{1}} - ({y}))^2/({b * b})"
    domains = ((x - 2 * a, x + Fraction(3, 2) * a), (y - Fraction(3, 2) * b, y + 2 * b))
    return Told((f"{form} <= 1", f"{form} >= {part * part}"), domains, volume=float(np.pi * a * b * (1 - part * part)))


def fit(seed: int) -> Fit:
    """Each value is read once too high and once too low by the same: the minimum is at the truth, and its value is
    known.
    """
    random = np.random.default_rng([seed, 6])
    models: list[tuple[int, Callable[[Any, Any], Any]]] = [
        (2, lambda b, x: b[0] * b[1] * x / (1 + b[1] * x)),
        (2, lambda b, x: b[0] * x / (b[1] + x)),
        (3, lambda b, x: (b[0] + b[1] * x) / (1 + b[2] * x * x)),
        (2, lambda b, x: b[0] * x + b[0] * b[1] * x * x),
    ]
    count, model = models[seed % len(models)]
    truth = tuple(Fraction(int(v), 10) for v in random.integers(5, 30, count))
    times = [Fraction(k, 4) for k in range(1, 9)]
    error = Fraction(int(random.integers(0, 5)), 100)
    values = [model(truth, x) + sign * error for sign in (1, -1) for x in times]
    tape = trace(lambda x, m: model(x.b, m.x) - m.y, {"b": (count,)}, {"x": (), "y": ()})
    columns = (Column("x", "1", (*times, *times), (*times, *times)), Column("y", "1", tuple(values), tuple(values)))
    part = Fraction(2, 5) if count == 2 else Fraction(1, 10)
    variables = tuple(Variable(f"b{k}", "1", v * (1 - part), v * (1 + part)) for k, v in enumerate(truth))
    family = Family("fit", tape, len(values), _bindings([*range(count)], [0, 1]), "1")
    return Fit(certify.Problem(variables, columns, (family,)), truth, len(values) * error * error)
