"""The same problem told in other units, orders, names and origins: a few problems of every kind of the benchmark."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from benchmarks._changed_problems import Change, duplicated, in_units
from benchmarks._planted_problems import arm, leg
from benchmarks._tellings import KINDS, UNITS
from benchmarks.metamorphic import _contradictions, compared
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.formulas.units import format_decimal
from certify.problems.functions.dimensions import unit_named
from certify.problems.model.canonical import canonical_bytes
from certify.problems.simulation.starters import STARTERS


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(KINDS), 2 * len(KINDS)))
def test_answers_agree(number):
    """Nothing contradicts what is planted or the first telling, and everything is decided, with no more than twice the
    work.
    """
    rows = list(compared(number))
    assert len(rows) >= 6
    for row in rows:
        assert row["faults"] == [], (row["kind"], row["seed"], row["change"])
        assert all(row["decided"])
        assert row["work"][1] <= 2 * row["work"][0] + 10


@pytest.mark.parametrize("kind", list(KINDS))
def test_a_contradiction_is_found(kind):
    """Another problem of the same kind is no other telling of the first: that is seen."""
    first, other = (KINDS[kind](seed)[1][0][1]() for seed in (1, 5))
    assert _contradictions(first, other)


@pytest.mark.parametrize("generate", [leg, arm])
@pytest.mark.parametrize("half", [Fraction(0), Fraction(1, 10**8), Fraction(10**9)])
def test_a_box_out_of_all_proportion_breaks_nothing(generate, half):
    """One unknown is known, all but known, or in an interval 10^8 times as wide as others: the answer is decided and
    fits the first one.
    """
    problem = generate(1).problem
    middle = (problem.variables[0].lower + problem.variables[0].upper) / 2
    changed = replace(problem.variables[0], lower=middle - half, upper=middle + half)
    options = certify.Options(gap=Fraction(1, 10**4))
    first, other = (
        certify.adequacy(replace(problem, variables=(*variables, *problem.variables[1:])), options=options).parts[0]
        for variables in ((problem.variables[0],), (changed,))
    )
    narrow, wide = (other, first) if half < 1 else (first, other)
    assert other.verdict is certify.Verdict.INADEQUATE
    assert other.gap <= 1.0001e-4
    assert wide.epsilon[0] <= narrow.epsilon[1]
    assert other.estimated_undetermined == ()


def with_outlier(problem):
    """The third reading is 5 too large."""
    place = next(k for k, column in enumerate(problem.columns) if column.name in ("d0", "u0"))
    columns, read = list(problem.columns), problem.columns[place]
    lower, upper = ([end + (5 if k == 2 else 0) for k, end in enumerate(ends)] for ends in (read.lower, read.upper))
    columns[place] = replace(read, lower=tuple(lower), upper=tuple(upper))
    return replace(problem, columns=tuple(columns))


def in_other_units(case, problem, told):
    """The problem in the units of this name, and that of its rows."""
    units = UNITS[told]
    change = Change(tuple(units[k] for k in case.variables), tuple(units[k] for k in case.columns), units["length"])
    return in_units(problem, change), units["length"]


@pytest.mark.parametrize("generate", [leg, arm])
@pytest.mark.parametrize("told", list(UNITS))
def test_decisions_and_discards_do_not_depend_on_units(generate, told):
    case = generate(3)
    first = with_outlier(case.problem)
    other, unit = in_other_units(case, first, told)
    for epsilon in (Fraction(1, 2), Fraction(3)):
        verdicts = {
            certify.decide(problem, epsilon / size).parts[0].verdict for problem, size in ((first, 1), (other, unit))
        }
        assert len(verdicts) == 1
        assert verdicts != {certify.Verdict.UNDECIDED}
    one, two = (certify.fewest_discards(problem).parts[0] for problem in (first, other))
    assert one.discarded == two.discarded == ((first.families[0].name, 2),)


def test_a_wrong_reading_written_twice_must_be_left_out_twice():
    """What duplicates change is known: not the smallest model error, but the number of readings to leave out."""
    problem = duplicated(with_outlier(leg(3).problem), row=2)
    part = certify.fewest_discards(problem).parts[0]
    assert part.verdict is certify.Verdict.DISCARDS
    assert set(part.discarded) == {("leg0", 2), ("leg0.again", 0)}


@pytest.mark.parametrize("told", list(UNITS))
def test_hulls_do_not_depend_on_units(told):
    """Each end is as near to its witness as was asked for: two hulls of one set are no further apart than that."""
    case = arm(3)
    other, _ = in_other_units(case, case.problem, told)
    one, two = (certify.enclose(problem).parts[0] for problem in (case.problem, other))
    assert one.verdict is two.verdict is certify.Verdict.ENCLOSED
    for k, kind in enumerate(case.variables):
        unit = UNITS[told][kind]
        width = one.box.upper[k] - one.box.lower[k]
        assert abs(two.box.lower[k] * unit - one.box.lower[k]) <= width / 50
        assert abs(two.box.upper[k] * unit - one.box.upper[k]) <= width / 50


IN_OTHER_UNITS = (
    {"mm": "m", "m": "um", "N": "kN", "mN": "N", "N/mm": "N/m", "N/m": "kN/m", "V": "mV", "mV": "kV", "mA": "A",
     "A": "uA", "rad/s": "mrad/ms", "mNm": "Nm", "V/A": "mV/mA", "Nm/A": "mV.s", "V.s": "N mm/A",
     "mNm.s/rad": "N.mm.s/rad"},
    {"mm": "inch", "m": "cm", "N": "mN", "mN": "g.m/s^2", "N/mm": "kg/ms^2", "N/m": "mN/um", "V": "kg.m^2/s^3/A",
     "mV": "N.mm/s/A", "mA": "uA", "rad/s": "rad/us", "mNm": "Nmm", "V/A": "kV/mA", "Nm/A": "kNm/A", "V.s": "mV.us",
     "mNm.s/rad": "V.A.s^2/rad"},
)  # fmt: skip


def converted(quantity, units):
    """The same in another unit, if it is a decimal there."""
    number, unit = quantity.split(" ", 1)
    if unit not in units:
        return quantity
    one, other = unit_named(unit), unit_named(units[unit])
    value = Fraction(number) * one.factor * one.dimension.scale / (other.factor * other.dimension.scale)
    with suppress(InputError):
        return f"{format_decimal(value)} {units[unit]}"
    return quantity


def written_in(folder, starter, units, **changes):
    """The problem of a starter's files, all quantities and columns of which are written in other units."""
    files = dict(STARTERS[starter].files)
    for old, new in changes.items():
        files["problem.toml"] = re.sub(rf"(?m)^{old} = .*$", f"{old} = {new}", files["problem.toml"], count=1)
    text = re.sub(r'"(-?[0-9.]+ [^"]+)"', lambda found: f'"{converted(found[1], units)}"', files["problem.toml"])
    columns = []
    for heading, *cells in zip(*(line.split(",") for line in files["poses.csv"].splitlines()), strict=True):
        name, _, unit = heading.rstrip("]").partition(" [")
        told = [converted(f"{cell} {unit}", units).split(" ", 1) for cell in cells if unit]
        same = len({other for _, other in told}) == 1
        columns.append([f"{name} [{told[0][1]}]", *(cell for cell, _ in told)] if same else [heading, *cells])
    (folder / "problem.toml").write_text(text)
    (folder / "poses.csv").write_text("".join(f"{','.join(cells)}\n" for cells in zip(*columns, strict=True)))
    experiment = load_experiment(folder / "problem.toml")
    return experiment.problem(experiment.nominal)


