"""A planted arm whose table somebody else wrote: from the file as it is to certificates that are about its numbers."""

import json

import pytest
from planted_poses import write_arm

from certify.__main__ import main

COLUMNS = """[table]
pose = "Name"
[columns]
q1 = { column = "J1", unit = "deg", half_width = "0 deg" }
q2 = { column = "J2", unit = "deg", half_width = "0 deg" }
x = { column = "mess_x", unit = "mm", deviation = { column = "s_x", unit = "um" }, times = "5" }
y = { column = "mess_y", unit = "mm", half_width = "0.05 mm", are = "bounds" }
theta = { column = "Winkel", unit = "deg", half_width = "0.005 deg", are = "2 standard deviations" }
"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The arm with a table of ours, and with the same numbers as a German program writes them."""
    ours, foreign = (tmp_path_factory.mktemp(name) for name in ("ours", "foreign"))
    write_arm(ours)
    _, *rows = [line.split(",") for line in (ours / "poses.csv").read_text().splitlines()]
    lines = ["Name;Zeit;J1;J2;mess_x;mess_y;Winkel;s_x;Bemerkung"]
    for name, *numbers in rows:
        cells = [name, "21.11.2026 12:00", *(number.replace(".", ",") for number in numbers), "10,0", '"gut; ""heiß"""']
        lines.append(";".join(cells))
    (foreign / "messung.csv").write_bytes(("\r\n".join(lines) + "\r\n").encode("latin-1"))
    text = (
        (ours / "problem.toml")
        .read_text()
        .replace("poses.csv", "messung.csv")
        .replace('half_widths_are = "bounds"', "")
    )
    before, _, after = text.partition("[half_widths]")
    (foreign / "problem.toml").write_text(before + COLUMNS + "[box]" + after.partition("[box]")[2])
    return ours, foreign


def test_a_foreign_table_gives_the_same_problem_and_certificates(folders, capsys):
    told = []
    for folder in folders:
        words = ["run", str(folder / "problem.toml"), "--gap", "1e-2", "--factor", "--workers", "1", "--quiet"]
        assert main(words) == 0
        told.append(capsys.readouterr().out)
    ours, foreign = (folder / "certified" for folder in folders)
    assert (ours / "problem.canonical").read_bytes() == (foreign / "problem.canonical").read_bytes()
    for problem in (foreign / "problem.toml", folders[1] / "problem.toml"):
        for name in ("position", "orientation", "position-factor-lower"):
            assert main(["check", str(problem), str(foreign / f"{name}.cert")]) == 0
    assert "not read" not in told[0]
    assert (
        "'messung.csv': 12 poses, cells are separated by ';', numbers have decimal commas; 2 columns not read: 'Zeit', "
        "'Bemerkung'."
    ) in told[1]
    assert (
        "position: of the half-widths of 24 uncertain readings 12 are 5 standard deviations, 12 are bounds: 6.9e-06 of "
        "the readings with deviations are expected outside their intervals if the noise is Gaussian and independent."
    ) in told[1]
    assert "orientation: the half-widths are 2 standard deviations: of 12 uncertain readings 0.55 are" in told[1]
    (table,) = json.loads((foreign / "result.json").read_text())["tables"]
    assert table == {
        "file": "messung.csv", "separator": ";", "decimal": ",", "poses": 12, "columns_not_read": ["Zeit", "Bemerkung"]
    }  # fmt: skip


def test_further_poses_may_be_in_either_layout(folders, capsys):
    ours, foreign = folders
    choices = []
    for table in (ours / "poses.csv", foreign / "messung.csv"):
        assert main(["next", str(foreign / "problem.toml"), str(table), "--json", "--quiet"]) == 0
        choices.append(json.loads(capsys.readouterr().out)["choices"])
    assert choices[0] == choices[1]
