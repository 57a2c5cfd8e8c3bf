"""What a run says about systems of equations and sets of inequalities: what a certificate proves, and what the engine
alone has found.

The engine's arithmetic is rounded outwards, but it is one program, and nobody has checked it in this run: without a
certificate that the checker accepted its answers are told as the engine's, and boxes always are, because a certificate
counts solutions in larger ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from certify.checks.checking import REJECTED, Check
from certify.claims.proved_words import BY_ENGINE, lower_text, share_up, upper_text
from certify.contractors.protocol.contractor import Box
from certify.proofs.set_certificate import SetCertificates
from certify.proofs.system_certificate import Proves, SystemCertificate
from certify.questions.set_paving import SolvedSet
from certify.questions.system_search import Solved, counted
from certify.solvers.limits import Stopped

SHOWN, UNDECIDED_SHOWN, SHORT = 60, 5, 9
NOT_ASKED = "no certificate was asked for: --out DIR writes one and has it checked"
ALONE = f"{BY_ENGINE}, not certified: "
MOST_TOLD = 4  # variables without bounds
WORDS = {1: "length", 2: "area"}
AT_LEAST = "at least"  # so many solutions, as a verdict


def certified_claim(proves: Proves) -> str:
    """What a certificate about a system says."""
    if proves.solutions is not None:
        many = "point of the domain solves" if proves.solutions == 1 else "points of the domain solve"
        told = f"exactly {proves.solutions} {many} it" if proves.solutions else "no point of the domain solves it"
    else:
        part = "" if proves.share is None else f", at most {share_up(min(proves.share, Fraction(1)))} of it"
        told = f"all its solutions in the domain lie in {counted(proves.open_boxes, 'box', 'boxes')} left open{part}"
        told += f"; they are not counted, as {proves.uncounted}" if proves.uncounted else ""
    more = (
        f", where {', '.join(proves.meaning[:MOST_TOLD])}{', ...' if len(proves.meaning) > MOST_TOLD else ''}"
        if proves.meaning
        else ""
    )
    return told + more


def coverage(answer: Solved, proves: Proves | None) -> str:
    """What is known of all solutions in the box; `proves` is what a certificate says that the checker has accepted."""
    paving, alone = answer.paving, _alone(answer)
    count = len(paving.solutions) if proves is None or proves.solutions is None else proves.solutions
    if (proves is not None and proves.solutions is not None) or (answer.complete and not paving.inner):
        below = (
            ""
            if count != len(paving.solutions)
            else ", in the box below"
            if count == 1
            else ", one in each box below"
            if count
            else ""
        )
        told = f"the box holds exactly {counted(count, 'solution')}{below}" if count else "the box holds no solution"
        return told if proves is not None and proves.solutions is not None else f"{alone}{told}"
    parts = (
        f"{len(paving.solutions)} with one solution each, {len(paving.inner)} inner, {len(paving.undecided)} undecided"
    )
    return f"{alone}every solution in the box lies in one of these boxes: {parts}, {len(paving.unexplored)} unexplored"


def premise(answer: Solved) -> str:
    """What the engine's word about the whole box rests on, beside its arithmetic; empty where that is nothing."""
    others = ["the journal of an earlier run"] if answer.resumed else []
    others += ["workers of a cluster"] if answer.elsewhere else []
    if others:
        has = "have" if answer.elsewhere else "has"
        return f"if what {' and '.join(others)} {has} cut off holds none"
    return f"if what your contractors ({', '.join(answer.own)}) have removed holds none" if answer.own else ""


def _alone(answer: Solved) -> str:
    """Whose word it is where no certificate was accepted."""
    rests_on = premise(answer)
    return f"{BY_ENGINE}, {rests_on}, not certified: " if rests_on else ALONE


def standing(made: SystemCertificate | None, check: Check | None) -> str:
    """What became of the certificate."""
    if made is None:
        return NOT_ASKED
    if check is None or made.proves is None:
        return f"no certificate: {made.reason}"
    size = f"{len(made.certificate)} bytes, made in {made.seconds:.2f} s, checked in {check.seconds:.2f} s"
    size += f"; {counted(made.proves.own, 'leaf', 'leaves')} by your contractors" if made.proves.own else ""
    if not check.verified:
        return f"certificate not verified: {check.message}"
    return f"certificate verified by a separate process: {certified_claim(made.proves)} ({size})"


def solved_text(answer: Solved, made: SystemCertificate | None = None, check: Check | None = None) -> str:
    """The answer about a system for people, with what became of the certificate."""
    proves = made.proves if made is not None and check is not None and check.verified else None
    size = (
        f"{counted(len(answer.system.variables), 'variable')}, {counted(len(answer.system.constraints), 'constraint')}"
    )
    lines = [answer.system.title, size, *answer.system.notes, "", f"{coverage(answer, proves)}."]
    for number, solution in enumerate(answer.paving.solutions[:SHOWN], 1):
        lines += ["", f"solution {number}: the only one in its box {BY_ENGINE}", *_ends(answer, solution.enclosure)]
    if len(answer.paving.solutions) > SHOWN:
        lines += ["", f"... and {len(answer.paving.solutions) - SHOWN} more; --json has them all"]
    lines += _doubtful(answer)
    stopped = "" if answer.stopped is Stopped.FINISHED else f" ({answer.stopped.value})"
    told = f"{counted(answer.paving.cells, 'box', 'boxes')} in {answer.seconds:.2f} s{stopped}"
    return "\n".join([*lines, "", f"{told}; {standing(made, check)}."])


