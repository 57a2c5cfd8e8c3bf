from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.problems.errors import InputError
from certify.problems.formulas.units import (
    MAX_DIGITS,
    Dimension,
    Quantity,
    format_decimal,
    format_quantity,
    nearest,
    parse_decimal,
    parse_quantity,
    shown,
)

DIGITS = st.text("0123456789", min_size=1, max_size=30)
NUMBERS = st.builds(
    lambda sign, whole, decimals, power: f"{sign}{whole}{decimals}{power}",
    st.sampled_from(["", "+", "-"]),
    DIGITS,
    st.one_of(st.just(""), st.just("."), DIGITS.map(lambda d: "." + d)),
    st.one_of(st.just(""), st.integers(-100, 100).map(lambda e: f"e{e}"), st.integers(0, 100).map(lambda e: f"E+{e}")),
)
DECIMALS = st.builds(lambda n, e: Fraction(n) * Fraction(10) ** e, st.integers(-(10**30), 10**30), st.integers(-40, 40))


@given(NUMBERS)
def test_every_number_of_the_grammar_has_its_exact_value(text):
    assert parse_decimal(text, "here") == Fraction(Context(prec=400).create_decimal(Decimal(text)))


@given(DECIMALS)
def test_a_decimal_is_written_such_that_it_reads_back(value):
    assert parse_decimal(format_decimal(value), "here") == value


@given(st.text(max_size=20))
def test_any_text_is_a_number_or_an_input_error(text):
    try:
        value = parse_decimal(text, "here")
    except InputError as error:
        message = str(error)
    else:
        message = "here: "
        assert text.isascii()
        assert value == Fraction(text)
    assert message.startswith("here: ")
    assert message.isascii()


def test_decimals_are_not_doubles():
    assert parse_decimal("0.6353", "") + parse_decimal("0.0647", "") == parse_decimal("0.7", "") == Fraction(7, 10)
    assert Fraction(0.7) != parse_decimal("0.7", "")


@pytest.mark.parametrize(
    "text",
    [
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "1_000",
        "\u0661\u0662",
        "\uff11",
        " 1",
        "1 ",
        "1\n",
        "0x10",
        "1/3",
        "1e",
        ".",
        "-",
        "+-1",
        "--2",
        "e5",
    ],
)
def test_what_is_no_decimal_is_refused_by_name(text):
    with pytest.raises(InputError) as caught:
        parse_decimal(text, "poses.csv, line 4, column x")
    assert (
        str(caught.value)
        == f"poses.csv, line 4, column x: {text!a} is not a decimal number; write digits such as 12.5 or -3e-2"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12.5", Fraction(25, 2)),
        ("-3e-2", Fraction(-3, 100)),
        ("+.5", Fraction(1, 2)),
        ("7.", Fraction(7)),
        ("-0", Fraction(0)),
        ("1E2", Fraction(100)),
    ],
)
def test_spellings(text, value):
    assert parse_decimal(text, "") == value


def test_blank_digits_and_exponents_are_limited():
    with pytest.raises(InputError, match=r"here: the number is missing; write a decimal number such as 12\.5"):
        parse_decimal("", "here")
    for text in ("1" * (MAX_DIGITS + 1), "1e101", "1e-9999"):
        with pytest.raises(InputError, match=r"more than 100 digits or an exponent beyond \+-100; shorten it"):
            parse_decimal(text, "here")
    for text in ("1e1000000", "9" * 10_000_000):
        with pytest.raises(InputError, match="is not a decimal number"):
            parse_decimal(text, "here")
    assert len(shown("9" * 10_000_000)) < 100


def test_thirds_and_giants_have_no_decimal():
    for value in (Fraction(1, 3), Fraction(10) ** MAX_DIGITS, Fraction(10) ** 5000, Fraction(1, 2**200)):
        with pytest.raises(InputError, match="cannot be written as a decimal of at most 100 digits; round it first"):
            format_decimal(value)


@pytest.mark.parametrize(
    ("text", "dimension", "expected"),
    [
        ("0.0231 mm", Dimension.LENGTH, Quantity(Fraction(231, 10000), "mm")),
        ("23.1 um", Dimension.LENGTH, Quantity(Fraction(231, 10000), "mm")),
        ("6.33e-5 m", Dimension.LENGTH, Quantity(Fraction(633, 10000), "mm")),
        ("1.2 cm", Dimension.LENGTH, Quantity(Fraction(12), "mm")),
        ("-0.5 inch", Dimension.LENGTH, Quantity(Fraction(-127, 10), "mm")),
        ("2.5 mrad", Dimension.ANGLE, Quantity(Fraction(1, 400), "rad")),
        ("  -1  deg ", Dimension.ANGLE, Quantity(Fraction(-1), "deg")),
        ("0.5 rad", Dimension.ANGLE, Quantity(Fraction(1, 2), "rad")),
        ("3 1", Dimension.NUMBER, Quantity(Fraction(3), "1")),
    ],
)
def test_quantities_come_in_canonical_units(text, dimension, expected):
    assert parse_quantity(text, dimension, "here") == expected
    assert parse_quantity(format_quantity(expected), dimension, "here") == expected


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("0.1", "here: '0.1' has no unit, a length (m, cm, mm, um, inch) is needed; write it such as '0.1 mm'"),
        ("0.1 V", "here: '0.1 V' has unit V, a length (m, cm, mm, um, inch) is needed"),
        ("0.1 deg", "here: '0.1 deg' has unit deg, a length (m, cm, mm, um, inch) is needed"),
        ("mm", "here: 'mm' is not a decimal number; write digits such as 12.5 or -3e-2"),
        (0.1, 'here: 0.1 is not a value with its unit; write both as text in quotes, such as "0.0231 mm"'),
        (True, 'here: True is not a value with its unit; write both as text in quotes, such as "0.0231 mm"'),
        ([1], 'here: a list is not a value with its unit; write both as text in quotes, such as "0.0231 mm"'),
        ("1 \x1b[2J", "here: '1 \\x1b[2J' has unit '\\x1b[2J', a length (m, cm, mm, um, inch) is needed"),
    ],
)
def test_what_is_no_quantity_is_refused_by_name(value, message):
    with pytest.raises(InputError) as caught:
        parse_quantity(value, Dimension.LENGTH, "here")
    assert str(caught.value) == message


def test_a_mistyped_name_is_answered_by_the_nearest():
    assert nearest("l1", ["L1", "x"]) == "did you mean 'L1'?"
    assert nearest("temperature", ["x", "y"]) == "known are 'x', 'y'"
    assert nearest("x", []) == "known are none"


@pytest.mark.parametrize(
    ("text", "remedy"), [("-0,67455", "decimal point instead of the comma"), ("3mm", "leave a space between .* '3 mm'")]
)
def test_two_common_habits_are_recognised(text, remedy):
    with pytest.raises(InputError, match=remedy):
        parse_decimal(text, "here")
