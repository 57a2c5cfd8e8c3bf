"""Tables are families like any other, for both checkers; broken and hostile records end at once."""

import hashlib
import random
import struct
from fractions import Fraction

import pytest
from arb_texts import problem
from checker_texts import table
from texts import many

from certify.checker import check as first_check
from certify.checker_arb import check as second_check

CHECKERS = (first_check, second_check)
SEAL = "problem "


def sealed(data, certificate):
    """The certificate's bytes, with the hash of these bytes."""
    lines = certificate.encode().split(b"\n")
    return b"\n".join(
        f"{SEAL}{hashlib.sha256(data).hexdigest()}".encode() if line.startswith(b"problem ") else line for line in lines
    )


def both(data, certificate):
    """The answer, which is the same one of both checkers."""
    text = sealed(data, certificate)
    first, second = (one(data, text, 20) for one in CHECKERS)
    assert first.status.name == second.status.name, (first.message, second.message)
    return first.status.name


def claimed(*body, start="box", factor=1, norm="largest", discard=0, **claims):
    lines = [
        "certify-certificate 6",
        "problem 0",
        "precision 128",
        "claim errors",
        "groups 1",
        "group model rows 0 1 W",
    ]
    lines += [start, f"factor {factor}", f"norm {norm}", f"discard {discard}"]
    words = ("lower", "upper", "within", "volume", "zeros", "minimum")
    return "\n".join([*lines, *(f"{word} {claims.get(word, 'none')}" for word in words), *body, "end", ""])


def stated(spans, size, rows):
    """A table of so many rows in all variables, without its records."""
    lines = ["certify-problem 3", f"variables {len(spans)}", *(f"x{i} mm {a} {b}" for i, (a, b) in enumerate(spans))]
    names = " ".join(f"v{i}" for i in range(size))
    return "\n".join([*lines, "columns 0", "tapes 0", "families 1", f"W table {rows} {names}", "end", ""]).encode()


def spelled(spans, records):
    """The same rows with a tape and columns of rational numbers."""
    size = len(spans)
    steps = [f"mul {k} {size + k}" for k in range(size)]
    total = first = 2 * size + 1
    for k in range(1, size):
        steps.append(f"add {total} {first + k}")
        total = first + len(steps) - 1
    columns = [(f"a{k}", tuple(f"{Fraction(r[k])} {Fraction(r[k])}" for r in records)) for k in range(size)]
    columns.append(("y", tuple(f"{Fraction(r[-2])} {Fraction(r[-1])}" for r in records)))
    bindings = " ".join([*(f"v{i}" for i in range(size)), *(f"c{i}" for i in range(size + 1))])
    return problem(
        variables=tuple(f"x{i} mm {a} {b}" for i, (a, b) in enumerate(spans)),
        columns=tuple(columns),
        tape=(*steps, f"sub {total} {2 * size}"),
        inputs=2 * size + 1,
        families=(f"W 0 {len(records)} {bindings}",),
    ).encode()


@pytest.mark.parametrize("start", range(0, 36, 12))
def test_a_table_gets_the_answers_of_the_same_rows_written_out(start):
    seen = set()
    for seed in range(start, start + 12):
        rng = random.Random(seed)
        size, rows = rng.randint(1, 3), rng.randint(1, 4)
        spans = [sorted(Fraction(rng.randint(-16, 16), 8) for _ in range(2)) for _ in range(size)]
        spans = [(a, b + Fraction(1, 8)) for a, b in spans]
        at = [a + (b - a) * Fraction(rng.randint(0, 8), 8) for a, b in spans]
        records = []
        for _ in range(rows):
            a = [rng.choice((0.0, -0.0, 1.0, rng.uniform(-4, 4), rng.uniform(-1, 1) * 2.0**-20))]
            a = [rng.choice((a[0], rng.uniform(-2, 2))) for _ in range(size)]
            near = float(sum(Fraction(v) * x for v, x in zip(a, at, strict=True)))
            ends = sorted((near + rng.choice((0.0, 0.25, -0.75)), near + rng.choice((0.0, 0.5))))
            records.append([*a, *ends])
        data = stated(spans, size, rows) + b"".join(struct.pack(f"<{size + 2}d", *record) for record in records)
        other = spelled(spans, records)
        factor = rng.choice((Fraction(1), Fraction(0), Fraction(3, 2)))
        leaves = [f"{rng.choice('qmt')}0.{k}{rng.choice('+-')}{rng.randint(1, 9)}" for k in range(rows)]
        for level in (Fraction(0), Fraction(1, 8), Fraction(1, 2), Fraction(1)):
            for leaf in (
                f"evaluate 0 {rng.randrange(rows)}",
                "aggregate " + " ".join(leaves),
                f"aggregate {leaves[0]}",
            ):
                found = claimed("tree", leaf, lower=level, factor=factor)
                answers = {both(data, found), both(other, found)}
                assert len(answers) == 1, (seed, leaf)
                seen |= answers
            values = "values " + " ".join(map(str, at))
            fractions = [f"column a{k} " + " ".join("0" * rows) for k in range(size)]
            fractions.append("column y " + " ".join(["1:0"] * rows))
            one = claimed("witness", values, upper=level, factor=factor)
            answers = {both(data, one), both(other, claimed("witness", values, *fractions, upper=level, factor=factor))}
            assert len(answers) == 1, seed
            seen |= answers
    assert seen == {"VERIFIED", "REJECTED"}


