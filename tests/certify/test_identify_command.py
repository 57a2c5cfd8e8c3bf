"""certify identify: from files of every kind to a folder with checked certificates; refusals; what is written."""

import json
from fractions import Fraction

import numpy as np
import pytest

from certify.__main__ import main
from certify.checker import check
from certify.checks.checking import check_files_twice


def planted(rows=40):
    rng = np.random.default_rng(2)
    W = rng.normal(size=(rows, 2))
    return W, W @ [2.0, -0.5] + rng.uniform(-0.1, 0.1, rows)


def csv_file(path, separator=",", comma=False):
    W, y = planted()
    lines = [separator.join(["M [kg]", "Fv [N s/m]", "F [N]", "sigma"])]
    lines += [
        separator.join(f"{v!r}" for v in (*row, value, 0.04)) for row, value in zip(W.tolist(), y.tolist(), strict=True)
    ]
    text = "\n".join(lines) + "\n"
    path.write_text(text.replace(".", ",") if comma else text)
    return path


def identify(*words):
    return main(["identify", *map(str, words), "--quiet"])


def test_a_csv_becomes_a_folder_of_checked_certificates(tmp_path, capsys):
    path, out = csv_file(tmp_path / "rows.csv"), tmp_path / "out"
    assert identify(path, "--y", "F", "--bound", "0.11 N", "--columns", "M,Fv", "--out", out, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "adequate"
    assert [p["name"] for p in told["parameters"]] == ["M", "Fv"]
    assert [p["unit"] for p in told["parameters"]] == ["kg", "N s/m"]
    assert all(p["identified"] for p in told["parameters"])
    for p, true in zip(told["parameters"], (2.0, -0.5), strict=True):
        assert p["interval"][0] <= true <= p["interval"][1]
        assert all(0 < len(rows) <= 2 for rows in p["rows"])
    assert all(told["certificates"].values())
    assert sorted(path.name for path in out.iterdir()) == sorted([*told["files"], "report.html"])
    for name in told["certificates"]:
        assert check_files_twice(out / "problem.canonical", out / name).verified
        assert len((out / name).read_bytes()) < 5000
    record = json.loads((out / "result.json").read_text())
    assert record == {key: value for key, value in told.items() if key != "folder"}
    table = (out / "parameters.csv").read_text().splitlines()
    assert table[0] == "parameter,unit,lower,upper,identified,estimated_least_squares"
    assert [line.split(",")[0] for line in table[1:]] == ["M", "Fv"]
    assert identify(path, "--y", "F", "--bound", "0.01", "--columns", "M,Fv", "--out", out) == 0
    assert not (out / "hull.cert").exists()
    assert "No parameters in the search box fit every row" in capsys.readouterr().out


@pytest.mark.parametrize(("separator", "comma"), [(";", False), (";", True), ("\t", False)])
def test_other_separators_and_decimal_commas(tmp_path, capsys, separator, comma):
    path = csv_file(tmp_path / "rows.csv", separator, comma)
    words = ["--y", "F", "--bound", "sigma", "--factor", "3", "--out", tmp_path / "out", "--json"]
    assert identify(path, *words) == 0
    told = json.loads(capsys.readouterr().out)
    assert [p["name"] for p in told["parameters"]] == ["M", "Fv"]
    assert told["verdict"] == "adequate"
    low, high = told["factor"]["ends"]
    assert 0.7 < low <= high < 0.9  # of three times 0.04


def test_a_column_of_bounds_may_be_called_anything(tmp_path, capsys):
    for name in ("error", "e", "E1", "bound"):
        path = tmp_path / f"{name}.csv"
        path.write_text(csv_file(tmp_path / "rows.csv").read_text().replace("sigma", name))
        assert identify(path, "--y", "F", "--bound", name, "--factor", "3", "--json") == 0
        assert [p["name"] for p in json.loads(capsys.readouterr().out)["parameters"]] == ["M", "Fv"]


def test_arrays_of_numpy(tmp_path, capsys):
    W, y = planted()
    path = tmp_path / "rows.npz"
    np.savez(path, W=W, y=y, bound=np.full(40, 0.11), names=np.array(["M", "Fv"]), units=np.array(["kg", "N"]))
    assert identify(path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [p["name"] for p in told["parameters"]] == ["M", "Fv"]
    assert (
        (tmp_path / "rows" / "problem.canonical")
        .read_bytes()
        .endswith(np.array([*W[-1], told_end(y[-1], -0.11), told_end(y[-1], 0.11)]).tobytes())
    )
    np.savez(path, W=W, y=y)
    assert identify(path, "--bound", "0.11", "--prior", "theta1 = 0 .. 3, theta2 = .. 0", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [p["name"] for p in told["parameters"]] == ["theta1", "theta2"]


def told_end(value, off):
    """The double next to value + off outwards, or the sum itself where that is exact."""
    exact = Fraction(float(value)) + Fraction(off)
    near = float(exact)
    outside = Fraction(near) < exact if off > 0 else Fraction(near) > exact
    return np.nextafter(near, np.inf if off > 0 else -np.inf) if outside else near


def test_a_table_whose_rows_leave_a_direction_open(tmp_path, capsys):
    W, y = planted()
    path = tmp_path / "rows.npz"
    np.savez(path, W=np.column_stack([W, W[:, 0]]), y=y)
    assert identify(path, "--bound", "0.11") == 3
    text = capsys.readouterr().out
    assert "The rows leave a direction open (estimated): +1 theta1 -1 theta3." in text
    assert "no: nothing bounds it" in text


def test_an_interrupted_run_says_what_was_proved(tmp_path, capsys):
    path = csv_file(tmp_path / "rows.csv")
    assert identify(path, "--y", "F", "--bound", "sigma", "--time-limit", "1e-9", "--out", tmp_path / "out") == 3
    text = capsys.readouterr().out
    assert "undecided" in text
    assert "Not everything was found: time limit." in text
    assert json.loads((tmp_path / "out" / "result.json").read_text())["certificates"] == {}


def test_what_the_checker_rejects_is_not_told(tmp_path, capsys, monkeypatch):
    from certify.runs import identification_run

    def rejecting(pairs, limit):
        return tuple(
            identification_run.Check(cert.name, int(cert.name == "hull.cert"), "REJECTED", 0.0) for _, cert in pairs
        )

    monkeypatch.setattr(identification_run, "check_each", rejecting)
    path = csv_file(tmp_path / "rows.csv")
    assert identify(path, "--y", "F", "--bound", "0.11", "--columns", "M,Fv", "--json", "--out", tmp_path / "out") == 1
    told = json.loads(capsys.readouterr().out)
    assert all(p["interval"] == [None, None] and not p["identified"] for p in told["parameters"])
    assert told["verdict"] == "adequate"


def test_forged_bytes_of_a_table_are_rejected(tmp_path):
    path, out = csv_file(tmp_path / "rows.csv"), tmp_path / "out"
    assert identify(path, "--y", "F", "--bound", "0.11", "--columns", "M,Fv", "--out", out) == 0
    data = bytearray((out / "problem.canonical").read_bytes())
    data[-3] ^= 1
    for cert in out.glob("*.cert"):
        assert check(bytes(data), cert.read_bytes()).status.name == "REJECTED"


@pytest.mark.parametrize(
    ("text", "words", "message"),
    [
        ("M,F\n1,2\n", ["--y", "G"], "it has no column 'G'; known are 'M', 'F'"),
        ("M,F\n1,2\n", ["--y", "F"], "it has no column 'bound'"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "e5"], "it has no column 'e5'"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1e999999"], "give a finite number"),
        ("M,F\n1,two\n", ["--y", "F", "--bound", "1"], "line 2, column F: 'two' is not a decimal number"),
        ("M,F\n1,2\n3\n", ["--y", "F", "--bound", "1"], "line 3: it has 1 cells, the header has 2"),
        ("1,2\n3,4\n", ["--y", "F", "--bound", "1"], "its first line names no columns"),
        ("M,M,F\n1,2,3\n", ["--y", "F", "--bound", "1"], "two columns are called 'M'"),
        ("M,F\n", ["--y", "F", "--bound", "1"], "there is no line behind the header"),
        ("", ["--y", "F", "--bound", "1"], "its first line names no columns"),
        ("F\n1\n", ["--y", "F", "--bound", "1"], "it has no column of W"),
        ("M,F [N]\n1,2\n", ["--y", "F", "--bound", "1 Nm"], "the measurements are in N; give the bound in N"),
        ("M,F [mN],e [N]\n1,2,3\n", ["--y", "F", "--bound", "e"], "column 'e' is in 'N', and 'F' in 'mN'"),
        (
            "M [m],F,e [mm]\n1,2,3\n",
            ["--y", "F", "--bound", "1", "--half-widths", "M = e"],
            "column 'e' is in 'mm', and 'M' in 'm'",
        ),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1", "--columns", "M,F"], "'F' is asked for twice"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1", "--columns", "M,M"], "'M' is asked for twice"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "-1"], "bound is -1"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1", "--factor", "0"], "--factor 0 is not positive"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1", "--prior", "m = 1 .. 2"], "did you mean 'M'?"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1", "--prior", "M 1 2"], "write NAME = LOWER .. UPPER"),
        ("M,F\n1,2\n", ["--y", "F", "--bound", "1", "--prior", "M = 0 .., M = .. 2"], "M has a range already"),
        (
            "M,F\n1,2\n",
            ["--y", "F", "--bound", "1", "--prior", "M = 3 .. 2"],
            "its lower end 3 exceeds its upper end 2",
        ),
        ("M,F\n1,1e400\n", ["--y", "F", "--bound", "1"], "y, row 1: inf is no number"),
    ],
)
def test_refusals_say_what_to_do(tmp_path, capsys, text, words, message):
    path = tmp_path / "rows.csv"
    path.write_text(text)
    assert identify(path, *words) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_files_that_are_none(tmp_path, capsys):
    for name, data in (("rows.npz", b"PK"), ("rows.npz", b""), ("rows.parquet", b"PAR1")):
        (tmp_path / name).write_bytes(data)
        assert identify(tmp_path / name, "--bound", "1") == 2
        assert name in capsys.readouterr().err
    W, y = planted()
    np.savez(tmp_path / "rows.npz", W=W, y=y, bound=np.array(["wide"] * 40))
    assert identify(tmp_path / "rows.npz") == 2
    assert "array bound: it has entries of the type" in capsys.readouterr().err
    assert identify(tmp_path / "nothing.csv") == 2
    assert "there is no such file" in capsys.readouterr().err


def test_a_page_ends_an_identification_if_asked(tmp_path, capsys):
    lines = ["M,Fc,tau", *(f"{k},{(-1) ** k},{2 * k + (-1) ** k}" for k in range(8)), ""]
    (tmp_path / "rows.csv").write_text("\n".join(lines))
    assert main(["identify", str(tmp_path / "rows.csv"), "--y", "tau", "--bound", "0.1", "--report", "--quiet"]) == 0
    assert f"report written to {tmp_path / 'rows' / 'report.html'}" in capsys.readouterr().out
