"""What is drawn of an answer about a system or a set."""

from __future__ import annotations

from certify.contractors.protocol.contractor import Box
from certify.pictures.paving_picture import Drawing
from certify.questions.set_paving import SolvedSet, batched
from certify.questions.system_search import Solved


def drawing(answer: Solved | SolvedSet, premise: str = "") -> Drawing:
    """What the picture of an answer shows, and what it rests on beside the engine's arithmetic."""
    names = tuple(variable.name for variable in answer.system.variables)
    domain = Box(*answer.system.box)
    if isinstance(answer, SolvedSet):
        paving = answer.paving
        boxes = batched((), domain), paving.inner, paving.boundary, paving.unexplored
        return Drawing(answer.system.title, names, domain, *boxes, premise)
    found = answer.paving
    solutions = tuple(solution.enclosure for solution in found.solutions)
    inner, undecided, unexplored = (
        batched(boxes, domain) for boxes in (found.inner, found.undecided, found.unexplored)
    )
    alone = batched(solutions, domain)
    return Drawing(answer.system.title, names, domain, alone, inner, undecided, unexplored, premise)
