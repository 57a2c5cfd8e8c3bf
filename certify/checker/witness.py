"""The witness rule (specification, section 5): S(upper) is not empty.

Each row takes a value <= upper at (x, M') and one >= -upper at (x, M''); if these differ, r is continuous on the segment
between them and takes a value in [-upper, upper] on it (intermediate values). The entries in which M' and M'' differ belong to
one row only, so one realisation serves all rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from .certificate import Witness
from .interval import Undefined
from .outcome import Clock, Rejection
from .scope import Box, Scope

Parts = Mapping[int, tuple[tuple[Fraction, Fraction], ...]]


def check_witness(scope: Scope, witness: Witness, box: Box, upper: Fraction, squares: bool, clock: Clock) -> None:
    """Raise Rejection unless the witness proves that S(upper) is not empty."""
    if len(witness.values) != len(box):
        raise Rejection("witness", f"{len(box)} values were expected, not {len(witness.values)}")
    for variable, value, (low, high) in zip(scope.variables, witness.values, box, strict=True):
        if not low <= value <= high:
            raise Rejection("witness", f"the value of variable {variable} is out of its bounds")
    for family, row in witness.without:
        reason = scope.row_problem(family, row)
        if reason is not None:
            raise Rejection("witness", reason)
    parts = _parts(scope, witness, squares)
    if squares:
        _check_sum(scope, witness, upper, clock)
        return
    for family, row in scope.rows():
        clock.check()
        reason = None if (family, row) in witness.without else row_reason(scope, family, row, witness.values, parts, upper)
        if reason is not None:
            raise Rejection("witness", f"row {family}.{row}: {reason}")


def _check_sum(scope: Scope, witness: Witness, upper: Fraction, clock: Clock) -> None:
    """The sum of the squares of all rows at x does not exceed upper."""
    try:
        reached = scope.sum_of_squares([scope.arithmetic.enclose(value) for value in witness.values], clock)
    except Undefined as undefined:
        raise Rejection("witness", f"a row cannot be enclosed: {undefined}") from None
    if reached[1] > scope.arithmetic.floor(upper):
        raise Rejection("witness", "the sum of squares may exceed upper")


def _parts(scope: Scope, witness: Witness, squares: bool) -> Parts:
    """The fractions s and t of every entry, by column."""
    names = [scope.problem.columns[column].name for column in scope.columns]
    if [name for name, _ in witness.columns] != names:
        raise Rejection("witness", "one line for each column of the scope, in order, was expected")
    found = {}
    for column, (name, tokens) in zip(scope.columns, witness.columns, strict=True):
        count = len(scope.problem.columns[column].entries)
        if len(tokens) != count:
            raise Rejection("witness", f"column {name} takes {count} fractions, not {len(tokens)}")
        if (squares or scope.uses[column] != 1) and any(second is not None for _, second in tokens):
            raise Rejection("witness", f"s:t in column {name}, whose entries are used more than once, or whose squares are summed")
        found[column] = tuple((first, first if second is None else second) for first, second in tokens)
    return found


def row_reason(scope: Scope, family: int, row: int, values: tuple[Fraction, ...], parts: Parts, upper: Fraction) -> str | None:
    """Why the row is not proved to reach [-upper, upper]; None if it is."""
    columns = {binding.index for binding in scope.problem.families[family].bindings if binding.measured}
    first = {column: parts[column][row][0] for column in columns}
    second = {column: parts[column][row][1] for column in columns}
    bound = scope.arithmetic.floor(upper)
    try:
        highest = lowest = scope.enclose_row(family, row, values, first)
        if first != second:
            lowest = scope.enclose_row(family, row, values, second)
            scope.enclose_row(family, row, values, first, second)
    except Undefined as undefined:
        return f"it cannot be enclosed: {undefined}"
    if highest[1] > bound:
        return "its value at the first measurements may exceed upper"
    return "its value at the second measurements may be below -upper" if lowest[0] < -bound else None
