"""Weighted sums in a second opinion: a bound below every value, and terms that are <= 0 for a row within its bound."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isqrt

import pytest

import certify
from certify.checker.nodes import Product, RowTerm
from certify.checker.problem import Operation, Tape
from certify.second_opinion.engine_sums import PARTS, Sums, Unclear
from certify.second_opinion.questions import as_data, questions
from certify.second_opinion.sums import product_term, row_term

FINE = 1 << 60


class Exact:
    """An interval with rational ends, in the place of a library's."""

    def __init__(self, low, high):
        self.low, self.high = Fraction(low), Fraction(high)

    def __add__(self, other):
        return Exact(self.low + other.low, self.high + other.high)

    def __neg__(self):
        return Exact(-self.high, -self.low)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        corners = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Exact(min(corners), max(corners))

    def __truediv__(self, other):
        return self * Exact(1 / other.high, 1 / other.low)


def sqr(x):
    ends = sorted((x.low**2, x.high**2))
    return Exact(0 if x.low <= 0 <= x.high else ends[0], ends[1])


def sqrt(x):
    low, high = (isqrt(max(end, 0) * FINE**2 // 1) for end in (x.low, x.high))
    return Exact(Fraction(low, FINE), Fraction(high + 1, FINE))


FUNCTIONS = {"sqr": sqr, "sqrt": sqrt, "sin": None, "cos": None}
SUMS = Sums(Exact, FUNCTIONS, lambda x: (float(x.low), float(x.high)))


def node(code, *operands):
    return Operation(code, Fraction(0), *operands)


# sqrt((x - p)^2 + (y - q)^2) - m, of the variables x, y and the measured p, q, m
DISTANCE = Tape("distance", 5, (node("sub", 0, 2), node("sub", 1, 3), node("sqr", 5), node("sqr", 6),
                                node("add", 7, 8), node("sqrt", 9), node("sub", 10, 4)))  # fmt: skip
OTHERWISE = DISTANCE._replace(operations=(*DISTANCE.operations[:-1], node("sub", 4, 10)))


def value(tape, inputs):
    """In doubles."""
    values = list(inputs)
    for operation in tape.operations:
        u, w = (values[place] if place >= 0 else 0.0 for place in (operation.first, operation.second))
        values.append({"add": u + w, "sub": u - w, "mul": u * w, "neg": -u, "sqr": u * u, "sqrt": abs(u) ** 0.5,
                       "const": float(operation.value)}[operation.code])  # fmt: skip
    return values[-1]


def data(terms, box):
    """As it goes to the library's program."""
    ends = lambda low, high: [float(low).hex(), float(high).hex()]  # noqa: E731
    tapes, rows = {}, []
    for term in terms:
        used = [term.tape] if term.guard is None else [term.tape, term.guard]
        for tape in used:
            nodes = [
                [one.code, *(ends(one.value, one.value) if one.code == "const" else
                             [place for place in (one.first, one.second) if place >= 0])]
                for one in tape.operations
            ]  # fmt: skip
            tapes[str(tape)] = {"nodes": nodes}
        inputs = [str(place) if isinstance(place, int) else ends(*place) for place in term.inputs]
        rows.append([ends(term.weight, term.weight), str(used[0]), inputs, *map(str, used[1:])])
    return tapes, {"box": {str(name): ends(*pair) for name, pair in box.items()}, "terms": rows}


@pytest.mark.parametrize("tape", [DISTANCE, OTHERWISE])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("form", ["q", "m"])
def test_a_term_is_positive_only_where_the_row_misses_its_bound(tape, side, form):
    draw, bound, seen = random.Random(5), Fraction(1, 4), set()
    for _ in range(400):
        inputs = [draw.uniform(-2, 2) for _ in range(4)] + [draw.uniform(0, 5)]
        term = row_term(RowTerm(form, 0, 0, side, Fraction(1)), tape, (0, 1), bound)
        if term.guard is not None and value(term.guard, inputs) < 0:
            continue
        misses = side * value(tape, inputs) > bound
        seen.add(misses)
        assert (value(term.tape, inputs) > 1e-9) <= misses
        assert misses <= (value(term.tape, inputs) > -1e-9)
    assert seen == {True, False}


@pytest.mark.parametrize("seed", range(8))
def test_no_value_lies_below_the_bound(seed):
    """Of three distances with a product, at points and measurements drawn from the box; ends are drawn often."""
    draw = random.Random(seed)
    box = {n: (Fraction(5 + n), Fraction(5 + n) + Fraction(draw.randrange(1, 9), 8)) for n in (0, 1)}
    terms = [product_term(Product(0, draw.choice((1, -1)), 1, draw.choice((1, -1)), Fraction(1, 8)), box)]
    for side in (1, -1, 1):
        middles = [Fraction(draw.randrange(-8, 9), 4), Fraction(draw.randrange(-8, 9), 4), Fraction(8 - 4 * side)]
        measured = [(m - Fraction(1, 16), m + Fraction(1, 16)) for m in middles]
        row = RowTerm(draw.choice("qm"), 0, 0, side, Fraction(draw.randrange(1, 9)))
        terms.append(row_term(row, DISTANCE, (0, 1, *measured), Fraction(1, 16)))
    tapes, asked = data(terms, box)
    lower, _ = SUMS.part(tapes, asked["terms"], {name: SUMS.read(pair) for name, pair in asked["box"].items()})
    least = float("inf")
    for _ in range(300):
        at = lambda pair: float(draw.choice((*pair, pair[0] + (pair[1] - pair[0]) * Fraction(draw.random()))))  # noqa: E731
        point = {name: at(pair) for name, pair in box.items()}
        chosen = [[point[i] if isinstance(i, int) else at(i) for i in term.inputs] for term in terms]
        total = sum(float(term.weight) * value(term.tape, one) for term, one in zip(terms, chosen, strict=True))
        least = min(least, total)
    assert lower <= least + 1e-9
    assert least - lower <= 0.2 * abs(least) + 1


def test_a_box_is_halved_until_it_is_shown():
    """The square of x y, and a quarter: the second order shows it on small parts only."""
    tape = Tape("t", 2, (node("mul", 0, 1), node("sqr", 2), Operation("const", Fraction(1, 4)), node("add", 3, 4)))
    term = row_term(RowTerm("m", 0, 0, 1, Fraction(1)), tape, (0, 1), Fraction(0))
    tapes, asked = data([term], {0: (-1, 1), 1: (-1, 1)})
    whole = {name: SUMS.read(pair) for name, pair in asked["box"].items()}
    assert SUMS.part(tapes, asked["terms"], whole)[0] < 0
    assert 0 < SUMS.least(tapes, asked) <= 0.25
    assert PARTS > 4


def test_what_is_not_positive_is_not_shown():
    tape = Tape("t", 1, (node("sqr", 0),))
    term = row_term(RowTerm("m", 0, 0, 1, Fraction(1)), tape, (0,), Fraction(0))
    assert SUMS.least(*data([term], {0: (-1, 2)})) is None


def test_a_root_that_may_be_undefined_is_given_up():
    tape = Tape("t", 1, (node("sqrt", 0),))
    term = row_term(RowTerm("m", 0, 0, 1, Fraction(1)), tape, (0,), Fraction(-1))
    with pytest.raises(Unclear):
        SUMS.least(*data([term], {0: (-1, 2)}))


def test_sums_of_a_certificate_are_positive_below_the_level_alone():
    answer = certify.linear([[1.0], [1.0], [2.0]], [0.0, 1.0, 3.0], "0.25")
    problem, text = b"".join(answer.problem.canonical()), dict(answer.documents)["error-lower"]

    def shown(certificate):
        asked = as_data(questions(problem, certificate))
        assert asked["sums"]
        return [SUMS.least(asked["tapes"], one) is not None for one in asked["sums"]]

    def at(level):
        lines = text.decode().splitlines()
        return "\n".join(f"lower {level}" if line.startswith("lower ") else line for line in lines).encode() + b"\n"

    assert all(shown(at("1/8")))
    assert not any(shown(at("5")))
