"""Files of strangers for `python -m benchmarks hostile`: a valid one of each sort, and who reads it.

What is packed is changed twice: the file as it is, whose sums then mostly fail, and what is in it, packed anew.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from certify.__main__ import main
from certify.checker import check
from certify.problems.arms.urdf import read_urdf
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.files.csv_text import csv_text
from certify.problems.files.table_cells import read_cells
from certify.problems.minibex import read_minibex
from certify.problems.regressors.regressor_file import Chosen, read_regressor
from certify.reports.judging.files import read_folder

Readers = dict[str, tuple[bytes, Callable[[bytes], object]]]
SYSTEM = "Variables x in [-2, 2]; y in [-2, 2];\nConstraints x^2 + y^2 = 2; x*y = 1/2;\nend\n"
SHEET, STRINGS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"
HEADINGS = "<sst xmlns='urn:x'><si><t>pose</t></si><si><t>a [mm]</t></si></sst>"
CELLS = (
    "<worksheet xmlns='urn:x'><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='s'><v>1</v></c></row>"
    "<row r='2'><c r='A2'><v>1</v></c><c r='B2'><v>2.5e-3</v></c></row></sheetData></worksheet>"
)
CHECKED = 10  # seconds that the checker may take


def file_readers(folder: Path) -> Readers:
    """By name: the bytes of a valid file, and what reads changed ones."""
    if not (folder / "solved").is_dir():
        _made(folder)
    arm, robot, solved = folder / "arm", folder / "planar_3rpr", folder / "solved"
    found: Readers = {
        "problem": _in_place(robot / "problem.toml", lambda path: load_experiment(path)),
        "poses": _in_place(robot / "poses.csv", lambda path: load_experiment(robot / "problem.toml")),
        "arm": _in_place(arm / "problem.toml", lambda path: load_experiment(path)),
        "urdf": _in_place(arm / "arm.urdf", lambda path: read_urdf(path, "tool0")),
        "minibex": _in_place(folder / "system.bch", read_minibex),
        "record": _in_place(solved / "result.json", lambda path: read_folder(solved)),
        "certificate": ((solved / "solutions.cert").read_bytes(), partial(_check, solved, True)),
        "canonical": ((solved / "problem.canonical").read_bytes(), partial(_check, solved, False)),
    }
    return found | _tables(folder)


def _made(folder: Path) -> None:
    """A robot, an arm and a solved system, by their commands."""
    with redirect_stdout(io.StringIO()):
        for words in (["planar_3rpr", "--error", "backlash"], ["arm"]):
            main(["simulate", "--robot", *words, "--out", str(folder / words[0]), "--quiet"])
        arm = folder / "arm"
        given = ["--urdf", str(arm / "arm.urdf"), "--tip", "tool0", "--data", str(arm / "poses.csv")]
        main(["new", "arm", *given, "--out", str(arm), "--quiet"])
        (folder / "system.bch").write_text(SYSTEM)
        main(["run", str(folder / "system.bch"), "--out", str(folder / "solved"), "--quiet"])


def _tables(folder: Path) -> Readers:
    plain = b"M [kg m^2],Fc [Nm],tau [Nm]\n" + b"".join(b"%d,%d,%d\n" % (k, (-1) ** k, 3 * k) for k in range(12))
    table, packed, book = (folder / f"table.{ending}" for ending in ("csv", "npz", "xlsx"))
    table.write_bytes(plain)
    rows = np.arange(24.0).reshape(12, 2) ** 2
    np.savez(packed, W=rows, y=rows.sum(axis=1), names=np.array(["a", "b"]))
    book.write_bytes(_zipped({SHEET: CELLS.encode(), STRINGS: HEADINGS.encode()}))
    array = io.BytesIO()
    np.save(array, rows)
    found: Readers = {
        "regressor": _in_place(table, lambda path: read_regressor(path, Chosen("tau", "0.1 Nm"))),
        "npz": _in_place(packed, _arrays),
        "array": (array.getvalue(), partial(_array, packed)),
        "workbook": _in_place(book, _workbook),
        "sheet": (CELLS.encode(), partial(_sheet, book)),
    }
    if find_spec("pyarrow") is not None and find_spec("pandas") is not None:
        import pandas

        file = folder / "table.parquet"
        pandas.DataFrame({"a": rows[:, 0], "tau": rows[:, 1]}).to_parquet(file)
        found["parquet"] = _in_place(file, lambda path: read_regressor(path, Chosen("tau", "0.1")))
    return found


def _in_place(path: Path, read: Callable[[Path], object]) -> tuple[bytes, Callable[[bytes], object]]:
    def written(data: bytes) -> None:
        path.write_bytes(data)
        try:
            read(path)
        finally:
            path.write_bytes(valid)

    valid = path.read_bytes()
    return valid, written


def _check(solved: Path, certificate: bool, data: bytes) -> None:
    names = ("problem.canonical", "solutions.cert")
    problem, proof = ((solved / name).read_bytes() for name in names)
    check(*((problem, data) if certificate else (data, proof)), CHECKED)


def _arrays(path: Path) -> None:
    read_regressor(path, Chosen("y", "0.1"))


def _array(path: Path, data: bytes) -> None:
    y, names = io.BytesIO(), io.BytesIO()
    np.save(y, np.arange(12.0))
    np.save(names, np.array(["a", "b"]))
    path.write_bytes(_zipped({"W.npy": data, "y.npy": y.getvalue(), "names.npy": names.getvalue()}))
    _arrays(path)


def _workbook(path: Path) -> None:
    read_cells(csv_text(path), True, 2, (0, 1))


def _sheet(path: Path, data: bytes) -> None:
    path.write_bytes(_zipped({SHEET: data, STRINGS: HEADINGS.encode()}))
    _workbook(path)


def _zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()
