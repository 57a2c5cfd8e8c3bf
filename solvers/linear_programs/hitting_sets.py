"""The fewest rows that meet every conflict: a minimum hitting set, by HiGHS. A candidate; that fewer do not suffice is
proved elsewhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import highspy
import numpy as np

from certify.solvers.linear_programs.highs import is_optimal

Row = tuple[int, int]
PREFERENCE = 0.4  # all preferences together count less than one row


def fewest(conflicts: Sequence[Collection[Row]], suspicion: Mapping[Row, float]) -> tuple[Row, ...]:
    """A smallest set of rows that meets all conflicts; among several one of large suspicion (from 0 to 1 each)."""
    rows = sorted({row for conflict in conflicts for row in conflict})
    if not rows:
        return ()
    place = {row: k for k, row in enumerate(rows)}
    solver = highspy.Highs()  # type: ignore[no-untyped-call]
    solver.setOptionValue("output_flag", False)
    for row in rows:
        solver.addVar(0.0, 1.0)
        solver.changeColIntegrality(place[row], highspy.HighsVarType.kInteger)
        solver.changeColCost(place[row], 1.0 + PREFERENCE * (1.0 - suspicion.get(row, 0.0)) / len(rows))
    for conflict in conflicts:
        indices = np.array([place[row] for row in sorted(conflict)], dtype=np.int32)
        solver.addRow(1.0, highspy.kHighsInf, len(indices), indices, np.ones(len(indices)))
    if not is_optimal(solver):
        return tuple(
            sorted({min(conflict) for conflict in conflicts})
        )  # it meets them all, though not as one of the fewest
    values = solver.getSolution().col_value
    return tuple(row for row in rows if values[place[row]] > 0.5)
