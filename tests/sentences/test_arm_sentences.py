"""Nothing false is said of planted arms: what is redundant, held, kept apart, bounded as a distance, or left out."""

from __future__ import annotations

from fractions import Fraction
from math import cos, hypot, radians, sin

import pytest
from planted_poses import TRUTH, write_arm
from reading_arm import read_arm
from running import run

HALF, TURNED = 0.05, 0.005  # mm, degrees: what the readings may be off by
MM, MRAD = 1e-9, 1e-9  # what rounding in this file's own arithmetic may do
SUMS = {"position": {"B_x + C_x", "B_y + C_y"}, "orientation": {"o_1 + o_2"}}
BLUEPRINT = {"B_x": 10, "B_y": -5, "C_x": 0.5, "C_y": 0, "l": 400, "m": 300, "o_1": 0, "o_2": 0}


class Planted:
    """The planar arm with a base C that no pose tells from B, and an offset o_2 that positions tell from o_1."""

    def __init__(self, folder, distance=False, wrong=(), seed=1):
        self.path, self.distance, self.wrong = write_arm(folder, poses=14, wrong=wrong, seed=seed), distance, wrong
        text = self.path.read_text().replace('radius = ["0.5 deg", "0 deg"]', 'radius = ["0.5 deg", "0.2 deg"]')
        text = text.replace('"B + [l*cos', '"B + C + [l*cos').replace('l = "length"', 'l = "length"\nC = "length x y"')
        text = text.replace("[parameters]", '[parameters]\nC = { value = ["0.5 mm", "0 mm"], radius = "2 mm" }')
        if distance:
            text = text.replace("[model.errors]\n", '[model.errors]\nposition = "mm x y distance"\n')
        self.path.write_text(text)
        self.poses = self.table(folder / "poses.csv")

    @staticmethod
    def table(path):
        heading, *lines = [line.split(",") for line in path.read_text().splitlines() if not line.startswith("#")]
        return {line[0]: dict(zip(heading, line, strict=True)) for line in lines}

    def needs(self, part, pose, values):
        """What one pose needs with these parameters."""
        row = {name.split(" ")[0]: float(cell) for name, cell in self.poses[pose].items() if name != "pose"}
        first = radians(row["q1"] + values["o_1"])
        second = first + radians(row["q2"] + values["o_2"])
        if part == "orientation":
            return max(abs(second - radians(row["theta"])) - radians(TURNED), 0.0) * 1000
        x = values["B_x"] + values["C_x"] + values["l"] * cos(first) + values["m"] * cos(second) - row["x"]
        y = values["B_y"] + values["C_y"] + values["l"] * sin(first) + values["m"] * sin(second) - row["y"]
        beyond = [max(abs(miss) - HALF, 0.0) for miss in (x, y)]
        return hypot(*beyond) if self.distance else max(beyond)


