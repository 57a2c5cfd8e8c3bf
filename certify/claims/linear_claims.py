"""What is said of the solutions of an interval linear system."""

from __future__ import annotations

from certify.contractors.linear.linear_system import LinearVerdict
from certify.contractors.tape.evaluation import Floats

REMEDY = "narrower entries, more equations, or a box of the solutions that matter (box=...) may help"


def linear_sentence(verdict: LinearVerdict, proof: str, within: bool, ray: tuple[Floats, Floats] | None) -> str:
    """The verdict as a sentence; `within` says whether a box was given."""
    which = "every solution in the box that was given" if within else "every solution"
    if verdict is LinearVerdict.EMPTY:
        return f"there is no solution{' in the box that was given' if within else ''} ({proof})"
    if ray is not None:
        point, direction = (f"({', '.join(repr(float(value)) for value in values)})" for values in ray)
        return (
            f"the solutions have no bounds. From {point} on along {direction} all points are solutions, as a "
            f"matrix within the ends takes this direction to 0; {REMEDY}. Every solution lies in this box"
        )
    if verdict is LinearVerdict.NOT_PROVED:
        known = f"it is not known whether the solutions have bounds ({proof}); {REMEDY}"
        return f"{known}. {which[0].upper()}{which[1:]} lies in this box"
    return f"{which}, for any choice of the entries, lies in this box ({proof})"
