"""The one place whose words say that something is proved.

A sentence here is made from a part's record as it stands after the check of its certificates (`Part.standing`): a claim
that the checker did not confirm is undecided before it is told. Ends are rounded outwards, gaps up. Three words are
kept apart:

    proved, verified    there is a certificate, and the checker, a separate process, has accepted it
    by the engine's ... outward-rounded arithmetic, which is one program that nobody has checked in this run
    confirmed here      by this run, in the checker's arithmetic, without a certificate of its own
    estimated           by floating-point numbers; nothing follows
"""

from __future__ import annotations

from collections.abc import Sequence, Sized
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Protocol

from certify.checks.checking import Check
from certify.parts.hulls import Enclosed
from certify.parts.polytope import Polytope
from certify.parts.scopes import TOGETHER
from certify.questions.discards import Discards
from certify.questions.least_squares import Minimum
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import LIMITS, Stopped
from certify.solvers.shapes.shape_bound import Because
from certify.text.decimals import round_down, round_up, show

DIGITS, FEW_DIGITS, FEWEST_DIGITS = 12, 7, 4
LEAST_DOUBLE = Fraction(1, 10**300)  # with all of its digits
UNDECIDED, NOTHING, NONE = "undecided", "not known", "none"
NOWHERE_ELSE, PROVED_GAIN = ": none outside these intervals (proved)", "proved gain"
NO_WITNESS = "no witness"
REFUTED, POSSIBLE = (
    "refuted: no parameters fit within this error (proved)",
    "some parameters fit within this error (witness)",
)
FIT_NEEDS, FIT_CONSISTENT = (
    "least squares needs more than this (proved)",
    "least squares fits every measurement (witness)",
)
DRAWN_DIGITS = 6
PLAIN_SQUARE = "1^2"  # of plain numbers, whose unit is not told
BY_ENGINE = "by the engine's outward-rounded arithmetic"
QUESTIONS = "Proved, for intervals as in poses.csv and within {} mm of x_c:"
WITHOUT_CERTIFICATE = "(computed in outward rounding, without a certificate)"


def lower_text(value: Fraction, digits: int = DIGITS) -> str:
    """A proved lower end."""
    return show(round_down(value, digits)) if value else "0"


def upper_text(value: Fraction, digits: int = DIGITS) -> str:
    """A proved upper end."""
    return show(round_up(value, digits)) if value else "0"


def ends_text(ends: tuple[Fraction, Fraction | None], unit: str, digits: int = DIGITS) -> str:
    """The interval in which a model error is proved to lie."""
    lower, upper = ends
    if upper is None:
        return f">= {lower_text(lower, digits)} {unit}" if lower else NOTHING
    return f"{lower_text(lower, digits)} .. {upper_text(upper, digits)} {unit}" if upper else f"0 {unit}"


def band(part: Part) -> str:
    """What is proved of the smallest model error of a part: its interval, or on which side of the one that was asked it
    lies.
    """
    lower, upper = part.epsilon
    if part.verdict is Verdict.INFEASIBLE:
        return f"> {lower_text(lower)} {part.unit}"
    if part.verdict is Verdict.FEASIBLE and upper is not None:
        return f"<= {upper_text(upper)} {part.unit}"
    return ends_text(part.epsilon, part.unit)


def least_largest(part: Part) -> str:
    """Both ends of the least possible largest |residual| of a fit, as they stand after the check."""
    stands = bool(part.epsilon[0]) or part.epsilon[1] is not None
    ends = f"{ends_text(part.epsilon, part.unit)} (proved)" if stands else "not known"
    return f"least possible largest |residual|: {ends}"


def ends_drawn(part: Part) -> str:
    """Both ends as they stand at a bar of the picture."""
    lower, upper = part.epsilon
    if not upper:
        return "0"
    high = upper_text(upper, DRAWN_DIGITS)
    return f"{lower_text(lower, DRAWN_DIGITS)}\nto {high}" if lower else f"<= {high}"


def gap_text(part: Part) -> str:
    """The relative gap between both ends, rounded up; empty where it has no meaning."""
    lower, upper = part.epsilon
    if not upper or part.verdict is Verdict.FEASIBLE:
        return ""
    return f"{float(round_up((upper - lower) / upper, 2)) if upper > lower else 0.0:.1e}"


def share_up(share: Fraction) -> str:
    """A share of a whole with three digits, rounded up, however small it is: what doubles lose is not nothing."""
    rounded = round_up(share, 3) if share else share
    if not rounded or rounded >= Fraction(1, 1000):
        return show(rounded)
    if rounded < LEAST_DOUBLE:
        return f"{Decimal(rounded.numerator) / Decimal(rounded.denominator):.2e}"
    return f"{float(rounded):.2e}"


