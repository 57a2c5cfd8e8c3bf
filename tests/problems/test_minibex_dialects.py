"""Where Minibex files of different ages and authors differ: shared domains, spellings, functions in bounds, deep and
hostile texts.
"""

import sys
import threading
from fractions import Fraction

import flint
import pytest
from counting import calls
from exact import ball

from certify.problems.errors import InputError
from certify.problems.formulas.graph import Operation, ordered
from certify.problems.minibex import bounds, parse_minibex
from certify.problems.minibex.machine import MAX_CALLS
from certify.problems.minibex.reading import MAX_DEPTH, MAX_LOOPS, MAX_NOTES

F = Fraction
UNBOUNDED = (None, None)


def domains(text):
    return {v.name: (v.lower, v.upper) for v in parse_minibex(f"Variables {text};").variables}


def notes(text):
    return [note.partition(": ")[2] for note in parse_minibex(text).notes]


def test_names_with_commas_share_the_domain_of_the_last():
    assert domains("a, b, c in [0,1]") == dict.fromkeys("abc", (0, 1))
    assert domains("a in [0,1], b, c in [2,3]") == {"a": (0, 1), "b": (2, 3), "c": (2, 3)}
    assert domains("a; b, c in [2,3]; d") == {"a": UNBOUNDED, "b": (2, 3), "c": (2, 3), "d": UNBOUNDED}
    assert domains("a, b; c in [2,3]") == {"a": UNBOUNDED, "b": UNBOUNDED, "c": (2, 3)}


def test_names_with_commas_share_the_dimensions_of_the_last():
    pair = {"a(1)": (0, 1), "a(2)": (3, 4), "b(1)": (0, 1), "b(2)": (3, 4)}
    assert domains("a, b[2] in ([0,1];[3,4])") == pair
    assert list(domains("a, b[1][2]")) == ["a(1,1)", "a(1,2)", "b(1,1)", "b(1,2)"]
    assert domains("a[1], b in [0,1]") == {"a(1)": UNBOUNDED, "b": (0, 1)}


def test_what_was_assumed_of_listed_names_is_noted():
    (note,) = parse_minibex("Variables a, b,\n c in [0,1];").notes
    assert note.startswith(
        "line 2, column 2: a, b share the domain of c, as in IBEX since 2025 (in older versions that applies to c alone"
    )
    assert "a shares the dimensions of b," in notes("Variables a, b[2];")[0]
    assert "a shares the dimensions and the domain of b," in notes("Variables a, b[2] in [0,1];")[0]
    assert "a, b, c, d, e, ... share the domain of g," in notes("Variables a, b, c, d, e, f, g in [0,1];")[0]
    assert "a, b, c, d, e share the domain of f," in notes("Variables a, b, c, d, e, f in [0,1];")[0]
    for text in ("a in [0,1], b in [0,1]", "a, b", "a; b in [0,1]", "a[2], b in [0,1]"):
        assert notes(f"Variables {text};") == []


@pytest.mark.parametrize(
    ("text", "what"),
    [("a, ;", "name of a variable"), ("a, a in [0,1];", "twice"), ("a, Constraints a = 0; end", "meaning of its own")],
)
def test_damaged_lists_are_refused(text, what):
    with pytest.raises(InputError, match=f"line 1, column 1[0-9]: .*{what}"):
        parse_minibex(f"Variables {text}")


def test_constants_that_a_program_may_change_are_constants():
    system = parse_minibex(
        "Constants * a = 1; * b[2] = (2;3); z = 0; Variables x; Constraints (x-a)*(x-b(1))*(x-b(2)) = z; end"
    )
    assert len(system.constraints) == 1
    for text in ("Constants ** a = 1; Variables x;", "Constants *; Variables x;", "Variables * x;"):
        with pytest.raises(InputError, match=r"line 1, column 1[0-9]: the name of a"):
            parse_minibex(text)


