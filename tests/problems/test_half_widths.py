"""What half-widths are: bounds, or so many standard deviations; and the same problem with all of them wider or
narrower.
"""

from fractions import Fraction

import flint
import pytest

from certify.problems.errors import InputError
from certify.problems.experiments.half_widths import (
    UNSTATED,
    ByColumn,
    HalfWidths,
    Mixture,
    by_column,
    deviations_for_all,
    of_column,
    of_readings,
    offered,
    parse_half_widths,
)
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.model.model import Column, Problem, Variable
from certify.problems.model.scaled import factor_between, scaled, uncertain_readings


@pytest.mark.parametrize("readings", [1, 2, 64, 448, 768, 10**4, 10**5, 10**7])
def test_so_many_deviations_hold_all_readings_with_99_percent(readings):
    """By Arb: erf(k / sqrt 2)^N is 0.99."""
    k = deviations_for_all(readings)
    assert float((flint.arb(k) / flint.arb(2).sqrt()).erf() ** readings) == pytest.approx(0.99, abs=1e-9)
    assert 0 <= offered(readings) - Fraction(k) < Fraction(1, 100)
    assert offered(readings).denominator in (1, 2, 4, 5, 10, 20, 25, 50, 100)


def test_the_numbers_that_the_manual_names():
    assert [f"{deviations_for_all(n):.1f}" for n in (448, 10**4, 10**5)] == ["4.2", "4.9", "5.3"]
    three = HalfWidths(Fraction(3))
    assert three.expected_outside(2773 * 6) == pytest.approx(44.9, abs=0.05)
    assert three.factor_of_noise(448) == pytest.approx(4.2392 / 3, rel=1e-4)
    assert (HalfWidths().expected_outside(9), HalfWidths().factor_of_noise(9)) == (None, None)


@pytest.mark.parametrize(
    "text",
    ["bounds", "3 standard deviations", "1 standard deviation", "1.96 standard deviations", "0.5 standard deviations"],
)
def test_what_is_written_is_read(text):
    read = parse_half_widths(text, "here")
    assert read.stated
    assert read.text == text


@pytest.mark.parametrize(
    "value",
    ["3", "sigma", "3 standard  deviations", "", "3standard deviations", 3, 3.0, ["bounds"], {"x": "bounds"}, "Bounds"],
)
def test_anything_else_is_answered_with_what_to_write(value):
    with pytest.raises(
        InputError,
        match=r'^here: half_widths_are is .*; write "bounds", or how many .* such as "3 standard deviations"',
    ):
        parse_half_widths(value, "here: half_widths_are")


@pytest.mark.parametrize("count", ["0", "-3", "101", "1e9"])
def test_a_number_of_deviations_is_positive(count):
    with pytest.raises(InputError, match="write a positive number of standard deviations, at most 100"):
        parse_half_widths(f"{count} standard deviations", "here")
    with pytest.raises(InputError, match="is not a decimal number"):
        parse_half_widths("three standard deviations", "here")


def test_the_shipped_data_say_what_their_half_widths_are(tmp_path):
    path = shipped("table_of_stewart")
    assert load_experiment(path).half_widths_are == HalfWidths(Fraction(3))
    for name in ("problem.toml", "poses.csv"):
        (tmp_path / name).write_bytes((path.parent / name).read_bytes())
    changed = tmp_path / "problem.toml"
    changed.write_text(changed.read_text().replace('half_widths_are = "3 standard deviations"\n', ""))
    assert load_experiment(changed).half_widths_are == UNSTATED


def problem():
    tenth = Fraction(1, 10)
    columns = (
        Column("a", "mm", (Fraction(1), Fraction(2)), (Fraction(1) + tenth, Fraction(3))),
        Column("b", "mm", (Fraction(5), Fraction(6)), (Fraction(5), Fraction(7))),
    )
    return Problem((Variable("x", "mm", Fraction(0), Fraction(1)),), columns, ())


