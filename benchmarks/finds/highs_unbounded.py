"""HiGHS calls a convex quadratic program unbounded whose objective is never below 0.

found with highspy 1.15.1 by: certify fuzz highs
minimise y^2 / 2 subject to x <= 2; truth: 0, at (0, 0)
"""

import highspy
import numpy as np


def quadratic(n, hessian, cost, low, high, rows=()):
    """HiGHS, asked to minimise x . P x / 2 + cost . x; hessian is the lower triangle of P by columns."""
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    h.setOptionValue("time_limit", 10.0)
    for j in range(n):
        h.addVar(low[j], high[j])
        h.changeColCost(j, cost[j])
    for lower, upper, index, value in rows:
        h.addRow(lower, upper, len(index), np.array(index, dtype=np.int32), np.array(value, dtype=float))
    P = highspy.HighsHessian()
    P.dim_, P.format_ = n, highspy.HessianFormat.kTriangular
    P.start_, P.index_ = (np.array(part, dtype=np.int32) for part in hessian[:2])
    P.value_ = np.array(hessian[2], dtype=float)
    h.passHessian(P)
    h.run()
    return h.modelStatusToString(h.getModelStatus()), h.getInfo().objective_function_value


inf = np.inf

free = [-inf] * 2, [inf] * 2
status, value = quadratic(2, ([0, 0, 1], [1], [1.0]), [0.0, 0.0], *free, [(-inf, 2.0, [0], [1.0])])
print(f"HiGHS {highspy.Highs().version()}: {status}; y^2 / 2 is not below 0")
raise SystemExit(status == "Unbounded")
