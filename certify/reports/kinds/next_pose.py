"""The report of which pose to measure next, an estimate."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import recorded

KIND = ReportKind("next pose", frozenset({"choices", "estimated_observability"}), (recorded.candidates,))
