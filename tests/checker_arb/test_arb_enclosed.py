"""The form q: what has no polynomial is enclosed over the prepared box, and the rest stays as sharp as it was."""

import random
from fractions import Fraction

import flint
import pytest
from arb_texts import at, fraction, judged, lower, number, problem, rejected, rows_of

from certify.checker_arb import Status
from certify.checker_arb.boxes import Prepared
from certify.checker_arb.frame import Frame
from certify.checker_arb.outcome import Deadline, Undefined
from certify.checker_arb.polynomial import Rooted, _outer, row_value
from certify.checker_arb.rows import Plan
from certify.checker_arb.terms import Terms

NOT_POSITIVE = "not proved to be positive"
LOGARITHM, DIVISION, BELOW, BEYOND = "logarithm of an interval that may reach 0", "division", "below 0", "beyond 2^8192"
BITS = 600


def verified(text, certificate):
    outcome = judged(text, certificate)
    assert outcome.status is Status.VERIFIED, outcome.message


def truth(tape, inputs):
    """A row at a point, in a ball of high precision: nothing of the checker's is used."""
    with flint.ctx.workprec(BITS):
        nodes = [flint.arb(number(value)) for value in inputs]
        binary = {
            "add": lambda a, b: a + b,
            "sub": lambda a, b: a - b,
            "mul": lambda a, b: a * b,
            "div": lambda a, b: a / b,
        }
        for step in tape:
            word, *rest = step.split(" ")
            if word == "const":
                nodes.append(flint.arb(number(rest[0])))
            elif word in binary:
                nodes.append(binary[word](*(nodes[int(k)] for k in rest)))
            else:
                a = nodes[int(rest[0])]
                nodes.append(-a if word == "neg" else a * a if word == "sqr" else getattr(a, word)())
        assert nodes[-1].is_finite()
        return nodes[-1]


def random_tape(rng, inputs, length):
    """Everything that has no polynomial, of numbers for which it is defined. Nodes are taken again and again, so they
    are nested.
    """
    steps = []

    def push(step):
        steps.append(step)
        return inputs + len(steps) - 1

    def any_node():
        return rng.randrange(inputs + len(steps))

    for _ in range(length):
        i, j = any_node(), any_node()
        kind = rng.choice(
            (
                "add",
                "sub",
                "mul",
                "div",
                "sqr",
                "sqrt",
                "sin",
                "cos",
                "neg",
                "exp",
                "log",
                "atan",
                "erf",
                "const",
                "roots",
                "power",
            )
        )
        positive = push(f"add {push(f'sqr {j}')} {push('const 1/3')}") if kind in ("div", "sqrt", "log", "roots") else j
        if kind == "const":
            push(f"const {Fraction(rng.randrange(-9, 10), 3)}")
        elif kind == "roots":
            push(f"{rng.choice(('add', 'sub', 'mul'))} {push(f'sqrt {positive}')} {any_node()}")
        elif kind == "power":
            fourth = push(f"sqr {push(f'sqr {rng.randrange(inputs)}')}")
            push(f"mul {fourth} {i}")
        elif kind == "exp":
            push(f"exp {push(rng.choice(('sin', 'atan')) + f' {j}')}")
        elif kind in ("add", "sub", "mul", "div"):
            push(f"{kind} {i} {positive}")
        else:
            push(f"{kind} {positive}")
    last = inputs + len(steps) - 1
    push(f"{rng.choice(('add', 'sub'))} {last} {rng.randrange(inputs)}")
    return tuple(steps)


