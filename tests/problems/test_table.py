from fractions import Fraction

import pytest

from certify.problems.errors import InputError
from certify.problems.files.csv_table import read_table
from certify.problems.files.disk import MAX_BYTES
from certify.problems.formulas.units import Dimension

EXPECTED = {"x": Dimension.LENGTH, "alpha": Dimension.ANGLE, "L1": Dimension.LENGTH}
HEADER = "pose,x [mm],alpha [deg],L1 [mm]\n"


@pytest.fixture
def read(tmp_path):
    def reader(text, encoding="utf-8"):
        path = tmp_path / "poses.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return read_table(path, EXPECTED)

    return reader


def test_all_ways_to_give_a_column(read):
    table = read(
        "# simulated\n\npose , x [m],x half-width [um],alpha lower [deg],alpha upper [deg],L1 [um]\r\n"
        "a,1.5,20,-1,2,7\n# a comment\n b , -2e-3 ,0,0.1,0.1,\t8\r\n"
    )
    assert table.poses == ("a", "b")
    assert list(table.columns) == ["x", "alpha", "L1"]
    x, alpha, length = table.columns.values()
    assert (x.unit, x.values, x.half_widths) == ("mm", (Fraction(1500), Fraction(-2)), (Fraction(1, 50), Fraction(0)))
    assert (alpha.unit, alpha.values, alpha.half_widths) == (
        "deg",
        (Fraction(1, 2), Fraction(1, 10)),
        (Fraction(3, 2), Fraction(0)),
    )
    assert (length.values, length.half_widths) == ((Fraction(7, 1000), Fraction(8, 1000)), None)


def test_poses_need_no_names_and_columns_no_order(read):
    table = read('alpha [rad],"L1 [mm]",x [mm]\n0.1,2,3\n0.4,5,6\n')
    assert table.poses == ("1", "2")
    assert table.columns["alpha"].unit == "rad"
    assert table.columns["x"].values == (3, 6)


def test_a_byte_order_mark_is_no_part_of_the_header(read):
    assert read(HEADER + "1,2,3,4\n", "utf-8-sig").poses == ("1",)


