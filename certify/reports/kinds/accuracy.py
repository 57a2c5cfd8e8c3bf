"""The report of how far off a robot can be in a workspace."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import answers, certificates, recheck, recorded, trust

KIND = ReportKind(
    "accuracy",
    frozenset({"guarantees"}),
    (answers.section, recorded.deviations, trust.section, certificates.section, recheck.section),
)
