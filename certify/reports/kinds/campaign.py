"""The report of a campaign: its table, as recorded."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import campaign_table, recheck, trust

KIND = ReportKind(
    "campaign", frozenset({"answered", "tasks", "shown"}), (campaign_table.section, trust.section, recheck.section)
)