def nothing_here(projected: bool, everywhere: bool, premise: str = "") -> str:
    """What the white parts of a system's picture mean; a premise is a line of its own."""
    rest = ", nor elsewhere in the domain" if everywhere else ""
    word = f"{BY_ENGINE},\n{premise}" if premise else BY_ENGINE
    return f"no solution{' projects' if projected else ''} here{rest} ({word})"


def percent_up(share: float | Fraction) -> str:
    """A share as a percentage with two places, rounded up."""
    hundredths = ceil(Fraction(share) * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02}%"


def percent_down(share: Fraction) -> str:
    """A share as a whole percentage, rounded down."""
    return f"{floor(100 * share)}%"


def any_value(part: Part) -> str:
    """Whether any value in the box explains every measurement."""
    return {
        Verdict.ADEQUATE: "yes (witness)",
        Verdict.INADEQUATE: "no (proved)",
        Verdict.FEASIBLE: "within epsilon (witness)",
        Verdict.INFEASIBLE: "no (proved)",
    }.get(part.verdict, UNDECIDED)


def this_value(part: Part | None) -> str:
    """Whether a given value of the parameters, such as a fit, explains every measurement, and what it needs if it does
    not.
    """
    if part is None:
        return ""
    lower, upper = part.epsilon
    if upper == 0:
        return "yes (witness)"
    if lower > 0:
        return f"no: needs > {lower_text(lower, FEW_DIGITS)} {part.unit} (proved)"
    return (
        UNDECIDED if upper is None else f"{UNDECIDED}: needs <= {upper_text(upper, FEW_DIGITS)} {part.unit} (witness)"
    )


def nearly(part: Part) -> list[str]:
    """What a witness says where it is not known whether any value explains every measurement exactly."""
    lower, upper = part.epsilon
    if part.verdict is not Verdict.UNDECIDED or upper is None or lower > 0:
        return []
    within = (
        f"{part.name}: some value explains all its measurements within {upper_text(upper)} {part.unit} "
        f"(proved, by a witness)"
    )
    return [f"{within}; whether one does exactly is not known."]


def certificate_text(part: Part, checks: Sequence[Check]) -> str:
    """What became of a part's certificate."""
    check = next((check for check in checks if check.certificate == f"{part.name}.cert"), None)
    return NONE if check is None else "verified" if check.verified else f"NOT VERIFIED ({check.message})"


def counted_checks(checks: Sequence[Check]) -> str:
    """How many certificates the checker has accepted."""
    verified = sum(check.verified for check in checks)
    return f"{verified} of {len(checks)} certificates verified by a separate process"


def proved_words(checks: Sequence[Check]) -> str:
    """How many certificates the checker that is proved in Coq has accepted, of those that it was asked about."""
    accepted = sum(check.verified for check in checks)
    return (
        f"The checker that is proved in Coq was asked, too, and has accepted {accepted} of {len(checks)} certificates"
        f"{'.' if accepted == len(checks) else '; of the others it says:'}"
    )


def stopped_lines(parts: Sequence[Part]) -> list[str]:
    """Why searches ended before they were done, and what else stood in their way."""
    return [
        f"{part.name}: {_reasons(part)}." for part in parts if part.stopped is not Stopped.FINISHED or part.obstacles
    ]


def _reasons(part: Part) -> str:
    reasons = [why.value for why in (part.stopped, *part.obstacles) if why is not Stopped.FINISHED]
    return "; ".join([*reasons, *([] if part.begun else ["not begun"])])


def ended_early(parts: Sequence[Part], seconds: float) -> list[str]:
    """How far a run came that a limit has ended: which parts were done, begun, and not begun."""
    why = next(
        (
            limit
            for limit in (Stopped.INTERRUPTED, Stopped.MEMORY, Stopped.TIME)
            if any(part.stopped is limit for part in parts)
        ),
        None,
    )
    if why is None:
        return []
    unchecked = [part.name for part in parts if part.stopped is Stopped.UNCHECKED]
    done = [part.name for part in parts if part.stopped not in (*LIMITS, Stopped.UNCHECKED)]
    open_ends = [
        f"{part.name} {ends_text(part.epsilon, part.unit, FEW_DIGITS)} so far"
        for part in parts
        if part.stopped in LIMITS and part.begun
    ]
    waiting = [part.name for part in parts if part.stopped in LIMITS and not part.begun]
    told = [f"{', '.join(done)} done"] if done else []
    told += [f"{', '.join(unchecked)} searched, not checked"] if unchecked else []
    told += open_ends + ([f"{', '.join(waiting)} not begun"] if waiting else [])
    return [f"{why.value} after {seconds:.0f} s: {'; '.join(told)}."]