# x, y, a measurement m, and n bound twice
INPUTS, BINDINGS = 5, "v0 v1 c0 c1 c1"
TAPES = {
    "exp": ("exp 0", "mul 5 2", "add 6 1", "const 2", "mul 8 0", "sub 7 9"),
    "log": ("sqr 0", "const 1/3", "add 5 6", "log 7", "mul 8 2", "sub 9 1"),
    "sin": ("mul 0 2", "sin 5", "mul 6 1", "sub 7 3"),
    "cos": ("add 0 3", "cos 5", "sqr 1", "sub 6 7"),
    "atan": ("atan 0", "mul 5 5", "add 6 2", "mul 7 1"),
    "erf": ("erf 0", "mul 5 5", "add 6 2", "mul 7 1"),
    "a division": ("sqr 1", "const 1/7", "add 5 6", "div 0 7", "add 8 2"),
    "a measurement divided": ("sqr 1", "const 1/7", "add 5 6", "div 3 7", "mul 8 4", "sub 9 0"),
    "a product of degree 5": ("sqr 0", "sqr 5", "mul 6 1", "sub 7 0"),
    "a square of degree 6": ("mul 0 1", "mul 5 0", "sqr 6", "add 7 2"),
    "two roots": ("sqr 0", "sqr 1", "add 5 6", "sqrt 7", "sqr 2", "add 5 9", "sqrt 10", "add 8 11", "sub 12 1"),
    "a root left": ("sqr 0", "sqr 1", "add 5 6", "sqrt 7", "exp 0", "sub 9 8", "mul 10 3"),
    "a root of what is enclosed": ("atan 0", "sqr 5", "sqr 1", "add 6 7", "sqrt 8", "sub 9 2"),
    "a root times a polynomial": ("sqr 0", "sqrt 5", "mul 6 1", "add 7 0"),
    "a root times a number of any sign": ("sqr 0", "sqrt 5", "mul 6 3", "add 7 4"),
    "the square of a sum": ("sqr 0", "sqrt 5", "add 6 3", "sqr 7", "sub 8 1"),
    "a root of a root": ("sqr 0", "sqrt 5", "sqrt 6", "sub 7 1"),
    "nested": (
        "sin 0",
        "exp 5",
        "sqr 1",
        "add 6 7",
        "log 8",
        "cos 9",
        "sqr 10",
        "sqrt 7",
        "add 12 11",
        "atan 13",
        "mul 14 0",
    ),
}


def case(rng, tape, framed):
    """A problem with that tape, its boxes, a prepared box, and what points of that box stand for."""
    box = [(a, a + Fraction(rng.randrange(1, 16), 12)) for a in (Fraction(rng.randrange(-24, 24), 8) for _ in range(2))]
    measured = [
        (a, a + Fraction(rng.randrange(4), 24))
        for a in (Fraction(rng.randrange(-16, 16), rng.choice((7, 200))) for _ in range(2))
    ]
    text = problem(
        variables=tuple(f"{n} mm {a} {b}" for n, (a, b) in zip("xy", box, strict=True)),
        columns=tuple((n, (f"{a} {b}",)) for n, (a, b) in zip("mn", measured, strict=True)),
        tape=tape,
        inputs=INPUTS,
        families=(f"F 0 1 {BINDINGS}",),
    )
    cells = rng.choice((1, 4))
    exact = tuple((number(a), number(b)) for a, b in box)
    if not framed:
        return text, box, measured, Prepared(0, exact, cells), lambda point: point
    entries = [Fraction(rng.randrange(1, 9) * rng.choice((1, -1)), 4) for _ in range(4)]
    if entries[0] * entries[3] == entries[1] * entries[2]:
        entries[0] += 3 * entries[0]
    origin = [sum(ends) / 2 for ends in box]
    frame = Frame([number(v) for v in origin], [number(v) for v in entries], exact, 64)
    part = []
    for low, high in frame.start:
        low, high = (Fraction(int(v.p), int(v.q)) for v in (low, high))
        first = low + Fraction(rng.randrange(8), 8) * (high - low)
        part.append((first, first + Fraction(rng.randrange(1, 9), 8) * (high - first)))

    def point_of(y):
        return [origin[k] + entries[2 * k] * y[0] + entries[2 * k + 1] * y[1] for k in range(2)]

    return text, part, measured, Prepared(1, tuple((number(a), number(b)) for a, b in part), cells, frame), point_of


def inside(rng, box):
    return [a + Fraction(rng.choice((0, 16, rng.randrange(17))), 16) * (b - a) for a, b in box]


