"""The journal of a run lies beside the folder that the run writes to, and is gone when nothing is left to be done, or
nothing was found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from certify.problems.errors import InputError
from certify.solvers.journal.journal import MARK, NOTHING, Journal, Memory
from certify.solvers.journal.locks import Busy


@dataclass
class Kept:
    """What a run knows and keeps; `done` says that its answer is final."""

    memory: Memory
    done: bool = False


def journal_path(folder: Path) -> Path:
    """The file beside a folder."""
    absolute = folder.absolute()
    return absolute.parent / f"{absolute.name}.journal"


def is_journal(path: Path) -> bool:
    """Whether a file begins as journals of any version do."""
    if not path.is_file():
        return False
    with path.open("rb") as stream:
        return stream.read(len(MARK)) == MARK


def certify_version() -> bytes:
    try:
        return version("certify").encode()
    except PackageNotFoundError:
        return b"unknown"


@contextmanager
def kept_beside(folder: Path, subject: bytes, resume: bool, tell: Callable[[str], None]) -> Iterator[Kept]:
    """A journal about a subject while a run lasts; of an earlier run, if it is resumed. A run whose journal cannot be
    written has none, and says so. Raises Busy where another run writes to it.
    """
    path = journal_path(folder)
    journal = _opened(path, subject, resume, tell)
    if journal is None:
        yield Kept(NOTHING)
        return
    kept = Kept(Memory(journal))
    try:
        yield kept
    finally:
        if journal.broken:
            tell(f"the journal {path.name} is not complete: {journal.broken}")
        journal.close(remove=kept.done or journal.is_empty)


def _opened(path: Path, subject: bytes, resume: bool, tell: Callable[[str], None]) -> Journal | None:
    subject = certify_version() + b" " + subject
    if not resume:
        try:
            return Journal.begin(path, subject)
        except Busy:
            raise
        except InputError as error:
            tell(f"{error}; this run cannot be resumed")
            return None
    if not path.is_file():
        tell(f"there is no {path.name}: the run begins anew")
    journal = Journal.resume(path, subject)
    lost = f", {journal.lost} bytes of it could not be read and are found again" if journal.lost else ""
    tell(f"resuming: the journal {path.name} has {len(journal.index)} steps{lost}")
    return journal
