"""What a witness needs, row by row as the checker judges it, in compiled code for all rows at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import numpy as np

from certify.checker.interval import Interval
from certify.checker.scope import Scope
from certify.checker.witness import needed
from certify.contractors.fixed_point.tapes import PAIR
from certify.contractors.fixed_point.wide import LIMBS, integer
from certify.proofs.bulk_rows import BulkRows, ends
from certify.proofs.witnesses import Token

Columns = Mapping[int, Sequence[Token]]


def largest_needed(
    scope: Scope, family: int, bulk: BulkRows | None, values: Sequence[Fraction], columns: Columns
) -> int:
    """The largest of what the rows of a family need, scaled as `needed` of the checker. Raises Undefined."""
    rows = range(scope.problem.families[family].rows)
    if bulk is None:
        return max(_by_checker(scope, family, row, values, columns) for row in rows)
    try:
        inputs = [[ends(way) for way in _ways(scope, family, row, columns)] for row in rows]
        spans = ends(scope.arithmetic.enclose(value) for value in values).reshape(-1, PAIR)
    except OverflowError:
        return max(_by_checker(scope, family, row, values, columns) for row in rows)
    asked = [row for row, ways in enumerate(inputs) for _ in ways]
    given = np.array([way for ways in inputs for way in ways])
    answer, failures = bulk.values(asked, bulk.with_variables(given, spans))
    numbers, largest, place = answer.reshape(-1, PAIR), 0, 0
    for row, ways in enumerate(inputs):
        if failures[place : place + len(ways)].any():
            largest = max(largest, _by_checker(scope, family, row, values, columns))
        else:
            lowest = numbers[place + min(1, len(ways) - 1), :LIMBS]
            largest = max(largest, integer(numbers[place, LIMBS:]), -integer(lowest))
        place += len(ways)
    return largest


def _by_checker(scope: Scope, family: int, row: int, values: Sequence[Fraction], columns: Columns) -> int:
    measured = scope.measured(family)
    first, second = ({column: columns[column][row][way] for column in measured} for way in (0, 1))
    return needed(scope, family, row, values, first, second)


def _ways(scope: Scope, family: int, row: int, columns: Columns) -> Iterator[list[Interval]]:
    """The measured inputs of a row at the first measurements; if the second ones differ, at these, and on the box of
    both.
    """
    measured = [b.index for b in scope.problem.families[family].bindings if b.measured]
    pairs = [_ends(scope, column, row, columns) for column in measured]
    yield [scope.arithmetic.enclose(first) for first, _ in pairs]
    if any(columns[column][row][0] != columns[column][row][1] for column in measured):
        yield [scope.arithmetic.enclose(second) for _, second in pairs]
        yield [scope.arithmetic.span(min(pair), max(pair)) for pair in pairs]


def _ends(scope: Scope, column: int, row: int, columns: Columns) -> tuple[Fraction, Fraction]:
    """Both values of a measurement."""
    lower, upper = scope.entry(column, row)
    first, second = (
        lower if part == 0 else upper if part == 1 else lower + part * (upper - lower) for part in columns[column][row]
    )
    return first, second
