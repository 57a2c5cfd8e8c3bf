"""How much each word of the report may be trusted: what stands behind it."""

from __future__ import annotations

from certify.claims.proved_words import proved_words
from certify.claims.report_claims import WORDS, judged_when
from certify.reports.html.markup import table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Run


def section(run: Run) -> Section:
    """The words, and what the checker has said of all certificates."""
    refused = [f"{found.file.name}: {found.check.message}" for found in run.judged if not found.check.verified]
    asked = [found.proved for found in run.judged if found.proved is not None]
    others = [f"{check.certificate}: {check.message}" for check in asked if not check.verified]
    body = [
        tag("p", judged_when([found.check for found in run.judged], run.again)),
        tag("ul", [tag("li", line) for line in refused], class_="alarm") if refused else None,
        tag("p", proved_words(asked)) if asked else None,
        tag("ul", [tag("li", line) for line in others]) if others else None,
        table(("word", "what stands behind it"), WORDS, "Words of this report"),
    ]
    return Section("trust", "How far to trust it", body)
