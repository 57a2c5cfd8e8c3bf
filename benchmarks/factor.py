"""The smallest factor on all half-widths, on planted problems of which it is known exactly, and on the demo.

    networks   chains of distances between anchors on opposite sides: together they are never shorter than the anchors
        are apart
    legs       of a Gough platform, in pairs of poses with opposite directions: both lengths together are never shorter
        than the poses are apart
    arms       planar arms whose angles are read exactly (as sines and cosines): linear in the parameters, and the
        errors of one row more than there
               are parameters have the signs of a linear relation between these rows

In each of them the errors of some readings are E half-widths, in a pattern that no parameters can make smaller (the
proof is at each builder), the errors of all others are less: the smallest factor is E. Anchors and poses may be
uncertain, along the line where their effect is linear. For each problem: is E between the proved ends, are they nearer
to each other than asked for, does the checker accept both certificates?
"""

import argparse
import time
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

import certify
from certify.checker import Status, check
from certify.parts.warm_up import warm_up
from certify.problems.formulas.expression import rotation_xyz
from certify.problems.robots.kind import find_kind
from certify.questions.factor import GAP
from certify.records.factor_records import Factor

KINDS = ("networks", "legs", "arms")
SHARE = Fraction(9, 10)  # of E: the errors of other readings are smaller than that


@dataclass(frozen=True)
class Planted:
    """A problem and its smallest factor."""

    problem: certify.Problem
    factor: Fraction


class Numbers:
    """Random decimals."""

    def __init__(self, seed: int, kind: str) -> None:
        self.random = np.random.default_rng([seed, KINDS.index(kind)])

    def between(self, low: float, high: float) -> Fraction:
        """A decimal with three places."""
        return Fraction(int(self.random.integers(round(low * 1000), round(high * 1000) + 1)), 1000)

    def factor(self) -> Fraction:
        """A factor from a tenth to ten."""
        return round(Fraction(10.0 ** self.random.uniform(-1.0, 1.0)), 6)

    def direction(self) -> tuple[Fraction, Fraction]:
        """A rational unit vector."""
        t = self.between(-2, 2)
        return (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)


def column(name: str, unit: str, values: list[Fraction], halves: list[Fraction] | None = None) -> certify.Column:
    """Values with their half-widths; known exactly without."""
    halves = halves or [Fraction(0)] * len(values)
    pairs = list(zip(values, halves, strict=True))
    return certify.Column(name, unit, tuple(v - h for v, h in pairs), tuple(v + h for v, h in pairs))


def bindings(*groups: tuple[bool, int, int]) -> tuple[certify.Binding, ...]:
    """Inputs from groups (measured?, first, count)."""
    return tuple(certify.Binding(measured, first + k) for measured, first, count in groups for k in range(count))


def network(seed: int) -> Planted:
    """Chains a - p - ... - q - a' along a line, in two or three directions, all through the first point.

    The distances of a chain are together at least |a - a'|, which is at least the distance of the anchors along the
    line: with readings that are short by E half-widths, of anchors that stand E half-widths nearer to each other, no
    factor below E can close the gap.
    """
    numbers = Numbers(seed, "networks")
    factor, hub = numbers.factor() / 10, (numbers.between(-2, 2), numbers.between(-2, 2))
    points, first, second, anchors, readings, halves = [hub], [], [], [], [], []
    axes = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
    uncertain = [numbers.between(0.005, 0.02) if numbers.random.integers(2) else Fraction(0) for _ in axes]
    families = []
    for axis, direction in enumerate(axes):
        for sign in (1, -1):
            along = tuple(sign * part for part in direction)
            near = 0
            for _ in range(int(numbers.random.integers(0, 2))):
                step = numbers.between(2, 4)
                points.append(tuple(points[near][k] + step * along[k] for k in (0, 1)))
                first.append(near), second.append(len(points) - 1)
                halves.append(numbers.between(0.005, 0.03)), readings.append(step - factor * halves[-1])
                near = len(points) - 1
            reach, half = numbers.between(3, 6), numbers.between(0.005, 0.03)
            true = [points[near][k] + reach * along[k] for k in (0, 1)]
            read = [value + factor * uncertain[axis] * along[k] for k, value in enumerate(true)]
            anchors.append((near, read, [uncertain[axis] * abs(part) for part in along], reach - factor * half, half))
    variables, columns = [], []
    for number, point in enumerate(points):
        variables += [certify.Variable(f"p{number}.{'xy'[k]}", "m", point[k] - 1, point[k] + 1) for k in (0, 1)]
    tape = certify.trace(lambda x, m: certify.norm(x.p - m.a) - m.d, {"p": (2,)}, {"a": (2,), "d": ()})
    between = certify.trace(lambda x, m: certify.norm(x.p - x.q) - m.d, {"p": (2,), "q": (2,)}, {"d": ()})
    for number, (near, read, widths, distance, half) in enumerate(anchors):
        columns += [column(f"a{number}.{'xy'[k]}", "m", [read[k]], [widths[k]]) for k in (0, 1)]
        columns.append(column(f"d{number}", "m", [distance], [half]))
        families.append(
            certify.Family(f"anchor{number}", tape, 1, bindings((False, 2 * near, 2), (True, len(columns) - 3, 3)), "m")
        )
    for number, (one, other) in enumerate(zip(first, second, strict=True)):
        columns.append(column(f"e{number}", "m", [readings[number]], [halves[number]]))
        bound = bindings((False, 2 * one, 2), (False, 2 * other, 2), (True, len(columns) - 1, 1))
        families.append(certify.Family(f"between{number}", between, 1, bound, "m"))
    return Planted(certify.Problem(tuple(variables), tuple(columns), tuple(families)), factor)


