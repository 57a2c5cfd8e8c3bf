"""Nothing false is said in a doubt about a planted arm whose base moves once."""

from __future__ import annotations

from fractions import Fraction
from math import cos, radians, sin

import pytest
from certificates import read_certificate, scope_variables
from planted_poses import TRUTH, write_arm
from reading_doubt import read_doubt
from running import run

POSES, MOVED, WAY, HALF = 16, 6, 2.0, 0.05  # from this pose on (from 0), in x, by so many mm; half-widths in mm
LITTLE = 1e-9  # mm: what rounding in this file's own arithmetic may do
BASE, STEP = "base", "step of the base"
HYPOTHESES = (STEP, "slip of q2", "wrong readings")


def planted(folder):
    """A planar arm whose readings of x are 2 mm larger from the seventh pose on; its poses by label."""
    path = write_arm(folder, poses=POSES)
    heading, *lines = (folder / "poses.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines]
    for row in rows[MOVED:]:
        row[3] = f"{float(row[3]) + WAY:.3f}"
    (folder / "poses.csv").write_text("\n".join([heading, *map(",".join, rows)]) + "\n")
    return path, {row[0]: [float(cell) for cell in row[1:]] for row in rows}


class Judge:
    """The planted arm, and what was said of it."""

    def __init__(self, poses, told):
        self.poses, self.told = poses, told
        apart = told.json["poses_kept_apart"]
        self.used, self.apart_ = [label for label in poses if label not in apart], apart
        self.between = TRUTH | {"B_x": TRUTH["B_x"] + WAY / 2}  # no model has to miss by more than this does

    def needs(self, values, labels, model):
        """What the positions of these poses need, as the model with these values has them."""
        worst = 0.0
        for label in labels:
            q1, q2, x, y, _ = self.poses[label]
            moved = model == STEP and list(self.poses).index(label) >= MOVED
            first = radians(q1 + values["o_1"])
            second = first + radians(q2)
            place = {"x": values["B_x"] + values["l"] * cos(first) + values["m"] * cos(second) - x}
            place["y"] = values["B_y"] + values["l"] * sin(first) + values["m"] * sin(second) - y
            for name, miss in place.items():
                miss -= values.get(f"{name}.step", 0.0) if moved else 0.0
                worst = max(worst, abs(miss) - HALF)
        return max(worst, 0.0)

    def witness(self, model):
        """The values that a model's certificate gives its unknowns, added ones by short names."""
        file = model.replace(" ", "-")
        claimed = read_certificate(self.told.folder / f"{file}.position.cert")
        names = scope_variables(self.told.folder / f"{file}.canonical", claimed.scope)
        found = {name: float(value) for name, value in zip(names, claimed.values, strict=True)}
        steps = [name for name in names if name.endswith(".t_step")]
        return found | {f"{letter}.step": found[name] for letter, name in zip("xy", steps, strict=False)}

    def least(self, model):
        """The smallest error is at most this, by values that are known here."""
        return 0.0 if model == STEP else self.needs(self.between, self.used, BASE)

    def model_error(self, _, model, low, high):
        assert low <= self.least(model) + LITTLE
        if model in (BASE, STEP):  # what its witness needs, it does with
            needed = self.needs(self.witness(model), self.used, model)
            assert low - LITTLE <= needed and (high is None or needed <= high + LITTLE)

    def worst_error(self, part, model, low, high):
        self.model_error(part, model, low, high)

    def apart(self, _, model, low, high):
        if model in (BASE, STEP):
            needed = self.needs(self.witness(model), self.apart_, model)
            assert low <= needed + LITTLE and needed <= high + LITTLE

    def worst_apart(self, part, model, low, high):
        self.apart(part, model, low, high)

    def gain(self, _, model, value):
        assert value <= self.least(BASE) + LITTLE
        assert value > 0

    def explained_share(self, _, model, share):
        assert share <= 1 and (model != STEP or share == 1)

    def first(self, _, name, share, there, rest):
        assert name == STEP and share == 1 and there == 1 and not rest

    def kept_apart(self, _, count):
        assert count == len(self.apart_)

    def explained_as_it_is(self, part):
        assert part == "orientation"  # its readings lie within their intervals about the true arm

    def certificates(self, _, verified, count):
        assert verified == count == len(list(self.told.folder.glob("*.cert")))
        assert all(code == 0 for code in self.told.checked.values())

    def effect(self, _, value):
        assert value >= Fraction(9, 10) * 3 * Fraction(self.least(BASE))  # three times the upper end

    def file_count(self, _, count):
        assert count == len(self.told.json["files"])

    def explained_there(self, *_):
        """Ends of two certificates that `apart` has held against the truth."""

    largest = explained_there  # estimated


@pytest.mark.thorough
def test_nothing_false_is_said_in_a_doubt_about_an_arm(tmp_path):
    path, poses = planted(tmp_path / "arm")
    words = ["doubt", str(path), "--out", str(tmp_path / "out"), "--quiet", "--time-limit", "600"]
    told = run([*words, *(word for name in HYPOTHESES for word in ("--hypothesis", name))], tmp_path / "out")
    assert f"moves once, before pose P{MOVED + 1} (estimated)" in told.text
    judge, kinds = Judge(poses, told), set()
    for said in read_doubt(told):
        getattr(judge, said.kind.replace(" ", "_"))(said.part, *said.values)
        kinds.add(said.kind)
    assert {"model error", "gain", "apart", "first", "explained share", "explained as it is", "effect"} <= kinds
