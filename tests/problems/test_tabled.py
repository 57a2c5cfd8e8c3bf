"""Problems from arrays and DataFrames: every number means what it says, exactly; what is mistaken is named."""

import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.contractors.tape.evaluation import evaluate
from certify.problems.errors import InputError
from certify.problems.formulas.float_constants import FloatConstant
from certify.problems.model.canonical import canonical_bytes

ANCHORS = {"a.x [m]": ["0", "4", "0"], "a.y [m]": ["0", "0", "3"], "d [m]": ["2.5", "2.5", "2.2"]}
BOX = {"p.x [m]": (0, 5), "p.y [m]": (0, 5)}


def distance(x, m):
    return certify.norm(x.p - m.a) - m.d


def from_table(table=ANCHORS, box=BOX, half_widths=None, model=distance, **words):
    return certify.Problem.from_table(model, table, box, half_widths, **{"unit": "m", **words})


def by_hand():
    """The same problem as README makes it."""
    ends = {"a.x": "0.01", "a.y": "0.01", "d": "0.02"}
    columns = []
    for heading, values in ANCHORS.items():
        name, half = heading.split(" ")[0], Fraction(ends[heading.split(" ")[0]])
        low, high = (tuple(Fraction(v) + sign * half for v in values) for sign in (-1, 1))
        columns.append(certify.Column(name, "m", low, high))
    variables = tuple(certify.Variable(name, "m", Fraction(0), Fraction(5)) for name in ("p.x", "p.y"))
    tape = certify.trace(distance, {"p": (2,)}, {"a": (2,), "d": ()})
    bindings = tuple(certify.Binding(k > 1, k - 2 * (k > 1)) for k in range(5))
    return certify.Problem(variables, tuple(columns), (certify.Family("rows", tape, 3, bindings, "m"),))


@pytest.mark.parametrize(
    "half_widths",
    [{"a.x": "0.01", "a.y": "1 cm", "d": "20 mm"}, {"a.x": "10 mm", "a.y": Fraction(1, 100), "d": "0.02"}],
)
def test_a_table_is_the_problem_that_hands_would_write(half_widths):
    assert canonical_bytes(from_table(half_widths=half_widths)) == canonical_bytes(by_hand())


def test_half_widths_and_ends_may_stand_in_the_table():
    table = {**ANCHORS, "d half-width [mm]": ["20"] * 3}
    ends = {"a.x lower [m]": ["-0.01", "3.99", "-0.01"], "a.x upper [cm]": ["1", "401", "1"]}
    table = {**ends, "a.y [m]": table["a.y [m]"], "d [m]": table["d [m]"], "d half-width [mm]": ["20"] * 3}
    assert canonical_bytes(from_table(table, half_widths={"a.y": "0.01"})) == canonical_bytes(by_hand())


def test_doubles_mean_doubles_and_text_means_decimals():
    doubles = {name: np.array([float(value) for value in values]) for name, values in ANCHORS.items()}
    found = from_table(doubles).columns[-1].lower
    assert found == (Fraction(2.5), Fraction(2.5), Fraction(2.2)) != (Fraction("2.5"), Fraction("2.5"), Fraction("2.2"))
    exact = {name: [Decimal(value) for value in values] for name, values in ANCHORS.items()}
    assert from_table(exact).columns[-1].lower[2] == Fraction("2.2")


def test_a_dataframe_is_a_table():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({name: [float(value) for value in values] for name, values in ANCHORS.items()})
    doubles = {name: [float(value) for value in values] for name, values in ANCHORS.items()}
    assert canonical_bytes(from_table(frame)) == canonical_bytes(from_table(doubles))
    twice = pandas.concat([frame, frame["d [m]"]], axis=1)
    with pytest.raises(InputError, match=r"two columns are called 'd .m.'"):
        from_table(twice)


