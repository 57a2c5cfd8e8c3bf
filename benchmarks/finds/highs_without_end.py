"""HiGHS does not end on a convex quadratic program of two unknowns (HiGHS#2489).

found with highspy 1.15.1 by: certify fuzz highs
minimise x^2 / 2 + x, -10 <= x, y <= 10, 0 x + 0 y <= 1; truth: -1/2, at x = -1
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

status, value = quadratic(2, ([0, 1, 1], [0], [1.0]), [1.0, 0.0], [-10.0, -10.0], [10.0, 10.0], [(-inf, 1.0, [], [])])
print(f"HiGHS {highspy.Highs().version()}: {status} after 10 s; (-1, 0) is the minimum, -1/2")
raise SystemExit(status != "Optimal")
