import os
from fractions import Fraction
from pathlib import Path

import flint
import numpy as np
import pytest
from exact import BITS, arb_values, ball, holds
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.tape import Operation as Code
from certify.problems.errors import InputError
from certify.problems.formulas.graph import (
    MAX_BITS,
    Apply,
    Constant,
    Formulas,
    Operation,
    Symbol,
    exact_value,
    ordered,
    symbol,
)
from certify.problems.minibex import machine, parse_minibex, read_minibex
from certify.problems.minibex.bounds import Enclosures
from certify.problems.minibex.machine import MAX_CALLS
from certify.problems.minibex.reading import MAX_DEPTH, MAX_LOOPS, MAX_NOTES
from certify.problems.systems.system import Relation, System, SystemVariable, to_tape

F = Fraction
EXACT = {
    Operation.ADD: lambda a, b: a + b,
    Operation.SUB: lambda a, b: a - b,
    Operation.MUL: lambda a, b: a * b,
    Operation.DIV: lambda a, b: a / b,
    Operation.NEG: lambda a: -a,
    Operation.POWER: lambda a, b: a**b,
    Operation.ABS: abs,
    Operation.SIGN: lambda a: F((a > 0) - (a < 0)),
    Operation.MIN: lambda *v: min(v),
    Operation.MAX: lambda *v: max(v),
}
ARB = {
    **{
        operation: EXACT[operation]
        for operation in (Operation.ADD, Operation.SUB, Operation.MUL, Operation.DIV, Operation.NEG, Operation.POWER)
    },
    Operation.PI: lambda: flint.arb.pi(),
    **{Operation[name.upper()]: lambda a, name=name: getattr(a, name)() for name in ("sin", "cos", "exp", "tan")},
}


def value_of(formula, point, table=EXACT, number=F):
    values = {}
    for node in ordered((formula,)):
        if isinstance(node, Symbol):
            values[id(node)] = number(point[node.index])
        elif isinstance(node, Constant):
            values[id(node)] = number(node.exact)
        else:
            values[id(node)] = table[node.operation](*(values[id(o)] for o in node.operands))
    return values[id(formula)]


def system_of(constraints, variables="x, y, z", before=""):
    return parse_minibex(f"{before} Variables {variables}; Constraints {constraints} end")


def formula_of(text, before=""):
    """The formula of text = 0 in x, y, z."""
    (constraint,) = system_of(f"{text} = 0;", before=before).constraints
    return constraint.formula


def shown(formula):
    """Fully parenthesised, for reading structure."""
    if isinstance(formula, Symbol):
        return "xyz"[formula.index]
    if isinstance(formula, Constant):
        return str(formula.exact) if formula.exact is not None else f"[{formula.lower},{formula.upper}]"
    name, parts = symbol(formula.operation), [shown(operand) for operand in formula.operands]
    if formula.operation is Operation.NEG:
        return f"(-{parts[0]})"
    return f"({parts[0]}{name}{parts[1]})" if len(name) == 1 else f"{name}({','.join(parts)})"


PRECEDENCE = {
    "x+y*z": "(x+(y*z))",
    "x-y-z": "((x-y)-z)",
    "x/y*z": "((x/y)*z)",
    "x/y/z": "((x/y)/z)",
    "x*y^z": "(x*(y^z))",
    "x^y^z": "((x^y)^z)",
    "-x^2": "(-(x^2))",
    "-x*y": "(-(x*y))",
    "-x+y": "((-x)+y)",
    "x- -y": "(x-(-y))",
    "--x": "(-(-x))",
    "+x": "x",
    "x*+y": "(x*y)",
    "2*-x+y": "((2*(-x))+y)",
    "2*-x*y": "(2*(-(x*y)))",
    "2/-x*y": "(2/(-(x*y)))",
    "x^-2": "(x^-2)",
    "x^-2*y": "(x^(-(2*y)))",
    "2^-x^y": "(2^(-(x^y)))",
    "x^2*y": "((x^2)*y)",
    "(x+y)*z": "((x+y)*z)",
    "x^(y+1)": "(x^(y+1))",
    "x^.5": "(x^1/2)",
    "x^(1/3)": "(x^1/3)",
    "sin(x)^2": "(sin(x)^2)",
    "4/9*x": "(4/9*x)",
    "10/3/sin(x)": "(10/3/sin(x))",
}


@pytest.mark.parametrize("text", PRECEDENCE)
def test_precedence_and_associativity(text):
    assert shown(formula_of(text)) == PRECEDENCE[text]


@pytest.mark.parametrize(
    ("text", "noted"), [("2/-x*y", "reaches over"), ("x^-2*y", "reaches over"), ("x^y^z", "(a^b)^c")]
)
def test_a_reading_against_custom_is_noted(text, noted):
    (note,) = system_of(f"{text} = 0;").notes
    assert noted in note
    assert note.startswith("line 1, column ")


@pytest.mark.parametrize("text", ["2/(-x)*y", "x*-y*z", "-x^2", "(x^y)^z", "2/-x+y", "x^-2"])
def test_a_customary_reading_is_not_noted(text):
    assert system_of(f"{text} = 0;").notes == ()


