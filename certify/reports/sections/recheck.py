"""How to check everything again without us: commands, and the SHA-256 of every file that was judged."""

from __future__ import annotations

import shlex

from certify.reports.html.markup import Node, table, tag
from certify.reports.html.page import Section
from certify.reports.judging.run import PROBLEM, Run
from certify.runs.supplements import CANONICAL

HEADINGS = ("file", "bytes", "SHA-256")
MOST = 600
TOLD = (
    "In the folder of this run. The first command translates the problem file again and has one certificate judged by "
    "two checkers that share no code; the second runs the first checker alone, which needs nothing but Python and "
    "reads nothing but these two files."
)


def section(run: Run) -> Section | None:
    """Commands for the first certificate, and all sums; nothing where there is no certificate."""
    if not run.judged:
        return None
    accepted = [(j.problem.name, j.file.name) for j in run.judged if j.check.verified and j.problem is not None]
    about, name = next((pair for pair in accepted if pair[0] == CANONICAL), (accepted or [(CANONICAL, "NAME.cert")])[0])
    problem = PROBLEM if about == CANONICAL and run.problem is not None else about
    commands = [
        f"certify check {shlex.quote(problem)} {shlex.quote(name)} --both",
        f"python3 -I -S certify/checker {shlex.quote(about)} {shlex.quote(name)}",
        f"certify explain {shlex.quote(name)}",
        "sha256sum *.canonical *.cert",
    ]
    body: list[Node] = [
        tag("p", TOLD),
        [tag("pre", tag("code", command)) for command in commands],
        table(HEADINGS, _sums(run)[:MOST], "SHA-256 of the files", "sums"),
    ]
    return Section("recheck", "How to check it again", body)


def _sums(run: Run) -> list[tuple[str, str, str]]:
    files = (
        *run.folder.inputs,
        *sorted((*run.folder.problems, *run.folder.certificates), key=lambda f: f.name),
    )
    return [(file.name, str(len(file.data)), file.digest) for file in files]
