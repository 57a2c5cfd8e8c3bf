"""Physical consistency: planted bodies are never refused, impossible ones are, and no weights prove what is false."""

import json
from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.bodies.answer import CONSISTENT, INCONSISTENT
from certify.bodies.multipliers import lifted, most
from certify.bodies.points import is_physical, physical_point
from certify.problems.errors import InputError
from certify.problems.regressors.physical import BODY, pairing, physical, pseudo_inertia
from certify.problems.regressors.regressor import regressor

NAMES = (*BODY, "F")
ONE = physical(NAMES, ["m", "F"], [BODY])


def points_of_mass(random, count=5, scale=8):
    """Ten numbers of points of mass, with small denominators: exactly those of a body."""
    total = [Fraction(0)] * 10
    for _ in range(count):
        m = Fraction(int(random.integers(1, 9)), 4)
        x, y, z = (Fraction(int(v), 16) for v in random.integers(-scale, scale + 1, 3))
        parts = (1, x, y, z, y * y + z * z, -x * y, -x * z, x * x + z * z, -y * z, x * x + y * y)
        total = [before + m * part for before, part in zip(total, parts, strict=True)]
    return total


def rows_of(random, theta, count, bound):
    """A regressor and measurements that theta fits within the bound, all of them doubles."""
    W = random.integers(-16, 17, (count, len(theta))) / 8
    exact = [sum((Fraction(a) * x for a, x in zip(row, theta, strict=True)), Fraction(0)) for row in W.tolist()]
    y = [float(value + Fraction(float(random.uniform(-0.9, 0.9))) * bound) for value in exact]
    return W, np.array(y)


@pytest.mark.parametrize("seed", range(20))
def test_matrices_of_bodies_and_of_weights_are_dual(seed):
    """<Z, P> = z . phi, and points of mass are bodies, exactly."""
    random = np.random.default_rng(seed)
    phi = points_of_mass(random, 1 + seed % 6)
    z = [Fraction(int(v), 3) for v in random.integers(-9, 10, 10)]
    Z, P = pairing(z), pseudo_inertia(phi)
    product = sum(a * b for left, right in zip(Z, P, strict=True) for a, b in zip(left, right, strict=True))
    assert product == sum(a * b for a, b in zip(z, phi, strict=True))
    assert is_physical(ONE, (*phi, Fraction(0)))