NUMBERS = {
    "1/3721": F(1, 3721),
    "0.1": F(1, 10),
    ".5": F(1, 2),
    "5.": F(5),
    "60.0": F(60),
    "1e-8": F(1, 10**8),
    "1e08": F(10**8),
    "1E2": F(100),
    "1.e+2": F(100),
    "00012": F(12),
    "10^-3": F(1, 1000),
    "2^10": F(1024),
    "-2^2": F(-4),
    "0^0": F(1),
    "(-1)^1000000001": F(-1),
    "0.7-0.6353-0.0647": F(0),
    "#3fb999999999999a": F(0.1),
    "#8000000000000000": F(0),
    "1e400": F(10**400),
    "max(1,1/2,3)": F(3),
    "min(1,1/2,3)": F(1, 2),
    "abs(-1/3)": F(1, 3),
    "sign(-0.1)": F(-1),
    "sqr(3)": F(9),
    "pow(2,3)": F(8),
    "inf([1,4])+mid([1,4])+sup([1,4])": F(15, 2),
    "sum(i=1:4, i^2)": F(30),
    "sum(i=1:0, i)": F(0),
    "sum(i=1:2, sum(j=i:3, i*j))": F(6 + 10),
}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_exact(text):
    assert exact_value(formula_of(f"x - ({text})").operands[1]) == NUMBERS[text]


NAMES = [
    "sqrt",
    "exp",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "abs",
    "sign",
]


@pytest.mark.parametrize("name", NAMES)
def test_functions_have_their_operation(name):
    assert shown(formula_of(f"{name}(x)")) == f"{name}(x)"


def test_functions_under_other_names():
    others = {
        "ln(x)": "log(x)",
        "log(x)": "log(x)",
        "arcsin(x)": "asin(x)",
        "arccos(x)": "acos(x)",
        "arctan(x)": "atan(x)",
    }
    others |= {
        "atan2(x,y)": "atan2(x,y)",
        "arctan2(x,y)": "atan2(x,y)",
        "max(x,y,z)": "max(x,y,z)",
        "min(x,2)": "min(x,2)",
    }
    others |= {"sqr(x)": "(x^2)", "pow(x,y)": "(x^y)"}
    assert {text: shown(formula_of(text)) for text in others} == others


def domains(text, before=""):
    return {v.name: (v.lower, v.upper) for v in parse_minibex(f"{before} Variables {text};").variables}


def test_domains():
    assert domains("x") == {"x": (None, None)}
    assert domains("x in [-1e8,20]; y; z in [0,+oo]") == {"x": (-(10**8), 20), "y": (None, None), "z": (0, None)}
    assert domains("x in [-oo,oo], y in [-+oo, 1/3]") == {"x": (None, None), "y": (None, F(1, 3))}
    assert domains("x[2] in [-10^8, 10^8]") == {"x(1)": (-(10**8), 10**8), "x(2)": (-(10**8), 10**8)}
    assert domains("x[2] in ([0,1];2)") == {"x(1)": (0, 1), "x(2)": (2, 2)}
    assert list(domains("x[2][3]")) == ["x(1,1)", "x(1,2)", "x(1,3)", "x(2,1)", "x(2,2)", "x(2,3)"]
    assert domains("x[n] in [-n,a]; y[1]", "Constants n = 2; a = n/3;") == dict.fromkeys(
        ("x(1)", "x(2)"), (-2, F(2, 3))
    ) | {"y(1)": (None, None)}
    assert domains("x in c", "Constants c in [0.1, 0.3];") == {"x": (F(1, 10), F(3, 10))}
    assert domains("x in 2*c+1", "Constants c in [-1, 3];") == {"x": (-1, 7)}


def test_domains_with_pi_are_rounded_outwards_by_a_hair():
    with flint.ctx.workprec(600):
        pi = flint.arb.pi()
        for text, truth in (
            ("2*pi", 2 * pi),
            ("pi^2/-3", -pi * pi / 3),
            ("sqrt(2)", flint.arb(2).sqrt()),
            ("1/pi", 1 / pi),
        ):
            ((lower, upper),) = domains(f"x in {text}").values()
            assert ball(lower) < truth < ball(upper)
            assert upper - lower < F(1, 10**45)
    assert domains("x in [sqrt(4/9), sqrt(0.25)*4]") == {"x": (F(2, 3), 2)}
    assert "rounded outwards" in parse_minibex("Variables x in [0, 2*pi];").notes[0]
    assert Enclosures().of(Formulas().apply(Operation.PI)).thin


def test_constants():
    before = (
        "CONSTANTS a = 1; b in [0,1]; v[2] = (3; 4); m[2][2] = ((1,2);(3,4)); w[1][2] = (5, 6); f in 0; "
        "big[3] in [0,2]; p = sin(pi*a);"
    )
    texts = {
        "x*a": "(x*1)",
        "x+b": "(x+[0,1])",
        "x*v(2)": "(x*4)",
        "x*v[0]": "(x*3)",
        "x*m(2,1)": "(x*3)",
        "x*w(2)": "(x*6)",
        "x+f": "(x+0)",
    }
    texts |= {"x+big(3)": "(x+[0,2])"}
    assert {text: shown(formula_of(text, before)) for text in texts} == texts
    assert formula_of("x-p", before).operands[1].operation is Operation.SIN
    assert shown(formula_of("x-pi", "Constants pi = 3.14;")) == "(x-157/50)"


def test_an_interval_constant_is_not_one_value():
    system = system_of("x = c - c;", before="Constants c in [0,1];")
    difference = system.constraints[0].formula.operands[1]
    assert difference.operation is Operation.SUB
    assert "independently" in system.notes[0]


