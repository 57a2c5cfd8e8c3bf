"""HiGHS calls half of the minimum of a convex quadratic program optimal: its Hessian is singular.

found with highspy 1.15.1 by: certify fuzz highs
P = [[1, 1, 1], [1, 2, 0], [1, 0, 2]] = M' M with M = [[1, 1, 1], [0, 1, -1]], c = (-1, 0, -2), no rows
truth: -1, at (0, 0, 1): P x + c = (1 - 1, 0, 2 - 2) = 0; wrong by 1/2
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

free = [-inf] * 3, [inf] * 3
status, value = quadratic(3, ([0, 3, 4, 5], [0, 1, 2, 1, 2], [1.0, 1.0, 1.0, 2.0, 2.0]), [-1.0, 0.0, -2.0], *free)
print(f"HiGHS {highspy.Highs().version()}: {status}, {value}; the point (0, 0, 1) has the objective -1")
raise SystemExit(status == "Optimal" and value > -0.999)
