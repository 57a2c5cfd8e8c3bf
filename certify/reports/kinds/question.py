"""The report of an answer from Python: a question about a problem, or a fit of a model."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import answers, carrying, certificates, intervals, recheck, recorded, trust

KIND = ReportKind(
    "question",
    frozenset({"question"}),
    (
        answers.section,
        intervals.section,
        carrying.section,
        recorded.rows_told,
        trust.section,
        certificates.section,
        recheck.section,
    ),
)
