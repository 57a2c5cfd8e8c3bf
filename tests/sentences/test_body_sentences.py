"""Nothing false is said of a planar arm whose parameters are planted, physical ones and others."""

import math
from fractions import Fraction

import numpy as np
import planted_arm_logs as planar
import pytest
from reading_identify import read_identify
from running import run
from statements import ruled

NAMES = ("mx1R", "my1", "Izz1R", "mx2", "my2", "Izz2", "Fv1", "Fv2", "Fc1", "Fc2")
COMBINED = {"mx1R": {"mx1": 1, "m2": Fraction(2, 5)}, "Izz1R": {"Izz1": 1, "m2": Fraction(4, 25)}}
NEVER_NEGATIVE = {"Izz1R", "Izz2", "Fv1", "Fv2", "Fc1", "Fc2"}
SEEN = {"mx1", "my1", "Izz1", "m2", "mx2", "my2", "Izz2"}
NEAREST = 0.16 * math.hypot(0.4, 0.03) ** 2 / 0.12  # 0.16 m2, with m2 >= (mx2^2 + my2^2) / Izz2
GRAVITY = ["--gravity", "0 -9.81 0"]


class Judge:
    """`theta` was planted and fits every row; `physical` says whether bodies have it."""

    def __init__(self, theta, physical, urdf, told):
        self.theta, self.physical, self.urdf = theta, physical, urdf
        self.intervals = {found["name"]: found["interval"] for found in told.json["parameters"]}

    def holds(self, said):
        return ruled(RULES, self, said)

    def within(self, part, low, high):
        return (low is None or low <= self.theta[part]) and (high is None or self.theta[part] <= high)

    def combination(self, part, *factors):
        found = dict(factors)
        return found == COMBINED.get(part, {part: 1})

    def share(self, part, told, low, high):
        before = self.intervals[part]
        return abs(float(told) - float(high - low) / (before[1] - before[0])) < 2e-4

    def outside(self, _, count, wrong, *names):
        expected = {
            name for name, value in self.urdf.items() if not self.intervals[name][0] <= value <= self.intervals[name][1]
        }
        return count == len(self.urdf) and wrong == len(expected) and set(names) == expected


RULES = {
    "interval": lambda judge, part, low, high: judge.within(part, low, high),
    "identified": lambda judge, part: judge.theta[part] != 0,
    "error at least": lambda judge, _, low: low == 0,
    "error at most": lambda judge, _, high: high == 0,
    "factor at least": lambda judge, _, low: low <= 1,
    "factor at most": lambda judge, _, high: high <= 1,
    "bound at least": lambda judge, _, low: low <= Fraction("0.2"),
    "bound at most": lambda judge, _, high: high <= Fraction("0.2"),
    "fit at most": lambda judge, _, high: high == 0,
    "fit at least": lambda judge, _, low: low == 0,
    "rows": lambda judge, _, rows: rows > 100,
    "named": lambda judge, _, rows, count: len(set(rows)) == count and min(rows) > 0,
    "gap": lambda judge, _, gap: gap < 1,
    "never negative": lambda judge, _, *names: set(names) == NEVER_NEGATIVE,
    "some are physical": lambda judge, _: judge.physical,
    "none is physical": lambda judge, _, grow: not judge.physical and 0 < grow < judge.enough,
    "physical interval": lambda judge, part, low, high: judge.physical and judge.within(part, low, high),
    "share of width": lambda judge, part, told, low, high: judge.share(part, told, low, high),
    "combination": lambda judge, part, *factors: judge.combination(part, *factors),
    "unseen": lambda judge, _, *names: not SEEN & set(names) and "m1" in names,
    "URDF inside": lambda judge, _, count: judge.outside(_, count, 0),
    "URDF outside": lambda judge, _, count, wrong, *names: judge.outside(_, count, wrong, *names),
}


def told_of(folder, base, bound, noise, inertials=("", "")):
    """The run, and the planted parameters by name."""
    friction = (0.2, 0.1, 0.4, 0.3)
    (folder / "arm.urdf").write_text(planar.urdf(inertials))
    (folder / "log.csv").write_text(planar.log_text(1200, base, friction, noise, 1))
    words = ["identify", str(folder / "log.csv"), "--urdf", str(folder / "arm.urdf"), *GRAVITY, "--bound", bound]
    told = run([*words, "--physical", "--out", str(folder / "out"), "--quiet"], folder / "out")
    i1, x1, y1, x2, y2, i2 = base
    values = (x1, y1, i1, x2, y2, i2, *friction)
    return told, dict(zip(NAMES, (Fraction(str(value)) for value in values), strict=True))


LINKS = (planar.inertial(2.0, (0.2, 0, 0), (0.1, 0.1, 0.05)), planar.inertial(1.5, (0.25, 0, 0), (0.1, 0.1, 0.02)))
OWN = {"mx1R": 1.0, "my1": 0.0, "Izz1R": 0.37, "mx2": 0.375, "my2": 0.0, "Izz2": 0.11375}


@pytest.mark.parametrize("inertials", [("", ""), LINKS])
def test_nothing_false_is_said_of_a_physical_arm(inertials, tmp_path):
    base = (0.22, 1.3, 0.05, 0.4, -0.03, 0.12)
    assert base[0] > NEAREST
    told, theta = told_of(tmp_path, base, "0.2 Nm", 0.1, inertials)
    judge = Judge(theta, True, OWN if inertials[0] else {}, told)
    said = list(read_identify(told))
    for statement in said:
        assert judge.holds(statement), statement
    kinds = {statement.kind for statement in said}
    assert kinds >= {"physical interval", "some are physical", "combination", "unseen", "never negative"}
    assert not inertials[0] or "URDF outside" in kinds
    assert told.code == 0 and set(told.checked.values()) == {0}


def test_nothing_false_is_said_of_an_arm_that_no_bodies_make(tmp_path):
    base = (0.05, 1.3, 0.05, 0.4, -0.03, 0.12)
    told, theta = told_of(tmp_path, base, "0.05 Nm", 0.02)
    judge = Judge(theta, False, {}, told)
    judge.enough = 0.02 + (NEAREST + 0.01 - base[0]) * np.abs(planar.motion(1200)[3][:, 0]).max()  # then bodies do it
    said = list(read_identify(told))
    for statement in said:
        assert judge.holds(statement), statement
    assert {"none is physical", "interval"} <= {statement.kind for statement in said}
