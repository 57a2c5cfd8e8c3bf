"""Small experiments with curved rows: distances, planar arms, quotients and squares, each with a smallest model error
known exactly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import flint
from curved_truth import BITS, CurvedPart, CurvedRow, ball, ends
from linear_truth import Ends
from planted_experiments import Files, PlantedExperiment

Value = Callable[[Mapping[str, flint.arb], Sequence[flint.arb]], flint.arb]
ZERO = Fraction(0)
DIGIT = Fraction(1, 10**7)


@dataclass
class Curves:
    """Rows value(unknowns, readings) for each leg, readings L with `room` as their half-width subtracted last.

    `inputs` are the columns as they are read, `moved` as they are, both within `halves` of each other.
    """

    kind: str
    seed: int
    rng: random.Random
    files: Files
    legs: Sequence[Value]
    truth: Mapping[str, Fraction]
    radii: Mapping[str, Fraction]
    inputs: dict[str, list[Fraction]]
    moved: dict[str, list[Fraction]]
    halves: dict[str, list[Fraction]]
    room: Fraction
    unit: str
    units: Mapping[str, str]

    def planted(self) -> PlantedExperiment:
        """Readings of every leg at the planted truth; with a contradiction, the first two poses are the same and
        differ in L1.
        """
        rng, room, files = self.rng, self.room, self.files
        apart = rng.choice([ZERO, ZERO, room / 2, room, 2 * room + Fraction(rng.randint(1, 3000), 1000)])
        if apart:
            self._repeat_the_first_pose()
        rows = [self._rows(leg, apart if not leg else ZERO) for leg in range(len(self.legs))]
        files.values, files.halves = {**self.inputs, **files.values}, {**self.halves, **files.halves}
        files.blueprint = {
            name: value + self.radii[name] * Fraction(rng.randint(-80, 80), 100) for name, value in self.truth.items()
        }
        problem, table = files.problem(f"planted {self.kind} {self.seed}", len(self.legs), rng, self.units)
        error = max(apart - room, ZERO)
        exact = not any(map(any, self.halves.values()))

        def of_legs(chosen: Sequence[int], box: Mapping[str, Ends]) -> CurvedPart:
            contradicted = 0 in chosen and error > 0
            factor = apart / room if contradicted and exact else None
            chosen_rows = [row for leg in chosen for row in rows[leg]]
            return CurvedPart(box, chosen_rows, error if contradicted else ZERO, factor)

        owners = [("robot.", f"leg{leg}.") for leg in range(1, len(self.legs) + 1)]
        unknowns = [[name for name in self.truth if self.radii[name] and name.startswith(owner)] for owner in owners]
        kind, poses = f"{'contradicted ' * bool(apart)}{self.kind}", len(rows[0])
        blueprint, radii = files.blueprint, dict(self.radii)
        return PlantedExperiment(
            problem,
            table,
            self.unit,
            unknowns,
            of_legs,
            self.formula,
            blueprint,
            radii,
            poses,
            kind,
            files.halves,
            len(rows) > 1,
        )

    def formula(self, leg: int, at: Mapping[str, Fraction]) -> Ends:
        """A leg's equation."""
        with flint.ctx.workprec(BITS):
            point = {name: ball(at[name]) for name in self.truth}
            return ends(self.legs[leg](point, [ball(at[name]) for name in (*self.inputs, f"L{leg + 1}")]))

    def _repeat_the_first_pose(self) -> None:
        for name, column in self.inputs.items():
            column[1] = self.moved[name][0] = self.moved[name][1] = column[0]
            self.halves[name][0] = self.halves[name][1] = ZERO

    def _rows(self, leg: int, apart: Fraction) -> list[CurvedRow]:
        value, found = self.legs[leg], []
        for k in range(len(next(iter(self.inputs.values())))):
            read, true, widths = (
                [table[name][k] for name in self.inputs] for table in (self.inputs, self.moved, self.halves)
            )
            with flint.ctx.workprec(BITS):
                point = {name: ball(number) for name, number in self.truth.items()}
                exact = ends(value(point, [*map(ball, true), flint.arb(0)]))[0]
            noise = self.room * Fraction(self.rng.randint(-80, 80), 100)
            reading = round(exact / DIGIT) * DIGIT + ((apart, -apart)[k] if apart and k < 2 else noise)
            found.append(
                CurvedRow((f"leg{leg + 1}", k), value, [*read, reading], [*widths, ZERO], self.room, [*true, reading])
            )
        self.files.values[f"L{leg + 1}"] = [row.readings[-1] for row in found]
        self.files.halves[f"L{leg + 1}"] = [self.room] * len(found)
        return found


