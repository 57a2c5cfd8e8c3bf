"""intvalpy cannot square an interval that ends at a number next to nothing.

found with intvalpy 2.0.3 by: certify fuzz intvalpy
[-5, -2^-1030]^2; truth: it is within [0, 25]; an OverflowError
"""

import importlib.metadata

import intvalpy as ip

version = importlib.metadata.version("intvalpy")
try:
    found = ip.Interval(-5.0, -(2.0**-1030)) ** 2
except OverflowError as error:
    print(f"intvalpy {version}: [-5, -2^-1030]^2: OverflowError: {error}; it is within [0, 25]")
    raise SystemExit(1) from error
print(f"intvalpy {version}: [{found.a}, {found.b}]")
