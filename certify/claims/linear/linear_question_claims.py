"""What is said of the further questions about a linear model, of records as they stand after the check."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from certify.claims.proved_words import (
    BY_ENGINE,
    FEW_DIGITS,
    FEWEST_DIGITS,
    NOTHING,
    lower_text,
    percent_up,
    upper_text,
)
from certify.linear_questions.further import Further
from certify.linear_questions.given_values import GivenValues, Judged
from certify.linear_questions.outliers import Outliers
from certify.linear_questions.polytope.slanted import Axis, Slanted
from certify.linear_questions.relaxed_hull import RelaxedFace, RelaxedHull
from certify.linear_questions.widths import Rung, Widths
from certify.solvers.limits import Stopped
from certify.text.decimals import judged_number, round_up, show
from certify.text.plain_table import plain_table

Ends = tuple[Fraction | None, Fraction | None]


def further_lines(found: Further) -> list[str]:
    """A table where there is one, and sentences."""
    told = ["unknown question"]
    if isinstance(found, Outliers):
        told = _outliers(found)
    elif isinstance(found, RelaxedHull):
        told = _relaxed(found)
    elif isinstance(found, Widths):
        told = _widths(found)
    elif isinstance(found, Slanted):
        told = _slanted(found)
    elif isinstance(found, GivenValues):
        told = [line for one in found.judged for line in _given(found, one)]
    if found.stopped is not Stopped.FINISHED:
        told.append(f"Not everything was found ({found.key}): {found.stopped.value}.")
    return told


def rows_named(rows: Sequence[int]) -> str:
    """All of them, counted from 1."""
    if len(rows) == 1:
        return f"row {rows[0] + 1}"
    names = [str(row + 1) for row in sorted(rows)]
    return f"rows {', '.join(names[:-1])} and {names[-1]}"


def _count(number: int) -> str:
    return f"{number} row" if number == 1 else f"{number} rows"


def _outliers(found: Outliers) -> list[str]:
    if found.rows == ():
        return ["Outliers: no row has to be left out, some parameters fit every row (witness)."]
    told = []
    if found.fewest:
        told.append(
            f"Outliers: at least {_count(found.fewest)} must be left out for any parameters in the search box to fit "
            f"all others (proved, {_by_conflicts(found)})."
        )
    if found.rows is None:
        return told or ["Outliers: which rows would have to be left out is not known."]
    exactly = ", so no choice of fewer does" if len(found.rows) == found.fewest else ""
    told.append(
        f"Outliers: without {rows_named(found.rows)} ({len(found.rows)} in all) some parameters fit all others "
        f"(witness){exactly}; another choice of as many may do so, too."
    )
    return told


def _by_conflicts(found: Outliers) -> str:
    if found.by_parts:
        return f"in each of {len(found.by_parts)} parts of it by sets of rows that contradict each other there"
    if len(found.conflicts) == 1:
        return "by 1 set of rows that contradict each other"
    return f"by {len(found.conflicts)} sets of rows that contradict each other"


def _relaxed(found: RelaxedHull) -> list[str]:
    count = _count(found.count)
    if found.nobody:
        return [f"In spite of {count}: no parameters in the search box fit all rows but at most {count} (proved)."]
    if not found.faces:
        return [f"In spite of {count}: no interval was found."]
    faces = {(face.parameter, face.sign): face for face in found.faces}
    table = [("parameter", f"in spite of {count}", "ends are reached without rows")]
    for j, (name, unit, ends) in enumerate(zip(found.problem.names, found.problem.units, found.box, strict=True)):
        pair = [faces.get((j, sign)) for sign in (-1, 1)]
        table.append((name, _interval(ends, unit, any(pair)), " / ".join(_without(face) for face in pair)))
    gaps = [gap for face in found.faces if (gap := _gap(found, face)) is not None]
    told = [
        plain_table(table),
        "",
        f"In spite of {count}: all parameters in the search box that fit all rows but at most {count}, whichever these "
        f"are, lie in these intervals (relaxed-{found.count}.cert).",
    ]
    if len(gaps) == len(found.faces):
        told.append(
            f"Such parameters come within {percent_up(max(gaps))} of each interval's width of its ends ({BY_ENGINE})."
        )
    return told


def _interval(ends: Ends, unit: str, proved: bool) -> str:
    if ends == (None, None):
        return NOTHING
    low = "-oo" if ends[0] is None else lower_text(ends[0], FEW_DIGITS)
    high = "oo" if ends[1] is None else upper_text(ends[1], FEW_DIGITS)
    return f"{low} .. {high}{f' {unit}' if unit else ''} ({'proved' if proved else 'given'})"


def _without(face: RelaxedFace | None) -> str:
    if face is None or face.reached is None:
        return "?"
    return ", ".join(str(row + 1) for row in face.dropped) or "-"


def _gap(found: RelaxedHull, face: RelaxedFace) -> Fraction | None:
    low, high = found.box[face.parameter]
    if face.reached is None or low is None or high is None or low == high:
        return None
    return abs(face.sign * face.at - face.reached) / (high - low)


SHOWN = 5  # rungs whose widths stand in the table
PLOT_TITLE = "intervals by the bound: outside no parameters in the search box fit (proved); dashed: least squares"
INTERVAL_TITLE = (
    "where parameters of the search box are that fit every row (proved); diamonds: least squares (estimated)"
)


def _widths(found: Widths) -> list[str]:
    """How wide the intervals are at some of the rungs."""
    if not found.rungs:
        return ["Widths: none were found."]
    shown = found.rungs
    if len(shown) > SHOWN:
        places = {round(k * (len(shown) - 1) / (SHOWN - 1)) for k in range(SHOWN)}
        shown = tuple(rung for k, rung in enumerate(shown) if k in places or rung.factor == 1)
    table = [("width at", *(bound_text(found, rung) for rung in shown))]
    for j, name in enumerate(found.problem.names):
        unit = found.problem.units[j]
        widths = [rung.width(j) for rung in shown]
        cells = (NOTHING if width is None else upper_text(width, FEWEST_DIGITS) for width in widths)
        table.append((f"{name}{f' [{unit}]' if unit else ''}", *cells))
    first, last = (bound_text(found, rung) for rung in (found.rungs[0], found.rungs[-1]))
    return [
        plain_table(table),
        "",
        f"Widths: for {len(found.rungs)} bounds from {first} to {last} all parameters in the search box that fit every "
        f"row within them lie in intervals of these widths (proved, widths-01.cert and on).",
        *(["Times: of all half-widths, those of W and the bounds."] if found.problem.has_ends else []),
    ]


def bound_text(found: Widths, rung: Rung) -> str:
    """A rung's bound in words, rounded down, as the interval of a larger one holds for it, too: with its unit, or as a
    factor where rows have bounds of their own, or columns of W half-widths.
    """
    bound = found.bound(rung)
    if bound is None:
        return f"{lower_text(rung.factor, FEW_DIGITS)} times"
    unit = f" {found.problem.unit}" if found.problem.unit else ""
    return f"{lower_text(bound, FEW_DIGITS)}{unit}"


SMALL = Fraction(1, 100)  # of the largest part of an axis: a smaller one is not shown
NAMED = 6  # parts that are shown


def _slanted(found: Slanted) -> list[str]:
    """How narrow what fits is along each axis, and the volume."""
    if not found.axes:
        return ["Polytope: no half-spaces were found; they need intervals with both ends for all parameters."]
    table = [("axis", "of the box", "along (coefficients rounded)")]
    for number, axis in enumerate(found.axes, 1):
        table.append((str(number), percent_up(axis.share), _combination(found, axis)))
    told = [
        plain_table(table),
        "",
        "Polytope: all parameters in the search box that fit every row also lie between two half-spaces along each "
        "axis, so far apart in parts of what the box of the intervals allows there (proved, polytope.cert; result.json "
        "has the exact coefficients and ends).",
    ]
    if found.volume is not None:
        share = f", {percent_up(found.volume / found.box_volume)} of the box's" if found.box_volume else ""
        told.append(
            f"The volume that box and half-spaces leave is at most {_short(found.volume)} in the product of the "
            f"parameters' units{share} ({BY_ENGINE})."
        )
    if found.estimated_share is not None:
        told.append(f"Box and half-spaces leave {found.estimated_share:.2g} of the box's volume (estimated).")
    return told


def _short(value: Fraction) -> str:
    """Rounded up, with a power of ten where many zeros would stand there."""
    rounded = round_up(value, FEWEST_DIGITS) if value else value
    plain = not rounded or Fraction(1, 1000) <= rounded < 10**6
    return show(rounded) if plain else f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):.3e}"


def _combination(found: Slanted, axis: Axis) -> str:
    """The parameters whose parts matter, in units of what the box leaves them."""
    parts = [abs(a) * (high - low) for a, (low, high) in zip(axis.coefficients, found.box, strict=True)]
    named = zip(parts, axis.coefficients, found.problem.names, strict=True)
    least = max(SMALL * max(parts), sorted(parts)[-NAMED] if len(parts) > NAMED else Fraction(0))
    shown = [f"{float(a):+.3g} {name}" for part, a, name in named if part >= least and part]
    return " ".join(shown if len(shown) == len(parts) else [*shown, "..."])


CALLED = {
    "given": "The given values",
    "weighted": "The weighted least-squares values (estimated)",
    "LS": "The values of least squares on filtered readings (estimated)",
    "GM": "The values of Gauss and Markov's estimator (estimated)",
    "ML": "The values of maximum likelihood (estimated)",
}


def _given(found: GivenValues, one: Judged) -> list[str]:
    """Whether given parameters fit, and which bound would make them."""
    problem, called = found.problem, CALLED[one.name]
    unit = f" {problem.unit}" if problem.unit else ""
    pairs = zip(problem.names, one.point, problem.units, strict=True)
    told = [f"{called}: " + ", ".join(f"{name} {judged_number(x)}{f' {u}' if u else ''}" for name, x, u in pairs) + "."]
    if one.outside:
        return [*told, f"{called} lie outside of a prior range, so that they are not judged."]
    needed = one.needed
    if needed.upper == 0:
        return [*told, f"{called} fit every row within its bound (witness)."]
    if needed.lower:
        told.append(
            f"{called} do not fit every row: {rows_named(needed.rows)} needs a bound that is larger by more than "
            f"{lower_text(needed.lower)}{unit} (proved)."
        )
    if needed.upper is not None:
        told.append(
            f"{called} fit every row with bounds that are larger by {upper_text(needed.upper)}{unit} (witness)."
        )
    return told
