"""Real certificates, forged: whatever makes the claim false or leaves it unsupported is rejected; what is harmless may
pass.

Each forgery takes the texts (problem, certificate) and returns forged ones; with `resealed` the forger also repairs the
hash.
"""

import re
from fractions import Fraction

import pytest

from certify.checker import Status, check
from certify.problems.model.canonical import digest

LEG1, LEG2, PLATFORM = "leg1", "leg2", "platform"


def replace_line(text, start, change):
    """Change the first line that begins so."""
    lines = text.split("\n")
    for k, line in enumerate(lines):
        if line.startswith(start):
            lines[k] = change(line)
            return "\n".join(lines)
    raise AssertionError(f"no line begins with {start!r}")


def last_line(text, start, change):
    lines = text.split("\n")
    for k in range(len(lines) - 1, -1, -1):
        if lines[k].startswith(start):
            lines[k] = change(lines[k])
            return "\n".join(lines)
    raise AssertionError(start)


def scaled(line, factor):
    """A line `lower p/q` with its number scaled."""
    word, value = line.split(" ")
    return f"{word} {Fraction(value) * Fraction(factor)}"


def terms(line):
    return line.split(" ")[1:]


def with_terms(change):
    return lambda line: " ".join(["aggregate", *change(terms(line))])


def flip(term):
    return re.sub(r"^([qm]\d+\.\d+)([+-])", lambda m: m.group(1) + ("-" if m.group(2) == "+" else "+"), term)


def weight(term, new):
    return re.sub(r"([+-])\d+(p-?\d+)?$", lambda m: m.group(1) + new, term)


def other_row(term):
    return re.sub(r"^([qm]\d+\.)(\d+)", lambda m: m.group(1) + str((int(m.group(2)) + 7) % 64), term)


def other_family(term):
    return re.sub(r"^([qm])0\.", r"\g<1>1.", term)


def token(line, place, new):
    words = line.split(" ")
    words[place] = new
    return " ".join(words)


def shifted(line, place, amount):
    words = line.split(" ")
    words[place] = str(Fraction(words[place]) + Fraction(amount))
    return " ".join(words)


def final(change):
    return lambda text: last_line(text, "aggregate", with_terms(change))


def first(change):
    return lambda text: replace_line(text, "aggregate", with_terms(change))


