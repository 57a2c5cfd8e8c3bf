"""Serial arms with six joints whose model is true: the truth lies inside all intervals, by a margin of
the half-width.
"""

from fractions import Fraction

import numpy as np

import certify

JOINTS = 6
LINKS = np.array([0.0, 420.0, 60.0, 0.0, 0.0, 0.0])  # mm
SHIFTS = np.array([330.0, 0.0, 0.0, 400.0, 0.0, 120.0])  # mm
TWISTS = np.array([-1.5, 0.0, -1.5, 1.5, -1.5, 0.0])  # rad
BLUEPRINT = np.concatenate([np.zeros(JOINTS), LINKS, SHIFTS, TWISTS, [20.0, -30.0, 90.0], [5.0, 3.0, 1.0]])
RADIUS = np.concatenate([np.full(JOINTS, 5e-3), np.full(2 * JOINTS, 0.5), np.full(JOINTS, 5e-3), np.full(6, 0.5)])
MARGIN = 0.05  # of a half-width, between the truth and the ends of its interval


def tip(parameters, angles):
    """Where the tool is: offsets, links, shifts and twists of the joints (Denavit and Hartenberg), the
    tool, the base.
    """
    offsets, links, shifts, twists = (parameters[k * JOINTS : (k + 1) * JOINTS] for k in range(4))
    x, y, z = parameters[24:27]
    for k in reversed(range(JOINTS)):
        cosine, sine = certify.cos(twists[k]), certify.sin(twists[k])
        x, y, z = x + links[k], cosine * y - sine * z, sine * y + cosine * z + shifts[k]
        turned = angles[k] + offsets[k]
        cosine, sine = certify.cos(turned), certify.sin(turned)
        x, y = cosine * x - sine * y, sine * x + cosine * y
    return tuple(value + base for value, base in zip((x, y, z), parameters[27:30], strict=True))


def _column(name, unit, values, half):
    middles = [Fraction(str(value)) for value in values]
    return certify.Column(name, unit, tuple(v - half for v in middles), tuple(v + half for v in middles))


def planted_arm(unknowns=6, poses=20, joint="1/100000", reading="1/20", copies=False, seed=1):
    """The arm with so many unknown parameters, and their true values.

    `joint` and `reading` are half-widths in rad and mm; with `copies` each of the three families has joint columns of
    its own.
    """
    random = np.random.default_rng([seed, unknowns, poses])
    joint, reading = Fraction(joint), Fraction(reading)
    free = np.sort(random.permutation(len(BLUEPRINT))[:unknowns])
    truth = BLUEPRINT.copy()
    truth[free] += random.uniform(-0.5, 0.5, unknowns) * RADIUS[free]
    read = np.round(random.uniform(-1.2, 1.2, (JOINTS, poses)), 6)
    angles = read + float(joint) * (1 - MARGIN) * random.uniform(-1, 1, read.shape)
    reached = np.array([tip(truth, angles[:, k]) for k in range(poses)]).T
    reached += float(reading) * (1 - MARGIN) * random.uniform(-1, 1, reached.shape)
    columns, families = [], []
    for axis, name in enumerate("xyz"):
        if copies or not columns:
            encoders = range(len(columns), len(columns) + JOINTS)
            columns += [_column(f"q{k}{name}" if copies else f"q{k}", "rad", read[k], joint) for k in range(JOINTS)]

        def row(x, m, axis=axis):
            parameters = BLUEPRINT.tolist()
            for place, number in enumerate(free):
                parameters[number] = x.p[place]
            return tip(parameters, m.q)[axis] - m.u

        tape = certify.trace(row, {"p": (unknowns,)}, {"q": (JOINTS,), "u": ()})
        bindings = [certify.Binding(False, v) for v in range(unknowns)] + [
            certify.Binding(True, c) for c in (*encoders, len(columns))
        ]
        columns.append(_column(name, "mm", reached[axis], reading))
        families.append(certify.Family(name, tape, poses, tuple(bindings), "mm"))
    ends = [(number, Fraction(str(BLUEPRINT[number])), Fraction(str(RADIUS[number]))) for number in free]
    variables = tuple(
        certify.Variable(f"p{n}", "rad" if RADIUS[n] < 0.1 else "mm", middle - radius, middle + radius)
        for n, middle, radius in ends
    )
    return certify.Problem(variables, tuple(columns), tuple(families), "planted arm", "simulated"), truth[free]
