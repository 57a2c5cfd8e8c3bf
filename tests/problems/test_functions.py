"""The one table of functions: problem files, Minibex and Python know the same names, each of which is the same
function.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from exact import arb_values

import certify
from certify.problems.errors import InputError
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import DIMENSIONS, FLOATS, evaluate, numbers_like
from certify.problems.functions.dimensions import Dimension
from certify.problems.functions.function_table import FUNCTIONS, ROWS
from certify.problems.functions.powers import Powers, Unfit
from certify.problems.minibex import parse_minibex
from certify.problems.minibex.calls import RESERVED
from certify.problems.model.model import trace
from certify.problems.systems.system import to_tape

INSIDE = {"acosh": (1.5, 2.25)}  # points of the domains of the others: these
POINTS = (0.375, 0.75)


def tape_in_minibex(name, count):
    system = parse_minibex(f"Variables u, v; Constraints {name}({', '.join('uv'[:count])}) = 0; end")
    return to_tape(system.constraints[0].formula, system.variables)


def tape_in_python(name, count):
    return trace(lambda x, m: getattr(certify, name)(*(x.u, m.v)[:count]) + 0 * m.v + 0 * x.u, {"u": ()}, {"v": ()})


def tape_in_a_problem_file(name, count):
    tree = parse_formula(f"{name}({', '.join('uv'[:count])}) + 0*u + 0*v", "here")

    def model(x, m):
        return evaluate(tree, {"u": x.u, "v": m.v}, numbers_like(x.u), "here")

    return trace(model, {"u": ()}, {"v": ()})


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_name_is_the_same_function_everywhere(name):
    """On the tapes of all three, and in floats."""
    function = FUNCTIONS[name]
    points = INSIDE.get(function.name, POINTS)
    floats = getattr(certify, name)(*points[: function.operands])
    text = evaluate(
        parse_formula(f"{name}({', '.join('uv'[: function.operands])})", "here"),
        dict(zip("uv", points, strict=True)),
        FLOATS,
        "here",
    )
    assert floats == text
    for tape in (
        tape_in_minibex(name, function.operands),
        tape_in_python(name, function.operands),
        tape_in_a_problem_file(name, function.operands),
    ):
        (value,) = arb_values(tape, [Fraction(point) for point in points])
        assert abs(float(value.mid()) - floats) <= 1e-14 * max(1.0, abs(floats))


def test_no_other_names_are_known():
    for text in ("sinus(u)", "chi(u)", "arsinh(u)"):
        with pytest.raises(InputError, match="no function"):
            evaluate(parse_formula(text, "here"), {"u": 0.5}, FLOATS, "here")
        with pytest.raises(AttributeError):
            getattr(certify, text[:-3])
    assert set(FUNCTIONS) <= set(dir(certify))


LENGTH, NUMBER, AREA, ZERO = Powers.of(Dimension.LENGTH), Powers(), Powers.of(Dimension.LENGTH) ** 2, Powers(None)
UNCHANGED = ("abs", "min", "max")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_dimensions(row):
    """What takes lengths scales as its result says: f(k u) = k^power f(u); everything else refuses them."""
    assert row(*[NUMBER] * row.operands) == NUMBER
    if row.name not in (*UNCHANGED, "sqrt", "sqr", "atan2", "sign"):
        with pytest.raises(Unfit, match="is needed"):
            row(*[LENGTH] * row.operands)
        return
    result = row(*[LENGTH] * row.operands)
    points = INSIDE.get(row.name, POINTS)[: row.operands]
    assert math.isclose(
        row(*(9 * point for point in points)), 9.0 ** float(dict(result.units).get("mm", 0)) * row(*points)
    )
    if row.operands == 2:
        with pytest.raises(Unfit, match="a length and a length to the power 2 cannot be"):
            row(LENGTH, AREA)
    assert row(*[ZERO] * row.operands) in (ZERO, NUMBER)


def test_operands_are_counted_alike():
    assert FUNCTIONS["min"](3.0, 1.0, 2.0) == 1.0
    for text, takes in (("min(u)", "at least 2"), ("atan2(u)", "2"), ("sin(u, u)", "1")):
        with pytest.raises(InputError, match=f"takes {takes} values"):
            evaluate(parse_formula(text, "here"), {"u": NUMBER}, DIMENSIONS, "here")
        with pytest.raises(InputError, match=f"takes {takes} argument"):
            parse_minibex(f"Variables u; Constraints {text} = 0; end")
        with pytest.raises(TypeError, match=f"takes {takes} values"):
            FUNCTIONS[text.split("(")[0]](*[0.5] * (text.count(",") + 1))


def test_a_name_that_came_later_may_be_declared():
    """Files from before are read as they were."""
    for row in ROWS:
        for name in row.names:
            if name not in RESERVED:
                assert (
                    parse_minibex(f"Variables {name} in [0, 1]; Constraints {name} = 0; end").variables[0].name == name
                )
    assert {"min", "max", "abs", "sign", "atan2"} <= RESERVED and "pow" not in RESERVED


def test_a_formula_with_all_kinds_of_them():
    """`sign` is a name here, as it came later."""
    tree = parse_formula("max(min(x, y), 0) + abs(x - y) - L*exp(sign - atan2(h, 2*h)) + ln(sign)*h", "here")
    values = {"x": LENGTH, "y": LENGTH, "L": LENGTH, "h": LENGTH, "sign": NUMBER}
    assert evaluate(tree, values, DIMENSIONS, "here") == LENGTH
    plain = evaluate(tree, {"x": 1.0, "y": 3.0, "L": 2.0, "h": 5.0, "sign": 1.0}, FLOATS, "here")
    assert math.isclose(plain, 1 + 2 - 2 * np.exp(1 - np.arctan2(5, 10)))
