"""Weights on products of half-spaces whose sum gives the smallest ellipsoid that such weights can give.

    half-spaces       g_i(theta) >= 0: of each strip |y_k - d_k . theta| <= 1 both sides, and the number 1
    products          g_i g_j >= 0 on all strips; both sides of one strip give S3's own 1 - (y_k - d_k . theta)^2
    weights w >= 0    sum of w_ij g_i(theta) g_j(theta) >= 0 is an ellipsoid around all strips         (S-procedure)
    the smallest one  its dual is: maximise log det Z over moments Z = E (theta, 1) (theta, 1)^T with E g_i g_j >= 0;
                      w are the multipliers, and the ellipsoid is that of p times the covariance S
    narrowest torques minimise the mean of d^T M^-1 d over rows d, that is trace(F^T M^-1 F); its dual is: maximise the
                      trace of the root of F^T S F, that is trace(F^T Y) with Y Y^T <= S           (S3: "trace")
    between both      maximise share log det Z + (1 - share) 2 p log trace(F^T Y)                  (S3: "mixed")

Products are generated: few first, then those that Z violates most, looked for among all half-spaces, until there is
none. By cvxpy. With both sides of single strips alone the ellipsoid may be ten times as long; the smallest one around
the polytope itself is NP-hard to find. Weights are candidates: exact arithmetic tells what they prove.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from certify.problems.errors import InputError
from certify.solvers.linear_estimates.ellipsoid import Ellipsoid, solved, triangle
from certify.solvers.linear_estimates.weighted_squares import Floats

Indices = npt.NDArray[np.int64]

TINY = np.finfo(np.float64).tiny
ROUNDS, VIOLATED = 60, 1e-5  # of a product, as a correlation
GAIN, PATIENCE = 0.02, 5  # of log det M^-1 or as much: rounds that gain less altogether are the last
LEAST_SHARE = 0.03  # of the torques' size, for directions that they do not see
SMALLEST = 1e-9  # of the largest weight: smaller ones are left out
BLOCK = 4096  # half-spaces that are looked at at once
OF_EACH = 3  # new products with one half-space in a round
TRIES: tuple[tuple[str, dict[str, float]], ...] = (
    ("CLARABEL", {}),
    ("CLARABEL", {"max_step_fraction": 0.9}),
    ("SCS", {}),
)
NO_ROOM = "no parameters fit all rows within the bound, or hardly any (estimated); give a larger bound"


@dataclass(frozen=True, slots=True)
class ProductWeights:
    """Products by the numbers of their half-spaces, (products, 2): k and rows + k are y_k - d_k . theta <= 1 and >= -1,
    2 rows is the number 1. The weights are such that 1 - (theta - c)^T M (theta - c) is their sum.
    """

    pairs: Indices
    weights: Floats
    ellipsoid: Ellipsoid


def smallest_by_products(rows: Floats, y: Floats, narrow: Floats | None = None, mixed: float = 0.0) -> ProductWeights:
    """The smallest ellipsoid around all theta with |y_k - d_k . theta| <= 1: of the smallest volume, or with the
    narrowest d . theta over the rows d of `narrow`, or between both by the share `mixed` of the volume. Raises
    InputError where the strips leave a direction open, or hardly a point.
    """
    count, p = rows.shape
    sides = np.vstack([np.column_stack([rows, 1.0 - y]), np.column_stack([-rows, 1.0 + y]), np.eye(p + 1)[-1:]])
    moved = _ball(rows, y)
    pairs = _first(sides @ moved, count)
    factor = None if narrow is None else _factor(narrow, moved[:p, :p])
    sizes: list[float] = []
    found: ProductWeights | None = None
    for _ in range(ROUNDS):
        vectors = sides @ moved
        vectors /= np.linalg.norm(vectors, axis=1)[:, None]
        turned = None if factor is None else moved[:p, :p].T @ factor
        moments, multipliers, width = _program(vectors, pairs, turned, mixed)
        place = _place(moments)
        volume = 2.0 * float(np.linalg.slogdet(moved @ place)[1])
        sizes.append(volume if narrow is None else mixed * volume + (1.0 - mixed) * width)
        kept = multipliers > SMALLEST * multipliers.max()
        found = _scaled(sides @ moved, moved, pairs[kept], multipliers[kept], vectors) or found
        more = _violated(vectors, moments, pairs)
        if not len(more) or (len(sizes) > PATIENCE and sizes[-PATIENCE - 1] - sizes[-1] < GAIN):
            break
        pairs, moved = np.concatenate([pairs[kept], more]), moved @ place
    if found is None:
        raise InputError(NO_ROOM)
    return found


def _ball(rows: Floats, y: Floats) -> Floats:
    """Coordinates (theta, 1) = A (eta, 1) in which all strips together, with equal weights, leave the unit ball."""
    p = rows.shape[1]
    upper = triangle(np.vstack([np.column_stack([rows, y]), np.zeros((p + 1, p + 1))]))
    size = np.linalg.norm(upper[:p, :p], axis=0)
    room = len(y) - upper[p, p] ** 2
    if not size.all() or not (np.abs(np.diag(upper[:p, :p])) > 1e-12 * size).all():
        raise InputError("the rows leave a direction of the parameters open; give a box, or more rows")
    if not room > 0:
        raise InputError(NO_ROOM)
    found = np.eye(p + 1)
    found[:p, :p] = solved(upper[:p, :p], np.eye(p)) * np.sqrt(room)
    found[:p, p] = solved(upper[:p, :p], upper[:p, p])
    return found


def _factor(narrow: Floats, ball: Floats) -> Floats:
    """F with F F^T the mean of d d^T, and a small share of all directions, or the ellipsoid would be open in some."""
    p = len(ball)
    size = float(np.linalg.norm(narrow @ ball)) / np.sqrt(len(narrow))
    others = LEAST_SHARE * size * solved(ball, np.eye(p))
    return triangle(np.vstack([narrow / np.sqrt(len(narrow)), others])).T


def _first(vectors: Floats, count: int) -> Indices:
    """As many strips as parameters, as independent as can be: a box of any shape."""
    from scipy.linalg import qr

    _, _, order = qr(vectors[:count, :-1].T, mode="economic", pivoting=True)
    chosen = np.asarray(order[: vectors.shape[1] - 1], dtype=np.int64)
    return np.stack([chosen, chosen + count], axis=1)


def _program(vectors: Floats, pairs: Indices, factor: Floats | None, mixed: float) -> tuple[Floats, Floats, float]:
    """The moments Z, the multipliers of the products that are looked at, and p times the log of the mean d^T M^-1 d."""
    try:
        import cvxpy
    except ImportError as error:
        raise InputError("this needs cvxpy, which is not installed; 'pip install cvxpy' gets it") from error
    size = vectors.shape[1]
    moments = cvxpy.Variable((size, size), symmetric=True)
    outer = vectors[pairs[:, 0], :, None] * vectors[pairs[:, 1], None, :]
    outer = (outer + outer.transpose(0, 2, 1)).reshape(len(pairs), -1) / 2.0
    products = outer @ cvxpy.vec(moments, order="C") >= 0.0
    limits, goal = [products, moments[size - 1, size - 1] == 1.0], cvxpy.log_det(moments)
    reach = cvxpy.Constant(1.0)
    if factor is not None:
        scale = float(np.linalg.norm(factor))
        root = cvxpy.Variable((size - 1, factor.shape[1]))
        beside = cvxpy.vstack([root, np.zeros((1, factor.shape[1]))])
        limits.append(cvxpy.bmat([[moments, beside], [beside.T, np.eye(factor.shape[1])]]) >> 0)
        reach = cvxpy.trace((factor / scale).T @ root)
        goal = mixed * goal + (1.0 - mixed) * 2.0 * (size - 1) * cvxpy.log(reach) if mixed else reach
    program = cvxpy.Problem(cvxpy.Maximize(goal), limits)
    for solver, options in TRIES:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # inaccurate solutions are candidates, too
                program.solve(solver=solver, **options)
            break
        except cvxpy.error.SolverError:  # it gave up: another step length or another solver may do
            continue
    if moments.value is None or products.dual_value is None:
        raise InputError(NO_ROOM)
    width = 0.0 if factor is None else 2.0 * (size - 1) * float(np.log(max(float(reach.value) * scale, TINY)))
    return np.asarray(moments.value, dtype=np.float64), np.maximum(np.asarray(products.dual_value), 0.0), width


def _place(moments: Floats) -> Floats:
    """Coordinates in which the mean is 0 and the covariance 1."""
    p = len(moments) - 1
    found = np.eye(p + 1)
    found[:p, p] = moments[:p, p]
    try:
        found[:p, :p] = np.linalg.cholesky(moments[:p, :p] - np.outer(moments[:p, p], moments[:p, p]))
    except np.linalg.LinAlgError as error:
        raise InputError(NO_ROOM) from error
    return found


def _violated(vectors: Floats, moments: Floats, pairs: Indices) -> Indices:
    """The products whose expectation is most negative, of a half-space that is in use or cuts deepest with any other,
    and of both sides of each strip.
    """
    count, p = len(vectors) // 2, vectors.shape[1] - 1
    size = np.sqrt(np.maximum(((vectors @ moments) * vectors).sum(axis=1), TINY))
    scaled = vectors / size[:, None]
    deepest = np.argsort(scaled @ moments[:, p])[: 2 * p]
    tried = np.unique(np.concatenate([pairs.ravel(), deepest, [2 * count]]))
    most = OF_EACH * p
    strips = np.arange(count)
    own = ((scaled[:count] @ moments) * scaled[count : 2 * count]).sum(axis=1)
    firsts, seconds, values = [strips], [strips + count], [own]
    for start in range(0, len(scaled), BLOCK):
        expected = (scaled[tried] @ moments) @ scaled[start : start + BLOCK].T
        expected[tried[:, None] == np.arange(start, start + expected.shape[1])] = 0.0
        order = np.argpartition(expected.ravel(), min(10 * most, expected.size - 1))[: 10 * most]
        firsts.append(tried[order // expected.shape[1]])
        seconds.append(start + order % expected.shape[1])
        values.append(expected.ravel()[order])
    candidates = np.sort(np.stack([np.concatenate(firsts), np.concatenate(seconds)], axis=1), axis=1)
    return _most_negative(candidates, np.concatenate(values), pairs, most)


def _most_negative(candidates: Indices, values: Floats, pairs: Indices, most: int) -> Indices:
    """New ones of the candidates, the most negative first, not too many with one half-space."""
    known = {(min(i, j), max(i, j)) for i, j in pairs.tolist()}
    often: dict[int, int] = {}
    found: list[tuple[int, int]] = []
    for place in np.argsort(values)[: 60 * most].tolist():
        i, j = candidates[place].tolist()
        if values[place] > -VIOLATED or len(found) == most:
            break
        if (i, j) not in known and often.get(j, 0) < OF_EACH:
            known.add((i, j))
            often[j] = often.get(j, 0) + 1
            found.append((i, j))
    return np.array(found, dtype=np.int64).reshape(-1, 2)


def _scaled(
    sides: Floats, moved: Floats, pairs: Indices, multipliers: Floats, vectors: Floats
) -> ProductWeights | None:
    """The ellipsoid of the weighted sum, in the coordinates of the last round and then in those of theta; nothing if it
    is none.
    """
    p = vectors.shape[1] - 1
    left, right = vectors[pairs[:, 0]], vectors[pairs[:, 1]]
    total = -(left * multipliers[:, None]).T @ right
    total = (total + total.T) / 2.0
    try:
        upper = np.asarray(np.linalg.cholesky(total[:p, :p]).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    centre = -solved(total[:p, :p], total[:p, p])
    room = float(-total[p, p] - total[:p, p] @ centre)
    if not room > 0:
        return None
    lengths = np.linalg.norm(sides, axis=1)
    weights = multipliers / (lengths[pairs[:, 0]] * lengths[pairs[:, 1]] * room)
    root = triangle(solved(moved[:p, :p].T, upper.T).T / np.sqrt(room))
    return ProductWeights(pairs, weights, Ellipsoid(moved[:p, :p] @ centre + moved[:p, p], root))
