"""Dimensions: exact factors against the SI, products of units, formulas that need a factor and formulas that need none,
and what is said of units that do not fit.
"""

import operator
from fractions import Fraction
from types import SimpleNamespace

import pytest

import certify
from certify import Problem
from certify.checker.problem import parse_problem
from certify.contractors.tape.tape import Operation
from certify.explaining.model_units import row_unit, squared, units
from certify.problems.errors import InputError
from certify.problems.experiments.toml_reader import load_experiment, write_experiment
from certify.problems.formulas.units import is_quantity, parse_quantity
from certify.problems.functions.dimensions import (
    DIMENSIONS,
    UNITS,
    Dimension,
    dimension_named,
    raised_unit,
    unit_named,
)
from certify.problems.model.canonical import canonical_bytes
from certify.problems.simulation.starters import write_starter
from certify.questions.doubt import _effects
from certify.reports.dcc.units import dsi_unit

SI = {  # of the SI's own definitions: the factor, and the powers of m, kg, s, A, K
    "m": (1, 1, 0, 0, 0, 0),
    "mm": (Fraction(1, 1000), 1, 0, 0, 0, 0),
    "cm": (Fraction(1, 100), 1, 0, 0, 0, 0),
    "um": (Fraction(1, 10**6), 1, 0, 0, 0, 0),
    "inch": (Fraction(254, 10000), 1, 0, 0, 0, 0),
    "N": (1, 1, 1, -2, 0, 0),
    "kN": (1000, 1, 1, -2, 0, 0),
    "mN": (Fraction(1, 1000), 1, 1, -2, 0, 0),
    "Nm": (1, 2, 1, -2, 0, 0),
    "kNm": (1000, 2, 1, -2, 0, 0),
    "mNm": (Fraction(1, 1000), 2, 1, -2, 0, 0),
    "Nmm": (Fraction(1, 1000), 2, 1, -2, 0, 0),
    "V": (1, 2, 1, -3, -1, 0),
    "kV": (1000, 2, 1, -3, -1, 0),
    "mV": (Fraction(1, 1000), 2, 1, -3, -1, 0),
    "A": (1, 0, 0, 0, 1, 0),
    "mA": (Fraction(1, 1000), 0, 0, 0, 1, 0),
    "uA": (Fraction(1, 10**6), 0, 0, 0, 1, 0),
    "s": (1, 0, 0, 1, 0, 0),
    "ms": (Fraction(1, 1000), 0, 0, 1, 0, 0),
    "us": (Fraction(1, 10**6), 0, 0, 1, 0, 0),
    "kg": (1, 0, 1, 0, 0, 0),
    "g": (Fraction(1, 1000), 0, 1, 0, 0, 0),
    "K": (1, 0, 0, 0, 0, 1),
    "mK": (Fraction(1, 1000), 0, 0, 0, 0, 1),
}
LEVER = """format = "certify-problem-file 1"
title = "A lever"
provenance = "simulated: M = F (r + 2 mm), off by 3 mNm"
poses = "poses.csv"
[model]
equation = "{}"
[model.parameters]
r = "length"
[model.columns]
F = "force"
M = "torque"
[half_widths]
F = "0 N"
M = "0 Nm"
[parameters]
r = {{ value = "100 mm", radius = "5 mm" }}
[box]
centre = "nominal"
"""
EXACT = {
    Operation.ADD: operator.add,
    Operation.SUB: operator.sub,
    Operation.MUL: operator.mul,
    Operation.DIV: operator.truediv,
    Operation.NEG: operator.neg,
}
TABLE = "pose,F [kN],M [Nm]\n1,0.01,1.023\n2,0.02,2.037\n"


def coherent(name):
    """A unit in mm, N, s, A, K, from the SI: 1 m = 1000 mm, 1 kg = 1 N s^2 / (1000 mm)."""
    factor, metre, kilogram, second, ampere, kelvin = SI[name]
    powers = {"mm": metre - kilogram, "N": kilogram, "s": second + 2 * kilogram, "A": ampere, "K": kelvin}
    return factor * Fraction(1000) ** (metre - kilogram), {base: power for base, power in powers.items() if power}


@pytest.mark.parametrize("name", SI)
def test_units_are_those_of_the_si(name):
    unit = UNITS[name]
    factor, powers = coherent(name)
    assert (unit.factor * unit.dimension.scale, dict(unit.dimension.powers)) == (factor, powers)


