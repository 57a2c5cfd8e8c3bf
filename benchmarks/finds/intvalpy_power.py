"""intvalpy's powers are not rounded outwards: the square of a number is above its upper end.

found with intvalpy 2.0.3 by: certify fuzz intvalpy
x = 64 + 2^-44; truth: x^2 = 4096 + 2^-37 + 2^-88, above the upper end by 2^-88
"""

import importlib.metadata
from fractions import Fraction

import intvalpy as ip

x = 64 + 2.0**-44
found = ip.Interval(x, x) ** 2
exact = Fraction(x) ** 2
print(f"intvalpy {importlib.metadata.version('intvalpy')}: [{x!r}]^2 = [{found.a!r}, {found.b!r}]")
print(f"the exact square is above the upper end by {float(exact - Fraction(found.b)):g}")
raise SystemExit(not Fraction(found.a) <= exact <= Fraction(found.b))