IMPOSSIBLE = {
    "triangle inequality": (1, 0, 0, 0, 1, 0, 0, 1, 0, Fraction(21, 10)),
    "moments that do not fit the mass": (1, 1, 0, 0, 1, 0, 0, Fraction(1, 2), 0, Fraction(1, 2)),
    "negative mass": (-1, 0, 0, 0, 1, 0, 0, 1, 0, 1),
    "no mass, but a moment": (0, 1, 0, 0, 1, 0, 0, 1, 0, 1),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_bodies_are_not_physical(name):
    assert not is_physical(ONE, tuple(map(Fraction, (*IMPOSSIBLE[name], 0))))


def test_negative_friction_and_giants_are_not_physical():
    body = points_of_mass(np.random.default_rng(1))
    assert not is_physical(ONE, (*body, Fraction(-1, 10**30)))
    assert not is_physical(ONE, (*(10**6 * value for value in body), Fraction(0)))


@pytest.mark.parametrize("seed", range(6))
def test_planted_bodies_are_never_refused(seed):
    random = np.random.default_rng(seed)
    theta = [*points_of_mass(random, 1 + seed % 3), Fraction(seed % 2, 4)]
    bound = Fraction(1, 2)
    W, y = rows_of(random, theta, 60, bound)
    answer = certify.linear(W, y, bound, names=NAMES, physical=ONE)
    found = answer.physical
    assert found.verdict == CONSISTENT and is_physical(ONE, found.point.phi)
    for face in found.faces:
        assert face.sign * theta[face.parameter] <= face.at
        weights = dict(face.weights)
        target = [face.sign * (j == face.parameter) for j in range(len(NAMES))]
        assert most(answer.problem, ONE, weights, target, dict(face.walls)) == face.at
    assert found.faces
    for (low, high), x in zip(found.narrowed(answer.box), theta, strict=True):
        assert low <= x <= high


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_impossible_bodies_are_refused_with_weights(name):
    random = np.random.default_rng(5)
    theta = [Fraction(value) for value in (*IMPOSSIBLE[name], Fraction(1, 4))]
    W, y = rows_of(random, theta, 60, Fraction(1, 1000))
    answer = certify.linear(W, y, Fraction(1, 1000), names=NAMES, physical=ONE)
    if name == "negative mass":  # rows and the search box say it, with a certificate
        assert answer.error.lower > 0 and answer.physical is None
        return
    found = answer.physical
    assert found.verdict == INCONSISTENT and found.point is None and found.grow > 0
    weights = dict(found.refuted)
    bound = most(answer.problem, ONE, weights, [0] * len(NAMES), dict(found.walls))
    assert bound < 0 and 0 < -bound / sum(map(abs, weights.values())) - found.grow < found.grow / 10**11
    wider = certify.linear(W, y, Fraction(1, 1000) + found.grow, names=NAMES, physical=ONE)
    assert wider.physical.verdict != INCONSISTENT or wider.physical.grow < found.grow / 100


def test_no_weights_prove_what_a_body_contradicts():
    """Hundreds of weights, found ones that were forged and any others: a body that fits is never cut off."""
    random = np.random.default_rng(7)
    theta = [*points_of_mass(random, 2), Fraction(1, 2)]
    W, y = rows_of(random, theta, 40, Fraction(1, 8))
    problem = regressor(W, y, Fraction(1, 8), names=NAMES)
    answer = certify.linear(W, y, Fraction(1, 8), names=NAMES, physical=ONE)
    found = [dict(face.weights) for face in answer.physical.faces]
    told = 0
    for k in range(300):
        target = [int(v) for v in random.integers(-1, 2, len(NAMES))]
        weights = dict(found[k % len(found)])
        for row in random.choice(list(weights), 3).tolist():
            weights[row] *= Fraction(int(random.integers(-3, 4)), 2)
        weights[int(random.integers(len(y)))] = Fraction(float(random.normal()))
        bound = most(problem, ONE, weights, target)
        told += bound is not None
        assert bound is None or sum(t * x for t, x in zip(target, theta, strict=True)) <= bound
    assert told > 100


def test_a_matrix_is_lifted_only_by_as_much_as_is_exactly_enough():
    singular = [[Fraction(int(i == j == 0)) for j in range(4)] for i in range(4)]
    assert lifted(singular) == 0
    singular[3][3] = Fraction(-1, 10**20)
    assert Fraction(1, 10**20) <= lifted(singular) < Fraction(1, 10**15)
    singular[3][3] = Fraction(-3)
    assert 3 <= lifted(singular) <= 6 + Fraction(1, 10)


def test_free_parameters_need_ends_or_weights_that_leave_nothing():
    free = physical(("a", "b"))
    problem = regressor(np.eye(2), np.zeros(2), 1, [(None, None), (-2, 3)], names=("a", "b"))
    assert most(problem, free, {0: Fraction(1)}, [1, 0]) == 1
    assert most(problem, free, {0: Fraction(1, 2)}, [1, 0]) is None
    assert most(problem, free, {0: Fraction(1)}, [1, 1]) == 4


def planar(value):
    """Base parameters of a planar arm's two links, as its log tells them; the first inertia is `value`."""
    names = [f"{name}{k}" for k in (1, 2) for name in BODY]
    base = ("mx1R", "my1", "Izz1R", "mx2", "my2", "Izz2")
    combinations = [
        {"mx1": 1, "m2": "0.4"}, {"my1": 1}, {"Izz1": 1, "m2": "0.16"}, {"mx2": 1}, {"my2": 1}, {"Izz2": 1}
    ]  # fmt: skip
    bodies = [[f"{name}{k}" for name in BODY] for k in (1, 2)]
    return base, physical(names, ["m1", "m2"], bodies, combinations), (1, 0, value, Fraction(3, 5), 0, Fraction(1, 5))


@pytest.mark.parametrize(("value", "verdict"), [(Fraction(1, 4), INCONSISTENT), (Fraction(1, 2), CONSISTENT)])
def test_combinations_are_refused_if_no_bodies_have_them(value, verdict):
    """m2 is at least mx2^2 / Izz2 = 9/5, so that Izz1 + 4/25 m2 is at least 36/125 = 0.288."""
    base, constraint, theta = planar(value)
    random = np.random.default_rng(3)
    W, y = rows_of(random, list(map(Fraction, theta)), 50, Fraction(1, 1000))
    answer = certify.linear(W, y, Fraction(1, 1000), names=base, physical=constraint)
    assert answer.error.upper == 0 and answer.physical.verdict == verdict
    if verdict == CONSISTENT:
        phi = dict(zip(constraint.names, answer.physical.point.phi, strict=True))
        assert phi["m2"] * phi["Izz2"] >= phi["mx2"] ** 2
        assert constraint.combined(answer.physical.point.phi) == answer.physical.point.theta


def test_prior_ends_are_used_and_weighed():
    """Rows leave the mass open; h_x is 1, and I_yy at most 2 by a prior end: m >= h_x^2 / I_yy = 1/2."""
    W = np.eye(11)[1:]
    theta = [Fraction(value) for value in (5, 1, 0, 0, 4, 0, 0, 4, 0, 4, 1)]
    y = np.array([float(value) for value in theta[1:]])
    box = [(None, None)] * 7 + [(None, 2)] + [(None, None)] * 3
    bounds = np.array([1e-3, 1e-3, 1e-3, 4, 1e-3, 1e-3, 4, 1e-3, 4, 1e-3])
    answer = certify.linear(W, y, bounds, box, names=NAMES, physical=ONE)
    least = next(face for face in answer.physical.faces if (face.parameter, face.sign) == (0, -1))
    assert Fraction(498, 1000) < -least.at <= Fraction(1, 2) and dict(least.walls)[7] > 0


def test_the_point_is_withdrawn_with_its_certificate():
    random = np.random.default_rng(2)
    theta = [*points_of_mass(random), Fraction(1, 2)]
    W, y = rows_of(random, theta, 40, Fraction(1, 8))
    answer = certify.linear(W, y, Fraction(1, 8), names=NAMES, physical=ONE)
    assert answer.checked().physical.verdict == CONSISTENT
    assert answer.standing(()).physical.point is None and answer.standing(()).physical.verdict != CONSISTENT
    assert ("physical-rows", answer.physical.rows) in answer.documents
    assert physical_point(answer.problem, ONE, np.zeros(len(NAMES)), lambda: None) is None  # misses rows


def test_without_bodies_the_search_box_says_everything(monkeypatch):
    """No solver of semidefinite programs is needed; certificates stand behind all of it."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    W, y = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), np.array([0.5, 1.0, -0.25])
    asked = physical(("M", "F"), ("M", "F"))
    answer = certify.linear(W, y, 0.5, names=("M", "F"), physical=asked)
    assert answer.box[1] == (0, Fraction(1, 4)) or 0 <= answer.box[1][0] <= answer.box[1][1] < Fraction(26, 100)
    assert answer.physical.verdict == CONSISTENT and not answer.physical.faces
    with pytest.raises(InputError, match=r"pip install 'certify\[ellipsoids\]'"):
        certify.linear(np.eye(11), np.zeros(11), 1, names=NAMES, physical=ONE)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (dict(names=("a", "a")), "occur twice"),
        (dict(names=("a",), nonnegative=("b",)), "there is no parameter b"),
        (dict(names=NAMES, bodies=[BODY[:9]]), "give ten"),
        (dict(names=NAMES, bodies=[BODY, BODY]), "in two bodies"),
        (dict(names=("a", "b"), combinations=[{"a": 1}, {"a": 1, "b": 2}]), "no part of its own"),
    ],
)
def test_constraints_that_make_no_sense_are_refused_kindly(words, message):
    with pytest.raises(InputError, match=message):
        physical(**words)


def test_a_constraint_of_another_model_is_refused():
    with pytest.raises(InputError, match="11 parameters"):
        certify.linear(np.eye(2), np.zeros(2), 1, physical=ONE)
    with pytest.raises(InputError, match="upper end is negative"):
        certify.linear(np.eye(1), np.zeros(1), 1, [(-2, -1)], names=("F",), physical=physical(("F",), ("F",)))


def run(*words):
    """The command's code and what it says."""
    import contextlib
    import io

    from certify.__main__ import main

    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        code = main([*map(str, words), "--quiet"])
    return code, told.getvalue()


@pytest.mark.thorough
def test_the_h4_has_no_negative_parameters_and_certificates_for_it(tmp_path):
    assert run("simulate", "--robot", "h4", "--motion", "--seconds", 3, "--out", tmp_path / "h4")[0] == 0
    words = ["identify", tmp_path / "h4" / "motion.csv", "--robot", "h4", "--bound", "1.5 Nm", "--physical"]
    code, told = run(*words, "--out", tmp_path / "out")
    assert code == 0 and "begins at 0 or above: I_mot1, I_mot2" in told
    record = json.loads((tmp_path / "out" / "result.json").read_text())
    assert all(parameter["interval"][0] >= 0 for parameter in record["parameters"])
    assert all(record["certificates"].values()) and "physical-rows.cert" in record["certificates"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--physical"], "is not known; give --robot or --urdf"),
        (["--tip", "tool0"], "--tip is of a serial arm; give its URDF"),
        (["--rotor"], "--rotor is of a serial arm"),
        (["--urdf", "arm.urdf", "--robot", "h4"], "name two robots"),
        (["--gain", "1.5"], "are of a log; give --robot or --urdf too"),
        (["--urdf", "arm.urdf", "--gravity", "9.81"], "has 1 numbers; give 3"),
    ],
)
def test_options_that_do_not_fit_are_refused_kindly(words, message, tmp_path):
    (tmp_path / "rows.csv").write_text("a,y\n1,1\n2,2\n")
    code, told = run("identify", tmp_path / "rows.csv", "--bound", "1", *words)
    assert code == 2 and message in told


def test_a_simulated_arm_has_six_or_seven_joints(tmp_path):
    code, told = run("simulate", "--robot", "arm", "--motion", "--joints", "3", "--out", tmp_path)
    assert code == 2 and "--joints 3: arms of 6 and 7 joints can be simulated" in told
