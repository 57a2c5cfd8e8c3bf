"""The report of wrong answers that were looked for in a solver or a library."""

from __future__ import annotations

from certify.reports.kind import ReportKind
from certify.reports.sections import recorded

KIND = ReportKind("fuzz", frozenset({"solver", "cases", "within_tolerance"}), (recorded.wrong_answers,))
