"""What the least-squares fit is worth, as plain text: a line for each part."""

from __future__ import annotations

from certify.decimals import round_up, show
from certify.least_squares import Minimum
from certify.results import Result
from certify.verdicts import Verdict
from solvers.limits import Stopped

DIGITS = 9
TOLD = {
    Verdict.GLOBAL_MINIMUM: "the only global minimum in the search box (proved)",
    Verdict.LOCAL_MINIMUM: "a minimum, alone in a small box around it (proved); elsewhere nothing is",
    Verdict.UNDECIDED: "nothing is proved",
}


def minimum_section(answer: Result) -> list[str]:
    """The lines about the least-squares fits."""
    lines = ["", "least squares: is the fit what it claims to be?"]
    for part in answer.parts:
        if not isinstance(part, Minimum):
            continue
        told = f"{part.name}: {TOLD[part.verdict]}"
        if part.epsilon[1] is not None:
            fewest = min(part.digits.values(), default=0)
            told += f", sum of squares <= {show(round_up(part.epsilon[1], DIGITS))} {part.unit}"
            told += f"; at least {fewest} significant digits of the fit in the box ('estimate' in the record) are true"
        stopped = "" if part.stopped is Stopped.FINISHED else f" ({part.stopped.value})"
        lines.append(f"{told}.{stopped}")
    return lines
