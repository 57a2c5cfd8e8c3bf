"""Nothing false is said of planted linear models whose coefficients are intervals: vertices, orthant by orthant."""

import random
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import planted_regressors as truth
import pytest
from reading_identify import read_identify
from running import run
from statements import ruled

from certify.problems.dynamics.encoder_errors import reading_errors
from certify.problems.dynamics.joint_log import JointLog, LogForm, write_log
from certify.problems.dynamics.signal_chain import Chain, low_pass
from certify.problems.h4.torques import NAMES


class Judge:
    """The exact answer about small decimals within half-widths; W are doubles, as the table means them."""

    def __init__(self, W, half, y, bound, box):
        self.W, self.half, self.y, self.bound, self.box = W, half, y, bound, box
        self.names = [f"p{j}" for j in range(len(box))]
        parts = self.orthants(Fraction(1), bound)
        self.corners = [corner for part in parts for corner in truth.vertices(part)]
        self.error = max(Fraction(0), self.least(Fraction(1), bound))

    def orthants(self, factor, bound):
        """Half-spaces: first two for each row."""
        found = []
        for signs in product((1, -1), repeat=len(self.box)):
            rows = []
            for row, halves, y in zip(self.W, self.half, self.y, strict=True):
                least = tuple(a - s * factor * h for a, h, s in zip(row, halves, signs, strict=True))
                most = tuple(-(a + s * factor * h) for a, h, s in zip(row, halves, signs, strict=True))
                rows += [(least, y + bound), (most, bound - y)]
            walls = [
                (max(low, 0), high) if s > 0 else (low, min(high, 0))
                for s, (low, high) in zip(signs, self.box, strict=True)
            ]
            if all(low <= high for low, high in walls):
                found.append([*rows, *truth.halves([], [], [], walls)])
        return found

    def least(self, factor, bound):
        """The least error beyond the bound."""
        count = 2 * len(self.y)
        return min(
            truth.smallest_error(p, [int(k < count) for k in range(len(p))]) for p in self.orthants(factor, bound)
        )

    def corners_of(self, rows, factor=Fraction(1)):
        """The vertices of what fits these rows (counted from 1), by orthant, with all half-widths times so much."""
        kept = {place for row in rows for place in (2 * row - 2, 2 * row - 1)}
        count = 2 * len(self.y)
        found = []
        for part in self.orthants(factor, factor * self.bound):
            found.append(truth.vertices([half for k, half in enumerate(part) if k in kept or k >= count]))
        return found

    @property
    def every(self):
        return set(range(1, len(self.y) + 1))

    def fits(self, rows, factor=Fraction(1)):
        return any(self.corners_of(rows, factor))

    def choices(self, count):
        """The rows that stay, for all choices of those that are left out."""
        return (self.every - set(gone) for gone in combinations(sorted(self.every), count))

    def extent(self, part, rows, factor=Fraction(1)):
        """Of a parameter over what fits these rows."""
        j = self.names.index(part)
        return [corner[j] for corners in self.corners_of(rows, factor) for corner in corners]

    def volume(self):
        """Of what fits, by its corners in each orthant."""
        total = 0.0
        for corners in self.corners_of(self.every):
            points = np.array([[float(x) for x in corner] for corner in set(corners)])
            if len(points) > len(self.names):
                angle = np.arctan2(*(points - points.mean(0)).T[:2]) if len(self.names) == 2 else None
                if angle is None:
                    total += points.max() - points.min()
                else:
                    x, y = points[np.argsort(angle)].T
                    total += abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2
        return total

    def miss_of(self, x):
        """By row how far values are outside."""
        return [
            abs(truth.dot(row, x) - v) - truth.dot(off, map(abs, x)) - self.bound
            for row, off, v in zip(self.W, self.half, self.y, strict=True)
        ]

    def holds(self, said):
        return ruled(RULES, self, said)

    def reach(self, part):
        return [corner[self.names.index(part)] for corner in self.corners]

    def near(self, gap):
        """Whether each interval's ends are so near to what fits."""
        return all(
            max(high - max(self.reach(part)), min(self.reach(part)) - low) <= gap * (high - low)
            for part, (low, high) in self.told.items()
        )