CERTIFICATE = {
    # the claim
    "lower end above the upper": lambda t: replace_line(t, "lower", lambda x: scaled(x, "1.00001")),
    "lower end at the upper": lambda t: replace_line(
        t, "lower", lambda x: "lower " + re.search(r"^upper (.*)$", t, re.M).group(1)
    ),
    "lower end a little higher": lambda t: replace_line(t, "lower", lambda x: scaled(x, "1.0000009999")),
    "upper end below the lower": lambda t: replace_line(t, "upper", lambda x: scaled(x, "0.999")),
    "upper end a little lower": lambda t: replace_line(t, "upper", lambda x: scaled(x, "0.9999999")),
    "upper end of zero": lambda t: replace_line(t, "upper", lambda x: "upper 0"),
    "negative lower end": lambda t: replace_line(t, "lower", lambda x: "lower -1"),
    "no lower end, but a tree": lambda t: replace_line(t, "lower", lambda x: "lower none"),
    "no upper end, but a witness": lambda t: replace_line(t, "upper", lambda x: "upper none"),
    "another leg's claim": lambda t: replace_line(t, "group ", lambda x: "group model rows 0 1 leg2"),
    "the claim for both legs": lambda t: replace_line(t, "group ", lambda x: "group model rows 0 1 leg1 leg2"),
    "scope twice": lambda t: replace_line(t, "group ", lambda x: "group model rows 0 1 leg1 leg1"),
    "a leg that is none": lambda t: replace_line(t, "group ", lambda x: "group model rows 0 1 leg7"),
    "no group": lambda t: replace_line(t, "group ", lambda x: "group model rows 0 1"),
    "another role": lambda t: replace_line(t, "group ", lambda x: x.replace("model", "equation")),
    "a bound of its own": lambda t: replace_line(t, "group ", lambda x: x.replace("rows 0 1", "rows 0 2")),
    "half the half-widths": lambda t: replace_line(t, "factor", lambda x: "factor 1/2"),
    "twice the half-widths": lambda t: replace_line(t, "factor", lambda x: "factor 2"),
    "a system": lambda t: replace_line(t, "claim", lambda x: "claim system"),
    "another version": lambda t: t.replace("certify-certificate 6", "certify-certificate 2", 1),
    "a hull without its block": lambda t: replace_line(t, "within", lambda x: "within 9"),
    "zeros without their block": lambda t: replace_line(t, "zeros", lambda x: "zeros 0"),
    "a sum of squares": lambda t: t.replace("norm largest\n", "norm squares\n", 1),
    "a row left out": lambda t: t.replace("discard 0\n", "discard 1\n", 1),
    "no norm": lambda t: t.replace("norm largest\n", "", 1),
    "a minimum besides": lambda t: t.replace("minimum none\n", "minimum local 1\n", 1),
    "no line of a hull": lambda t: t.replace("within none\n", "", 1),
    "an open leaf": lambda t: last_line(t, "aggregate", lambda x: "open"),
    "a known leaf": lambda t: last_line(t, "aggregate", lambda x: "known 0"),
    "another hash": lambda t: replace_line(t, "problem", lambda x: x[:-1] + ("0" if x[-1] != "0" else "1")),
    "a hash in capitals": lambda t: replace_line(t, "problem", lambda x: "problem " + x[8:].upper()),
    "hardly any precision": lambda t: replace_line(t, "precision", lambda x: "precision 8"),
    "no precision": lambda t: replace_line(t, "precision", lambda x: "precision"),
    "an infinite number": lambda t: replace_line(t, "lower", lambda x: "lower inf"),
    "a float": lambda t: replace_line(t, "lower", lambda x: "lower 1e-3"),
    # the witness
    "a value out of its box": lambda t: replace_line(t, "values", lambda x: shifted(x, 1, 300)),
    "a value moved by 1 mm": lambda t: replace_line(t, "values", lambda x: shifted(x, 7, 1)),
    "a value moved by a micrometre": lambda t: replace_line(t, "values", lambda x: shifted(x, 7, "0.001")),
    "two values exchanged": lambda t: replace_line(
        t, "values", lambda x: " ".join([*x.split(" ")[:1], *reversed(x.split(" ")[1:])])
    ),
    "a value too few": lambda t: replace_line(t, "values", lambda x: x.rsplit(" ", 1)[0]),
    "a value too many": lambda t: replace_line(t, "values", lambda x: x + " 0"),
    "a measurement beyond its box": lambda t: replace_line(t, "column x", lambda x: token(x, 5, "1.1")),
    "a negative fraction": lambda t: replace_line(t, "column x", lambda x: token(x, 5, "-0.1")),
    "a rotation beyond its box": lambda t: replace_line(t, "column alpha", lambda x: token(x, 9, "1:1.0001")),
    "a rotation of nine numbers": lambda t: replace_line(t, "column alpha", lambda x: x + " 1 0 0 0 1 0 0 0 1"),
    "a rotation left out": lambda t: replace_line(t, "column beta", lambda x: x.rsplit(" ", 1)[0]),
    "a column left out": lambda t: "\n".join(line for line in t.split("\n") if not line.startswith("column gamma")),
    "columns exchanged": lambda t: (
        t.replace("column y ", "column w ").replace("column z ", "column y ").replace("column w ", "column z ")
    ),
    "all lengths at one end": lambda t: replace_line(t, "column L1", lambda x: " ".join(x.split(" ")[:2] + ["0"] * 64)),
    "all positions in the middle": lambda t: replace_line(
        t, "column x", lambda x: " ".join(x.split(" ")[:2] + ["0.5"] * 64)
    ),
    "another leg's lengths": lambda t: t.replace("column L1 ", "column L2 "),
    # the tree
    "no tree": lambda t: t[: t.index("tree\n") + 5] + "end\n",
    "the last leaf left out": lambda t: "\n".join([*t.split("\n")[:-3], "end", ""]),
    "a leaf too many": lambda t: t.replace("\nend\n", "\nevaluate 0 0\nend\n"),
    "a leaf that proves nothing": lambda t: last_line(t, "aggregate", lambda x: "evaluate 0 0"),
    "a row that does not exist": lambda t: last_line(t, "aggregate", lambda x: "evaluate 0 64"),
    "an unknown rule": lambda t: last_line(t, "aggregate", lambda x: x.replace("aggregate", "assume")),
    "a leaf without reason": lambda t: last_line(t, "aggregate", lambda x: "aggregate"),
    "a split of another variable": lambda t: replace_line(
        t, "split", lambda x: token(x, 1, str((int(x.split(" ")[1]) + 3) % 7))
    ),
    "a split of another leg's variable": lambda t: replace_line(t, "split", lambda x: token(x, 1, "9")),
    "a split outside the box": lambda t: replace_line(t, "split", lambda x: token(x, 2, "100000")),
    "a split that is no number": lambda t: replace_line(t, "split", lambda x: token(x, 2, "nan")),
    "a cut moved inwards": lambda t: _move_last_split(t),
    "no cells": lambda t: replace_line(t, "prepare", lambda x: "prepare 0"),
    "too many cells": lambda t: replace_line(t, "prepare", lambda x: "prepare 257"),
    "one sign flipped": final(lambda ts: [flip(ts[0]), *ts[1:]]),
    "all signs flipped": final(lambda ts: [flip(x) for x in ts]),
    "a multiplier of zero": final(lambda ts: [weight(ts[0], "0"), *ts[1:]]),
    "a negative multiplier": final(lambda ts: [weight(ts[0], "-5"), *ts[1:]]),
    "a multiplier left out": final(lambda ts: ts[1:]),
    "a multiplier a thousand times too large": final(lambda ts: [weight(ts[0], "99999999999p10"), *ts[1:]]),
    "all multipliers equal": final(lambda ts: [weight(x, "1") for x in ts]),
    "a term twice": final(lambda ts: [*ts, ts[0]]),
    "one row exchanged": final(lambda ts: [other_row(ts[0]), *ts[1:]]),
    "all rows exchanged": final(lambda ts: [other_row(x) for x in ts]),
    "another leg's rows": final(lambda ts: [other_family(x) for x in ts]),
    "products only": final(lambda ts: ["b0+3+1"]),
    "products out of order": final(lambda ts: [*ts, "b3+0+1"]),
    "a product of another leg": final(lambda ts: [*ts, "b8+9+1"]),
    "a huge product": final(lambda ts: [x for x in ts if x[0] != "b"] + ["b0+3+1p400"]),
    "a form that does not exist": final(lambda ts: ["z" + ts[0][1:], *ts[1:]]),
    "a first cut with its signs flipped": first(lambda ts: [flip(x) for x in ts]),
    "a first cut by another row": first(lambda ts: [other_row(x) for x in ts]),
    "a first cut with equal multipliers": first(lambda ts: [weight(x, "1") for x in ts if x[0] != "b"]),
}