def test_all_half_widths_are_scaled_exactly_and_middles_stay():
    factor = Fraction(7, 3)
    wide = scaled(problem(), factor)
    for column, other in zip(problem().columns, wide.columns, strict=True):
        for low, high, below, above in zip(column.lower, column.upper, other.lower, other.upper, strict=True):
            assert below + above == low + high
            assert above - below == factor * (high - low)
    assert scaled(wide, 1 / factor) == problem()
    assert scaled(problem(), Fraction(1)) == problem()
    assert all(column.lower == column.upper for column in scaled(problem(), Fraction(0)).columns)


def entries(of):
    return [list(zip(column.lower, column.upper, strict=True)) for column in of.columns]


def test_the_factor_between_two_problems_is_found_again_or_there_is_none():
    assert factor_between(entries(problem()), entries(scaled(problem(), Fraction(7, 3)))) == Fraction(7, 3)
    shifted = entries(problem())
    shifted[0][0] = (shifted[0][0][0] + 1, shifted[0][0][1] + 1)
    uneven = entries(scaled(problem(), Fraction(2)))
    uneven[1][1] = (Fraction(6), Fraction(7))
    widened = entries(problem())
    widened[1][0] = (Fraction(4), Fraction(6))  # it was known exactly
    for other in (shifted, uneven, widened, entries(problem())[:1], [entries(problem())[0][:1], entries(problem())[1]]):
        assert factor_between(entries(problem()), other) is None
    assert factor_between(entries(scaled(problem(), Fraction(0))), entries(problem())) is None


def test_uncertain_readings_of_shared_columns_count_once():
    experiment = load_experiment(shipped("table_of_stewart"))
    stewart = experiment.problem(experiment.nominal)
    assert uncertain_readings(stewart, (0,)) == 7 * 64
    assert uncertain_readings(stewart) == 12 * 64
    assert uncertain_readings(scaled(stewart, Fraction(0))) == 0


@pytest.mark.parametrize("sorts", [((2, 30), (3, 7)), ((1, 1), (5, 400)), ((3, 12), (3, 40))])
def test_the_factor_of_noise_of_several_sorts_holds_all_readings_with_99_percent(sorts):
    """By Arb: the product of erf(f k / sqrt 2)^N is 0.99."""
    gaussian = Mixture(tuple((HalfWidths(Fraction(k)), count) for k, count in sorts))
    factor = gaussian.factor_of_noise(0)
    inside = flint.arb(1)
    for k, count in sorts:
        inside *= (flint.arb(factor) * k / flint.arb(2).sqrt()).erf() ** count
    assert float(inside) == pytest.approx(0.99, abs=1e-9)
    outside = sum(count * HalfWidths(Fraction(k)).expected_outside(1) for k, count in sorts)
    assert gaussian.expected_outside(0) == pytest.approx(outside)
    bounded = Mixture((*gaussian.sorts, (HalfWidths(), 5)))
    assert bounded.factor_of_noise(0) == max(factor, 1.0)
    assert bounded.expected_outside(0) == gaussian.expected_outside(0)


def test_columns_that_say_the_same_are_one_statement():
    three, bounds = HalfWidths(Fraction(3)), HalfWidths()
    assert by_column({"x": three, "y": three}) == three
    assert by_column({}) == UNSTATED
    mixed = by_column({"x": three, "y": bounds, "z": UNSTATED})
    assert mixed == ByColumn((("x", three), ("y", bounds)))
    assert [of_column(mixed, name) for name in "xyz"] == [three, bounds, UNSTATED]
    assert of_readings(mixed, {"x": 4, "y": 0}) == three
    assert of_readings(mixed, {"x": 4, "y": 2, "z": 1}).sorts == ((three, 4), (bounds, 2), (UNSTATED, 1))
    assert not of_readings(mixed, {"x": 4, "z": 1}).stated
    assert of_readings(mixed, {}) == UNSTATED
