"""The contractor of the other side: from one that keeps a set to one that keeps what is outside of it.

Compositions follow De Morgan's laws:
- not (A and B) is (not A) or (not B), and conversely;
- not (at least q of m) is (at least m - q + 1 of m are not);
- not (for some p: A) is (for all p: not A), and conversely;
- repeating, slicing, shaving and rounding do not change what a contractor stands for.
Both contractors keep the closure: a point on the boundary is kept by both. With c and its complement every point of a
box is kept by at least one of them, so that what one removes belongs to the other: a *separator* is such a pair
(Jaulin, Desrochers 2014).

A contractor of one's own takes part after `complement.register(Mine)(lambda mine: ...)`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from certify.contractors.compositions.fixed_point import FixedPoint
from certify.contractors.compositions.on_grid import OnGrid
from certify.contractors.compositions.outside import Outside
from certify.contractors.compositions.q_intersection import QIntersection
from certify.contractors.compositions.quantifiers import ForAll, ForSome
from certify.contractors.compositions.sequence import Sequence
from certify.contractors.compositions.shaving import Shaving
from certify.contractors.compositions.slicing import Slicing
from certify.contractors.compositions.union import Union
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.operators.linear_hull import LinearHull
from certify.contractors.operators.newton import MeanValue
from certify.contractors.protocol.boxes import Contractor


@singledispatch
def complement(contractor: Contractor) -> Contractor:
    """What keeps every point that the contractor's set does not contain."""
    raise TypeError(
        f"the complement of {type(contractor).__name__} is not known; register it with "
        f"complement.register, or compose other contractors"
    )


@complement.register(HullConsistency)
@complement.register(LinearHull)
@complement.register(MeanValue)
def _(contractor: HullConsistency | LinearHull | MeanValue) -> Contractor:
    return Outside(contractor.equations)


@complement.register
def _(contractor: Outside) -> Contractor:
    return HullConsistency(contractor.equations, contractor.sweeps, least_gain=0.0)


@complement.register
def _(contractor: Sequence) -> Contractor:
    return Union(tuple(complement(child) for child in contractor.children))


@complement.register
def _(contractor: Union) -> Contractor:
    return Sequence(tuple(complement(child) for child in contractor.children))


@complement.register
def _(contractor: QIntersection) -> Contractor:
    others = tuple(complement(child) for child in contractor.children)
    return QIntersection(others, len(others) - contractor.at_least + 1)


@complement.register
def _(contractor: ForSome) -> Contractor:
    return ForAll(complement(contractor.child), contractor.parameters, contractor.box, contractor.width)


@complement.register
def _(contractor: ForAll) -> Contractor:
    return ForSome(complement(contractor.child), contractor.parameters, contractor.box, contractor.width)


@complement.register(FixedPoint)
@complement.register(Slicing)
@complement.register(Shaving)
@complement.register(OnGrid)
def _(contractor: FixedPoint | Slicing | Shaving | OnGrid) -> Contractor:
    return replace(contractor, child=complement(contractor.child))
