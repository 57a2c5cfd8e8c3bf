"""HiGHS gives no answer to klein3 of Netlib's infeasible linear programs, which is infeasible by more than 31.

python highs_klein3.py FOLDER          # with klein3.npz: c, A_ub, b_ub, A_eq, b_eq, bounds (empty: x >= 0)

found with highspy 1.15.1 by: python -m benchmarks netlib FOLDER
truth: rows and bounds must be relaxed by 31.69549197922934 for a point to be feasible, and by no more than
31.69549197922935 (a certificate of 88 weighted rows, which certify writes and checks)
"""

import sys

import highspy
import numpy as np

data = np.load(f"{sys.argv[1]}/klein3.npz") if len(sys.argv) > 1 else None
if data is None:
    print("give the folder with klein3.npz")
    raise SystemExit(2)
A, b = data["A_ub"], data["b_ub"].ravel()
h = highspy.Highs()
h.setOptionValue("output_flag", False)
for j in range(A.shape[1]):
    h.addVar(0.0, np.inf)
    h.changeColCost(j, float(data["c"][j]))
for row, end in zip(A, b, strict=True):
    index = np.flatnonzero(row).astype(np.int32)
    h.addRow(-np.inf, float(end), index.size, index, row[index])
h.run()
status = h.modelStatusToString(h.getModelStatus())
print(f"HiGHS {h.version()}: {status}; it is infeasible by 31.69")
raise SystemExit(status != "Infeasible")
