"""The witness: a point with measurements for which every row is small somewhere (specification, section 5)."""

from __future__ import annotations

from flint import fmpq

from .boxes import Rows
from .certificate import Certificate
from .interval import ball, between, thin
from .outcome import Deadline, Rejection, Undefined
from .problem import Problem


def check_witness(problem: Problem, certificate: Certificate, rows: Rows, deadline: Deadline) -> None:
    """Reject the certificate if its witness is none."""
    upper = certificate.upper
    if upper is None:
        return
    most = ball(upper)
    values = [thin(value) for value in certificate.values]
    if certificate.squares:
        try:
            total = rows.sum_of_squares(values)
        except Undefined as failure:
            raise Rejection("witness", str(failure), "certificate", certificate.witness_line) from failure
        if not total[1] <= most:
            raise Rejection(
                "witness",
                "the sum of squares is not proved to be at most the upper end",
                "certificate",
                certificate.witness_line,
            )
        return
    for family, plan in rows.plans.items():
        numbers = [plan.family.bindings[k].number for k in plan.measured]
        for row in range(plan.family.rows):
            deadline.check()
            if (family, row) in certificate.without:
                continue
            first: list[fmpq] = []
            second: list[fmpq] = []
            for number in numbers:
                low, high = problem.columns[number].lower[row], problem.columns[number].upper[row]
                s, t = certificate.fractions[number][row]
                first.append(low + s * (high - low))
                second.append(low + t * (high - low))

            def bad(reason: str, name: str = plan.family.name, row: int = row) -> Rejection:
                return Rejection("witness", f"row {row} of {name}: {reason}", "certificate", certificate.witness_line)

            variables = rows.variables(family, values)
            try:
                if not plan.nodes(row, variables, [thin(value) for value in first])[-1][1] <= most:
                    raise bad("it is not proved to be at most the upper end")
                if not plan.nodes(row, variables, [thin(value) for value in second])[-1][0] >= -most:
                    raise bad("it is not proved to be at least minus the upper end")
                if first != second:
                    plan.nodes(
                        row, variables, [between(min(pair), max(pair)) for pair in zip(first, second, strict=True)]
                    )
            except Undefined as failure:
                raise bad(str(failure)) from failure
