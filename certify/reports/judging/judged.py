"""The certificates of a folder, judged again by the checker in processes of its own, each against the problem that it
names; what it says of them now is what counts, whatever the record says. Right after a run, in the same process, what
it has just said of the same bytes is not asked again.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from certify.checker.certificate import Certificate, parse_certificate
from certify.checker.command import PIECES
from certify.checker.outcome import Rejection, ResourceLimit
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checks.accepted import ACCEPTED
from certify.checks.checking import REJECTED, VERIFIED, Check, check_each
from certify.checks.proved import ProvedJudge
from certify.explaining.explanation import Explanation, explain
from certify.reports.judging.files import File, Folder
from certify.solvers.limits import Limit

EXPLAINED = 24 * 1024 * 1024  # bytes of problems and certificates in all that are read once more to be explained
HOMELESS = "REJECTED it names no problem that is in this folder"


@dataclass(frozen=True, slots=True)
class Judged:
    """A certificate, the problem that it names, and what the checker says; `read` and `explanation` only of one that
    was accepted, and the latter only where all of them are not too long to be explained here; `proved` what the checker
    that is proved in Coq says, where it was asked.
    """

    file: File
    problem: File | None
    check: Check
    read: Certificate | None = None
    explanation: Explanation | None = None
    proved: Check | None = None


def judge(
    folder: Folder, limit: Limit, progress: Callable[[str], None], explained: bool = True, again: bool = True
) -> tuple[Judged, ...]:
    """All certificates of the folder, or without `again` those that were not accepted in this process; what is not
    judged within the limit is said not to be.
    """
    pairs = [(certificate, folder.problem_of(certificate)) for certificate in folder.certificates]
    known = {} if again else {pair: said for pair in pairs if (said := _accepted(*pair)) is not None}
    asked = [(c, p) for c, p in pairs if p is not None and (c, p) not in known]
    if asked:
        progress(f"checking {len(asked)} certificates in separate processes")
    known.update(zip(asked, _checks(asked, limit, folder.path), strict=True))
    found, spent = [], 0
    seen: set[str] = set()
    reading = cache(parse_problem)  # by the bytes, of which there is one object for each file
    for certificate, problem in pairs:
        if problem is None:
            found.append(Judged(certificate, None, Check(certificate.name, REJECTED, HOMELESS, 0.0)))
            continue
        check = known[certificate, problem]
        if not check.verified:
            found.append(Judged(certificate, problem, check))
            continue
        spent += len(certificate.data) + (0 if problem.digest in seen else len(problem.data))
        seen.add(problem.digest)
        told = _explained(problem, certificate, reading) if explained and spent <= EXPLAINED else None
        read = parse_certificate(certificate.data) if told is None else told.certificate
        found.append(Judged(certificate, problem, check, read, told))
    return tuple(found)


def judged_by_proof(found: Sequence[Judged]) -> tuple[Judged, ...]:
    """The same with what the checker that is proved says of those that were accepted."""
    with ProvedJudge() as judging:
        return tuple(
            replace(one, proved=Check(one.file.name, *judging.judge(one.problem.data, one.file.data), 0.0))
            if one.check.verified and one.problem is not None
            else one
            for one in found
        )


def _accepted(certificate: File, problem: File | None) -> Check | None:
    """What the checker has said of these bytes in this process, if it has accepted them."""
    told = None if problem is None else ACCEPTED.told(problem.digest, certificate.digest)
    return None if told is None else Check(certificate.name, VERIFIED, told, 0.0)


def _explained(problem: File, certificate: File, reading: Callable[[bytes], CanonicalProblem]) -> Explanation | None:
    """What an accepted certificate says, if it is not too long to be told."""
    try:
        return explain(problem.data, certificate.data, read=reading)
    except (Rejection, ResourceLimit):
        return None


def _checks(pairs: Sequence[tuple[File, File]], limit: Limit, folder: Path) -> tuple[Check, ...]:
    """What the checker says of copies of these bytes; pieces, which are named by their hashes, are read where they
    are.
    """
    if not pairs:
        return ()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        if (folder / PIECES).is_dir():
            with suppress(OSError):  # then they are not at hand, which the checker says
                (place / PIECES).symlink_to((folder / PIECES).resolve(), target_is_directory=True)
        for number, (certificate, problem) in enumerate(pairs):
            (place / f"{number}.cert").write_bytes(certificate.data)
            if not (place / f"{problem.digest}.canonical").exists():
                (place / f"{problem.digest}.canonical").write_bytes(problem.data)
        files = [(place / f"{p.digest}.canonical", place / f"{k}.cert") for k, (_, p) in enumerate(pairs)]
        answers = check_each(files, limit)
    return tuple(
        Check(certificate.name, check.code, check.message, check.seconds)
        for (certificate, _), check in zip(pairs, answers, strict=True)
    )
