"""What a model function may not do, said at once and in words; what a problem must be."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from exact import arb_values, ball

from certify.problems.errors import InputError
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace


def model_if_equal(x, m):
    return x.p[0] * 0 + 5 - m.d if x.p[0] == 2 else x.p[0] - m.d


def model_max(x, m):
    return max(x.p[0], x.p[1]) - m.d


def model_typo(x, m):
    return x.q - m.d


def model_math(x, m):
    import math

    return math.sqrt(x.p[0]) - m.d


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (model_if_equal, "compares an unknown"),
        (model_max, "compares an unknown"),
        (model_typo, "the model asks for x.q, which it has not; it has p"),
        (lambda x, m: [x.p[0], 5.0], r"number 2 of the vector that the model returned is float 5\.0"),
        (lambda x, m: {"tip": [x.p, x.p]}, "the model returned list as 'tip'"),
        (lambda x, m: {"tip": {"x": m.d}}, "the model returned dict as 'tip'"),
        (lambda x, m: [], "the model returned list"),
        (model_math, "certify.sqrt"),
        (lambda x, m: x.p[0] if x.p[0] else m.d, "decides by the value"),
        (lambda x, m: x.p[0] ** 65, "raises to the power 65; the largest known is 64"),
        (lambda x, m: x.p[0] + "1", "str '1'"),
        (lambda x, m: x.p[0] * float("nan"), "not finite"),
        (lambda x, m: 5.0, "returned float"),
    ],
)
def test_what_a_model_may_not_do(model, message):
    with pytest.raises(InputError, match=message):
        trace(model, {"p": (2,)}, {"d": ()})


def test_a_vector_has_a_tape_for_each_component_and_a_dictionary_one_for_each_name():
    rows = trace(lambda x, m: [n - m.d for n in x.p], {"p": (2,)}, {"d": ()})
    assert rows == tuple(trace(lambda x, m, k=k: x.p[k] - m.d, {"p": (2,)}, {"d": ()}) for k in (0, 1))
    named = trace(lambda x, m: {"tip": x.p - m.d, "height": x.p[0] - m.d}, {"p": (2,)}, {"d": ()})
    assert named == {"tip": rows, "height": rows[0]}


def test_shapes_are_tuples_of_sizes():
    for shape in (2, (-2,), "2", (0,)):
        with pytest.raises(InputError, match="shape"):
            trace(lambda x, m: x.p - m.d, {"p": shape}, {"d": ()})


def parts(**changes):
    tape = trace(lambda x, m: x.u - m.y, {"u": ()}, {"y": ()})
    given = {
        "variables": (Variable("u", "1", Fraction(0), Fraction(1)),),
        "columns": (Column("y", "1", (Fraction(0),), (Fraction(1),)),),
        "families": (Family("f", tape, 1, (Binding(False, 0), Binding(True, 0))),),
    }
    return given | changes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"variables": (Variable("u", "1", 0.0, Fraction(1)),)},
            r'float 0.0; write an exact number such as Fraction\("0.0"\)',
        ),
        ({"variables": (Variable("u", "1", Fraction(2), Fraction(1)),)}, "exceeds its upper bound"),
        ({"variables": (Variable("u", "1", "0", Fraction(1)),)}, "str '0'"),
        ({"columns": (Column("y", "1", (Fraction(0),), ()),)}, "1 lower and 0 upper ends"),
        (
            {"columns": (Column("y", "1", (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))),)},
            "has 1 rows, its column y has 2",
        ),
        ({"columns": (Column("y", "1", (Fraction(2),), (Fraction(1),)),)}, "lower 2.0 exceeds upper 1.0"),
        (
            {"families": (Family("f", parts()["families"][0].tape, 1, (Binding(False, 0),)),)},
            "1 bindings, its model 2 inputs",
        ),
        (
            {"families": (Family("f", parts()["families"][0].tape, 1, (Binding(False, 4), Binding(True, 0))),)},
            "variable number 4",
        ),
    ],
)
def test_what_a_problem_may_not_be(changes, message):
    with pytest.raises(InputError, match=message):
        Problem(**parts(**changes))


def test_what_certificates_cannot_state_is_refused_in_words():
    from certify.contractors.tape.tape import Builder, Operation
    from certify.problems.model.canonical import canonical_bytes

    builder = Builder(2)
    tape = builder.row(builder.sub(builder.function(Operation.SIGN, 0), 1))
    family = Family("f", tape, 1, (Binding(False, 0), Binding(True, 0)))
    with pytest.raises(InputError, match="uses sign, which certificates cannot state yet"):
        canonical_bytes(Problem(**parts(families=(family,))))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"variables": (Variable("u", "N s/m", Fraction(0), Fraction(1)),)},
            "the unit of the variable u, 'N s/m', cannot .* such as N.s/m",
        ),
        (
            {"columns": (Column("y", "m s", (Fraction(0),), (Fraction(1),)),)},
            "the unit of the column y, 'm s', cannot stand in a certificate",
        ),
        (
            {"columns": (Column("y", "", (Fraction(0),), (Fraction(1),)),)},
            "the unit of the column y, '', .* 1 for no unit",
        ),
        (
            {"variables": (Variable("the u", "1", Fraction(0), Fraction(1)),)},
            "the name of the variable 'the u' cannot .* without spaces",
        ),
        (
            {"variables": (Variable("u", "1", Fraction(0), Fraction(10) ** 5000),)},
            "a bound of the variable u has more than the 2000 digits",
        ),
        (
            {"columns": (Column("y", "1", (Fraction(0),), (Fraction(1, 3**5000),)),)},
            "an entry of the column y has more than the 2000 digits",
        ),
    ],
)
def test_what_the_text_of_a_certificate_cannot_hold_is_refused_in_words(changes, message):
    """Not by the checker's parser, which counts tokens."""
    from certify import adequacy

    with pytest.raises(InputError, match=message):
        adequacy(Problem(**parts(**changes)))


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, 4, 7, -1, -2, Fraction(6, 2), 4.0])
def test_powers_are_stated_in_operations_that_certificates_know(exponent):
    from certify.contractors.tape.tape import Operation

    tape = trace(lambda x, m: x.p**exponent + m.y, {"p": ()}, {"y": ()})
    known = {Operation[name] for name in ("CONSTANT", "ADD", "SQR", "MUL", "DIV")}
    assert {step.operation for step in tape.steps} <= known
    assert arb_values(tape, [Fraction(3, 2), 0])[0].overlaps(ball(Fraction(3, 2) ** int(exponent)))


