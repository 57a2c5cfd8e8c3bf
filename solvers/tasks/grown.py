"""What one step of a search for a proof has made of a box: a piece of its tree, and what is left to be done, as plain
data.

The piece is written in prefix order, holes in it are the boxes that are left. Their ends are not written: they follow
from the divisions, so that a piece that a journal or another process says can lie about no box. It can have bad
reasons; whoever writes the certificate replays every leaf.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.contractors.protocol.contractor import Evaluate
from certify.contractors.tape.evaluation import Floats
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.proof.halvings import NOWHERE
from certify.solvers.proof.proof_tree import Fork, Hole, Known, Leaf, Node, Open, Ready, Reason, Told, Weighted
from certify.solvers.tasks.proof_tasks import Task


@dataclass(frozen=True, slots=True)
class Prepares:
    """Rows are prepared on this box."""


@dataclass(frozen=True, slots=True)
class Divides:
    """The box is divided there: what comes next is its lower part, then its upper one."""

    variable: int
    at: float


@dataclass(frozen=True, slots=True)
class Left:
    """A box that is left, with its widths after the last division and its place in another search."""

    widths: Floats
    cell: int


Token = Prepares | Divides | Left | Evaluate | Weighted | Known | Open | Told
Piece = tuple[Token, ...]
CODEC = Plain()
Numbers = tuple[NDArray[np.int64], Floats]
PREPARES, DIVIDES, LEFT, EVALUATE, WEIGHTED, SURE, KNOWN, OPEN = range(8)


def pieces_bytes(pieces: Sequence[Piece]) -> bytes:
    """Pieces as two arrays, for there are many of them: how many tokens each has, then of each token its kind and its
    whole numbers; and all other numbers.
    """
    wholes, floats = [len(pieces), *map(len, pieces)], list[float]()
    for piece in pieces:
        for token in piece:
            _write(token, wholes, floats)
    return CODEC.encode((np.array(wholes, np.int64), np.array(floats, np.float64)))


def _write(token: Token, wholes: list[int], floats: list[float]) -> None:
    match token:
        case Prepares():
            wholes.append(PREPARES)
        case Divides(variable, at):
            wholes += (DIVIDES, variable)
            floats.append(at)
        case Left(widths, cell):
            wholes += (LEFT, cell, widths.size)
            floats += widths.tolist()
        case Evaluate(block, row):
            wholes += (EVALUATE, block, row)
        case Weighted(numbers, weights, sure):
            wholes += (SURE if sure else WEIGHTED, len(numbers), *numbers)
            floats += weights
        case Known(zero):
            wholes += (KNOWN, zero)
        case Open():
            wholes.append(OPEN)


def pieces_of(data: bytes) -> tuple[Piece, ...]:
    """The pieces. Raises Damaged."""
    whole, other = CODEC.decode(data, Numbers)
    if whole.ndim != 1 or other.ndim != 1:
        raise Damaged("numbers in another order")
    wholes, floats = iter(whole.tolist()), iter(other.tolist())
    try:
        lengths = [next(wholes) for _ in range(_count(next(wholes), whole.size))]
        found = tuple(
            tuple(_token(wholes, floats, whole.size) for _ in range(_count(length, whole.size))) for length in lengths
        )
    except (StopIteration, RuntimeError):
        raise Damaged("it ends too early") from None
    if next(wholes, None) is not None or next(floats, None) is not None:
        raise Damaged("there are numbers after the end")
    return found


def _count(number: int, most: int) -> int:
    if not 0 <= number <= most:
        raise Damaged("more than there is")
    return number


def _token(wholes: Iterator[int], floats: Iterator[float], most: int) -> Token:
    kind = next(wholes)
    if kind in (WEIGHTED, SURE):
        count = _count(next(wholes), most)
        return Weighted(_some(wholes, count), _some(floats, count), kind == SURE)
    if kind == DIVIDES:
        return Divides(next(wholes), next(floats))
    if kind == EVALUATE:
        return Evaluate(next(wholes), next(wholes))
    if kind == LEFT:
        cell = next(wholes)
        return Left(np.array(_some(floats, _count(next(wholes), most)), np.float64), cell)
    if kind == KNOWN:
        return Known(next(wholes))
    if kind not in (PREPARES, OPEN):
        raise Damaged("an unknown kind")
    return Prepares() if kind == PREPARES else Open()


def _some(numbers: Iterator[Any], count: int) -> tuple[Any, ...]:
    found = tuple(islice(numbers, count))
    if len(found) < count:
        raise Damaged("it ends too early")
    return found


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many rows, expansions, zeros and places there are: what a piece may name."""

    rows: int
    expansions: int
    zeros: int
    places: int
    covers: bool


