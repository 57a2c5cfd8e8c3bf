"""Linear systems of intervals at random, their members and solutions in fractions."""

from fractions import Fraction

import numpy as np

from certify.contractors.linear.linear_system import interval_system


def exact(value):
    return Fraction(float(value))


def solve_exactly(matrix, right):
    """Gauss-Jordan in fractions; None if singular."""
    n = len(matrix)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k] != 0), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        head = rows[k][k]
        rows[k] = [v / head for v in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] != 0:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return [row[n] for row in rows]


def inside(answer, x):
    return all(
        (low == -np.inf or exact(low) <= v) and (high == np.inf or v <= exact(high))
        for low, v, high in zip(answer.lower, x, answer.upper, strict=True)
    )


def members(system, rng, count):
    """Random members as exact matrices: inner points and vertices."""
    ends = [(system.lower, system.upper), (system.right_lower, system.right_upper)]
    for number in range(count):
        chosen = []
        for low, high in ends:
            shares = rng.integers(0, 2, low.shape) * 16 if number % 2 else rng.integers(0, 17, low.shape)
            flat = [
                exact(a) + (exact(b) - exact(a)) * Fraction(int(s), 16)
                for a, b, s in zip(low.ravel(), high.ravel(), shares.ravel(), strict=True)
            ]
            chosen.append(np.array(flat, dtype=object).reshape(low.shape))
        yield chosen[0].tolist(), chosen[1].tolist()


def random_system(seed, spread=0.0):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    middle = np.round(rng.uniform(-1, 1, (n, n)), 3) + np.diag(rng.choice([-1.0, 0.0, 2.0], n))
    right = np.round(rng.uniform(-1, 1, n), 3)
    scale = 10.0 ** rng.uniform(-spread, spread, (n, 1)) * 10.0 ** rng.uniform(-spread, spread, (1, n))
    radius = 10.0 ** rng.uniform(-14, -0.5) * rng.integers(0, 3, (n, n)) / 2
    right_radius = 10.0 ** rng.uniform(-14, 0) * rng.integers(0, 3, n) / 2
    whole = 10.0 ** rng.uniform(-spread, spread)
    return interval_system(
        (middle - radius) * scale,
        (middle + radius) * scale,
        (right - right_radius) * whole,
        (right + right_radius) * whole,
    ), rng
