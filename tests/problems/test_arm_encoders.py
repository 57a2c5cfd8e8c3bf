"""What encoders' steps leave in an arm's equations: motions within the radii, planted arms, wrong words."""

from fractions import Fraction

import numpy as np
import pytest

from certify.problems.arm_dynamics.arm_enclosed import enclosed_blocks
from certify.problems.arm_dynamics.arm_encoders import steps_of
from certify.problems.arm_dynamics.arm_regressor import ArmChoice, regressor_of_arm
from certify.problems.arm_dynamics.links import read_links
from certify.problems.arm_dynamics.parameters import ArmModel
from certify.problems.arm_dynamics.simulated_motion import simulate_arm_motion
from certify.problems.dynamics.balls import Balls
from certify.problems.errors import InputError
from certify.problems.regressors.regressor_file import Chosen

RADII = (1e-3, 2e-2, 0.1)
CHOSEN = Chosen("tau", "6 Nm")


@pytest.fixture(scope="module")
def arm(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arm")
    return (folder, *simulate_arm_motion(folder, 6, 3.0))


def enclosed(model, motion):
    found = np.zeros((2, *motion[0].middle.shape, len(model.names)))
    for first, joint, columns in enclosed_blocks(model, *motion):
        place = (
            slice(None),
            slice(joint, joint + columns.middle.shape[1]),
            slice(first, first + columns.middle.shape[2]),
        )
        found[0][place], found[1][place] = columns.middle, columns.radius
    return found


def drawn(joints, seed=0, samples=20):
    rng = np.random.default_rng(seed)
    return rng, rng.normal(size=(3, samples, joints))


def test_columns_of_motions_within_the_radii_are_enclosed(arm):
    model = ArmModel(read_links(arm[1]), True, True)
    rng, motion = drawn(6)
    middle, radius = enclosed(model, [Balls(m, np.full(m.shape, r)) for m, r in zip(motion, RADII, strict=True)])
    reached = np.zeros_like(radius)
    for _ in range(30):
        moved = [m + r * rng.choice([-1.0, 1.0, 0.4], m.shape) for m, r in zip(motion, RADII, strict=True)]
        off = np.abs(model.matrix(*moved) - middle)
        assert (off <= radius + 1e-12).all()
        reached = np.maximum(reached, off)
    assert reached[radius > 0].sum() > 0.3 * radius[radius > 0].sum()


def test_joints_that_slide_are_enclosed(tmp_path):
    origins = ("0 0 0.1", "0.2 0 0", "0 0.1 0.3")
    joints = "".join(
        f'<joint name="j{k}" type="{kind}"><parent link="l{k}"/><child link="l{k + 1}"/>'
        f'<origin xyz="{xyz}" rpy="0.3 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
        for k, (kind, xyz) in enumerate(zip(("revolute", "prismatic", "revolute"), origins, strict=True))
    )
    path = tmp_path / "arm.urdf"
    links = "".join(f'<link name="l{k}"/>' for k in range(4))
    path.write_text(f'<robot name="a">{links}{joints}</robot>')
    model = ArmModel(read_links(path))
    assert model.links.slides == (False, True, False)
    rng, motion = drawn(3)
    middle, radius = enclosed(model, [Balls(m, np.full(m.shape, r)) for m, r in zip(motion, RADII, strict=True)])
    for _ in range(30):
        moved = [m + r * rng.uniform(-1.0, 1.0, m.shape) for m, r in zip(motion, RADII, strict=True)]
        assert (np.abs(model.matrix(*moved) - middle) <= radius + 1e-12).all()
    assert steps_of("0.1 mrad, 0.01 mm, 0.001 deg", model) == pytest.approx((1e-4, 1e-5, np.pi / 180000))
    for wrong in ("0.1 mrad", "0.1 mrad, 0.1 mrad, 0.1 mrad", "0.1 mrad, 0.01 mm", "1 m, 1 rad, 1 rad"):
        with pytest.raises(InputError, match="--encoder-step"):
            steps_of(wrong, model)


def test_standstill_is_any_sign(arm):
    model = ArmModel(read_links(arm[1]))
    _, motion = drawn(6, samples=3)
    motion[1, 0] = 5e-3
    middle, radius = enclosed(model, [Balls(m, np.full(m.shape, r)) for m, r in zip(motion, RADII, strict=True)])
    for k in range(6):
        column = model.names.index(f"Fc{k + 1}")
        assert (middle[0, k, column], radius[0, k, column]) == (0, 1)
        assert np.abs(middle[1, k, column]) == 1 and radius[1, k, column] == 0


def test_true_equations_hold_within_the_half_widths(tmp_path):
    """A bare arm, whose torques are those of the model: readings rounded to the step, torques of the true motion."""
    _, path, plant = simulate_arm_motion(tmp_path, 6, 4.0, bare=True)
    lines = path.read_text().splitlines()
    headings = lines[1].split(",")
    kept = [k for k, name in enumerate(headings) if not name.startswith(("dq", "ddq"))]
    step = 1e-4
    rows = []
    for line in lines[2:]:
        cells = line.split(",")
        rows.append([
            f"{round(float(cells[k]) / step) * step:.9g}" if headings[k].startswith("q") else cells[k] for k in kept
        ])  # fmt: skip
    log = tmp_path / "log.csv"
    log.write_text("\n".join([",".join(headings[k] for k in kept), *(",".join(row) for row in rows)]) + "\n")
    choice = ArmChoice(tmp_path / "arm.urdf", encoder_step="0.0001 rad", cut_off=20.0)
    found = regressor_of_arm(log, choice, CHOSEN)
    assert found.encoders.rows == found.problem.rows and found.encoders.still > 0
    physical = found.physical
    theta = np.array(
        [float(value) for value in physical.combined([Fraction(float(value)) for value in plant.parameters])]
    )
    middle, half = found.problem.matrix @ theta, (found.problem.high - found.problem.low) / 2 @ np.abs(theta)
    off = np.abs(middle - found.problem.y)
    assert (off <= half + 0.5).all()
    assert all(low <= x <= high for x, (low, high) in zip(theta, found.problem.box, strict=True))
    assert set(found.problem.bounds) == {(None, None)} and max(float(high) for _, high in found.problem.box) < 10_000
    assert (half > 0).all() and np.median(half) < 20


def test_a_log_with_velocities_of_its_own_is_refused(tmp_path):
    simulate_arm_motion(tmp_path, 6, 3.0, bare=True)
    choice = ArmChoice(tmp_path / "arm.urdf", encoder_step="0.0001 rad")
    with pytest.raises(InputError, match="velocities and accelerations"):
        regressor_of_arm(tmp_path / "motion.csv", choice, CHOSEN)
