"""The report of a run of an experiment, robots with legs and without."""

from __future__ import annotations

from certify.reports.experiment import (
    assumptions,
    claim,
    data,
    notes,
    parameters,
    progress,
    residuals,
    robot,
    statements,
)
from certify.reports.kind import ReportKind
from certify.reports.sections import certificates, recheck, trust

KIND = ReportKind(
    "calibration",
    frozenset({"parts"}),
    (
        claim.section,
        assumptions.section,
        trust.section,
        statements.section,
        residuals.section,
        parameters.section,
        robot.section,
        progress.section,
        certificates.section,
        data.section,
        notes.section,
        recheck.section,
    ),
)