def relations(text, variables="x, y, z", before=""):
    return [(shown(c.formula), c.relation.value) for c in system_of(text, variables, before).constraints]


def test_relations():
    assert relations("x = y; x < 1; x <= 0; x > y; (x >= 2); 0 = x") == [
        ("(x-y)", "= 0"),
        ("(x-1)", "<= 0"),
        ("x", "<= 0"),
        ("(x-y)", ">= 0"),
        ("(x-2)", ">= 0"),
        ("(0-x)", "= 0"),
    ]
    assert relations("x in [1,2]; x in [-oo,3]; x in [0,oo]; x in 4; x in [5,5]; x in [-oo,oo]") == [
        ("(x-1)", ">= 0"),
        ("(x-2)", "<= 0"),
        ("(x-3)", "<= 0"),
        ("x", ">= 0"),
        ("(x-4)", "= 0"),
        ("(x-5)", "= 0"),
    ]
    assert system_of("x in pi;").constraints[0].relation is Relation.EQUAL
    assert [note.partition(": ")[2] for note in system_of("x < 1; y > 1;").notes] == [
        "the strict < is relaxed to <=, the boundary is kept",
        "the strict > is relaxed to >=, the boundary is kept",
    ]
    assert [c.place for c in system_of("x = 0;\n\ny = 0;").constraints] == ["line 1", "line 3"]


def test_vectors():
    vector = "x, y, z; v[2], w[2], r[1][2], m[2][2]"
    system = system_of(
        "v = w; v = 0; (x;y) = v; r' = v; m*v = w; v = m(:,1); r = m(2,:); m(1) = r; v*w = 1; (x,y)*v = 0; -v/2 <= 1;",
        vector,
    )
    point = [F(n) for n in range(2, 15)]
    names = {v.name: value for v, value in zip(system.variables, point, strict=True)}
    v, w = [names["v(1)"], names["v(2)"]], [names["w(1)"], names["w(2)"]]
    r, m = [names["r(1,1)"], names["r(1,2)"]], [[names[f"m({i},{j})"] for j in (1, 2)] for i in (1, 2)]
    x, y = names["x"], names["y"]
    expected = [v[0] - w[0], v[1] - w[1], *v, x - v[0], y - v[1], r[0] - v[0], r[1] - v[1]]
    expected += [m[0][0] * v[0] + m[0][1] * v[1] - w[0], m[1][0] * v[0] + m[1][1] * v[1] - w[1]]
    expected += [v[0] - m[0][0], v[1] - m[1][0], r[0] - m[1][0], r[1] - m[1][1], m[0][0] - r[0], m[0][1] - r[1]]
    expected += [v[0] * w[0] + v[1] * w[1] - 1, x * v[0] + y * v[1], -v[0] / 2 - 1, -v[1] / 2 - 1]
    assert [value_of(c.formula, point) for c in system.constraints] == expected


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("a(1)", [0]), ("a[1]", [1]), ("a(2:3)", [1, 2]), ("a[0:1]", [0, 1]), ("a(:)", [0, 1, 2]), ("m(2)", [6, 7, 8]),
        ("m(1,2)", [4]),
        ("m(:,3)", [5, 8]), ("m[1][2]", [8]), ("m(2,2:3)", [7, 8]), ("m(1:2,1)", [3, 6]), ("m(:,2:3)(2,:)", [7, 8]),
        ("m(1,:)(2)", [4]),
        ("m(1:2,:)", [3, 4, 5, 6, 7, 8]), ("(a;a)(5)", [1]), ("((a(1),a(2));(a(3),a(1)))(2,1)", [2]), ("m'(3,1)", [5]),
        ("x(1)", [9]), ("x[0]", [9]),
        ("(m,m)(1,5)", [4]), ("(m;m)(4)", [6, 7, 8]), ("a(n)", [1]), ("a(n+1)", [2]), ("2*a(1:2)*1", [0, 2]),
        ("(-m)(1,1)", [-3]),
    ],
)  # fmt: skip
def test_indices(text, entries):
    before = "Constants n = 2;"
    system = parse_minibex(f"{before} Variables a[3]; m[2][3]; x; Constraints {text} = 0; end")
    assert [value_of(c.formula, list(range(10))) for c in system.constraints] == entries


def test_loops_and_values_between_constraints():
    assert relations("for i=1:3; v(i) = i; end", "v[3]", "") == [("(x-1)", "= 0"), ("(y-2)", "= 0"), ("(z-3)", "= 0")]
    assert relations("FOR i=1:2; for j=i:2; t = v(j); t = i end; end; v(3) = 7", "v[3]") == [
        ("(x-1)", "= 0"),
        ("(y-1)", "= 0"),
        ("(y-2)", "= 0"),
        ("(z-7)", "= 0"),
    ]
    assert relations("for i=1:0; v(i) = 0; end", "v[3]") == []
    assert relations("t = x + y; u = t * t; u = 1; z = u;")[1] == ("(z-((x+y)*(x+y)))", "= 0")