def shifted(point, box):
    return [value - (a + b) / 2 for value, (a, b) in zip(point, box, strict=True)]


def contains(value, d, number_there):
    """Whether sigma sqrt(D) + v is this number for some selection of the coefficients."""
    if not isinstance(value, Rooted):
        low, high = at(_outer(value), d)
    else:
        low, high = at(value.outer, d)
        least, most = at(value.inner, d)
        with flint.ctx.workprec(BITS):
            if most < 0:
                return False
            ends = sorted((least.max(flint.arb(0)).sqrt() * value.sign, most.sqrt() * value.sign), key=float)
            low, high = (low + ends[0]).lower(), (high + ends[1]).upper()
    return not (number_there < low or number_there > high)


def values_contain(rng, tape, framed):
    """How many points were looked at: each row's value is one of its form's, at x and any h of H."""
    text, box, measured, prepared, point_of = case(rng, tape, framed)
    seen = 0
    with flint.ctx.workprec(rng.choice((24, 64, 128))):
        rows = rows_of(text)
        plan, places = rows.plans[0], rows.places[0]
        side = rng.choice((1, -1))
        point = rows.point_measurement(0, 0, side, prepared)
        try:
            variables = [prepared.variable(place) for place in places]
            value = row_value(plan, 0, variables, rows.variables(0, prepared.intervals), point.measured, point.key)
        except Undefined:
            return 0
    for _ in range(6):
        y = inside(rng, box)
        m, n = inside(rng, measured)
        found = truth(tape, [*point_of(y), *(_within(h, v) for h, v in zip(point.measured, (m, n, n), strict=True))])
        assert contains(value, shifted(y, box), found), (text, y, m, n)
        seen += 1
    return seen


def _within(h, value):
    """The number of H that is next to this one."""
    low, high = (Fraction(str(end.mid().fmpq())) for end in h)
    return min(max(value, low), high)


def terms_hold(rng, tape, framed):
    """At x with the measurements M, and the level that the row has there, some selection of the term's coefficients is
    <= 0.
    """
    text, box, measured, prepared, point_of = case(rng, tape, framed)
    seen = 0
    for _ in range(4):
        y = inside(rng, box)
        m, n = inside(rng, measured)
        side = rng.choice((1, -1))
        with flint.ctx.workprec(BITS):
            level = number(fraction((truth(tape, [*point_of(y), m, n, n]) * side).upper()))
        with flint.ctx.workprec(rng.choice((24, 64, 128))):
            try:
                polynomial = Terms(rows_of(text), level, False, Deadline(60))._polynomial_form(0, 0, side, prepared)
            except Undefined:
                continue
        assert not at(polynomial, shifted(y, box))[0] > 0, (text, y, m, n, side)
        seen += 1
    return seen


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("name", TAPES)
def test_rows_that_need_enclosures_are_contained(name, framed):
    rng = random.Random(f"{name} {framed}")
    assert sum(values_contain(rng, TAPES[name], framed) for _ in range(12)) >= 40
    assert sum(terms_hold(rng, TAPES[name], framed) for _ in range(12)) >= 10


@pytest.mark.parametrize("framed", [False, True])
@pytest.mark.parametrize("start", range(0, 200, 25))
def test_random_rows_are_contained(start, framed):
    seen = 0
    for seed in range(start, start + 25):
        rng = random.Random(f"{seed} {framed}")
        tape = random_tape(rng, INPUTS, rng.randrange(2, 9))
        seen += values_contain(rng, tape, framed) + terms_hold(rng, tape, framed)
    assert seen > 75


def value_of(text, *box):
    rows = rows_of(text)
    prepared = Prepared(0, tuple((number(a), number(b)) for a, b in box), 1)
    point = rows.point_measurement(0, 0, 1, prepared)
    variables = [prepared.variable(place) for place in rows.places[0]]
    return row_value(rows.plans[0], 0, variables, rows.variables(0, prepared.intervals), point.measured, point.key)


def below(value):
    """A number of nine digits just below one that is known well enough."""
    with flint.ctx.workprec(BITS):
        return Fraction(int((value.mid() * 10**9).floor().unique_fmpz()), 10**9)


