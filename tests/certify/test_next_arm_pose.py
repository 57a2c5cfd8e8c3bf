"""The next pose of a robot without legs: its components are predicted, and what no pose so far determines is sought."""

import json

import numpy as np
import pytest
from planted_poses import write_arm

from certify.__main__ import main

STRETCHED = 30.0  # the second joint of all poses so far


@pytest.fixture
def stiff(tmp_path):
    """An arm of which only the first joint was turned: no pose tells its links and the offset between them apart."""
    path = write_arm(tmp_path, poses=10)
    lines = (tmp_path / "poses.csv").read_text().splitlines()
    random = [line.split(",") for line in lines[1:]]
    rows = []
    for k, cells in enumerate(random):
        first, second = np.radians(float(cells[1]) + 0.2), np.radians(float(cells[1]) + 0.2 + STRETCHED)
        x = 10.4 + 400.3 * np.cos(first) + 299.6 * np.cos(second)
        y = -5.2 + 400.3 * np.sin(first) + 299.6 * np.sin(second)
        rows.append(f"P{k + 1},{cells[1]},{STRETCHED},{x:.3f},{y:.3f},{np.degrees(second):.5f}")
    (tmp_path / "poses.csv").write_text("\n".join([lines[0], *rows]) + "\n")
    (tmp_path / "candidates.csv").write_text("pose,q1 [deg],q2 [deg]\nA,10,30\nB,-70,30\nbent,20,-80\nC,55,30\n")
    return path


def test_the_pose_that_tells_the_links_apart_is_chosen(stiff, capsys):
    code = main(["next", str(stiff), str(stiff.parent / "candidates.csv"), "--json", "--quiet"])
    told = json.loads(capsys.readouterr().out)
    assert code == 0
    best = told["choices"][0][0]
    assert best["pose"] == "bent"
    assert best["estimated_parts"]["position"] < 0.9
    assert best["estimated_parts"]["position"] == min(c["estimated_parts"]["position"] for c in told["choices"][0])
    observed = told["estimated_observability"]["position"]
    assert len(observed["before"]["not_determined"]) == 1
    assert observed["before"]["not_determined"][0] in ("l", "m", "o_1")
    assert observed["after"]["not_determined"] == []
    assert told["unit"] == {"position": "mm", "orientation": "mrad"}


def test_it_is_told_which_parameter_the_pose_determines(stiff, capsys):
    assert main(["next", str(stiff), str(stiff.parent / "candidates.csv"), "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "position: determined with them, and not without: " in told
    assert "Measure next: bent." in told
    assert main(["next", str(stiff), str(stiff.parent / "poses.csv"), "--quiet"]) == 0
    assert "position: not told apart from others by these poses either: " in capsys.readouterr().out


def test_readings_that_no_pose_has_are_refused(stiff, capsys):
    (stiff.parent / "far.csv").write_text("pose,x [mm],y [mm]\nfar,5000,0\n")
    assert main(["next", str(stiff), str(stiff.parent / "far.csv"), "--quiet"]) == 2
    assert "candidate 1: no reading of q1 and q2 and theta fits it" in capsys.readouterr().err
    (stiff.parent / "none.csv").write_text("pose,w [mm]\nfar,5000\n")
    assert main(["next", str(stiff), str(stiff.parent / "none.csv"), "--quiet"]) == 2
    assert "has none of the columns q1, q2, x, y, theta" in capsys.readouterr().err


def test_what_candidates_read_is_not_used(stiff, capsys):
    """A wrong reading left nothing of the set, so that the worst table was the best pose: measure it next, 0.0 %."""
    lines = (stiff.parent / "poses.csv").read_text().splitlines()[:4]
    found = []
    for more in (0.0, 5.0):
        cells = lines[3].split(",")
        cells[3] = f"{float(cells[3]) + more:.3f}"
        (stiff.parent / "read.csv").write_text("\n".join([*lines[:3], ",".join(cells)]) + "\n")
        assert main(["next", str(stiff), str(stiff.parent / "read.csv"), "--json", "--quiet"]) == 0
        ranked = json.loads(capsys.readouterr().out)["choices"][0]
        found.append({one["pose"]: one["estimated_parts"]["position"] for one in ranked})
    assert found[0].keys() == found[1].keys()
    assert all(found[1][pose] == pytest.approx(share, abs=1e-3) for pose, share in found[0].items())


def test_parts_that_share_a_parameter_are_weighed_at_witnesses_of_their_own(tmp_path, capsys):
    """The point was the last part's: at it others had no room, so that every candidate seemed to leave less."""
    assert main(["new", "motor", "--out", str(tmp_path)]) == 0
    (tmp_path / "candidates.csv").write_text("pose,I [A],w [rad/s]\nslow,0.1,10\nfast,3,400\nstalled,3,10\n")
    capsys.readouterr()
    found = []
    for wanted in ("", "M = 0"):
        text = (tmp_path / "problem.toml").read_text()
        if wanted:  # without the other part
            kept = [line for line in text.splitlines() if not line.startswith(("mechanic", "d =", "M ="))]
            (tmp_path / "problem.toml").write_text("\n".join(kept) + "\n")
        path, table = str(tmp_path / "problem.toml"), str(tmp_path / "candidates.csv")
        assert main(["next", path, table, "--json", "--quiet"]) == 0
        ranked = json.loads(capsys.readouterr().out)["choices"][0]
        found.append({one["pose"]: one["estimated_parts"]["electric"] for one in ranked})
    assert all(found[1][pose] == pytest.approx(share, abs=0.05) for pose, share in found[0].items())