def leg(seed: int) -> Planted:
    """Pairs of poses with one rotation (by right angles, so that it is rational) and opposite directions v, -v of the
    leg.

    |v + w| + |-v + w| >= 2 |v| whatever w the parameters a and b add to both: with readings that are short by E
    half-widths no factor below E can do, as the offset l ends at its true value. Every third pair stands along z, where
    the pose is uncertain, too: each of its two heights is read E of its half-widths too far out. Other poses have
    smaller errors.
    """
    numbers = Numbers(seed, "legs")
    factor, kind = numbers.factor(), find_kind("gough", "benchmark")
    a, b = ([numbers.between(-50, 50) for _ in range(3)] for _ in range(2))
    offset, rows = numbers.between(300, 340), []
    turns = list(product((0, 90, 180, 270), (0, 180), (0, 90, 180, 270)))
    for number in range(12):
        angles = turns[int(numbers.random.integers(len(turns)))]
        turned = np.round(rotation_xyz(*np.radians(np.array(angles, dtype=np.float64)))).astype(int) @ np.array(
            b, dtype=object
        )
        height, opposite = number % 3 == 0, number % 4 < 3
        direction = (Fraction(0), Fraction(0), Fraction(1)) if height else _unit(numbers)
        length = numbers.between(350, 480)
        for sign in (1, -1) if opposite else (1,):
            beyond = numbers.between(0.02, 0.1) if height else Fraction(0)
            half = numbers.between(0.02, 0.1)
            error = factor if opposite else factor * SHARE * numbers.between(-1, 1)
            arm = [sign * part * length for part in direction]
            place = [a[k] - turned[k] + arm[k] for k in range(3)]
            place[2] += sign * error * beyond
            rows.append([*place, *map(Fraction, angles), length - offset - error * half, beyond, half])
    names = ("x", "y", "z", "alpha", "beta", "gamma", "L")
    table = [list(values) for values in zip(*rows, strict=True)]
    widths = {"z": table[7], "L": table[8]}
    units = ("mm", "mm", "mm", "deg", "deg", "deg", "mm")
    columns = [
        column(name, unit, values, widths.get(name)) for name, unit, values in zip(names, units, table, strict=False)
    ]
    middles = [*a, *b]
    shift = [numbers.between(-4, 4) for _ in middles]
    parts = [f"{letter}.{axis}" for letter in "ab" for axis in "xyz"]
    variables = [
        certify.Variable(name, "mm", v + s - 8, v + s + 8) for name, v, s in zip(parts, middles, shift, strict=True)
    ]
    variables.append(certify.Variable("l", "mm", offset - 5, offset))
    tape = kind.families(len(rows), dict.fromkeys(("alpha", "beta", "gamma"), "deg"))[0].tape
    family = certify.Family("leg", tape, len(rows), bindings((False, 0, 7), (True, 0, 7)), "mm")
    return Planted(certify.Problem(tuple(variables), tuple(columns), (family,)), factor)


def _unit(numbers: Numbers) -> tuple[Fraction, Fraction, Fraction]:
    """A rational unit vector in space."""
    (c, s), (d, t) = numbers.direction(), numbers.direction()
    return c * d, c * t, s


