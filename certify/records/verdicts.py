"""What is proved. Why a search stopped is another matter: `certify.solvers.search.refutation.Stopped`."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """A claim about one part of a problem; every one but UNDECIDED comes with a certificate, but where an answer says
    that it rests on the engine (certify.fit: `proof`).
    """

    ADEQUATE = "adequate"  # some x explains every measurement exactly: the smallest model error is 0
    INADEQUATE = "inadequate"  # no x in the box does: the smallest model error is above a proved positive number
    FEASIBLE = "feasible"  # some x explains every measurement within the epsilon that was asked
    INFEASIBLE = "infeasible"  # no x in the box does
    ENCLOSED = "enclosed"  # every x that explains every measurement within epsilon lies in the hull, and there is one
    GLOBAL_MINIMUM = "global minimum"  # of the sum of squares in the box: there is one point only, and it is enclosed
    LOCAL_MINIMUM = "local minimum"  # a strict one, alone in a small box, and enclosed; elsewhere nothing is proved
    DISCARDS = "fewest discards"  # so many rows must be left out within the epsilon that was asked, or these suffice
    FACTOR = (
        "smallest factor"  # on all half-widths that makes the model fit: at least the lower end, at most the upper one
    )
    UNDECIDED = "undecided"

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value; compare it with Verdict.ADEQUATE and its like")
