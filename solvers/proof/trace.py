"""What a search did, as plain frozen records: the tree from which a certificate is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Evaluate, Narrowing, Reason, RowTerm

Row = tuple[int, int]  # block, row


@dataclass(frozen=True, slots=True)
class Prepared:
    """The cuts below were found on rows prepared on the box reached here, with this many cells."""

    cells: int


@dataclass(frozen=True, slots=True)
class Framed:
    """What follows is in coordinates y of x = start + matrix y; variables keep their numbers."""

    start: tuple[float, ...]
    matrix: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Refuted:
    """Nothing feasible is left; the reason proves it. Without one it is said by a contractor that gives none: a proof
    needs a search of its own here.
    """

    reason: Reason | None


@dataclass(frozen=True, slots=True)
class Branch:
    """Two closed halves at variable = at, each with its own steps."""

    variable: int
    at: float
    lower: Steps
    upper: Steps


@dataclass(slots=True)
class Steps:
    """The way of one box: preparations, frames and cuts in order, then a refutation, a branching, or nothing
    (undecided).
    """

    actions: list[Prepared | Framed | Cut] = field(default_factory=list)
    end: Refuted | Branch | None = None


def recorded(steps: Steps, box: Box, after: Box | None, told: Narrowing | None) -> tuple[Box, Steps]:
    """Write down what a contractor has made of a box, by what it tells; what is left of the box, and where its steps go
    on.

    What it has removed and does not tell is a branch whose other part is refuted without reason.
    """
    if told is not None:
        if told.cells and (told.cuts or told.refuted):
            steps.actions.append(Prepared(told.cells))
        for cut in told.cuts:
            if box.lower[cut.variable] < cut.at < box.upper[cut.variable]:
                steps.actions.append(cut)
                box = box.cut(cut)
        if told.refuted is not None:
            steps.end = Refuted(told.refuted)
            return box, steps
    if after is None:
        steps.end = Refuted(None)
        return box, steps
    for below, ends in ((True, after.lower), (False, after.upper)):
        face = box.lower if below else box.upper
        for variable in np.flatnonzero(ends > face if below else ends < face).tolist():
            if not box.lower[variable] < ends[variable] < box.upper[variable]:
                continue
            removed, rest = Steps(end=Refuted(None)), Steps()
            parts = (removed, rest) if below else (rest, removed)
            steps.end = Branch(variable, float(ends[variable]), *parts)
            steps, box = rest, box.to(variable, float(ends[variable]), below)
    return box, steps


def left_open(steps: Steps) -> bool:
    """Whether some box is undecided."""
    stack = [steps]
    while stack:
        end = stack.pop().end
        if end is None:
            return True
        stack += [end.upper, end.lower] if isinstance(end, Branch) else []
    return False


def reasons(steps: Steps) -> Iterator[Reason]:
    """Why what a search removed was removed, all of it."""
    stack = [steps]
    while stack:
        place = stack.pop()
        yield from (action.reason for action in place.actions if isinstance(action, Cut))
        if isinstance(place.end, Refuted):
            yield from () if place.end.reason is None else (place.end.reason,)
        elif isinstance(place.end, Branch):
            stack += [place.end.upper, place.end.lower]


def rows_of(steps: Steps) -> Iterator[Row]:
    """The rows that these reasons name, as often as they do."""
    for reason in reasons(steps):
        if isinstance(reason, Evaluate):
            yield reason.block, reason.row
        else:
            yield from ((term.block, term.row) for term in reason.rows)


def renumbered(steps: Steps, rows: Mapping[int, Sequence[Row]]) -> Steps:
    """The steps of a search among some rows, told of the whole problem: row k of block n is rows[n][k] there."""
    actions = [
        Cut(action.variable, action.at, action.below, _reason(action.reason, rows))
        if isinstance(action, Cut)
        else action
        for action in steps.actions
    ]
    end = steps.end
    if isinstance(end, Refuted):
        end = Refuted(None if end.reason is None else _reason(end.reason, rows))
    elif isinstance(end, Branch):
        end = Branch(end.variable, end.at, renumbered(end.lower, rows), renumbered(end.upper, rows))
    return Steps(actions, end)


def _reason(reason: Reason, rows: Mapping[int, Sequence[Row]]) -> Reason:
    if isinstance(reason, Evaluate):
        return Evaluate(*rows[reason.block][reason.row])
    terms = tuple(RowTerm(term.form, *rows[term.block][term.row], term.side, term.weight) for term in reason.rows)
    return Aggregate(terms, reason.products, reason.further)