def test_functions_that_certificates_do_not_know_are_stated_by_those_that_they_know():
    import certify as e
    from certify.problems.model.canonical import canonical_bytes

    tape = trace(
        lambda x, m: e.tan(x.p) + e.cosh(x.p) + e.exp(x.p) + abs(x.p - 1) + e.min(x.p, m.y), {"p": ()}, {"y": ()}
    )
    family = Family("f", tape, 1, (Binding(False, 0), Binding(True, 0)))
    text = canonical_bytes(Problem(**parts(families=(family,)))).decode()
    assert f"tape f0 2 {len(tape.steps)}\n" in text and "\nexp 0\n" in text and "tan" not in text


def test_models_may_use_every_function():
    import certify as e

    def model(x, m):
        one = (
            e.exp(x.p)
            + e.log(x.p)
            + e.tan(x.p)
            + e.asin(x.p)
            + e.acos(x.p)
            + e.atan(x.p)
            + e.sinh(x.p)
            + e.cosh(x.p)
            + e.tanh(x.p)
        )
        two = (
            e.asinh(x.p) + e.acosh(1 + x.p) + e.atanh(x.p) + e.sign(x.p) + abs(x.p - 1) + e.min(x.p, 2) + e.max(3, x.p)
        )
        return one + two + e.atan2(x.p, m.y) + e.atan2(-1, x.p) + x.p ** Fraction(1, 3) + x.p**m.y + 2**x.p - m.y

    tape = trace(model, {"p": ()}, {"y": ()})
    plain = model(SimpleNamespace(p=0.5), SimpleNamespace(y=0.25))
    assert abs(float(arb_values(tape, [0.5, 0.25])[0]) - plain) < 1e-13
