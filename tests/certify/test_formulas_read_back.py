"""A formula that is told reads back, by the readers of problem files and of Minibex, to the function of the
certificate.

Both functions are evaluated in exact rationals. Roots, sines and their like are replaced by rational functions of their
own (any functions do, as long as they are different), so that equal values at random points mean equal compositions.
"""

import re
from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from certify.checker.problem import OPERANDS, parse_problem
from certify.contractors.tape.tape import Builder
from certify.explaining.model_text import formula, input_names
from certify.problems.formulas.expression import Expression
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import evaluate, numbers_like
from certify.problems.minibex import parse_minibex
from certify.problems.systems.system import to_tape

KNOWN = {
    "sin": (0, 0),
    "cos": (0, 1),
    "exp": (0, 1),
    "log": (1, 0),
    "atan": (0, 0),
    "sqrt": (0, 0),
    "erf": (0, 0),
}  # readers know these values
PI = Fraction(355, 113)
BINARY = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b}
POINTS = (Fraction(3, 7), Fraction(-5, 3), Fraction(11, 2)), (Fraction(-2, 9), Fraction(13, 4), Fraction(1, 5))


def stand_in(code, u):
    at, known = KNOWN[code]
    root = Fraction(isqrt(abs(u.numerator)), isqrt(u.denominator))
    if code == "sqrt" and root * root == u:
        return root
    k = sorted(KNOWN).index(code) + 2
    return Fraction(known) if u == at else (k * u + 1) / (u * u + k + Fraction(1, 3))


def value(code, constant, *operands):
    if code in ("const", "constant"):
        return constant
    if code == "pi":
        return PI
    if code == "neg":
        return -operands[0]
    if code == "sqr":
        return operands[0] ** 2
    if code == "integer_power":
        return operands[0] ** int(operands[1])
    return BINARY[code](*operands) if code in BINARY else stand_in(code, *operands)


def last_value(operations, nodes):
    """Of straight-line code (name, constant, operands); None where something is divided by 0."""
    nodes = list(nodes)
    for code, constant, *operands in operations:
        try:
            nodes.append(value(code, constant, *(nodes[operand] for operand in operands if operand >= 0)))
        except ZeroDivisionError:
            return None
    return nodes[-1]


def of_tape(tape, point):
    steps = [(step.operation.name.lower(), step.constant, step.first, step.second) for step in tape.steps]
    if tape.outputs[0] < tape.inputs:
        return point[tape.outputs[0]]
    return last_value(steps[: tape.outputs[0] - tape.inputs + 1], point)


def renamed(text, labels):
    """The formula in names that every reader knows."""
    pieces = re.findall(r"'[^']*'|[A-Za-z][A-Za-z0-9_.]*|[^A-Za-z']+", text)
    assert "".join(pieces) == text
    return "".join(f"n{labels.index(piece)}" if piece in labels else piece for piece in pieces)


def read_by_ours(text):
    builder = Builder(3)
    known = {f"n{k}": Expression(builder, k) for k in range(3)}
    return builder.row(evaluate(parse_formula(text, "here"), known, numbers_like(known["n0"]), "here").node)


def read_by_minibex(text):
    system = parse_minibex(f"Variables n0; n1; n2;\nConstraints\n {text} = 0;\nend\n")
    return to_tape(system.constraints[0].formula, system.variables)


NAMES = ("x", "leg1.a_x", "p.x", "a-b", "pi", "x.", "sqrt", "exp", "e5", "x..y", "b_", "n0", "A.1-2")
NUMBERS = st.one_of(
    st.integers(-9, 9).map(Fraction),
    st.fractions(max_denominator=1000),
    st.floats(allow_nan=False, allow_infinity=False, width=64)
    .filter(lambda v: abs(v) < 1e30 and (not v or abs(v) > 1e-15))
    .map(Fraction),
    st.integers(-(10**60), 10**60).map(Fraction),
)


@st.composite
def problems(draw):
    """A family of one row: a tape of all operations of the language, bound to two variables and a column."""
    codes = sorted(OPERANDS)
    lines = []
    for node in range(3, 3 + draw(st.integers(1, 9))):
        code = draw(st.sampled_from(codes))
        places = [
            node - 1,
            *(draw(st.integers(0, node - 1)) for _ in range(OPERANDS[code] - 1)),
        ]  # so that few operations are used nowhere
        operands = [draw(NUMBERS)] if code == "const" else draw(st.permutations(places[: OPERANDS[code]]))
        lines.append(" ".join([code, *map(str, operands)]))
    first, second, third = draw(st.permutations(NAMES))[:3]
    third = first if draw(st.booleans()) else third
    text = [
        f"certify-problem 3\nvariables 2\n{first} 1 0 1\n{second} 1 0 1\ncolumns 1\ncolumn {third} 1 "
        f"1\n0 1\ntapes 1\ntape f 3 {len(lines)}"
    ]
    return parse_problem("\n".join([*text, *lines, "families 1", "F 0 1 v0 v1 c0", "end", ""]).encode())


