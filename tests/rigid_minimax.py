"""What the best common rigid motion leaves at most, by Nelder and Mead's method from motions of least squares: a number
that is no less than the truth, and near it.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

SCALE = np.array([1e-3] * 3 + [1.0] * 3)  # rad and mm
ROUNDS = 4


def points_left(here, there):
    """Of points (K, 2 or 3), moved to other ones."""
    size = here.shape[1]
    a, b = (np.hstack([points, np.zeros((len(points), 3 - size))]) for points in (here, there))
    middle = a.mean(axis=0)
    turns, shifts = (np.array([1, 1, 1] if size == 3 else kept) for kept in ([0, 0, 1], [1, 1, 0]))

    def left(motion):
        turn = Rotation.from_rotvec(motion[:3] * turns)
        return np.linalg.norm(turn.apply(a - middle) + middle + motion[3:] * shifts - b, axis=1).max()

    start = np.zeros(6)
    if size == 3:
        start[:3] = Rotation.align_vectors(b - b.mean(axis=0), a - middle)[0].as_rotvec()
    else:
        u, v = (a - middle)[:, :2], (b - b.mean(axis=0))[:, :2]
        start[2] = np.arctan2((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum(), (u * v).sum())
    start[3:] = b.mean(axis=0) - middle
    return _least(left, start)


def frames_left(quaternions):
    """Of frames (K, 4; the scalar first) that are to be turned to none, as 2 sin(theta/2)."""
    frames = Rotation.from_quat(quaternions[:, [1, 2, 3, 0]])

    def left(motion):
        return 2 * np.linalg.norm((Rotation.from_rotvec(motion[:3]) * frames).as_quat()[:, :3], axis=1).max()

    return _least(left, np.concatenate([frames.mean().inv().as_rotvec(), np.zeros(3)]))


def angles_left(off):
    """Of angles that are to be turned to none, by one number."""
    return (off.max() - off.min()) / 2


def _least(left, start):
    """From there again and again."""
    for _ in range(ROUNDS):
        options = {"maxiter": 4000, "maxfev": 4000, "xatol": 1e-9, "fatol": 1e-12}
        found = minimize(lambda v: left(v * SCALE), start / SCALE, method="Nelder-Mead", options=options)
        start = found.x * SCALE
    return float(found.fun)
