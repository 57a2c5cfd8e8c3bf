"""S2's script with Codac's contractors, in an interpreter of its own: codac_calibration.py DATA.json.

The measurements are interval constants of each row; CtcInverse contracts by HC4 and by the centred form, the rows in
turn while that gains.
"""

import json
import sys
from typing import Any

import paper_script
from codac import AnalyticFunction, CtcInverse, Interval, IntervalVector, VectorVar, sqr, sqrt

LEAST_GAIN = 0.05  # of the largest width: else the rows are not run again


class Codac:
    def __init__(self, rows: Any) -> None:
        self.functions = []
        for position, rotation, length in rows:
            x = VectorVar(7)
            p, r = [Interval(*ends) for ends in position], [[Interval(*ends) for ends in row] for row in rotation]
            squares = [sqr(p[i] + r[i][0] * x[3] + r[i][1] * x[4] + r[i][2] * x[5] - x[i]) for i in range(3)]
            self.functions.append(
                AnalyticFunction([x], sqrt(squares[0] + squares[1] + squares[2]) - (Interval(*length) + x[6]))
            )
        self.made: Any = (None, [])

    def contract(self, box: Any, epsilon: float) -> Any:
        if self.made[0] != epsilon:
            self.made = (epsilon, [CtcInverse(function, Interval(-epsilon, epsilon)) for function in self.functions])
        vector = IntervalVector(box)
        while True:
            before = vector.max_diam()
            for contractor in self.made[1]:
                vector = contractor.contract(vector) or vector
                if vector.is_empty():
                    return None
            if vector.max_diam() > (1.0 - LEAST_GAIN) * before:
                return [[vector[k].lb(), vector[k].ub()] for k in range(7)]

    def error(self, point: Any) -> float:
        vector = IntervalVector([[x, x] for x in point])
        values = [function.eval(vector) for function in self.functions]
        return max(max(value.lb(), -value.ub()) for value in values)


print(json.dumps(paper_script.run(Codac, json.load(open(sys.argv[1])))))
