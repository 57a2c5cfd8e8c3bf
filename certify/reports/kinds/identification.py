"""The report of the parameters of a linear model."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import answers, carrying, certificates, intervals, recheck, trust

KIND = ReportKind(
    "identification",
    frozenset({"parameters", "error", "factor"}),
    (answers.section, intervals.section, carrying.section, trust.section, certificates.section, recheck.section),
)