def task_bytes(task: Task) -> bytes:
    """What a step is asked."""
    return CODEC.encode((task.low, task.high, task.widths, task.cell))


def task_of(low: Floats, high: Floats, widths: Floats, cell: int) -> Task:
    """A task of its own, whose proof goes to a tree of its own."""
    task = Task(low, high, Hole(Ready()), cell)
    task.widths = widths
    return task


Holes = dict[tuple[int, bool], Task]


def holes_of(left: list[Task]) -> Holes:
    """Tasks by the holes in which their proofs are missing."""
    return {(id(task.hole.parent), task.hole.lower): task for task in left}


def tokens(top: Ready, holes: Holes) -> tuple[Token, ...]:
    """A piece in prefix order."""
    found: list[Token] = []
    waiting: list[tuple[Node | None, Ready | Fork, bool]] = [(top.below, top, True)]
    while waiting:
        node, parent, lower = waiting.pop()
        if node is None:
            task = holes[id(parent), lower]
            found.append(Left(task.widths, int(task.cell)))
        elif isinstance(node, Ready):
            found.append(Prepares())
            waiting.append((node.below, node, True))
        elif isinstance(node, Fork):
            found.append(Divides(int(node.variable), float(node.at)))
            waiting += [(node.upper, node, False), (node.lower, node, True)]
        else:
            found.append(node.reason)
    return tuple(found)


def walked(root: Hole, holes: Holes) -> tuple[list[Task], int]:
    """What is left of the tree that was put into a hole, in prefix order, and how many leaves it has."""
    left, closed = list[Task](), 0
    waiting: list[tuple[Ready | Fork, bool]] = [(root.parent, root.lower)]
    while waiting:
        parent, lower = waiting.pop()
        node = parent.below if isinstance(parent, Ready) else parent.lower if lower else parent.upper
        if node is None:
            left.append(holes[id(parent), lower])
        elif isinstance(node, Leaf):
            closed += 1
        elif isinstance(node, Ready):
            waiting.append((node, True))
        else:
            waiting += [(node, False), (node, True)]
    return left, closed


def leaves(found: tuple[Token, ...]) -> int:
    """How many leaves a piece has."""
    return sum(not isinstance(token, Prepares | Divides | Left) for token in found)


def attached(task: Task, found: tuple[Token, ...], sizes: Sizes) -> list[Task]:
    """Put a piece where the proof of a task goes; what is left to be done. Raises Damaged unless it is a whole tree of
    this box, and names what there is; another piece may be put there then.
    """
    left: list[Task] = []
    waiting = [(task.hole, task.low, task.high)]
    for token in found:
        if not waiting:
            raise Damaged("a piece with more than one tree")
        hole, low, high = waiting.pop()
        match token:
            case Prepares():
                ready = Ready()
                hole.fill(ready)
                waiting.append((Hole(ready), low, high))
            case Divides(variable, at):
                if not (0 <= variable < low.size and low[variable] < at < high[variable]):
                    raise Damaged("a division outside of its box")
                fork = Fork(variable, at)
                hole.fill(fork)
                below, above = _parts(low, high, variable, at)
                waiting += [(Hole(fork, False), *above), (Hole(fork), *below)]
            case Left(widths, cell):
                if widths.shape != low.shape or np.isnan(widths).any() or not NOWHERE <= cell < sizes.places:
                    raise Damaged("a box that is left with other variables")
                rest = Task(low, high, hole, cell)
                rest.widths = widths
                left.append(rest)
            case _:
                if not _names(token, sizes):
                    raise Damaged("a leaf that names what there is not")
                hole.fill(Leaf(token))
    if waiting:
        raise Damaged("a piece that ends too early")
    return left


def _parts(low: Floats, high: Floats, variable: int, at: float) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
    upper, lower = high.copy(), low.copy()
    upper[variable] = lower[variable] = at
    return (low, upper), (lower, high)


def _names(reason: Reason, sizes: Sizes) -> bool:
    """Whether a leaf names rows and zeros that there are."""
    match reason:
        case Evaluate(row, _):
            return 0 <= row < sizes.rows
        case Known(zero):
            return 0 <= zero < sizes.zeros
        case Weighted(numbers, weights, _):
            same = len(numbers) == len(weights) > 0
            return (
                same
                and min(numbers) >= 0
                and max(numbers) < sizes.expansions
                and all(weights)
                and all(map(math.isfinite, weights))
            )
        case Told():
            return True  # it was judged when it was taken, and is never read from a journal
    return sizes.covers
