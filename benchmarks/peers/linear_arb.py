"""Interval linear systems by Arb's preconditioned solver (python-flint), in a process of its own: linear_arb.py FOLDER;
ends as raw doubles.
"""

import json
import struct
import sys
import time
from pathlib import Path

from flint import arb, arb_mat, ctx

folder = Path(sys.argv[1])
data = json.loads((folder / "data.json").read_text())
ctx.prec = data["arb_bits"]
answers = []
for entry in data["systems"]:
    n = entry["size"]
    raw = (folder / (entry["name"] + ".raw")).read_bytes()
    ends = struct.unpack("<%dd" % (len(raw) // 8), raw)  # column after column
    lower, upper, right = ends[: n * n], ends[n * n : 2 * n * n], ends[2 * n * n :]
    matrix = arb_mat(n, n, [arb(lower[j * n + i]).union(arb(upper[j * n + i])) for i in range(n) for j in range(n)])
    column = arb_mat(n, 1, [arb(right[i]).union(arb(right[n + i])) for i in range(n)])
    best = float("inf")
    try:
        for _ in range(data["repeat"]):
            began = time.perf_counter()
            x = matrix.solve(column, algorithm="precond")
            best = min(best, time.perf_counter() - began)
    except (ZeroDivisionError, ValueError) as problem:
        answers.append({"name": entry["name"], "failed": str(problem)})
        continue
    radii = [x[i, 0].rad() for i in range(n)]
    found = [float(x[i, 0].lower()) for i in range(n)] + [float(x[i, 0].upper()) for i in range(n)]
    (folder / (entry["name"] + ".arb")).write_bytes(struct.pack("<%dd" % (2 * n), *found))
    answers.append({"name": entry["name"], "seconds": best, "finite": all(radius.is_finite() for radius in radii)})
print(json.dumps(answers))
