"""S2's script with pyibex's contractors, in an interpreter of its own: pyibex_calibration.py DATA.json.

The measurements are interval constants of each row; all rows are propagated (HC4) to a fixed point. pyibex has no
linear programs.
"""

import json
import sys
from typing import Any

import paper_script
from pyibex import CtcCompo, CtcFixPoint, CtcFwdBwd, Function, Interval, IntervalVector

NAMES = ("a1", "a2", "a3", "b1", "b2", "b3", "l")


def text(ends: Any) -> str:
    return "[%.17g,%.17g]" % tuple(ends)


class Pyibex:
    def __init__(self, rows: Any) -> None:
        self.functions = []
        for position, rotation, length in rows:
            squares = [
                "(%s+%s*b1+%s*b2+%s*b3-a%d)^2"
                % (text(position[i]), text(rotation[i][0]), text(rotation[i][1]), text(rotation[i][2]), i + 1)
                for i in range(3)
            ]
            self.functions.append(Function(*NAMES, "sqrt(" + "+".join(squares) + ")-(" + text(length) + "+l)"))
        self.made: Any = (None, None)

    def contract(self, box: Any, epsilon: float) -> Any:
        if self.made[0] != epsilon:
            rows = [CtcFwdBwd(function, Interval(-epsilon, epsilon)) for function in self.functions]
            self.made = (epsilon, (rows, CtcFixPoint(CtcCompo(rows), 0.05)))
        vector = IntervalVector(box)
        self.made[1][1].contract(vector)
        return None if vector.is_empty() else [[vector[k].lb(), vector[k].ub()] for k in range(7)]

    def error(self, point: Any) -> float:
        vector = IntervalVector([[x, x] for x in point])
        values = [function.eval(vector) for function in self.functions]
        return max(max(value.lb(), -value.ub()) for value in values)


print(json.dumps(paper_script.run(Pyibex, json.load(open(sys.argv[1])))))
