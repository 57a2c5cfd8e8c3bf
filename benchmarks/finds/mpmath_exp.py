"""mpmath.iv.exp loses the value at the only point of its interval (mpmath#1181).

found with mpmath 1.4.1 by: certify fuzz mpmath-iv
x = 2^-44; truth: exp(x) > 1 + x + x^2 / 2, above the upper end 1 + x by more than 2^-89
"""

import importlib.metadata
from fractions import Fraction

from mpmath import iv

x = 2.0**-44
sign, mantissa, exponent, _ = iv.exp(iv.mpf([x, x]))._mpi_[1]
upper = (-1) ** sign * int(mantissa) * Fraction(2) ** int(exponent)
below = 1 + Fraction(x) + Fraction(x) ** 2 / 2  # of exp(x), x > 0
print(f"mpmath {importlib.metadata.version('mpmath')}: exp({x!r}) has the upper end {float(upper)!r}")
print(f"exp(x) is above it by at least {float(below - upper):g}")
raise SystemExit(upper < below)