def test_functions_of_the_file_are_inlined_and_shared():
    before = (
        "Constants c = 3; Function f(a, b[2]) s = a^2; c = s*c*b(1); return c + b(2); END function g(x) "
        "return f(x, (x; 1)) - c; end"
    )
    before = before.replace("c = s*c*b(1); return c", "t = s*c*b(1); return t")
    assert shown(formula_of("g(y)", before)) == "(((((y^2)*3)*y)+1)-3)"
    text = (
        "Constants c=3; Variables x,y; function f(x,y) return c*x^2+y^2 end Minimize x; Constraints "
        "f(y, x+1) <= c; f(y, x+1) >= 0; end"
    )
    first, second = parse_minibex(text).constraints
    assert first.formula.operands[0] is second.formula
    assert shown(formula_of("f(x)(2)", "function f(a) return (a; -a); end")) == "(-x)"
    assert shown(formula_of("f(x)", "Constants c = 1; function f(c) return c; end")) == "x"
    assert shown(formula_of("x*c", "Constants c = 1; function f(c) return c; end")) == "(x*1)"


def test_the_objective_is_kept_and_noted():
    system = parse_minibex("variables x, y; minimize x^2+y constraints x = y; end")
    assert shown(system.objective) == "((x^2)+y)"
    assert "not solved" in system.notes[0]


def test_comments_and_line_ends():
    text = (
        "// a\r\n/* b\n * c **/variables\r x /* in [0,1] */; // é ² ;\nConstraints x=0;\nend // trailing\n\n/* text */"
    )
    assert len(parse_minibex(text).constraints) == 1
    with pytest.raises(InputError, match=r"line 5, column 15: .*not ';'"):
        parse_minibex(text.replace("x=0", "x="))


ERRORS = {
    "": (1, 1, "contains nothing"),
    "x = 0": (1, 1, "'variables' is expected"),
    "Constants c = 1;": (1, 17, "functions or constants only"),
    "function f(x) return x end": (1, 27, "functions or constants only"),
    "Variables x": (1, 12, "';' is expected"),
    "Variables x; Constraints x = 0;": (1, 32, "end of the file"),
    "Variables x; Constraints x = 0; end x": (1, 37, "where the file should end"),
    "Variables x;\n x;": (2, 2, "declared twice"),
    "Variables sin;": (1, 11, "meaning of its own"),
    "Variables For;": (1, 11, "meaning of its own"),
    "Variables 3;": (1, 11, "the name of a variable"),
    "Variables x; Constraints y + x = 0; end": (1, 26, "not declared"),
    "Variables x; Constraints\n x + = 0; end": (2, 6, "an expression is expected"),
    "Variables x; Constraints x; end": (1, 27, "compares two expressions"),
    "Variables x; Constraints 0 < x < 1; end": (1, 32, "two sides only"),
    "Variables x; Constraints 2x = 1; end": (1, 27, "compares two"),
    "Variables x; Constraints (x = 1; end": (1, 32, "')'"),
    "Variables x; Constraints x = oo; end": (1, 30, "end of an interval"),
    "Variables x in [oo,1];": (1, 17, "-oo only"),
    "Variables x in [0,-oo];": (1, 20, "oo only"),
    "Variables x in [2,1];": (1, 16, "empty"),
    "Variables x in [0,y];": (1, 19, "not declared"),
    "Variables x in [0,exp(1000)];": (1, 16, "uses exp where it is not defined or not bounded"),
    "Variables x in ln([0,1]);": (1, 11, "uses log where"),
    "Variables x in atan2(0,0);": (1, 11, "uses atan2 where"),
    "Variables x in [0,1/0];": (1, 20, "divided by 0"),
    "Variables x in [-1,1/(pi-pi)];": (1, 16, "divided by 0"),
    "Variables x in [0,sqrt(-1)];": (1, 16, "negative number"),
    "Variables x in [0,oo]+1;": (1, 11, "infinite interval"),
    "Variables x in [0,(-2)^0.5];": (1, 16, "uses ^ where"),
    "Variables x in [-1,2]^pi;": (1, 11, "uses ^ where"),
    "Variables x[0];": (1, 11, "within 1 and"),
    "Variables x[1/2];": (1, 11, "no integer"),
    "Variables x[2][3][4];": (1, 18, "two dimensions"),
    "Variables x[2] in (0,1);": (1, 11, "a column is written"),
    "Constants c; Variables x;": (1, 12, "no value"),
    "Constants c[2] = (1;2;3); Variables x;": (1, 11, "2 x 1"),
    "Constants c = x; Variables x;": (1, 15, "not declared"),
    "Variables x; Constraints sin x = 0; end": (1, 26, "in parentheses"),
    "Variables x; Constraints sin(x,x) = 0; end": (1, 26, "takes 1 argument"),
    "Variables x; Constraints sqr(x,x) = 0; end": (1, 26, "takes 1 argument, not 2"),
    "Variables x; Constraints max(x) = 0; end": (1, 26, "at least 2"),
    "Variables x; Constraints chi(x,x,x) = 0; end": (1, 26, "not supported"),
    "Variables x; Constraints inf(x) = 0; end": (1, 26, "bounded constant interval"),
    "Variables x; Constraints <x,1> = 0; end": (1, 26, "balls"),
    "Variables x[2]; Constraints x(3) = 0; end": (1, 30, "not within 1:2"),
    "Variables x[2]; Constraints x[2] = 0; end": (1, 30, "not within 0:1"),
    "Variables x[2]; Constraints x(0) = 0; end": (1, 30, "counts from 1"),
    "Variables x[2]; Constraints x(2:1) = 0; end": (1, 30, "goes upwards"),
    "Variables x[2]; Constraints x(x(1)) = 0; end": (1, 30, "no integer"),
    "Variables x[2]; Constraints x(1,1,1) = 0; end": (1, 34, "')'"),
    "Variables x[2]; Constraints x + 1 = 0; end": (1, 31, "same dimensions"),
    "Variables x[2]; Constraints sin(x) = 0; end": (1, 29, "each entry"),
    "Variables x[2]; Constraints 1/x = 0; end": (1, 30, "divide by a number"),
    "Variables x[2], m[3][3]; Constraints m*x = 0; end": (1, 39, "as many as"),
    "Variables x[2], m[3][3]; Constraints m = x; end": (1, 40, "same dimensions"),
    "Variables x[2]; Constraints (x,1) = 0; end": (1, 29, "cannot be joined"),
    "Variables x; Constraints (x,1;2) = 0; end": (1, 30, "mixed"),
    "Variables x[2]; Minimize x; Constraints x = 0; end": (1, 26, "the objective"),
    "Variables x; function f(a) return a end Constraints f(x,x) = 0; end": (1, 53, "is 1, not 2"),
    "Variables x[2]; function f(a) return a end Constraints f(x) = 0; end": (1, 56, "a number is needed"),
    "Variables x; function f(a,a) return a end Constraints f(x) = 0; end": (1, 27, "declared twice"),
    "Variables x; function f(a) return x end Constraints f(x) = 0; end": (1, 35, "not declared"),
    "Variables x; function f(a) return f(a) end Constraints f(x) = 0; end": (1, 35, "not declared"),
    "Variables x; Constraints for x=1:2; x = 0; end end": (1, 30, "declared twice"),
    "Variables x; Constraints for i=1:x; x = 0; end end": (1, 30, "no integer"),
    "Variables x; Constraints for i=1:2 x = 0; end end": (1, 36, "';'"),
    "Variables x; Constraints x in [0,1] + x; end": (1, 28, "a variable occurs"),
    "Variables x; Constraints x = 1/0; end": (1, 31, "divided by 0"),
    "Variables x; Constraints x = 0^-1; end": (1, 31, "negative power"),
    "Variables x; Constraints sum(i=1:2) = 0; end": (1, 35, "','"),
    "Parameters p; Variables x;": (1, 1, "parameters are not supported"),
    "Variables x; Parameters p; Constraints x = p; end": (1, 14, "parameters are not supported"),
    "Variables x; Constraints floor(x) = 0; end": (1, 26, "real numbers"),
    "Variables x; Constraints integer(x) = ceil(x); end": (1, 26, "real numbers"),
    "Variables x; Constraints x + floor = 0; end": (1, 30, "not declared"),
    "Variables x[3]; Constraints x[3] = 0; end": (1, 30, "old IBEX files count it from 1"),
    "Variables x; Constraints ((x = 1); end": (1, 34, "')'"),
    "Variables x; Constraints ((x) = 1) + 1; end": (1, 36, "';' or 'end'"),
    "Variables x; Constraints x = #7ff0000000000000; end": (1, 30, "no finite number"),
    "Variables x; Constraints x = #00000000000000000; end": (1, 30, "16 hexadecimal"),
    "Variables x; Constraints x $ 1; end": (1, 28, "'$'"),
    "Variables x; \x00": (1, 14, r"'\x00'"),
    "Variables é;": (1, 11, r"'\xe9'"),
    "Variables x;\n\t/* never": (2, 2, "never closed"),
    "Variables " + "x" * 101 + ";": (1, 11, "longer than 100"),
}