def arm(seed: int) -> Planted:
    """x = b + a1 cos(t1) + a2 cos(t1 + t2), y likewise with sines: linear in the unknown b, c, a1, a2 with exact
    coefficients J.

    If sum y_k J_k = 0 over some rows, and their errors are E sign(y_k) half-widths, then every choice of parameters
    leaves sum y_k (error_k) = E sum |y_k| half-width_k: some error is at least E half-widths.
    """
    numbers = Numbers(seed, "arms")
    factor, poses = numbers.factor(), 8
    truth = [
        numbers.between(-100, 100),
        numbers.between(-100, 100),
        numbers.between(300, 500),
        numbers.between(200, 400),
    ]
    angles = [(numbers.direction(), numbers.direction()) for _ in range(poses)]
    sums = [(c * d - s * t, s * d + c * t) for (c, s), (d, t) in angles]
    jacobian = [[Fraction(1), Fraction(0), c, first] for ((c, _), _), (first, _) in zip(angles, sums, strict=True)]
    jacobian += [[Fraction(0), Fraction(1), s, second] for ((_, s), _), (_, second) in zip(angles, sums, strict=True)]
    chosen = [0, 1, 2, poses + 3, poses + 4]
    relation = dict(zip(chosen, _relation([jacobian[k] for k in chosen]), strict=True))
    halves = [numbers.between(0.01, 0.2) for _ in jacobian]
    values = []
    for k, row in enumerate(jacobian):
        weight = relation.get(k, Fraction(0))
        error = factor * (weight / abs(weight) if weight else SHARE * numbers.between(-1, 1))
        values.append(sum(j * p for j, p in zip(row, truth, strict=True)) + error * halves[k])
    trig = [[part for turn in pair for part in turn] for pair in angles]
    columns = [column(name, "1", [row[k] for row in trig]) for k, name in enumerate(("c1", "s1", "c2", "s2"))]
    columns += [column("x", "mm", values[:poses], halves[:poses]), column("y", "mm", values[poses:], halves[poses:])]
    variables = [
        certify.Variable(name, "mm", p - 40, p + 60) for name, p in zip(("b", "c", "a1", "a2"), truth, strict=True)
    ]
    unknowns, measured = {"b": (), "c": (), "a1": (), "a2": ()}, {"c1": (), "s1": (), "c2": (), "s2": (), "r": ()}
    across = certify.trace(
        lambda x, m: x.b + 0 * x.c + x.a1 * m.c1 + x.a2 * (m.c1 * m.c2 - m.s1 * m.s2) - m.r, unknowns, measured
    )
    upward = certify.trace(
        lambda x, m: x.c + 0 * x.b + x.a1 * m.s1 + x.a2 * (m.s1 * m.c2 + m.c1 * m.s2) - m.r, unknowns, measured
    )
    families = [
        certify.Family(name, tape, poses, bindings((False, 0, 4), (True, 0, 4), (True, place, 1)), "mm")
        for name, tape, place in (("across", across, 4), ("upward", upward, 5))
    ]
    return Planted(certify.Problem(tuple(variables), tuple(columns), tuple(families)), factor)


def _relation(rows: list[list[Fraction]]) -> list[Fraction]:
    """y with sum y_k row_k = 0, for one row more than there are columns: cofactors."""
    found = []
    for k in range(len(rows)):
        rest = [row for number, row in enumerate(rows) if number != k]
        found.append((-1) ** k * _determinant(rest))
    return found


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    if len(rows) == 1:
        return rows[0][0]
    minors = ([row[:k] + row[k + 1 :] for row in rows[1:]] for k in range(len(rows)))
    return sum(((-1) ** k * rows[0][k] * _determinant(minor) for k, minor in enumerate(minors)), Fraction(0))


BUILDERS = dict(zip(KINDS, (network, leg, arm), strict=True))


def judged(planted: Planted, part: Factor) -> str:
    """What is wrong with an answer; empty if nothing is."""
    lower, upper = part.epsilon
    if upper is None or not lower <= planted.factor <= upper:
        return (
            f"{float(planted.factor):.9g} is not between {float(lower):.9g} and "
            f"{None if upper is None else float(upper)}"
        )
    if upper - lower > GAP * upper:
        return f"the gap is {float((upper - lower) / upper):.2g} ({part.stopped.value})"
    for problem, certificate in ((part.refuted, part.certificate), (part.fitting, part.witness_certificate)):
        if problem is None or certificate is None or check(problem, certificate).status is not Status.VERIFIED:
            return "a certificate is not accepted"
    return ""


def run(words: list[str]) -> dict[str, Any]:
    """Bracket the known factors of planted problems."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks factor")
    parser.add_argument("--problems", type=int, default=102, help="how many, a third of each kind")
    options = parser.parse_args(words)
    warm_up(lambda message: None)
    told: dict[str, Any] = {}
    for name, builder in BUILDERS.items():
        wrong, seconds = {}, []
        for seed in range(options.problems // len(KINDS)):
            planted, began = builder(seed), time.process_time()
            (part,) = certify.smallest_factor(planted.problem).parts
            seconds.append(time.process_time() - began)
            if isinstance(part, Factor) and (said := judged(planted, part)):
                wrong[seed] = said
        told[name] = {
            "problems": len(seconds),
            "bracketed": len(seconds) - len(wrong),
            "wrong": wrong,
            "median seconds": float(np.median(seconds)),
        }
        print(
            f"{name}: {told[name]['bracketed']} of {len(seconds)} known factors within a gap of 1e-4; "
            f"{np.median(seconds):.2f} s each (median)"
        )
        for seed, said in wrong.items():
            print(f"  seed {seed}: {said}")
    return told
