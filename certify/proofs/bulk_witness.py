"""What a witness needs, row by row as the checker judges it, in compiled code for all rows at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np

from certify.bulk.bulk_rows import BulkRows, Numbers, ends
from certify.checker.scope import Scope
from certify.checker.witness import needed
from certify.contractors.fixed_point.tapes import PAIR
from certify.contractors.fixed_point.wide import LIMBS, integer
from certify.proofs.witnesses import Token

Columns = Mapping[int, Sequence[Token]]


def rows_needed(
    scope: Scope, family: int, bulk: BulkRows | None, values: Sequence[Fraction], columns: Columns
) -> list[int]:
    """What each row of a family needs, scaled as `needed` of the checker. Raises Undefined."""
    rows = range(scope.problem.families[family].rows)
    if bulk is None:
        return [_by_checker(scope, family, row, values, columns) for row in rows]
    try:
        inputs = [_ways(bulk, row, columns) for row in rows]
        spans = ends(scope.arithmetic.enclose(value) for value in values).reshape(-1, PAIR)
    except OverflowError:
        return [_by_checker(scope, family, row, values, columns) for row in rows]
    asked = [row for row, ways in enumerate(inputs) for _ in ways]
    given = np.array([way for ways in inputs for way in ways])
    answer, failures = bulk.values(asked, bulk.with_variables(given, spans))
    numbers, found, place = answer.reshape(-1, PAIR), [], 0
    for row, ways in enumerate(inputs):
        if failures[place : place + len(ways)].any():
            found.append(_by_checker(scope, family, row, values, columns))
        else:
            lowest = numbers[place + min(1, len(ways) - 1), :LIMBS]
            found.append(max(0, integer(numbers[place, LIMBS:]), -integer(lowest)))
        place += len(ways)
    return found


def distance_needed(scope: Scope, needed: Sequence[Sequence[int]]) -> int:
    """The largest distance of members whose rows need so much, family by family, rounded up."""
    sqr = scope.arithmetic.sqr
    sums = (sum(sqr((row, row))[1] for row in member) for member in zip(*needed, strict=True))
    return scope.arithmetic.sqrt((max(sums),) * 2)[1]


def _by_checker(scope: Scope, family: int, row: int, values: Sequence[Fraction], columns: Columns) -> int:
    measured = scope.measured(family)
    first, second = ({column: columns[column][row][way] for column in measured} for way in (0, 1))
    return needed(scope, family, row, values, first, second)


def _ways(bulk: BulkRows, row: int, columns: Columns) -> list[Numbers]:
    """The measured inputs of a row at the first measurements; if the second ones differ, at these, and on the box of
    both, whose ends are rounded as theirs are.
    """
    measured = [bulk.program.family.bindings[i].index for i in bulk.measured_inputs]
    parts = [columns[column][row] for column in measured]
    if all(first == second for first, second in parts):
        return [_at(bulk, row, measured, [first for first, _ in parts])]
    first, second = (_at(bulk, row, measured, [pair[way] for pair in parts]) for way in (0, 1))
    rising = np.array([pair[0] <= pair[1] for pair in parts])[:, None]
    low, high = np.where(rising, first, second), np.where(rising, second, first)
    return [first, second, np.concatenate([low[:, :LIMBS], high[:, LIMBS:]], axis=1)]


def _at(bulk: BulkRows, row: int, measured: Sequence[int], parts: Sequence[Fraction]) -> Numbers:
    """The measurements at these fractions of their boxes; most often these are ends."""
    lower, upper = bulk.at_ends(row)
    found = np.where(np.array([part == 1 for part in parts])[:, None], upper, lower)
    for place, (column, part) in enumerate(zip(measured, parts, strict=True)):
        if part not in (0, 1):
            low, high = bulk.scope.entry(column, row)
            found[place] = ends([bulk.scope.arithmetic.enclose(low + part * (high - low))])
    return found