def _doubtful(answer: Solved) -> list[str]:
    """The first undecided boxes, and what leaves a box undecided."""
    lines, undecided = [], answer.paving.undecided
    for number, box in enumerate(undecided[:UNDECIDED_SHOWN], 1):
        lines += ["", f"undecided box {number}: may hold solutions, or none", *_ends(answer, box)]
    more = len(undecided) - UNDECIDED_SHOWN
    if more > 0:
        lines += [
            "",
            f"... and {more} more undecided; result.json lists more of them (--out DIR writes it, --json prints it)",
        ]
    return [*lines, "", "A double solution, or one on the boundary of the box, stays undecided."] if undecided else []


def _ends(answer: Solved, box: Box) -> list[str]:
    """A box for people, a line a variable."""
    ends = zip(answer.system.variables, box.lower, box.upper, strict=True)
    return [f"  {variable.name} in [{float(low)!r}, {float(high)!r}]" for variable, low, high in ends]


def set_premise(answer: SolvedSet) -> str:
    """What the engine's word about a set rests on, beside its arithmetic; empty where that is nothing."""
    return f"if what your contractors ({', '.join(answer.own)}) have removed is as they say" if answer.own else ""


def set_coverage(answer: SolvedSet) -> str:
    """What the engine has found of a set of inequalities."""
    paving, premised = answer.paving, set_premise(answer)
    alone = f"{BY_ENGINE}, {premised}" if premised else BY_ENGINE
    low, high = paving.volume
    if not (paving.inner.count or paving.boundary.count or paving.unexplored.count):
        return f"{alone}: the set has no point in the domain"
    parts = f"{paving.inner.count} inner, {paving.boundary.count} boundary, {paving.unexplored.count} unexplored"
    inside = "every point inside an inner box belongs to the set; " if paving.inner.count else ""
    told = (
        f"{inside}every point of the set in the domain lies in one of these boxes: {parts}; its volume "
        f"lies in [{low!r}, {high!r}]"
    )
    return f"{alone}: {told}"


def set_text(answer: SolvedSet, standing: str = NOT_ASKED) -> str:
    """The answer about a set for people, with what became of the certificates."""
    size = (
        f"{counted(len(answer.system.variables), 'variable')}, "
        f"{counted(len(answer.system.constraints), 'inequality', 'inequalities')}"
    )
    stopped = "" if answer.stopped is Stopped.FINISHED else f" ({answer.stopped.value})"
    told = f"{counted(answer.paving.cells, 'box', 'boxes')} in {answer.seconds:.2f} s{stopped}"
    return "\n".join(
        [
            answer.system.title,
            size,
            *answer.system.notes,
            "",
            f"{set_coverage(answer)}.",
            "",
            f"{told}; {standing}.",
        ]
    )


def set_standing(
    made: SetCertificates, checks: Mapping[str, Check], variables: int, volume: tuple[Fraction, Fraction | None]
) -> str:
    """What became of the certificates of a set: verified bounds of its volume, a point of it, and why something is
    missing.
    """
    word, (low, high) = WORDS.get(variables, "volume"), volume
    ends = {
        "inner": f"{word} at least {lower_text(low, SHORT)}",
        "outer": f"{word} at most {'infinite' if high is None else upper_text(high, SHORT)}",
        "point": "not empty",
    }
    parts = {"inner": made.inner, "outer": made.outer, "point": made.point}
    told = [end for name, end in ends.items() if name in checks and checks[name].verified]
    accepted = {name: check for name, check in checks.items() if check.verified}
    size = f"{sum(len(parts[name].certificate) for name in accepted)} bytes"
    own = sum(parts[name].own for name in accepted)
    size += f"; {counted(own, 'part')} by your contractors" if own else ""
    times = f"made in {made.seconds:.2f} s, checked in {sum(check.seconds for check in accepted.values()):.2f} s"
    lines = [f"certificates verified by a separate process: {', '.join(told)} ({size}, {times})"] if told else []
    lines += [f"{check.certificate} not verified: {check.message}" for check in checks.values() if not check.verified]
    missing = {"outer": "an upper bound", "inner": "a lower bound"}
    reasons = {name: parts[name].reason for name in missing if name not in checks}
    if len(reasons) == 2 and len(set(reasons.values())) == 1:
        return f"no certificate: {reasons['outer']}"
    return "; ".join(
        [*lines, *(f"no certificate of {missing[name]} of its {word}: {reason}" for name, reason in reasons.items())]
    )


@dataclass(frozen=True, slots=True)
class PiecesTold:
    """What is said of a proof in pieces: in a sentence, and in full."""

    coverage: str
    text: str


GO_ON = (
    "They are kept: 'certify check problem.canonical solutions.cert' in their folder judges them alone, and 'certify "
    "run --pieces --resume' with a longer --time-limit goes on with them."
)


def pieces_told(title: str, solutions: int, pieces: int, left: int, share: Fraction, check: Check | None) -> PiecesTold:
    """What pieces say of all solutions, if the checker has accepted them together; `left` parts are open, so large a
    share of the box.
    """
    if check is None:
        told = "nothing is known of its solutions: no part of the box is proved"
        return PiecesTold(told, f"{title}\n\n{told}.")
    if not check.verified:
        told = "nothing is known of its solutions: the pieces are not verified together"
        again = "" if check.code == REJECTED else f". {GO_ON}"
        return PiecesTold(told, f"{title}\n\n{told}: {check.message}{again}")
    many = counted(solutions, "solution")
    if not left:
        told = f"the box holds exactly {many}" if solutions else "the box holds no solution"
    else:
        least = f"the box holds at least {many}; all others" if solutions else "all solutions in the box"
        told = f"{least} lie in {counted(left, 'part')} left open, at most {share_up(min(share, Fraction(1)))} of it"
    size = f"{counted(pieces, 'piece')}, checked together in {check.seconds:.2f} s"
    return PiecesTold(told, f"{title}\n\n{told}.\nverified by a separate process, as one claim ({size}).")
