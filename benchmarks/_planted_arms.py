"""Serial arms of all shapes whose truth is known, because it was planted: three to seven joints that turn or slide, in
any order, with right angles and without.

The tool's position is computed from the tool back to the base, joint by joint, after Denavit and Hartenberg: what a
joint adds is turned by its twist, moved by its length and shift, and turned about its axis. Free are some of all
lengths, shifts, twists and offsets, the base's place and turn, and the tool's place. With `redundant` any of them are
free; without, only those that the poses tell apart (pivots of the Jacobian), so that truth is the only one of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import numpy as np

import certify

QUARTERS = (-1, 0, 1)
BASE = tuple(f"base_{name}" for name in ("x", "y", "z", "roll", "pitch", "yaw"))
TOOL = ("tool_x", "tool_y", "tool_z")
ANGLES = ("twist", "offset", "base_roll", "base_pitch", "base_yaw")
DIGITS = 6  # of readings, after the point, in mm and rad
TOLD_APART = 1e-3  # of the largest pivot: what is smaller is not determined
PRECISION = 300  # bits in which truth is computed


def is_angle(name: str) -> bool:
    """Whether a parameter is in rad rather than in mm."""
    return name.startswith(ANGLES)


@dataclass(frozen=True)
class Shape:
    """Which joints slide, and every parameter as it was designed: angles that are quarter turns are so exactly."""

    slides: tuple[bool, ...]
    design: dict[str, float]

    @staticmethod
    def drawn(random: np.random.Generator, joints: int) -> Shape:
        """Any shape; of six arms one has joints that slide, of two one has right angles only."""
        slides = tuple(bool(s) for s in random.uniform(size=joints) < (0.3 if random.uniform() < 1 / 6 else 0.0))
        right, design = random.uniform() < 0.5, {}
        for k in range(joints):
            lengths = np.where(random.uniform(size=2) < 0.4, 0.0, random.uniform(50.0, 600.0, 2))
            quarter = float(random.choice(QUARTERS)) * np.pi / 2
            design |= {f"length{k}": lengths[0], f"shift{k}": lengths[1]}
            design |= {f"twist{k}": quarter if right else random.uniform(-1.6, 1.6), f"offset{k}": 0.0}
        design |= dict.fromkeys(BASE, 0.0) | dict(zip(TOOL, random.uniform(-150.0, 150.0, 3), strict=True))
        return Shape(slides, {name: float(value) for name, value in design.items()})

    @property
    def joints(self) -> int:
        """How many."""
        return len(self.slides)


@dataclass(frozen=True)
class Numbers:
    """What the tool's position is computed in: cosine, sine, and how a decimal becomes such a number."""

    cosine: Callable[[Any], Any]
    sine: Callable[[Any], Any]
    exact: Callable[[Fraction], Any]

    def turned(self, first: Any, second: Any, angle: Any) -> tuple[Any, Any]:
        """A pair of coordinates, turned."""
        cosine, sine = self.cosine(angle), self.sine(angle)
        return cosine * first - sine * second, sine * first + cosine * second

    def turned_as_designed(self, first: Any, second: Any, angle: float) -> tuple[Any, Any]:
        """By an angle that is known exactly, or whose cosine and sine are."""
        quarters = angle / (np.pi / 2)
        if quarters == round(quarters):
            ways = ((first, second), (-second, first), (-first, -second), (second, -first))
            return ways[int(quarters) % 4]
        cosine, sine = (self.exact(decimal(function(angle))) for function in (np.cos, np.sin))
        return cosine * first - sine * second, sine * first + cosine * second


def decimal(value: float) -> Fraction:
    """The number as it is written."""
    return Fraction(f"{value:.{DIGITS}f}")


def ball(value: Fraction) -> flint.arb:
    """One of flint's balls."""
    return flint.arb(flint.fmpq(value.numerator, value.denominator))


FLOATS = Numbers(np.cos, np.sin, float)
TRACED = Numbers(certify.cos, certify.sin, Fraction)
BALLS = Numbers(lambda angle: angle.cos(), lambda angle: angle.sin(), ball)


def tip(shape: Shape, free: dict[str, Any], read: Sequence[Any], numbers: Numbers) -> tuple[Any, Any, Any]:
    """The tool's position; `free` are the parameters that are not as designed."""

    def turned(first: Any, second: Any, name: str) -> tuple[Any, Any]:
        if name in free:
            return numbers.turned(first, second, free[name])
        return numbers.turned_as_designed(first, second, shape.design[name])

    def moved(place: Any, name: str) -> Any:
        if name in free:
            return place + free[name]
        return place + numbers.exact(decimal(shape.design[name])) if shape.design[name] else place

    x, y, z = (free[name] if name in free else numbers.exact(decimal(shape.design[name])) for name in TOOL)
    for k in reversed(range(shape.joints)):
        y, z = turned(y, z, f"twist{k}")
        x, z = moved(x, f"length{k}"), moved(z, f"shift{k}")
        if shape.slides[k]:
            z = z + read[k]
            x, y = turned(x, y, f"offset{k}")
        else:
            x, y = numbers.turned(x, y, read[k] + free[f"offset{k}"] if f"offset{k}" in free else read[k])
    y, z = turned(y, z, "base_roll")
    z, x = turned(z, x, "base_pitch")
    x, y = turned(x, y, "base_yaw")
    return moved(x, "base_x"), moved(y, "base_y"), moved(z, "base_z")


@dataclass(frozen=True)
class PlantedArm:
    """The problem, the true values of its variables, and where a search begins; `needed` is the exact model error that
    truth needs, rounded up: 0 if the readings lie inside their intervals.
    """

    problem: certify.Problem
    truth: tuple[Fraction, ...]
    start: np.ndarray
    needed: float


