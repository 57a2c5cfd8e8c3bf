"""Nothing false is said of how far off a planted platform can stand."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from planted_stances import EPSILON, differences, lengths, parameters, planted, stands
from reading_accuracy import read_accuracy
from running import Told, run

MIDDLE, HALF = np.array([10.0, -20.0, 5.0]), np.array([20.0, 20.0, 4.0])
ROUNDED = 1e-9


@dataclass(frozen=True)
class Judge:
    """The planted platform, and what was told."""

    truth: tuple
    told: Told

    def holds(self, said):
        """Whether a statement is true, as far as the planted platform and the witness say."""
        found = {record["name"]: record for record in self.told.json["guarantees"]}
        place = ["position", "orientation"].index(said.part) if said.part in found else 0
        own = parameters([Fraction(value) for value in self.told.json["in_use"].values()])
        match said.kind:
            case "deviation at most" | "with the error":
                worst = differences(self.truth, own, MIDDLE, HALF, EPSILON, np.random.default_rng(3), 60)
                return worst[int(said.kind == "with the error"), place] <= float(said.values[0]) + ROUNDED
            case "somewhere at least":
                record = found[said.part]
                pose = np.array(record["witness_joints"])
                x = parameters([record["witness"][name] for name in self.told.json["in_use"]])
                off = stands(*x, lengths(*own, pose), pose) - pose
                size = np.hypot(*off[:2]) if place == 0 else 1000 * abs(np.radians(off[2]))
                return bool((abs(pose - MIDDLE) <= HALF + ROUNDED).all()) and size >= float(said.values[0]) * (1 - 1e-7)
            case "assumed":
                return said.values == (Fraction(str(EPSILON)), "mm")
            case "used":
                return said.values == ("least-squares",)
            case "levels of legs":
                return said.values == tuple(f"{EPSILON} mm (leg{k})" for k in (1, 2, 3))
            case "count":
                return said.values == (len(self.told.json["certificates"]),)
        return False


@pytest.mark.thorough
def test_nothing_false_is_said_of_a_platform(tmp_path):
    path, truth = planted(tmp_path / "planted", 7)
    joints = ", ".join(
        f"{name} = {middle} +- {half} {unit}"
        for name, middle, half, unit in zip(("x", "y", "theta"), MIDDLE, HALF, ("mm", "mm", "deg"), strict=True)
    )
    folder = tmp_path / "out"
    told = run(["accuracy", str(path), "--joints", joints, "--epsilon", f"{EPSILON} mm", "--out", str(folder)], folder)
    judge, said = Judge(truth, told), list(read_accuracy(told))
    assert {"assumed", "levels of legs", "used", "count"} <= {statement.kind for statement in said} and len(said) >= 16
    for statement in said:
        assert judge.holds(statement), statement
