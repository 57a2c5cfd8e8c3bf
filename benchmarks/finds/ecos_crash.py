"""ECOS crashes on a cone whose rows have no unknown: a point of the cone, so that every x is a minimum.

found with ecos 2.0.14 by: certify fuzz cvxpy-ecos
minimise 0 subject to (5, 3, 4) - 0 x in the second-order cone; truth: |(3, 4)| = 5 <= 5: feasible, minimum 0
"""

import importlib.metadata
import subprocess
import sys

CALL = """
import ecos, numpy, scipy.sparse
G = scipy.sparse.csc_matrix((3, 1))
ecos.solve(numpy.array([0.0]), G, numpy.array([5.0, 3.0, 4.0]), {"l": 0, "q": [3], "e": 0}, verbose=False)
"""
codes = [subprocess.run([sys.executable, "-c", CALL], capture_output=True, check=False).returncode for _ in range(10)]
crashed = sum(code < 0 for code in codes)
print(f"ecos {importlib.metadata.version('ecos')}: {crashed} of 10 processes ended by a signal; it is feasible")
raise SystemExit(crashed > 0)
