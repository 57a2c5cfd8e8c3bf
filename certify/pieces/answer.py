"""The answer of a run in pieces: what the checker has accepted of it, as a text and a record in a folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from certify.checker import Status, check
from certify.checker.command import PIECES
from certify.checks.checking import Check, check_each
from certify.claims.system_claims import PiecesTold, pieces_told
from certify.command import PROVED, REJECTED, UNDECIDED
from certify.contractors.numbers.enclosures import enclose_rational
from certify.pieces.kept import Kept
from certify.pieces.manifest import Manifest, manifest
from certify.pieces.proving import Effort, PartProver
from certify.pieces.running import Pieces, work_of
from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.problems.minibex import minibex_text, parse_minibex
from certify.problems.model.canonical import digest
from certify.questions.system_search import warm_up_systems
from certify.records.options import Progress, silent
from certify.runs.folders import RECORD, Sort, remove, written_before
from certify.solvers.limits import INTERRUPTIONS, Limit, Stopped
from certify.solvers.workers.processes import Processes
from certify.systems.system_answer import PROBLEM, SOLUTIONS
from certify.systems.system_record import write_record

FILE = f"{SOLUTIONS}.cert"
REFUSED = Status.REJECTED
UNFINISHED = "the run has not ended, or was ended by force; certify run --pieces --resume goes on with its pieces"
AFTERWARDS = 60.0  # seconds for the check after an interruption, beside what it is thought to need


@dataclass(frozen=True, slots=True)
class AskedPieces:
    """How a system is proved in pieces: in which folder, whether it is gone on with, with pieces of which others, and
    which part of so many is searched (none: (1, 0)).
    """

    folder: Path
    time_limit: float
    workers: int = 1
    resume: bool = False
    others: tuple[Path, ...] = ()
    share: tuple[int, int] = (1, 1)
    effort: Effort = field(default_factory=Effort)
    tell: Progress = silent


@dataclass(frozen=True, slots=True)
class PiecesAnswer:
    """What the pieces say, and the check of all of them together (None where nothing was to be checked)."""

    title: str
    made: Manifest
    check: Check | None
    stopped: Stopped
    folder: Path

    @property
    def exit_code(self) -> int:
        """0 all solutions are counted, 1 rejected, 3 something is open or not checked."""
        if self.check is not None and self.check.code == REJECTED:
            return REJECTED
        return PROVED if self.made.whole and self.check is not None and self.check.verified else UNDECIDED

    @property
    def told(self) -> PiecesTold:
        """What may be said."""
        made = self.made
        return pieces_told(self.title, made.solutions, made.pieces, len(made.left), made.open_share, self.check)

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts."""
        made, check, verified = self.made, self.check, self.check is not None and self.check.verified
        count = "solutions" if made.whole else "solutions_at_least"
        share = enclose_rational(made.open_share)[1]
        open_ones = {"open_parts": len(made.left), "open_share": share}
        claimed = {"pieces": made.pieces, count: made.solutions, **open_ones} if verified else {}
        return {
            "folder": str(self.folder),
            "title": self.title,
            "exit_code": self.exit_code,
            "coverage": self.told.coverage,
            "stopped": self.stopped.value,
            **claimed,
            "certificate": {"verified": verified, "message": "" if check is None else check.message},
            "files": [RECORD, PROBLEM, FILE] if made.certificate else [RECORD, PROBLEM],
        }


def in_pieces(path: Path, asked: AskedPieces) -> PiecesAnswer:
    """Prove a system in pieces, as far as the limit allows, and have what was found checked as one claim."""
    with INTERRUPTIONS.heeded():
        return _in_pieces(path, asked)


def _in_pieces(path: Path, asked: AskedPieces) -> PiecesAnswer:
    folder, limit = asked.folder, Limit.of(asked.time_limit)
    old = written_before(folder, Sort.SYSTEM)
    text = minibex_text(path)
    system = parse_minibex(text, path.name)
    prover = PartProver(system, asked.effort)
    kept = Kept(folder / PIECES, digest(prover.proving.canonical))
    if not asked.resume and next(kept.pieces(), None) is not None:
        raise InputError(f"--out {folder} holds pieces of this system; give --resume to go on, or another folder")
    remove(old)
    write_record(folder, _unfinished(system.title or path.stem))
    write_bytes(folder / PROBLEM, prover.proving.canonical)
    for other in asked.others:
        _gather(Kept(other / PIECES, kept.problem), kept)
    left = limit.remaining
    asked.tell("loading the interval kernels (the first time on a machine they are compiled: some seconds)")
    warm_up_systems()
    limit = Limit.of(left) if not limit.interrupted else limit
    with Processes(asked.workers, forked=True) as crew:
        work = work_of(text, asked.effort)
        run = Pieces(prover, kept, limit, asked.tell, crew, work, asked.share)
        run.run()
    searched = Stopped.WIDTH if run.too_small else Stopped.FINISHED
    stopped = limit.reached(Stopped.TIME) if run.waiting else searched
    more = AFTERWARDS + 2.0 * run.checking
    made, check = _together(prover, kept, asked, limit.after(more).at_least(more))
    if check is not None and check.code == REJECTED and _without_refused(prover, kept, asked.tell):
        made, check = _together(prover, kept, asked, limit.after(more).at_least(more))
    answer = PiecesAnswer(system.title or path.stem, made, check, stopped, folder)
    write_record(folder, answer.as_json())
    return answer


def _together(prover: PartProver, kept: Kept, asked: AskedPieces, limit: Limit) -> tuple[Manifest, Check | None]:
    """The claim of all pieces, and what the checker says of it."""
    made = manifest(prover.proving, prover.scope, kept.pieces())
    (asked.folder / FILE).unlink(missing_ok=True)
    if not made.certificate:
        return made, None
    write_bytes(asked.folder / FILE, made.certificate)
    asked.tell(f"checking {made.pieces} pieces as one claim")
    (said,) = check_each([(asked.folder / PROBLEM, asked.folder / FILE)], limit, asked.workers)
    return made, said


def _without_refused(prover: PartProver, kept: Kept, tell: Progress) -> int:
    """How many pieces the checker refuses where they stand alone; they are kept no more, so that their parts are
    proved by others, or open.
    """
    found = [piece for piece in kept.pieces() if check(prover.proving.canonical, kept.read(piece)).status is REFUSED]
    for piece in found:
        kept.refuse(piece)
    if found:
        tell(f"{len(found)} pieces are refused by the checker, and left out")
    return len(found)


def _unfinished(title: str) -> dict[str, Any]:
    """What the folder says until there is an answer, with the names of the files that the next run is to remove."""
    told = f"nothing is known of its solutions: {UNFINISHED}"
    certificate = {"verified": False, "message": UNFINISHED}
    files = [RECORD, PROBLEM, FILE]
    return {"title": title, "exit_code": UNDECIDED, "coverage": told, "certificate": certificate, "files": files}


def _gather(source: Kept, target: Kept) -> None:
    """Pieces of another folder, one by one."""
    for piece in source.pieces():
        target.add(source.read(piece))
