"""Small Gough platforms, written as `certify calibrate` takes them, whose poses are known exactly, so that the model
error of a leg is known at every value of its parameters.

Of some legs two readings at one pose contradict each other: then the smallest model error is half of what is between
them, less a half-width.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import flint
from curved_truth import BITS, ball, ends
from linear_truth import Ends
from planted_experiments import shown

LEGS, NAMES, POSE = 6, ("a_x", "a_y", "a_z", "b_x", "b_y", "b_z", "l"), ("x", "y", "z", "alpha", "beta", "gamma")
BASE = ((-223, -152), (223, -152), (243, -117), (20, 269), (-20, 269), (-243, -117))  # about these in mm
PLATFORM = ((-20, -194), (20, -194), (178, 80), (158, 114), (-158, 114), (-178, 80))
DIGITS = 4  # of a reading in mm
Leg = Sequence[Fraction]  # in the order of the names
Pose = Sequence[Fraction]


def turned(pose: Pose, joint: Sequence[flint.arb]) -> list[flint.arb]:
    """P + Rx(alpha) Ry(beta) Rz(gamma) b, enclosed."""
    x, y, z = joint
    for axis, angle in ((2, pose[5]), (1, pose[4]), (0, pose[3])):
        radians = ball(angle) * flint.arb.pi() / 180
        c, s = radians.cos(), radians.sin()
        if axis == 2:
            x, y = c * x - s * y, s * x + c * y
        elif axis == 1:
            x, z = c * x + s * z, c * z - s * x
        else:
            y, z = c * y - s * z, s * y + c * z
    return [ball(p) + q for p, q in zip(pose[:3], (x, y, z), strict=True)]


def distance(leg: Leg, pose: Pose) -> flint.arb:
    """How far the joints are apart, enclosed."""
    numbers = [ball(value) for value in leg]
    apart = [p - q for p, q in zip(turned(pose, numbers[3:6]), numbers[:3], strict=True)]
    return sum((value * value for value in apart), flint.arb(0)).sqrt()


@dataclass(frozen=True)
class PlantedPlatform:
    """The true parameters, the exact poses, the readings of each leg, their half-width, and what two readings of a leg
    contradict each other by.
    """

    seed: int
    legs: Sequence[Leg]
    blueprint: Sequence[Leg]
    poses: Sequence[Pose]
    readings: Sequence[Sequence[Fraction]]
    half: Fraction
    validation: Sequence[Pose]
    seen: Sequence[Sequence[Fraction]]
    contradicted: Sequence[Fraction]

    @property
    def problem(self) -> str:
        """problem.toml."""
        lines = ['format = "certify-problem-file 1"', f'title = "planted platform {self.seed}"']
        lines += ['provenance = "simulated: planted"', 'kind = "gough"', 'poses = "poses.csv"', "[half_widths]"]
        lines += [f'{name} = "0 {"mm" if name in "xyz" else "deg"}"' for name in POSE]
        lines += [f'L{leg + 1} = "{shown(self.half)} mm"' for leg in range(LEGS)]
        lines += ["[box]", 'centre = "least squares"', 'radius = "20 mm"']
        return "\n".join([*lines, *self.legs_lines()]) + "\n"

    def legs_lines(self) -> list[str]:
        """The blueprint."""
        lines = []
        for number, leg in enumerate(self.blueprint, 1):
            texts = [f'"{shown(value)} mm"' for value in leg]
            lines += [f"[legs.leg{number}]", f"a = [{', '.join(texts[:3])}]", f"b = [{', '.join(texts[3:6])}]"]
            lines += [f"l = {texts[6]}"]
        return lines

    def table(self, poses: Sequence[Pose], readings: Sequence[Sequence[Fraction]]) -> str:
        """A table of poses and readings."""
        units = ["mm"] * 3 + ["deg"] * 3 + ["mm"] * LEGS
        columns = [*POSE, *(f"L{leg + 1}" for leg in range(LEGS))]
        rows = [",".join(["pose", *(f"{name} [{unit}]" for name, unit in zip(columns, units, strict=True))])]
        for k, pose in enumerate(poses):
            rows.append(",".join([str(k + 1), *map(shown, pose), *(shown(leg[k]) for leg in readings)]))
        return "\n".join(rows) + "\n"

    def misses(self, number: int, x: Leg) -> list[Ends]:
        """Enclosures of |r| of every row of a leg, less the half-width of its reading: above 0, it is not explained."""
        with flint.ctx.workprec(BITS):
            found = []
            for pose, reading in zip(self.poses, self.readings[number], strict=True):
                low, high = ends(abs(distance(x, pose) - ball(reading + x[6])))
                found.append((low - self.half, high - self.half))
            return found

    def needs(self, number: int, x: Leg) -> Ends:
        """An enclosure of the model error of a leg with these parameters."""
        misses = self.misses(number, x)
        return max(Fraction(0), *(low for low, _ in misses)), max(Fraction(0), *(high for _, high in misses))

    def error(self, number: int) -> Ends:
        """An enclosure of the smallest model error of a leg, where the truth is in the box."""
        return max(Fraction(0), self.contradicted[number] / 2 - self.half), self.needs(number, self.legs[number])[1]


def platform(seed: int, poses: int = 9) -> PlantedPlatform:
    """Joints about a circle, poses near a middle one, of which the first two are the same."""
    rng = random.Random(f"platform {seed}")

    def drawn(middle: float, spread: float, digits: int = 2) -> Fraction:
        return Fraction(round((middle + rng.uniform(-spread, spread)) * 10**digits), 10**digits)

    legs = [
        (drawn(a, 20), drawn(b, 20), drawn(0, 20), drawn(c, 20), drawn(d, 20), drawn(0, 20), drawn(300, 9))
        for (a, b), (c, d) in zip(BASE, PLATFORM, strict=True)
    ]

    def placed(count: int) -> list[Pose]:
        return [(*(drawn(0, 80) for _ in "xy"), drawn(500, 80), *(drawn(0, 18) for _ in "abc")) for _ in range(count)]

    chosen, others = placed(poses - 1), placed(3)
    chosen, half = [chosen[0], *chosen], Fraction(1, 20)
    apart = [Fraction(rng.choice([0, 0, 5, 11]), 10) for _ in legs]
    readings = []
    for leg, by in zip(legs, apart, strict=True):
        noise = [half * rng.randint(-80, 80) / 100 for _ in chosen]
        noise[:2] = [by / 2, -by / 2] if by else [noise[0], noise[0]]
        readings.append([_read(leg, pose) + error for pose, error in zip(chosen, noise, strict=True)])
    blueprint = [tuple(value + drawn(0, 2) for value in leg) for leg in legs]
    seen = [[_read(leg, pose) for pose in others] for leg in legs]
    return PlantedPlatform(seed, legs, blueprint, chosen, readings, half, others, seen, apart)


def _read(leg: Leg, pose: Pose) -> Fraction:
    with flint.ctx.workprec(BITS):
        return round(ends(distance(leg, pose))[0] - leg[6], DIGITS)
