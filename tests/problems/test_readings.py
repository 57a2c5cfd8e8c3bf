"""Raw tables: what is read, and a name for every mistake."""

import numpy as np
import pytest

from certify.problems.errors import InputError
from certify.problems.formulas.units import parse_decimal
from certify.problems.geometry.rotations import quaternions
from certify.problems.readings.orientation import oriented
from certify.problems.readings.readings import read_readings

LEGS = tuple(f"L{leg}" for leg in range(1, 7))
EULER = (
    "pose,run,image,x [mm],y [mm],z [m],alpha [deg],beta [rad],gamma [deg],L1 [mm],L2 [mm],L3 "
    "[mm],L4 [mm],L5 [mm],L6 [um]"
)
QUATERNION = "pose,x [mm],y [mm],z [mm],qw,qx [1],qy,qz,L1 [mm],L2 [mm],L3 [mm],L4 [mm],L5 [mm],L6 [mm]"
ROW = "1,1,1,1.5,2,0.3,10,0.5,30,1,2,3,4,5,6000"


def written(tmp_path, *lines):
    path = tmp_path / "raw.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_units_runs_and_images(tmp_path):
    path = written(tmp_path, "# a comment", EULER, ROW, "1,1,2,1.6,2,0.3,10,0.5,30,1,2,3,4,5,6000",
                   "b,1,1,7,2,0.3,10,0.5,30,1,2,3,4,5,6000", "",
                   "1,2,1,1.7,2,0.3,10,0.5,30,1,2,3,4,5,6000")  # fmt: skip
    readings = read_readings(path, LEGS)
    assert readings.poses == ("1", "b")
    assert readings.pose.tolist() == [0, 0, 1, 0]
    assert readings.run.tolist() == [0, 0, 1, 2]
    assert readings.runs == 3
    assert readings.columns["x"].tolist() == [1.5, 1.6, 7.0, 1.7]
    assert readings.columns["z"].tolist() == [300.0] * 4
    assert readings.columns["beta"] == pytest.approx(np.degrees([0.5] * 4))
    assert readings.columns["L6"].tolist() == [6.0] * 4
    assert not readings.quaternions
    columns, stated = oriented(readings, 3.0, "raw.csv")
    assert set(columns) == {"x", "y", "z", "alpha", "beta", "gamma", *LEGS}
    assert stated == {}


def test_without_runs_every_line_is_one(tmp_path):
    readings = read_readings(
        written(tmp_path, QUATERNION, "1,0,0,0,1,0,0,0,1,2,3,4,5,6", "1,0,0,0,1,0,0,0,1,2,3,4,5,6"), LEGS
    )
    assert readings.run.tolist() == [0, 1]


def test_quaternions_become_angles(tmp_path):
    angles = np.array([[170.0, 12.0, -30.0], [-175.0, -3.0, 80.0]])
    rows = [f"{k},0,0,0,{','.join(f'{-2 * v:.15f}' for v in q)},1,2,3,4,5,6" for k, q in enumerate(quaternions(angles))]
    columns, _ = oriented(read_readings(written(tmp_path, QUATERNION, *rows), LEGS), 3.0, "raw.csv")
    for k, name in enumerate(("alpha", "beta", "gamma")):
        assert columns[name] == pytest.approx(angles[:, k], abs=1e-9)


def with_accuracies(tmp_path, kinds, numbers):
    """One pose with accuracies of its quaternion."""
    header = QUATERNION + "".join(f",{kind}" for kind in kinds)
    q = ",".join(f"{v:.12f}" for v in quaternions(np.array([[20.0, -30.0, 40.0]]))[0])
    return read_readings(written(tmp_path, header, f"1,0,0,0,{q},1,2,3,4,5,6," + ",".join(map(str, numbers))), LEGS)


