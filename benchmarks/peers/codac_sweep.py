"""Forward-backward contractions by Codac, in a process of its own (importing it leaves the process rounding upwards):
codac_sweep.py DATA.json.
"""

import json
import sys
import time

from codac import AnalyticFunction, CtcInverse, Interval, IntervalVector, VectorVar, sqr, sqrt

data = json.load(open(sys.argv[1]))
contractors = []
for position, rotation, length in data["rows"]:
    x = VectorVar(7)
    squares = [
        sqr(p + r[0] * x[3] + r[1] * x[4] + r[2] * x[5] - x[i]) for i, (p, r) in enumerate(zip(position, rotation))
    ]
    row = AnalyticFunction([x], sqrt(squares[0] + squares[1] + squares[2]) - (length + x[6]))
    contractors.append(CtcInverse(row, Interval(-data["epsilon"], data["epsilon"])))
answer = {}
for radius, centres in data["boxes"].items():
    ends = [[[c - float(radius), c + float(radius)] for c in centre] for centre in centres]
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < 1.0:
        for box in ends:
            vector = IntervalVector(box)
            for contractor in contractors:
                vector = contractor.contract(vector) or vector
        count += len(ends) * len(contractors)
    answer[radius] = {"contractions": count / (time.perf_counter() - began)}
print(json.dumps(answer))
