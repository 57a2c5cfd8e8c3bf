"""A planar arm with two joints as a problem file: where its tip is and how it is turned, from text to certificates."""

import numpy as np

ARM = """format = "certify-problem-file 1"
title = "Planar 2R arm"
provenance = "simulated: a planar arm of two links"
poses = "poses.csv"
half_widths_are = "bounds"
RATIO
[model.equations]
position = "B + [l*cos(a1) + m*cos(a2), l*sin(a1) + m*sin(a2)] - [x, y]"
orientation = "a2 - theta"
[model.errors]
orientation = "mrad"
[model.parameters]
B = "length x y"
l = "length"
m = "length"
o = "angle 1 2"
[model.columns]
q1 = "angle"
q2 = "angle"
x = "length"
y = "length"
theta = "angle"
[model.definitions]
a1 = "q1 + o[1]"
a2 = "a1 + q2 + o[2]"

[half_widths]
q1 = "0 deg"
q2 = "0 deg"
x = "0.05 mm"
y = "0.05 mm"
theta = "0.005 deg"

[box]
centre = "nominal"

[parameters]
B = { value = ["10 mm", "-5 mm"], radius = "2 mm" }
l = { value = "400 mm", radius = "1 mm" }
m = { value = "0.3 m", radius = "1 mm" }
o = { value = ["0 deg", "0 deg"], radius = ["0.5 deg", "0 deg"] }
"""
TRUTH = {"B_x": 10.4, "B_y": -5.2, "l": 400.3, "m": 299.6, "o_1": 0.2}
RATIO = 'ratio = "2 mm per mrad"'


def write_arm(folder, poses=12, off=0.03, turned=0.003, wrong=(), seed=1, ratio=""):
    """problem.toml and poses.csv: tips at most `off` mm and angles at most `turned` degrees from the true arm's, tips
    of the poses `wrong` (counted from 1) 3 mm further.
    """
    random = np.random.default_rng(seed)
    read = np.round(random.uniform(-90, 90, (poses, 2)), 3)
    first = np.radians(read[:, 0] + TRUTH["o_1"])
    second = first + np.radians(read[:, 1])
    tips = np.array([TRUTH["B_x"], TRUTH["B_y"]])[:, None] + TRUTH["l"] * np.array([np.cos(first), np.sin(first)])
    tips = tips + TRUTH["m"] * np.array([np.cos(second), np.sin(second)]) + random.uniform(-off, off, (2, poses))
    angles = np.degrees(second) + random.uniform(-turned, turned, poses)
    for pose in wrong:
        tips[1, pose - 1] += 3.0
    rows = [
        f"P{k + 1},{read[k, 0]},{read[k, 1]},{tips[0, k]:.3f},{tips[1, k]:.3f},{angles[k]:.5f}" for k in range(poses)
    ]
    header = "pose,q1 [deg],q2 [deg],x [mm],y [mm],theta [deg]"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "poses.csv").write_text("\n".join([header, *rows]) + "\n")
    (folder / "problem.toml").write_text(ARM.replace("RATIO", ratio))
    return folder / "problem.toml"
