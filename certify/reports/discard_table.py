"""The fewest measurements to leave out, as plain text: a sentence for each part."""

from __future__ import annotations

from certify.decimals import show
from certify.discards import Discards
from certify.results import Result
from solvers.limits import Stopped


def discard_section(answer: Result) -> list[str]:
    """The lines about the measurements that do not fit."""
    parts = [part for part in answer.parts if isinstance(part, Discards)]
    levels = {f" within {show(part.level)} {part.unit}" for part in parts if part.level}
    return ["", f"fewest measurements to leave out so that the rest is consistent{''.join(sorted(levels))}:", *map(_told, parts)]


def _told(part: Discards) -> str:
    stopped = "" if part.stopped is Stopped.FINISHED else f" ({part.stopped.value})"
    if part.discarded is None:
        return f"{part.name}: at least {part.fewest} (proved); no set that suffices was found{stopped}."
    if not part.discarded:
        return f"{part.name}: none, all are consistent (witness)."
    count = len(part.discarded)
    rows = ", ".join(str(row + 1) if len(part.scope) == 1 else f"{name} {row + 1}" for name, row in part.discarded)
    enough = "proved to be the fewest" if part.fewest == count else f"at least {part.fewest} are needed, proved"
    sizes = sorted(len(conflict) for conflict in part.conflicts)
    conflicts = f"; {_conflicts(sizes)}" if sizes else ""
    return f"{part.name}: {count} ({enough}), for instance measurement{'s' if count > 1 else ''} {rows}{conflicts}{stopped}."


def _conflicts(sizes: list[int]) -> str:
    extent = f"{sizes[0]}" if sizes[0] == sizes[-1] else f"{sizes[0]} to {sizes[-1]}"
    return f"{len(sizes)} conflict{'s' if len(sizes) > 1 else ''} of {extent} measurements"
