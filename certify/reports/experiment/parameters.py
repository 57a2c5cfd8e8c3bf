"""Each parameter in its search box: blueprint, fit, witness, the interval that is proved and the uncertainty that is
estimated.
"""

from __future__ import annotations

from collections.abc import Iterator

from certify.claims.proved_words import lower_text, upper_text
from certify.claims.report_claims import BOUNDED, GUM, OF_FIT, OF_WITNESS
from certify.reports.html.markup import Node, filled, table, tag
from certify.reports.html.page import Section
from certify.reports.html.svg import strip
from certify.reports.judging.run import Run
from certify.reports.judging.standing import Standing
from certify.text.decimals import show

HEADINGS = ("parameter", "unit", "blueprint", "fit", "witness", "interval", "each at a scale of its own")
DIGITS = 7
MOST = 600  # parameters with a picture of their own


def section(run: Run) -> Section | None:
    """Of an experiment; unknowns of single poses are left out where they are too many."""
    if run.problem is None or run.experiment is None:
        return None
    rows = [row for found in run.apart for row in _rows(run, found)]
    legend = (
        f"Bar: {BOUNDED}; thin line above it: {GUM}; tick: blueprint, where it is near; diamond: {OF_FIT}; dot: "
        f"{OF_WITNESS}."
    )
    headings, shown = filled(HEADINGS, rows)
    made = table(headings, shown[:MOST], "Parameters", stacked=True)
    return Section("parameters", "Parameters", [tag("p", legend), made])


def _rows(run: Run, found: Standing) -> Iterator[tuple[Node, ...]]:
    if run.problem is None or run.experiment is None:
        return
    blueprint = {parameter.name: parameter.nominal for parameter in run.experiment.variables}
    fit, hull, witness = found.fit_values or {}, found.hull or {}, found.part.witness or {}
    expanded = run.estimated_expanded.get(found.part.name, {})
    for variable in run.problem.variables:
        name = variable.name
        known = {"blueprint": blueprint.get(name), "fit": fit.get(name), "witness": witness.get(name)}
        if name not in fit and name not in hull and name not in witness:
            continue
        ends = hull.get(name)
        spread = None
        if name in expanded:
            spread = float(fit[name]) - expanded[name], float(fit[name]) + expanded[name]
        marks = [(kind, float(value), f"{kind}: {show(value)}") for kind, value in known.items() if value is not None]
        interval = None if ends is None else (float(ends[0]), float(ends[1]))
        picture = strip(interval, spread, marks)
        told = "" if ends is None else f"{lower_text(ends[0], DIGITS)} .. {upper_text(ends[1], DIGITS)}"
        values = ("" if value is None else f"{float(value):.{DIGITS}g}" for value in known.values())
        yield (f"{found.part.name}: {name}" if "." not in name else name), variable.unit, *values, told, picture
