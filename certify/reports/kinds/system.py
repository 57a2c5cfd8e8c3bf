"""The report of all solutions of a system of equations."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import answers, certificates, intervals, recheck, trust
from certify.runs.folders import COVERAGE

KIND = ReportKind(
    "system",
    frozenset({COVERAGE}),
    (answers.section, intervals.section, trust.section, certificates.section, recheck.section),
)
