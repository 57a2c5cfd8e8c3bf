"""Every certificate of the folder: what the checker says of it now, what it claims, and how large its proof is."""

from __future__ import annotations

from collections.abc import Mapping

from certify.explaining.explanation import Explanation
from certify.explaining.explanation_text import claim
from certify.explaining.problem_files import about_squares
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.model import at_middles
from certify.reports.html.markup import Node, filled, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.judged import Judged
from certify.reports.judging.run import Run
from certify.runs.supplements import CANONICAL

HEADINGS = ("certificate", "about", "the checker says", "claim, if it is accepted", "proof", "bytes", "seconds")
LONG = "too long to be told here; 'certify explain' tells it"
OWN = "a problem of its own"
MOST = 600  # certificates that are listed


def section(run: Run) -> Section | None:
    """A row for each of them."""
    if not run.judged:
        return None
    known = _known(run)
    rows = [_row(found, known) for found in run.judged[:MOST]]
    more = len(run.judged) - len(rows)
    note = "A claim is about the problem file that is named beside it, whose SHA-256 the certificate names."
    body: list[Node] = [tag("p", note), table(*filled(HEADINGS, rows), "Certificates", "certificates", stacked=True)]
    return Section(
        "certificates", "Certificates and proofs", [*body, tag("p", f"... and {more} more") if more else None]
    )


def _known(run: Run) -> Mapping[str, str]:
    """What is known of problem files by their SHA-256, because they were made again."""
    if run.problem is None:
        return {}
    squares = next((found.problem for found in run.judged if about_squares(found.file.data)), None)
    own = run.folder.problem_named(CANONICAL)
    told = {} if own is None else {own.digest: f"{CANONICAL}: problem.toml, translated again"}
    if squares is not None and squares.data == canonical_bytes(at_middles(run.problem)):
        told[squares.digest] = f"{squares.name}: the same at the middles of the intervals"
    return told


def _row(found: Judged, known: Mapping[str, str]) -> tuple[Node, ...]:
    name = "" if found.problem is None else found.problem.name
    about = "" if found.problem is None else known.get(found.problem.digest, f"{name}: {OWN}")
    told: Node = ""
    if found.explanation is not None:
        told = [tag("p", line) for line in claim(found.explanation)]
    elif found.read is not None:
        told = LONG
    said = found.check.message.partition(" ")[0] if found.check.verified else found.check.message
    proof = "" if found.explanation is None else _proof(found.explanation)
    return (
        found.file.name,
        about,
        tag("span", said, title=found.check.message),
        told,
        proof,
        str(len(found.file.data)),
        f"{found.check.seconds:.2f}" if found.check.seconds else "",
    )


def _proof(explanation: Explanation) -> str:
    """The size of a tree."""
    tree = explanation.tree
    if tree is None:
        return "a witness"
    leaves = ", ".join(f"{count} {name}" for name, count in sorted(tree.leaves.items()))
    used = "rows as its pieces say" if tree.pieces else f"{len(tree.uses)} of {explanation.rows} rows used"
    count = sum(tree.leaves.values())
    counted = f"{count} {'leaf' if count == 1 else 'leaves'} ({leaves})"
    return f"{counted}, {tree.splits} {'split' if tree.splits == 1 else 'splits'}, depth {tree.depth}, {used}"