def test_every_unit_is_compared():
    assert {unit.name for unit in UNITS.values()} - {"deg", "rad", "mrad", "1"} == set(SI)


@pytest.mark.parametrize(
    ("text", "words", "value", "canonical"),
    [
        ("800 N/m", "force/length", Fraction(8, 10), "N/mm"),
        ("0.05 V.s", "torque/current", Fraction(1, 20), "Nm/A"),
        ("50 mNm/A", "torque/current", Fraction(1, 20), "Nm/A"),
        ("3 kV/mA", "voltage/current", Fraction(3 * 10**6), "V/A"),
        ("2 N mm", "torque", Fraction(1, 500), "Nm"),
        ("5 mrad/ms", "angle/time", Fraction(5), "rad/s"),
        ("4 g*m/s^2", "force", Fraction(4, 1000), "N"),
        ("7 1/ms", "number/time", Fraction(7000), "1/s"),
        ("25.4 inch^2", "length^2", Fraction("25.4") ** 3, "mm^2"),
        ("9 Nm.s/rad/A", "torque*time/angle/current", Fraction(9), "Nm.s/rad/A"),
    ],
)
def test_products_of_units(text, words, value, canonical):
    found = parse_quantity(text, dimension_named(words), "here")
    assert (found.value, found.unit) == (value, canonical)
    assert parse_quantity(f"{found.value.numerator} {canonical}", dimension_named(words), "here").unit == canonical


@pytest.mark.parametrize("text", ["N/deg", "N/mm s", "rad.mm/mm", "N//mm", "N^10", "1/1", "Nn", "", "/s", "N" * 60])
def test_what_is_no_unit(text):
    assert unit_named(text) is None


@pytest.mark.parametrize(
    ("unit", "words", "hint"),
    [
        ("NM", "torque", "did you mean 'Nm'?"),
        ("Nn", "force", "did you mean 'N'?"),
        ("ma", "current", "did you mean 'mA'?"),
        ("mn", "force", "did you mean 'mN'?"),
        ("Nm/deg", "torque/angle", "write it with rad"),
        ("Volt", "voltage", "a voltage (V, kV, mV) is needed"),
        ("N", "torque", "a torque (Nm, kNm, mNm, Nmm) is needed"),
        ("N/m", "force", "a force (N, kN, mN) is needed"),
        ("Nm", "force/length", "force/length (such as N/mm) is needed"),
    ],
)
def test_a_wrong_unit_is_told_with_the_nearest(unit, words, hint):
    with pytest.raises(InputError) as told:
        parse_quantity(f"3 {unit}", dimension_named(words), "here")
    assert hint in str(told.value)


def test_one_dimension_by_other_words():
    assert dimension_named("force*length") == DIMENSIONS["torque"] != DIMENSIONS["force"]
    assert dimension_named("torque/current/time") == DIMENSIONS["voltage"]
    assert dimension_named("mass*length/time^2") == DIMENSIONS["force"]
    assert dimension_named("length*angle/length") is Dimension.ANGLE
    assert dimension_named("lenght") is None


@pytest.mark.parametrize("text", ["motor A", "time s", "A", "half A.s", "x mm"])
def test_a_heading_with_a_unit_at_its_end_is_no_quantity(text):
    assert not is_quantity(text)


def lever(tmp_path, equation):
    (tmp_path / "poses.csv").write_text(TABLE)
    (tmp_path / "problem.toml").write_text(LEVER.format(equation))
    experiment = load_experiment(tmp_path / "problem.toml")
    return experiment, experiment.problem(experiment.nominal)


def value(problem, family, row, x):
    """The row's value in rationals."""
    found = problem.families[family]
    nodes = [
        problem.columns[b.index].lower[row] if b.measured else Fraction(x[problem.variables[b.index].name])
        for b in found.bindings
    ]
    for step in found.tape.steps:
        operands = [nodes[k] for k in (step.first, step.second) if k >= 0]
        nodes.append(step.constant if step.operation is Operation.CONSTANT else EXACT[step.operation](*operands))
    return nodes[found.tape.outputs[0]]


