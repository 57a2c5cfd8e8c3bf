"""A planted planar platform: its legs err by up to 0.15 mm, and its blueprint is off by up to 2 mm."""

import numpy as np

BASE = np.array([[-430.0, -250.0], [430.0, -250.0], [0.0, 500.0]])
PLATE = np.array([[-60.0, -100.0], [115.0, 0.0], [-60.0, 100.0]])
OFFSET = np.array([300.0, 300.0, 300.0])
EPSILON, NOISE = 0.2, 0.01

PROBLEM = """
format = "certify-problem-file 1"
title = "a planted platform"
provenance = "simulated: a test"
kind = "planar_3rpr"
poses = "poses.csv"

[half_widths]
x = "0.01 mm"
y = "0.01 mm"
theta = "0.001 deg"
L1 = "0.01 mm"
L2 = "0.01 mm"
L3 = "0.01 mm"

[box]
centre = "nominal"
radius = "10 mm"
"""


def lengths(base, plate, offset, pose):
    """What the sensors say of a pose (x, y in mm, theta in degrees), if they err in nothing."""
    turn = np.radians(pose[2])
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return np.linalg.norm(np.asarray(pose[:2]) + plate @ rotation.T - base, axis=1) - offset


def stands(base, plate, offset, wanted, near):
    """The pose of a platform whose sensors say this, by Newton's method."""
    pose = np.array(near, dtype=float)
    for _ in range(30):
        slopes = np.array(
            [
                (lengths(base, plate, offset, pose + e) - lengths(base, plate, offset, pose - e)) / 2e-5
                for e in 1e-5 * np.eye(3)
            ]
        ).T
        pose = pose + np.linalg.solve(slopes, wanted - lengths(base, plate, offset, pose))
    return pose


def planted(folder, seed):
    """A problem whose blueprint is off by up to 2 mm, of legs that err by up to 0.15 mm; and the true parameters."""
    chosen = np.random.default_rng(seed)
    truth = [part + chosen.uniform(-2.0, 2.0, part.shape) for part in (BASE, PLATE, OFFSET)]
    rows = ["pose,x [mm],y [mm],theta [deg],L1 [mm],L2 [mm],L3 [mm]"]
    for k in range(30):
        pose = chosen.uniform([-120, -120, -25], [120, 120, 25])
        read = lengths(*truth, pose) + chosen.uniform(-0.15, 0.15, 3)
        noisy = pose + chosen.uniform(-1, 1, 3) * [0.008, 0.008, 0.0008]
        rows.append(f"{k}," + ",".join(f"{value:.9f}" for value in (*noisy, *read)))
    folder.mkdir(exist_ok=True)
    (folder / "poses.csv").write_text("\n".join(rows) + "\n")
    legs = [
        f'[legs.leg{k + 1}]\na = ["{a[0]} mm", "{a[1]} mm"]\nb = ["{b[0]} mm", "{b[1]} mm"]\nl = "{d} mm"\n'
        for k, (a, b, d) in enumerate(zip(BASE, PLATE, OFFSET, strict=True))
    ]
    (folder / "problem.toml").write_text(PROBLEM + "\n" + "\n".join(legs))
    return folder / "problem.toml", truth


def differences(truth, own, middle, half, epsilon, chosen, count=150):
    """How far the platform stands off at random poses of a box, in mm and mrad, at most: with legs as their model says,
    and with errors up to epsilon.
    """
    worst = np.zeros((2, 2))
    for _ in range(count):
        pose = middle + chosen.choice([-1, 1, chosen.uniform(-1, 1)], 3) * half
        wanted = lengths(*own, pose)
        for k, errors in enumerate((np.zeros(3), chosen.choice([-epsilon, epsilon], 3))):
            off = stands(*truth, wanted - errors, pose) - pose
            worst[k] = np.maximum(worst[k], [np.hypot(*off[:2]), 1000 * abs(np.radians(off[2]))])
    return worst


def parameters(values):
    """Base, plate and offsets of a list of all numbers, leg by leg."""
    legs = np.array(values, dtype=float).reshape(3, 5)
    return legs[:, :2], legs[:, 2:4], legs[:, 4]
