"""The report of a set of points at which inequalities hold."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import answers, certificates, recheck, recorded, trust
from certify.runs.folders import COVERAGE

KIND = ReportKind(
    "set",
    frozenset({COVERAGE, "volume"}),
    (answers.section, recorded.paving, trust.section, certificates.section, recheck.section),
)