@pytest.mark.parametrize("equation", ["M - F*r", "F*r - M", "1*M - r*F"])
def test_a_torque_is_a_force_times_a_length(tmp_path, equation):
    experiment, problem = lever(tmp_path, equation)
    sign = -1 if equation.startswith("F") else 1
    assert [family.unit for family in problem.families] == ["Nm"]
    assert [sign * value(problem, 0, row, {"r": 102}) for row in (0, 1)] == [Fraction(3, 1000), Fraction(-3, 1000)]
    again = load_experiment(write_experiment(tmp_path / "again", experiment))
    assert again.problem(again.nominal) == problem
    canonical = canonical_bytes(problem)
    assert row_unit(parse_problem(canonical), 0, units(canonical)) is None  # by 1000, which may be anything


@pytest.mark.parametrize(
    "equation",
    ["M + F", "sin(M)", "M/r + F*r", "norm([M, r])", "min(M, F*r*r)", "M*F*r", "atan2(M, F) + M"],
)
def test_what_does_not_go_together_is_refused(tmp_path, equation):
    with pytest.raises(InputError, match=r"equation"):
        lever(tmp_path, equation)


@pytest.mark.parametrize(
    ("equation", "unit", "expected"),
    [("atan2(M, F*r) - 1", "1", None), ("max(M, F*r) - M", "Nm", None), ("M/r - F", "N", Fraction(3, 102))],
)
def test_what_needs_a_factor_has_it(tmp_path, equation, unit, expected):
    _, problem = lever(tmp_path, equation)
    assert problem.families[0].unit == unit
    assert any(step.constant == 1000 for step in problem.families[0].tape.steps)
    assert expected is None or value(problem, 0, 0, {"r": 102}) == expected


def test_what_needs_no_factor_has_none(tmp_path):
    write_starter("motor", tmp_path)
    experiment = load_experiment(tmp_path / "problem.toml")
    problem = experiment.problem(experiment.nominal)
    assert [(family.name, family.unit) for family in problem.families] == [("electric", "V"), ("mechanic", "Nm")]
    for family in problem.families:
        assert all(step.operation is not Operation.CONSTANT for step in family.tape.steps)
    x = {"R": "1.2", "K": "0.05", "d": "0.00002"}
    assert value(problem, 0, 0, x) == Fraction("5.98") - Fraction("1.2") * Fraction("0.34") - Fraction("5.34")
    assert value(problem, 1, 0, x) == Fraction("0.0152") - Fraction("0.017") + Fraction("0.002136")
    canonical = canonical_bytes(problem)
    assert [row_unit(parse_problem(canonical), k, units(canonical)) for k in (0, 1)] == ["V", "Nm"]
    assert [variable.unit for variable in problem.variables] == ["V/A", "Nm/A", "Nm.s/rad"]


def test_a_bound_without_a_unit_is_of_no_row_where_there_are_volts_and_newton_metres(tmp_path):
    write_starter("motor", tmp_path)
    experiment = load_experiment(tmp_path / "problem.toml")
    problem, base = experiment.problem(experiment.nominal), SimpleNamespace(parts=())
    with pytest.raises(InputError, match="the rows are in V, Nm; say of which"):
        _effects(problem, base, Fraction(1, 10))
    assert _effects(problem, base, {"V": Fraction(1, 10)}) == {"V": Fraction(1, 10), "Nm": Fraction(0)}


@pytest.mark.parametrize(
    ("unit", "told"),
    [
        ("mm", "mm^2"),
        ("N", "N^2"),
        ("1", "1^2"),
        ("px", "px^2"),
        ("Nm", "(Nm)^2"),
        ("mNm", "(mNm)^2"),
        ("N/mm", "(N/mm)^2"),
        ("mm^2", "(mm^2)^2"),
        ("N mm", "(N mm)^2"),
    ],
)
def test_the_square_of_a_unit_is_that_of_all_of_it(unit, told):
    """Sums of squares of errors in Nm were told in Nm^2, those of errors in N/mm in N/mm^2, which is another thing."""
    assert raised_unit(unit, 2) == told
    assert squared(unit) == ("1" if unit == "1" else told)
    assert dsi_unit(told) in (None, r"\milli\metre\tothe{2}", r"\newton\tothe{2}")


@pytest.mark.parametrize("unit", ["Nm", "N/mm"])
def test_a_sum_of_squares_is_told_in_the_square_of_the_unit(unit):
    table, box = {f"y [{unit}]": [1, 2, 4]}, {f"a [{unit}]": (0, 9)}
    problem = Problem.from_table(lambda x, m: x.a - m.y, table, box, unit=unit)
    assert certify.least_squares(problem).parts[0].unit == f"({unit})^2"