def above(value):
    return below(value) + Fraction(1, 10**9)


MIXED = ("exp 0", "mul 2 4", "add 5 1", "const 2", "mul 7 0", "sub 6 8", "sub 9 3")  # h exp(x) + y - 2 x - z


def mixed(columns, count=1, y="-1000 1000"):
    return problem(
        variables=("x mm 0 1", f"y mm {y}"),
        columns=columns,
        tape=MIXED,
        inputs=4,
        families=(f"F 0 {count} v0 v1 c0 c1",),
    )


def test_what_is_beside_an_enclosure_stays_linear():
    with flint.ctx.workprec(64):
        value = value_of(mixed((("h", ("3/2 3/2",)), ("z", ("0 0",)))), (0, 1), (-1000, 1000))
    assert sorted(value) == [(), (0,), (1,)]
    assert [[end == expected for end in value[monomial]] for monomial, expected in (((1,), 1), ((0,), -2))] == [
        [True] * 2
    ] * 2
    for end, x in zip(value[()], (0, 1), strict=True):  # y is 0 at the centre, x is 1/2
        with flint.ctx.workprec(BITS):
            assert abs(end - (flint.arb(x).exp() * 3 / 2 - 1)) < flint.arb((1, -55))


def test_what_cancels_beside_enclosures_proves_more():
    """Rows for z = 0 and z = 10: their difference is 10, less the width of exp(x), wherever y is and
    whatever 2 x is.
    """
    text = mixed((("h", ("1 1", "1 1")), ("z", ("0 0", "10 10"))), 2)
    bound = (11 - flint.arb(1).exp()) / 2
    verified(text, lower(below(bound), "aggregate q0.0+1 q0.1-1"))
    rejected(judged(text, lower(above(bound), "aggregate q0.0+1 q0.1-1")), "aggregate", NOT_POSITIVE)
    for claim in ("5", "6", "100"):
        rejected(judged(text, lower(claim, "aggregate q0.0+1 q0.1-1")), "aggregate", NOT_POSITIVE)
    halves = ("split 0 1p-1", "prepare 1", "aggregate q0.0+1 q0.1-1", "prepare 1", "aggregate q0.0+1 q0.1-1")
    verified(text, lower(below((10 - flint.arb(1).exp() + flint.arb("0.5").exp()) / 2), *halves))
    rejected(
        judged(text, lower(above((10 - flint.arb(1).exp() + flint.arb("0.5").exp()) / 2), *halves)),
        "aggregate",
        NOT_POSITIVE,
    )
    rejected(judged(text, lower("24/5", *(node for node in halves if node != "prepare 1"))), "aggregate", NOT_POSITIVE)


# rows of x from 1 to 2, y from 1 to 3 and a measurement m from 1/2 to 1: how small they are, and where
SIMPLE = {
    "exp": (("exp 0", "add 3 1"), (1, 1, 1)),
    "log": (("log 0", "add 3 1"), (1, 1, 1)),
    "sin": (("sin 0", "add 3 1"), (1, 1, 1)),
    "cos": (("cos 0", "add 3 1"), (2, 1, 1)),
    "atan": (("atan 0", "sub 1 3", "add 4 1"), (2, 1, 1)),
    "erf": (("erf 0", "sub 1 3", "add 4 1"), (2, 1, 1)),
    "a quotient": (("div 1 0",), (2, 1, 1)),
    "a quotient by a function": (("exp 0", "div 1 3"), (2, 1, 1)),
    "degree 5": (("sqr 0", "sqr 3", "mul 4 1"), (1, 1, 1)),
    "degree 8": (("sqr 0", "sqr 3", "sqr 4"), (1, 1, 1)),
    "two roots": (("sqrt 0", "sqrt 1", "add 3 4"), (1, 1, 1)),
    "a difference of roots": (("sqrt 0", "sqrt 1", "sub 3 4", "const 3", "add 5 6"), (1, 3, 1)),
    "a root times a variable": (("sqrt 0", "mul 3 1"), (1, 1, 1)),
    "a product of roots": (("sqrt 0", "sqrt 1", "mul 3 4"), (1, 1, 1)),
    "a quotient by a root": (("sqrt 0", "div 1 3"), (2, 1, 1)),
    "a root of a root": (("sqrt 0", "sqrt 3", "add 4 1"), (1, 1, 1)),
    "the square of a sum": (("sqrt 0", "add 3 1", "sqr 4"), (1, 1, 1)),
    "a function of a root": (("sqrt 0", "exp 3"), (1, 1, 1)),
    "nested": (("log 0", "atan 3", "exp 4", "sqrt 5", "sin 6", "add 7 1"), (1, 1, 1)),
    "with a measurement": (("mul 0 2", "exp 3", "add 4 1"), (1, 1, Fraction(1, 2))),
    "divided by a measurement and more": (("add 0 2", "div 1 3"), (2, 1, 1)),
}


