"""exp, log, atan and erf in every rule: bounds that are true to nine digits are verified, ones a little beyond the
truth are rejected.
"""

from fractions import Fraction

import flint
import pytest
from arb_texts import (
    dyadic,
    judged,
    lower,
    minimum,
    number,
    one,
    rejected,
    rows_of,
    some,
    upper,
    verified,
    within,
    zeros,
)
from exact_functions import exact_bell, exact_error_function

from certify.checker_arb import Status
from certify.checker_arb.interval import between
from certify.checker_arb.outcome import Undefined
from certify.checker_arb.taylor import derivatives, units

NAMES = ("exp", "log", "atan", "erf")
NOT_POSITIVE, SMALL, INTERIOR, CONVEX = (
    "not proved to be positive",
    "as small as the error",
    "into the interior",
    "not positive definite",
)
DIGITS = 10**9


def true_value(name, x):
    """A function at a number, right to many digits; erf from an exact series, not from Arb."""
    with flint.ctx.workprec(500):
        if name == "erf":
            low, high = exact_error_function(Fraction(x), 480)  # erf 16 is 1 but for 10^-113
            return flint.arb(number((low + high) / 2), number((high - low) / 2))
        return getattr(flint.arb(number(x)), name)()


def rounded(value, unit):
    """The multiple of 1 / unit just below a number that is known well enough."""
    with flint.ctx.workprec(600):
        return Fraction(int((value * unit).floor().unique_fmpz()), unit)


def below(value):
    """A number of nine digits just below the truth."""
    return rounded(value, DIGITS)


def above(value):
    return below(value) + Fraction(1, DIGITS)


def fraction(value):
    """A number close to the truth."""
    return rounded(value, 2**200)


def slope(name, x):
    x = Fraction(x)
    if name == "erf":
        return sum(exact_bell(x, 200)) / 2
    return {"exp": lambda: fraction(true_value("exp", x)), "log": lambda: 1 / x, "atan": lambda: 1 / (1 + x * x)}[
        name
    ]()


def least_bend(name, low, high):
    """The lower end of the second derivative on a box of positive numbers; of atan what an enclosure of -2 x / (1 +
    x^2)^2 has, of erf one of -2 x times the first.
    """
    if name == "erf":
        return -2 * high * slope(name, low)
    return {"exp": slope("exp", low), "log": -1 / low**2, "atan": -2 * high / (1 + low * low) ** 2}[name]


@pytest.mark.parametrize("name", NAMES)
def test_evaluate(name):
    """From above and from below: f(x) on [2, 3], and f(x) - 100."""
    text, least, most = one(f"{name} 0", low="2", high="3"), true_value(name, 2), true_value(name, 3)
    verified(text, lower(below(least), "evaluate 0 0"))
    rejected(judged(text, lower(above(least), "evaluate 0 0")), "evaluate", SMALL)
    other = one(f"{name} 0", "const 100", "sub 1 2", low="2", high="3")
    verified(other, lower(below(100 - most), "evaluate 0 0"))
    rejected(judged(other, lower(above(100 - most), "evaluate 0 0")), "evaluate", SMALL)
    verified(other, lower(below((100 - most) ** 2), "evaluate 0 0", norm="squares"))
    rejected(judged(other, lower(above((100 - most) ** 2), "evaluate 0 0", norm="squares")), "evaluate", SMALL)


