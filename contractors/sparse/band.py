"""The band of a square sparse system: its equations and variables in an order in which the Jacobian's entries lie near
the diagonal.

Variables that an equation reads together are neighbours; they are numbered breadth first from an end of each component,
those with few neighbours first, backwards in the end (Cuthill and McKee 1969, George 1971); equations follow their
variables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from certify.contractors.rows.equations import Equations
from certify.contractors.tape.dependence import Numbers
from certify.contractors.tape.evaluation import Floats

LARGE = 64  # variables: fewer are treated as a full matrix
NARROW = 8  # a band is narrower than so many times fewer variables than there are


@dataclass(frozen=True, eq=False)
class Band:
    """Row k of the band is the constraint rows[k], column k the variable columns[k]; an entry of the Jacobian with the
    number entries[i] lies in the row at_row[i], at the place at_column[i] among `width` ones, the one in the diagonal
    being at `under`.
    """

    rows: Numbers
    columns: Numbers
    under: int
    width: int
    entries: Numbers
    at_row: Numbers
    at_column: Numbers

    def filled(self, values: Floats) -> Floats:
        """The bands (batch, row, width) of entries (entries, batch)."""
        band = np.zeros((values.shape[1], self.rows.size, self.width))
        band[:, self.at_row, self.at_column] = values[self.entries].T
        return band


def _neighbours(equations: Equations) -> Callable[[int], set[int]]:
    """For a variable those that some constraint reads with it."""
    read, readers, _, _ = equations.agenda
    return lambda v: {w for o in readers.part(v).tolist() for w in read.part(o).tolist()} - {v}


def crowded(equations: Equations, most: int) -> bool:
    """Whether a constraint reads more variables than that, or more constraints than that read a variable."""
    read, readers, _, _ = equations.agenda
    return max(int(np.diff(lists.starts).max(initial=0)) for lists in (read, readers)) > most


@lru_cache(maxsize=16)
def order(equations: Equations) -> tuple[int, ...]:
    """The variables that occur, each near those that it occurs with."""
    neighbours = _neighbours(equations)
    left = dict.fromkeys(equations.occurring)
    found: list[int] = []
    while left:
        level = _levels(next(iter(left)), neighbours)[-1]
        start = min(level, key=lambda v: (len(neighbours(v)), v))
        component = [v for level in _levels(start, neighbours) for v in level]
        found += component
        for v in component:
            del left[v]
    return tuple(found[::-1])


def _levels(start: int, neighbours: Callable[[int], set[int]]) -> list[list[int]]:
    """What is one, two, ... steps away; within a level the neighbours of the first come first, few neighbours first."""
    seen, levels = {start}, [[start]]
    while levels[-1]:
        following: list[int] = []
        for v in levels[-1]:
            new = neighbours(v) - seen
            seen |= new
            following += sorted(new, key=lambda w: (len(neighbours(w)), w))
        levels.append(following)
    return levels[:-1]


@lru_cache(maxsize=16)
def band_of(equations: Equations) -> Band | None:
    """None where the equations are not as many as the variables, few, or not near any diagonal."""
    n, rows = equations.variables, equations.equalities
    most = n // NARROW
    if n <= LARGE or rows.size != n or len(equations.occurring) < n or crowded(equations, most):
        return None
    columns = np.array(order(equations))
    place = np.empty(n, dtype=np.int64)
    place[columns] = np.arange(n)
    _, places = equations.derivatives
    which = np.full(equations.lower.size, -1)
    which[rows] = np.arange(n)
    entries = np.flatnonzero(which[places[:, 0]] >= 0)
    row, column = which[places[entries, 0]], place[places[entries, 1]]
    first, last = np.full(n, n), np.full(n, -1)
    np.minimum.at(first, row, column)
    np.maximum.at(last, row, column)
    if (last < 0).any():
        return None
    ordered = np.lexsort((first, first + last))
    at = np.empty(n, dtype=np.int64)
    at[ordered] = np.arange(n)
    under, over = max(int((at[row] - column).max()), 0), max(int((column - at[row]).max()), 0)
    if under + over + 1 > most:
        return None
    return Band(rows[ordered], columns, under, under + over + 1, entries, at[row], column - at[row] + under)