@pytest.mark.parametrize("text", ERRORS)
def test_errors_name_line_column_and_remedy(text):
    line, column, what = ERRORS[text]
    with pytest.raises(InputError) as caught:
        parse_minibex(text, "p.bch")
    message = str(caught.value)
    assert message.startswith(f"p.bch, line {line}, column {column}: ")
    assert what in message
    assert message.count("p.bch") == 1
    assert ";" in message or "," in message.partition(": ")[2]


def refused(text, what):
    with pytest.raises(InputError, match=what):
        parse_minibex(text)


def chain_of_functions(body, length):
    functions = "".join(f"function f{k}(x) return {body.format(k - 1)} end " for k in range(1, length))
    return f"function f0(x) return x*x end {functions} Variables x; Constraints f{length - 1}(x)=0; end"


N = 100_000
SQUARES = "".join(f"t{k}=t{k - 1}^2;" for k in range(1, 99))
HOSTILE = {
    "parentheses": ("Variables x; Constraints " + "(" * N + "x" + ")" * N + " = 0; end", "nested deeper"),
    "open parentheses": ("Variables x; Constraints " + "(" * N, "nested deeper"),
    "brackets": ("Variables x in " + "[" * N, "nested deeper"),
    "calls": ("Variables x; Constraints " + "sin(" * N, "nested deeper"),
    "indices": ("Variables x; Constraints x" + "(x" * N, "nested deeper"),
    "sums": ("Variables x; Constraints " + "".join(f"sum(i{k}=1:9," for k in range(N)), "nested deeper"),
    "loops": ("Variables x; Constraints " + "".join(f"for i{k}=1:9;" for k in range(N)), "nested deeper"),
    "long loop": ("Variables x; Constraints for i=1:10^18; x = 0; end end", "expand to more"),
    "empty long loop": ("Variables x; Constraints for i=1:10^9; for j=1:0; x = 0; end end end", "expand to more"),
    "long sum": ("Variables x; Constraints sum(i=1:10^9, x*i) = 0; end", "more than"),
    "vector": ("Variables x[10^7];", "is not within"),
    "matrix": ("Variables x[10^4][10^4];", "more than 1000000 entries"),
    "variables": ("Variables x[600000], y[600000];", "more than 1000000 variables"),
    "outer product": ("Variables x[10000]; Constraints x*x' = 0; end", "expand to more"),
    "joined vectors": ("Variables x[100000]; Constraints (" + "x;" * 1000 + "x) = 0; end", "expand to more"),
    "exponent": ("Variables x in [0,1e999999999];", "too long or too large"),
    "small": ("Variables x in [0,1e-999999999];", "too long or too large"),
    "zeros of an exponent": ("Variables x in [0,1e" + "0" * N + "1];", "too long"),
    "digits": ("Variables x in [0," + "9" * N + "];", "too long"),
    "power tower": ("Variables x; Constraints x = 10^10^10^10^10; end", "more than 4096 bits"),
    "huge constant": ("Variables x; Constraints x = (1e400)^400; end", "more than 4096 bits"),
    "slow constant": (f"Variables x; Constraints t0=3; {SQUARES}x=t98; end", "4096 bits"),
    "huge bound": ("Variables x in [0,(pi^1000)^1000];", "more than 4096 bits"),
    "unterminated": ("Variables x; /*" + "*" * N, "never closed"),
    "not text": ("\x00" * N, "no meaning"),
    "other digits": ("Variables x in [0,\u0663];", "no meaning"),
    "characters": (" " * (4 * 1024 * 1024 + 1), "characters"),
    "words": ("x;" * 600_000, "more than 1000000 words"),
    "functions": (chain_of_functions("f{0}(x)+f{0}(x+1)", 60), "expand to more"),
    "function depth": (chain_of_functions("f{0}(x)", 1000), "levels deep"),
    "sums in functions": (chain_of_functions("".join(f"sum(i{k}=1:1," for k in range(30)) + "f{0}(x)" + ")" * 30, 100),
                          "levels deep"),
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_refused_soon(name, monkeypatch):
    if name != "outer product":  # with the limit that users have
        monkeypatch.setattr(machine, "MAX_WORK", 100_000)
    refused(*HOSTILE[name])


EVERYTHING = """Constants n = 2; c in [0,1]; v[2] = (1;2); function f(a, b[2]) s = a*b(1); return s + n end
Variables x[3] in [-1, oo], y[2][2]; z in [0, 2*pi]; Minimize z^2; Constraints
for i=1:n; t = f(x(i), v); t = sum(k=1:2, y(i,k)) ; (x[i] <= -i/3); end; y*x(1:2) = v'' ;
max(z, 1) in c; y' = ((1,2);(3,4)); z < .5e-3; end"""


WORDS = st.sampled_from([*"()[];,:=<>+-*/^' 019", "in", "end", "oo", "x", "for", ""])


@given(st.lists(st.tuples(st.integers(0, 400), st.integers(0, 12), WORDS), max_size=4))
def test_damaged_texts_are_read_or_refused_with_a_place(damages):
    text = EVERYTHING
    for start, length, other in damages:
        text = text[:start] + other + text[start + length :]
    try:
        system = parse_minibex(text, "p.bch")
    except InputError as error:
        assert str(error).startswith("p.bch, line ")
        assert str(error).count("p.bch") == 1
    else:
        assert system.variables


def test_the_text_with_everything_is_read():
    assert len(parse_minibex(EVERYTHING).constraints) == 2 * 2 + 2 + 2 + 4 + 1


@pytest.mark.thorough
def test_long_flat_texts_are_no_problem():
    (constraint,) = system_of("x" + "+x" * 20_000 + "=0;").constraints
    assert len(ordered((constraint.formula,))) == 20_001
    tape = to_tape(constraint.formula, [SystemVariable("x", None, None)] * 3)
    assert tape.nodes == 3 + 20_000
    assert len(ordered((formula_of("-" * 20_000 + "x"),))) == 20_001
    for opening, closing in (
        ("(", ")"),
        ("max(x,", ")"),
        ("sum(i{0}=1:1,", ")"),
        ("[1,2]+x+(", ")"),
        ("v(1+v(1)-", ")"),
    ):
        count = MAX_CALLS if opening.startswith("sum") else (MAX_DEPTH - 1) // (1 + opening.count("v"))
        deep = "".join(opening.format(k) for k in range(count)) + "1" + closing * count
        assert len(system_of(f"x = {deep};", before="Constants v[1] = 1;").constraints) == 1
    loops = "".join(f"for j{k}=1:1;" for k in range(MAX_LOOPS)) + "x=0" + ";end" * MAX_LOOPS
    assert len(system_of(loops).constraints) == 1
    assert len(system_of("(" * 20_000 + "x = 0" + ")" * 20_000 + ";").constraints) == 1
    assert len(system_of("x < 1;" * 200).notes) == MAX_NOTES + 1


def test_shared_parts_do_not_multiply():
    text = "t0 = x + y;" + "".join(f"t{k} = t{k - 1}*t{k - 1} + 1;" for k in range(1, 60)) + "t59 = 0;"
    (constraint,) = system_of(text).constraints
    assert len(ordered((constraint.formula,))) == 3 + 1 + 2 * 59
    assert repr(constraint.formula) == "Apply(ADD, 2 operands)"
    assert value_of(formula_of("(x+y)*(x+y)"), [F(1), F(2), F(0)]) == 9


LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}
LEAVES = st.one_of(
    st.sampled_from(["x", "y", "z"]).map(lambda name: ("name", name)),
    st.builds(lambda n, d: ("number", f"{n}.{d}"), st.integers(0, 99), st.integers(0, 999)),
    st.integers(0, 12).map(lambda n: ("number", str(n))),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from("+-*/"), inner, inner),
        st.tuples(st.just("^"), inner, st.integers(0, 3).map(lambda n: ("number", str(n)))),
        st.tuples(st.just("neg"), inner),
        st.tuples(st.sampled_from(["abs", "sqr", "sign"]), inner),
        st.tuples(st.sampled_from(["min", "max"]), inner, inner),
    ),
    max_leaves=12,
)
POINTS = st.tuples(*[st.fractions(-5, 5, max_denominator=20)] * 3)


