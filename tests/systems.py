"""Small measured models with a planted truth, for the laws that every contractor and every search must keep."""

from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace

import numpy as np

from certify.problems.formulas.expression import norm, radians, rotation_xyz
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace


@dataclass(frozen=True)
class Planted:
    """A problem, the true unknowns, and for each family the true measurements (inputs that are measured, rows)."""

    problem: Problem
    truth: np.ndarray
    measured: np.ndarray
    epsilon: float


def exact(value: float, places: int = 9) -> Fraction:
    return Fraction(round(value * 10**places), 10**places)


def build(model, unknowns, measured_shapes, prepare, truth, radius, values, widths, own, epsilon, rng) -> Planted:
    """The problem of one family; `own` is the measured input that is set so that row k is errors[k] at the truth."""
    tape = trace(model, unknowns, measured_shapes, prepare)
    rows = values.shape[1]
    errors = rng.uniform(-epsilon, epsilon, rows)
    count = truth.size
    for k in range(rows):
        x, m = SimpleNamespace(), SimpleNamespace()
        _fill(x, unknowns, truth)
        _fill(m, measured_shapes, values[:, k])
        if prepare:
            prepare(m)
        values[own, k] += float(model(x, m)) - errors[k]  # the model is ... - own
    noise = rng.uniform(-1, 1, values.shape) * widths[:, None] * 0.999
    columns = []
    for i in range(values.shape[0]):
        half = exact(widths[i])
        middles = [exact(v) for v in values[i] + noise[i]]
        columns.append(Column(f"m{i}", "1", tuple(v - half for v in middles), tuple(v + half for v in middles)))
    offsets = rng.uniform(-0.9, 0.9, count) * radius
    variables = [
        Variable(f"x{j}", "1", exact(t + o - r), exact(t + o + r))
        for j, (t, o, r) in enumerate(zip(truth, offsets, radius, strict=True))
    ]
    bindings = tuple(Binding(False, j) for j in range(count)) + tuple(Binding(True, i) for i in range(values.shape[0]))
    problem = Problem(tuple(variables), tuple(columns), (Family("f", tape, rows, bindings),))
    return Planted(problem, truth, values, float(np.abs(errors).max()) * 1.0000001 + 1e-7)


def _fill(space, shapes, values):
    position = 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        part = np.array(values[position : position + size])
        setattr(space, name, part.reshape(shape) if shape else float(part[0]))
        position += size


def leg(seed: int, epsilon: float = 0.5, radius: float = 20.0, rows: int = 20) -> Planted:
    """A leg of a Gough platform."""
    rng = np.random.default_rng(seed)

    def prepare(m):
        m.R = rotation_xyz(*(radians(angle) for angle in m.angles))

    def model(x, m):
        return norm(m.P + m.R @ x.b - x.a) - (m.L + x.l)

    truth = np.array([-220.0, -150.0, 1.0, -20.0, -190.0, 0.5, 340.0]) + rng.uniform(-3, 3, 7)
    values = np.vstack(
        [
            rng.uniform(-60, 60, (2, rows)),
            rng.uniform(300, 420, (1, rows)),
            rng.uniform(-20, 20, (3, rows)),
            np.zeros((1, rows)),
        ]
    )
    widths = np.array([0.2, 0.07, 0.18, 0.03, 0.04, 0.03, 0.04])
    shapes = {"a": (3,), "b": (3,), "l": ()}
    return build(
        model,
        shapes,
        {"P": (3,), "angles": (3,), "L": ()},
        prepare,
        truth,
        np.full(7, radius),
        values,
        widths,
        6,
        epsilon,
        rng,
    )


def bilinear(seed: int, epsilon: float = 0.01, radius: float = 1.0, rows: int = 8) -> Planted:
    """A polynomial without root, whose measurements enter non-monotonically: u v m0 + u^2 m1^2 - m2."""
    rng = np.random.default_rng(seed)

    def model(x, m):
        return x.u * x.v * m.a + x.u * x.u * m.b * m.b - m.c

    truth = rng.uniform(-1, 1, 2)
    values = np.vstack([rng.uniform(-2, 2, (2, rows)), np.zeros((1, rows))])
    values[1, 0] = 0.0
    widths = np.array([0.05, 0.05, 0.02])
    return build(
        model,
        {"u": (), "v": ()},
        {"a": (), "b": (), "c": ()},
        None,
        truth,
        np.full(2, radius),
        values,
        widths,
        2,
        epsilon,
        rng,
    )


def circle(seed: int, epsilon: float = 0.05, radius: float = 2.0, rows: int = 6) -> Planted:
    """A planar trilateration: |x - m| - d, with anchors known within boxes."""
    rng = np.random.default_rng(seed)

    def model(x, m):
        return norm(x.p - m.A) - m.d

    truth = rng.uniform(-1, 1, 2)
    values = np.vstack([rng.uniform(-5, 5, (2, rows)), np.zeros((1, rows))])
    return build(
        model,
        {"p": (2,)},
        {"A": (2,), "d": ()},
        None,
        truth,
        np.full(2, radius),
        values,
        np.array([0.05, 0.05, 0.02]),
        2,
        epsilon,
        rng,
    )


def rational(seed: int, epsilon: float = 0.01, radius: float = 0.5, rows: int = 6) -> Planted:
    """Not polynomial: u / (v + m0) - m1, so that only mean-value forms and forward-backward apply."""
    rng = np.random.default_rng(seed)

    def model(x, m):
        return x.u / (x.v + m.a) - m.c

    truth = rng.uniform(0.5, 1.5, 2)
    values = np.vstack([rng.uniform(2, 5, (1, rows)), np.zeros((1, rows))])
    return build(
        model,
        {"u": (), "v": ()},
        {"a": (), "c": ()},
        None,
        truth,
        np.full(2, radius),
        values,
        np.array([0.02, 0.01]),
        1,
        epsilon,
        rng,
    )


SYSTEMS = {"leg": leg, "bilinear": bilinear, "circle": circle, "rational": rational}