class Judge:
    """A planted arm and a run on it."""

    def __init__(self, planted, told, apart):
        self.planted, self.told, self.apart = planted, told, apart
        self.parameters = Planted.table(told.folder / "parameters.csv")

    def found(self, part, which):
        """Parameters that were found, or the blueprint; what the table has no value of is at the blueprint, or its
        part does not read it.
        """
        values = dict(BLUEPRINT)
        for name, row in self.parameters.items():
            cell = row.get(f"{which} {part}", "")
            values |= {name: float(cell)} if cell else {}
        return values

    def worst(self, part, which):
        return max(self.planted.needs(part, pose, self.found(part, which)) for pose in self.apart)

    def true(self, said):
        return getattr(self, said.kind.replace(" ", "_"))(said.part, *said.values)

    def held(self, name, value):
        written = self.planted.table(self.told.folder / "poses.csv") and (self.told.folder / "problem.toml").read_text()
        return value == f"{BLUEPRINT[name]} mm" and name in ("C_x", "C_y") and 'C = { value = ["0.5 mm", "0 mm"], ' \
            'radius = "0 mm" }' in written  # fmt: skip

    def apart_(self, count):
        return count == len(self.apart)

    def kept_apart(self, _, poses):
        return set(poses) == set(self.apart)

    def distance(self, part, components):
        return self.planted.distance and part == "position" and components == ("x", "y")

    def determined(self, part, sums, elsewhere):
        return set(sums) == SUMS[part] and elsewhere == (part == "orientation")

    def validated(self, part, which, consistent):
        return consistent == (self.worst(part, which) <= MM)

    def validated_error_at_least(self, part, which, value):
        return value <= self.worst(part, which) + MM

    def validated_error_at_most(self, part, which, value):
        return self.worst(part, which) <= value + Fraction(MM)

    def validated_consistent_at_zero(self, part, which):
        return self.worst(part, which) <= MM

    def pose_needs(self, part, pose, which, value):
        exact = self.planted.needs(part, pose, self.found(part, which))
        return pose in self.apart and abs(float(value) - exact) <= 0.006 * exact + MM

    def hull(self, name, low, high):
        """Truth is consistent; of C it is what the blueprint's half a millimetre leaves of B."""
        truth = TRUTH | {"C_x": 0.0, "C_y": 0.0, "o_2": 0.0}
        return low <= sum(truth[part] for part in name.split(" + ")) <= high

    def fewest(self, part, count, poses=()):
        wrong = self.planted.wrong if part == "position" else ()
        return count == len(wrong) and set(poses) == {f"P{pose}" for pose in wrong}

    def conflicts(self, part, count, least, most):
        return count >= len(self.planted.wrong) and 1 <= least <= most

    def consistent(self, part):
        return not self.planted.wrong or part == "orientation"

    def inconsistent(self, part):
        return bool(self.planted.wrong) and part == "position"

    consistent_at_zero = consistent

    def error_at_least(self, part, value):
        return value <= 3

    def error_at_most(self, part, value):
        return bool(self.planted.wrong) or value >= 0

    def verified(self, part):
        return self.told.checked[f"{part}.cert"] == 0

    def hull_gap(self, name, low, high, gap):
        return 0 <= gap <= 1

    def limited(self, name, side, end):
        ends = {"B_x": (8, 12), "B_y": (-7, -3), "C_x": (-1.5, 2.5), "C_y": (-2, 2), "o_2": (-0.2, 0.2),
                "o_1": (-0.5, 0.5), "l": (399, 401), "m": (299, 301)}[name]  # fmt: skip
        return float(end) == ends[side == "upper"]

    def half_widths(self, *_):
        return True

    level = half_widths
    files = half_widths


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("distance", [False, True])
def test_nothing_false_is_said_of_an_arm_with_poses_kept_apart(tmp_path, seed, distance):
    planted, out = Planted(tmp_path / "arm", distance, seed=seed), tmp_path / "out"
    apart = ("P3", "P8", "P12")
    words = ["run", str(planted.path), "--out", str(out), "--workers", "1", "--redundant", "group", "--enclose"]
    told = run([*words, "--keep-apart", f"poses {', '.join(apart)}"], out)
    kinds = _all_true(Judge(planted, told, apart))
    assert {"validated", "pose needs", "determined", "hull"} <= kinds
    assert ("distance" in kinds) == distance


@pytest.mark.thorough
@pytest.mark.parametrize("wrong", [(4,), (2, 9)])
def test_nothing_false_is_said_of_an_arm_with_wrong_poses_and_held_parameters(tmp_path, wrong):
    planted, out = Planted(tmp_path / "arm", wrong=wrong), tmp_path / "out"
    told = run(["run", str(planted.path), "--out", str(out), "--workers", "1", "--redundant", "fix", "--discard"], out)
    assert {"held", "fewest", "inconsistent"} <= _all_true(Judge(planted, told, ()))


def _all_true(judge):
    """The kinds of statements, all of which are true."""
    found = set()
    for said in read_arm(judge.told):
        kind = "apart_" if said.kind == "apart" else said.kind.replace("-", " ")
        assert getattr(judge, kind.replace(" ", "_"))(*([said.part] if kind != "apart_" else []), *said.values), said
        found.add(said.kind)
    return found
