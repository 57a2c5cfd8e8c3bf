"""How well a set of poses determines the parameters: indices of the singular values s_1 >= ... >= s_n of the
identification Jacobian (K, n).

    product            s_1 s_2 ... s_n                                    (in S2's footnote 2, as the next two)
    condition          s_1 / s_n
    smallest           s_n
    noise_amplification s_n^2 / s_1                                       Nahvi and Hollerbach 1996
    root_mean          (s_1 ... s_n)^(1/n) / sqrt(K)                      Borm and Menq 1991: does not grow with K

All but the condition number are the better the larger they are. Only sets for the same robot in the same frames and
units can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.solvers.fits.levenberg_marquardt import Floats


@dataclass(frozen=True, slots=True)
class Observability:
    """The indices of one Jacobian, estimated in floats."""

    product: float
    condition: float
    smallest: float
    noise_amplification: float
    root_mean: float


def observability(slopes: Floats) -> Observability:
    """The indices of a Jacobian (K, n); with fewer rows than columns something is not determined, and its singular
    value is 0.
    """
    rows, columns = slopes.shape
    values = np.zeros(columns)
    found = np.linalg.svd(slopes, compute_uv=False)
    values[: found.size] = found
    largest, smallest = float(values[0]), float(values[-1])
    with np.errstate(over="ignore"):  # of many large values it is infinite
        product = float(np.prod(values))
    if smallest == 0.0:
        return Observability(product, float("inf"), smallest, 0.0, 0.0)
    mean = float(np.exp(np.log(values).mean()) / np.sqrt(rows))
    return Observability(product, largest / smallest, smallest, smallest**2 / largest, mean)
