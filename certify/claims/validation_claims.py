"""What the parameters that were found need on poses that were kept apart, as plain text: proved of the worst pose,
estimated of each.
"""

from __future__ import annotations

from collections.abc import Sequence

from certify.claims.proved_words import FEW_DIGITS, ends_text, this_value
from certify.records.results import Result
from certify.records.validation_records import Validated
from certify.text.plain_table import plain_table

SHOWN = 12  # poses
ESTIMATED = 3  # digits
FEW = 3  # parts that have columns of their own
BLUEPRINT = "blueprint"


def apart_line(answer: Result) -> list[str]:
    """What the rest of an answer is not about."""
    poses = next((part.poses for part in answer.parts if isinstance(part, Validated)), ())
    return [f"{len(poses)} poses are kept apart for validation; all but that is about the other ones."] if poses else []


def validation_section(answer: Result) -> list[str]:
    """The worst pose in a table that is proved, the poses in one that is estimated."""
    parts = [part for part in answer.parts if isinstance(part, Validated)]
    if not parts:
        return ["", "poses kept apart: no parameters were found in the search box that could be judged on them."]
    poses = parts[0].poses
    rows = [("part", "parameters", "consistent with these poses?", "error that the worst of them needs (proved)")]
    rows += [(p.of, p.parameters, this_value(p), ends_text(p.epsilon, p.unit, FEW_DIGITS)) for p in parts]
    told = ["", f"{len(poses)} poses kept apart, of which the parameters know nothing ({_listed(poses)}):"]
    return [*told, *plain_table(rows).split("\n"), "", *_each(parts)]


def _each(parts: Sequence[Validated]) -> list[str]:
    """What each pose needs, the worst first, and what it needed with the blueprint."""
    poses = parts[0].poses
    columns = _columns(parts)
    worst = sorted(range(len(poses)), key=lambda k: -max(part.estimated[k] for part in parts))
    rows = [["pose", *(heading for heading, _, _ in columns)]]
    rows += [[poses[k], *(f"{e[k]:.{ESTIMATED}g} {unit}" for _, e, unit in columns)] for k in worst[:SHOWN]]
    cut = f", the worst {SHOWN} of {len(poses)}" if len(poses) > SHOWN else ""
    return [f"error that each pose needs (estimated{cut}):", *plain_table(rows).split("\n")]


def _columns(parts: Sequence[Validated]) -> list[tuple[str, Sequence[float], str]]:
    """A column for each part and its parameters, the blueprint first; the largest of all parts where these are many."""
    found: dict[tuple[str, str], Sequence[float]] = {}
    units = {part.of: part.unit for part in parts}
    for part in parts:
        found.setdefault((part.of, BLUEPRINT), part.estimated_before)
        found[part.of, part.parameters] = part.estimated
    if len(units) <= FEW or len(set(units.values())) > 1:
        ordered = sorted(found, key=lambda key: (list(units).index(key[0]), key[1] != BLUEPRINT))
        return [(f"{name}, {which}", found[name, which], units[name]) for name, which in ordered]
    kinds = dict.fromkeys((BLUEPRINT, *(part.parameters for part in parts)))
    largest = {
        k: [max(e) for e in zip(*(e for (_, kind), e in found.items() if kind == k), strict=True)] for k in kinds
    }
    return [(kind, errors, parts[0].unit) for kind, errors in largest.items()]


def _listed(poses: Sequence[str]) -> str:
    return ", ".join(poses[:SHOWN]) + (f" and {len(poses) - SHOWN} more" if len(poses) > SHOWN else "")