RULES = {
    "error above": lambda judge, _, low: low < judge.error,
    "error above of rows": lambda judge, _, low, rows: (
        low < judge.error and set(rows) <= set(range(1, len(judge.y) + 1))
    ),
    "error at least": lambda judge, _, low: low <= judge.error,
    "error at most": lambda judge, _, high: high >= judge.error,
    "factor at least": lambda judge, _, low: low == 0 or judge.least(low, low * judge.bound) > 0,
    "factor at most": lambda judge, _, high: judge.least(high, high * judge.bound) <= 0,
    "factor of W at least": lambda judge, _, low: low == 0 or judge.least(low, judge.bound) > 0,
    "factor of W at most": lambda judge, _, high: judge.least(high, judge.bound) <= 0,
    "fit at least": lambda judge, _, low: low <= judge.miss,
    "fit above": lambda judge, _, low, row: low < judge.misses[row - 1],
    "fit at most": lambda judge, _, high: high >= judge.miss,
    "interval": lambda judge, part, low, high: all(
        (low is None or low <= x) and (high is None or x <= high) for x in judge.reach(part)
    ),
    "identified": lambda judge, part: (
        bool(judge.corners) and (min(judge.reach(part)) > 0 or max(judge.reach(part)) < 0)
    ),
    "rows": lambda judge, _, rows: rows == len(judge.y),
    "named": lambda judge, _, rows, count: len(set(rows)) == count and set(rows) <= set(range(1, len(judge.y) + 1)),
    "gap": lambda judge, _, gap: judge.near(gap),
    "fits without": lambda judge, _, rows: judge.fits(judge.every - set(rows)),
    "fewest at least": lambda judge, _, count: (
        not any(judge.fits(kept) for less in range(count) for kept in judge.choices(less))
    ),
    "contradict": lambda judge, _, rows: not judge.fits(set(rows)),
    "interval in spite": lambda judge, part, count, low, high: all(
        (low is None or low <= x) and (high is None or x <= high)
        for kept in judge.choices(count)
        for x in judge.extent(part, kept)
    ),
    "gap in spite": lambda judge, _, gap: gap >= 0,
    "given above": lambda judge, _, low, row: low < judge.miss_of(judge.given)[row - 1],
    "given at most": lambda judge, _, high: high >= max(judge.miss_of(judge.given)),
    "given outside": lambda judge, _: any(
        not low <= x <= high for x, (low, high) in zip(judge.given, judge.box, strict=True)
    ),
    "volume at most": lambda judge, _, volume: float(volume) >= 0.999999 * judge.volume(),
    "share": lambda judge, _, share: 0 <= share <= 1,
    "between": lambda judge, _, a, low, high: all(low <= truth.dot(a, corner) <= high for corner in judge.corners),
    "width at factor": lambda judge, part, factor, width: (
        not (found := judge.extent(part, judge.every, factor)) or max(found) - min(found) <= width
    ),
    "interval at factor": lambda judge, part, factor, low, high: all(
        low <= x <= high for x in judge.extent(part, judge.every, factor)
    ),
}


