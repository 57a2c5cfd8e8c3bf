"""What is said of linear models: of the solutions of an interval linear system, and of parameters identified from rows
that are linear in them. Of records as they stand after the check; upper ends are rounded up, lower ones down.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.claims.linear.identified_lines import identified_lines
from certify.claims.proved_words import BY_ENGINE, FEW_DIGITS, NOTHING, lower_text, percent_up, upper_text
from certify.contractors.linear.linear_system import LinearVerdict
from certify.contractors.tape.evaluation import Floats
from certify.records.verdicts import Verdict
from certify.regressors.closed_form import ClosedForm, width_ratio
from certify.regressors.identified import HULL, Face, Identified
from certify.solvers.limits import Stopped
from certify.solvers.regressors.triangle import NOTICED
from certify.text.plain_table import plain_table

REMEDY = "narrower entries, more equations, or a box of the solutions that matter (box=...) may help"


def linear_sentence(verdict: LinearVerdict, proof: str, within: bool, ray: tuple[Floats, Floats] | None) -> str:
    """The verdict as a sentence; `within` says whether a box was given."""
    which = "every solution in the box that was given" if within else "every solution"
    if verdict is LinearVerdict.EMPTY:
        return f"there is no solution{' in the box that was given' if within else ''} ({proof})"
    if ray is not None:
        point, direction = (f"({', '.join(repr(float(value)) for value in values)})" for values in ray)
        return (
            f"the solutions have no bounds. From {point} on along {direction} all points are solutions, as a "
            f"matrix within the ends takes this direction to 0; {REMEDY}. Every solution lies in this box"
        )
    if verdict is LinearVerdict.NOT_PROVED:
        known = f"it is not known whether the solutions have bounds ({proof}); {REMEDY}"
        return f"{known}. {which[0].upper()}{which[1:]} lies in this box"
    return f"{which}, for any choice of the entries, lies in this box ({proof})"


ROWS = 8  # that are named in a sentence
HEADINGS = ("parameter", "interval", "identified?", "least squares (estimated)", "rows")


def identified_table(answer: Identified) -> str:
    """A line for each parameter of a linear model: its interval, whether 0 is outside of it, the fit, and how many rows
    prove it.
    """
    return plain_table(identified_rows(answer))


def identified_rows(answer: Identified) -> list[Sequence[str]]:
    """The same as cells, the heading first."""
    return [HEADINGS, *(_parameter(answer, j) for j in range(answer.problem.size))]


def _parameter(answer: Identified, j: int) -> tuple[str, ...]:
    problem, (low, high) = answer.problem, answer.box[j]
    unit = f" {problem.units[j]}" if problem.units[j] else ""
    rows = {row for face in answer.faces if face.parameter == j for row in face.rows}
    estimate = f"{answer.estimate[j]:.7g}{unit}" if answer.estimate else ""
    return (
        problem.names[j],
        _interval(low, high, unit, bool(rows)),
        _identified(answer, j),
        estimate,
        str(len(rows) or ""),
    )


def _interval(low: Fraction | None, high: Fraction | None, unit: str, measured: bool) -> str:
    if low is None and high is None:
        return NOTHING
    source = "proved" if measured else "given"
    ends = [
        "-oo" if low is None else lower_text(low, FEW_DIGITS),
        "oo" if high is None else upper_text(high, FEW_DIGITS),
    ]
    return f"{' .. '.join(ends)}{unit} ({source})"


def _identified(answer: Identified, j: int) -> str:
    low, high = answer.box[j]
    if answer.verdict is not Verdict.ADEQUATE:
        return ""
    if low is None or high is None:
        return "no: nothing bounds it"
    if answer.is_identified(j):
        return "yes"
    return "no: 0 is in its interval" if low <= 0 <= high else "no: 0 is outside by what was given"


def identified_sentences(answer: Identified) -> list[str]:
    """What is known beside the table."""
    told = [
        *_meaning(answer),
        _fits(answer),
        *_factor(answer),
        *_half_widths(answer),
        *_least_squares(answer),
        *_intervals(answer),
        *identified_lines(answer),
        *_open(answer),
    ]
    if answer.stopped is not Stopped.FINISHED:
        told.append(f"Not everything was found: {answer.stopped.value}.")
    return told


def _more(value: Fraction, answer: Identified, up: bool = True) -> str:
    unit = f" {answer.problem.unit}" if answer.problem.unit else ""
    return f"{upper_text(value) if up else lower_text(value)}{unit}"


def _fits(answer: Identified) -> str:
    lower, upper = answer.error.lower, answer.error.upper
    if answer.verdict is Verdict.ADEQUATE:
        return "Some parameters fit every row within its bound (witness)."
    if answer.verdict is Verdict.INADEQUATE:
        enough = "" if upper is None else f"; with {_more(upper, answer)} more some do (witness)"
        return (
            f"No parameters in the search box fit every row within its bound: all bounds must grow by more than "
            f"{_more(lower, answer, False)} (proved, by {_rows(answer.error.rows)}){enough}."
        )
    enough = "" if upper is None else f" With {_more(upper, answer)} more some do (witness)."
    return f"Whether any parameters fit every row within its bound is undecided.{enough}"


def _rows(rows: Sequence[int]) -> str:
    """Rows counted from 1."""
    numbers = [str(row + 1) for row in sorted(rows)]
    more = f" and {len(numbers) - ROWS} more" if len(numbers) > ROWS else ""
    return f"row{'s' if len(numbers) > 1 else ''} {', '.join(numbers[:ROWS])}{more}"


def _meaning(answer: Identified) -> list[str]:
    """What it means to fit where coefficients are intervals."""
    if not answer.problem.has_ends:
        return []
    return [
        "Entries of W are known within half-widths: parameters fit if for some W within them, each entry for itself, "
        "they fit every row."
    ]


def _half_widths(answer: Identified) -> list[str]:
    """The factors on half-widths where coefficients are intervals: on all of them, and on those of W alone."""
    if not answer.problem.has_ends:
        return []
    told = []
    for needed, what in (
        (answer.factor, "all half-widths, of W and of the bounds,"),
        (answer.half_widths, "the half-widths of W alone"),
    ):
        if needed is not None and needed.lower:
            rows = _rows(needed.rows)
            told.append(f"With {what} times {lower_text(needed.lower)} no parameters fit (proved, by {rows}).")
        if needed is not None and needed.upper is not None:
            told.append(f"With {what} times {upper_text(needed.upper)} some do (witness).")
        elif needed is not None:
            told.append(f"Whether some do with a larger factor on {what.rstrip(',')} is undecided.")
    return told


def _factor(answer: Identified) -> list[str]:
    """The factor on all bounds; where they are one number, the smallest bound."""
    if answer.problem.has_ends:
        return []
    factor, base = answer.factor, answer.problem.base
    if factor is None or (not factor.lower and factor.upper is None):
        return []
    told = []
    if factor.lower:
        bound = f", that is with a bound of {_more(factor.lower * base, answer, False)}" if base else ""
        told.append(
            f"With all bounds times {lower_text(factor.lower)} no parameters fit every row (proved, by "
            f"{_rows(factor.rows)}){bound}."
        )
    if factor.upper is not None:
        bound = f", that is with a bound of {_more(factor.upper * base, answer)}" if base else ""
        told.append(f"With all bounds times {upper_text(factor.upper)} some do (witness){bound}.")
    return told


def _least_squares(answer: Identified) -> list[str]:
    fit = answer.fit
    if fit is None:
        return []
    if fit.upper == 0:
        return ["The least-squares values fit every row within its bound (witness)."]
    told = []
    if fit.lower:
        told.append(
            f"The least-squares values do not fit every row: {_rows(fit.rows)} needs a bound that is larger by more "
            f"than "
            f"{_more(fit.lower, answer, False)} (proved)."
        )
    if fit.upper is not None:
        told.append(f"With bounds that are larger by {_more(fit.upper, answer)} they do (witness).")
    return told


def _intervals(answer: Identified) -> list[str]:
    """What the intervals mean, and how near their ends are to parameters that fit."""
    if not answer.faces:
        return []
    rows = {row for face in answer.faces for row in face.rows}
    told = [
        f"Intervals: all parameters in the search box that fit every row lie in them ({HULL}.cert, by {len(rows)} of "
        f"{answer.problem.rows} rows)."
    ]
    gaps = [gap for face in answer.faces if (gap := _gap(answer, face)) is not None]
    if len(gaps) == len(answer.faces):
        told.append(
            f"Parameters that fit come within {percent_up(max(gaps))} of each interval's width of its ends "
            f"({BY_ENGINE})."
        )
    return told


def _gap(answer: Identified, face: Face) -> Fraction | None:
    low, high = answer.box[face.parameter]
    if face.reached is None or low is None or high is None or low == high:
        return None
    return abs(face.sign * face.at - face.reached) / (high - low)


def closed_form_lines(answer: Identified, found: ClosedForm | None) -> list[str]:
    """A table of the closed form beside the intervals, and what it means."""
    if found is None:
        return ["Closed form: none, as the rows leave a direction open (estimated)."]
    rows: list[Sequence[str]] = [("parameter", "closed form", "times as wide", "narrowed by the rows", "times as wide")]
    for j, name in enumerate(answer.problem.names):
        cells: list[str] = [name]
        for ends in (found.box, found.narrowed):
            if not ends:
                cells += ["empty", ""]
                continue
            low, high = map(Fraction, ends[j])
            ratio = width_ratio(ends[j], answer.box[j]) if answer.faces else None
            unit = f" {answer.problem.units[j]}" if answer.problem.units[j] else ""
            cells += [f"{lower_text(low, FEW_DIGITS)} .. {upper_text(high, FEW_DIGITS)}{unit}"]
            cells += ["" if ratio is None else f"{ratio:.2f}"]
        rows.append(cells)
    return [
        plain_table(rows),
        "",
        f"Closed form: all parameters that fit every row lie in it ({BY_ENGINE}). {_what_it_is(answer)} Narrowed: "
        f"those of the search box that fit lie in it ({BY_ENGINE}).",
    ]


def _what_it_is(answer: Identified) -> str:
    """What is around what."""
    if answer.problem.has_ends:
        return "It is one step of preconditioned Gauss-Seidel from intervals of W, around the fit of their middles."
    return "Up to rounding it is the box of the least-squares values of all measurements within their bounds."


def _open(answer: Identified) -> list[str]:
    """Parameters without ends, why, and the box that stands for none."""
    told, names = [], answer.problem.names
    for direction in answer.directions:
        parts = [f"{x:+.3g} {name}" for x, name in zip(direction, names, strict=True) if abs(x) > NOTICED]
        told.append(
            f"The rows leave a direction open (estimated): {' '.join(parts)}. Rows that excite it, or a prior range "
            f"of one of these parameters, would close it."
        )
    pairs = zip(names, answer.problem.bounds, strict=True)
    free = [name for name, pair in pairs if None in pair]
    if free and answer.problem.has_ends:
        ends = {name: max(map(abs, pair)) for name, pair in zip(names, answer.problem.box, strict=True)}
        where = ", ".join(f"{name} at {float(ends[name]):.0e}" for name in free)
        told.append(f"Where no prior end was given the search box ends far off: {where}.")
    elif free:
        told.append(f"Where no prior end was given the search box ends at 10^100: {', '.join(free)}.")
    return told
