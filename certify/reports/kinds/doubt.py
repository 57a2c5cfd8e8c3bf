"""The report of which hypothesis of a model to doubt."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import answers, certificates, recheck, recorded, trust

KIND = ReportKind(
    "doubt",
    frozenset({"hypotheses"}),
    (answers.section, recorded.models, trust.section, certificates.section, recheck.section),
)
