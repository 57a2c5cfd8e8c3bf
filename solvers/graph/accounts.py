"""What contractors have cost and saved, in operations: the books by which a graph decides which of them runs.

Work is counted from sizes (operations on one box, times boxes), never measured by a clock, so that answers repeat. What
a contractor saves is an estimate from counts, too: a box that it refutes need not be halved, which saves `BELOW` boxes
as a rule, and a box whose volume falls by as many bits as a box loses from one halving to the next saves one. A box
costs what all contractors have cost, divided by the boxes. A contractor that has saved more than it has cost runs;
another runs as long as it has cost no more than its trial, a share of all work: so it is asked again and again, and
costs little where it does not pay. Counts fade: where the boxes have changed, the books follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from certify.contractors.protocol.boxes import Boxes, Narrowed

BELOW = 4.0  # boxes that are looked at, on the average, below one that is halved
MOST_BITS = 10.0  # of one variable in one step: a bound where there was none is one step, not all
FADING = 2000.0  # boxes after which half of what was counted is forgotten


CALL = 2e4  # operations that a call takes beside those on its boxes, however few these are
FREE = 1e6  # operations: what a contractor may cost anyway


@dataclass(slots=True)
class Account:
    """Of one contractor: operations, boxes that it refuted, and bits by which it narrowed others."""

    work: float = 0.0
    refuted: float = 0.0
    bits: float = 0.0

    def add(self, other: Account, share: float = 1.0) -> None:
        """Take up a share of other counts."""
        self.work += share * other.work
        self.refuted += share * other.refuted
        self.bits += share * other.bits

    @staticmethod
    def of(work: float, before: Boxes, after: Narrowed) -> Account:
        """One call."""
        return Account(CALL + work, float(after.empty.sum()), bits(before, after))


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

    def worth(self, call: Account) -> float:
        """The operations that a call, or all calls, have saved."""
        work = sum(account.work for account in self.accounts.values())
        level = 1.0 + sum(account.bits for account in self.accounts.values()) / max(self.boxes, 1.0)
        return (BELOW * call.refuted + call.bits / level) * work / max(self.boxes, 1.0)

    def left(self, name: str, trial: float) -> float:
        """The operations that a contractor may cost now: what it has saved, and its trial, less what it has cost."""
        mine = self.of(name)
        others = sum(account.work for account in self.accounts.values()) - mine.work
        return max(FREE, trial * others) + self.worth(mine) - mine.work

    def rate(self, name: str) -> float:
        """What a contractor has saved by an operation."""
        mine = self.of(name)
        return self.worth(mine) / mine.work if mine.work else np.inf


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


def bits(before: Boxes, after: Narrowed) -> float:
    """By how many bits the volumes of the boxes that remain have fallen."""
    kept = ~after.empty
    with np.errstate(over="ignore", invalid="ignore"):
        old, new = (
            np.clip(high - low, 1e-300, 1e300)[:, kept]
            for low, high in ((before.lower, before.upper), (after.lower, after.upper))
        )
        return float(np.clip(np.log2(old / new), 0.0, MOST_BITS).sum())