def test_a_covariance_of_the_quaternion_is_carried_over(tmp_path):
    """A small turn about the z axis of the platform, of known variance, changes gamma only: q (1, 0, 0, t/2)."""
    w, x, y, z = quaternions(np.array([[20.0, -30.0, 40.0]]))[0]
    slope = 0.5 * np.array([-z, y, -x, w])  # of q by a turn t about its own z axis
    variance = np.radians(0.02) ** 2 * np.outer(slope, slope)
    names = ("qw", "qx", "qy", "qz")
    kinds = [f"{name} deviation [1]" for name in names]
    pairs = [(1, 0), (0, 2), (0, 3), (2, 1), (1, 3), (3, 2)]
    kinds += [f"{names[i]} {names[j]} covariance" for i, j in pairs]
    numbers = [f"{np.sqrt(variance[i, i]):.15e}" for i in range(4)] + [f"{variance[i, j]:.15e}" for i, j in pairs]
    _, stated = oriented(with_accuracies(tmp_path, kinds, numbers), 3.0, "raw.csv")
    assert stated["gamma"] == pytest.approx([3 * 0.02], rel=1e-6)
    assert stated["alpha"] == pytest.approx([0.0], abs=1e-6)
    assert stated["beta"] == pytest.approx([0.0], abs=1e-6)


def test_half_widths_of_a_quaternion_add_up_at_their_worst(tmp_path):
    kinds = [f"{name} half-width" for name in ("qw", "qx", "qy", "qz")]
    readings = with_accuracies(tmp_path, kinds, ["1e-5"] * 4)
    _, stated = oriented(readings, 3.0, "raw.csv")
    q = np.stack([readings.columns[name] for name in ("qw", "qx", "qy", "qz")], axis=1)
    corners = q + 1e-5 * (2.0 * np.array([[k >> i & 1 for i in range(4)] for k in range(16)]) - 1.0)
    from certify.problems.geometry.rotations import quaternion_angles

    reached = np.abs(quaternion_angles(corners)[0] - np.array([20.0, -30.0, 40.0])).max(axis=0)
    assert np.array([stated[name][0] for name in ("alpha", "beta", "gamma")]) == pytest.approx(reached, rel=1e-3)


def test_stated_accuracies_of_other_columns(tmp_path):
    header = EULER.replace("L1 [mm]", "L1 [mm],L1 half-width [um],x deviation [mm]")
    columns, stated = oriented(
        read_readings(written(tmp_path, header, "1,1,1,1.5,2,0.3,10,0.5,30,1,25,0.5,2,3,4,5,6000"), LEGS),
        3.0,
        "raw.csv",
    )
    assert stated["L1"].tolist() == [0.025]
    assert stated["x"].tolist() == [1.5]
    assert columns["x"].tolist() == [1.5]


BAD_HEADERS = {
    EULER.replace(",L6 [um]", ""): "column L6 is missing; add it",
    EULER.replace("gamma [deg],", ""): "column gamma is missing; give alpha, beta, gamma, or qw, qx, qy, qz",
    EULER.replace(
        "x [mm]", "x"
    ): "column x has no unit, a length (m, cm, mm, um, inch) is needed; write it such as 'x [mm]'",
    EULER.replace("x [mm]", "x [deg]"): "column x has unit deg, a length (m, cm, mm, um, inch) is needed",
    EULER.replace("gamma", "gama"): "column gama is not known here; did you mean 'gamma'?",
    EULER.replace("x [mm]", "y [mm]"): "column y occurs twice; remove one",
    EULER.replace("image", "qw"): "column qx is missing",
    EULER.replace(
        "image", "L1 L2 covariance"
    ): "only covariances between two components of a quaternion change an interval",
    EULER.replace("image", "alpha beta [deg]"): "names two columns; only a covariance does",
    EULER.replace("image", "image [1]"): "column image is not known here",
    QUATERNION.replace("qw,", "qw,qw qx covariance,"): "column qw qx covariance needs 'qw deviation', too; add it",
    QUATERNION.replace("qw,", "qw,qw qx covariance [mm],"): "it is a plain number (1)",
    EULER.replace("image", "alpha [rad]"): "column alpha occurs twice",
    EULER.replace("image", "qy half-width"): "column qy half-width speaks of qy, which the table does not give",
    EULER.replace(
        "image", "x half-width [mm],x deviation [mm]"
    ): "column x has a half-width and a deviation; remove one of them",
    QUATERNION + ",alpha [deg]": "column alpha gives the orientation a second time",
}