def simple(tape, exact=False):
    m = "1 1" if exact else "1/2 1"
    return problem(
        variables=("x mm 1 2", "y mm 1 3"), columns=(("m", (m,)),), tape=tape, inputs=3, families=("F 0 1 v0 v1 c0",)
    )


@pytest.mark.parametrize("frame", [(), ("frame 0 0 1 0 0 1",), ("frame 3p-1 2 1p-1 0 0 -3p-2",)])
@pytest.mark.parametrize("name", SIMPLE)
def test_whole_certificates(name, frame):
    tape, point = SIMPLE[name]
    text, bound = simple(tape), truth(tape, point)
    verified(text, lower(below(bound) - Fraction(1, 10**9), *frame, "aggregate q0.0+1"))
    for claim in (above(bound), above(bound) + Fraction(1, 100), above(bound) * 2):
        rejected(judged(text, lower(claim, *frame, "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)
    rejected(judged(text, lower("0", *frame, "aggregate q0.0-1")), "aggregate", NOT_POSITIVE)
    rejected(judged(text, lower(below(bound), *frame, "aggregate q0.0+1 b0-1-1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", SIMPLE)
def test_the_other_side(name):
    """The negative of the row."""
    tape, point = SIMPLE[name]
    text, bound = simple((*tape, f"neg {2 + len(tape)}")), truth(tape, point)
    verified(text, lower(below(bound) - Fraction(1, 10**9), "aggregate q0.0-1"))
    rejected(judged(text, lower(above(bound), "aggregate q0.0-1")), "aggregate", NOT_POSITIVE)
    rejected(judged(text, lower("0", "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize("name", SIMPLE)
def test_squares(name):
    """The weight 2 P proves P^2 and no more."""
    tape, point = SIMPLE[name]
    text, bound = simple(tape, exact=True), truth(tape, (*point[:2], 1))
    weight = f"{round(2 * below(bound) * 2**30)}p-30"
    square = below(bound) ** 2
    verified(text, lower(square - Fraction(1, 10**6), f"aggregate q0.0+{weight}", norm="squares"))
    for claim in (square + Fraction(1, 10**6), square + 1, 4 * square + 1):
        rejected(judged(text, lower(claim, f"aggregate q0.0+{weight}", norm="squares")), "aggregate", NOT_POSITIVE)
    rejected(judged(text, lower("0", f"aggregate q0.0-{weight}", norm="squares")), "aggregate", NOT_POSITIVE)


def on(low, high, *tape):
    return problem(variables=(f"x mm {low} {high}",), tape=tape, inputs=1, families=("F 0 1 v0",))


# x^2 - 2 x + 3/2 is at least 1/2, but from 0 to 1 its parts reach down to -1/2; a root of it is at least 1/2 around the
# centre
DIPS = ("sqr 0", "const 2", "mul 2 0", "sub 1 3", "const 3/2", "add 4 5", "sqrt 6")
UNDEFINED = {
    "the logarithm of what reaches 0": (on(0, 1, "log 0", "neg 1"), LOGARITHM),
    "the logarithm of what reaches below 0": (on(-1, 1, "log 0", "neg 1"), LOGARITHM),
    "the logarithm of a square": (on(-1, 1, "sqr 0", "log 1", "neg 2"), LOGARITHM),
    "the logarithm of a difference": (
        on(1, 2, "sub 0 0", "const 1", "add 1 2", "log 3", "const 9", "add 4 5"),
        LOGARITHM,
    ),
    "the logarithm of a sum of roots": (on(0, 1, "sqrt 0", "add 1 1", "log 2", "neg 3"), LOGARITHM),
    "a divisor that may be 0": (on(-1, 1, "const 9", "div 1 0"), DIVISION),
    "a divisor that reaches 0": (on(0, 1, "const 9", "div 1 0"), DIVISION),
    "a divisor that is a difference": (on(1, 2, "sub 0 0", "const 1", "add 1 2", "const 9", "div 4 3"), DIVISION),
    "a divisor that is a sine": (on(-1, 1, "sin 0", "const 9", "div 2 1"), DIVISION),
    "0 over a divisor that may be 0": (on(-1, 1, "sub 0 0", "div 1 0", "const 9", "add 2 3"), DIVISION),
    "the root of a root below 0": (on(-1, 1, "sqrt 0", "sqrt 1", "const 9", "add 2 3"), BELOW),
    "two roots, one below 0": (on(-1, 1, "sqrt 0", "const 2", "add 0 2", "sqrt 3", "add 1 4"), BELOW),
    "the exponential of much": (on(1, 10000, "exp 0"), BEYOND),
    "a high power": (on(1, 10000, *(f"sqr {k}" for k in range(12))), BEYOND),
    "an enclosure that is not used": (on(0, 1, "log 0", "const 9", "add 0 2"), LOGARITHM),
    "an enclosure after a polynomial that dips": (on(0, 1, *DIPS, "exp 0", "add 7 8"), BELOW),
    "an enclosure before it": (
        on(0, 1, "exp 0", "sqr 0", "const 2", "mul 3 0", "sub 2 4", "const 3/2", "add 5 6", "sqrt 7"),
        BELOW,
    ),
    "an enclosure of nothing but it": (on(0, 1, *DIPS, "sqrt 7"), BELOW),
}


@pytest.mark.parametrize("name", UNDEFINED)
@pytest.mark.parametrize("norm", ["largest", "squares"])
def test_what_cannot_be_enclosed_is_rejected(name, norm):
    text, reason = UNDEFINED[name]
    for side in "+-":
        rejected(judged(text, lower("1/100", f"aggregate q0.0{side}1", norm=norm)), "aggregate", reason)


def test_what_needs_no_enclosure_is_no_worse_for_it():
    text = on(0, 1, *DIPS)
    verified(text, lower("49/100", "aggregate q0.0+1"))
    rejected(judged(text, lower("1/2", "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)
    for form in "mt":
        rejected(judged(text, lower("0", f"aggregate {form}0.0+1")), "aggregate", BELOW)
    verified(on(0, 1, *DIPS, "add 7 0"), lower("49/100", "aggregate q0.0+1 b0+0-1p-30"))


def test_enclosures_are_made_once_and_only_if_needed(monkeypatch):
    calls = []
    nodes = Plan.nodes
    monkeypatch.setattr(Plan, "nodes", lambda *a: calls.append(1) or nodes(*a))
    for tape, expected in ((DIPS, 0), (("exp 0", "sin 1", "sqrt 2", "sqrt 3", "add 4 3"), 1)):
        calls.clear()
        value_of(on(Fraction(1, 2), 1, *tape), (Fraction(1, 2), 1))
        assert len(calls) == expected


def test_enclosures_are_over_the_prepared_box():
    """Not over the leaf's own: its polynomials are about the prepared box."""
    tree = ("split 0 1", "evaluate 0 0", "prepare 1", "aggregate q0.0+1")
    text = on(0, 2, "log 0", "const 3", "sub 2 1")
    verified(text, lower("2", *tree))
    rejected(judged(text, lower("2", *tree[:2], *tree[3:])), "aggregate", LOGARITHM)


def test_enclosures_in_a_frame_are_over_the_image():
    """Of [1, 2]^2 turned by 45 degrees the image is [1/2, 5/2]^2."""
    turned = "frame 3p-1 3p-1 1p-1 1p-1 1p-1 -1p-1"
    for constant, status in (("1/4", Status.VERIFIED), ("1/2", Status.REJECTED), ("3/4", Status.REJECTED)):
        tape = (f"const {constant}", "sub 0 2", "log 3", "const 9", "add 4 5", "add 6 1")
        text = problem(variables=("x mm 1 2", "y mm 1 2"), tape=tape, families=("F 0 1 v0 v1",))
        verified(text, lower("5", "aggregate q0.0+1"))
        outcome = judged(text, lower("5", turned, "aggregate q0.0+1"))
        assert outcome.status is status, outcome.message
        assert status is Status.VERIFIED or LOGARITHM in outcome.message
    # exp(x) + u with u = x + y - 3 from -1 to 1: u stays a variable of the frame, exp(x) starts at the image's end
    text = problem(variables=("x mm 1 2", "y mm 1 2"), tape=("exp 0", "add 0 1", "add 2 3"), families=("F 0 1 v0 v1",))
    bound = 2 + flint.arb("0.5").exp()
    verified(text, lower(below(bound), turned, "aggregate q0.0+1"))
    rejected(judged(text, lower(above(bound), turned, "aggregate q0.0+1")), "aggregate", NOT_POSITIVE)


@pytest.mark.parametrize(
    "tape", [(), ("sub 0 0", "const 1/2", "add 1 2"), ("sub 0 0", "const 2", "add 1 2"), ("exp 0", "neg 1", "exp 2")]
)
def test_squares_without_end_end_at_once(tape):
    """Numbers that are squared again and again do not grow longer and longer."""
    text = on("1/3", "1/2", *tape, *(f"sqr {k}" for k in range(len(tape), len(tape) + 20_000)))
    assert judged(text, lower("1", "aggregate q0.0+1")).status is Status.REJECTED
    try:
        value = value_of(
            on("1/3", "1/2", *tape, *(f"sqr {k}" for k in range(len(tape), len(tape) + 100))),
            (Fraction(1, 3), Fraction(1, 2)),
        )
    except Undefined as failure:
        assert BEYOND in str(failure)
        return
    assert all(end == 0 or end >= flint.arb((1, -8192)) for end in value[()])


@pytest.mark.parametrize("seed", range(10))
def test_no_planted_point_is_refuted(seed):
    """A random row takes a value within the level at a point that is known: no leaf of it is valid, with any sides,
    weights and products.
    """
    rng = random.Random(seed)
    verdicts = []
    for _ in range(20):
        tape = (*random_tape(rng, 2, rng.randrange(2, 6)), "const 0")
        last = len(tape)
        box = [
            (a, a + Fraction(rng.randrange(1, 9), 8)) for a in (Fraction(rng.randrange(-16, 16), 8) for _ in range(2))
        ]
        value = below(truth((*tape[:-1],), inside(rng, box)))
        tape = (*tape[:-1], f"const {value}", f"sub {last} {last + 1}")
        text = problem(
            variables=tuple(f"{n} mm {a} {b}" for n, (a, b) in zip("xy", box, strict=True)),
            tape=tape,
            families=("F 0 1 v0 v1",),
        )
        for norm in ("largest", "squares"):
            for _ in range(3):
                terms = [f"q0.0{rng.choice('+-')}{rng.randrange(1, 40)}p-3"]
                terms += [
                    f"b{i}{rng.choice('+-')}1{rng.choice('+-')}{rng.randrange(1, 9)}p-4"
                    for i in range(2)
                    if rng.random() < 0.5
                ]
                outcome = judged(text, lower("1/1000000", "aggregate " + " ".join(terms), norm=norm))
                assert outcome.status is Status.REJECTED, text
                verdicts.append(NOT_POSITIVE in outcome.message)
    assert sum(verdicts) > 20
