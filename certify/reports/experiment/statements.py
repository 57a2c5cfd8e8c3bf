"""A bounded-error statement beside one in the manner of the GUM, kept apart: what is proved of each parameter, and what
is estimated.
"""

from __future__ import annotations

from collections.abc import Iterator

from certify.claims.proved_words import NOTHING, enclosure_note, lower_text, upper_text
from certify.claims.report_claims import BOUNDED, GUM, GUM_NOTE, refuted_models
from certify.parts.hulls import HULL_SUFFIX
from certify.reports.html.markup import table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import Run
from certify.reports.judging.standing import Standing
from certify.text.decimals import round_down, show

HEADINGS = ("part", "parameter", "unit")
OF_HULL, OF_FIT = (f"{BOUNDED}: from", "to", "with model error within"), (f"{GUM}: fit", "U")
DIGITS, FEW = 9, 2


def section(run: Run) -> Section | None:
    """Of all parameters of all parts with a hull or a fit."""
    if run.problem is None:
        return None
    enclosed, fitted = (any(of) for of in zip(*((f.hull, f.fit_values) for f in run.apart), strict=True))
    if not enclosed and not fitted:
        return None
    rows = [row for found in run.apart for row in _rows(run, found, enclosed, fitted)]
    headings = (*HEADINGS, *(OF_HULL if enclosed else ()), *(OF_FIT if fitted else ()))
    hulls: list[str | None] = [found.hull_file.removesuffix(f"{HULL_SUFFIX}.cert") for found in run.apart if found.hull]
    noted = refuted_models(run.parts)
    body = [
        tag("p", GUM_NOTE),
        [tag("p", line, class_="alarm") for line in noted],
        [tag("p", f"{enclosure_note(hull)}.") for hull in hulls or [None]],
        table(headings, rows, "Bounded error and GUM", "statements", stacked=True),
    ]
    return Section("statements", "Two statements that are not the same", body)


def _rows(run: Run, found: Standing, enclosed: bool, fitted: bool) -> Iterator[tuple[str, ...]]:
    if run.problem is None:
        return
    fit, hull = found.fit_values or {}, found.hull or {}
    expanded = run.estimated_expanded.get(found.part.name, {})
    level = f"{show(round_down(found.level)) if found.level else '0'} {found.part.unit}"
    units = {variable.name: variable.unit for variable in run.problem.variables}
    for name in dict.fromkeys((*fit, *hull)):
        known = name in hull
        ends = (
            (lower_text(hull[name][0], DIGITS), upper_text(hull[name][1], DIGITS), level) if known else (NOTHING,) * 3
        )
        value = show(fit[name]) if name in fit else ""
        estimate = value, f"{expanded[name]:.{FEW}g}" if name in expanded else ""
        yield (found.part.name, name, units[name], *(ends if enclosed else ()), *(estimate if fitted else ()))