@pytest.mark.parametrize("starter", ["point", "spring", "motor"])
@pytest.mark.parametrize("units", IN_OTHER_UNITS)
def test_files_in_other_units_are_the_same_problem(starter, units, tmp_path):
    """Byte for byte, so that all that is proved and told of them is the same."""
    first, other = tmp_path / "first", tmp_path / "other"
    first.mkdir()
    other.mkdir()
    found = written_in(first, starter, {}), written_in(other, starter, units)
    assert canonical_bytes(found[0]) == canonical_bytes(found[1])
    assert (first / "problem.toml").read_text() != (other / "problem.toml").read_text()
    assert (first / "poses.csv").read_text() != (other / "poses.csv").read_text()


@pytest.mark.parametrize(
    ("starter", "changes"),
    [
        ("spring", {"k": '"torque/length^2"'}),
        ("spring", {"k": '"mass/time^2"'}),
        ("spring", {"equation": '"sqrt(F^2) - sqrt(k*(L0 - L)*k*(L0 - L))"'}),
        ("motor", {"R": '"torque/time/current^2"', "K": '"force*length/current"'}),
        ("motor", {"K": '"voltage*time"', "M": '"mass*length^2/time^2"'}),
        ("motor", {"d": '"force*length*time/angle"', "electric": '"U - R*(I + K*w/R)"'}),
    ],
)
def test_what_a_quantity_is_called_does_not_matter(starter, changes, tmp_path):
    """Declared by other words, kept in other units, with factors between: the same ends."""
    wrong = ("8.36", "8.76") if starter == "spring" else ("184.3", "104.3")
    found = []
    for changed in ({}, changes):
        written_in(tmp_path, starter, {}, **changed)
        table = tmp_path / "poses.csv"
        table.write_text(table.read_text().replace(*wrong))
        experiment = load_experiment(tmp_path / "problem.toml")
        found.append(certify.adequacy(experiment.problem(experiment.nominal)).parts)
    assert found[0][0].verdict is certify.Verdict.INADEQUATE
    for one, other in zip(*found, strict=True):
        assert (one.name, one.unit, one.verdict) == (other.name, other.unit, other.verdict)
        assert one.epsilon[0] <= other.epsilon[1] and other.epsilon[0] <= one.epsilon[1]


@pytest.mark.parametrize(
    ("length", "size", "force", "more"),
    [("m", 1000, "N", 1), ("m", 1000, "kN", 1000), ("um", Fraction(1, 1000), "mN", Fraction(1, 1000))],
)
def test_tables_of_arrays_in_other_units_have_the_same_ends(length, size, force, more):
    read = {"L": ["38.02", "35.99", "34.03", "31.97", "30.01"], "F": ["1.65", "3.35", "4.98", "6.69", "8.76"]}

    def asked(length, size, force, more):
        per = {"L": (f"L [{length}]", Fraction(size)), "F": (f"F [{force}]", Fraction(more))}
        table = {heading: [Fraction(value) / by for value in read[name]] for name, (heading, by) in per.items()}
        stiffness = Fraction("0.6") * size / more, Fraction(size) / more
        box = {f"k [{force}/{length}]": stiffness, f"L0 [{length}]": (Fraction(35) / size, Fraction(45) / size)}
        halves = {"L": "0.05 mm", "F": "20 mN"}
        return certify.Problem.from_table(lambda x, m: m.F - x.k * (x.L0 - m.L), table, box, halves, unit=force)

    one, other = (certify.adequacy(asked(*told)).parts[0] for told in (("mm", 1, "N", 1), (length, size, force, more)))
    assert (one.unit, other.unit) == ("N", force)
    assert one.verdict is other.verdict is certify.Verdict.INADEQUATE
    assert one.epsilon[0] <= other.epsilon[1] * more
    assert other.epsilon[0] * more <= one.epsilon[1]
