"""Folders as a user has them before an example is tried: a robot's file and its table, a run, raw readings. `kept` is a
folder for what is made once.
"""

import contextlib
import shutil
from functools import wraps

import planted_poses

from certify.__main__ import main
from certify.problems.experiments.shipped import shipped
from certify.problems.simulation.raw import Size, simulate_raw
from certify.problems.simulation.unmodelled_error import unmodelled_error

LIMITED = {"accuracy", "calibrate", "demo", "doubt", "identify", "inspect", "report", "run"}


def patient(words):
    """The words of a command with more time than it needs: a loaded machine must not fail a test."""
    limited = words[0] in LIMITED and "--time-limit" not in words
    return [*words, "--time-limit", "3000"] if limited else list(words)


def made_once(make):
    """Such a folder, of which there are copies from then on."""

    @wraps(make)
    def copied(folder, kept):
        whole = kept / make.__name__
        if not whole.exists():
            whole.mkdir(parents=True)
            with contextlib.chdir(whole):
                make(whole, kept)
        shutil.copytree(whole, folder, dirs_exist_ok=True)

    return copied


def regressor(folder, kept):
    lines = ["M [kg m^2],Fc [Nm],tau [Nm]"]
    for k in range(15):
        a, sign = k / 7 - 1, (-1) ** k
        lines.append(f"{a:.6f},{sign},{95 * a + 2 * sign + (k % 3 - 1) / 4:.6f}")
    (folder / "regressor.csv").write_text("\n".join([*lines, ""]))


def par4(folder, kept):
    """The shipped data of the Par4."""
    shutil.copytree(shipped("par4").parent, folder / "par4")


def palida(folder, kept):
    """The shipped data of PaLiDA."""
    shutil.copytree(shipped("palida").parent, folder / "palida")


@made_once
def arm(folder, kept):
    """certified: a run of a planted arm of two joints; problem.toml: its problem, with candidates for a next pose."""
    path = planted_poses.write_arm(folder / "planted")
    assert main(["run", str(path), "--out", str(folder / "certified"), "--quiet"]) == 0
    for name in ("problem.toml", "poses.csv"):
        shutil.copy(folder / "planted" / name, folder / name)
    lines = (folder / "poses.csv").read_text().splitlines()
    (folder / "candidates.csv").write_text("\n".join([*lines[:5], ""]))


def shares(folder, kept):
    """east, west: the pieces of two halves of the box of a small system."""
    (folder / "circle.bch").write_text("Variables x in [0, 3]; y in [0, 3];\nConstraints x^2 + y^2 = 4; y = x;\nend\n")
    for number, name in enumerate(("east", "west"), 1):
        words = ["run", str(folder / "circle.bch"), "--pieces", "--part", f"{number}/2", "--out", str(folder / name)]
        assert main([*words, "--quiet"]) in (0, 3)


def campaign(folder, kept):
    """A campaign of one small system."""
    (folder / "circle.bch").write_text("Variables x in [0, 3]; y in [0, 3];\nConstraints x^2 + y^2 = 4; y = x;\nend\n")
    (folder / "campaign.toml").write_text('[[problems]]\nfile = "*.bch"\n')


@made_once
def urdf(folder, kept):
    assert main(["simulate", "--robot", "arm", "--out", str(folder / "theirs"), "--quiet"]) == 0
    shutil.copy(folder / "theirs" / "arm.urdf", folder / "robot.urdf")
    shutil.copy(folder / "theirs" / "poses.csv", folder / "poses.csv")


@made_once
def calibrated(folder, kept):
    urdf(folder, kept)
    words = ["--urdf", "robot.urdf", "--tip", "tool0", "--data", "poses.csv", "--out", "arm"]
    assert main(["new", "arm", *words, "--quiet"]) == 0
    assert main(["run", "arm/problem.toml", "--quiet"]) == 0


@made_once
def raw(folder, kept):
    simulate_raw(unmodelled_error("joints"), 3, size=Size(12, 2, 2, 2)).write(folder)


@made_once
def prepared(folder, kept):
    raw(folder, kept)
    assert main(["prepare", "experiment.toml", "--out", "prepared", "--quiet"]) == 0


@made_once
def planar(folder, kept):
    """A folder called demo, which holds the run of a smaller robot than the demo's."""
    assert main(["simulate", "--robot", "planar_3rpr", "--out", str(folder / "theirs"), "--quiet"]) == 0
    assert main(["run", str(folder / "theirs" / "problem.toml"), "--out", str(folder / "demo"), "--quiet"]) == 0
