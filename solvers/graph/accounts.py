"""What contractors have cost and saved, in operations: the books by which a graph decides which of them runs.

Work is counted from sizes (operations on one box, times boxes), never measured by a clock, so that answers repeat. What
a contractor saves is an estimate from counts, too: a box that it refutes need not be halved, which saves `BELOW` boxes
as a rule, and one that it narrows by as many bits of its volume as a box loses from one halving to the next saves one.
A box costs what all other contractors have cost, divided by the boxes. A contractor that has saved more than it has
cost runs; another runs as long as it has cost no more than its trial, a share of all work: so it is asked again and
again, and costs little where it does not pay. Counts fade: where the boxes have changed, the books follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Narrowed

BELOW = 8.0  # boxes that are looked at, on the average, below one that is halved
LEVEL = 0.5  # bits of each variable, and one more: what a box loses from one halving to the next, about
FADING = 2000.0  # boxes after which half of what was counted is forgotten


CALL = 2e4  # operations that a call takes beside those on its boxes, however few these are
FREE, MOST = 8.0, 1e7  # boxes, and operations: what a contractor may cost anyway, the lesser


@dataclass(slots=True)
class Count:
    """Calls of one contractor, their time, and the gain: the sum over calls of log2(volume before / volume after) per
    variable.
    """

    calls: int = 0
    seconds: float = 0.0
    gain: float = 0.0
    refuted: int = 0

    def add(self, other: Count) -> None:
        """Take up what another part of the same search has counted."""
        self.calls += other.calls
        self.seconds += other.seconds
        self.gain += other.gain
        self.refuted += other.refuted


Statistics = dict[str, Count]


@dataclass(slots=True)
class Account:
    """Of one contractor: operations, and boxes that it has saved."""

    work: float = 0.0
    saved: float = 0.0

    def add(self, other: Account, share: float = 1.0) -> None:
        """Take up a share of other counts."""
        self.work += share * other.work
        self.saved += share * other.saved

    @staticmethod
    def of(work: float, before: Boxes, after: Narrowed) -> Account:
        """One call."""
        return Account(CALL + work, saved_boxes(before, after))


@dataclass(slots=True)
class Books:
    """The accounts of a graph's contractors by name, and how many boxes they are about."""

    boxes: float = 0.0
    accounts: dict[str, Account] = field(default_factory=dict)

    def of(self, name: str) -> Account:
        """The account of a contractor; an empty one if it has not run."""
        return self.accounts.get(name) or Account()

    def enter(self, name: str, call: Account) -> None:
        """One more call."""
        self.accounts.setdefault(name, Account()).add(call)

    def with_those(self, other: Books) -> Books:
        """Both together, as new ones."""
        return together((self, other))

    def price(self, name: str) -> float:
        """The operations that a box costs without this contractor."""
        work = sum(account.work for other, account in self.accounts.items() if other != name)
        return work / max(self.boxes, 1.0)

    def left(self, name: str, trial: float, whole: float) -> float:
        """The operations that a contractor may cost now: what it has saved, and its trial, less what it has cost; it
        takes so many for a `whole` box.
        """
        mine, price = self.of(name), self.price(name)
        return max(min(FREE * (CALL + whole), MOST), trial * price * self.boxes) + price * mine.saved - mine.work

    def rate(self, name: str) -> float:
        """What a contractor has saved by an operation."""
        mine = self.of(name)
        return self.price(name) * mine.saved / mine.work if mine.work else np.inf


def together(books: Iterable[Books]) -> Books:
    """The sum of some books."""
    total = Books()
    for some in books:
        total.boxes += some.boxes
        for name, account in some.accounts.items():
            total.enter(name, account)
    return total


def faded(books: Books) -> Books:
    """The same with smaller numbers, once there are many."""
    if books.boxes <= FADING:
        return books
    half = Books(0.5 * books.boxes)
    for name, account in books.accounts.items():
        half.accounts[name] = Account()
        half.accounts[name].add(account, 0.5)
    return half


def saved_boxes(before: Boxes, after: Narrowed) -> float:
    """How many boxes need not be looked at, about, as these are refuted or narrower."""
    kept = ~after.empty
    with np.errstate(over="ignore", invalid="ignore"):
        old, new = (
            np.clip(high - low, 1e-300, 1e300)[:, kept]
            for low, high in ((before.lower, before.upper), (after.lower, after.upper))
        )
        bits = np.log2(old / new).sum(axis=0)
    levels = np.clip(bits / (1.0 + LEVEL * before.variables), 0.0, 1.0)
    return float(BELOW * after.empty.sum() + levels.sum())