def little_said(name: str, rows: int, counted: str, unknowns: int) -> str:
    """That a part cannot but be adequate."""
    return f"{name}: {rows} {counted} for {unknowns} parameters can hardly contradict any model; 'yes' says little."


def enclosed_lines(part: Enclosed) -> list[str]:
    """What is said of a part's hull beside its table."""
    told = []
    if part.verdict is Verdict.INFEASIBLE:
        told.append(f"{part.name}: no value at all is consistent (proved).")
    elif part.verdict is Verdict.UNDECIDED:
        told.append(f"{part.name}: no consistent value is proved, so there may be none; {part.stopped.value}.")
    principal = part.polytope is not None and not any(axis.name for axis in part.polytope.axes)
    told += [_half_spaces(part.name, part.polytope)] if part.polytope is not None and principal else []
    if part.box is not None and part.verdict is Verdict.ENCLOSED and part.stopped is not Stopped.FINISHED:
        reasons = sorted({face.stopped.value for pair in part.box.faces for face in pair} - {Stopped.FINISHED.value})
        told.append(f"{part.name}: some ends could not be brought nearer to a witness: {'; '.join(reasons)}.")
    return told


def _half_spaces(name: str, polytope: Polytope) -> str:
    gap = percent_up(max(axis.gap for axis in polytope.axes))
    count = (
        f"{2 * len(polytope.axes)} half-spaces along the principal axes (proved; witnesses within {gap} "
        f"of them, confirmed here)"
    )
    return f"{name}: {count} leave about {polytope.estimated_share:.2g} of the box's volume (estimated)."


def gap_of_hulls() -> str:
    """What the column of gaps means."""
    return (
        "gap: from an end to a parameter vector that is consistent (confirmed here), at most, in parts "
        "of the interval's width"
    )


def together_note(parts: Sequence[Part]) -> str:
    """What is said about the hull of all parts together, which is not searched for."""
    empty = [part.name for part in parts if part.verdict is Verdict.INFEASIBLE]
    if empty:
        return f"{TOGETHER}: no value at all is consistent, because none is for {', '.join(empty)} (proved)."
    return (
        f"{TOGETHER}: its hull is that of each part; one realisation of the measurements that the parts "
        f"share can only make it smaller "
        "(the proved ends hold; the witnesses are each part's own)."
    )


def minimum_line(part: Minimum, digits: int = 9, continued: bool = False, plain: bool = False) -> str:
    """What a least-squares fit is worth; `continued` where another line says what is known elsewhere, `plain` where
    the unit of plain numbers is not told.
    """
    told = {
        Verdict.GLOBAL_MINIMUM: "the only global minimum in the search box (proved)",
        Verdict.LOCAL_MINIMUM: "a minimum, alone in a small box around it (proved); elsewhere nothing is",
    }.get(part.verdict, "nothing is proved")
    value = part.epsilon[1]
    if value is not None:
        fewest = min(part.digits.values(), default=0)
        unit = "" if plain and part.unit == PLAIN_SQUARE else f" {part.unit}"
        told += f", sum of squares <= {upper_text(value, digits)}{unit} (proved)"
        told += (
            f"; at least {fewest} significant digits of the fit in the box ('estimate' in the record) are "
            f"true (confirmed here)"
        )
    if continued and part.verdict is Verdict.LOCAL_MINIMUM:
        return f"{part.name}: {told.replace('; elsewhere nothing is', '')}."
    return f"{part.name}: {told}.{_why(part)}"


class SearchedBox(Protocol):
    """What branch and bound found in a search box."""

    @property
    def finished(self) -> bool:
        """Whether nothing is left of the box."""

    @property
    def lower(self) -> Fraction:
        """What the sum of squares is not below."""

    @property
    def minimisers(self) -> Sized:
        """The minima that were met."""

    @property
    def others(self) -> Sequence[str]:
        """The parameters that were divided."""

    @property
    def boxes(self) -> int:
        """Into how many boxes, at most."""