@dataclass(frozen=True)
class Touching(CurvedPart):
    """Rows (c - k)^2 + (u - L)^2; `apart` holds k - c, L and the half-width of L, and k - c is less than the
    half-width of c.
    """

    apart: Sequence[tuple[Fraction, Fraction, Fraction]] = ()

    def needs(self, x: Mapping[str, Fraction], without: Collection[tuple[str, int]] = ()) -> Ends:
        """Exactly."""
        left = [entry for k, entry in enumerate(self.apart) if ("leg1", k) not in without]
        found = max(
            (max(abs(Fraction(x["leg1.u"]) - reading) - half, ZERO) ** 2 for _, reading, half in left), default=ZERO
        )
        return found, found

    def least_error(self, only: Collection[tuple[str, int]] | None = None) -> Fraction:
        """Exactly, also of some rows."""
        left = [entry for k, entry in enumerate(self.apart) if only is None or ("leg1", k) in only]
        readings, halves = [reading for _, reading, _ in left], [half for *_, half in left]
        return max((max(readings) - min(readings)) / 2 - halves[0], ZERO) ** 2 if left else ZERO

    def fewest(self, level: Fraction) -> tuple[int, int]:
        """By trying all."""
        names = {row.name for row in self.rows}
        counts = (
            k
            for k in range(len(names) + 1)
            for out in combinations(sorted(names), k)
            if self.least_error(names - {*out}) <= level
        )
        count = next(counts)
        return count, count

    def sum_of_squares(self, x: Mapping[str, Fraction]) -> Fraction:
        """Exactly, at the middles."""
        return sum(
            ((missed**2 + (Fraction(x["leg1.u"]) - reading) ** 2) ** 2 for missed, reading, _ in self.apart), ZERO
        )


def distances(seed: int) -> PlantedExperiment:
    """A point in the plane from its distances to known places."""
    rng = random.Random(f"distances {seed}")
    poses = rng.randint(3, 6)
    files = Files("norm(p - [x, y]) - L")
    files.parameters = {"p": "length x y"}
    files.columns, files.leg_columns = {"x": "length", "y": "length"}, {"L": "length"}
    truth = {f"leg1.p_{axis}": Fraction(rng.randint(-2000, 2000), 1000) for axis in "xy"}
    inputs = {axis: [Fraction(rng.choice([-1, 1]) * rng.randint(50, 90), 10) for _ in range(poses)] for axis in "xy"}
    half = Fraction(rng.choice([0, 0, 1, 5]), 100)
    moved = {axis: [value + half * Fraction(rng.randint(-90, 90), 100) for value in inputs[axis]] for axis in "xy"}
    halves = {axis: [half] * poses for axis in "xy"}
    radius = Fraction(rng.choice([1, 3]))
    files.radii = {"p": f"{radius} mm"}

    def value(x: Mapping[str, flint.arb], m: Sequence[flint.arb]) -> flint.arb:
        return ((x["leg1.p_x"] - m[0]) ** 2 + (x["leg1.p_y"] - m[1]) ** 2).sqrt() - m[2]

    radii = dict.fromkeys(truth, radius)
    room = Fraction(rng.choice([1, 5, 20]), 100)
    return Curves(
        "distances",
        seed,
        rng,
        files,
        [value],
        truth,
        radii,
        inputs,
        moved,
        halves,
        room,
        "mm",
        {"length": "mm", "length x y": "mm"},
    ).planted()


def arms(seed: int) -> PlantedExperiment:
    """A planar arm of two links, the coordinates of its tip measured as two legs; lengths or offsets of the joints are
    unknown.
    """
    rng = random.Random(f"arms {seed}")
    poses = rng.randint(4, 7)
    angle = rng.choice(["deg", "rad"])
    files = Files("(i*(h*cos(q + o) + k*cos(q + o + w + p)) + j*(h*sin(q + o) + k*sin(q + o + w + p))) - L")
    files.parameters, files.common = (
        {"i": "number", "j": "number"},
        {"h": "length", "k": "length", "o": "angle", "p": "angle"},
    )
    files.columns, files.leg_columns = {"q": "angle", "w": "angle"}, {"L": "length"}
    turn = Fraction(1) if angle == "deg" else Fraction(1, 50)
    truth = {"robot.h": Fraction(rng.randint(3000, 5000), 10), "robot.k": Fraction(rng.randint(2000, 4000), 10)}
    truth |= {f"robot.{name}": turn * Fraction(rng.randint(-100, 100), 100) for name in "op"}
    axes = {"leg1.i": Fraction(1), "leg1.j": ZERO, "leg2.i": ZERO, "leg2.j": Fraction(1)}
    legs = rng.choice([1, 2, 2])
    axes = {name: value for name, value in axes.items() if int(name[3]) <= legs}
    inputs = {name: [round(turn * Fraction(rng.randint(-6000, 6000), 100), 4) for _ in range(poses)] for name in "qw"}
    half = turn * Fraction(rng.choice([0, 0, 1]), 1000)
    moved = {name: [value + half * Fraction(rng.randint(-90, 90), 100) for value in inputs[name]] for name in "qw"}
    halves = {name: [half] * poses for name in "qw"}
    lengths, turns = Fraction(rng.choice([0, 1])), turn * Fraction(rng.choice([1, 2]), 2)
    radii = {"robot.h": lengths, "robot.k": lengths, "robot.o": turns, "robot.p": turns, **dict.fromkeys(axes, ZERO)}
    units = {"length": "mm", "angle": angle, "number": "1"}
    files.radii = {
        "h": f"{lengths} mm",
        "k": f"{lengths} mm",
        "o": f"{turns.numerator / turns.denominator} {angle}",
    } | {"i": "0 1", "j": "0 1"}
    files.radii["p"] = files.radii["o"]

    def tip(leg: int) -> Value:
        def value(x: Mapping[str, flint.arb], m: Sequence[flint.arb]) -> flint.arb:
            known = {name: ball(number) for name, number in truth.items()} | dict(x)
            scale = flint.arb.pi() / 180 if angle == "deg" else flint.arb(1)
            first = (m[0] + known["robot.o"]) * scale
            second = first + (m[1] + known["robot.p"]) * scale
            parts = [(first.cos(), second.cos()), (first.sin(), second.sin())][leg]
            return known["robot.h"] * parts[0] + known["robot.k"] * parts[1] - m[2]

        return value

    room = Fraction(rng.choice([1, 5, 20]), 100)
    return Curves(
        "arms",
        seed,
        rng,
        files,
        [tip(k) for k in range(legs)],
        truth | axes,
        radii,
        inputs,
        moved,
        halves,
        room,
        "mm",
        units,
    ).planted()


