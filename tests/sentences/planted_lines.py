"""Small experiments with rows linear in the unknowns, or in their squares: everything that can be asked about them is
known exactly.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

from linear_truth import Ends, LinearPart, LinearRow
from planted_experiments import Files, PlantedExperiment, shown

ZERO, ONE = Fraction(0), Fraction(1)
FAR = Fraction(-50)  # from the unknown a, so that the root of (a - FAR)^2 is a - FAR
FIRST = {"plain": "a", "square": "a^2", "root": "sqrt(sqr(a - far)) + far"}


def linear(seed: int) -> PlantedExperiment:
    """Legs a + b t + c s + g v - L, in lengths or plain numbers: t and v are known exactly, the readings s are shared,
    g is of all legs.

    Instead of t there may be a leg's own T, which is uncertain; a may be hidden in a square or in a root of a square.
    """
    return _Lines(seed).planted()


class _Lines:
    """Which terms there are, the truth, and the readings; drawn in this order."""

    def __init__(self, seed: int) -> None:
        self.seed, self.rng = seed, random.Random(f"linear {seed}")
        rng = self.rng
        self.legs, self.poses = rng.choice([1, 1, 1, 2, 2, 3]), rng.randint(2, 6)
        self.shape = rng.choice(["plain", "plain", "plain", "square", "root"])
        self.mode = rng.choice(["consistent", "consistent", "touching", "wrong", "wrong", "outlier"])
        self.b, self.g = rng.random() < 0.5, rng.random() < 0.45
        self.s = rng.random() < (0.35 if self.legs > 1 else 0.15)
        self.uncertain, self.known = self.b and rng.random() < 0.3, self.g and rng.random() < 0.2
        self.metric = self.shape != "square" and rng.random() < 0.6
        self.factor = Fraction(rng.choice([1, 1, 2, -3]))
        self.half, self.wide = (Fraction(rng.choice([0, 1, 2, 5, 5, 10, 25]), 100) for _ in range(2))
        self.tilt = Fraction(rng.choice([1, 2, 4]), 100) if self.uncertain else ZERO
        self.radius = Fraction(rng.choice(["1", "1", "0.25", "1.9"]))
        self.truth = dict(self._unknowns())
        self.columns = {name: [self._drawn(-2, 2, 1) for _ in range(self.poses)] for name in "tv"}
        self.columns["s"] = [self._drawn(-5, 5, 2) for _ in range(self.poses)]
        if self.mode == "touching" and self.poses > 1:
            for name in "tv":
                self.columns[name][1] = self.columns[name][0]
        self.own = [[self._drawn(-2, 2, 1) for _ in range(self.poses)] for _ in range(self.legs)]
        self.moved = [Fraction(rng.randint(-95, 95), 100) * self.wide for _ in range(self.poses)]
        self.readings = [self._readings(leg) for leg in range(self.legs)]

    def _drawn(self, low: int, high: int, places: int = 3) -> Fraction:
        return Fraction(self.rng.randint(low * 10**places, high * 10**places), 10**places)

    def _unknowns(self) -> Sequence[tuple[str, Fraction]]:
        found = []
        for leg in range(1, self.legs + 1):
            found.append((f"leg{leg}.a", self._drawn(2, 5) if self.shape == "square" else self._drawn(-9, 9)))
            found += [(f"leg{leg}.b", self._drawn(2, 6))] if self.b else []
        return [*found, *([("robot.g", self._drawn(-3, 3))] if self.g else [])]

    def _radius(self, name: str) -> Fraction:
        return ZERO if self.known and name == "robot.g" else self.radius

    def _times(self, leg: int) -> Sequence[Fraction]:
        return self.own[leg] if self.uncertain else self.columns["t"]

    def _readings(self, leg: int) -> list[Fraction]:
        rng, name = self.rng, f"leg{leg + 1}"
        room = self.half + self.tilt * self.truth.get(f"{name}.b", ZERO)
        wrong = {rng.randrange(self.poses) for _ in range(rng.choice([1, 1, 2]))} if self.mode == "outlier" else set()
        a = self.truth[f"{name}.a"]
        found = []
        for k in range(self.poses):
            noise = room * Fraction(rng.randint(-300, 300) if self.mode == "wrong" else rng.randint(-90, 90), 100)
            if self.mode == "touching":
                noise = room * (k == 0) - room * (k == 1)
            value = (a * a if self.shape == "square" else a) + noise
            value += rng.choice([-1, 1]) * self._drawn(1, 5) if k in wrong else ZERO
            value += self.truth[f"{name}.b"] * self._times(leg)[k] if self.b else ZERO
            value += self.factor * (self.columns["s"][k] + self.moved[k]) if self.s else ZERO
            value += self.truth["robot.g"] * self.columns["v"][k] if self.g else ZERO
            found.append(round(value, 4))
        return found

    def row(self, leg: int, k: int) -> LinearRow:
        """What a row is, with the readings in its constant."""
        name = f"leg{leg + 1}"
        constant, slopes = -self.readings[leg][k], {f"{name}.a": ONE}
        slopes |= {f"{name}.b": self._times(leg)[k]} if self.b else {}
        slopes |= {"robot.g": self.columns["v"][k]} if self.g and not self.known else {}
        constant += self.factor * self.columns["s"][k] if self.s else ZERO
        constant += self.truth["robot.g"] * self.columns["v"][k] if self.known else ZERO
        widths = {f"{name}.b": self.tilt} if self.tilt else {}
        return LinearRow((name, k), slopes, constant, self.half, widths, {f"s {k}": self.factor} if self.s else {})

    def formula(self, leg: int, at: Mapping[str, Fraction]) -> Ends:
        """A leg's equation at values of the unknowns and columns."""
        own = f"leg{leg + 1}"
        a = at[f"{own}.a"]
        total = a * a if self.shape == "square" else abs(a - FAR) + FAR if self.shape == "root" else a
        total += at[f"{own}.b"] * at[f"T{leg + 1}" if self.uncertain else "t"] if self.b else ZERO
        total += self.factor * at["s"] if self.s else ZERO
        total += (self.truth["robot.g"] if self.known else at["robot.g"]) * at["v"] if self.g else ZERO
        return (total - at[f"L{leg + 1}"],) * 2

    def files(self, units: Mapping[str, str]) -> Files:
        """What a user would write."""
        size, time = "length" if self.metric else "number", "T" if self.uncertain else "t"
        terms = [FIRST[self.shape], *([f"b*{time}"] * self.b), *([f"({shown(self.factor)})*s"] * self.s)]
        files = Files(" + ".join([*terms, *(["g*v"] * self.g)]) + " - L")
        files.parameters = {"a": size} | ({"b": size} if self.b else {})
        files.common = {"g": size} if self.g else {}
        files.leg_columns = {"L": size} | ({"T": "number"} if self.uncertain else {})
        dimensions = {
            "t": "number" if self.b and not self.uncertain else "",
            "s": size * self.s,
            "v": "number" * self.g,
        }
        files.columns = {name: dimension for name, dimension in dimensions.items() if dimension}
        files.constants = {"far": f"{shown(FAR)} {units[size]}"} if self.shape == "root" else {}
        for name, value in self.truth.items():
            files.blueprint[name] = value + self._drawn(-1, 1, 2) * self._radius(name) * Fraction(9, 10)
        for name, kind in (files.parameters | files.common).items():
            files.radii[name] = f"{shown(self._radius('robot.g' if name == 'g' else name))} {units[kind]}"
        files.centre = "least squares" if self.rng.random() < 0.15 and self.shape == "plain" else "nominal"
        for name in files.columns:
            files.values[name] = self.columns[name]
            files.halves[name] = [self.wide if name == "s" else ZERO] * self.poses
        for leg in range(self.legs):
            files.values[f"L{leg + 1}"], files.halves[f"L{leg + 1}"] = self.readings[leg], [self.half] * self.poses
            if self.uncertain:
                files.values[f"T{leg + 1}"], files.halves[f"T{leg + 1}"] = self.own[leg], [self.tilt] * self.poses
        return files

    def planted(self) -> PlantedExperiment:
        """The experiment with its truth."""
        units = {"length": "mm", "number": "1"}
        files = self.files(units)
        problem, table = files.problem(f"planted {self.mode} lines {self.seed}", self.legs, self.rng, units)
        halves = {f"s {k}": self.wide for k in range(self.poses)}
        squared = {name for name in self.truth if name.endswith(".a")} if self.shape == "square" else set()

        def of_legs(chosen: Sequence[int], box: Mapping[str, Ends]) -> LinearPart:
            rows = [self.row(leg, k) for leg in chosen for k in range(self.poses)]
            return LinearPart(box, rows, halves, squared & set(box))

        return PlantedExperiment(
            problem,
            table,
            "mm" if self.metric else "1",
            [[name for name in self.truth if self._radius(name) and self._of(name, leg)] for leg in range(self.legs)],
            of_legs,
            self.formula,
            files.blueprint,
            {name: self._radius(name) for name in self.truth},
            self.poses,
            f"{self.mode} lines",
            files.halves,
            self.g and not self.known and self.legs > 1,
        )

    @staticmethod
    def _of(name: str, leg: int) -> bool:
        return name.startswith((f"leg{leg + 1}.", "robot."))
