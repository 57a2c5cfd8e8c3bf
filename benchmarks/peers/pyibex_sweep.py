"""Forward-backward sweeps by pyibex, in an interpreter of its own (it has wheels for Python 3.6 to 3.9 only):
pyibex_sweep.py DATA.json.
"""

import json
import sys
import time

from pyibex import CtcCompo, CtcFwdBwd, Function, Interval, IntervalVector

data = json.load(open(sys.argv[1]))
functions = []
for position, rotation, length in data["rows"]:
    squares = [
        "(%.17g%+.17g*b1%+.17g*b2%+.17g*b3-a%d)^2" % (p, *r, i + 1) for i, (p, r) in enumerate(zip(position, rotation))
    ]
    functions.append(
        Function("a1", "a2", "a3", "b1", "b2", "b3", "l", "sqrt(" + "+".join(squares) + ")-(%.17g+l)" % length)
    )
allowed = Interval(-data["epsilon"], data["epsilon"])
sweep = CtcCompo([CtcFwdBwd(function, allowed) for function in functions])
answer = {}
for radius, centres in data["boxes"].items():
    ends = [[[c - float(radius), c + float(radius)] for c in centre] for centre in centres]
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < 1.0:
        for box in ends:
            sweep.contract(IntervalVector(box))
        count += len(ends) * len(functions)
    contractions = count / (time.perf_counter() - began)
    boxes = [IntervalVector(box) for box in ends]
    count, began = 0, time.perf_counter()
    while time.perf_counter() - began < 1.0:
        for box in boxes:
            for function in functions:
                function.eval(box)
        count += len(boxes) * len(functions)
    answer[radius] = {"contractions": contractions, "forward": count / (time.perf_counter() - began)}
print(json.dumps(answer))
