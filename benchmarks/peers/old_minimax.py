"""The float minimax of the six shipped legs by the engine of commit ac22347, by its own interpreter: old_minimax.py.

Prints the least processor time of eight rounds, and the smallest largest errors that were found.
"""

import json
import time
from importlib import import_module

import numpy as np
from certify.adequacy import Options
from certify.calibration import fitted
from certify.emission import Proving
from certify.part_search import PartSearch, independent_parts
from certify.warm_up import warm_up
from certify.witnesses import minimise, scope_variables

experiment_file, data = (import_module(f"problems.{name}") for name in ("experiment_file", "shipped"))  # its own rooms
experiment = experiment_file.load_experiment(data.shipped("table_of_stewart"))
estimate = fitted(experiment)
problem = experiment.problem(estimate)
start = np.array([float(value) for value in estimate])
warm_up(lambda message: None)
proving, times, found = Proving(problem), [], []
parts = [PartSearch(proving, scope, Options(), start) for _, scope in independent_parts(problem)]
for _ in range(8):
    began = time.process_time()
    found = [
        minimise(p.problem.blocks, p.scope, scope_variables(p.problem, p.scope), p.box, start, p._trust).epsilon
        for p in parts
    ]
    times.append(time.process_time() - began)
print(json.dumps({"processor_seconds": min(times), "epsilon": found}))