def searched_line(found: SearchedBox, name: str, digits: int = 9) -> str:
    """What is known of the sum of squares in the whole search box, without a certificate."""
    told = f"{name}, by the engine: wherever the model is defined in the search box the sum of squares is "
    how = f"{found.boxes} boxes of {', '.join(found.others)}, {BY_ENGINE}, without a certificate"
    if not found.finished:
        return f"{told}>= {lower_text(found.lower, digits)} ({how})."
    places = len(found.minimisers)
    if places == 1:
        return f"{told}larger than at this minimum ({how})."
    return f"{told}larger than at this minimum, but near {places} minima, one of which is the least ({how})."


class Shaped(Protocol):
    """What the shape of a model says of the least sum of squares."""

    @property
    def lower(self) -> Fraction:
        """Its lower end."""

    @property
    def because(self) -> Because:
        """Which shape."""

    @property
    def number(self) -> int:
        """Of how many runs, or of which order."""


def shape_line(found: Shaped, name: str, digits: int = 9) -> str:
    """What the sum of squares is not below for any parameters, without a certificate."""
    how = {
        Because.REPEATED: "what observations at the same x differ by",
        Because.RUNS: f"as a function of x it rises or falls on at most {found.number} runs",
        Because.RECURRENCE: f"x are evenly spaced, and its values fulfil a linear recurrence of order {found.number}",
    }[found.because]
    return (
        f"{name}, by the shape of the model ({how}): for all parameters for which it is defined the sum of squares is "
        f">= {lower_text(found.lower, digits)} (in whole numbers, without a certificate)."
    )


def linear_line(exact: bool) -> str:
    """What is known of a linear fit, without a certificate."""
    how = "in rational numbers, exactly" if exact else BY_ENGINE
    return f"the only minimum of the sum of squares, for all values of the parameters ({how}, without a certificate)"


def discard_line(part: Discards) -> str:
    """The fewest measurements to leave out of a part."""
    if part.discarded is None:
        needed = f"at least {part.fewest} (proved)" if part.fewest else "nothing is proved"
        return f"{part.name}: {needed}; no set that suffices was found{_why(part)}."
    if not part.discarded:
        return f"{part.name}: none, all are consistent (witness)."
    count = len(part.discarded)
    rows = ", ".join(
        part.labels or (str(row + 1) if len(part.scope) == 1 else f"{name} {row + 1}" for name, row in part.discarded)
    )
    needed = f"at least {part.fewest} are needed, proved" if part.fewest else "whether fewer suffice is not known"
    enough = "proved to be the fewest" if part.fewest == count else needed
    sizes = sorted(len(conflict) for conflict in part.conflicts)
    conflicts = f"; {_conflicts(sizes, part.noun)}" if sizes else ""
    return (
        f"{part.name}: {count} ({enough}), for instance {part.noun}{'s' if count > 1 else ''} "
        f"{rows}{conflicts}{_why(part)}."
    )


def _conflicts(sizes: Sequence[int], noun: str) -> str:
    extent = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]}"
    return f"{len(sizes)} conflict{'s' if len(sizes) > 1 else ''} of {extent} {noun}s"


def _why(part: Part) -> str:
    return "" if part.stopped is Stopped.FINISHED else f" ({part.stopped.value})"


def values_note(column: str) -> str:
    """Which values of the run these are, by the column of its table."""
    name, _, part = column.removeprefix("least squares").removeprefix("witness").rpartition(" ")
    of = f" of {part}" if part and not name.strip() else ""
    if column.startswith("witness"):
        return f"values: the witness{of}, which needs the smallest model error that the run found (see its result.json)"
    return f"values: the least-squares fit{of} (estimated)"


def enclosure_note(part: str | None) -> str:
    """What the intervals beside the values are; `part` has a hull that the checker accepted."""
    if part is None:
        return "intervals: none, because the run was not asked to enclose (--enclose), or nothing was enclosed"
    return (
        f"intervals (proved, {part}-hull.cert): every value in the run's search box that is consistent at the model "
        f"error that was asked lies in them"
    )


def discard_section(answer: Result) -> list[str]:
    """The lines about the measurements that do not fit."""
    found = [part for part in answer.parts if isinstance(part, Discards)]
    levels = dict.fromkeys(f"{show(part.level)} {part.unit}" for part in found if part.level)
    nouns = " or ".join(sorted({f"{part.noun}s" for part in found})) or "measurements"
    within = f" within {' and '.join(levels)}" if levels else ""
    heading = f"fewest {nouns} to leave out so that the rest is consistent in the search box{within}:"
    return ["", heading, *map(discard_line, found)]


def minimum_section(answer: Result) -> list[str]:
    """The lines about the least-squares fits."""
    lines = [minimum_line(part) for part in answer.parts if isinstance(part, Minimum)]
    return ["", "least squares: is the fit what it claims to be?", *lines]
