"""The form t: second derivatives, and what is not twice differentiable."""

from fractions import Fraction

import flint
import pytest
from arb_texts import DISTANCES, LINE, at, exactly, judged, lower, number, problem, rejected, rows_of, some

from certify.checker_arb import Status
from certify.checker_arb.boxes import Prepared
from certify.checker_arb.interval import between
from certify.checker_arb.outcome import Deadline, Undefined
from certify.checker_arb.taylor import derivatives, units
from certify.checker_arb.terms import Terms

NOT_POSITIVE = "not proved to be positive"


def one(*tape, low="-1", high="1"):
    return problem(variables=(f"x mm {low} {high}",), tape=tape, inputs=1, families=("F 0 1 v0",))


BOWL = one("sqr 0", "const 1", "add 1 2")  # x^2 + 1
CUBE = one("sqr 0", "mul 1 0", "const 3", "add 2 3", low="-3/4", high="3/4")  # x^3 + 3 >= 2.57
WAVE = one("cos 0")  # >= cos 1 = 0.5403
PRODUCT = problem(variables=("x mm 1 2", "y mm 1 2"), tape=("mul 0 1",), families=("F 0 1 v0 v1",))
RATIO = problem(variables=("x mm 1 2", "y mm 1 2"), tape=("div 0 1",), families=("F 0 1 v0 v1",))
VALLEY = problem(
    variables=("x mm 1 2",), columns=(("y", ("0 1",)),), tape=("sqr 1", "sub 2 1", "add 0 3"), families=("F 0 1 v0 c0",)
)
TRUE = {
    "a parabola": (BOWL, lower("99/100", "aggregate t0.0+1")),
    "a cube": (CUBE, lower("3/2", "prepare 1", "aggregate t0.0+1")),
    "a cosine": (WAVE, lower("499/1000", "aggregate t0.0+1")),  # 1 - 1/2, not 1 - sin 1
    "a product": (PRODUCT, lower("49/100", "aggregate t0.0+1")),
    "a quotient": (
        RATIO,
        lower("1/10", "split 1 3p-1", "prepare 1", "aggregate t0.0+1", "prepare 1", "aggregate t0.0+1"),
    ),
    "measurements": (DISTANCES, lower("9/10", "aggregate t0.0+1 t0.2-1")),
    "measurements that pull both ways": (VALLEY, lower("37/50", "prepare 256", "aggregate t0.0+1")),
    "a root": (one("sqrt 0", low="1", high="4"), lower("3/5", "aggregate t0.0+1")),
    "a root of a constant 0": (
        one("const 0", "sqrt 1", "sqr 0", "add 2 3", "const 1", "add 4 5"),
        lower("99/100", "aggregate t0.0+1"),
    ),
    "a variable twice": (
        problem(variables=("x mm -1 1",), tape=("mul 0 1", "const 1", "add 2 3"), families=("F 0 1 v0 v0",)),
        lower("99/100", "aggregate t0.0+1"),
    ),
    "a fourth power": (one("sqr 0", "sqr 1", "const 1", "add 2 3"), lower("99/100", "aggregate t0.0+1")),
    "a side": (one("sqr 0", "const 3", "sub 1 2"), lower("199/100", "aggregate t0.0-1")),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_is_verified(name):
    outcome = judged(*TRUE[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_it_proves_what_the_mean_value_form_does_not():
    rejected(judged(WAVE, lower("499/1000", "aggregate m0.0+1")), "aggregate", NOT_POSITIVE)
    rejected(judged(BOWL, lower("99/100", "aggregate m0.0+1")), "aggregate", NOT_POSITIVE)


BELOW, DIVISION = "below 0", "division"
ROUGH = {
    "root at 0": (one("sqrt 0", "const 1", "add 1 2", low="0"), DIVISION),
    "root at 0 of a square": (one("sqr 0", "sqrt 1", "const 1", "add 2 3"), DIVISION),
    "root at 0 of a product": (one("mul 0 0", "const 0", "add 1 2", "sqrt 3", "const 1", "add 4 5", low="0"), DIVISION),
    "root at 0 from above": (one("const 1", "sub 1 0", "sqrt 2", "const 1", "add 3 4"), DIVISION),
    "root at 0 times 0": (one("sqrt 0", "const 0", "mul 1 2", "const 1", "add 3 4", low="0"), DIVISION),
    "squared root at 0": (one("sqrt 0", "sqr 1", "const 1", "add 2 3", low="0"), DIVISION),
    "sine of a root at 0": (one("sqrt 0", "sin 1", "const 1", "add 2 3", low="0"), DIVISION),
    "cosine of a root at 0": (one("sqrt 0", "cos 1", low="0"), DIVISION),
    "root of a root at 0": (one("sqrt 0", "sqrt 1", "const 1", "add 2 3", low="0"), DIVISION),
    "root below 0": (one("sqrt 0", "const 1", "add 1 2"), BELOW),
    "root of a number below 0": (one("const -1", "sqrt 1", "sqr 0", "add 2 3"), BELOW),
    "root of a sum below 0": (one("const 1/2", "add 0 1", "sqrt 2", "const 1", "add 3 4"), BELOW),
    "pole": (one("const 1", "div 1 0"), DIVISION),
    "pole at the end": (one("const 1", "div 1 0", low="0"), DIVISION),
    "pole of a square": (one("sqr 0", "const 1", "div 2 1"), DIVISION),
    "pole of a difference": (one("sub 0 0", "const 1", "div 2 1"), DIVISION),
    "pole of a sine": (one("sin 0", "div 0 1"), DIVISION),
    "pole times 0": (one("const 0", "div 1 0"), DIVISION),
    "pole that does not count": (one("const 1", "div 1 0", "sqr 0", "const 1", "add 3 4"), DIVISION),
    "tower": (one(*(f"sqr {k}" for k in range(15)), low="2", high="3"), "beyond"),
}


@pytest.mark.parametrize("name", ROUGH)
def test_rows_that_are_not_twice_differentiable_are_rejected(name):
    text, reason = ROUGH[name]
    rejected(judged(text, lower("1/100", "aggregate t0.0+1")), "aggregate", reason)


TERM = "no term"
FORGED = {
    **{
        f"a parabola, {e}": (BOWL, lower(e, "aggregate t0.0+1"), NOT_POSITIVE)
        for e in ("1", "1001/1000", "5/4", "2", "10")
    },
    **{
        f"a cosine, {e}": (WAVE, lower(e, "aggregate t0.0+1"), NOT_POSITIVE)
        for e in ("1/2", "541/1000", "3/4", "1", "2")
    },
    **{
        f"a product, {e}": (PRODUCT, lower(e, "aggregate t0.0+1"), NOT_POSITIVE)
        for e in ("1/2", "1", "5/4", "3/2", "2", "4")
    },
    **{
        f"measurements, {e}": (DISTANCES, lower(e, "aggregate t0.0+1 t0.2-1"), NOT_POSITIVE)
        for e in ("15/16", "1", "2")
    },
    "too few cells": (VALLEY, lower("37/50", "prepare 3", "aggregate t0.0+1"), NOT_POSITIVE),
    "the other side": (BOWL, lower("1/2", "aggregate t0.0-1"), NOT_POSITIVE),
    "twice": (BOWL, lower("1/2", "aggregate t0.0+1 t0.0+1"), "occurs twice"),
    "another row": (BOWL, lower("1/2", "aggregate t0.1+1"), "no such row"),
    "another family": (BOWL, lower("1/2", "aggregate t1.0+1"), "not one of the scope"),
    "a weight of 0": (BOWL, lower("1/2", "aggregate t0.0+0"), TERM),
    "a negative weight": (BOWL, lower("1/2", "aggregate t0.0+-1"), TERM),
    "no weight": (BOWL, lower("1/2", "aggregate t0.0+"), TERM),
    "no side": (BOWL, lower("1/2", "aggregate t0.0"), TERM),
    "a capital": (BOWL, lower("1/2", "aggregate T0.0+1"), TERM),
    "two letters": (BOWL, lower("1/2", "aggregate tt0.0+1"), TERM),
    "squares, too large": (LINE, lower("2", "aggregate t0.0+2 t0.2-2", norm="squares"), NOT_POSITIVE),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_does_not_is_rejected(name):
    text, certificate, reason = FORGED[name]
    rejected(judged(text, certificate), "aggregate", reason)


@pytest.mark.parametrize("start", range(0, 100, 10))
def test_the_taylor_form_contains_the_row(start):
    for seed in range(start, start + 10):
        rng, box, text = some(seed)
        rows = rows_of(text)
        prepared = Prepared(0, tuple((number(a), number(b)) for a, b in box), 1)
        with flint.ctx.workprec(rng.choice((40, 128))):
            side = rng.choice((1, -1))
            try:
                polynomial = Terms(rows, number(0), rng.random() < 0.5, Deadline(60))._taylor_form(0, 0, side, prepared)
            except Undefined:
                continue
        assert all(len(monomial) <= 2 for monomial in polynomial)
        for _ in range(12):
            point = [a + Fraction(rng.randrange(17), 16) * (b - a) for a, b in box]
            low, high = at(polynomial, [x - (a + b) / 2 for x, (a, b) in zip(point, box, strict=True)])
            value = exactly(rows, 0, 0, point) * side
            assert not (value < low or value > high), (seed, text, point)


@pytest.mark.parametrize("start", range(0, 40, 10))
def test_second_derivatives_are_those_of_the_row(start):
    """At a point, against divided differences at high precision."""
    for seed in range(start, start + 10):
        _, box, text = some(seed)
        rows = rows_of(text)
        point = [(a + b) / 2 for a, b in box]
        with flint.ctx.workprec(600):
            nodes = rows.nodes(0, 0, [between(number(x), number(x)) for x in point])
            first, second = derivatives(rows.plans[0], units(rows.places[0]), nodes)
        step = Fraction(1, 2**100)

        def f(i, j, rows=rows, point=point, step=step):
            return exactly(rows, 0, 0, [point[0] + i * step, point[1] + j * step])

        with flint.ctx.workprec(600):
            h = flint.arb(number(step))
            pairs = [
                ((f(1, 0) - f(-1, 0)) / (2 * h), first.get((0,))),
                ((f(0, 1) - f(0, -1)) / (2 * h), first.get((1,))),
                ((f(1, 0) - 2 * f(0, 0) + f(-1, 0)) / h**2, second.get((0, 0))),
                ((f(0, 1) - 2 * f(0, 0) + f(0, -1)) / h**2, second.get((1, 1))),
                ((f(1, 1) - f(1, -1) - f(-1, 1) + f(-1, -1)) / (4 * h**2), second.get((0, 1))),
            ]
            for difference, found in pairs:
                middle = float(found[0].mid()) if found else 0.0
                assert abs(float(difference.mid()) - middle) <= 1e-9 * (1 + abs(middle)), (seed, text)


def test_a_quotient_is_bent_as_little_as_both_rules_say():
    """1 / (1 + x^2) on [-1, 1]: its second derivative is in [-2, 1/2]. a = q b alone gives [-10, 8] there."""
    rows = rows_of(one("sqr 0", "const 1", "add 1 2", "div 2 3"))
    with flint.ctx.workprec(60):
        _, second = derivatives(
            rows.plans[0], units(rows.places[0]), rows.nodes(0, 0, [between(number(-1), number(1))])
        )
    low, high = second[(0, 0)]
    assert -2.001 < low < -1.999
    assert 0.5 <= high < 8.001