def test_lengths_are_in_one_unit_and_angles_in_radians_inside():
    table = {"L [mm]": ["1000", "2000"], "theta [deg]": ["90", "180"], "phi [mrad]": ["500", "1000"]}

    def model(x, m):
        return m.L - x.r * certify.sin(m.theta) * m.phi

    found = from_table(table, {"r [cm]": (0, 10)}, model=model)
    assert found.columns[0].lower == (1, 2) and found.columns[0].unit == "m"
    assert found.variables[0].upper == Fraction(1, 10) and found.variables[0].unit == "m"
    assert found.columns[1].unit == "deg" and found.columns[2].lower == (Fraction(1, 2), 1)
    low, high = found.blocks[0].with_box(*found.box, found.blocks[0].lower, found.blocks[0].upper)
    values = evaluate(found.families[0].tape, low, high)  # sin 90 deg is 1: 1 - r 0.5, with r up to 0.1
    assert values.lower[0][0] <= Fraction(95, 100) <= values.upper[0][0]


def test_one_dimension_has_one_unit():
    """kN were subtracted from N, as numbers."""
    table = {"G [N]": ["1000", "2000"], "t [ms]": [1, 2], "k [N/mm]": [3, 4]}
    found = from_table(table, {"F [kN]": (0, 5), "u [s]": (0, 1), "q [kN/m]": (0, 1)}, model=lambda x, m: m.G - x.F)
    assert [(one.unit, one.upper) for one in found.variables] == [("kN", 5), ("s", 1), ("kN/m", 1)]
    assert [(one.unit, one.upper[0]) for one in found.columns] == [("kN", 1), ("s", Fraction(1, 1000)), ("kN/m", 3)]


@pytest.mark.parametrize("units", ["mm N Nmm N/mm", "m N Nm N/m kg s V A", "m kN kNm kN/m", "N/mm m", "V mA N/m"])
def test_units_that_meet_without_a_factor_are_taken(units):
    table = {f"c{k} [{one}]": [1] for k, one in enumerate(units.split())}
    from_table(table, {"r": (0, 1)}, model=lambda x, m: x.r - m.c0, unit="1")


@pytest.mark.parametrize("units", ["N/mm m N", "Nm N mm", "kg mm s N", "V mA Nm/s", "N/mm kN mm", "1/s ms"])
def test_units_with_a_factor_between_are_refused(units):
    """k d in N/mm times m was compared with N as a number."""
    table = {f"c{k} [{one}]": [1] for k, one in enumerate(units.split())}
    with pytest.raises(InputError, match="and a formula multiplies numbers as they are"):
        from_table(table, {"r": (0, 1)}, model=lambda x, m: x.r - m.c0, unit="1")


@pytest.mark.parametrize("degrees", ["deg", "°"])
def test_only_the_components_in_deg_are_turned_into_radians(degrees):
    """All components of a vector were, where one was in deg: the millimetres, too."""
    table = {"d.x [m]": ["7"], f"d.phi [{degrees}]": ["180"]}
    found = from_table(table, {"r [m]": (0, 0)}, model=lambda x, m: m.d + x.r)
    low, high = found.blocks[0].with_box(*found.box, found.blocks[0].lower, found.blocks[0].upper)
    values = [evaluate(family.tape, low, high) for family in found.families]
    assert [round(float(one.lower[0][0]), 6) for one in values] == [7, 3.141593]


def test_components_of_a_vector_are_of_one_pose():
    found = from_table(model=lambda x, m: x.p - m.a, table={k: v for k, v in ANCHORS.items() if k[0] == "a"})
    assert [group.families for group in found.groups] == [("rows.1", "rows.2")]


def warned(**words):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        from_table(**words)
    return [(str(one.message), one.filename, one.lineno) for one in caught if one.category is FloatConstant]


def test_a_float_beside_decimals_is_told_where_it_stands():
    found = warned(model=lambda x, m: certify.norm(x.p - m.a) - m.d - 0.1, half_widths={"d": 0.02})
    assert [told.partition(",")[0] for told, _, _ in found] == [
        "half_widths['d'] is the float 0.02",
        "the model uses the float 0.1",
    ]
    assert {file for _, file, _ in found} == {__file__}
    assert "0.1000000000000000055511151..." in found[1][0] and "write Fraction('0.1')" in found[1][0]
    assert len(warned(box={"p.x [m]": (0, 5.1), "p.y [m]": (0, 5)})) == 1


