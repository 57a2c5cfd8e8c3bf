"""Tables of Excel, NPZ and Parquet: the numbers that stand in them, exactly, or a message that names what is wrong."""

import zipfile
from fractions import Fraction
from xml.sax.saxutils import escape

import numpy as np
import planted_poses
import pytest

from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.files import spreadsheet
from certify.problems.files.csv_text import csv_text

SHEET = "xl/worksheets/sheet1.xml"
STRINGS = "xl/sharedStrings.xml"


def workbook(path, rows, head=""):
    """A workbook as Excel writes it: texts are shared, numbers stand as they are."""
    texts = sorted({cell for row in rows for cell in row if isinstance(cell, str)})
    lines = []
    for number, row in enumerate(rows, 1):
        cells = []
        for column, cell in enumerate(row):
            place = f"{chr(ord('A') + column)}{number}"
            if isinstance(cell, str):
                cells.append(f'<c r="{place}" t="s"><v>{texts.index(cell)}</v></c>')
            elif cell is not None:
                cells.append(f'<c r="{place}"><v>{cell.decode()}</v></c>')
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    sheet = f'{head}<worksheet xmlns="urn:x"><sheetData>{"".join(lines)}</sheetData></worksheet>'
    shared = "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(SHEET, sheet)
        archive.writestr(STRINGS, f'<sst xmlns="urn:x">{shared}</sst>')


def as_rows(folder):
    """The planted arm's table: headings as text, poses as text, numbers as bytes of their decimals."""
    lines = [line for line in (folder / "poses.csv").read_text().splitlines() if not line.startswith("#")]
    rows = [line.split(",") for line in lines]
    return [rows[0], *([row[0], *(cell.encode() for cell in row[1:])] for row in rows[1:])]


def problem(folder, name):
    """The planted arm, whose poses stand in this file."""
    path = planted_poses.write_arm(folder)
    other = folder / "other.toml"
    other.write_text(path.read_text().replace('"poses.csv"', f'"{name}"'))
    return load_experiment(path), other


def test_a_workbook_is_its_decimals(tmp_path):
    written, other = problem(tmp_path, "poses.xlsx")
    rows = as_rows(tmp_path)
    workbook(tmp_path / "poses.xlsx", rows)
    assert load_experiment(other).columns == written.columns
    workbook(tmp_path / "poses.xlsx", [rows[0], [], *rows[1:3], [None] * 6, *rows[3:]])  # blank rows
    assert load_experiment(other).columns == written.columns


@pytest.mark.parametrize("end", ["npz", "parquet"])
def test_doubles_are_doubles(end, tmp_path):
    _, other = problem(tmp_path, f"poses.{end}")
    rows = as_rows(tmp_path)
    columns = {name: [row[k] for row in rows[1:]] for k, name in enumerate(rows[0])}
    arrays = {name: np.array(v) if name == "pose" else np.array([float(x) for x in v]) for name, v in columns.items()}
    if end == "npz":
        np.savez(tmp_path / "poses.npz", **arrays)
    else:
        pytest.importorskip("pyarrow")
        pytest.importorskip("pandas").DataFrame(arrays).to_parquet(tmp_path / "poses.parquet")
    found = load_experiment(other).columns[0]
    middles = [(low + high) / 2 for low, high in zip(found.lower, found.upper, strict=True)]
    assert middles == [Fraction(float(x)) for x in arrays["q1 [deg]"]] and not load_experiment(other).reading.told


def test_numbers_of_all_sizes_are_written_out_exactly(tmp_path):
    values = np.array([0.1, -1e-17, 3e22, 5e-324, 1 / 3])
    np.savez(tmp_path / "t.npz", x=values)
    cells = [row[0] for _, row in csv_text(tmp_path / "t.npz").cells()]
    assert cells[0] == "x" and [Fraction(cell) for cell in cells[1:]] == list(map(Fraction, values))


def test_texts_cannot_part_or_quote_cells(tmp_path):
    workbook(tmp_path / "t.xlsx", [['a\tb "c"', "d\ne"], [b"1", b"2"]])
    assert [row for _, row in csv_text(tmp_path / "t.xlsx").cells()] == [["a b 'c'", "d e"], ["1", "2"]]


def test_the_first_sheet_is_read_wherever_it_stands(tmp_path):
    """Excel numbers sheets as they are made: that which was moved to the front is not the first file."""
    path = tmp_path / "t.xlsx"
    for first, found in (("rId7", "2"), ("rId3", "1"), ("rId9", "1")):
        workbook(path, [["x"], [b"1"]])
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr(SHEET.replace("1.xml", "12.xml"), '<worksheet><c r="A1"><v>2</v></c></worksheet>')
            archive.writestr(
                "xl/workbook.xml",
                f"""<workbook xmlns:r="urn:r"><sheets>
                <sheet name="b" sheetId="2" r:id="{first}"/><sheet name="a" sheetId="1" r:id="rId3"/>
                </sheets></workbook>""",
            )
            archive.writestr(
                "xl/_rels/workbook.xml.rels",
                """<Relationships>
                <Relationship Id="rId3" Target="worksheets/sheet1.xml"/>
                <Relationship Id="rId7" Target="/xl/worksheets/sheet12.xml"/></Relationships>""",
            )
        assert [row[0] for _, row in csv_text(path).cells()][-1] == found