RECORD = struct.pack("<3d", 1.0, 0.0, 1.0)
SPANS = ((0, 4),)
LOWER = claimed("tree", "evaluate 0 0", start="point 3", lower=1)
UPPER = claimed("witness", "values 1/2", upper=0)
NAN, INFINITY = float("nan"), float("inf")


def test_a_record_is_read_by_what_names_it_only():
    good = stated(SPANS, 1, 2) + RECORD + RECORD
    assert both(good, LOWER) == both(good, UPPER) == "VERIFIED"
    for record in (
        (NAN, 0, 1),
        (1, NAN, 1),
        (1, 0, NAN),
        (INFINITY, 0, 1),
        (1, -INFINITY, 1),
        (1, 0, INFINITY),
        (1, 2, 1),
    ):
        broken = struct.pack("<3d", *record)
        assert both(stated(SPANS, 1, 2) + RECORD + broken, LOWER) == "VERIFIED"
        assert both(stated(SPANS, 1, 2) + broken + RECORD, LOWER) == "REJECTED"
        for records in (RECORD + broken, broken + RECORD):
            assert both(stated(SPANS, 1, 2) + records, UPPER) == "REJECTED"
        left = claimed("witness", "values 1/2", "without 0.1", upper=0, discard=1)
        assert both(stated(SPANS, 1, 2) + RECORD + broken, left) == "VERIFIED"


def test_the_least_and_largest_numbers_are_exact():
    for record, x, answer in (
        ((5e-324, 0.0, 0.0), "0", "VERIFIED"),
        ((2.0**-60, 0.0, 0.0), "1", "REJECTED"),
        ((2.0**-60, 2.0**-60, 2.0**-60), "1", "VERIFIED"),
        ((1.7976931348623157e308, 1.7976931348623157e308, 1.7976931348623157e308), "1", "VERIFIED"),
        ((-0.0, -0.0, 0.0), "4", "VERIFIED"),
        ((0.1, 0.1, 0.1), "1", "VERIFIED"),
        ((1.0, 0.1, 0.1), "1/10", "REJECTED"),
        ((1.0, 0.1, 0.1), str(Fraction(0.1)), "VERIFIED"),
    ):
        data = stated(SPANS, 1, 1) + struct.pack("<3d", *record)
        assert both(data, claimed("witness", f"values {x}", upper=0)) == answer, record
    least = stated(SPANS, 1, 1) + struct.pack("<3d", 5e-324, 5e-324, 5e-324)  # finer than the first checker's grid
    for x, word in (("1", "VERIFIED"), ("2", "REJECTED"), ("0", "REJECTED")):
        found = second_check(least, sealed(least, claimed("witness", f"values {x}", upper=0)))
        assert found.status.name == word, found.message


