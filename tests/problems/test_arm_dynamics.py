"""The torques of serial arms against Lagrange's equations in 400 bits, and what a URDF and a log are read as."""

from fractions import Fraction

import flint
import numpy as np
import planted_arm_logs as planar
import pytest
from planted_urdf import chain_of, drawn_urdf

from certify.problems.arm_dynamics.arm_log import read_arm_log
from certify.problems.arm_dynamics.arm_regressor import ArmChoice, regressor_of_arm
from certify.problems.arm_dynamics.grouping import grouping
from certify.problems.arm_dynamics.links import read_links
from certify.problems.arm_dynamics.newton_euler import link_columns
from certify.problems.arm_dynamics.parameters import ArmModel
from certify.problems.arm_dynamics.simulated_motion import simulate_arm_motion
from certify.problems.errors import InputError
from certify.problems.regressors.regressor_file import Chosen

GRAVITY = (0.3, -9.7, 1.1)


@pytest.fixture(autouse=True)
def digits():
    before = flint.ctx.prec
    flint.ctx.prec = 400
    yield
    flint.ctx.prec = before


class Lagrange:
    """T = sum tr(dT_k P_k dT_k^T) / 2 and U = - g . (T_k (h, m)), differentiated by differences of 2^-60."""

    def __init__(self, text, bodies):
        self.flint, self.step = flint, flint.arb(2) ** -60
        self.chain, self.bodies = chain_of(text, "tip"), bodies

    def frames(self, q):
        """Homogeneous matrices of the links that move."""
        flint, found, frame, k = self.flint, [], None, 0
        for kind, origin, axis in self.chain:
            own = flint.arb_mat(origin.tolist())
            frame = own if frame is None else frame * own
            if kind != "fixed":
                frame = frame * self._moved(kind, axis, q[k])
                found.append(frame)
                k += 1
        return found

    def _moved(self, kind, axis, value):
        flint = self.flint
        length = flint.arb(float(axis @ axis)).sqrt()
        x, y, z = (flint.arb(float(entry)) / length for entry in axis)
        if kind == "prismatic":
            return flint.arb_mat([[1, 0, 0, x * value], [0, 1, 0, y * value], [0, 0, 1, z * value], [0, 0, 0, 1]])
        across = flint.arb_mat([[0, -z, y, 0], [z, 0, -x, 0], [-y, x, 0, 0], [0, 0, 0, 0]])
        one = flint.arb_mat([[int(i == j) for j in range(4)] for i in range(4)])
        return one + value.sin() * across + (1 - value.cos()) * (across * across)

    def energies(self, q, dq):
        """T and U."""
        e = self.step
        there, back = (self.frames([a + s * e * b for a, b in zip(q, dq, strict=True)]) for s in (1, -1))
        kinetic = potential = self.flint.arb(0)
        for now, after, before, body in zip(self.frames(q), there, back, self.bodies, strict=True):
            speed = (after - before) * (1 / (2 * e))
            product = speed * body * speed.transpose()
            kinetic = kinetic + (product[0, 0] + product[1, 1] + product[2, 2]) / 2
            moment = now * body
            potential = potential - sum(self.flint.arb(g) * moment[i, 3] for i, g in enumerate(GRAVITY))
        return kinetic, potential

    def torque(self, q, dq, ddq, j):
        """d/dt dT/d dq_j - d(T - U)/dq_j."""
        e, arb = self.step, self.flint.arb
        q, dq, ddq = ([arb(float(value)) for value in part] for part in (q, dq, ddq))

        def momentum(s):
            place = [a + s * b + s * s / 2 * c for a, b, c in zip(q, dq, ddq, strict=True)]
            speed = [b + s * c for b, c in zip(dq, ddq, strict=True)]
            up, down = (self.energies(place, [v + d * (k == j) for k, v in enumerate(speed)])[0] for d in (1, -1))
            return (up - down) / 2  # exact: T is quadratic in the velocities

        def lagrangian(s):
            kinetic, potential = self.energies([v + s * (k == j) for k, v in enumerate(q)], dq)
            return kinetic - potential

        return float(((momentum(e) - momentum(-e)) - (lagrangian(e) - lagrangian(-e))) / (2 * e))


def pseudo(flint, ten):
    m, x, y, z, xx, xy, xz, yy, yz, zz = (flint.arb(float(value)) for value in ten)
    half = (xx + yy + zz) / 2
    rows = [[half - xx, -xy, -xz, x], [-xy, half - yy, -yz, y], [-xz, -yz, half - zz, z], [x, y, z, m]]
    return flint.arb_mat(rows)


