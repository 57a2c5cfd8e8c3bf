"""What is shown of each class of answers: cells and sentences for people, whose words are those of `certify.claims`,
as a line, as HTML, and as a frame. Names from data are escaped.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from html import escape
from typing import Any

from certify.claims.doubt_claims import doubt_sentences, nothing_to_doubt
from certify.claims.linear_claims import identified_rows, identified_sentences
from certify.claims.programs.program_claims import sentences
from certify.claims.proved_words import certificate_text, counted_checks, gap_text, this_value
from certify.judging_programs.judged import Judged
from certify.judging_programs.nonconvex.branch_and_bound import GlobalBounds
from certify.linear_questions.further import Further
from certify.model_fits.fit_text import fit_rows
from certify.model_fits.fitted import FittedModel
from certify.model_fits.largest import LargestFit
from certify.model_fits.linear_fit import LinearFit
from certify.notebooks.estimates import Estimated, estimated_lines
from certify.notebooks.frames import rows
from certify.notebooks.words import (
    AS_IT_STANDS,
    HULL_LEFT,
    NOT_JUDGED,
    WAS_JUDGED,
    is_plain,
    judged_line,
    part_cells,
    result_line,
    section_lines,
)
from certify.problems.errors import InputError
from certify.questions.next_poses import NextPoses
from certify.records.doubt_records import Doubts
from certify.records.results import Result
from certify.regressors.identified import Identified
from certify.runs.calibration import Calibration
from certify.systems.linear_system import LinearAnswer
from certify.systems.system_record import Record

MOST = 200  # rows of a table in a notebook
PART = ("part", "any value consistent?", "smallest model error", "gap")
CELL = "text-align:left;font-variant-numeric:tabular-nums"


@dataclass(frozen=True, slots=True)
class View:
    """A line, a table (the first row is its heading), sentences below it, and text that keeps its columns."""

    line: str
    table: Sequence[Sequence[str]] = ()
    told: Sequence[str] = ()
    text: str = ""


@singledispatch
def view(answer: Any) -> View:
    """What is shown of an answer."""
    raise TypeError(f"{type(answer).__name__} cannot be shown")


@view.register
def _(answer: Result) -> View:
    table: list[Sequence[str]]
    if all(map(is_plain, answer.parts)):
        table = [PART, *((part.name, *part_cells(part, answer.judged), gap_text(part)) for part in answer.parts)]
    else:
        table = [("part", "verdict"), *((part.name, part.verdict.value) for part in answer.parts)]
    return View(result_line(answer), table, [judged_line(answer.judged)], "\n".join(section_lines(answer)).strip())


@view.register
def _(answer: Calibration) -> View:
    table: list[Sequence[str]] = [(*PART, "least-squares fit consistent?", "certificate")]
    for part in answer.result.parts:
        fit, checked = this_value(answer.fits.get(part.name)), certificate_text(part, answer.checks)
        table.append((part.name, *part_cells(part, True), gap_text(part), fit, checked))
    told = [answer.experiment.title, *answer.warnings, f"{counted_checks(answer.checks)}."]
    return View(f"{answer.experiment.title}: {counted_checks(answer.checks)}", table, told)


@view.register
def _(answer: FittedModel) -> View:
    lines = str(answer).split("\n")
    return View(
        lines[2].partition(", sum of squares")[0], fit_rows(answer), lines[: lines.index("")] if "" in lines else lines
    )


@view.register
def _(answer: Identified) -> View:
    problem = answer.problem
    known = WAS_JUDGED if answer.judged else NOT_JUDGED
    line = f"{answer.verdict.value}: {problem.rows} rows, {problem.size} parameters ({known})"
    if not answer.judged:
        ends = (f"{row['lower']} .. {row['upper']}" for row in rows(answer))
        table = [("parameter", "interval"), *zip(problem.names, ends, strict=True)]
        return View(line, table, [judged_line(False)])
    return View(line, identified_rows(answer), [*identified_sentences(answer), judged_line(True)])


@view.register
def _(answer: Record) -> View:
    return View(f"{answer.system.title}: {answer.coverage}", text=answer.text)


@view.register
def _(answer: Doubts) -> View:
    known = WAS_JUDGED if answer.judged else NOT_JUDGED
    names = ", ".join(model.name for model in answer.richer) or "no hypothesis"
    first = "" if answer.first is None else f"; first {answer.first.name}"
    if not answer.judged:
        return View(f"{names}{first} ({known})", _row_cells(answer), [judged_line(False)])
    told = doubt_sentences(answer) if answer.base.parts else [nothing_to_doubt(answer)]
    return View(f"{names}{first} ({known})", _row_cells(answer), [*told, judged_line(True)])


@view.register
def _(answer: NextPoses) -> View:
    chosen = ", ".join(str(choice.best.place + 1) for choice in answer.choices)
    return View(f"measure candidate {chosen} (estimated)", _row_cells(answer), [HULL_LEFT])


@view.register
def _(answer: Judged) -> View:
    told = sentences(answer.facts)
    return View(told[1], _row_cells(answer), told)


@view.register
def _(answer: GlobalBounds | LargestFit) -> View:
    lines = str(answer).split("\n")
    return View(lines[0], _row_cells(answer), lines)


@view.register
def _(answer: LinearFit) -> View:
    lines = str(answer).split("\n")
    return View(lines[0], _row_cells(answer), lines[:1])


@view.register
def _(answer: Estimated) -> View:
    told = estimated_lines(answer)
    return View(told[0], _row_cells(answer), told)


@view.register
def _(answer: Further) -> View:
    count = len(answer.documents)
    return View(f"{answer.key}: {count} certificates, {answer.stopped.value}", _row_cells(answer), [AS_IT_STANDS])


@view.register
def _(answer: LinearAnswer) -> View:
    lines = str(answer).split("\n")
    return View(lines[0], _row_cells(answer), [*lines[:2], lines[-1]])


def _row_cells(answer: Any) -> list[Sequence[str]]:
    """The rows of its frame as text."""
    found = list(rows(answer))
    names = list(dict.fromkeys(name for row in found for name in row))
    return [names, *([_cell(row.get(name)) for name in names] for row in found)]


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def line(answer: Any) -> str:
    """One line, for a prompt."""
    return f"<{type(answer).__name__} {view(answer).line}>"


def html(answer: Any) -> str:
    """A table with sentences below it."""
    shown = view(answer)
    parts = [_table(shown.table)] if len(shown.table) > 1 else []
    parts += [f"<p>{escape(told)}</p>" for told in shown.told if told]
    parts += [f"<pre>{escape(shown.text)}</pre>"] if shown.text else []
    return f"<div>{''.join(parts)}</div>"


def _table(cells: Sequence[Sequence[str]]) -> str:
    head = "".join(f'<th style="{CELL}">{escape(cell)}</th>' for cell in cells[0])
    body = [f'<td style="{CELL}">{"</td><td>".join(map(escape, row))}</td>' for row in cells[1 : MOST + 1]]
    more = f"<p>... and {len(cells) - 1 - MOST} more</p>" if len(cells) - 1 > MOST else ""
    listed = "".join(f"<tr>{row}</tr>" for row in body)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{listed}</tbody></table>{more}"


def frame(answer: Any) -> Any:
    """The numbers as a DataFrame."""
    if importlib.util.find_spec("pandas") is None:
        raise InputError("to_frame() makes a DataFrame, which needs pandas: pip install 'certify[notebook]'")
    return importlib.import_module("pandas").DataFrame(list(rows(answer)))