ROW = "1,2,3,4\n"
CASES = {
    "empty": ("", "it is empty; write a header line such as 'pose,x [mm],...' and one line a pose"),
    "only comments": ("# nothing\n\n", "it is empty; write a header line"),
    "no rows": (HEADER, "there is no line behind the header; write one line a pose"),
    "missing column": (
        "pose,x [mm],L1 [mm]\n",
        "line 1: column alpha is missing; the header has 'pose', 'x [mm]', 'L1 [mm]'; add 'alpha [deg]', or say under "
        '[columns] which one it is, such as alpha = { column = "HEADING", unit = "deg" }',
    ),
    "mistyped column": (
        "pose,x [mm],alpha [deg],l1 [mm]\n",
        "line 1: column L1 is missing; the header has 'pose', 'x [mm]', 'alpha [deg]', 'l1 [mm]'; did you mean 'l1 "
        "[mm]'? Rename it, or say under [columns] which one it is, such as L1 = ",
    ),
    "companion nearly": (
        HEADER.replace("\n", ",L1 halfwidth [mm]\n"),
        "line 1, column 5: 'L1 halfwidth [mm]' would not be read; did you mean 'L1 half-width'? Rename it,",
    ),
    "duplicate column": (HEADER.replace("\n", ",x [m]\n"), "line 1: column x occurs twice; remove one"),
    "duplicate pose column": ("pose," + HEADER, "line 1: column pose occurs twice; remove one"),
    "no unit": (
        HEADER.replace("L1 [mm]", "L1"),
        "line 1, column 4: column L1 has no unit, a length (m, cm, mm, um, inch) is needed; write it such as 'L1 [mm]'",
    ),
    "wrong unit": (
        HEADER.replace("L1 [mm]", "L1 [V]"),
        "line 1, column 4: column L1 has unit V, a length (m, cm, mm, um, inch) is needed",
    ),
    "wrong dimension": (
        HEADER.replace("alpha [deg]", "alpha [mm]"),
        "column alpha has unit mm, an angle (deg, rad, mrad) is needed",
    ),
    "no heading": ("pose,[mm]\n", "line 1: column x is missing; the header has 'pose', '[mm]'; add 'x [mm]', or say"),
    "no header": (
        "1,2,3,4\n5,6,7,8\n",
        "line 1: it holds numbers, where headings are needed; write a header line, or say by numbers where the columns "
        'stand: under [columns] x = { column = 1, unit = "mm" }',
    ),
    "NaN": (HEADER + ROW + "2,NaN,0,0\n", "line 3, column x: 'NaN' is not a decimal number; write digits"),
    "blank": (
        HEADER + "# note\n" + "2,1, ,0\n",
        "line 3, column alpha: the number is missing; write a decimal number such as 12.5",
    ),
    "garbage": (
        HEADER + ROW + "2,1,0,4,5 mm\n".replace("4,5 mm", "4;5"),
        "line 3, column L1: '4;5' is not a decimal number",
    ),
    "ragged": (
        HEADER + "1,2,3\n",
        "line 2: it has 3 cells, the header has 4; add or remove cells, and write numbers with a decimal point",
    ),
    "decimal comma": (
        HEADER + "1,2,3,4,5\n",
        "line 2: it has 5 cells, the header has 4; add or remove cells, and write numbers with a decimal point",
    ),
    "negative half-width": (
        "x [mm],alpha [deg],L1 [mm],L1 half-width [mm]\n1,2,3,-0.1\n",
        "line 2, column L1 half-width: -0.1 mm is negative; write how far the true value may be off",
    ),
    "lower above upper": (
        "x [mm],alpha [deg],L1 lower [mm],L1 upper [mm]\n1,2,3,2.5\n",
        "line 2, column L1: lower 3.0 mm exceeds upper 2.5 mm; exchange them",
    ),
    "half a range": (
        "x [mm],alpha [deg],L1 lower [mm]\n",
        "line 1: column L1 is given by 'L1 lower'; give 'L1', or 'L1' and 'L1 half-width', or 'L1 "
        "lower' and 'L1 upper'",
    ),
    "too much": (
        "x [mm],alpha [deg],L1 [mm],L1 lower [mm],L1 upper [mm]\n",
        "column L1 is given by 'L1', 'L1 lower', 'L1 upper'; give",
    ),
    "mixed angles": (
        "x [mm],alpha [rad],alpha half-width [deg],L1 [mm]\n",
        "column alpha mixes deg and rad, between which no exact factor exists; use one",
    ),
    "same pose twice": (
        HEADER + ROW + ROW,
        "line 3, column pose: '1' already names line 2; give each pose its own name",
    ),
    "nameless pose": (
        HEADER + ",1,2,3\n",
        "line 2, column pose: '' does not name a pose; write 1 to 40 printable characters, such as 17",
    ),
    "commented pose": (HEADER + '"#1",1,2,3\n', "line 2, column pose: '#1' does not name a pose"),
    "open quote": (HEADER + '"1,2,3,4\n', "line 2: unexpected end of data; write plain cells, and close every quote"),
    "UTF-16 by halves": (b"\xff\xfe" + HEADER.encode() + b"1", "it begins as UTF-16 and is not; save it as UTF-8"),
    "too large": (b"#" * (MAX_BYTES + 1), "it is larger than 16777216 bytes; split it"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_bad_table_is_refused_with_what_where_and_what_to_do(read, case):
    text, message = CASES[case]
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in str(caught.value)
    assert "poses.csv" in str(caught.value)


def test_a_table_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"none\.csv: there is no such file; check the name and the folder"):
        read_table(tmp_path / "none.csv", EXPECTED)
    with pytest.raises(InputError, match="there is no such file"):
        read_table(tmp_path, EXPECTED)