def test_no_float_is_told_that_is_the_decimal_or_stands_beside_doubles():
    assert not warned(model=lambda x, m: 0.5 * certify.norm(x.p - m.a) - m.d / 2, half_widths={"d": 0.25})
    doubles = {name: [float(value) for value in values] for name, values in ANCHORS.items()}
    assert not warned(table=doubles, model=lambda x, m: certify.norm(x.p - m.a) - m.d - 0.1)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"table": {"d [m]": [1, None]}}, "column 'd .m.', row 2 is 'None'"),
        ({"table": {"d [m]": [1, float("nan")]}}, "row 2 is 'nan'; give a finite number"),
        ({"table": {"d [m]": "12"}}, "give a column of numbers"),
        ({"table": {"d [m]": [1, 2], "e": [1]}}, r"different numbers of entries \(d 2, e 1\)"),
        ({"table": {"d [m]": {5: 1, 6: 2}}}, "column 'd .m.' is a dict; give its numbers in order"),
        ({"box": {"p.x": {0: 1, 3: 2}}}, "is no pair of ends"),
        ({"box": {"p.y": (0, 1), "p.x": (0, 1)}}, "the components of p stand as y, x; put them in order"),
        ({"box": {"p.2": (0, 1), "p.10": (0, 1), "p.3": (0, 1)}}, "the components of p stand as 2, 10, 3; put them in"),
        ({"table": {**ANCHORS, "k [N/mm]": [1] * 3, "F [N]": [1] * 3}}, "N stands beside m, N/mm, and a formula"),
        ({"table": {**ANCHORS, "M [Nmm]": [1] * 3, "F [N]": [1] * 3}}, "N stands beside m, Nmm, and a formula"),
        ({"table": {**ANCHORS, "w [deg/s]": [1] * 3}}, "w is in 'deg/s', and angles are radians inside the model"),
        ({"table": {**ANCHORS, "W [kJ]": [1] * 3, "V [J]": [1] * 3}}, "W is in 'kJ', another is in 'J'; use one unit"),
        ({"unit": "mrad"}, "the rows are in mrad, and angles are radians inside the model"),
        ({"table": {"d [m]": []}}, "the table has no rows"),
        ({"table": [1, 2]}, "the table is list; give a DataFrame"),
        ({"table": {"my d": [1]}}, "'my d' is no name for a model's formula"),
        ({"table": {"d": [1], "d [mm]": [2]}}, "column d is given twice"),
        ({"table": {"d lower": [1]}}, "column d is given by 'd lower'"),
        ({"table": {"d lower": [2], "d upper": [1]}}, "lower 2.0 exceeds upper 1.0; exchange them"),
        ({"table": {"d": [1], "d half-width": [-1]}}, "its half-width -1.0 is negative"),
        ({"table": {"d": [1], "d half-width [deg]": [1]}}, "is in 'deg', its column in '1'; use one unit"),
        ({"half_widths": {"e": 1}}, "half_widths has 'e', which is no column"),
        ({"half_widths": {"d": "1 deg"}}, "is in 'deg', its column in 'm'"),
        ({"half_widths": {"d": [1, 2]}}, "has 3 entries and 2 half-widths"),
        ({"half_widths": {"d": -1}}, "is negative"),
        ({"box": {}}, "nothing is unknown"),
        ({"box": {"p.x": 3}}, "unknown p.x: 3 is no pair of ends"),
        ({"box": {"p.x": (0, "many")}}, "its upper end is 'many'"),
        ({"box": {"p.x": (0, 1), "q": (0, 1), "p.y": (0, 1)}}, "the components of p do not stand side by side"),
        ({"box": {"p": (0, 1), "p.y": (0, 1)}}, "there is a p already"),
        ({"box": {"p.x lower": (0, 1)}}, "lower belongs to a column"),
        ({"box": {"p.x": (3, 1), "p.y": (0, 1)}}, "its lower bound 3.0 exceeds its upper bound 1.0"),
        ({"model": lambda x, m: {"a": m.d - x.p[0]}}, "the model returned a dictionary"),
        ({"model": lambda x, m: m.q}, "the model asks for m.q, which it has not; it has a, d"),
    ],
)
def test_mistakes_are_named(words, told):
    with pytest.raises(InputError, match=told):
        from_table(**words)