def written(tree, level=0):
    """Minibex text with no more parentheses than the grammar of IBEX needs."""
    kind, *parts = tree
    if kind in ("name", "number"):
        return parts[0]
    if kind == "neg":
        text, own = "-" + written(parts[0], 2), 1
    elif kind in LEVELS:
        own = LEVELS[kind]
        text = f"{written(parts[0], own)} {kind} {written(parts[1], own + 1)}"
    else:
        return f"{kind}({', '.join(written(part) for part in parts)})"
    return f"({text})" if own < level else text


def direct(tree, point):
    kind, *parts = tree
    if kind == "name":
        return point["xyz".index(parts[0])]
    if kind == "number":
        return F(parts[0])
    values = [direct(part, point) for part in parts]
    functions = {"neg": Operation.NEG, "sqr": Operation.POWER} | {symbol(operation): operation for operation in EXACT}
    return EXACT[functions[kind]](*values, *([2] if kind == "sqr" else []))


@given(TREES, POINTS)
def test_round_trip(tree, point):
    try:
        expected = direct(tree, point)
    except ZeroDivisionError:
        assume(False)
    text = written(tree)
    try:
        formula = formula_of(f"{text} - 1/7")
    except InputError as error:  # only a giant constant may be refused
        assert "bits" in str(error)
        return
    assert value_of(formula, point) == expected - F(1, 7)


