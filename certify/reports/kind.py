"""Which sections a report of a kind of answer has: one file in `certify/reports/kinds` that ends in a `KIND`.

The kind follows from the keys of a folder's record, which anybody may have changed: it chooses what is shown, and no
more. Whatever a section says to be proved follows from certificates that were judged again.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from certify.reports import kinds
from certify.reports.html.page import Section
from certify.reports.judging.run import Run
from certify.reports.sections import answers, certificates, recheck, trust

Telling = Callable[[Run], Section | None]


@dataclass(frozen=True, slots=True)
class ReportKind:
    """What it is called, the keys that its record has (that of another kind with more of them goes before), and its
    sections in their order.
    """

    name: str
    keys: frozenset[str]
    sections: Sequence[Telling]


ANY = ReportKind("answer", frozenset(), (answers.section, trust.section, certificates.section, recheck.section))


def find_kinds() -> list[ReportKind]:
    """All kinds, those with the most keys first."""
    names = sorted(module.name for module in pkgutil.iter_modules(kinds.__path__))
    found = [importlib.import_module(f"certify.reports.kinds.{name}").KIND for name in names]
    return sorted(found, key=lambda kind: -len(kind.keys))


def kind_of(record: Mapping[str, Any]) -> ReportKind:
    """The kind of a record; of one that nobody knows, what can be said of any."""
    return next((kind for kind in find_kinds() if kind.keys <= set(record)), ANY)
