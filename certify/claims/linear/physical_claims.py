"""What is said of physically consistent parameters of a linear model. It is confirmed here, in exact arithmetic of this
run; a certificate stands behind the rows of the point alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.bodies.answer import CONSISTENT, INCONSISTENT, PhysicalAnswer
from certify.claims.proved_words import FEW_DIGITS, lower_text, percent_up, upper_text
from certify.problems.regressors.physical import LARGEST, Physical
from certify.regressors.identified import Identified
from certify.text.plain_table import plain_table

HERE = "confirmed here, in exact arithmetic"
HEADINGS = ("parameter", f"physically consistent ({HERE})", "of the interval's width")
ROWS = 8  # that are named


def physical_lines(answer: Identified, asked: Physical) -> list[str]:
    """What was asked, whether there are such parameters, and how far they reach where the intervals reach further."""
    told = [_meaning(answer, asked)]
    found = answer.physical
    if found is None or not asked.bodies:
        return told
    told.append(_exists(answer, found))
    if found.faces and found.verdict != INCONSISTENT:
        told += ["", _table(answer, found), ""]
        told.append(
            f"All physically consistent parameters in the search box that fit every row lie in these ({HERE}; the "
            f"weights are in result.json)."
        )
    if not found.finished:
        told.append("Not all ends of physically consistent parameters were asked for: a limit was reached.")
    return told


def _meaning(answer: Identified, asked: Physical) -> str:
    names = [name for name, sign in zip(answer.problem.names, asked.signs(), strict=True) if sign]
    box = f" The search box of these begins at 0 or above: {', '.join(names)}." if names else ""
    if not asked.bodies:
        return f"Physically consistent means that masses, inertias, friction and rotors are not negative.{box}"
    return (
        f"Physically consistent means that masses, friction and rotors are not negative, and that each body's "
        f"pseudo-inertia is positive semidefinite, with m + tr(I)/2 of at most {LARGEST} in kg and m.{box}"
    )


def _exists(answer: Identified, found: PhysicalAnswer) -> str:
    if found.verdict == CONSISTENT:
        return f"Some parameters that fit every row (witness) are physically consistent ({HERE})."
    if found.verdict == INCONSISTENT:
        unit = f" {answer.problem.unit}" if answer.problem.unit else ""
        rows = sorted(found.refuted, key=lambda pair: -abs(pair[1]))
        named = ", ".join(str(row + 1) for row in sorted(row for row, _ in rows[:ROWS]))
        more = f" and {len(rows) - ROWS} more" if len(rows) > ROWS else ""
        none = "No physically consistent parameters in the search box fit every row within its bound"
        if not found.grow:
            return f"{none} ({HERE}, by rows {named}{more} within the intervals)."
        return (
            f"{none}: all bounds must grow by more than {lower_text(found.grow)}{unit} ({HERE}, by rows {named}{more})."
        )
    return "Whether any parameters that fit every row are physically consistent is undecided."


def _table(answer: Identified, found: PhysicalAnswer) -> str:
    """A line for each parameter with an end that is nearer."""
    problem, before, box = answer.problem, answer.box, found.narrowed(answer.box)
    rows: list[Sequence[str]] = [HEADINGS]
    for j, (low, high) in enumerate(box):
        if (low, high) != before[j]:
            unit = f" {problem.units[j]}" if problem.units[j] else ""
            ends = [
                "-oo" if low is None else lower_text(low, FEW_DIGITS),
                "oo" if high is None else upper_text(high, FEW_DIGITS),
            ]
            rows.append((problem.names[j], f"{' .. '.join(ends)}{unit}", _share(before[j], (low, high))))
    return plain_table(rows)


def _share(before: tuple[Fraction | None, Fraction | None], after: tuple[Fraction | None, Fraction | None]) -> str:
    (low, high), (nearer_low, nearer_high) = before, after
    if low is None or high is None or nearer_low is None or nearer_high is None or not high > low:
        return ""
    return percent_up((nearer_high - nearer_low) / (high - low))
