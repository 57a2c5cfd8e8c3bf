"""The sets of `benchmarks/sets.py` paved by Codac's separators, in a process of its own (importing it leaves the
process rounding upwards).

codac_sets.py DATA.json prints for every case the seconds (the best of three), the inner and the boundary boxes and
their areas.
"""

import json
import math
import sys
import time
from typing import Any

from codac import (
    AnalyticFunction,
    Interval,
    IntervalVector,
    PavingInOut,
    SepInverse,
    SepProj,
    SepQInter,
    VectorVar,
    pave,
    sqr,
)

data = json.load(open(sys.argv[1]))


def ring(place: Any, least: float, most: float) -> Any:
    x = VectorVar(2)
    return SepInverse(AnalyticFunction([x], sqr(x[0] - place[0]) + sqr(x[1] - place[1])), Interval(least, most))


def disc_with_a_parameter() -> Any:
    x = VectorVar(3)
    return SepInverse(AnalyticFunction([x], sqr(x[0] - x[2]) + sqr(x[1])), Interval(-math.inf, 1.0))


def separator(case: Any) -> Any:
    if case["kind"] == "q-intersection":
        return SepQInter(case["outliers"], *[ring(*r) for r in case["rings"]])
    if case["kind"] == "union":
        first, second = (ring(*r) for r in case["rings"])
        return first | second
    parameter, width = IntervalVector([case["parameter"]]), case["parameter_width"]
    if case["kind"] == "for some":
        return SepProj(disc_with_a_parameter(), [0, 1], parameter, width)
    return ~SepProj(~disc_with_a_parameter(), [0, 1], parameter, width)  # for all p: not for some p not


def area(boxes: Any) -> float:
    return math.fsum((b[0].ub() - b[0].lb()) * (b[1].ub() - b[1].lb()) for b in boxes)


answer = {}
for name, case in data.items():
    best, domain = math.inf, IntervalVector([case["domain"]] * 2)
    made = separator(case)
    for _ in range(3):
        began = time.perf_counter()
        paving = pave(domain, made, case["width"])
        best = min(best, time.perf_counter() - began)
    inner, bound = paving.boxes(PavingInOut.inner), paving.boxes(PavingInOut.bound)
    inside = area(inner)
    answer[name] = {
        "seconds": best,
        "inner": len(inner),
        "boundary": len(bound),
        "area": [inside, inside + area(bound)],
    }
print(json.dumps(answer))
