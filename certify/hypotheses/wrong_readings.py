"""The hypothesis that the model is right and a few of the readings used are wrong, at most three of a part: those that
an estimate suspects. Of rows that are components of poses, poses are suspected.

It competes with the others, because one wrong reading spoils the fit everywhere, and then whatever bends the model
seems to help. Each suspected row gets an error of its own, T = t in this row and 0 elsewhere. How many rows must be
left out at the least is another question (`certify.fewest_discards`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from certify.contractors.protocol.contractor import Box
from certify.contractors.tape.evaluation import Floats
from certify.parts.part_search import TRUST
from certify.parts.scopes import joined
from certify.problems.model.hypothesis import Hypothesis, Term
from certify.problems.model.model import Column, Family, Problem
from certify.records.results import Part
from certify.solvers.advice.suspects import suspects

WRONG_READINGS = "wrong readings"
MOST = 3  # of a part
REACH = 10  # times what other errors may amount to: a wrong reading may be far off


def wrong_readings(problem: Problem, used: Sequence[int], parts: Sequence[Part], start: Floats) -> Hypothesis:
    """The hypothesis about the poses `used` and the parts that the model does not explain; `start` gives the unknowns
    of the others.
    """
    rows = np.array(used)
    suspected: dict[str, list[int]] = {}
    point, box = joined(problem, parts, start), Box(*problem.box)
    for part in parts:
        scope = problem.part(part.scope)
        variables = tuple(sorted({b.index for n in scope for b in problem.families[n].bindings if not b.measured}))
        kept = [
            replace(block, lower=block.lower[:, rows], upper=block.upper[:, rows])
            for block in (problem.blocks[n] for n in scope)
        ]
        posed = bool(problem.groups)
        for number, row in suspects(kept, variables, box, point, TRUST, MOST, posed):
            for name in part.scope if posed else part.scope[number : number + 1]:
                suspected.setdefault(name, []).append(int(rows[row]))

    def terms(family: Family) -> tuple[Term, ...]:
        found = []
        for row in sorted(suspected.get(family.name, [])):
            only = tuple(Fraction(int(place == row)) for place in range(family.rows))
            found.append(Term(f"row{row + 1}", Column(f"row{row + 1}", "1", only, only), Fraction(0), Fraction(1)))
        return tuple(found)

    if problem.groups:
        poses = sorted({row for places in suspected.values() for row in places})
        told = f"poses {', '.join(problem.poses[row] if problem.poses else str(row + 1) for row in poses)}"
    else:
        told = "; ".join(
            f"{name}: row {', '.join(str(row + 1) for row in sorted(places))}" for name, places in suspected.items()
        )
    return Hypothesis(WRONG_READINGS, f"a few readings are wrong ({told})", terms, REACH)
