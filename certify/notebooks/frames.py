"""Answers as columns of plain numbers: lower ends rounded down, upper ends up; None where nothing is known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import singledispatch
from typing import Any

from certify.contractors.linear.linear_system import LinearVerdict
from certify.contractors.numbers.enclosures import enclose_rational
from certify.judging_programs.judged import Judged
from certify.judging_programs.nonconvex.branch_and_bound import GlobalBounds
from certify.linear_questions.further import Further
from certify.model_fits.fitted import FittedModel
from certify.model_fits.largest import LargestFit
from certify.model_fits.linear_fit import LinearFit
from certify.notebooks.estimates import Estimated, Row, estimated_rows
from certify.parts.hulls import Enclosed
from certify.questions.discards import Discards
from certify.questions.least_squares import Minimum
from certify.questions.next_poses import NextPoses
from certify.records.doubt_records import Doubts
from certify.records.factor_records import Factor
from certify.records.results import Part, Result
from certify.regressors.identified import Identified
from certify.runs.calibration import Calibration
from certify.systems.linear_system import LinearAnswer
from certify.systems.set_answer import SetAnswer
from certify.systems.system_answer import SystemAnswer
from certify.systems.system_record import NamedBox


@singledispatch
def rows(answer: Any) -> Iterable[Row]:
    """The rows of an answer's frame."""
    raise TypeError(f"{type(answer).__name__} has no frame")


@rows.register
def _(answer: Result) -> Iterable[Row]:
    return [row for part in answer.parts for row in _part_rows(part, answer.judged)]


@rows.register
def _(answer: Calibration) -> Iterable[Row]:
    verified = {check.certificate: check.verified for check in answer.checks}
    for part in answer.result.parts:
        fit = answer.fits.get(part.name)
        needs = {} if fit is None else {"fit_lower": down(fit.epsilon[0]), "fit_upper": up(fit.epsilon[1])}
        yield {**_ends(part), **needs, "verified": verified.get(f"{part.name}.cert", False)}


@rows.register
def _(answer: FittedModel) -> Iterable[Row]:
    for name, value in answer.values.items():
        low, high = answer.box.get(name, (None, None))
        error = answer.standard_errors.get(name, (None, None))
        yield {
            "parameter": name,
            "value": value,
            "digits": answer.digits.get(name),
            "lower": low,
            "upper": high,
            "standard_error_lower": error[0],
            "standard_error_upper": error[1],
        }


@rows.register
def _(answer: Identified) -> Iterable[Row]:
    for told in answer.as_json()["parameters"]:
        low, high = told["interval"]
        kept = {key: told[key] for key in ("identified", "estimated_least_squares")}
        count = len({row for side in told["rows"] for row in side})
        yield {"parameter": told["name"], "unit": told["unit"], "lower": low, "upper": high, **kept, "rows": count}


@rows.register
def _(answer: SystemAnswer) -> Iterable[Row]:
    kinds = {
        "solution": answer.solutions,
        "inner": answer.inner,
        "undecided": answer.undecided,
        "unexplored": answer.unexplored,
    }
    return _boxes(kinds)


@rows.register
def _(answer: SetAnswer) -> Iterable[Row]:
    return _boxes({"inner": answer.inner, "undecided": answer.undecided, "unexplored": answer.unexplored})


@rows.register
def _(answer: Doubts) -> Iterable[Row]:
    for model in (answer.base, *answer.richer):
        own = {} if model is answer.base else {"share_explained": down(answer.explained(model))}
        for unit in model.units:
            low, high = model.worst(unit)
            yield {"model": model.name, "unit": unit, "lower": down(low), "upper": up(high), **own}


@rows.register
def _(answer: NextPoses) -> Iterable[Row]:
    for number, choice in enumerate(answer.choices, 1):
        for one in choice.ranked:
            parts = {f"estimated {name}": share for name, share in one.estimated_parts.items()}
            yield {"choice": number, "candidate": one.place + 1, "estimated_share": one.estimated_share, **parts}


@rows.register
def _(answer: Judged) -> Iterable[Row]:
    yield {"what": "minimum", **dict(zip(ENDS, (answer.lower, answer.upper), strict=True))}
    if answer.margin is not None:
        yield {"what": "margin of infeasibility", **dict(zip(ENDS, answer.margin, strict=True))}
    if answer.answer is not None:
        yield {"what": "violation of the returned point", **dict(zip(ENDS, answer.answer.violation, strict=True))}
        yield {"what": "objective there", **dict(zip(ENDS, answer.answer.value, strict=True))}


