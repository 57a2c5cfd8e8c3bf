"""intvalpy's exp of an interval that reaches 710 is [inf, inf]: it loses every value.

found with intvalpy 2.0.3 by: certify fuzz intvalpy
exp([0, 1000]); truth: it contains exp(0) = 1; all of [1, oo) is lost
"""

import importlib.metadata

import intvalpy as ip

found = ip.exp(ip.Interval(0, 1000))
print(f"intvalpy {importlib.metadata.version('intvalpy')}: exp([0, 1000]) = [{found.a}, {found.b}]; exp(0) = 1")
raise SystemExit(found.a > 1.0)
