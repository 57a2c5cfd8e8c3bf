"""mpmath.iv.log loses the value at the upper end of its interval.

found with mpmath 1.4.1 by: certify fuzz mpmath-iv
x = 1 + 2^-50; truth: log(x) > t - t^2 / 2 with t = 2^-50, above the upper end by at least 2.3e-46
"""

import importlib.metadata
from fractions import Fraction

from mpmath import iv

t = Fraction(1, 2**50)
x = float(1 + t)
sign, mantissa, exponent, _ = iv.log(iv.mpf([1.0, x]))._mpi_[1]
upper = (-1) ** sign * int(mantissa) * Fraction(2) ** int(exponent)
below = t - t**2 / 2 + t**3 / 3 - t**4 / 4  # of log(1 + t), 0 < t < 1
print(f"mpmath {importlib.metadata.version('mpmath')}: log({x!r}) has the upper end {float(upper)!r}")
print(f"log(x) is above it by at least {float(below - upper):g}")
raise SystemExit(upper < below)
