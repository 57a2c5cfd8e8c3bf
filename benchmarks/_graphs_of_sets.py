"""What each contractor of a set of inequalities is worth: rings with a known area, with and without the contractor of
what is inside, that of what is outside, and, where some inequalities need not hold, that of at least so many.
"""

from dataclasses import dataclass
from time import process_time
from typing import Any

import numpy as np

import certify
from benchmarks._planted_problems import inequalities
from certify.contractors.compositions.complement import complement
from certify.contractors.compositions.on_grid import OnGrid
from certify.contractors.protocol.boxes import Boxes, Contractor, Narrowed
from certify.contractors.protocol.contractor import Box
from certify.questions.set_paving import kept_points
from certify.solvers.search.set_inversion import PavingOptions, set_inversion

PARTS, MOST = 2.0**-7, 100_000


@dataclass(frozen=True)
class _Keeps:
    """Keeps everything."""

    name: str = "nothing"
    cost: int = 0
    reads: tuple[int, ...] = (0, 1)
    children: tuple[Contractor, ...] = ()

    def contract(self, boxes: Boxes) -> Narrowed:
        """Nothing is removed."""
        return Narrowed(boxes.lower, boxes.upper, np.zeros(boxes.count, dtype=np.bool_))


def sets() -> list[dict[str, Any]]:
    """Print a line for each kind and contractor left out."""
    rows = []
    print(f"\n{'sets':<20} {'graph':<26} {'boxes':>8} {'undecided area':>15} {'seconds':>8}")
    for kind, outliers in (("rings", 0), ("rings, all but one", 1)):
        for way in ("both", "without outside", "without hull consistency"):
            began, boxes, area = process_time(), 0, 0.0
            for seed in range(1, 5):
                told = inequalities(seed)
                names = "uv"
                system = certify.system(
                    dict(zip(names, told.domains, strict=True)), [text.format(*names) for text in told.constraints]
                )
                domain, outer = Box(*system.box), OnGrid(kept_points(system, outliers))
                pair = _Keeps() if way == "without hull consistency" else outer, complement(outer)
                pair = (pair[0], _Keeps()) if way == "without outside" else pair
                width = tuple((domain.upper - domain.lower) * PARTS)
                paving = set_inversion(*pair, domain, PavingOptions(width, cell_limit=MOST))
                boxes += paving.cells
                area += paving.volume[1] - paving.volume[0]
            row = {"kind": kind, "graph": way, "boxes": boxes, "area": area, "seconds": process_time() - began}
            rows.append(row)
            print(f"{kind:<20} {way:<26} {boxes:>8} {area:>15.4g} {row['seconds']:>8.2f}", flush=True)
    return rows
