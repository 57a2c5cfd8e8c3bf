"""What a search did, as plain frozen records: the tree from which a certificate is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from certify.contractors.protocol.contractor import Aggregate, Cut, Evaluate, Reason, RowTerm

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
    """Nothing feasible is left; the reason proves it."""

    reason: Reason


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


def reasons(steps: Steps) -> Iterator[Reason]:
    """Why what a search removed was removed, all of it."""
    stack = [steps]
    while stack:
        place = stack.pop()
        yield from (action.reason for action in place.actions if isinstance(action, Cut))
        if isinstance(place.end, Refuted):
            yield place.end.reason
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
        end = Refuted(_reason(end.reason, rows))
    elif isinstance(end, Branch):
        end = Branch(end.variable, end.at, renumbered(end.lower, rows), renumbered(end.upper, rows))
    return Steps(actions, end)


def _reason(reason: Reason, rows: Mapping[int, Sequence[Row]]) -> Reason:
    if isinstance(reason, Evaluate):
        return Evaluate(*rows[reason.block][reason.row])
    terms = tuple(RowTerm(term.form, *rows[term.block][term.row], term.side, term.weight) for term in reason.rows)
    return Aggregate(terms, reason.products)