@pytest.mark.parametrize(("header", "message"), BAD_HEADERS.items(), ids=lambda text: text[-40:])
def test_bad_headers(tmp_path, header, message):
    path = written(tmp_path, header, ",".join(["1"] * (header.count(",") + 1)))
    with pytest.raises(InputError) as caught:
        read_readings(path, LEGS)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


BAD_ROWS = {
    ROW.replace("1.5", "1,5"): "line 3: it has 16 cells, the header has 15",
    ROW.replace("1,1,1,1.5", "1,1,2,nan"): "line 3, column x: 'nan' is not a decimal number",
    ROW.replace("1,1,1,1.5", "1,1,2,"): "line 3, column x: the number is missing",
    ROW.replace("1,1,1", ",1,1"): "line 3, column pose: '' does not name a pose",
    ROW.replace("1,1,1", "1,,1"): "line 3, column run: '' does not name a run",
    ROW: "line 3: image 1 of this run of pose 1 is in line 2 already; number it otherwise",
}


@pytest.mark.parametrize(("row", "message"), BAD_ROWS.items())
def test_bad_rows(tmp_path, row, message):
    with pytest.raises(InputError) as caught:
        read_readings(written(tmp_path, EULER, ROW, row), LEGS)
    assert message in str(caught.value)


def test_empty_tables(tmp_path):
    with pytest.raises(InputError, match="it is empty"):
        read_readings(written(tmp_path, "# nothing"), LEGS)
    with pytest.raises(InputError, match="there is no line behind the header"):
        read_readings(written(tmp_path, EULER), LEGS)
    with pytest.raises(InputError, match="there is no such file"):
        read_readings(tmp_path / "none.csv", LEGS)


def test_repetitions_and_stated_accuracies_exclude_each_other(tmp_path):
    header = EULER.replace("image", "x half-width [mm]")
    with pytest.raises(
        InputError,
        match=r"pose '1' is measured several times and accuracies are stated, too; .* leave out column x half-width",
    ):
        read_readings(written(tmp_path, header, ROW, ROW), LEGS)
    with pytest.raises(InputError, match=r"column x half-width: -1.0 is negative"):
        read_readings(written(tmp_path, header, ROW.replace("1,1,1", "1,1,-1")), LEGS)


def test_orientations_that_mean_nothing(tmp_path):
    steep = written(tmp_path, EULER, ROW.replace("10,0.5,30", "10,1.57,30"))
    with pytest.raises(InputError, match=r"beta of pose '1' is 90.0 deg, and near 90 deg alpha and gamma mean little"):
        oriented(read_readings(steep, LEGS), 3.0, "raw.csv")
    nothing = written(tmp_path, QUATERNION, "1,0,0,0,0,0,0,0,1,2,3,4,5,6")
    with pytest.raises(InputError, match=r"the quaternion of pose '1' is .* which is no rotation"):
        oriented(read_readings(nothing, LEGS), 3.0, "raw.csv")
    with pytest.raises(InputError, match=r"1 of the four components of the quaternion have a deviation"):
        oriented(with_accuracies(tmp_path, ["qw deviation"], ["1e-5"]), 3.0, "raw.csv")
    kinds = [*(f"{name} deviation" for name in ("qw", "qx", "qy", "qz")), "qw qx covariance"]
    with pytest.raises(InputError, match=r"give a negative variance"):
        oriented(with_accuracies(tmp_path, kinds, ["1e-6", "1e-6", "1e-6", "1e-6", "1"]), 3.0, "raw.csv")


def test_numbers_are_decimals():
    assert float(parse_decimal("0.1", "here")) == 0.1
