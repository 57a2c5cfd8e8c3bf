"""Rows enclosed where they are defined: nothing defined is lost, infinite ends are infinite, and nothing that a row may
reach is refuted.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from fractions import Fraction

import pytest
from checker_texts import judge, reject
from exact_functions import EXACT, MANY, PRECISIONS, exact_bracket
from hypothesis import given
from hypothesis import strategies as st
from texts.partial import FORGED, VALID, at_an_edge

from certify.checker import Status
from certify.checker.elementary import Elementary
from certify.checker.interval import Arithmetic, Interval
from certify.checker.nodes import Evaluate
from certify.checker.outcome import Rejection
from certify.checker.partial import EXPONENT, Nowhere, Partial
from certify.checker.problem import parse_problem
from certify.checker.rules import Proof, Question
from certify.checker.scope import Scope

PARTIAL = {precision: Partial(precision, Elementary(Arithmetic(precision))) for precision in (*PRECISIONS, 64)}

# Operations, against exact numbers

precisions = st.sampled_from(PRECISIONS)
finite = st.one_of(
    st.integers(-5, 5), st.integers(-40, 40), st.integers(-20000, 20000), st.just(1 << 8199), st.just(-1 << 8199)
)


@st.composite
def operands(draw: st.DrawFn) -> tuple[int, Interval, Fraction]:
    """A precision, an interval, perhaps with infinite ends, and a number in it."""
    precision = draw(precisions)
    low, high = sorted((draw(finite), draw(finite)))
    unbounded, huge = draw(st.sampled_from(["no", "below", "above", "both"])), PARTIAL[precision].huge
    number = (
        Fraction(draw(st.integers(low, high)))
        if draw(st.booleans())
        else low + Fraction(draw(st.integers(0, 7)), 7) * (high - low)
    )
    if unbounded in ("below", "both"):
        low, number = -huge, number - draw(st.sampled_from([0, 1, 10**6, 10**4000]))
    if unbounded in ("above", "both"):
        high, number = huge, number + draw(st.sampled_from([0, 1, 10**6, 10**4000]))
    return precision, (low, high), number / (1 << precision)


def holds(partial: Partial, found: Interval, low: Fraction, high: Fraction | None = None) -> bool:
    """Whether the interval contains all numbers that are not below `low` and not above `high`; ends are finite below
    the limit only.
    """
    assert all(abs(end) <= partial.limit or abs(end) == partial.huge for end in found)
    assert found[0] < partial.huge and found[1] > -partial.huge
    above, below = (low if high is None else high) * partial.one, low * partial.one
    return (found[0] == -partial.huge or found[0] <= below) and (found[1] == partial.huge or above <= found[1])


BINARY: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
}


@pytest.mark.parametrize("name", BINARY)
@MANY
@given(a=operands(), b=operands())
def test_enclosures_contain_what_is_defined(
    name: str, a: tuple[int, Interval, Fraction], b: tuple[int, Interval, Fraction]
) -> None:
    precision, first, x = a
    partial, second, y = PARTIAL[precision], b[1], b[2] * Fraction(1 << b[0], 1 << precision)
    second = (
        -partial.huge if second[0] == -PARTIAL[b[0]].huge else second[0],
        partial.huge if second[1] == PARTIAL[b[0]].huge else second[1],
    )
    if name == "div" and second == (0, 0):
        with pytest.raises(Nowhere):
            partial.div(first, second)
    elif name != "div" or y:
        assert holds(partial, getattr(partial, name)(first, second), BINARY[name](x, y))


@pytest.mark.parametrize("name", ["neg", "sqr", "sqrt", "sin", "cos", "exp", "log", "atan"])
@MANY
@given(a=operands())
def test_functions_contain_what_is_defined(name: str, a: tuple[int, Interval, Fraction]) -> None:
    precision, ends, x = a
    partial = PARTIAL[precision]
    if (name == "sqrt" and ends[1] < 0) or (name == "log" and ends[1] <= 0):
        with pytest.raises(Nowhere):
            getattr(partial, name)(ends)
        return
    found = getattr(partial, name)(ends)
    assert all(abs(end) <= partial.limit or abs(end) == partial.huge for end in found)
    low, high = (
        -math.inf if found[0] == -partial.huge else Fraction(found[0], partial.one),
        math.inf if found[1] == partial.huge else Fraction(found[1], partial.one),
    )
    if name in ("neg", "sqr"):
        assert low <= (-x if name == "neg" else x * x) <= high
    elif name == "sqrt":
        assert x < 0 or ((low <= 0 or low**2 <= x) and high**2 >= x)
    elif name in ("sin", "cos"):
        least, greatest = exact_bracket(x, name == "sin") if abs(x) < 20 else (Fraction(0), Fraction(0))
        assert abs(x) > 20 or (low <= least and greatest <= high)
        assert abs(ends[0]) < partial.huge > abs(ends[1]) or found == (-partial.one, partial.one)
    elif name == "exp" and abs(x) > 20:
        assert high >= (10**8 if x > 0 else 0) and (x > 0 or low < Fraction(1, 10**8))
    elif name == "log" and (x <= 0 or not 10**-9 < x < 10**9):
        assert x <= 0 or (low < -20 if x < 1 else high > 20)
    elif name == "atan" and abs(x) > 10**9:
        assert high >= EXACT["atan"](Fraction(10**9))[1] if x > 0 else low <= EXACT["atan"](Fraction(-(10**9)))[0]
    else:
        least, greatest = EXACT[name](x)
        assert low <= least and greatest <= high


def test_infinite_ends_are_kept() -> None:
    """As the specification says it: nothing finite is lost, nothing infinite becomes finite."""
    p = PARTIAL[64]
    one, oo = p.one, p.huge
    assert p.div((one, 2 * one), (0, 4 * one)) == (one >> 2, oo)
    assert p.div((one, 2 * one), (-4 * one, 0)) == (-oo, -one >> 2)
    assert p.div((-one, one), (0, one)) == (-oo, oo)
    assert p.div((0, 0), (0, one)) == (0, 0)
    assert p.div((one, one), (-one, one)) == (-oo, oo)
    assert p.div((0, 0), (-one, one)) == (0, 0)
    assert p.div((one, one), (one, oo)) == (0, one)
    assert p.div((-one, -one), (one, oo)) == (-one, 0)
    assert p.div((one, one), (-oo, -one)) == (-one, 0)
    assert p.div((one, oo), (0, oo)) == (0, oo)
    assert p.div((one, oo), (2 * one, 4 * one)) == (one >> 2, oo)
    assert p.mul((0, one), (2 * one, oo)) == (0, oo)
    assert p.mul((0, 0), (-oo, oo)) == (0, 0)
    assert p.mul((1, 1), (1, oo)) == (0, oo)
    assert p.mul((-oo, -one), (-oo, one)) == (-oo, oo)
    assert p.mul((-oo, oo), (-oo, oo)) == (-oo, oo)
    assert p.add((one, oo), (-oo, -one)) == (-oo, oo)
    assert p.sub((one, oo), (one, oo)) == (-oo, oo)
    assert p.sub((one, oo), (one, 2 * one)) == (-one, oo)
    assert p.sub((-oo, one), (one, 2 * one)) == (-oo, 0)
    assert p.neg((-oo, one)) == (-one, oo)
    assert p.sqr((-oo, -one)) == (one, oo)
    assert p.sqr((-one, oo)) == (0, oo)
    assert p.sqrt((-one, 4 * one)) == (0, 2 * one)
    assert p.sqrt((4 * one, oo)) == (2 * one, oo)
    assert p.sqrt((-oo, 0)) == (0, 0)
    for end in (-1, -2, -oo):
        with pytest.raises(Nowhere):
            p.sqrt((-oo, end))
    assert p.sin((-oo, oo)) == p.cos((0, oo)) == p.sin((-oo, 0)) == (-one, one)
    assert p.exp((-oo, 0)) == (0, p.exp((0, 0))[1])
    assert p.exp((0, oo)) == (p.exp((0, 0))[0], oo)
    assert p.exp((0, EXPONENT * one + 1))[1] == oo > p.exp((0, EXPONENT * one))[1]
    assert p.exp((one << 20, one << 21)) == (p.exp((EXPONENT * one,) * 2)[0], oo)
    assert p.log((0, one)) == (-oo, p.log((one, one))[1])
    assert p.log((-one, one)) == (-oo, p.log((one, one))[1])
    assert p.log((one, oo)) == (p.log((one, one))[0], oo)
    assert p.log((1, 1))[0] > -45 * one
    low, high = p.atan((-oo, oo))
    assert low == -high and 3 * one < 2 * high < 22 * one // 7
    assert p.atan((0, oo)) == (p.atan((0, 0))[0], high)
    assert p.atan((-oo, one))[0] == low
    assert p.atan((0, one << 60))[1] < high + 2


def test_numbers_beyond_the_limit_are_infinite_on_their_side_only() -> None:
    p = PARTIAL[64]
    large = p.limit - 1
    assert p.add((large, large), (large, large)) == (p.limit, p.huge)
    assert p.sub((-large, -large), (large, large)) == (-p.huge, -p.limit)
    assert p.mul((large, large), (2 * p.one, 2 * p.one)) == (p.limit, p.huge)
    assert p.sqr((large, large)) == (p.limit, p.huge)
    assert p.fit(-p.limit, p.limit) == (-p.huge, p.huge)
    assert p.fit(1 - p.limit, p.limit - 1) == (1 - p.limit, p.limit - 1)
    assert p.sqrt((p.limit, p.huge))[0] == math.isqrt(p.limit << 64)


@pytest.mark.parametrize("name", VALID)
def test_valid_certificates_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


@pytest.mark.parametrize("name", FORGED)
def test_forged_leaves_are_rejected(name: str) -> None:
    reject(*FORGED[name])


@pytest.mark.parametrize("name", VALID)
def test_no_other_rule_may_leave_points_aside(name: str) -> None:
    """What `evaluate` refutes at an edge, an aggregate does not; and no witness is there."""
    problem_text, certificate_text = VALID[name]
    if name == "a level":
        return
    for form in "qmt":
        changed = "\n".join(
            f"aggregate {form}0.0+1" if line == "evaluate 0 0" else line for line in certificate_text.split("\n")
        )
        assert judge(problem_text, changed).status is Status.REJECTED


def value(lines: list[str], x: Fraction) -> Fraction | None:
    """The row at x, exactly; None where it is not defined."""
    nodes: list[Fraction] = [x]
    for line in lines:
        code, *words = line.split(" ")
        a, b = (
            [nodes[int(word)] for word in words] + [Fraction(0)] * (2 - len(words))
            if code != "const"
            else (Fraction(words[0]), Fraction(0))
        )
        if (code == "div" and not b) or (code == "sqrt" and a < 0):
            return None
        root = Fraction(math.isqrt(a.numerator), math.isqrt(a.denominator)) if code == "sqrt" else Fraction(0)
        if root * root != (a if code == "sqrt" else 0):
            return None  # irrational: not followed
        results = {"const": a, "add": a + b, "sub": a - b, "mul": a * b, "neg": -a, "sqr": a * a, "sqrt": root}
        nodes.append(a / b if code == "div" else results[code])
    return nodes[-1]


def test_nothing_defined_is_refuted() -> None:
    """Random rows of operations that are undefined somewhere: where the leaf is valid, no point of the box comes within
    the level.
    """
    source, valid, undefined = random.Random(7), 0, 0
    for _ in range(1500):
        lines: list[str] = []
        for node in range(1, source.randint(3, 8)):
            code = source.choice(["const", "add", "sub", "mul", "div", "div", "neg", "sqr", "sqrt"])
            first, second = source.randrange(node), source.randrange(node)
            number = Fraction(source.randint(-6, 6), source.randint(1, 3))
            lines.append(
                f"const {number}"
                if code == "const"
                else f"{code} {first} {second}"
                if code in ("add", "sub", "mul", "div")
                else f"{code} {first}"
            )
        lower = source.randint(-3, 1)
        upper, level = lower + source.randint(0, 3), Fraction(source.randint(0, 4), 7)
        parsed = parse_problem(at_an_edge(lower, upper, *lines).encode())
        proof = Proof(parsed, (0,), 64, Question(level), Scope(parsed, (0,), 64).box)
        try:
            proof.judge(proof.root, proof.root.box, Evaluate(0, 0))
        except Rejection:
            continue
        valid += 1
        for part in [Fraction(k, 12) for k in range(13)] + [Fraction(1, 10**9), Fraction(1, 10**40)]:
            found = value(lines, lower + part * (upper - lower))
            undefined += found is None
            assert found is None or abs(found) > level
    assert valid > 300 and undefined > 500
