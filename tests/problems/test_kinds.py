from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.contractors.tape.evaluation import evaluate
from certify.problems.errors import InputError
from certify.problems.formulas.units import Dimension
from certify.problems.robots.kind import find_kind, kind_names

KINDS = {name: find_kind(name, "test") for name in kind_names()}


def angles(kind, unit):
    return {field.name: unit for field in kind.measured if field.dimension == Dimension.ANGLE}


TAPES = {(name, unit): kind.tape(angles(kind, unit)) for name, kind in KINDS.items() for unit in ("deg", "rad")}


def test_kinds_are_discovered():
    assert set(KINDS) >= {"gough", "planar_3rpr"}
    assert all(kind.name == name for name, kind in KINDS.items())
    with pytest.raises(InputError, match=r"here: there is no kind of robot 'goug'; did you mean 'gough'\?"):
        find_kind("goug", "here")


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("unit", ["deg", "rad"])
@given(data=st.data())
def test_the_traced_tape_encloses_the_float_model(name, unit, data):
    kind, tape = KINDS[name], TAPES[name, unit]
    sizes = len(kind.parameter_names), len(kind.measured)
    parameters, measured = (data.draw(st.lists(st.floats(-300, 300), min_size=n, max_size=n)) for n in sizes)
    point = np.array([*parameters, *measured])[:, None]
    enclosure = evaluate(tape, point, point)
    value = kind.residual(parameters, measured, angles(kind, unit))
    rounding = 1e-9  # of the float model; the enclosure itself is rigorous
    assert enclosure.lower[0, 0] - rounding <= value <= enclosure.upper[0, 0] + rounding
    assert enclosure.upper[0, 0] - enclosure.lower[0, 0] < 1e-6 or not enclosure.defined[0]


def test_radians_use_no_factor():
    kind = KINDS["gough"]
    assert len(TAPES["gough", "deg"].steps) > len(TAPES["gough", "rad"].steps)
    parameters, pose = [1, 2, 3, 4, 5, 6, 7], [10, 20, 300]
    turned = kind.residual(parameters, [*pose, 0.1, 0.2, -0.3, 280], angles(kind, "rad"))
    assert turned == pytest.approx(
        kind.residual(parameters, [*pose, *np.degrees([0.1, 0.2, -0.3]), 280], angles(kind, "deg"))
    )


def test_the_gough_leg_is_what_the_formula_says():
    kind = KINDS["gough"]
    quarter = kind.residual([1, 2, 3, 4, 5, 6, 7], [10, 20, 300, 90, 0, 0, 280], angles(kind, "deg"))
    assert quarter == pytest.approx(np.linalg.norm([10 + 4 - 1, 20 - 6 - 2, 300 + 5 - 3]) - 287)
    both = kind.residual([0, 0, 0, 1, 2, 3, 0], [0, 0, 0, 90, 90, 0, 0], angles(kind, "deg"))
    assert both == pytest.approx(np.sqrt(14))


def test_names_and_bindings_of_the_gough_platform():
    kind = KINDS["gough"]
    families = kind.families(3, angles(kind, "deg"))
    assert [f.name for f in families] == [f"leg{i}" for i in range(1, 7)]
    assert all(f.tape is families[0].tape and f.rows == 3 and f.unit == "mm" for f in families)
    assert kind.variable_names[:8] == (
        "leg1.a_x",
        "leg1.a_y",
        "leg1.a_z",
        "leg1.b_x",
        "leg1.b_y",
        "leg1.b_z",
        "leg1.l",
        "leg2.a_x",
    )
    names = list(kind.columns)
    second = families[1].bindings
    assert [kind.variable_names[b.index] for b in second if not b.measured] == [
        f"leg2.{n}" for n in kind.parameter_names
    ]
    assert [names[b.index] for b in second if b.measured] == ["x", "y", "z", "alpha", "beta", "gamma", "L2"]


def test_numbers_may_be_fractions():
    kind = KINDS["planar_3rpr"]
    assert (
        kind.residual([Fraction(0)] * 5, [Fraction(3), Fraction(4), Fraction(0), Fraction(5)], {"theta": "deg"}) == 0.0
    )
