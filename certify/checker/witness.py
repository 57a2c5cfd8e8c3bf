"""The witness rule (specification, section 5): S(upper) is not empty.

Each row takes a value <= upper at (x, M') and one >= -upper at (x, M''); if these differ, r is continuous on the
segment between them and takes a value in [-upper, upper] on it (intermediate values). The entries in which M' and M''
differ belong to one row only, so one realisation serves all rows.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from .certificate import Witness
from .outcome import Clock, Rejection, require
from .scope import Box, Scope

ENDS: Final = (Fraction(1), Fraction(0))  # of the y of a table's row a . x - y: there r is least, and greatest
Parts = Mapping[int, tuple[tuple[Fraction, Fraction], ...]]


def check_witness(scope: Scope, witness: Witness, box: Box, upper: Fraction, squares: bool, clock: Clock) -> None:
    """Raise Rejection unless the witness proves that S(upper) is not empty."""
    point = tuple((value, value) for value in witness.values)
    scope.check_within("witness", point, box)
    for family, row in witness.without:
        scope.check_row("witness", family, row)
    parts = _parts(scope, witness, squares)
    if squares:
        total = scope.sum_of_squares(scope.outward(point), clock)[1]
        require(total <= scope.arithmetic.floor(upper), "witness", "the sum of squares may exceed upper")
        return
    without = {(scope.member(family)[0], row) for family, row in witness.without}
    for family, row in scope.rows():
        clock.check()
        member = scope.member(family) if scope.euclidean(family) else (family,)
        if (scope.member(family)[0], row) in without or member[0] != family:
            continue
        try:
            _check_member(scope, member, row, witness.values, parts, upper)
        except Rejection as rejection:
            rejection.where = f"row {family}.{row}"
            raise


def _check_member(
    scope: Scope, member: Sequence[int], row: int, values: Sequence[Fraction], parts: Parts, upper: Fraction
) -> None:
    """Raise Rejection unless one row is within its bound, or several together."""
    bound, total = scope.bound(member[0], upper), 0
    for family in member:
        first, second = (
            {column: parts[column][row][way] if column in parts else ENDS[way] for column in scope.measured(family)}
            for way in (0, 1)
        )
        found = needed(scope, family, row, values, first, second)
        total += scope.arithmetic.sqr((found, found))[1] if scope.euclidean(family) else found
    allowed = scope.arithmetic.floor(bound**2 if scope.euclidean(member[0]) else bound)
    require(total <= allowed, "witness", "it may exceed upper, or be below -upper")


def _parts(scope: Scope, witness: Witness, squares: bool) -> Parts:
    """The fractions s and t of every entry, by column."""
    given, wanted = (
        [name for name, _ in witness.columns],
        [scope.problem.columns[column].name for column in scope.columns if scope.named(column)],
    )
    require(given == wanted, "witness", "one line for each column of the scope, in order, was expected")
    summed = {column for family in scope.families if scope.euclidean(family) for column in scope.measured(family)}
    found = {}
    for column, (name, tokens) in zip(filter(scope.named, scope.columns), witness.columns, strict=True):
        count = len(scope.problem.columns[column].entries)
        require(len(tokens) == count, "witness", f"column {name} takes {count} fractions, not {len(tokens)}")
        free = scope.uses[column] == 1 and not squares and column not in summed
        single = free or all(second is None for _, second in tokens)
        require(
            single,
            "witness",
            f"s:t in column {name}, whose entries are used more than once, or whose squares are summed",
        )
        found[column] = tuple((first, first if second is None else second) for first, second in tokens)
    return found


def needed(
    scope: Scope,
    family: int,
    row: int,
    values: Sequence[Fraction],
    first: Mapping[int, Fraction],
    second: Mapping[int, Fraction],
) -> int:
    """The least e, scaled by 2^precision, with which the row is proved, by two measurements (fractions by column).
    Raises Undefined.
    """
    highest = lowest = scope.enclose_row(family, row, values, first)
    if first != second:
        lowest = scope.enclose_row(family, row, values, second)
        scope.enclose_row(family, row, values, first, second)
    return max(0, highest[1], -lowest[0])
