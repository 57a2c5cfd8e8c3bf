"""The solution set of an interval linear system in a box, without a box to begin with: the hull of the preconditioned
system (Hansen, Bliek, Rohn).

With C an approximate inverse of the middle of A (a left inverse if there are more rows than columns), every solution x
satisfies C (A_c x - b_c) within |C| (A_r |x| + b_r). Write x = s + y with s an approximate solution, r = b_c - A_c s
its residual (enclosed to twice the precision) and C A_c = I + E:
    |x - x_0| <= D |x| + g,    x_0 = s + C r,    D = |C| A_r,    g = |C| b_r + |E| |y|.
Only y is multiplied by the rounding error E; it is small even if x is not, so that a system of points is solved to the
last digits, and nothing is given away for wide ones: D |x| keeps the true |x|, other than the interval residual b - A
s.

If D has a spectral radius below 1, M = (I - D)^-1 exists and has no negative entries; D w < w for one positive vector w
proves it (and, with |E| added to D, that every square matrix of the system is regular; Rump, Verification methods, Acta
Numerica 19, 2010, section 10). With d = M (D |x_0| + g) and t_i = 2 m_ii - 1 the solutions of the inequality with x_0i
>= 0 satisfy
    min((t_i x_0i - d_i) / t_i, t_i x_0i - d_i) <= x_i <= x_0i + d_i,
mirrored for x_0i <= 0, and this is the hull of the inequality (E. Hansen 1992; C. Bliek 1992; J. Rohn, Cheap and tight
bounds: the recent result by E. Hansen can be made more efficient, Interval Computations 4, 1993; S. Ning, R. B.
Kearfott, SIAM J. Numer. Anal. 34, 1997). Proof: |x| <= |x_0| + D |x| + g, so |x| <= M (|x_0| + g) = |x_0| + d. If x_i <
0, row i reads |x_i| <= -x_0i + (D |x| + g)_i, so |x_i| <= (|x_0| + d)_i - 2 m_ii x_0i. If x_i >= 0, row i gives ((I -
D)|x|)_i <= 2 x_i - x_0i + g_i, so x_i <= x_0i + d_i + 2 m_ii (x_i - x_0i). Larger d and smaller t only widen it.

Upper bounds of M times a vector h: any z with (I - D) z >= h will do, and an approximation is repaired by adding the
right multiple of w. Lower bounds of the m_ii: with N an approximation of M and R = I - (I - D) N, M - N = M R, and |R|
<= ((I - D) w) e with e_j = max_i |R_ij| / (w - D w)_i, so |m_ii - n_ii| <= w_i e_i.

Preconditioning by the inverse of the middle is what makes the result wider than the hull of the system itself;
`oettli_prager` has that hull.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.linear.batch import enclose_small
from certify.contractors.linear.linear_system import EnclosedSolutions, IntervalSystem, LinearVerdict
from certify.contractors.linear.products import (
    TINY,
    UNIT,
    magnitude_product,
    middle_and_radius,
    product,
    raised,
    residual,
    times_vector,
)
from certify.contractors.linear.weights import least_values
from certify.contractors.numbers.rounding import require_nearest
from certify.contractors.tape.evaluation import Floats

_SMALL = 64  # unknowns up to which `linear_batch` is faster
_REGULAR = "the inverse of the middle makes the matrix strictly diagonally dominant, after scaling: it is regular"
_REFINEMENTS = 3
_ROW_SUM = 0.5  # below it 1 serves as the vector w
_NEGLIGIBLE = 1e-5  # row sums of D below which its square does not matter


@dataclass(frozen=True, eq=False)
class Preconditioned:
    """C A within I -+ (spread + rounding), for every A of the system."""

    inverse: Floats
    spread: Floats
    rounding: Floats


def approximate_inverse(middle: Floats) -> Floats | None:
    """Of a square matrix, or a left inverse of one with more rows than columns; None if there is none."""
    rows, columns = middle.shape
    if rows < columns:
        return None
    try:
        with np.errstate(all="ignore"):
            inverse = np.linalg.inv(middle) if rows == columns else np.linalg.pinv(middle)
    except np.linalg.LinAlgError:
        return None
    return np.ascontiguousarray(inverse) if np.isfinite(inverse).all() else None


def precondition(middle: Floats, radius: Floats) -> Preconditioned | None:
    """With an approximate inverse of the middle."""
    inverse = approximate_inverse(middle)
    if inverse is None:
        return None
    spread = magnitude_product(np.abs(inverse), radius) if radius.any() else np.zeros((inverse.shape[0],) * 2)
    near_one, error = product(inverse, middle, np.zeros_like(middle))
    diagonal = np.diag_indices_from(near_one)
    near_one[diagonal] -= 1.0
    rounding = raised(np.abs(near_one) + error, 3)
    rounding[diagonal] += 4.0 * UNIT  # of the subtraction; the middle is near 1 or the result is useless
    rounding[diagonal] = np.where(np.abs(near_one[diagonal]) < 1.0, rounding[diagonal], np.inf)
    return Preconditioned(inverse, spread, rounding)


def refined(found: Preconditioned, middle: Floats) -> Preconditioned:
    """The same with C A_c - I enclosed to twice the precision, column by column: for condition numbers from 1e11 to
    1e15, in n^3 slow operations.
    """
    rounding = np.empty_like(found.rounding)
    unit = np.eye(len(rounding))
    for j, column in enumerate(np.ascontiguousarray(middle.T)):
        value, uncertainty = residual(found.inverse, column, unit[j])
        rounding[:, j] = raised(np.abs(value) + uncertainty, 1)
    return Preconditioned(found.inverse, found.spread, rounding)


def doubled(found: Preconditioned, middle: Floats, radius: Floats) -> Preconditioned | None:
    """For condition numbers beyond 1e16: two copies of the system, one above the other, with a left inverse (C_1, C_2).

    An inverse in floats is wrong in every digit then, but C A_c has a far smaller condition number than A_c; with
    D = (C A_c)^-1 in floats D C is the better inverse (S. M. Rump, Inversion of extremely ill-conditioned matrices in
    floating-point, Japan J. Indust. Appl. Math. 26, 2009). It is needed to twice the precision, as C_1 + C_2.
    """
    size = len(middle)
    columns = [times_vector(found.inverse, column)[0] for column in np.ascontiguousarray(middle.T)]
    second = approximate_inverse(np.stack(columns, axis=1))
    if second is None:
        return None
    first = second @ found.inverse
    rest = [
        -residual(second, column, about)[0]
        for column, about in zip(found.inverse.T.copy(), first.T.copy(), strict=True)
    ]
    inverse = np.hstack([first, np.stack(rest, axis=1)])
    spread = magnitude_product(np.abs(inverse), np.vstack([radius, radius]))
    return refined(Preconditioned(inverse, spread, np.zeros((size, size))), np.vstack([middle, middle]))


def contracting_vector(matrix: Floats) -> tuple[Floats, Floats] | None:
    """A positive w and v with 0 < v <= w - matrix w, for a matrix of upper bounds: it proves that the spectral radius
    is below 1. None if not found.
    """
    with np.errstate(all="ignore"):
        if not np.isfinite(matrix).all():
            return None
        sums = raised(matrix.sum(axis=1), len(matrix))
        w = np.ones(len(matrix))
        if not sums.max() < _ROW_SUM:
            try:
                w = np.asarray(np.linalg.solve(np.eye(len(matrix)) - matrix, w), dtype=np.float64)
            except np.linalg.LinAlgError:
                return None
            if not (np.isfinite(w).all() and (w > 0.0).all()):
                return None
            w = w / w.max()
            sums = magnitude_product(matrix, w[:, None])[:, 0]
        v = w - sums
        v = v - 4.0 * UNIT * w
        return (w, v) if (v > 0.0).all() else None


@dataclass(frozen=True, eq=False)
class _Inverse:
    """Bounds of M = (I - D)^-1 from w and v <= (I - D) w: `upper` of M times a vector, and lower bounds of the
    diagonal.
    """

    matrix: Floats
    w: Floats
    v: Floats
    approximation: Floats | None

    def upper(self, vector: Floats) -> Floats:
        """An upper bound of M times a vector without negative entries."""
        applied = (
            vector + self.matrix @ vector
            if self.approximation is None
            else np.maximum(self.approximation @ vector, 0.0)
        )
        needed = raised(vector + magnitude_product(self.matrix, applied[:, None])[:, 0], 2)
        missing = np.maximum(needed * (1.0 + 4.0 * UNIT) - applied, 0.0)
        factor = raised(np.asarray(np.max(missing * (1.0 + 2.0 * UNIT) / self.v)), 4)
        return raised(applied + raised(factor * self.w, 2), 2)

    def diagonal(self) -> Floats:
        """Lower bounds of the m_ii, at least 1: by the approximation, or by 1 + d_ii."""
        if self.approximation is None:
            return np.asarray(np.maximum(1.0, 1.0 + np.diagonal(self.matrix) * (1.0 - 8.0 * UNIT) - 4.0 * UNIT))
        n = len(self.matrix)
        times, error = product(self.matrix, self.approximation, np.zeros((n, n)))
        rest = np.abs(np.eye(n) - self.approximation + times)
        bound = raised(rest + error + 8.0 * UNIT * (np.eye(n) + np.abs(self.approximation) + np.abs(times)), 5)
        distance = raised(self.w * raised(np.max(bound / self.v[:, None], axis=0), 3), 3)
        lower = np.diagonal(self.approximation) - distance
        return np.asarray(np.maximum(1.0, lower - 4.0 * UNIT * np.abs(lower)))


def _inverse(spread: Floats, w: Floats, v: Floats) -> _Inverse:
    if spread.sum(axis=1).max() < _NEGLIGIBLE:
        return _Inverse(spread, w, v, None)
    return _Inverse(spread, w, v, approximate_inverse(np.eye(len(spread)) - spread))


def _hull(start: Floats, correction: Floats, d: Floats, diagonal: Floats) -> tuple[Floats, Floats]:
    """The ends for x_0 = start + correction exactly, given upper bounds of d and lower bounds of the m_ii."""
    about = start + correction
    sign = np.where(about >= 0.0, 1.0, -1.0)
    start, correction, about = sign * start, sign * correction, np.abs(about)
    t = (2.0 * diagonal - 1.0) * (1.0 - 4.0 * UNIT)
    t = np.maximum(t, 1.0)
    far = _add_up(start, correction, d)
    near = -_add_up(-start, -correction, raised(d / t, 2))
    scaled = t * about
    across = scaled - d
    across = across - 8.0 * UNIT * (scaled + d) - 4.0 * TINY
    near = np.where(across >= 0.0, near, np.minimum(near, across))
    return np.where(sign > 0.0, near, -far), np.where(sign > 0.0, far, -near)


def _add_up(a: Floats, b: Floats, c: Floats) -> Floats:
    """An upper bound of a + b + c, to the last digit if b and c are small beside a."""
    small = b + c
    small = small + 2.0 * UNIT * np.abs(small) + TINY
    total = a + small
    rest = small - (total - a)
    exact = np.abs(a) >= np.abs(small)
    return np.where(exact & (rest <= 0.0), total, np.nextafter(total, np.inf))


@dataclass(frozen=True, eq=False)
class _Regular:
    """A system proved to be regular, in two copies if it had to be (see `doubled`): middles, radii, and w with v <= w -
    (spread + rounding) w.
    """

    middle: Floats
    right: Floats
    right_radius: Floats
    found: Preconditioned
    w: Floats
    v: Floats


def _regular(system: IntervalSystem) -> _Regular | str:
    """The proof of regularity, by the cheapest of the three ways that succeeds; or what is missing."""
    rows, columns = system.shape
    if rows < columns:
        return "fewer equations than unknowns: no box is bounded by preconditioning"
    middle, radius = middle_and_radius(system.lower, system.upper)
    right, right_radius = middle_and_radius(system.right_lower, system.right_upper)
    found = precondition(middle, radius)
    if found is None:
        return "the middle matrix has no inverse that could be used"
    vectors = contracting_vector(raised(found.spread + found.rounding, 1))
    if vectors is None and contracting_vector(found.spread) is not None:
        found = refined(found, middle)
        vectors = contracting_vector(raised(found.spread + found.rounding, 1))
    if vectors is None and rows == columns and not (radius > 4.0 * UNIT * np.abs(middle)).all():
        twice = doubled(found, middle, radius)
        if twice is not None:
            found, middle = twice, np.vstack([middle, middle])
            right, right_radius = np.tile(right, 2), np.tile(right_radius, 2)
            vectors = contracting_vector(raised(found.spread + found.rounding, 1))
    if vectors is None:
        return "the preconditioned matrix is not proved to be regular"
    return _Regular(middle, right, right_radius, found, *vectors)


def _scaled_enclosure(system: IntervalSystem) -> EnclosedSolutions:
    """`enclose` of a scaled system."""
    rows, columns = system.shape
    proved = _regular(system)
    if isinstance(proved, str):
        return EnclosedSolutions.unknown(columns, proved)
    middle, right, right_radius = proved.middle, proved.right, proved.right_radius
    found, w, v = proved.found, proved.w, proved.v
    inverse = found.inverse
    start, _ = times_vector(inverse, right)
    rest, uncertainty = residual(middle, start, right)
    for _ in range(_REFINEMENTS):
        step, _ = times_vector(inverse, rest)
        if not np.isfinite(step).all() or (np.abs(step) <= UNIT * np.abs(start)).all():
            break
        start = start + step
        rest, uncertainty = residual(middle, start, right)
    correction, error = times_vector(inverse, rest)
    if not (np.isfinite(correction).all() and np.isfinite(uncertainty).all()):
        return EnclosedSolutions.unknown(columns, "the solution is too large for doubles")
    both = magnitude_product(np.abs(inverse), np.stack([right_radius, uncertainty], axis=1))
    right_spread, error = both[:, 0], raised(both[:, 1] + error, 1)

    def times(matrix: Floats, vector: Floats) -> Floats:
        return magnitude_product(matrix, vector[:, None])[:, 0]

    known = raised(np.abs(correction) + error + times(found.spread, np.abs(start)) + right_spread, 4)
    distance = raised(raised(np.asarray(np.max(known / v)), 2) * w, 2)
    for _ in range(2):
        again = raised(known + times(found.spread, distance) + times(found.rounding, distance), 3)
        distance = np.minimum(distance, again)
    g = raised(right_spread + error + times(found.rounding, distance), 3)
    about = np.abs(start + correction)
    about = raised(about, 2)
    m = _inverse(found.spread, w, v)
    d = m.upper(raised(times(found.spread, about) + g, 2))
    lower, upper = _hull(start, correction, d, m.diagonal())
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        return EnclosedSolutions.unknown(columns, "the numbers are too large")
    if rows > columns:
        size = np.maximum(np.abs(rest), TINY)
        weights = rest / size.max()
        p, q = np.maximum(weights, 0.0)[None, :], np.maximum(-weights, 0.0)[None, :]
        nothing = np.zeros((2, columns))
        if (least_values(system, lower, upper, nothing, np.vstack([p, q]), np.vstack([q, p])) > 0.0).any():
            return EnclosedSolutions.empty(
                columns,
                "the rows, weighted with the residual of the middle system, contradict each other in the box of "
                "all solutions",
            )
        return EnclosedSolutions(
            lower,
            upper,
            LinearVerdict.BOUNDED,
            "a left inverse makes the matrix strictly diagonally dominant, after scaling",
        )
    return EnclosedSolutions(lower, upper, LinearVerdict.BOUNDED, _REGULAR)


def enclose(system: IntervalSystem) -> EnclosedSolutions:
    """The hull of the preconditioned system, for at least as many equations as unknowns."""
    require_nearest()
    rows, columns = system.shape
    if rows == columns <= _SMALL:
        found = enclose_small(system.lower, system.upper, system.right_lower, system.right_upper)
        if found is not None:
            return EnclosedSolutions(*found, LinearVerdict.BOUNDED, _REGULAR)
    scaled = system.scaled()
    with np.errstate(all="ignore"):
        return scaled.original(_scaled_enclosure(scaled.system))