def test_bounds_with_functions_are_enclosed():
    with flint.ctx.workprec(300):
        one, half = flint.arb(1), flint.arb(1) / 2
        truths = {
            "exp(1)": one.exp(), "ln(2)": flint.arb(2).log(), "sin(1)": one.sin(),
            "cos(pi/7)": (flint.arb.pi() / 7).cos(), "tan(1)": one.tan(),
            "asin(0.5)": half.asin(), "acos(1/2)": half.acos(), "atan(1)": one.atan(),
            "atan2(-1,-2)": flint.arb.atan2(-one, -2 * one),
            "sinh(1)": one.sinh(), "cosh(1)": one.cosh(), "tanh(1)": one.tanh(), "asinh(1)": one.asinh(),
            "acosh(2)": flint.arb(2).acosh(),
            "atanh(1/2)": half.atanh(), "2^pi": flint.arb(2) ** flint.arb.pi(), "2^(1/3)": flint.arb(2) ** (one / 3),
            "-sqrt(exp(1))": -one.exp().sqrt(),
        }  # fmt: skip
        for text, truth in truths.items():
            ((lower, upper),) = domains(f"x in {text}").values()
            assert ball(lower) < truth < ball(upper), text
            assert upper - lower < F(1, 10**13), text
            ((left, right),) = domains(f"x in [-10, {text}]").values()
            assert (left, right) == (-10, upper)


def test_bounds_with_functions_of_intervals_contain_the_range():
    assert domains("x in cos([0,7])") == {"x": (-1, 1)}
    assert domains("x in sin([-1e400,1e400])") == {"x": (-1, 1)}
    assert domains("x in [0,1]^0.5") == {"x": (0, 1)}
    assert domains("x in sign(pi)") == {"x": (1, 1)}
    ((lower, upper),) = domains("x in exp([-1e400,0])").values()
    assert lower == 0
    assert 1 <= upper < 1 + F(1, 10**15)
    (note,) = notes("Variables x in [0, exp(1)];")
    assert "rounded outwards" in note


NOWHERE = [
    "ln([-1,2])",
    "ln(0)",
    "asin(3)",
    "acos([0,2])",
    "acosh([0,2])",
    "atanh([-1,1])",
    "tan([0,3])",
    "sinh(800)",
    "exp(exp(exp(10)))",
]
NOWHERE += [
    "atan2([-1,1],[-1,1])",
    "atan2([-1,1],-1)",
    "sign([-1,1])",
    "0^-0.5",
    "(-8)^(1/3)",
    "[0,2]^[0,1]",
    "(-2)^(pi/pi)",
    "exp(1e400)",
]


@pytest.mark.parametrize("text", NOWHERE)
def test_bounds_that_are_not_defined_or_not_bounded_are_refused(text):
    with pytest.raises(
        InputError, match=r"line 1, column 1[0-9]: a bound uses .* where it is not defined or not bounded; correct it"
    ):
        parse_minibex(f"Variables x in {text};")


def test_an_equation_with_a_thin_interval_stays_exact():
    (constraint,) = parse_minibex("Variables x; Constraints x in exp(1); end").constraints
    assert [node.operation for node in ordered((constraint.formula,)) if hasattr(node, "operation")] == [
        Operation.EXP,
        Operation.SUB,
    ]


def test_keywords_in_three_spellings():
    for text in ("variables x; constraints for i=1:2; x=i end end", "VARIABLES x; CONSTRAINTS FOR i=1:2; x=i END END"):
        assert len(parse_minibex(text).constraints) == 2
    assert (
        len(
            parse_minibex(
                "Variables x; Function f(a) Return a End Minimize x Constraints For i=1:2; f(x)=i End End"
            ).constraints
        )
        == 2
    )
    assert list(domains("In in [0,1]; IN, cOnStants; eND; fOR")) == ["In", "IN", "cOnStants", "eND", "fOR"]
    for text in ("Variables in;", "variableS x;", "Variables x IN [0,1];", "Variables END;"):
        with pytest.raises(InputError, match="line 1, column"):
            parse_minibex(text)


def test_names_of_jumping_functions_are_free():
    assert list(domains("floor; ceil; integer")) == ["floor", "ceil", "integer"]
    assert (
        len(parse_minibex("Variables x; function floor(a) return a end Constraints floor(x) = 1; end").constraints) == 1
    )


def test_a_value_that_is_never_used_is_noted():
    (note,) = notes("Variables x; Constraints y = x + 1; x = 0; end")
    assert note.startswith("'y' is not declared")
    assert "it is no constraint; declare the variable" in note
    assert parse_minibex("Variables x; Constraints X = 0; end").constraints == ()
    assert notes("Variables x; Constraints y = x + 1; y = 0; end") == []
    many = parse_minibex("Variables x; Constraints " + "".join(f"y{k} = x;" for k in range(1000)) + "x = 0; end")
    assert len(many.notes) == MAX_NOTES + 1


