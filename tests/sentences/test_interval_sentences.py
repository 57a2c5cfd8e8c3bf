"""Nothing false is said of planted linear models whose coefficients are intervals: vertices, orthant by orthant."""

import random
from fractions import Fraction
from itertools import product

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
    told = run([*words, "--half-widths", halves, "--out", str(tmp_path / "out"), "--quiet"], tmp_path / "out")
    exact = [[[Fraction(value) for value in row] for row in table] for table in (W, half)]
    judge = Judge(*exact, list(map(Fraction, y)), Fraction("0.4"), box)
    x = [Fraction(found["estimated_least_squares"]) for found in told.json["parameters"]]
    judge.misses = [
        abs(truth.dot(row, x) - Fraction(v)) - truth.dot(off, map(abs, x)) - judge.bound
        for row, off, v in zip(*exact, y, strict=True)
    ]
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
