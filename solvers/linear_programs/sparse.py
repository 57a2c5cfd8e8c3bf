"""A matrix by its entries that are not zero: what a linear program with many small blocks is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from certify.contractors.tape.evaluation import Flags, Floats

Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Sparse:
    """Entries `values` at (`rows`, `columns`) of a matrix of this shape, row by row, no place twice."""

    shape: tuple[int, int]
    rows: Indices
    columns: Indices
    values: Floats

    @staticmethod
    def of(shape: tuple[int, int], rows: Indices, columns: Indices, values: Floats) -> Sparse:
        """From entries in any order; those at the same place are added up."""
        places, which = np.unique(rows * shape[1] + columns, return_inverse=True)
        total = np.bincount(which, weights=values, minlength=places.size)
        kept = total != 0.0
        return Sparse(shape, places[kept] // shape[1], places[kept] % shape[1], total[kept])

    @staticmethod
    def of_array(array: Floats) -> Sparse:
        """The entries of an array that are not zero."""
        rows, columns = np.nonzero(array)
        return Sparse((array.shape[0], array.shape[1]), rows, columns, array[rows, columns])

    @staticmethod
    def stacked(parts: Sequence[Sparse]) -> Sparse:
        """Matrices of as many columns, one below the other."""
        above = np.cumsum([0, *(part.shape[0] for part in parts)])
        rows = [part.rows + start for part, start in zip(parts, above[:-1], strict=True)]
        columns, values = [part.columns for part in parts], [part.values for part in parts]
        shape = int(above[-1]), parts[0].shape[1]
        return Sparse(shape, np.concatenate(rows), np.concatenate(columns), np.concatenate(values))

    def times(self, vector: Floats) -> Floats:
        """The product with a vector."""
        return self._sums(self.values * vector[self.columns])

    def extremes(self, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """The least and the largest product with a vector between these."""
        first, second = self.values * low[self.columns], self.values * high[self.columns]
        return self._sums(np.minimum(first, second)), self._sums(np.maximum(first, second))

    def steepest(self) -> Floats:
        """The largest absolute value in each column."""
        found = np.zeros(self.shape[1])
        np.maximum.at(found, self.columns, np.abs(self.values))
        return found

    def columns_of(self, rows: Flags) -> Flags:
        """The columns in which one of these rows has an entry."""
        found = np.zeros(self.shape[1], dtype=np.bool_)
        found[self.columns[rows[self.rows]]] = True
        return found

    def scaled(self, of_rows: Floats, of_columns: Floats) -> Sparse:
        """Each entry times a number of its row and one of its column."""
        return replace(self, values=self.values * of_rows[self.rows] * of_columns[self.columns])

    def part(self, rows: Flags, columns: Flags) -> Sparse:
        """The rows and columns that are marked."""
        kept = rows[self.rows] & columns[self.columns]
        row_places, column_places = np.cumsum(rows) - 1, np.cumsum(columns) - 1
        shape = int(rows.sum()), int(columns.sum())
        return Sparse(shape, row_places[self.rows[kept]], column_places[self.columns[kept]], self.values[kept])

    def only(self, rows: Indices) -> Sparse:
        """These rows, in this order."""
        ends = np.searchsorted(self.rows, np.arange(self.shape[0] + 1))
        counts = ends[rows + 1] - ends[rows]
        first = np.repeat(ends[rows] - np.cumsum(counts) + counts, counts)
        chosen = first + np.arange(first.size)
        shape = rows.size, self.shape[1]
        return Sparse(shape, np.repeat(np.arange(rows.size), counts), self.columns[chosen], self.values[chosen])

    def replaced(self, rows: Flags, other: Sparse) -> Sparse:
        """The same with these rows of another matrix."""
        ours, theirs = ~rows[self.rows], rows[other.rows]
        pairs = zip(self._entries, other._entries, strict=True)
        return self._sorted(self.shape, *(np.concatenate([first[ours], second[theirs]]) for first, second in pairs))

    def extended(self, places: Indices, columns: int, value: float) -> Sparse:
        """With so many more columns, of which each row has this value in one."""
        more = np.arange(self.shape[0]), self.shape[1] + places, np.full(self.shape[0], value)
        shape = self.shape[0], self.shape[1] + columns
        return self._sorted(shape, *(np.concatenate(pair) for pair in zip(self._entries, more, strict=True)))

    def _sums(self, entries: Floats) -> Floats:
        """The sum of these in each row."""
        return np.asarray(np.bincount(self.rows, weights=entries, minlength=self.shape[0]), dtype=np.float64)

    @property
    def _entries(self) -> tuple[Indices, Indices, Floats]:
        return self.rows, self.columns, self.values

    @staticmethod
    def _sorted(shape: tuple[int, int], rows: Indices, columns: Indices, values: Floats) -> Sparse:
        order = np.argsort(rows, kind="stable")
        return Sparse(shape, rows[order], columns[order], values[order])

    def dense(self) -> Floats:
        """As an array."""
        array = np.zeros(self.shape)
        array[self.rows, self.columns] = self.values
        return array