def test_parentheses_around_constraints():
    texts = [
        "(x = 1)",
        "((x = 1))",
        "(((x) = 1))",
        "((x+1)*2 = 3)",
        "((x+1)*(x) = 3)",
        "(x) = 1",
        "((x)) = (1)",
        "(sum(i=1:2,i))*x = 0",
    ]
    texts += ["((sum(i=1:2,i)) = x)", "([1,2]*x <= 0)", "((x) in [0,1])", "((x,x) = (1,2))"]
    for text in texts:
        assert parse_minibex(f"Variables x; Constraints {text}; end").constraints, text


def deep_texts():
    depth = MAX_DEPTH - 2
    yield "Variables x; Constraints x = " + "(" * depth + "1" + ")" * depth + "; end"
    yield "Variables x; Constraints " + "sin(" * depth + "x" + ")" * depth + " = 1; end"
    yield "Variables x; Constraints x = " + "max(1," * depth + "x" + ")" * depth + "; end"
    yield "Variables v[1]; Constraints v" + "(1*(" * (depth // 2) + "1" + "))" * (depth // 2) + " = 0; end"
    yield "Variables x in " + "[1-1," * (depth - 1) + "[0,1]" + "]" * (depth - 1) + ";"
    yield (
        "Variables x; Constraints "
        + "".join(f"sum(i{k}=1:1," for k in range(MAX_CALLS))
        + "x"
        + ")" * MAX_CALLS
        + " = 0; end"
    )
    yield (
        "Variables x; Constraints "
        + "".join(f"for i{k}=1:1;" for k in range(MAX_LOOPS))
        + "x = 0"
        + " end" * MAX_LOOPS
        + " end"
    )


def test_deep_texts_need_no_deep_stack():
    """They are read in a thread with the smallest stack, and the limit of Python's recursion, which all threads share,
    stays as it is.
    """
    limit, found = sys.getrecursionlimit(), []

    def read():
        for text in deep_texts():
            try:
                found.append(len(parse_minibex(text).variables))
            except Exception as error:
                found.append(error)

    usual = threading.stack_size(256 * 1024)
    try:
        sys.setrecursionlimit(1000)
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
        assert sys.getrecursionlimit() == 1000
    finally:
        threading.stack_size(usual)
        sys.setrecursionlimit(limit)
    assert found == [1] * 7


SIGNS = 30_000
TOO_DEEP = {
    "expressions": ("x = " + "(" * MAX_DEPTH + "x" + ")" * MAX_DEPTH, f"deeper than {MAX_DEPTH} levels"),
    "calls": ("x = " + "sin(" * MAX_DEPTH + "x" + ")" * MAX_DEPTH, f"deeper than {MAX_DEPTH} levels"),
    "sums": ("x = " + "".join(f"sum(i{k}=1:1," for k in range(MAX_CALLS + 1)) + "x" + ")" * (MAX_CALLS + 1),
             f"more than {MAX_CALLS} levels deep"),
    "loops": ("".join(f"for i{k}=1:1;" for k in range(MAX_LOOPS + 1)) + "x = 0" + " end" * (MAX_LOOPS + 1),
              f"deeper than {MAX_LOOPS} levels"),
    "open constraints": ("(" * SIGNS + "x = 1" + ")" * (SIGNS - 1), r"'\)' is expected"),
    "open indices": ("x = x" + "(x(" * SIGNS, f"deeper than {MAX_DEPTH} levels"),
    "functions in bounds": ("x in [sum(i=1:20000,sin(i)),oo]", "the bounds contain more than"),
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("name", TOO_DEEP)
def test_what_is_too_deep_or_too_much_is_refused_with_a_place(name, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_NODES", 10_000)
    text, what = TOO_DEEP[name]
    with pytest.raises(InputError, match=f"line 1, column [0-9]+: .*{what}"):
        parse_minibex(f"Variables x; Constraints {text}; end")


def test_large_constants_do_not_add_up():
    with pytest.raises(InputError, match="expand to more"):
        parse_minibex("Constants " + "".join(f"c{k}[1000000] = 0;" for k in range(1000)) + "Variables x;")


LONG = {
    "signs": lambda count: "x^" + "-" * count + "x" + "*x" * count + " = 0",
    "parentheses": lambda count: "(" * count + "x = 0" + ")" * count,
    "parentheses around a long side": lambda count: (
        "(" * (MAX_DEPTH - 2) + "x" + "+x" * count + ")" * (MAX_DEPTH - 2) + " = 0"
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LONG)
def test_long_texts_take_work_in_proportion(name):
    def parsed(count):
        return parse_minibex(f"Variables x; Constraints {LONG[name](count)}; end")

    assert len(parsed(SIGNS).constraints) == 1
    assert calls(lambda: parsed(4000)) <= 2 * calls(lambda: parsed(2000))