@pytest.mark.parametrize("seed", range(8))
def test_the_regressor_is_that_of_lagranges_equations(seed, tmp_path):
    flint = pytest.importorskip("flint")
    random = np.random.default_rng(seed)
    joints = 2 + seed % 3
    text = drawn_urdf(random, joints)
    (tmp_path / "arm.urdf").write_text(text)
    links = read_links(tmp_path / "arm.urdf", "tip", gravity=GRAVITY)
    q, dq, ddq = random.uniform(-2, 2, (3, 1, joints))
    bodies = random.uniform(-1, 1, (joints, 10))
    truth = Lagrange(text, [pseudo(flint, ten) for ten in bodies])
    found = np.zeros(joints)
    for k, columns in enumerate(link_columns(links, q, dq, ddq)):
        found[: k + 1] += columns[0] @ bodies[k]
    expected = np.array([truth.torque(q[0], dq[0], ddq[0], j) for j in range(joints)])
    assert np.abs(found - expected).max() <= 1e-12 * (1 + np.abs(expected).max())


@pytest.mark.parametrize("seed", range(12))
def test_regrouped_columns_give_the_same_torques_on_other_motions(seed, tmp_path):
    random = np.random.default_rng(seed)
    (tmp_path / "arm.urdf").write_text(drawn_urdf(random, 3 + seed % 4))
    model = ArmModel(read_links(tmp_path / "arm.urdf", "tip"), seed % 2 == 0, seed % 3 == 0)
    grouped = grouping(model)
    q, dq, ddq = random.uniform(-2, 2, (3, 40, model.links.count))
    matrix = model.matrix(q, dq, ddq).reshape(-1, len(model.names))
    phi = random.uniform(-1, 1, len(model.names))
    theta = np.array([float(value) for value in grouped.physical().combined([Fraction(v) for v in phi.tolist()])])
    torques = matrix @ phi
    assert np.abs(matrix[:, list(grouped.kept)] @ theta - torques).max() <= 1e-9 * np.abs(torques).max()
    assert np.linalg.matrix_rank(matrix[:, list(grouped.kept)]) == len(grouped.kept)


def test_base_parameters_of_a_planar_arm_are_those_of_the_textbook(tmp_path):
    (tmp_path / "arm.urdf").write_text(planar.urdf())
    grouped = grouping(ArmModel(read_links(tmp_path / "arm.urdf", gravity=(0, -9.81, 0))))
    assert grouped.names[:6] == ("mx1R", "my1", "Izz1R", "mx2", "my2", "Izz2")
    names = grouped.model.names
    told = [{names[d]: factor for d, factor in parts} for parts in grouped.parts]
    assert told[0] == {"m2": Fraction(2, 5)} and told[2] == {"m2": Fraction(4, 25)}  # exactly
    assert not any(told[k] for k in range(len(told)) if k not in (0, 2))
    assert set(grouped.unseen) >= {"m1", "mz1", "Ixx1", "Iyz2"} and "m2" not in grouped.unseen


@pytest.mark.parametrize(("joints", "count"), [(6, 36), (7, 43)])
def test_arms_have_as_many_base_parameters_as_is_known(joints, count, tmp_path):
    urdf, _, _ = simulate_arm_motion(tmp_path, joints, 3.0)
    assert len(grouping(ArmModel(read_links(urdf))).kept) == count + 2 * joints  # and friction


def test_inertials_are_put_together_about_the_joints_frame(tmp_path):
    """Points of mass, in a frame that is turned about, on a link that hangs fixed on another."""
    points = [(0.4, (0.1, 0.2, -0.1)), (0.7, (-0.2, 0.1, 0.3)), (0.5, (0.0, -0.3, 0.2)), (0.2, (0.3, 0.1, 0.1))]
    mass = sum(m for m, _ in points)
    centre = sum(m * np.array(p) for m, p in points) / mass
    tensor = sum(m * ((d @ d) * np.eye(3) - np.outer(d, d)) for m, p in points for d in [np.array(p) - centre])
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])  # of the inertial's frame: a quarter turn about z
    xx, xy, xz, yy, yz, zz = (turn.T @ tensor @ turn)[np.triu_indices(3)].tolist()
    x, y, z = centre.tolist()
    (tmp_path / "arm.urdf").write_text(f"""<robot name="one"><link name="base"/><link name="arm"/><link name="tool">
      <inertial><origin xyz="{x!r} {y!r} {z!r}" rpy="0 0 1.5707963267948966"/>
      <mass value="{mass!r}"/><inertia ixx="{xx!r}" ixy="{xy!r}" ixz="{xz!r}" iyy="{yy!r}" iyz="{yz!r}" izz="{zz!r}"/>
      </inertial></link>
      <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint>
      <joint name="f" type="fixed"><parent link="arm"/><child link="tool"/>
        <origin xyz="0.5 0 0.25" rpy="1.5707963267948966 0 0"/></joint></robot>""")
    links = read_links(tmp_path / "arm.urdf")
    there = [(m, np.array([p[0] + 0.5, -p[2], p[1] + 0.25])) for m, p in points]  # y to z, z to -y
    first = sum(m * p for m, p in there)
    moments = sum(m * ((p @ p) * np.eye(3) - np.outer(p, p)) for m, p in there)
    expected = [mass, *first, *moments[np.triu_indices(3)]]
    assert links.inertials[0] == pytest.approx(expected, abs=1e-14)


