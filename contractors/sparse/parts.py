"""A large sparse system cut into overlapping parts: few variables, the constraints around them, and what else these
read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from certify.contractors.checkpoint import checkpoint
from certify.contractors.rows.equations import Equations
from certify.contractors.sparse.band import crowded, order
from certify.contractors.tape.dependence import Numbers

LARGE = 64  # variables: fewer are one part
CORE = 12  # variables in the core of a part
SMALLER = 4  # a part has so many times fewer variables than the whole, or there are no parts


@dataclass(frozen=True, eq=False)
class Part:
    """The constraints that read one of the variables of the core, as a system of its own; its variables are those of
    the core, and then the others that these constraints read.
    """

    core: tuple[int, ...]
    variables: Numbers
    equations: Equations


@lru_cache(maxsize=16)
def parts(equations: Equations) -> tuple[Part, ...]:
    """The parts whose cores together are all variables that occur; none where the system is small or dense."""
    most = len(equations.occurring) // SMALLER
    if len(equations.occurring) <= LARGE or crowded(equations, most):
        return ()
    _, readers, _, _ = equations.agenda
    near, found = order(equations), []
    for start in range(0, len(near), CORE):
        checkpoint()
        core = near[start : start + CORE]
        constraints = np.unique(np.concatenate([readers.part(v) for v in core]))
        alone, variables = equations.part(constraints, np.array(core))
        if variables.size > most:
            return ()
        found.append(Part(core, variables, alone))
    return tuple(found)
