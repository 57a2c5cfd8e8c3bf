"""Residuals of linear rows and their products with the columns, in pairs of doubles.

For row k  rho_k = y_k - sum_j a_kj b_j  with b = b' + b'' a pair: products are exact (Dekker), sums are compensated
(Ogita, Rump, Oishi 2005, Dot2): the result differs from the exact one by at most u |rho_k| + g^2 (|y_k| + sum |a_kj|
|b'_j|), g = 2 m u, m the number of terms, u = 2^-53, which `sizes` bounds. g_j = sum_k a_kj rho_k with the rounded rho
is a compensated sum, too: it errs by at most u |g_j| + (2 n u)^2 sum_k |a_kj| |rho_k|.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from certify.contractors.numbers.double_double import two_product, two_sum


@njit(cache=True, error_model="numpy", nogil=True)
def residual_products(
    matrix: np.ndarray, right: np.ndarray, high: np.ndarray, low: np.ndarray, residual: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """Fill `residual`; g_j as high and low parts, sum_k |a_kj| |rho_k|, and the greatest |y_k| + sum |a_kj| |b'_j|."""
    rows, size = matrix.shape
    total, lost, sizes = np.zeros(size), np.zeros(size), np.zeros(size)
    greatest = 0.0
    for k in range(rows):
        s, c, most = right[k], 0.0, abs(right[k])
        for j in range(size):
            p, e = two_product(matrix[k, j], high[j])
            s, f = two_sum(s, -p)
            c += f - e - matrix[k, j] * low[j]
            most += abs(p)
        rho = s + c
        residual[k] = rho
        greatest = max(greatest, most)
        for j in range(size):
            p, e = two_product(matrix[k, j], rho)
            total[j], f = two_sum(total[j], p)
            lost[j] += f + e
            sizes[j] += abs(p)
    return total, lost, sizes, greatest
