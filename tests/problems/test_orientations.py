"""Quaternions and rotation vectors in formulas, against exact rationals and exponentials of matrices by Arb."""

import random
from fractions import Fraction

import flint
import numpy as np
import pytest
from exact import BITS, arb_values, ball

from certify.__main__ import main
from certify.problems.formulas.grammar import parse_formula
from certify.problems.formulas.meaning import FLOATS, Numbers, evaluate, numbers_like
from certify.problems.model.model import trace

EXACT = Numbers(lambda value: value, None)
QUATERNION = parse_formula("quaternion(w, x, y, z)", "here")
VECTOR = parse_formula("rotation_vector(x, y, z)", "here")


def product(p, q):
    """Hamilton's."""
    a, b, c, d = p
    e, f, g, h = q
    return (
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_quaternion_of_any_length_turns_as_hamilton_says(seed):
    drawn = random.Random(seed)
    q = [Fraction(drawn.randint(-9, 9), drawn.randint(1, 9)) for _ in range(4)] if seed else [Fraction(0)] * 3 + [1]
    matrix = evaluate(QUATERNION, dict(zip("wxyz", q, strict=True)), EXACT, "here")
    conjugate, square = (q[0], -q[1], -q[2], -q[3]), sum(v * v for v in q)
    for k in range(3):
        unit = [Fraction(k == j) for j in range(3)]
        turned = [v / square for v in product(product(q, (Fraction(0), *unit)), conjugate)]
        assert [Fraction(0), *matrix[:, k]] == turned


def tape_of(node, names, entry):
    def value(x, m):
        return evaluate(node, vars(m), numbers_like(m.x), "here").ravel()[entry]

    return trace(value, {"unused": ()}, {name: () for name in names})


@pytest.mark.parametrize("seed", range(6))
def test_a_rotation_vector_is_the_exponential_of_its_matrix(seed):
    drawn = random.Random(seed)
    size = (Fraction(1, 10**6), Fraction(1), Fraction(7))[seed % 3]
    v = [Fraction(drawn.randint(-999, 999), 1000) * size for _ in range(3)]
    floats = evaluate(VECTOR, dict(zip("xyz", map(float, v), strict=True)), FLOATS, "here")
    with flint.ctx.workprec(BITS):
        x, y, z = map(ball, v)
        truth = flint.arb_mat([[0, -z, y], [z, 0, -x], [-y, x, 0]]).exp()
        for k in range(9):
            expected = truth[k // 3, k % 3]
            (found,) = arb_values(tape_of(VECTOR, "xyz", k), [Fraction(0), *v])
            assert found.overlaps(expected)
            assert float(found.rad()) < 1e-60
            assert float(floats.ravel()[k]) == pytest.approx(float(expected), abs=1e-13)


PROBLEM = """format = "certify-problem-file 1"
title = "Two targets on a turned body"
provenance = "simulated: planted"
poses = "poses.csv"
half_widths_are = "bounds"
[model]
equation = "b + MATRIX*t - [x, y, z]"
[model.parameters]
b = "length x y z"
t = "length x y z"
[model.columns]
COLUMNS
x = "length"
y = "length"
z = "length"
[half_widths]
WIDTHS
x = "0.001 mm"
y = "0.001 mm"
z = "0.001 mm"
[box]
centre = "nominal"
[parameters]
b = { value = ["10 mm", "0 mm", "0 mm"], radius = "1 mm" }
t = { value = ["30 mm", "40 mm", "-20 mm"], radius = "1 mm" }
"""
KINDS = {
    "quaternion": ("quaternion(qw, qx, qy, qz)", ("qx", "qy", "qz", "qw"), "number", "1"),
    "rotation vector": ("rotation_vector(rx, ry, rz)", ("rx", "ry", "rz"), "angle", "rad"),
}


def turned(values, kind):
    """The matrix in floats, by numpy alone."""
    if kind == "quaternion":
        x, y, z, w = values
        n = w * w + x * x + y * y + z * z
        v = np.array([x, y, z])
        hat = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return ((w * w - v @ v) * np.eye(3) + 2 * np.outer(v, v) + 2 * w * hat) / n
    angle = np.linalg.norm(values)
    x, y, z = np.array(values) / angle
    hat = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * hat + (1 - np.cos(angle)) * hat @ hat


@pytest.fixture(params=KINDS)
def planted(request, tmp_path):
    formula, names, declared, unit = KINDS[request.param]
    drawn = np.random.default_rng(5)
    lines = [",".join([*(f"{name} [{unit}]" for name in names), "x [mm]", "y [mm]", "z [mm]"])]
    for _ in range(5):
        values = np.round(drawn.uniform(-1.5, 1.5, len(names)), 4)
        point = np.array([10.3, -0.4, 0.2]) + turned(values, request.param) @ np.array([30.5, 39.8, -20.1])
        lines.append(",".join([*map(str, values), *(f"{value:.4f}" for value in point)]))
    text = PROBLEM.replace("MATRIX", formula).replace("COLUMNS", "\n".join(f'{n} = "{declared}"' for n in names))
    text = text.replace("WIDTHS", "\n".join(f'{name} = "0 {unit}"' for name in names))
    (tmp_path / "problem.toml").write_text(text)
    (tmp_path / "poses.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_a_run_with_measured_orientations_is_certified(planted, capsys):
    assert main(["run", str(planted / "problem.toml"), "--out", str(planted / "out"), "--quiet"]) == 0
    assert "yes (witness)" in capsys.readouterr().out
    for name in ("model", "model.least-squares"):
        assert main(["check", str(planted / "out" / "problem.toml"), str(planted / "out" / f"{name}.cert")]) == 0
    table = planted / "poses.csv"
    table.write_text("\n".join(zeroed(table)) + "\n")
    assert main(["run", str(planted / "problem.toml"), "--out", str(planted / "out"), "--quiet"]) == 2
    told = capsys.readouterr().err
    assert "problem.toml: pose 2: " in told
    assert " may all be 0, where " in told
    assert " is not defined; leave the pose out, or give its orientation otherwise" in told


def zeroed(table):
    """The table with the orientation of pose 2 zero."""
    lines = table.read_text().split("\n")
    cells = lines[2].split(",")
    lines[2] = ",".join([*["0"] * (len(cells) - 3), *cells[-3:]])
    return lines[:-1]