@settings(max_examples=50)
@given(TREES, POINTS)
def test_a_tape_computes_the_same(tree, point):
    assume(not any(name in written(tree) for name in ("abs", "sign", "min", "max")))
    try:
        expected = direct(tree, point)
        tape = to_tape(formula_of(f"{written(tree)} - 1/7"), system_of("x=0;").variables)
    except (ZeroDivisionError, InputError):
        assume(False)
    assert holds(float("-inf"), arb_values(tape, list(point))[0], float("inf"))
    with flint.ctx.workprec(BITS):
        assert abs(arb_values(tape, list(point))[0] - ball(expected - F(1, 7))) < flint.arb(2) ** -100 * (
            1 + abs(ball(expected))
        )


@pytest.mark.parametrize("exponent", [-4, -1, 0, 1, 2, 3, 6, 7, 100])
def test_integer_powers_become_one_operation(exponent):
    tape = to_tape(formula_of(f"x^{exponent}"), system_of("x=0;").variables)
    result = evaluate(tape, np.array([[-2.0], [0.0], [0.0]]), np.array([[-2.0], [0.0], [0.0]]))
    assert F(result.lower[0, 0]) <= F(-2) ** exponent <= F(result.upper[0, 0])
    assert sum(step.operation in (Code.SQR, Code.INTEGER_POWER) for step in tape.steps) == (exponent not in (0, 1))
    assert all(step.operation in (Code.CONSTANT, Code.SQR, Code.INTEGER_POWER, Code.ADD) for step in tape.steps)
    if exponent == 6:
        wide = evaluate(tape, np.array([[-2.0], [0.0], [0.0]]), np.array([[1.0], [0.0], [0.0]]))
        assert wide.lower[0, 0] == 0.0


@pytest.mark.parametrize(
    ("text", "what"),
    [("x+[0,1]", "interval constant"), ("x^1000001", "beyond")],
)
def test_a_tape_refuses_what_it_does_not_know(text, what):
    with pytest.raises(InputError, match=what):
        to_tape(formula_of(text), system_of("x=0;").variables)


def test_constants_do_not_grow_while_a_tape_is_made():
    text = "x*0+3;" + "".join(f"t{k} = (t{k - 1})^1000;" for k in range(1, 9))
    system = system_of(f"t0 = {text} t8 = x;")
    tape = to_tape(system.constraints[0].formula, system.variables)
    assert max(step.constant.numerator.bit_length() for step in tape.steps if step.constant is not None) <= MAX_BITS
    squares = "".join(f"t{k} = t{k - 1}*t{k - 1};" for k in range(1, 20))
    system = system_of(f"t0 = x*0+3; {squares} t19 = x;")
    with pytest.raises(InputError, match=f"more than {MAX_BITS} bits"):
        to_tape(system.constraints[0].formula, system.variables)


