"""The report of a campaign: its table, as recorded."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import recheck, recorded, trust

KIND = ReportKind(
    "campaign", frozenset({"answered", "tasks", "shown"}), (recorded.campaign, trust.section, recheck.section)
)
