"""What a report says on its first page, and how its words are meant: of parts as they stand after their certificates
were judged, just now. The sentences about one part are those of the table that a run prints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from certify.checks.checking import Check
from certify.claims.proved_words import WITHOUT_CERTIFICATE, any_value, band, counted_checks
from certify.parts.scopes import TOGETHER
from certify.records.results import Part
from certify.records.verdicts import Verdict

QUESTION = "Does any value of the parameters in the search box explain every measurement within its interval?"
WORDS = (
    (
        "proved, verified, witness",
        "a certificate, which the checker, a program of its own that knows nothing of the search, has accepted; when, "
        "is said beside the count of certificates",
    ),
    ("computed in outward rounding", "outward-rounded arithmetic of one program, without a certificate"),
    ("estimated", "floating-point numbers; nothing follows"),
    ("undecided", "neither side is proved; the reason beside it is the one that the run has recorded"),
    ("as recorded", "what the run wrote down, which nobody has judged again for this report"),
)
ASSUMED = (
    "The checker is right, and so are the Python that runs it and the machine; a second checker, which shares no code "
    "with it, is asked by 'certify check --both'.",
    "The intervals hold the true measurements. If half-widths are standard deviations some will not, and then 'no' "
    "need not mean that the model is wrong.",
    "The search box holds every value that you would accept: nothing is claimed of values outside it.",
    "The equation of the model is the one that you mean.",
)
NOT_ASSUMED = (
    "Not assumed: the search, its floating-point numbers, linear programs and compiled code, or whoever made the "
    "certificates and this folder."
)
BOUNDED = "Bounded error (proved)"
GUM = "GUM, k = 2 (estimated)"
GUM_NOTE = (
    "The two say different things. A bounded-error interval holds every value of the parameters in the search box that "
    "is consistent with all measurements within the model error that is named, if each measurement lies in its "
    "interval; it has no probability. An expanded uncertainty U = 2 u (estimated, to first order at the least-squares "
    "fit) is meant to cover the true value in about 95 of 100 cases, if errors are independent and as small as stated, "
    "and the model is right; it bounds nothing."
)
WITHDRAWN = (
    "problem.toml and its tables, translated again, do not give problem.canonical, which the certificates are about: "
    "nothing is said here of these files to be proved."
)
WHILE = "while this report was made"
BEFORE = "at the end of the run that has made this report, or while it was made"
OF_OTHERS = (
    "The canonical problem beside a certificate says what your own file says: 'certify check' with that file "
    "translates it again."
)
RECORDED = (
    "As recorded by the run, from these certificates together; this report has judged each of them, and not what "
    "follows from all of them (docs/trust.md says how that rests on them)."
)
FUZZED = (
    "As recorded by the run: instances were made from their answers, so that each answer of the solver could be held "
    "against the truth in rational numbers. This report has judged nothing of it again; each script below shows its "
    "case without this program."
)
PAVED = (
    "As recorded by the run: the volume between the boxes that its search found to be inside and those that it could "
    "not decide, in outward-rounded arithmetic of one program. No certificate says these numbers; what certificates "
    "prove of the volume is said above, and may be less."
)
NO_CERTIFICATE = "There is no certificate in this folder: the checker has judged nothing of what is told here."
OF_ITS_OWN = (
    "These certificates are about different problems: what a claim calls its condition, rows or unknowns are those of "
    "the file beside it. What lies outside of a set is such a problem, with the conditions turned round."
)
RECORDED_ALONE = "As recorded when the answer was given. Nobody has judged these numbers again for this report."
CAMPAIGN_RECORDED = (
    "As recorded by the campaign, which has read verdicts and ends from certificates that the checker had accepted; a "
    "row without any is undecided or has failed. This report has judged none of them: 'certify report' of a task's "
    "folder, in runs, judges that one again."
)
BOXES_SAY = (
    "Boxes of the certificates above (proved): in a hull lies all of the search box that the claim is about (beside "
    "solutions that are named: all others), and in the box of a solution or a minimum exactly one."
)
AS_RECORDED = "as recorded"
OVER_TIME = (
    "The ends that the search had reached, as recorded by the run: below the area no parameters were found to fit, at "
    "the line some do. What stands of them in the end is said on the first page, from certificates."
)
AT_ONCE = "As recorded by the run, these had their ends at once: {}."
CARRYING = (
    "The rows that each proof uses; of all others nothing is needed. Who doubts a claim has to doubt one of these "
    "rows, the interval of a measurement in it, or the model."
)
CONFLICT = "used by the proof that no value fits"
OF_FIT, OF_WITNESS = "the fit that the run has judged", "the witness of the smallest model error"
RESIDUALS = (
    "The residual of a row is what the model's equation leaves, in between two ends, because its measurements are only "
    "known to lie in their intervals (computed in outward rounding, without a certificate). A row whose interval holds "
    "no 0 contradicts these values of the parameters. Rows that are marked are used by the proof that no value fits."
)


END_NAMES = ("lower end (proved)", "upper end (proved)")
METHOD = "claims with certificates"
METHOD_TOLD = (
    "Each claim is about the problem that its certificate names by a SHA-256: equations and inequalities in unknowns "
    "that lie in a box, and measurements, if there are any, that are intervals or exact numbers. It is proved by that "
    "certificate, which a checker that knows nothing of the search has judged while this document was written.",
)
DECLARED = (
    (
        "no probability",
        [
            "The ends named in this document are proved bounds, told as two quantities each. They are no coverage "
            "interval and no expanded uncertainty: no probability belongs to them, and no k."
        ],
    ),
    (
        "unsigned",
        [
            "This document was written by a program from the files named in it and from the laboratory's own entries, "
            "which nobody has checked. It bears no signature and no seal, and is no evidence of an accreditation."
        ],
    ),
)


def judged_when(checks: Sequence[Check], again: bool) -> str:
    """How many certificates the checker has accepted, and when."""
    return f"{counted_checks(checks)}, {WHILE if again else BEFORE}." if checks else NO_CERTIFICATE


def headline(parts: Sequence[Part]) -> list[str]:
    """The claim: what is answered of which part, and how large the model error of the worst one is."""
    own = [part for part in parts if part.name != TOGETHER or len(parts) == 1]
    answers: dict[str, list[str]] = {}
    for part in own:
        answers.setdefault(any_value(part), []).append(part.name)
    told = [f"{QUESTION} {'; '.join(f'{_named(names)}: {answer}' for answer, names in answers.items())}."]
    return [*told, *(_worst(parts, unit) for unit in dict.fromkeys(part.unit for part in parts if part.epsilon[0]))]


def _worst(parts: Sequence[Part], unit: str) -> str:
    known = [part for part in parts if part.unit == unit]
    worst = max(known, key=lambda part: part.epsilon[0])
    if len(known) == 1:
        return f"The smallest model error of {worst.name}: {band(worst)}."
    return (
        f"Of the parts in {unit} {worst.name} has the largest lower end that is proved; its smallest model error: "
        f"{band(worst)}."
    )


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def refuted_models(parts: Sequence[Part]) -> list[str]:
    """What an expanded uncertainty is worth where no parameters explain the measurements."""
    found = [part.name for part in parts if part.verdict in (Verdict.INADEQUATE, Verdict.INFEASIBLE)]
    if not found:
        return []
    return [
        f"{_named(found)}: no value of the parameters explains the measurements within their intervals (proved), so "
        f"an uncertainty that takes the model to be right says little there."
    ]


def contradicting(name: str, count: int, rows: int) -> str:
    """How many rows of a part contradict its fit."""
    return (
        f"{name}: {count} of {rows} rows contradict {OF_FIT}, whatever was true within the intervals of their "
        f"measurements {WITHOUT_CERTIFICATE}."
    )


def part_sentence(part: Mapping[str, Any]) -> str:
    """What is answered of a part, of its record in a report."""
    return f"{QUESTION} {part['any_value_consistent']}."