@settings(max_examples=300)
@given(problem=problems())
def test_what_is_told_reads_back(problem):
    told = formula(problem, 0)
    if told is None:
        return
    operations = [(op.code, op.value, op.first, op.second) for op in problem.tapes[0].operations]
    labels = input_names(problem, 0)
    assert len(set(labels)) == 3
    text = renamed(told, labels)
    expected = {point: found for point in POINTS if (found := last_value(operations, point)) is not None}
    for read in (read_by_ours, read_by_minibex) if expected else ():
        tape = read(text)
        for point, found in expected.items():
            assert of_tape(tape, point) == found, (told, read)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("const -3", "mul 0 3"), "x*(-3)"),
        (("neg 0", "mul 1 3"), "y*(-x)"),
        (("sqr 0", "sqr 3", "sqr 4"), "((x^2)^2)^2"),
        (("div 0 1", "mul 3 2"), "x/y*m"),
        (("mul 1 2", "div 0 3"), "x/(y*m)"),
        (("div 1 2", "mul 0 3"), "x*(y/m)"),
        (("neg 0", "sqr 3"), "(-x)^2"),
        (("sqr 0", "neg 3"), "-x^2"),
        (("mul 0 1", "neg 3"), "-(x*y)"),
        (("neg 0", "neg 3", "neg 4"), "-(-(-x))"),
        (("neg 0", "add 3 1"), "-x + y"),
        (("neg 0", "sub 1 3"), "y - (-x)"),
        (("sub 1 2", "sub 0 3"), "x - (y - m)"),
        (("add 1 2", "add 0 3"), "x + (y + m)"),
        (("const -1/3", "add 3 0"), "(-1/3) + x"),
        (("const 1/3", "sqr 3"), "(1/3)^2"),
        (("const -1/8", "div 0 3"), "x/(-0.125)"),
        (("const 1/10", "mul 3 0"), "0.1*x"),
        (("pi", "const 180", "div 3 4", "mul 0 5", "atan 6"), "atan(x*(pi/180))"),
        (("exp 0", "log 3", "sqrt 4"), "sqrt(log(exp(x)))"),
    ],
)
def test_brackets_and_signs(lines, told):
    text = (
        f"certify-problem 3\nvariables 2\nx 1 0 1\ny 1 0 1\ncolumns 1\ncolumn m 1 1\n0 1\ntapes 1\ntape "
        f"f 3 {len(lines)}\n"
    )
    problem = parse_problem((text + "\n".join([*lines, "families 1", "F 0 1 v0 v1 c0", "end", ""])).encode())
    assert formula(problem, 0) == told


def one_variable(name, lines, column="m"):
    text = (
        f"certify-problem 3\nvariables 1\n{name} 1 0 1\ncolumns 1\ncolumn {column} 1 1\n0 1\ntapes "
        f"1\ntape f 2 {len(lines)}\n"
    )
    return parse_problem((text + "\n".join([*lines, "families 1", "F 0 1 v0 c0", "end", ""])).encode())


def test_names_that_look_like_something_else_stand_in_quotes():
    assert formula(one_variable("a-b", ["sub 0 1"]), 0) == "'a-b' - m"
    assert formula(one_variable("pi", ["sub 0 1"]), 0) == "'pi' - m"
    assert formula(one_variable("x", ["sub 0 1"], "x"), 0) == "x - 'measured x'"


def test_no_formula_is_told_of_a_row_that_may_have_no_value_where_it_has_one():
    """log(x) is not used, and leaves the row without a value for x <= 0."""
    assert formula(one_variable("x", ["log 0", "sub 0 1"]), 0) is None
    assert formula(one_variable("x", ["exp 0", "sub 0 1"]), 0) == "x - m"
    assert formula(one_variable("x", ["log 0", "sub 2 1"]), 0) == "log(x) - m"


def test_what_is_too_deep_to_be_read_is_not_told():
    assert formula(one_variable("x", ["neg 0", *(f"neg {k}" for k in range(2, 40))]), 0) is not None
    assert formula(one_variable("x", ["neg 0", *(f"neg {k}" for k in range(2, 50))]), 0) is None
    assert formula(one_variable("x", [f"const {10**100 + 1}", "sub 0 2"]), 0) is None