def test_systems_check_themselves():
    with pytest.raises(InputError, match="exceeds its upper"):
        System((SystemVariable("x", F(1), F(0)),), ())
    with pytest.raises(InputError, match="two variables"):
        System((SystemVariable("x", None, None),) * 2, ())
    with pytest.raises(InputError, match="variable number 2"):
        to_tape(formula_of("z"), system_of("x=0;").variables[:1])


def test_equal_formulas_are_one_node():
    formulas = Formulas()
    x = formulas.variable(0)
    assert formulas.apply(Operation.ADD, x, formulas.constant(1)) is formulas.apply(
        Operation.ADD, formulas.variable(0), formulas.constant(F(1))
    )
    assert isinstance(formulas.apply(Operation.DIV, formulas.constant(1), x), Apply)
    assert formulas.interval(F(0), F(1)) is formulas.interval(F(0), F(1))


def test_files(tmp_path):
    path = tmp_path / "a.bch"
    path.write_text("Variables x; Constraints x = é; end", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.bch, line 1, column 30: "):
        read_minibex(path)
    path.write_bytes(b"Variables x; // \xe9t\xe9\n Constraints x = 0; end")
    assert [constraint.place for constraint in read_minibex(path).constraints] == ["line 2"]
    path.write_bytes(b"Variables x; // \xe9\n \xe9;")
    with pytest.raises(InputError, match=r"a\.bch, line 2, column 2: .*xe9"):
        read_minibex(path)
    path.write_bytes("Variables x;".encode("utf-16"))
    with pytest.raises(InputError, match=r"a\.bch, line 1, column 1: "):
        read_minibex(path)
    with pytest.raises(InputError, match="no such file"):
        read_minibex(tmp_path / "b.bch")
    path.write_text("Variables x; Constraints x = 0; end")
    assert read_minibex(path).title == "a.bch"


DATA = Path(os.environ.get("CERTIFY_DATA", Path(__file__).parents[2].parent / "shared" / "data")) / "systems"
SYSTEMS = {  # variables, equations, kind
    "Bratu-0060": (60, 60, "exp"),
    "Brown-05": (5, 5, "polynomial"),
    "BroydenTri-0020": (20, 20, "polynomial"),
    "Caprasse": (4, 4, "polynomial"),
    "Dietmaier": (12, 12, "polynomial"),
    "Directkin": (11, 11, "trigonometric"),
    "Eco10": (9, 9, "polynomial"),
    "Geneig": (6, 6, "polynomial"),
    "Kin1": (6, 6, "trigonometric"),
    "Redeco8": (8, 8, "polynomial"),
    "Yamamua1-0012": (12, 12, "polynomial"),
    "cyclohexan3D": (3, 3, "polynomial"),
    "kolev36": (6, 6, "polynomial"),
}


@pytest.mark.skipif(
    not DATA.is_dir(),
    reason=f"the systems of IBEX are not in {DATA}; set CERTIFY_DATA to the folder that contains systems/",
)
@pytest.mark.parametrize("name", SYSTEMS)
def test_the_systems_of_ibex(name):
    variables, equations, kind = SYSTEMS[name]
    system = read_minibex(DATA / f"{name}.bch")
    assert (len(system.variables), len(system.constraints)) == (variables, equations)
    assert all(constraint.relation is Relation.EQUAL for constraint in system.constraints)
    point = [F(3 * k + 5, 16) * (-1) ** k for k in range(variables)]
    column = np.array([[float(value)] for value in point])
    for constraint in system.constraints:
        with flint.ctx.workprec(BITS):
            truth = value_of(constraint.formula, point, ARB, ball)
        if kind == "exp":
            continue
        result = evaluate(to_tape(constraint.formula, system.variables), column, column)
        assert result.defined[0]
        assert holds(result.lower[0, 0], truth, result.upper[0, 0])
        if kind == "polynomial":
            exact = value_of(constraint.formula, point)
            assert F(result.lower[0, 0]) <= exact <= F(result.upper[0, 0])
            assert result.upper[0, 0] - result.lower[0, 0] < 1e-9
    assert len({v.name for v in system.variables}) == variables


@pytest.mark.skipif(
    not DATA.is_dir(),
    reason=f"the systems of IBEX are not in {DATA}; set CERTIFY_DATA to the folder that contains systems/",
)
def test_what_the_systems_of_ibex_say():
    kolev = read_minibex(DATA / "kolev36.bch")
    assert (kolev.variables[0].lower, kolev.variables[0].upper) == (F("0.0333"), F("0.2173"))
    kin = read_minibex(DATA / "Kin1.bch")
    assert kin.variables[0].lower == 0
    assert F(0) < kin.variables[0].upper - 2 * F("3.14159265358979323846264338327950288") < F(1, 10**34)
    cyclohexan = read_minibex(DATA / "cyclohexan3D.bch")
    assert (cyclohexan.variables[0].lower, cyclohexan.variables[1].lower) == (None, -(10**8))
    bratu = read_minibex(DATA / "Bratu-0060.bch")
    assert any(
        isinstance(node, Constant) and node.exact == F(1, 3721) for node in ordered((bratu.constraints[0].formula,))
    )
    yamamura = read_minibex(DATA / "Yamamua1-0012.bch")
    assert (yamamura.variables[11].name, yamamura.variables[11].upper) == ("x(12)", 10**8)
