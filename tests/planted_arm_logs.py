"""Planar arms with planted parameters, their URDFs, and logs of exact motions: their truth is written by hand."""

import math

import numpy as np

LENGTH = 0.4  # m, of the first link


def urdf(inertials=("", "")):
    """Two joints about z, one behind the other along x; what gravity is, the test says."""
    first, second = inertials
    return f"""<robot name="planar">
  <link name="base"/><link name="upper">{first}</link><link name="lower">{second}</link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/></joint>
  <joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/>
    <origin xyz="{LENGTH} 0 0"/><axis xyz="0 0 1"/></joint>
</robot>
"""


def inertial(mass, centre, moments):
    """Of a link, with axes along its frame."""
    xx, yy, zz = moments
    return (
        f'<inertial><origin xyz="{" ".join(map(str, centre))}"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>'
    )


def motion(samples, rate=200.0):
    """t, q, dq, ddq of two joints, exactly."""
    t = np.arange(samples) / rate
    parts = [(0.9, 0.7, 0.3), (0.5, 1.9, 1.1)], [(0.8, 1.1, 2.0), (0.4, 2.7, 0.2)]
    q, dq, ddq = np.zeros((3, samples, 2))
    for joint, sines in enumerate(parts):
        for size, f, phase in sines:
            turn = 2 * math.pi * f
            q[:, joint] += size * np.sin(turn * t + phase)
            dq[:, joint] += size * turn * np.cos(turn * t + phase)
            ddq[:, joint] -= size * turn**2 * np.sin(turn * t + phase)
    return t, q, dq, ddq


def torques(q, dq, ddq, base, friction):
    """Of the planar arm by the textbook: base parameters (Izz1R, mx1R, my1, mx2, my2, Izz2), gravity 9.81 along -y;
    friction (Fv1, Fv2, Fc1, Fc2).
    """
    i1, x1, y1, x2, y2, i2 = base
    (q1, q2), (v1, v2), (a1, a2) = q.T, dq.T, ddq.T
    c, s, g = np.cos, np.sin, 9.81
    along, across = x2 * c(q2) - y2 * s(q2), -x2 * s(q2) - y2 * c(q2)  # its derivative
    weight2 = g * (x2 * c(q1 + q2) - y2 * s(q1 + q2))
    tau2 = i2 * (a1 + a2) + LENGTH * along * a1 - LENGTH * across * v1**2 + weight2
    tau1 = (
        i1 * a1
        + i2 * (a1 + a2)
        + LENGTH * along * (2 * a1 + a2)
        + LENGTH * across * (2 * v1 * v2 + v2**2)
        + g * (x1 * c(q1) - y1 * s(q1))
        + weight2
    )
    viscous, coulomb = np.array(friction[:2]), np.array(friction[2:])
    return np.column_stack([tau1, tau2]) + viscous * dq + coulomb * np.sign(dq)


def log_text(samples, base, friction, noise, seed):
    """A log with velocities and accelerations; torques are off by up to `noise`."""
    t, q, dq, ddq = motion(samples)
    tau = torques(q, dq, ddq, base, friction)
    tau = tau + np.random.default_rng(seed).uniform(-noise, noise, tau.shape)
    units = {"q": "rad", "dq": "rad/s", "ddq": "rad/s^2", "tau": "Nm"}
    header = ["t [s]", *(f"{kind}{k} [{unit}]" for kind, unit in units.items() for k in (1, 2))]
    rows = np.column_stack([t, q, dq, ddq, tau])
    return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows.tolist())]) + "\n"
