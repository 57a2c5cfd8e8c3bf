"""Interval linear systems by certify, in a process of its own like every peer: linear_certify.py FOLDER; ends as raw
doubles.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.linear_system import interval_system

folder = Path(sys.argv[1])
data = json.loads((folder / "data.json").read_text())
enclose(interval_system(np.eye(3), np.eye(3) * 1.5, np.ones(3), np.ones(3)))  # compilation is not counted
answers = []
for entry in data["systems"]:
    n = entry["size"]
    ends = np.fromfile(folder / (entry["name"] + ".raw"), dtype="<f8").reshape(2 * n + 2, n).T
    best = float("inf")
    for _ in range(data["repeat"]):
        began = time.perf_counter()
        answer = enclose(interval_system(ends[:, :n], ends[:, n : 2 * n], ends[:, 2 * n], ends[:, 2 * n + 1]))
        best = min(best, time.perf_counter() - began)
    np.stack([answer.lower, answer.upper]).astype("<f8").tofile(folder / (entry["name"] + ".certify"))
    entry = {"name": entry["name"], "seconds": best}
    answers.append(entry if np.isfinite(answer.lower).all() else dict(entry, failed=answer.proof))
print(json.dumps(answers))