def test_what_is_no_number_of_a_workbook_is_none(tmp_path):
    """TRUE was 1, and a line that begins with #N/A was a comment."""
    cells = '<c r="A1" t="e"><v>#N/A</v></c><c r="B1" t="b"><v>1</v></c><c r="C1"><v>1</v></c>'
    write_sheet(tmp_path / "t.xlsx", f"<worksheet>{cells}</worksheet>")
    assert [row for _, row in csv_text(tmp_path / "t.xlsx").cells()] == [["error #N/A", "truth value 1", "1"]]


def test_dates_and_durations_are_no_numbers(tmp_path):
    """A duration was read as its nanoseconds, in whatever unit the heading has."""
    span, day = (
        np.array([1, 2], dtype="timedelta64[ms]"),
        np.array(["2026-11-20", "2026-11-21"], dtype="datetime64[ns]"),
    )
    np.savez(tmp_path / "t.npz", **{"t [s]": span.astype("timedelta64[ns]"), "day": day})
    rows = [row for _, row in csv_text(tmp_path / "t.npz").cells()]
    assert [row[1][:10] for row in rows[1:]] == ["2026-11-20", "2026-11-21"]
    assert not any(row[0].isdecimal() for row in rows)


def broken(folder, name):
    path = folder / name
    if name == "text.xlsx":
        path.write_text("x,y\n1,2\n")
    elif name == "empty.xlsx":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("xl/workbook.xml", "<a/>")
    elif name == "cut.xlsx":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(SHEET, "<worksheet><sheetData>")
    elif name == "entities.xlsx":
        workbook(path, [["x"]], '<!DOCTYPE a [<!ENTITY b "c">]>')
    elif name == "nowhere.xlsx":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr(SHEET, '<worksheet><c r="A1" t="s"><v>7</v></c></worksheet>')
    elif name == "text.npz":
        path.write_text("x")
    elif name == "lengths.npz":
        np.savez(path, x=np.zeros(2), y=np.zeros(3))
    elif name == "objects.npz":
        np.savez(path, x=np.array([{}, {}], dtype=object))
    return path


def hostile(folder, name):
    """What unpacks to far more than it is, or breaks what unpacks it."""
    path = folder / name
    if name == "digit.xlsx":
        write_sheet(path, '<worksheet><c r="A1" t="s"><v>\u00b2</v></c></worksheet>')
    elif name == "deflated.xlsx":
        start = write_sheet(path, "<worksheet>" + "<c/>" * 999)
        data = path.read_bytes()
        path.write_bytes(data[:start] + b"\xff\xff\xff\xff" + data[start + 4 :])
    elif name == "wide.xlsx":
        cells = (f'<c r="AAA{row}"><v>1</v></c><c r="ABC{row}"><v>1</v></c>' for row in range(1, 9))
        write_sheet(path, f"<worksheet>{''.join(cells)}</worksheet>")
    elif name == "low.xlsx":
        write_sheet(path, '<worksheet><c r="A9999999"><v>1</v></c></worksheet>')
    elif name == "header.npz":
        write_array(path, b"{'descr99': '(((\n")
    elif name == "claimed.npz":
        write_array(path, b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999,)}\n")
    elif name == "packed.npz":
        np.savez_compressed(path, x=np.zeros(2_000_001))
    elif name == "encrypted.npz":
        np.savez(path, x=np.zeros(2))
        data = bytearray(path.read_bytes())
        for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.index(mark) + at] |= 0x41
        path.write_bytes(data)
    return path


def write_sheet(path, text):
    """A workbook of one sheet; where its packed bytes begin."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(SHEET, text)
        return archive.getinfo(SHEET).header_offset + 30 + len(SHEET)


def write_array(path, header):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("text.xlsx", "no Excel workbook .File is not a zip file.; save it as .xlsx, or as CSV"),
        ("empty.xlsx", "it holds no sheet"),
        ("cut.xlsx", "its sheet cannot be read .no element found."),
        ("entities.xlsx", "it declares a document type"),
        ("nowhere.xlsx", "cell A1: it names no text"),
        ("text.npz", "it cannot be read as NPZ"),
        ("lengths.npz", "it holds columns of 2 lengths"),
        ("objects.npz", "it cannot be read as NPZ"),
        ("none.xlsx", "there is no such file"),
    ],
)
def test_what_cannot_be_read_is_named(name, told, tmp_path):
    with pytest.raises(InputError, match=told):
        csv_text(broken(tmp_path, name))


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("digit.xlsx", "cell A1: it names no text"),
        ("deflated.xlsx", "no Excel workbook"),
        ("wide.xlsx", "more than 2000000 rows, or than 4000 bytes as text"),
        ("low.xlsx", "more than 2000000 rows"),
        ("header.npz", "it cannot be read as NPZ"),
        ("claimed.npz", "it cannot be read as NPZ"),
        ("packed.npz", "more than 2000000 rows"),
        ("encrypted.npz", "it cannot be read as NPZ"),
    ],
)
def test_what_is_hostile_is_refused(name, told, tmp_path, monkeypatch):
    if name == "wide.xlsx":
        monkeypatch.setattr(spreadsheet, "MAX_BYTES", 4000)
    with pytest.raises(InputError, match=told):
        csv_text(hostile(tmp_path, name))
