"""The fewest measurements to leave out, as plain text: a sentence for each part."""

from __future__ import annotations

from certify.discards import Discards
from certify.results import Result
from solvers.refutation import Stopped


def discard_section(answer: Result) -> list[str]:
    """The lines about the measurements that do not fit."""
    told = [_told(part) for part in answer.parts if isinstance(part, Discards)]
    return ["", "fewest measurements to leave out so that the rest is consistent:", *told]


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
    conflicts = f"; {len(sizes)} conflicts of {sizes[0]} to {sizes[-1]} measurements" if sizes else ""
    return f"{part.name}: {count} ({enough}), for instance measurement {rows}{conflicts}{stopped}."