def quotients(seed: int) -> PlantedExperiment:
    """a / (t + b) - L, plain numbers, at known t."""
    rng = random.Random(f"quotients {seed}")
    poses = rng.randint(3, 6)
    files = Files("a/(t + b) - L")
    files.parameters, files.columns, files.leg_columns = (
        {"a": "number", "b": "number"},
        {"t": "number"},
        {"L": "number"},
    )
    truth = {"leg1.a": Fraction(rng.randint(500, 1500), 1000), "leg1.b": Fraction(rng.randint(500, 1500), 1000)}
    inputs = {"t": [Fraction(rng.randint(10, 40), 10) for _ in range(poses)]}
    radius = Fraction(1, 4)
    files.radii = {"a": "0.25 1", "b": "0.25 1"}

    def value(x: Mapping[str, flint.arb], m: Sequence[flint.arb]) -> flint.arb:
        return x["leg1.a"] / (m[0] + x["leg1.b"]) - m[1]

    moved, halves = {"t": list(inputs["t"])}, {"t": [ZERO] * poses}
    room = Fraction(rng.choice([1, 3]), 100)
    return Curves(
        "quotients",
        seed,
        rng,
        files,
        [value],
        truth,
        dict.fromkeys(truth, radius),
        inputs,
        moved,
        halves,
        room,
        "1",
        {"number": "1"},
    ).planted()


def squares(seed: int) -> PlantedExperiment:
    """(c - k)^2 + (u - L)^2: each row is 0 at best, and touches it from above.

    The error of u is the largest square of its distance from an interval L, where all c may be k.
    """
    rng = random.Random(f"squares {seed}")
    poses = rng.randint(2, 4)
    files = Files("(c - k)^2 + (u - L)^2")
    files.parameters, files.columns, files.leg_columns = {"u": "number"}, {"c": "number"}, {"L": "number"}
    files.constants = {"k": "0.7 1"}
    half = Fraction(rng.randint(5, 20), 10)
    files.values = {
        "c": [Fraction(7, 10) + Fraction(rng.randint(-40, 40), 100) for _ in range(poses)],
        "L1": [Fraction(rng.randint(0, 40), 10) for _ in range(poses)],
    }
    files.halves = {"c": [Fraction(1)] * poses, "L1": [half] * poses}
    files.blueprint, files.radii = {"leg1.u": Fraction(2)}, {"u": "3 1"}
    problem, table = files.problem(f"planted squares {seed}", 1, rng, {"number": "1"})
    readings = files.values["L1"]
    error = max((max(readings) - min(readings)) / 2 - half, ZERO) ** 2

    def of_legs(chosen: Sequence[int], box: Mapping[str, Ends]) -> Touching:
        return Touching(
            box,
            [CurvedRow(("leg1", k), lambda x, m: flint.arb(0), [], [], ZERO, []) for k in range(poses)],
            error,
            apart=tuple(
                (Fraction(7, 10) - c, reading, half) for c, reading in zip(files.values["c"], readings, strict=True)
            ),
        )

    def formula(leg: int, at: Mapping[str, Fraction]) -> Ends:
        return ((at["c"] - Fraction(7, 10)) ** 2 + (at["leg1.u"] - at["L1"]) ** 2,) * 2

    radii = {"leg1.u": Fraction(3)}
    return PlantedExperiment(
        problem, table, "1", [["leg1.u"]], of_legs, formula, files.blueprint, radii, poses, "squares", files.halves
    )