@pytest.mark.parametrize("name", NAMES)
def test_mean_values_and_second_order(name):
    """f on [2, 5/2]: the bounds are known exactly. They are weaker than the truth, never stronger."""
    low, high = Fraction(2), Fraction(5, 2)
    centre, radius = (low + high) / 2, (high - low) / 2
    text = one(f"{name} 0", low="2", high="5/2")
    middle = true_value(name, centre)
    steepest = max(slope(name, low), slope(name, high))
    mean = middle - flint.arb(number(steepest * radius))
    verified(text, lower(below(mean), "aggregate m0.0+1"))
    rejected(judged(text, lower(above(mean), "aggregate m0.0+1")), "aggregate", NOT_POSITIVE)
    second = middle - flint.arb(
        number(slope(name, centre) * radius - min(0, least_bend(name, low, high) / 2 * radius**2))
    )
    verified(text, lower(below(second), "aggregate t0.0+1"))
    truth = true_value(name, low)
    assert second <= truth
    for e in (above(truth), above(truth) + 1, above(truth) * 100):
        for form in "mt":
            rejected(judged(text, lower(e, f"aggregate {form}0.0+1")), "aggregate", NOT_POSITIVE)
    for form in "mt":  # the other side
        rejected(judged(text, lower("1/1000", f"aggregate {form}0.0-1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", NAMES)
def test_mean_values_and_second_order_from_below(name):
    """f - 100 is negative: the same with the signs turned."""
    text = one(f"{name} 0", "const 100", "sub 1 2", low="2", high="33/16")
    truth = 100 - true_value(name, Fraction(33, 16))
    for form in "mt":
        verified(text, lower(below(truth) - Fraction(1, 50), f"aggregate {form}0.0-1"))
        rejected(judged(text, lower(above(truth), f"aggregate {form}0.0-1")), "aggregate", NOT_POSITIVE)
        rejected(judged(text, lower("1", f"aggregate {form}0.0+1")), "aggregate", NOT_POSITIVE)


def test_second_order_proves_what_mean_values_do_not():
    """exp x - x on [-1, 1]: the slope vanishes at the centre."""
    text = one("exp 0", "sub 1 0")
    verified(text, lower("999/1000", "aggregate t0.0+1"))
    rejected(judged(text, lower("999/1000", "aggregate m0.0+1")), "aggregate", NOT_POSITIVE)
    rejected(judged(text, lower("1001/1000", "aggregate t0.0+1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", NAMES)
def test_the_polynomial_form_has_functions_of_constants(name):
    value = true_value(name, 2)
    text = one("const 2", f"{name} 1", "add 0 2", low="0")
    verified(text, lower(below(value), "aggregate q0.0+1"))
    rejected(judged(text, lower(above(value), "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)
    factor = one("const 2", f"{name} 1", "mul 0 2", low="1")
    verified(factor, lower(below(value), "aggregate q0.0+1"))
    rejected(judged(factor, lower(above(value), "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("tape", "least"), [("{} 0", 4), ("sqr 0, {} 1", 16), ("sqrt 0, {} 1", 2), ("sub 0 0, const 7, add 1 2, {} 3", 2)]
)
def test_the_polynomial_form_encloses_functions_of_variables(name, tape, least):
    """Over x from 4 to 9, node by node: x - x is from -5 to 5."""
    text = one(
        *tape.format(name).split(", "), "const 1", f"add {tape.count(',') + 1} {tape.count(',') + 2}", low="4", high="9"
    )
    with flint.ctx.workprec(500):
        bound = 1 + true_value(name, least)
    verified(text, lower(below(bound), "aggregate q0.0+1"))
    rejected(judged(text, lower(above(bound), "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ["q", "m", "t"])
def test_measurements_under_a_function_go_to_their_end(name, form):
    """x + f(y), y from 2 to 4: least for the lower end, as f grows."""
    value = true_value(name, 2)
    columns = (("y", ("2 4",)),)
    text = one(f"{name} 1", "add 0 2", low="1", high="2", columns=columns, bindings="v0 c0")
    verified(text, lower(below(1 + value), f"aggregate {form}0.0+1"))
    rejected(judged(text, lower(above(1 + value), f"aggregate {form}0.0+1")), "aggregate", NOT_POSITIVE)
    turned = one(f"{name} 1", "neg 2", "sub 3 0", low="1", high="2", columns=columns, bindings="v0 c0")
    verified(turned, lower(below(1 + value), f"aggregate {form}0.0-1"))
    rejected(judged(turned, lower(above(1 + value), f"aggregate {form}0.0-1")), "aggregate", NOT_POSITIVE)


def test_measurements_that_pull_both_ways_cost_slack():
    """x + exp(y) - 2 y on y in [0, 1]: least at log 2, where it is x + 2 - 2 log 2."""
    text = one(
        "exp 1", "add 1 1", "sub 2 3", "add 0 4", low="1", high="2", columns=(("y", ("0 1",)),), bindings="v0 c0"
    )
    truth = 3 - 2 * true_value("log", 2)
    rejected(
        judged(text, lower(below(truth) - Fraction(1, 100), "prepare 3", "aggregate m0.0+1")), "aggregate", NOT_POSITIVE
    )
    verified(text, lower(below(truth) - Fraction(1, 100), "prepare 256", "aggregate m0.0+1"))
    rejected(judged(text, lower(above(truth), "prepare 256", "aggregate m0.0+1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", NAMES)
def test_witnesses(name):
    text = one(f"{name} 0", low="0", high="4")
    value = true_value(name, 3)
    verified(text, upper(above(value), "3"))
    rejected(judged(text, upper(below(value), "3")), "witness", "at most the upper end")
    verified(text, upper(above(value**2), "3", norm="squares"))
    rejected(judged(text, upper(below(value**2), "3", norm="squares")), "witness", "at most the upper end")
    negative = one(f"{name} 0", "neg 1", low="0", high="4")
    verified(negative, upper(above(value), "3"))
    rejected(judged(negative, upper(below(value), "3")), "witness", "at least minus")


@pytest.mark.parametrize(
    ("name", "x", "value"), [("exp", "0", "1"), ("log", "1", "0"), ("atan", "0", "0"), ("erf", "0", "0")]
)
def test_rational_values_are_exact(name, x, value):
    verified(one(f"{name} 0", low="0", high="4"), upper(value, x))


@pytest.mark.parametrize("name", NAMES)
def test_a_segment_of_measurements_meets_zero(name):
    """f(y) - x has both signs for y from 1 to 3."""
    columns = (("y", ("1 3",)),)
    text = one(f"{name} 1", "sub 2 0", low="0", high="30", columns=columns, bindings="v0 c0")
    x = below(true_value(name, 2))
    verified(text, upper("0", x, "column y 0:1"))
    rejected(judged(text, upper("0", x, "column y 1")), "witness", "at most the upper end")
    rejected(judged(text, upper("0", "29", "column y 0:1")), "witness", "at least minus")


def test_a_segment_across_the_gap_of_a_logarithm_is_rejected():
    """log(y^2) is 0 at both ends and undefined in the middle."""
    text = one("sqr 1", "log 2", "add 0 3", low="0", columns=(("y", ("-1 1",)),), bindings="v0 c0")
    rejected(judged(text, upper("0", "0", "column y 0:1")), "witness", "logarithm")
    verified(text, upper("0", "0", "column y 1"))


# f(x) = k on a box around the solution z
EQUATIONS = {
    "exp": ("2", "log", 2),
    "log": ("1/2", "exp", Fraction(1, 2)),
    "atan": ("1/2", "tan", Fraction(1, 2)),
    "erf": ("1/2", "erfinv", Fraction(1, 2)),
}


def equation(name, low="0", high="2"):
    """The problem f(x) = k and the solution."""
    constant, inverse, at = EQUATIONS[name]
    solution = fraction(true_value(inverse, at))
    return one(f"{name} 0", f"const {constant}", "sub 1 2", low="1/8" if low == "0" else low, high=high), solution


def around(z, radius, factor):
    """The block of an isolated point, and the ends of its box."""
    low, high = dyadic(z - radius), dyadic(z + radius)
    return (f"zero {low} {high}", f"inverse {dyadic(factor)}"), low, high


@pytest.mark.parametrize("name", NAMES)
def test_zeros(name):
    text, z = equation(name)
    radius, factor = Fraction(1, 64), 1 / slope(name, z)

    def tree(low, high, leaf="known 0"):
        return (f"split 0 {low}", "evaluate 0 0", f"split 0 {high}", leaf, "evaluate 0 0")

    block, low, high = around(z, radius, factor)
    verified(text, zeros((block,), *tree(low, high)))
    rejected(judged(text, zeros((block,), *tree(low, high, "evaluate 0 0"))), "evaluate", SMALL)
    rejected(judged(text, zeros((), *tree(low, high, "evaluate 0 0"))), "evaluate", SMALL)
    for wrong in (-factor, Fraction(0), 3 * factor, -factor / 100):
        rejected(judged(text, zeros((around(z, radius, wrong)[0],), *tree(low, high))), "isolated", INTERIOR)
    for away in (3 * radius, -3 * radius, radius * Fraction(11, 10), -radius * Fraction(11, 10)):
        other, first, last = around(z + away, radius, factor)
        rejected(judged(text, zeros((other,), *tree(first, last))), "isolated", INTERIOR)
    rejected(judged(text, zeros((block, block), *tree(low, high))), "isolated", "same")
    beside = one(
        f"{name} 0", f"const {EQUATIONS[name][0]}", "sub 1 2", low=str(Fraction(dyadic_value(high)) + 1), high="9"
    )
    verified(beside, zeros((), "evaluate 0 0"))
    rejected(judged(beside, zeros((block,), "evaluate 0 0")), "isolated", "outside the problem's box")


def dyadic_value(token):
    mantissa, exponent = token.split("p")
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


@pytest.mark.parametrize("name", NAMES)
def test_hulls(name):
    text, z = equation(name)
    low, high = z - Fraction(1, 64), z + Fraction(1, 64)
    ends = [Fraction(dyadic_value(dyadic(v))) for v in (low, high)]
    tree = (f"split 0 {dyadic(low)}", "evaluate 0 0", f"split 0 {dyadic(high)}", "open", "evaluate 0 0")
    verified(text, within("1/1000", (f"{ends[0]} {ends[1]}",), *tree))
    rejected(judged(text, within("1/10", (f"{ends[0]} {ends[1]}",), *tree)), "evaluate", SMALL)
    rejected(
        judged(text, within("1/1000", (f"{ends[0]} {z.limit_denominator(1000)}",), *tree)), "open", "leaves the hull"
    )


@pytest.mark.parametrize("name", NAMES)
def test_minima(name):
    """(f(x) - k)^2 has its minimum 0 at the solution."""
    text, z = equation(name)
    radius, factor = Fraction(1, 64), 1 / slope(name, z) ** 2
    block, low, high = around(z, radius, factor)
    verified(text, minimum("1/100000", block))
    verified(
        text, minimum("1/100000", block, f"split 0 {low}", "evaluate 0 0", f"split 0 {high}", "known 0", "evaluate 0 0")
    )
    rejected(judged(text, minimum("0", around(z + radius / 4, radius, factor)[0])), "minimum", "proved to be so small")
    rejected(judged(text, minimum("1/100000", block, "known 0")), "known", "leaves the box")
    rejected(
        judged(text, minimum("1/100000", block, f"split 0 {low}", "known 0", "evaluate 0 0")), "known", "leaves the box"
    )
    for wrong in (-factor, Fraction(0), 3 * factor, -factor / 100):
        rejected(judged(text, minimum("1/100000", around(z, radius, wrong)[0])), "minimum", INTERIOR)
    for away in (3 * radius, -3 * radius, radius * Fraction(11, 10), -radius * Fraction(11, 10)):
        rejected(judged(text, minimum("100", around(z + away, radius, factor)[0])), "minimum", INTERIOR)


# half the second derivative of f^2 at 0, which is f f'': the maxima of exp(-x^2), log(3 - x^2), atan(1 - x^2),
# erf(1 - x^2)
HILLS = {
    "exp": (one("sqr 0", "neg 1", "exp 2"), Fraction(-2)),
    "log": (one("sqr 0", "const 3", "sub 2 1", "log 3"), Fraction(-2, 3) * fraction(true_value("log", 3))),
    "atan": (one("sqr 0", "const 1", "sub 2 1", "atan 3"), -fraction(true_value("atan", 1))),
    "erf": (one("sqr 0", "const 1", "sub 2 1", "erf 3"), -2 * fraction(true_value("erf", 1)) * slope("erf", 1)),
}
# and the minima of exp(x^2), log(3 + x^2), atan(1 + x^2), erf(1 + x^2)
VALLEYS = {
    "exp": (one("sqr 0", "exp 1"), Fraction(2), "1"),
    "log": (one("sqr 0", "const 3", "add 2 1", "log 3"), Fraction(2, 3) * fraction(true_value("log", 3)), "121/100"),
    "atan": (one("sqr 0", "const 1", "add 2 1", "atan 3"), fraction(true_value("atan", 1)), "617/1000"),
    "erf": (
        one("sqr 0", "const 1", "add 2 1", "erf 3"),
        2 * fraction(true_value("erf", 1)) * slope("erf", 1),
        "711/1000",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_second_derivatives_decide_what_is_a_minimum(name):
    text, half = HILLS[name]
    rejected(judged(text, minimum("1000", around(Fraction(0), Fraction(1, 64), 1 / half)[0])), "minimum", CONVEX)
    rejected(judged(text, minimum("1000", around(Fraction(0), Fraction(1, 64), -1 / half)[0])), "minimum", INTERIOR)
    text, half, truth = VALLEYS[name]
    verified(text, minimum(truth, around(Fraction(0), Fraction(1, 64), 1 / half)[0]))
    rejected(
        judged(text, minimum(Fraction(truth) * Fraction(99, 100), around(Fraction(0), Fraction(1, 64), 1 / half)[0])),
        "minimum",
        "so small",
    )
    rejected(judged(text, minimum("1000", around(Fraction(0), Fraction(1, 64), -1 / half)[0])), "minimum", INTERIOR)


LOGARITHM, BEYOND = "logarithm of an interval that may reach 0", "beyond 2^8192"
UNDEFINED = {
    "log at 0": (one("log 0", low="0"), LOGARITHM),
    "log below 0": (one("log 0"), LOGARITHM),
    "log of a negative number": (one("const -1", "log 1", "sqr 0", "add 2 3"), LOGARITHM),
    "log of 0": (one("const 0", "log 1", "sqr 0", "add 2 3"), LOGARITHM),
    "log of a square at 0": (one("sqr 0", "log 1"), LOGARITHM),
    "log of a root at 0": (one("sqrt 0", "log 1", low="0"), ""),  # or the slope of the root
    "log of a sine": (one("sin 0", "log 1"), LOGARITHM),
    "log of an arctangent": (one("atan 0", "log 1"), LOGARITHM),
    "log of a logarithm at 1": (one("log 0", "log 1", low="1", high="2"), LOGARITHM),
    "log that does not count": (one("log 0", "sqr 0", "const 1", "add 2 3"), LOGARITHM),
    "log times 0": (one("log 0", "const 0", "mul 1 2", low="0"), LOGARITHM),
    "exponential of a logarithm": (one("log 0", "exp 1", low="0"), LOGARITHM),
    "exponential of 10000": (one("const 10000", "exp 1", "add 0 2"), BEYOND),
    "exponential of 5679": (one("exp 0", low="1", high="5679"), BEYOND),
    "exponential of 10^1999": (one("exp 0", high=f"1{'0' * 1999}"), BEYOND),
    "exponential that does not count": (one("exp 0", "sqr 0", high="6000"), BEYOND),
    "exponential of an exponential": (one("exp 0", "exp 1", high="9"), BEYOND),
    "square of an exponential": (one("exp 0", "sqr 1", high="3000"), BEYOND),
    "tower of exponentials": (one(*(f"exp {k}" for k in range(3000)), low="2", high="3"), BEYOND),
    "arctangent of a pole": (one("const 1", "div 1 0", "atan 2"), "division"),
    "arctangent of a root below 0": (one("sqrt 0", "atan 1"), "below 0"),
    "slope of the logarithm of a root at 0": (one("sqrt 0", "const 1", "add 1 2", "log 3", low="0"), "division"),
}

# where these are defined, they are large; two of them are defined nowhere
LARGE = {
    *(
        "log of a negative number",
        "log of 0",
        "log of a sine",
        "log of an arctangent",
        "log of a logarithm at 1",
        "log that does not count",
    ),
    *(
        "exponential of 10000",
        "exponential of 5679",
        "exponential of 10^1999",
        "exponential of an exponential",
        "square of an exponential",
    ),
    "tower of exponentials",
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_is_undefined_proves_nothing_but_where_it_is_defined(name):
    text, reason = UNDEFINED[name]
    if name in LARGE:
        verified(text, lower("1/1000000", "evaluate 0 0"))
    else:
        rejected(judged(text, lower("1/1000000", "evaluate 0 0")), "evaluate", SMALL)
    for form in "qmt":
        why = NOT_POSITIVE if form == "q" and name.startswith("slope") else reason  # a polynomial has no need of slopes
        rejected(judged(text, lower("1/1000000", f"aggregate {form}0.0+1")), "aggregate", why)
        rejected(judged(text, lower("1/1000000", f"aggregate {form}0.0-1")), "aggregate", why)
    for low, high in (("-1", "6000"), ("-1p-4", "16p1000"), ("-1p4096", "1p4096")):
        block = (f"zero {low} {high}", "inverse 1")
        rejected(judged(text, zeros((block,), "known 0")), "isolated", "")
        rejected(judged(text, minimum("1", block)), "minimum", "")


@pytest.mark.parametrize(("x", "reason"), [("0", LOGARITHM), ("-1", LOGARITHM), ("1", "")])
def test_witnesses_where_a_logarithm_is_undefined(x, reason):
    text = one("log 0", "neg 0")
    for norm in ("largest", "squares"):
        claim = upper("1", x, norm=norm)
        if reason:
            rejected(judged(text, claim), "witness", reason)
        else:
            verified(text, claim)


HUGE = f"1{'0' * 1999}"
EXTREME = {
    "erf of anything": (one("erf 0", "const 2", "add 2 1", low=f"-{HUGE}", high=HUGE), "999/1000", "1"),
    "erf of its end": (one("erf 0", low=HUGE[:-1], high=HUGE), "999999/1000000", "1"),
    "erf of exp": (one("exp 0", "erf 1", low="1", high="5678"), "99987/100000", "1"),  # erf e = 0.999879
    "a tower of error functions": (one(*(f"erf {k}" for k in range(300)), low="1", high=HUGE), "1/100", "1"),
    "atan of anything": (one("atan 0", "const 2", "sub 2 1", low=f"-{HUGE}", high=HUGE), "429/1000", "43/100"),
    "atan of its end": (one("atan 0", low=f"{HUGE[:-1]}", high=HUGE), "157/100", "1571/1000"),
    "exp of minus anything": (one("neg 0", "exp 1", "const 1", "add 2 3", low="0", high=HUGE), "999/1000", "1"),
    "log of the largest": (one("log 0", low=HUGE[:-1], high=HUGE), "46005/10", "46006/10"),  # 1998 log 10 = 4600.565
    "log of the smallest": (one("const 1", "div 1 0", "log 2", low=HUGE[:-1], high=HUGE), "46005/10", "46006/10"),
    "log of exp": (one("exp 0", "log 1", low="1", high="5678"), "999/1000", "1001/1000"),
    "exp of minus exp": (one("exp 0", "neg 1", "exp 2", "const 1", "sub 4 3", low="3", high="5678"), "9999/10000", "1"),
    "a tower of logarithms": (
        one(*(f"log {k}" for k in range(3)), low=HUGE[:-1], high=HUGE),
        "2",
        "22/10",
    ),  # log log 4600 = 2.13
    "a tower of arctangents": (
        one(*(f"atan {k}" for k in range(3000)), "const 1", "add 0 3001", low="1", high=HUGE),
        "999/1000",
        "3",
    ),
    "log of a small power": (
        one(*(f"sqr {k}" for k in range(12)), "log 12", low="1/3", high="1/2"),
        "2839",
        "2840",
    ),  # 4096 log 2 = 2839.13
    "log of a power too small": (
        one(*(f"sqr {k}" for k in range(1500)), "log 1500", low="1/3", high="1/2"),
        "5678",
        "5679",
    ),  # 8192 log 2 = 5678.26
}


@pytest.mark.parametrize("name", EXTREME)
def test_extreme_arguments_end_at_once(name):
    text, low, high = EXTREME[name]
    verified(text, lower(Fraction(low), "evaluate 0 0"))
    assert judged(text, lower(Fraction(high), "evaluate 0 0")).status is Status.REJECTED
    for form in "qmt":
        assert judged(text, lower(Fraction(high), f"aggregate {form}0.0+1")).status is Status.REJECTED
    assert judged(text, minimum("1", ("zero -1p4096 1p4096", "inverse 1p-4096"))).status is Status.REJECTED


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_both_ways_to_slopes_agree(start):
    """From the result backwards, and node by node; over boxes they have common numbers, at points they are the same."""
    for seed in range(start, start + 10):
        _, box, text = some(seed)
        rows = rows_of(text)
        plan = rows.plans[0]
        for thin in (False, True):
            ends = [((a + b) / 2,) * 2 if thin else (a, b) for a, b in box]
            with flint.ctx.workprec(300):
                try:
                    nodes = rows.nodes(0, 0, [between(number(a), number(b)) for a, b in ends])
                    slopes = plan.slopes(nodes, plan.variables)
                    first, _ = derivatives(plan, units(rows.places[0]), nodes)
                except Undefined:
                    assert not thin
                    continue
                for node, place in zip(plan.variables, rows.places[0], strict=True):
                    low, high = first[(place,)]
                    assert not slopes[node][0] > high and not slopes[node][1] < low, (seed, text)
                    if thin:
                        assert abs(slopes[node][0] - low) <= (1 + abs(low)) * flint.arb((1, -150)), (seed, text)
