"""A robot of one cable: its problem file, and poses at random places."""

import numpy as np

PROBLEM = """format = "certify-problem-file 1"
title = "One cable"
provenance = "simulated: by hand"
poses = "poses.csv"

[model]
equation = "norm([x, y] - a) - (L + l)"
[model.parameters]
a = "length x y"
l = "length"
[model.columns]
x = "length"
y = "length"
[model.leg_columns]
L = "length"

[half_widths]
x = "0.01 mm"
y = "0.01 mm"
L1 = "0.01 mm"

[box]
centre = "nominal"
radius = "5 mm"

[legs.leg1]
a = ["-100 mm", "0 mm"]
l = "0 mm"
"""


def cable_table(seed, count, scale=1.05):
    random = np.random.default_rng(seed)
    places = np.round(random.uniform(-50, 50, (count, 2)), 2)
    lengths = scale * np.hypot(places[:, 0] + 100, places[:, 1]) + random.uniform(-0.005, 0.005, count)
    rows = [
        f"{number},{x},{y},{length:.3f}" for number, ((x, y), length) in enumerate(zip(places, lengths, strict=True), 1)
    ]
    return "\n".join(["pose,x [mm],y [mm],L1 [mm]", *rows]) + "\n"
