"""Isolated zeros: each box holds exactly one by Krawczyk's operator, and all are different
(specification, section 8).
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb

from .boxes import HIGH, LOW, WHOLE, Rows
from .certificate import Box, Certificate, Zero
from .interval import NOTHING, UNIT, ZERO, Interval, add, ball, between, scaled, subtract, thin
from .outcome import Deadline, Rejection, Undefined
from .text import exact, point_ball

Ends = Sequence[tuple[arb, arb]]  # of an enclosure K: exact numbers


def _values_and_derivatives(
    rows: Rows, ranges: list[Interval], centre: list[Interval]
) -> tuple[list[Interval], list[list[Interval]]]:
    """f(c), and J over the box, row by row, of the rows that are no conditions."""
    size = len(ranges)
    values, derivatives = [], []
    for family, plan in rows.plans.items():
        if plan.measured:
            continue
        for row in range(plan.family.rows):
            rows.deadline.check()
            slopes = plan.slopes(plan.nodes(row, rows.variables(family, ranges), ()), plan.variables)
            gradient = [NOTHING] * size
            for node, place in zip(plan.variables, rows.places[family], strict=True):
                gradient[place] = add(gradient[place], slopes[node])
            derivatives.append(gradient)
            values.append(plan.nodes(row, rows.variables(family, centre), ())[-1])
    return values, derivatives


def krawczyk(
    zero: Zero, values: Sequence[Interval], derivatives: Sequence[Sequence[Interval]], deadline: Deadline
) -> list[tuple[arb, arb]]:
    """K of one zero from f(c) and J: the ends for each variable. Entry by entry with both ends, as one ball's radius
    has 30 bits only.
    """
    size = len(zero.box)
    box = [(exact(low), exact(high)) for low, high in zero.box]
    radii = [ball((high - low) / 2) for low, high in box]
    found = []
    for i in range(size):
        deadline.check()
        factors = [
            (k, point_ball(entry)) for k, entry in enumerate(zero.inverse[size * i : size * (i + 1)]) if entry[0] != 0
        ]
        step, half = NOTHING, ZERO
        for k, factor in factors:
            step = add(step, scaled(factor, values[k]))
        for j in range(size):
            entry = UNIT if i == j else NOTHING
            for k, factor in factors:
                if derivatives[k][j] is not NOTHING:
                    entry = subtract(entry, scaled(factor, derivatives[k][j]))
            half = half + (-entry[0]).max(entry[1]) * radii[j]
        centre = ball((box[i][0] + box[i][1]) / 2)
        found.append(((centre - step[1] - half).lower(), (centre - step[0] + half).upper()))
    return found


def check_enclosure(zero: Zero, ends: Ends, bounds: Box) -> str:
    """What is wrong with K, or nothing: it must lie in the interior of its box, and within the bounds."""
    for (low, high), (first, last) in zip(zero.box, ends, strict=True):
        if not (point_ball(low) < first and last < point_ball(high)):
            return "Krawczyk's operator does not map its box into the interior"
    for (lowest, highest), (first, last) in zip(bounds, ends, strict=True):
        if not (ball(lowest) <= first and last <= ball(highest)):
            return "it may lie outside the problem's box"
    return ""


def check_conditions(rows: Rows, ends: Ends) -> str:
    """What is wrong with the conditions on K, or nothing: each row must be defined there for all its measurements, and
    cross 0 between their lower and their upper ends, at every point of K.
    """
    values = list(ends)
    for family, plan in rows.plans.items():
        if not plan.measured:
            continue
        variables = rows.variables(family, values)
        for row in range(plan.family.rows):
            rows.deadline.check()
            choices = rows.measured(family, row).choices
            first, _, last = (
                plan.nodes(row, variables, [choice[which] for choice in choices])[-1] for which in (LOW, WHOLE, HIGH)
            )
            if not ((first[1] <= ZERO and last[0] >= ZERO) or (last[1] <= ZERO and first[0] >= ZERO)):
                return f"the condition {row} of {plan.family.name} may not hold there"
    return ""


def check_zeros(certificate: Certificate, rows: Rows, deadline: Deadline) -> list[Ends]:
    """Where the zeros are; reject the certificate if one of them is not proved, or two might be the same."""
    if certificate.zeros is None:
        return []
    found: list[Ends] = []
    for number, zero in enumerate(certificate.isolated):
        deadline.check()

        def bad(reason: str, number: int = number, line: int = zero.line) -> Rejection:
            return Rejection("isolated", f"zero {number}: {reason}", "certificate", line)

        for low, high in zero.box:
            if not exact(low) < exact(high):
                raise bad("a lower end is not below the upper end")
        try:
            box = [(exact(low), exact(high)) for low, high in zero.box]
            centre = [thin((low + high) / 2) for low, high in box]
            values, derivatives = _values_and_derivatives(rows, [between(low, high) for low, high in box], centre)
            ends = tuple(krawczyk(zero, values, derivatives, deadline))
            reason = check_enclosure(zero, ends, certificate.bounds) or check_conditions(rows, ends)
        except Undefined as failure:
            raise bad(str(failure)) from failure
        if reason:
            raise bad(reason)
        found.append(ends)
    _check_different(found, certificate.isolated, deadline)
    return found


def _check_different(found: Sequence[Ends], zeros: Sequence[Zero], deadline: Deadline) -> None:
    """Any two enclosures are disjoint. Groups are cut along one variable after the other where there is a gap, and what
    stays together is compared pair by pair.
    """
    size = len(found[0]) if found else 0
    groups = [(list(range(len(found))), 0, 0)]  # numbers, the variable to cut along, how many variables gave no cut
    while groups:
        deadline.check()
        numbers, variable, tried = groups.pop()
        if len(numbers) < 2:
            continue
        if tried == size:
            _check_pairs(numbers, found, zeros, deadline)
            continue
        parts = _cut(numbers, variable, found)
        following = (variable + 1) % size
        groups += [(part, following, tried + 1 if len(parts) == 1 else 0) for part in parts]


def _cut(numbers: list[int], variable: int, found: Sequence[Ends]) -> list[list[int]]:
    """The groups of enclosures between the gaps along one variable."""
    ordered = sorted(numbers, key=lambda number: found[number][variable][0])
    parts = [[ordered[0]]]
    reach = found[ordered[0]][variable][1]
    for number in ordered[1:]:
        low, high = found[number][variable]
        if reach < low:
            parts.append([number])
            reach = high
        else:
            parts[-1].append(number)
            reach = high if reach < high else reach
    return parts


def _check_pairs(numbers: list[int], found: Sequence[Ends], zeros: Sequence[Zero], deadline: Deadline) -> None:
    for place, number in enumerate(numbers):
        deadline.check()
        for other in numbers[:place]:
            pairs = zip(found[number], found[other], strict=True)
            if not any(a_high < b_low or b_high < a_low for (a_low, a_high), (b_low, b_high) in pairs):
                raise Rejection(
                    "isolated", f"zeros {other} and {number} may be the same", "certificate", zeros[number].line
                )