@rows.register
def _(answer: GlobalBounds) -> Iterable[Row]:
    yield {"what": "minimum", "lower": answer.lower, "upper": answer.upper}


@rows.register
def _(answer: LinearFit) -> Iterable[Row]:
    for name, value in answer.values.items():
        (low, high), error = answer.box[name], answer.standard_errors.get(name, (None, None))
        errors = {"standard_error_lower": error[0], "standard_error_upper": error[1]}
        yield {"parameter": name, "value": value, "digits": answer.digits[name], "lower": low, "upper": high, **errors}


@rows.register
def _(answer: LargestFit) -> Iterable[Row]:
    low, high = answer.largest
    yield {"what": "largest residual", "lower": low, "upper": high}
    for name, value in answer.values.items():
        yield {"what": name, "value": value}


@rows.register
def _(answer: LinearAnswer) -> Iterable[Row]:
    if answer.verdict is not LinearVerdict.EMPTY:
        for number, (low, high) in enumerate(zip(answer.enclosed.lower, answer.enclosed.upper, strict=True)):
            yield {"unknown": f"x[{number}]", "lower": float(low), "upper": float(high)}


@rows.register
def _(answer: Estimated) -> Iterable[Row]:
    return estimated_rows(answer)


@rows.register
def _(answer: Further) -> Iterable[Row]:
    return _leaves(answer.key, answer.as_json())


def _leaves(name: str, told: Any) -> Iterator[Row]:
    """Every number and text of a record, by the way to it; two numbers in a list are ends."""
    if isinstance(told, Mapping):
        for key, value in told.items():
            yield from _leaves(f"{name}.{key}" if name else str(key), value)
    elif isinstance(told, list) and not (len(told) == 2 and all(map(_is_end, told))):
        for number, value in enumerate(told, 1):
            yield from _leaves(f"{name} {number}", value)
    elif isinstance(told, list):
        yield {"what": name, "lower": told[0], "upper": told[1]}
    else:
        yield {"what": name, "value": told}


def _is_end(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _boxes(kinds: Mapping[str, Sequence[NamedBox]]) -> Iterator[Row]:
    for kind, boxes in kinds.items():
        for box in boxes:
            ends = [(name, ((side.lower, side.upper))) for name, side in box.items()]
            yield {"kind": kind, **{f"{n} {end}": v for n, pair in ends for end, v in zip(ENDS, pair, strict=True)}}


ENDS = ("lower", "upper")


def _part_rows(part: Part, judged: bool) -> Iterator[Row]:
    """A row for each parameter of a hull or of a minimum, else one for the part."""
    if isinstance(part, Enclosed) and part.box is not None:
        for name, unit, ends in zip(part.box.names, part.box.units, part.box.faces, strict=True):
            sides = {"lower": down(ends[0].outer), "upper": up(ends[1].outer)}
            yield {"part": part.name, "parameter": name, "unit": unit, **sides, "judged": judged}
    elif isinstance(part, Minimum):
        for name, value in part.estimate.items():
            low, high = part.box.get(name, (None, None))
            found = {"lower": down(low), "upper": up(high), "digits": part.digits.get(name)}
            yield {"part": part.name, "parameter": name, "value": value, **found, "judged": judged}
    elif isinstance(part, Discards):
        count = None if part.discarded is None else len(part.discarded)
        yield {"part": part.name, "at_least": part.fewest, "suffices": count, "judged": judged}
    elif isinstance(part, Factor):
        sides = {"factor_lower": down(part.epsilon[0]), "factor_upper": up(part.epsilon[1])}
        yield {"part": part.name, **sides, "judged": judged}
    else:
        yield {**_ends(part), "judged": judged}


def _ends(part: Part) -> Row:
    lower, upper = part.epsilon
    sides = {"lower": down(lower), "upper": up(upper), "gap": part.gap, "unit": part.unit}
    return {"part": part.name, "verdict": part.verdict.value, **sides, "stopped": part.stopped.value}


def down(value: Fraction | None) -> float | None:
    """The largest double that is not above it."""
    return None if value is None else enclose_rational(value)[0]


def up(value: Fraction | None) -> float | None:
    """The smallest double that is not below it."""
    return None if value is None else enclose_rational(value)[1]