@dataclass(frozen=True)
class Plan:
    """What is planted: half-widths of readings in mm and of joints in rad (or mm), the room of the unknowns in mm and
    1.5 mrad each, a model error in mm, and how far truth stays from the ends, in parts of the half-widths.
    """

    poses: int = 20
    unknowns: int = 12
    redundant: bool = False
    reading: Fraction = Fraction(1, 20)
    joint: Fraction = Fraction(0)
    room: Fraction = Fraction(1)
    error: float = 0.0
    margin: float = 0.05


def planted(shape: Shape, plan: Plan, random: np.random.Generator) -> PlantedArm:
    """Readings of the arm as it truly is, and a problem that does not know it."""
    read = np.round(random.uniform(-1.5, 1.5, (shape.joints, plan.poses)), DIGITS)
    read[list(shape.slides)] *= 100.0
    names = _free(shape, plan, read, random)
    middles = [Fraction(round(shape.design[name], DIGITS)).limit_denominator(10**DIGITS) for name in names]
    radii = [plan.room * (Fraction(3, 2000) if is_angle(name) else 1) for name in names]
    shares = [Fraction(int(k), 1000) for k in random.integers(-700, 701, len(names))]
    truth = tuple(middle + share * radius for middle, share, radius in zip(middles, shares, radii, strict=True))
    free = dict(zip(names, map(float, truth), strict=True))
    inside = (1.0 - plan.margin) * random.uniform(-1.0, 1.0, read.shape)
    angles = np.round(read + float(plan.joint) * inside, 9)
    reached = np.array([np.broadcast_to(part, (plan.poses,)) for part in tip(shape, free, angles, FLOATS)])
    reached = reached + (1.0 - plan.margin) * float(plan.reading) * random.uniform(-1.0, 1.0, reached.shape)
    reached = np.round(reached + plan.error * random.uniform(-1.0, 1.0, reached.shape), DIGITS)
    problem = _problem(shape, plan, names, (middles, radii), read, reached)
    needed = _needed(shape, plan, dict(zip(names, truth, strict=True)), angles, reached)
    return PlantedArm(problem, truth, np.array([float(middle) for middle in middles]), needed)


def _free(shape: Shape, plan: Plan, read: np.ndarray, random: np.random.Generator) -> list[str]:
    """The unknown parameters, in a random order."""
    names = [name for name in shape.design if not (name.startswith("offset") and shape.slides[int(name[6:])])]
    random.shuffle(names)
    if plan.redundant:
        return names[: plan.unknowns]
    values, columns = shape.design, []
    for name in names:
        step = 1e-5 if is_angle(name) else 1e-2
        ends = [np.array(tip(shape, values | {name: values[name] + way * step}, read, FLOATS)) for way in (-1, 1)]
        scale = 1e-3 if is_angle(name) else 1.0
        columns.append(np.ravel(ends[1] - ends[0]) / (2 * step) * scale)
    left, chosen = np.array(columns), []
    largest = np.linalg.norm(left, axis=1).max()
    for k in range(len(names)):
        size = np.linalg.norm(left[k])
        if size > TOLD_APART * largest and len(chosen) < plan.unknowns:
            chosen.append(names[k])
            left = left - np.outer(left @ left[k], left[k]) / size**2
    return chosen


def _problem(
    shape: Shape,
    plan: Plan,
    names: Sequence[str],
    ranges: tuple[list[Fraction], list[Fraction]],
    read: np.ndarray,
    reached: np.ndarray,
) -> certify.Problem:
    """Three rows for each pose, which share its joints."""
    variables = tuple(
        certify.Variable(name, "rad" if is_angle(name) else "mm", middle - radius, middle + radius)
        for name, middle, radius in zip(names, *ranges, strict=True)
    )
    columns = [
        _column(f"q{k + 1}", "mm" if slides else "rad", read[k], plan.joint * (100 if slides else 1))
        for k, slides in enumerate(shape.slides)
    ]
    families = []
    for axis, letter in enumerate("xyz"):

        def row(x: Any, m: Any, axis: int = axis) -> Any:
            return tip(shape, dict(zip(names, x.p, strict=True)), m.q, TRACED)[axis] - m.u

        tape = certify.trace(row, {"p": (len(names),)}, {"q": (shape.joints,), "u": ()})
        bindings = [certify.Binding(False, k) for k in range(len(names))]
        bindings += [certify.Binding(True, k) for k in (*range(shape.joints), len(columns))]
        columns.append(_column(letter, "mm", reached[axis], plan.reading))
        families.append(certify.Family(f"tip.{letter}", tape, plan.poses, tuple(bindings), "mm"))
    return certify.Problem(variables, tuple(columns), tuple(families))


def _column(name: str, unit: str, values: Sequence[float], half: Fraction) -> certify.Column:
    exact = [decimal(value) for value in values]
    return certify.Column(name, unit, tuple(v - half for v in exact), tuple(v + half for v in exact))


def _needed(shape: Shape, plan: Plan, truth: dict[str, Fraction], angles: np.ndarray, reached: np.ndarray) -> float:
    """By how much a reading misses its interval at truth and at the true joints, at most, rounded up."""
    flint.ctx.prec = PRECISION
    balls, largest = {name: ball(value) for name, value in truth.items()}, 0.0
    for k in range(plan.poses):
        read = [ball(Fraction(f"{angle:.9f}")) for angle in angles[:, k]]
        for axis, place in enumerate(tip(shape, balls, read, BALLS)):
            beyond = abs(place - ball(decimal(reached[axis, k]))) - ball(plan.reading)
            largest = max(largest, float(beyond.upper()))
    return largest * (1.0 + 1e-15)
