"""Page one: the claim in a sentence or two, the verdict of each part, and a picture."""

from __future__ import annotations

from certify.claims.proved_words import (
    any_value,
    band,
    certificate_text,
    gap_text,
    nearly,
    stopped_lines,
    this_value,
)
from certify.claims.report_claims import WITHDRAWN, headline, judged_when
from certify.pictures.picture import bars
from certify.reports.calibration_table import HEADINGS
from certify.reports.html.markup import Node, listed, table, tag
from certify.reports.html.page import Section
from certify.reports.html.svg import bar_picture
from certify.reports.judging.run import Run
from certify.reports.judging.standing import Standing


def section(run: Run) -> Section:
    """What is claimed; where nothing connects the files with the certificates, that nothing is."""
    checked = judged_when([found.check for found in run.judged], run.again)
    if run.problem is None:
        body: list[Node] = [tag("p", WITHDRAWN, class_="alarm"), tag("p", f"{run.reason}.")]
        return Section("claim", "What is claimed", [*body, tag("p", checked)])
    known = [found for found in run.standing if found.part.epsilon[1] is not None]
    picture = bar_picture(bars([found.part for found in known], [found.fit for found in known]))
    told = [line for part in run.parts for line in nearly(part)] + stopped_lines(run.parts)
    body = [
        [tag("p", line, class_="claim") for line in headline(run.parts)],
        table(HEADINGS, [_row(found) for found in run.standing], "Verdict of each part", "verdicts", stacked=True),
        tag("div", listed(told), class_="sentences"),
        tag("p", checked),
        picture,
    ]
    return Section("claim", "What is claimed", body)


def _row(found: Standing) -> tuple[str, ...]:
    part = found.part
    checked = certificate_text(part, found.checks)
    return part.name, any_value(part), band(part), gap_text(part), this_value(found.fit), checked
