"""Sparse equations in rational numbers: what single entries determine is taken out first, whole numbers do the rest.

An equation with one unknown left gives it; an unknown that is left in one equation only is computed last, from it. A
basis of a linear program is nearly triangular, so that few equations are left for elimination without fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from certify.solvers.regressors.exact_weights import point_of

MOST = 160  # equations that are left
Equation = dict[int, Fraction]


def solved(equations: Sequence[Equation], rights: Sequence[Fraction], size: int) -> list[Fraction] | None:
    """The only solution of as many equations as unknowns; None if there is none, or too much is left."""
    if len(equations) != size:
        return None
    work = _Work([dict(equation) for equation in equations], list(rights))
    if not (work.forward() and work.backward()):
        return None
    return work.finish(size)


class _Work:
    def __init__(self, rows: list[Equation], rights: list[Fraction]) -> None:
        self.rows, self.rights = rows, rights
        self.open = set(range(len(rows)))
        self.values: dict[int, Fraction] = {}
        self.later: list[tuple[int, int]] = []  # (equation, unknown), in the order in which they were put off
        self.columns: dict[int, set[int]] = defaultdict(set)
        for i, row in enumerate(rows):
            for j in row:
                self.columns[j].add(i)

    def forward(self) -> bool:
        """Equations with one unknown, until there is none."""
        waiting = [i for i in self.open if len(self.rows[i]) <= 1]
        while waiting:
            i = waiting.pop()
            if i not in self.open:
                continue
            if not self.rows[i]:
                return False  # an equation without unknowns: the others do not determine all
            ((j, a),) = self.rows[i].items()
            value = self.rights[i] / a
            self.values[j] = value
            self.open.discard(i)
            for k in self.columns[j] & self.open:
                self.rights[k] -= self.rows[k].pop(j) * value
                if len(self.rows[k]) <= 1:
                    waiting.append(k)
        return True

    def backward(self) -> bool:
        """Unknowns of one equation, until there is none."""
        counts = {j: self.columns[j] & self.open for j in self.columns if j not in self.values}
        waiting = [j for j, where in counts.items() if len(where) <= 1]
        done = set()
        while waiting:
            j = waiting.pop()
            if j in done:
                continue
            if not counts[j]:
                return False
            (i,) = counts[j]
            done.add(j)
            self.later.append((i, j))
            self.open.discard(i)
            for k in self.rows[i]:
                if k not in done:
                    counts[k].discard(i)
                    if len(counts[k]) <= 1:
                        waiting.append(k)
        return True

    def finish(self, size: int) -> list[Fraction] | None:
        """The rest by elimination, then what was put off, the last first."""
        rows = sorted(self.open)
        left = sorted({j for i in rows for j in self.rows[i]})
        if len(rows) != len(left) or len(rows) > MOST:
            return None
        zero = Fraction(0)
        found = point_of([[*(self.rows[i].get(j, zero) for j in left), self.rights[i]] for i in rows]) if rows else ()
        if found is None:
            return None
        self.values.update(zip(left, found, strict=True))
        for i, j in reversed(self.later):
            known = sum((a * self.values[k] for k, a in self.rows[i].items() if k != j), zero)
            self.values[j] = (self.rights[i] - known) / self.rows[i][j]
        return [self.values[j] for j in range(size)] if len(self.values) == size else None
