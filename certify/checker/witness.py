"""The witness rule (specification, section 5): S(upper) is not empty.

Each row takes a value <= upper at (x, M') and one >= -upper at (x, M''); if these differ, r is continuous on the
segment between them and takes a value in [-upper, upper] on it (intermediate values). The entries in which M' and M''
differ belong to one row only, so one realisation serves all rows.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor, lcm
from typing import Final

from .certificate import Witness
from .outcome import Clock, Rejection, require
from .problem import BROKEN, Records
from .scope import Box, Scope

UNIT: Final = 1075  # numbers of records are whole in units of 2^-1075
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
    found = {family: scope.table(family) for family in scope.families}
    tables = {n: Table(scope, n, records, witness.values, upper) for n, records in found.items() if records is not None}
    for family, row in scope.rows():
        clock.check()
        member = scope.member(family) if scope.euclidean(family) else (family,)
        if (scope.member(family)[0], row) in without or member[0] != family:
            continue
        try:
            if family in tables:
                tables[family].check(row)
            else:
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
        first, second = ({column: parts[column][row][way] for column in scope.measured(family)} for way in (0, 1))
        found = needed(scope, family, row, values, first, second)
        total += scope.arithmetic.sqr((found, found))[1] if scope.euclidean(family) else found
    allowed = scope.arithmetic.floor(bound**2 if scope.euclidean(member[0]) else bound)
    require(total <= allowed, "witness", "it may exceed upper, or be below -upper")


class Table:
    """A table's rows at a point, exactly: x = X / D, and the numbers of a record are whole in units of 2^-1075. With
    the factor f = F / G some y within its interval has |a . x - y| <= b if, times 2 D G,

        2 G (a . X) - D (G (L + U) + F (U - L)) <= 2 D G b    and    D (G (L + U) - F (U - L)) - 2 G (a . X) <= 2 D G b

    Of a_k within [l, u] the least and the greatest 2 G a_k X_k are  G (l + u) X_k -+ F (u - l) |X_k|.
    """

    def __init__(
        self, scope: Scope, family: int, records: Records, values: Sequence[Fraction], upper: Fraction
    ) -> None:
        bindings = scope.problem.families[family].bindings
        point = [values[scope.positions[binding.index]] for binding in bindings if not binding.measured]
        self.records: Final = records
        self.common: Final = lcm(*(value.denominator for value in point))
        self.factor: Final = scope.factor
        times = 2 * self.factor.denominator
        self.values: Final = [times * int(value * self.common) for value in point]
        self.spreads: Final = [self.factor.numerator * abs(int(value * self.common)) for value in point]
        self.wide: Final = records.numbers > len(point) + 2
        self.most: Final = floor(times * self.common * scope.bound(family, upper) * (1 << UNIT))

    def check(self, row: int) -> None:
        """Raise Rejection unless the row is within its bound."""
        mantissas, exponents = self.records.whole(row)
        total = spread = 0
        if self.wide:
            numbers = [mantissa << exponent for mantissa, exponent in zip(mantissas, exponents, strict=True)]
            pairs = zip(numbers[:-2:2], numbers[1:-2:2], strict=True)
            for value, much, (low, high) in zip(self.values, self.spreads, pairs, strict=True):
                require(low <= high, "table", f"a number of record {row} {BROKEN}")
                total += (value >> 1) * (low + high)
                spread += much * (high - low)
        else:
            for value, mantissa, exponent in zip(self.values, mantissas, exponents, strict=False):
                total += value * mantissa << exponent
        lower, upper = (m << e for m, e in zip(mantissas[-2:], exponents[-2:], strict=True))
        require(lower <= upper, "table", f"a number of record {row} {BROKEN}")
        middle = self.common * self.factor.denominator * (lower + upper)
        half = self.common * self.factor.numerator * (upper - lower) + spread
        least, greatest = total - middle - half, total - middle + half
        require(least <= self.most and greatest >= -self.most, "witness", "it may exceed upper, or be below -upper")


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
