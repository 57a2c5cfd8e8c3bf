"""A report: one HTML file that tells what the folder of a run holds, for people who were not there.

It is a list of sections, one file each in certify/reports/sections, and every kind of answer has a list of its own, in
certify/reports/kinds.
What it says to be proved follows from certificates that the checker has accepted while the report was made, or as the
run ended whose process has made it; the record that lies beside them is believed in nothing but reasons, times and
estimates, which are told as recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.reports.dcc.document import document
from certify.reports.dcc.laboratory import Laboratory
from certify.reports.html.page import Section, page
from certify.reports.judging.judged import judged_by_proof
from certify.reports.judging.run import Run, read_run
from certify.reports.kind import kind_of
from certify.reports.record import as_json, report_record
from certify.runs.folders import REPORT
from certify.solvers.limits import Limit

JSON = ".json"


@dataclass(frozen=True, slots=True)
class Report:
    """What was written, and what the checker said of how many certificates."""

    path: Path
    size: int
    run: Run
    sections: tuple[str, ...]


def write_report(
    folder: Path,
    limit: Limit,
    progress: Callable[[str], None],
    path: Path | None = None,
    proved: bool = False,
    laboratory: Laboratory | None = None,
    again: bool = True,
) -> Report:
    """Judge what lies in the folder, and write the report there, or where it is wanted: a page, a record (.json), or of
    a laboratory a digital calibration certificate (.xml); with `proved` the checker proved in Coq is asked, too. Who
    has just had these bytes judged in this process need not have that done `again`.
    """
    run = read_run(folder, limit, progress, again)
    if proved:
        progress("asking the proved checker")
        run = replace(run, judged=judged_by_proof(run.judged))
    progress("writing the report")
    out, kind, (title, provenance) = path or folder / REPORT, kind_of(run.folder.record), _title(run)
    sections: list[Section] = []
    if out.suffix.lower() == JSON:
        data = as_json(report_record(run, kind.name, title, provenance))
    elif laboratory is not None:
        if not run.judged:
            raise InputError(f"{folder}: there is no certificate in it, so none of a calibration can be written of it")
        data = document(report_record(run, kind.name, title, provenance), laboratory)
    else:
        sections = [told for section in kind.sections if (told := section(run)) is not None]
        data = page(title, provenance, sections)
    write_bytes(out, data)
    return Report(out, len(data), run, tuple(section.key for section in sections))


def _title(run: Run) -> tuple[str, str]:
    """What the problem file says that it is, else the record."""
    if run.experiment is not None:
        return run.experiment.title, run.experiment.provenance
    told = {key: value for key, value in run.folder.record.items() if isinstance(value, str)}
    return told.get("title", run.folder.path.resolve().name), told.get("provenance", told.get("source", ""))
