"""Constructive interval disjunction (CID): cut a variable's interval into slices, narrow each, keep the hull of what
remains.

Slices at the ends that die are 3B shaving; what all slices lose in the other variables is lost for good. The slices
of all boxes are one batch for hull consistency. *Keeps* every solution. Reference: Trombettoni, Chabert (2007).
"""

from __future__ import annotations

import numpy as np

from contractors.equations import Equations
from contractors.evaluation import Flags, Floats
from contractors.hull_consistency import hull_consistency

SLICES = 4


def disjunction(equations: Equations, lower: Floats, upper: Floats, variables: list[int]) -> tuple[Floats, Floats, Flags]:
    """Narrow a batch of boxes by slicing the given variables one after the other; the third answer marks boxes without solution.

    A variable that is unbounded in some box is left alone.
    """
    low, high = lower.copy(), upper.copy()
    empty = np.zeros(lower.shape[1], dtype=np.bool_)
    batch = lower.shape[1]
    for v in variables:
        if not (np.isfinite(low[v]).all() and np.isfinite(high[v]).all()):
            continue
        ends = np.linspace(low[v], high[v], SLICES + 1)
        ends[0], ends[-1] = low[v], high[v]
        a, b = np.repeat(low, SLICES, axis=1), np.repeat(high, SLICES, axis=1)
        a[v], b[v] = ends[:-1].T.ravel(), ends[1:].T.ravel()
        a, b, dead = hull_consistency(equations, a, b, sweeps=2)
        a[:, dead], b[:, dead] = np.inf, -np.inf
        a, b = a.reshape(-1, batch, SLICES).min(axis=2), b.reshape(-1, batch, SLICES).max(axis=2)
        gone = (a > b).any(axis=0)
        empty |= gone
        low[:, ~gone], high[:, ~gone] = np.maximum(low, a)[:, ~gone], np.minimum(high, b)[:, ~gone]
    return low, high, empty
