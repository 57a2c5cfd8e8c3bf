"""The witness: a point with measurements for which every row, or every member of a group, is small somewhere
(specification, sections 5 and 12.2).
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb, fmpq

from .boxes import Rows
from .certificate import Certificate
from .groups import Group
from .interval import NOTHING, Interval, add, ball, between, square, thin
from .outcome import Deadline, Rejection, Undefined
from .tables import NOT_FINITE

NOT_BELOW = "it is not proved to be at most the upper end"
NOT_ABOVE = "it is not proved to be at least minus the upper end"
NOT_WITHIN = "it is not proved to be within the upper end"
FIRST, SECOND = 0, 1


class _Witness:
    """The rows at the point, with the measurements that the witness gives them."""

    def __init__(self, certificate: Certificate, rows: Rows) -> None:
        self.certificate, self.rows = certificate, rows
        self.values = [thin(value) for value in certificate.values]

    def _measured(self, family: int, row: int, which: int) -> list[fmpq]:
        plan = self.rows.plans[family]
        numbers = [plan.family.bindings[k].number for k in plan.measured]
        fractions = [self.certificate.fractions[number][row][which] for number in numbers]
        ends = self.rows.ends(family, row)
        return [low + t * (high - low) for (low, high), t in zip(ends, fractions, strict=True)]

    def _row(self, family: int, row: int, measured: list[Interval]) -> Interval:
        found: Interval = self.rows.plans[family].nodes(row, self.rows.variables(family, self.values), measured)[-1]
        return found

    def fault(self, family: int, row: int, bound: fmpq) -> str:
        """What is wrong with a row, or nothing."""
        most = ball(bound)
        first, second = (self._measured(family, row, which) for which in (FIRST, SECOND))
        if not self._row(family, row, [thin(value) for value in first])[1] <= most:
            return NOT_BELOW
        if not self._row(family, row, [thin(value) for value in second])[0] >= -most:
            return NOT_ABOVE
        if first != second:
            self._row(family, row, [between(min(pair), max(pair)) for pair in zip(first, second, strict=True)])
        return ""

    def sums(self, family: int) -> Iterator[arb | None]:
        """a . x of each record, if the family is a table."""
        table = self.rows.plans[family].family.table
        if table is None or table.of_intervals:
            return iter(())
        return table.sums([self.values[place][0] for place in self.rows.places[family]])

    def _fault_of_intervals(self, family: int, row: int, bound: fmpq) -> str:
        """What is wrong with the row of a record of intervals, or nothing: by each a . x and y that is possible."""
        *pairs, (low, high) = self.rows.ends(family, row)
        values = [self.certificate.values[place] for place in self.rows.places[family]]
        least, most = -high, -low
        for value, ends in zip(values, pairs, strict=True):
            products = [end * value for end in ends]
            least, most = least + min(products), most + max(products)
        return "" if least <= bound and most >= -bound else NOT_WITHIN

    def fault_of_record(self, family: int, row: int, total: arb | None, bound: fmpq) -> str:
        """What is wrong with the row of a record, or nothing: y takes its upper end, and then its lower end."""
        known = self.rows.plans[family].family
        if known.table is not None and known.table.of_intervals:
            return self._fault_of_intervals(family, row, bound)
        number = known.bindings[-1].number
        low, high = map(ball, self.certificate.problem.columns[number].ends(row))
        if total is None:
            return NOT_FINITE
        return "" if total - high <= ball(bound) and total - low >= -ball(bound) else NOT_WITHIN

    def fault_of_sum(self, group: Group, row: int, bound: fmpq) -> str:
        """What is wrong with a member whose squares are summed, or nothing."""
        total = NOTHING
        for family in group.families:
            total = add(
                total, square(self._row(family, row, [thin(value) for value in self._measured(family, row, FIRST)]))
            )
        return "" if total[1] <= ball(bound * bound) else "the sum of its squares: " + NOT_BELOW


def check_witness(certificate: Certificate, rows: Rows, deadline: Deadline) -> None:
    """Reject the certificate if its witness is none."""
    upper = certificate.upper
    if upper is None:
        return

    def bad(reason: str) -> Rejection:
        return Rejection("witness", reason, "certificate", certificate.witness_line)

    witness = _Witness(certificate, rows)
    if certificate.squares:
        try:
            total = rows.sum_of_squares(witness.values)
        except Undefined as failure:
            raise bad(str(failure)) from failure
        if not total[1] <= ball(upper):
            raise bad("the sum of squares is not proved to be at most the upper end")
        return
    for group in certificate.scope.groups:
        bound = group.bound(upper)
        for family in group.families[:1] if group.is_euclidean else group.families:
            known, sums = rows.plans[family].family, witness.sums(family)
            for row in range(known.rows):
                deadline.check()
                dot = next(sums, None)
                if group.member(family, row) in certificate.without:
                    continue
                try:
                    if known.table is not None:
                        fault = witness.fault_of_record(family, row, dot, bound)
                    elif group.is_euclidean:
                        fault = witness.fault_of_sum(group, row, bound)
                    else:
                        fault = witness.fault(family, row, bound)
                except Undefined as failure:
                    fault = str(failure)
                if fault:
                    raise bad(f"row {row} of {known.name}: {fault}")
