"""What a notebook says of an answer beside its numbers: whether the checker has judged it, and what a cell means."""

from __future__ import annotations

from certify.claims.factor_claims import factor_section
from certify.claims.hull_table import hull_section
from certify.claims.proved_words import any_value, band, discard_section, minimum_section
from certify.parts.hulls import Enclosure
from certify.questions.discards import Discards
from certify.questions.least_squares import Minimum
from certify.records.factor_records import FactorResult
from certify.records.results import Part, Result

UNJUDGED = "Found by the search; no checker has judged it yet: answer.checked() has that done, and says what stands."
JUDGED = "As it stands after the checker, in processes of its own, has judged the certificates."
AS_IT_STANDS = "As it was found; of what answer.checked() returns, as it stands after the checker has judged it."
HULL_LEFT = (
    "estimated_share: the mean width of the parameters' intervals with this pose, in parts of that without it, to "
    "first order: an estimate."
)
NOT_JUDGED, WAS_JUDGED = "not judged by the checker", "judged by the checker"
MOST = 8  # parts in a line


def judged_line(judged: bool) -> str:
    """What an answer rests on."""
    return JUDGED if judged else UNJUDGED


def is_plain(part: Part) -> bool:
    """Whether it is about the smallest model error, and not about a hull, a minimum, a factor."""
    return type(part) is Part


def part_cells(part: Part, judged: bool) -> tuple[str, str]:
    """The verdict and what is known of the smallest model error; nothing is proved before it was judged."""
    return (any_value(part) if judged else part.verdict.value), band(part)


def result_line(result: Result) -> str:
    """All parts in a line."""
    told = "; ".join(
        f"{part.name} {part.verdict.value}{f', {band(part)}' if is_plain(part) else ''}" for part in result.parts[:MOST]
    )
    more = f"; and {len(result.parts) - MOST} more" if len(result.parts) > MOST else ""
    return f"{told}{more} ({WAS_JUDGED if result.judged else NOT_JUDGED})"


def section_lines(result: Result) -> list[str]:
    """What a run prints of an answer of this kind; nothing of one that was not judged, or of a plain one."""
    if not result.judged or not result.parts:
        return []
    if isinstance(result, Enclosure):
        return hull_section(result)
    if isinstance(result, FactorResult):
        return factor_section(result)
    if isinstance(result.parts[0], Minimum):
        return minimum_section(result)
    return discard_section(result) if isinstance(result.parts[0], Discards) else []