def _move_last_split(text):
    """Let the removed part of the last cut reach across the whole box: it then holds the minimiser's neighbourhood."""
    lines = text.split("\n")
    splits = [k for k, line in enumerate(lines) if line.startswith("split")]
    k = splits[0]
    variable, at = lines[k].split(" ")[1:]
    mantissa, _, exponent = at.partition("p")
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent or 0)
    low = lines[k + 1].startswith("aggregate")
    moved = value + (80 if low else -80)
    lines[k] = f"split {variable} {round(moved)}"
    return "\n".join(lines)


@pytest.mark.parametrize("name", CERTIFICATE)
def test_a_forged_certificate_is_rejected(certified, name):
    text = certified.part(LEG1).certificate.decode()
    forged = CERTIFICATE[name](text)
    assert forged != text
    outcome = check(certified.canonical, forged.encode())
    assert outcome.status is Status.REJECTED, outcome.message


def entry(text, column, row):
    """The number of the line that holds an entry of a column."""
    lines = text.split("\n")
    return next(k for k, line in enumerate(lines) if line.startswith(f"column {column} ")) + 1 + row


def move_entries(text, column, amount, rows=range(64)):
    lines = text.split("\n")
    for row in rows:
        k = entry(text, column, row)
        low, high = (Fraction(v) + Fraction(amount) for v in lines[k].split(" "))
        lines[k] = f"{low} {high}"
    return "\n".join(lines)


def widen_entries(text, column, factor):
    lines = text.split("\n")
    for row in range(64):
        k = entry(text, column, row)
        low, high = map(Fraction, lines[k].split(" "))
        middle, half = (low + high) / 2, (high - low) / 2 * Fraction(factor)
        lines[k] = f"{middle - half} {middle + half}"
    return "\n".join(lines)


def mirror_rows(text, column):
    """The measurements of one pose given to another."""
    lines = text.split("\n")
    start = entry(text, column, 0)
    lines[start : start + 64] = reversed(lines[start : start + 64])
    return "\n".join(lines)


