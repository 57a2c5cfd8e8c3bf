"""What a run made of many certificates together, as it has recorded it: deviations of a workspace, model errors of
richer models, the paving of a set. Nothing of it is judged again, and the words say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from math import isfinite
from typing import Any

from certify.claims.programs.fuzz_claims import by_workers
from certify.claims.proved_words import lower_text, upper_text
from certify.claims.report_claims import AS_RECORDED, FUZZED, PAVED, RECORDED, RECORDED_ALONE
from certify.pictures.drawing import Bar
from certify.reports.html.markup import Markup, Node, table, tag
from certify.reports.html.page import Section
from certify.reports.html.svg import MODEL_ERROR, bar_picture
from certify.reports.judging.files import recorded_number
from certify.reports.judging.run import Run
from certify.text.decimals import ends_so_far

MOST, MOST_ROWS, LINES, LARGEST = 24, 500, 200, 10**15
COUNTS = (
    ("right", "right"),
    ("wrong", "contradict the solver's own criterion"),
    ("within_tolerance", "not true, but within its tolerance"),
    ("no_answer", "none"),
)
LOWER, UPPER = f"lower end ({AS_RECORDED})", f"upper end ({AS_RECORDED})"


def deviations(run: Run) -> Section | None:
    """How far off a robot can be, by workspace and assumed model error."""
    entries = run.folder.record.get("guarantees")
    found = entries if isinstance(entries, list) else []
    frames = dict.fromkeys(str(one["frame"]) for one in found if isinstance(one, dict) and "frame" in one)
    return _pictured("Deviations in the workspace", list(_bars(found, _deviation)), "; ".join(["deviation", *frames]))


def models(run: Run) -> Section | None:
    """The model error of the base and of each hypothesis, worst part."""
    base = run.folder.record.get("base")
    richer = run.folder.record.get("hypotheses")
    entries = [base, *(richer if isinstance(richer, list) else [])]
    return _pictured("Model error under each hypothesis", list(_bars(entries, _model)), MODEL_ERROR)


def paving(run: Run) -> Section | None:
    """The volume of a set between the search's own ends, and how many boxes there are."""
    record = run.folder.record
    volume, boxes = record.get("volume"), record.get("boxes")
    numbers = [recorded_number(end) for end in volume] if isinstance(volume, list) else []
    if len(numbers) != 2:
        return None
    ends = [
        "not known" if number is None or not isfinite(number) else shortened(Fraction(number))
        for number, shortened in zip(numbers, (lower_text, upper_text), strict=True)
    ]
    rows = [("volume", " .. ".join(ends))]
    counts = boxes.items() if isinstance(boxes, dict) else ()
    rows += [(f"{name} boxes", str(int(n))) for name, count in counts if (n := recorded_number(count)) is not None]
    return Section("recorded", "The paving", [tag("p", PAVED), table(("what", AS_RECORDED), rows, "Paving")])


def wrong_answers(run: Run) -> Section | None:
    """What a solver answered to instances whose truth is planted, in numbers, and each cause of a wrong answer with the
    smallest instance that shows it.
    """
    record = run.folder.record
    counts = [(told, recorded_number(record.get(key))) for key, told in COUNTS]
    rows = [(told, str(int(number))) for told, number in counts if number is not None and 0 <= number < LARGEST]
    taken = recorded_number(record.get("counted_by_workers")) or 0
    body: list[Node] = [
        tag("p", FUZZED),
        tag("p", by_workers(int(taken))) if 0 < taken < LARGEST else None,
        tag("p", f"{record.get('solver', '')} ({record.get('version', '')})"),
        table(("answers", AS_RECORDED), rows, "Answers"),
    ]
    cases = record.get("cases")
    for case in [case for case in (cases if isinstance(cases, list) else []) if isinstance(case, dict)][:MOST]:
        body += [
            tag("h3", str(case.get("cause", ""))),
            tag("p", str(case.get("words", ""))),
            tag("pre", [[line, Markup("\n")] for line in str(case.get("script", "")).split("\n")[:LINES]]),
        ]
    return Section("claim", "Wrong answers of a solver", body)


def rows_told(run: Run) -> Section | None:
    """The numbers of an answer from Python that its certificates do not say for themselves."""
    entries = run.folder.record.get("told")
    found = [entry for entry in (entries if isinstance(entries, list) else [])[:MOST_ROWS] if isinstance(entry, dict)]
    return _table("The answer's numbers", found)


def candidates(run: Run) -> Section | None:
    """Which pose to measure next: an estimate."""
    choices = run.folder.record.get("choices")
    listed = [entry for one in (choices if isinstance(choices, list) else [])[:MOST] if isinstance(one, list)
              for entry in one[:MOST] if isinstance(entry, dict)]  # fmt: skip
    return _table("Which pose to measure next (estimated)", listed)


def _table(title: str, entries: list[dict[str, Any]]) -> Section | None:
    """Entries of a record, all of them with the same names: numbers and words."""
    names = list(dict.fromkeys(str(name) for entry in entries for name in entry))[:MOST]
    rows = [[_word(entry.get(name)) for name in names] for entry in entries]
    if not rows:
        return None
    return Section("recorded", title, [tag("p", RECORDED_ALONE), table(names, rows, AS_RECORDED)])


def _word(value: Any) -> str:
    """All digits: an end that is rounded to the nearest number is an end no more."""
    return "" if recorded_number(value) is None and not isinstance(value, str) else str(value)


def _pictured(title: str, bars: list[Bar], what: str) -> Section | None:
    if not bars:
        return None
    body: list[Node] = [tag("p", RECORDED), *bar_picture(bars, what)]
    return Section("recorded", title, body)


def _bars(entries: Any, bars: Callable[[dict[str, Any]], Iterator[Bar]]) -> Iterator[Bar]:
    for entry in (entries if isinstance(entries, list) else [])[:MOST]:
        yield from bars(entry) if isinstance(entry, dict) else ()


def _deviation(entry: dict[str, Any]) -> Iterator[Bar]:
    name = f"{entry.get('name', '')} {entry.get('workspace', '')}".strip()
    bar = _between(name, str(entry.get("unit", "")), entry.get("deviation"))
    if bar is not None:
        yield bar


def _model(entry: dict[str, Any]) -> Iterator[Bar]:
    """The largest lower and upper end of all parts in one unit, for each unit."""
    parts = entry.get("parts")
    parts = [part for part in (parts if isinstance(parts, list) else []) if isinstance(part, dict)]
    for unit in dict.fromkeys(str(part.get("unit", "")) for part in parts):
        ends = [part.get("epsilon") for part in parts if str(part.get("unit", "")) == unit]
        pairs = [list(map(recorded_number, pair)) for pair in ends if isinstance(pair, list) and len(pair) == 2]
        lowest = [low for low, _ in pairs if low is not None]
        highest = [high for _, high in pairs if high is not None]
        bar = _between(str(entry.get("name", "")), unit, [max(lowest, default=None), max(highest, default=None)])
        if bar is not None and len(highest) == len(pairs):
            yield bar


def _between(name: str, unit: str, ends: Any) -> Bar | None:
    numbers = [recorded_number(end) for end in ends] if isinstance(ends, list) and len(ends) == 2 else []
    if len(numbers) != 2 or numbers[1] is None or numbers[1] < 0:
        return None
    low, high = numbers[0] or 0.0, numbers[1]
    if not (isfinite(low) and isfinite(high)):
        return None
    told = ends_so_far(Fraction(low), Fraction(high))
    return Bar(name, unit, max(low, 0.0), high, told, LOWER, UPPER, None)