def test_the_rows_of_a_planar_log_hold_at_what_was_planted(tmp_path):
    base, friction = (0.9, 1.3, 0.05, 0.4, -0.03, 0.12), (0.2, 0.1, 0.0, 0.0)
    (tmp_path / "arm.urdf").write_text(planar.urdf())
    (tmp_path / "log.csv").write_text(planar.log_text(2000, base, friction, 0.0, 1))
    choice = ArmChoice(tmp_path / "arm.urdf", gravity=(0.0, -9.81, 0.0))
    found = regressor_of_arm(tmp_path / "log.csv", choice, Chosen("", "0.1, 0.2 Nm"))
    i1, x1, y1, x2, y2, i2 = base
    theta = np.array([x1, y1, i1, x2, y2, i2, *friction])
    assert found.problem.names == ("mx1R", "my1", "Izz1R", "mx2", "my2", "Izz2", "Fv1", "Fv2", "Fc1", "Fc2")
    assert np.abs(found.problem.matrix @ theta - found.problem.y).max() < 1e-9 * np.abs(found.problem.y).max()
    widths = found.problem.upper - found.problem.lower
    assert np.abs(widths[::2] - 0.2).max() < 1e-12 and np.abs(widths[1::2] - 0.4).max() < 1e-12
    assert found.problem.unit == "Nm" and found.problem.units[2] == "kg.m^2" and found.problem.units[6] == "Nms/rad"


def test_units_and_gains_of_a_log_are_heeded(tmp_path):
    lines = ["t [ms],q1 [deg],I1 [mA],q2 [mm],I2 [A]", *(f"{k},{k},{1000 * k},{k},{k}" for k in range(5))]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    log = read_arm_log(tmp_path / "log.csv", (False, True), (2.0, 3.0))
    k = np.arange(5)
    assert np.allclose(log.times, k * 1e-3) and np.allclose(log.joints, np.column_stack([np.radians(k), k * 1e-3]))
    assert np.allclose(log.torques, np.column_stack([2.0 * k, 3.0 * k])) and log.speeds is None


LINE = "t [s],q1 [rad],tau1 [Nm]"


@pytest.mark.parametrize(
    ("header", "gains", "message"),
    [
        ("t [s],q1 [rad]", None, "no torques are in it"),
        ("t [s],q1 [rad],I1 [A]", None, "how many Nm an ampere"),
        (LINE, (1.0,), "it has torques; leave --gain out"),
        ("t [s],q1 [rad],I1 [A],V1 [V]", (1.0,), "it has I1 and V1 and no torques, and --gain is of one of them"),
        (f"{LINE},q2 [rad]", None, "it has q2, and the joints between base and tip are q1 .. q1"),
        (f"{LINE},q0 [rad]", None, "it has q0, and the joints between base and tip are q1 .. q1"),
        ("t [s],q1,tau1 [Nm]", None, "has no unit that is known"),
        ("t [s],p1 [rad],tau1 [Nm]", None, "column q1 is missing"),
        ("t [s],q1 [rad],tau1 [N]", None, "has no unit that is known"),
    ],
)
def test_logs_that_are_not_understood_are_refused_kindly(header, gains, message, tmp_path):
    cells = ",".join("0" for _ in header.split(","))
    (tmp_path / "log.csv").write_text("\n".join([header, *[cells] * 4]))
    with pytest.raises(InputError, match=message):
        read_arm_log(tmp_path / "log.csv", (False,), gains)


@pytest.mark.parametrize(
    ("bound", "message"),
    [("1, 2, 3 Nm", "has 3 numbers"), ("1 N, 2 Nm", "is in Nm"), ("much", "is no number")],
)
def test_bounds_that_do_not_fit_the_arm_are_refused_kindly(bound, message, tmp_path):
    (tmp_path / "arm.urdf").write_text(planar.urdf())
    with pytest.raises(InputError, match=message):
        regressor_of_arm(tmp_path / "none.csv", ArmChoice(tmp_path / "arm.urdf"), Chosen("", bound))


def test_the_simulated_urdf_and_truth_are_told_apart(tmp_path):
    urdf, log, plant = simulate_arm_motion(tmp_path, 6, 3.0, bare=True)
    found = regressor_of_arm(log, ArmChoice(urdf), Chosen("", "1 Nm"))
    theta = found.physical.combined([Fraction(value) for value in plant.parameters.tolist()])
    residuals = found.problem.matrix @ np.array([float(value) for value in theta]) - found.problem.y
    assert np.abs(residuals).max() < 1e-6  # nine digits of the log
    truth = dict(zip(found.grouped.names, theta, strict=True))
    assert len(found.own) == 36 and any(abs(value - truth[name]) > 1e-3 for name, value in found.own.items())


def test_long_logs_are_read_that_a_table_of_poses_could_not_be(tmp_path):
    """18 MB, most of it a column that is left unread."""
    filler = "x" * 600
    lines = ["t [s],q1 [rad],tau1 [Nm],note", *(f"{k / 1000},{k},{-k},{filler}" for k in range(30_000))]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    log = read_arm_log(tmp_path / "log.csv", (False,))
    assert len(log.times) == 30_000 and log.joints[-1, 0] == 29_999 and log.torques[-1, 0] == -29_999