PROBLEM = {
    "longer measurement intervals": lambda t: widen_entries(t, "L1", 100),
    "wider rotations": lambda t: widen_entries(t, "alpha", 50),
    "measurements known exactly": lambda t: widen_entries(t, "x", 0),
    "narrower rotations": lambda t: widen_entries(t, "beta", "1/2"),
    "one leg length shifted": lambda t: move_entries(t, "L1", 5, range(20, 24)),
    "all heights of half the poses shifted": lambda t: move_entries(t, "z", 1, range(0, 64, 2)),
    "rotations shifted": lambda t: move_entries(t, "gamma", "0.5", range(0, 64, 3)),
    "lengths of other poses": lambda t: mirror_rows(t, "L1"),
    "rotations of other poses": lambda t: mirror_rows(t, "alpha"),
    "another leg's lengths": lambda t: t.replace(" c5 c6\n", " c5 c7\n", 1),
    "another leg's unknowns": lambda t: t.replace("v0 v1 v2 v3 v4 v5 v6", "v7 v8 v9 v10 v11 v12 v13"),
    "unknowns exchanged": lambda t: t.replace("v0 v1 v2 v3 v4 v5 v6", "v3 v4 v5 v0 v1 v2 v6", 1),
    "a rotation that is none: one sine for a cosine": lambda t: re.sub(r"^cos ", "sin ", t, count=1, flags=re.M),
    "a rotation that is none: one product left out": lambda t: re.sub(
        r"^mul (\d+) (\d+)$", r"add \1 \2", t, count=1, flags=re.M
    ),
    "another angle unit": lambda t: t.replace("const 180\n", "const 200\n", 1),
    "a sum of squares that is none": lambda t: re.sub(r"^sqr (\d+)$", r"neg \1", t, count=1, flags=re.M),
    "the root left out": lambda t: re.sub(r"^sqrt (\d+)$", r"neg \1", t, count=1, flags=re.M),
    "a family of 63 rows": lambda t: t.replace("leg1 0 64", "leg1 0 63"),
    "bounds exchanged": lambda t: replace_line(
        t, "leg1.a_x", lambda x: " ".join(x.split(" ")[:2] + x.split(" ")[:1:-1])
    ),
    "an unknown elsewhere": lambda t: replace_line(t, "leg1.l", lambda x: shifted(shifted(x, 2, 400), 3, 400)),
    "a number not in lowest terms": lambda t: replace_line(t, "leg1.l", lambda x: token(x, 2, "2/4")),
    "an unknown operation": lambda t: re.sub(r"^sqrt ", "cbrt ", t, count=1, flags=re.M),
    "a reference forwards": lambda t: re.sub(r"^sqrt \d+", "sqrt 500", t, count=1, flags=re.M),
}


@pytest.mark.parametrize("name", PROBLEM)
@pytest.mark.parametrize("resealed", [False, True])
def test_a_forged_problem_is_rejected(certified, name, resealed):
    original, text = certified.canonical.decode(), certified.part(LEG1).certificate.decode()
    forged = PROBLEM[name](original)
    assert forged != original
    if resealed:
        text = replace_line(text, "problem", lambda line: "problem " + digest(forged.encode()))
    outcome = check(forged.encode(), text.encode())
    assert outcome.status is Status.REJECTED, outcome.message


def test_two_realisations_of_one_pose_are_rejected(certified):
    """For the platform a pose is what it is: the legs cannot each choose their own."""
    text = certified.part(PLATFORM).certificate.decode()
    forged = replace_line(text, "column x", lambda line: token(line, 3, "0:1"))
    outcome = check(certified.canonical, forged.encode())
    assert outcome.status is Status.REJECTED
    assert "s:t" in outcome.message


def test_one_legs_proof_does_not_serve_another(certified):
    one, two = (certified.part(name).certificate.decode() for name in (LEG1, LEG2))
    mixed = one[: one.index("tree\n")] + two[two.index("tree\n") :]
    assert check(certified.canonical, mixed.encode()).status is Status.REJECTED


def test_an_upper_end_that_claims_less_passes(certified):
    """Harmless: what is possible within 3 mm is possible within 6 mm."""
    text = certified.part(LEG1).certificate.decode()
    weaker = replace_line(text, "upper", lambda line: scaled(line, "2"))
    assert check(certified.canonical, weaker.encode()).status is Status.VERIFIED