TEXT = stated(SPANS, 1, 1)
BYTES = {
    "none": TEXT,
    "one byte less": TEXT + RECORD[:-1],
    "one byte more": TEXT + RECORD + b"\0",
    "a line more": TEXT + RECORD + b"\n",
    "a record more": TEXT + RECORD + RECORD,
    "a second end": TEXT + b"end\n" + RECORD,
    "rows that are not there": TEXT.replace(b"table 1", b"table 100000000") + RECORD,
    "too many rows": TEXT.replace(b"table 1", b"table 100000001") + RECORD,
    "no rows": TEXT.replace(b"table 1", b"table 0"),
    "rows of 19 digits": TEXT.replace(b"table 1", b"table 9999999999999999999") + RECORD,
    "rows of 2001 digits": TEXT.replace(b"table 1", b"table " + b"9" * 2001) + RECORD,
    "minus one row": TEXT.replace(b"table 1", b"table -1") + RECORD,
    "a variable twice": TEXT.replace(b" v0\n", b" v0 v0\n") + RECORD * 2,
    "no variable": TEXT.replace(b" v0\n", b"\n") + RECORD[8:],
    "a column": TEXT.replace(b" v0\n", b" c0\n") + RECORD,
    "a variable that is none": TEXT.replace(b" v0\n", b" v1\n") + RECORD,
    "a giant variable": TEXT.replace(b" v0\n", b" v" + b"9" * 1999 + b"\n") + RECORD,
    "capitals": TEXT.replace(b"table", b"TABLE") + RECORD,
    "version 2": TEXT.replace(b"problem 3", b"problem 2") + RECORD,
    "version 4": TEXT.replace(b"problem 3", b"problem 4") + RECORD,
    "carriage returns": TEXT.replace(b"\n", b"\r\n") + RECORD,
    "no end": TEXT.replace(b"end\n", b"") + RECORD,
    "letters that are no ASCII": TEXT.replace(b"W", "Ä".encode()) + RECORD,
    "a NUL": TEXT.replace(b"W", b"W\0") + RECORD,
}


@pytest.mark.parametrize("name", BYTES)
def test_broken_tables_are_rejected(name):
    assert both(BYTES[name], LOWER) == both(BYTES[name], UPPER) == "REJECTED"


@pytest.mark.parametrize("name", ["a table", "erf", "no tapes"])
def test_what_is_new_is_refused_in_a_problem_of_version_2(name):
    steps = {"erf": "tape t 1 1\nerf 0", "no tapes": "", "a table": "tape t 1 1\nsqr 0"}[name]
    family = "W table 1 v0" if name != "erf" else "W 0 1 v0"
    lines = ["certify-problem 3", "variables 1", "x mm 0 4", "columns 0", f"tapes {0 if name == 'no tapes' else 1}"]
    text = "\n".join([*lines, *([steps] if steps else []), "families 1", family, "end", ""]).encode()
    data = text + (RECORD if name != "erf" else b"")
    found = claimed("tree", "evaluate 0 0", start="point 3", lower="1/2")
    assert both(data, found) == "VERIFIED"
    assert both(data.replace(b"problem 3", b"problem 2"), found) == "REJECTED"


@pytest.mark.parametrize("name", many.VALID)
def test_many_rows_of_tables_may_be_left_out(name):
    problem_text, certificate = many.VALID[name]
    assert both(problem_text.encode(), certificate) == "VERIFIED"


def test_forged_certificates_that_leave_out_many_rows_are_rejected():
    for (problem_text, certificate), _ in many.FORGED.values():
        assert both(problem_text.encode(), certificate) == "REJECTED"


@pytest.mark.thorough
def test_ten_thousand_rows_are_left_out_in_linear_time():
    """One conflict more than rows that are left out, each of one row at a point; and all of these rows by a witness."""
    count = 10_000
    records = [(1.0, 5.0, 5.0)] * (count + 1) + [(1.0, 0.0, 0.0)]
    data = table(many.LINE.replace(f"table {len(many.RECORDS)}", f"table {len(records)}"), records).encode()
    leaves = [f"evaluate 0 {row}" for row in range(count + 1)]
    tree = claimed("tree", f"hitting {count + 1}", *leaves, start="point 0", discard=count, lower=4)
    assert both(data, tree) == "VERIFIED"
    again = tree.replace(f"evaluate 0 {count}\n", "evaluate 0 0\n")
    assert both(data, again) == "REJECTED"
    without = "without " + " ".join(f"0.{row}" for row in range(count + 1))
    assert both(data, claimed("witness", "values 0", without, discard=count + 1, upper=0)) == "VERIFIED"
    assert both(data, claimed("witness", "values 0", without, discard=count, upper=0)) == "REJECTED"