@pytest.mark.parametrize("number", range(8))
def test_nothing_false_is_said_of_planted_intervals(number, tmp_path):
    chosen = random.Random(number)
    size, rows = chosen.randint(1, 2), chosen.randint(3, 4)
    theta = [chosen.choice([-2.0, -0.25, 0.0, 0.5, 1.5]) for _ in range(size)]
    W = [[chosen.randint(-12, 12) / 4 for _ in range(size)] for _ in range(rows)]
    half = [[chosen.choice([0.0, 0.0625, 0.25]) for _ in range(size)] for _ in range(rows)]
    noise = chosen.choice([0.25, 1.0])
    y = [
        round(sum(a * x for a, x in zip(row, theta, strict=True)) + chosen.uniform(-noise, noise), 3) for row in W
    ]  # decimals, read as the doubles nearest to them
    names = [f"p{j}" for j in range(size)]
    lines = [",".join([*(f"{name} [kg]" for name in names), *(f"{name}_off [kg]" for name in names), "tau [Nm]"])]
    lines += [",".join(map(repr, [*row, *off, value])) for row, off, value in zip(W, half, y, strict=True)]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    box = [chosen.choice([(0, 8), (-3, 3), (-8, 0)]) for _ in range(size)]
    prior = ", ".join(f"p{j} = {low} .. {high}" for j, (low, high) in enumerate(box))
    halves = ", ".join(f"{name} = {name}_off" for name in names)
    words = ["identify", str(tmp_path / "rows.csv"), "--y", "tau", "--bound", "0.4 Nm", "--prior", prior]
    given = [chosen.choice([-1.0, 0.25, 1.5]) for _ in box]
    values = ", ".join(f"{name} = {value}" for name, value in zip(names, given, strict=True))
    words += ["--closed-form", "--values", values, "--outliers", "--relaxed", "1", "--polytope", "--widths"]
    told = run([*words, "--half-widths", halves, "--out", str(tmp_path / "out"), "--quiet"], tmp_path / "out")
    exact = [[[Fraction(value) for value in row] for row in table] for table in (W, half)]
    judge = Judge(*exact, list(map(Fraction, y)), Fraction("0.4"), box)
    x = [Fraction(found["estimated_least_squares"]) for found in told.json["parameters"]]
    judge.misses = [
        abs(truth.dot(row, x) - Fraction(v)) - truth.dot(off, map(abs, x)) - judge.bound
        for row, off, v in zip(*exact, y, strict=True)
    ]
    judge.given = list(map(Fraction, given))
    judge.miss = max(0, *judge.misses)
    judge.told = {found["name"]: tuple(map(Fraction, found["interval"])) for found in told.json["parameters"]}
    said = list(read_identify(told))
    assert len(said) >= 4
    for statement in said:
        assert judge.holds(statement), statement


def test_what_is_said_of_encoders_is_counted(tmp_path):
    """The rows at which a velocity may be 0, by the interval of its second filtering's instant."""
    log = planted_log()
    write_log(tmp_path / "motion.csv", log, LogForm(4))
    step, prior = Fraction("0.0001"), ", ".join(f"{name} = 0 .. 2" for name in NAMES)
    words = ["identify", str(tmp_path / "motion.csv"), "--robot", "h4", "--bound", "40 Nm", "--prior", prior]
    told = run([*words, "--encoder-step", "0.1 mrad", "--out", str(tmp_path / "out"), "--quiet"], tmp_path / "out")
    said = {each.kind: each.values for each in read_identify(told) if each.kind == "still"}
    filtered = low_pass(log.joints, 40.0, 4, log.rate)
    speed = np.gradient(filtered, 1 / log.rate, axis=0)
    reach = reading_errors(len(speed), float(step / 2), Chain(), log.rate)[1]
    kept = slice(150, len(speed) - 150, 20)
    assert said["still"] == ((np.abs(speed) <= reach[:, None])[kept].sum(), told.json["rows"])
    assert told.json["encoders"] == {"stated": "0.1 mrad", "rows": told.json["rows"], "still": said["still"][0]}


def planted_log():
    times = np.arange(1200) / 1000.0
    angles = 0.3 + 0.15 * np.sin(2 * np.pi * np.array([0.7, 0.9, 1.1, 1.3]) * times[:, None])
    return JointLog(times, angles, np.cos(3 * times)[:, None] * np.ones(4), "planted")
