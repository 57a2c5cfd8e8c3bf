"""Interval linear systems by intvalpy's Hansen-Bliek-Rohn procedure, in an interpreter of its own: linear_intvalpy.py
FOLDER; ends as raw doubles.
"""

import json
import sys
import time
from pathlib import Path

import intvalpy as ip
import numpy as np

folder = Path(sys.argv[1])
data = json.loads((folder / "data.json").read_text())
answers = []
for entry in data["systems"]:
    n = entry["size"]
    ends = np.fromfile(folder / (entry["name"] + ".raw"), dtype="<f8").reshape(2 * n + 2, n).T
    matrix = ip.Interval(ends[:, :n].copy(), ends[:, n : 2 * n].copy())
    right = ip.Interval(ends[:, 2 * n].copy(), ends[:, 2 * n + 1].copy())
    began = time.perf_counter()
    try:
        x = ip.linear.HBR(matrix, right)
        seconds = time.perf_counter() - began
        found = np.stack([np.array(x.a, dtype=float), np.array(x.b, dtype=float)])
        if found.shape != (2, n):
            raise ValueError("no interval vector")
    except Exception as problem:
        answers.append({"name": entry["name"], "failed": str(problem) or type(problem).__name__})
        continue
    found.astype("<f8").tofile(folder / (entry["name"] + ".intvalpy"))
    answers.append({"name": entry["name"], "seconds": seconds})
print(json.dumps(answers))
