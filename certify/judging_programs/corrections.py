"""Near floats that satisfy equations nearly there is a point that satisfies them exactly: how near, is proved.

    equations       M u = q, with residual rho = q - M u at the floats u
    weights         D, diagonal: powers of two, large where u may be moved far, 0 where not at all
    correction      u + D S' w  with  S = M D,  S S' w = rho
    R ~ (S S')^-1   if |I - R S S'| has row sums of at most beta < 1 then S S' is regular, and
                    |w| <= |R rho| / (1 - beta)   (largest components)

So exactly one such correction exists, and |D S'| times that bound is a radius around u within which a solution lies.
The products are those of the processor's library; gamma_k |A| |B| bounds their errors (`contractors/linear/products`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from certify.contractors.linear.enclosure import approximate_inverse
from certify.contractors.linear.products import TINY, UNIT, gamma, raised
from certify.contractors.numbers.rounding import require_nearest
from certify.problems.programs.exact_sums import Ends, Floats, spread

MOST = 4000  # equations: a dense inverse of so many is formed
SMALLEST = 2.0**-1000  # of an entry whose product with a power of two is exact
STEPS = 6  # in floats, towards a small residual


@dataclass(frozen=True, eq=False)
class Corrector:
    """D S', R, and beta."""

    back: sparse.csr_array
    inverse: Floats
    beta: float

    def step(self, residual: Floats) -> Floats:
        """The correction in floats."""
        return np.asarray(self.back @ (self.inverse @ residual))

    def radius(self, residual: Ends) -> Floats:
        """How far away the exact solution is at most, for each component."""
        size = np.maximum(np.abs(residual[0]), np.abs(residual[1]))
        terms = size.size
        reached = raised(np.abs(self.inverse) @ size, terms) if self.beta > 0.5 else self._applied(residual)
        most = float(reached.max(initial=0.0)) / (1.0 - self.beta) * (1.0 + 8.0 * UNIT)
        if not np.isfinite(most):
            return np.full(self.back.shape[0], np.inf)
        return spread(self.back, np.full(terms, most))

    def _applied(self, residual: Ends) -> Floats:
        """|R rho| with the errors of the product."""
        with np.errstate(invalid="ignore"):  # of no ends: then there is no bound either
            middle = 0.5 * residual[0] + 0.5 * residual[1]
        half = np.maximum(residual[1] - middle, middle - residual[0])
        half = raised(half * (1.0 + 4.0 * UNIT) + gamma(middle.size + 2) * np.abs(middle), 4) + TINY
        return raised(np.abs(self.inverse @ middle) + raised(np.abs(self.inverse) @ half, middle.size), 2)


def corrector(matrix: sparse.csr_array, weights: Floats) -> Corrector | None:
    """Of equations with this matrix; None where they depend on each other, or nearly."""
    require_nearest()
    count = matrix.shape[0]
    if not 0 < count <= MOST:
        return None
    powers = np.where(weights > 0.0, 2.0 ** np.round(np.log2(np.where(weights > 0.0, weights, 1.0))), 0.0)
    S = sparse.csr_array(matrix @ sparse.diags_array(powers)).tocsr()
    if not (np.isfinite(S.data) & ((np.abs(S.data) > SMALLEST) | (S.data == 0.0))).all():
        return None  # S is M D exactly, or nothing
    dense = S.toarray() if S.nnz > 0.05 * np.prod(S.shape) else S
    with np.errstate(over="ignore", invalid="ignore"):  # then there is no inverse
        product = dense @ dense.T
    normal = product.toarray() if sparse.issparse(product) else product
    inverse = approximate_inverse(normal)
    if inverse is None:
        return None
    beta = _defect(abs(S), normal, inverse)
    back = sparse.csr_array(sparse.diags_array(powers) @ S.T)
    return Corrector(back, inverse, beta) if beta < 0.9 else None


def _defect(size: sparse.csr_array, normal: Floats, inverse: Floats) -> float:
    """An upper bound of the row sums of |I - R S S'|: of the computed product, of its rounding, of that of S S'."""
    count, terms = len(normal), size.shape[1] + 2
    ones = np.ones(count)
    defect = inverse @ normal
    defect[np.diag_indices(count)] -= 1.0
    first = raised(np.abs(defect) @ ones, count)
    R = np.abs(inverse)
    rounding = raised(R @ raised(np.abs(normal) @ ones, count), count)
    inner = raised(R @ raised(size @ raised(np.asarray(size.T @ ones), terms), terms), count)
    # R (S S') = R N + R (S S' - N); entries of N err by gamma |S| |S'|, those of R N by gamma |R| |N|, and one rounding
    # of the subtraction by UNIT (|entry| + 1)
    total = first * (1.0 + 4 * UNIT) + gamma(count) * rounding + gamma(terms) * inner + 2 * UNIT + count * terms * TINY
    return float(total.max()) * (1.0 + 16.0 * UNIT)


def corrected(start: Floats, residual: Callable[[Floats], Ends], found: Corrector) -> tuple[Floats, Floats]:
    """Floats near the start with a small residual, and the radius around them that holds an exact solution."""
    best, ends = start, residual(start)
    for _ in range(STEPS):
        step = best + found.step(0.5 * ends[0] + 0.5 * ends[1])
        after = residual(step)
        if not np.abs(after[0]).max() < 0.5 * np.abs(ends[0]).max():
            break
        best, ends = step, after
    return best, found.radius(ends)
