"""A task of a campaign for a worker elsewhere, and the folder that it answers with, as plain bytes.

A worker gets the task and the files of its problem, and answers as `certify run` does, into a folder of its own. What
comes back are files by their names; the rows are read from them here, as from any folder: certificates are judged, and
count if they are about the problem that is made here.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from certify.campaigns.answering import answer, is_system, problem_of
from certify.campaigns.plan import Task
from certify.checker.command import PIECES
from certify.parts.warm_up import warm_up
from certify.pieces.kept import NAME
from certify.problems.errors import InputError
from certify.problems.experiments.toml_writer import write_experiment
from certify.problems.files.disk import write_bytes
from certify.questions.system_search import warm_up_systems
from certify.records.options import silent
from certify.solvers.journal.plain import Damaged, Plain
from certify.solvers.limits import Limit
from certify.solvers.workers.work import Task as WorkTask
from certify.solvers.workers.work import Work

CODEC = Plain(Task)
Files = dict[str, bytes]
Asked = tuple[Task, Files]
MOST_FILES, MOST_BYTES, LONGEST = 10_000, 2**30, 200
REFUSED = "refused: "


def packed(task: Task) -> bytes:
    """A task, with the files of its problem. Raises InputError."""
    if not task.source:
        return CODEC.encode((task, {}))
    source = Path(task.source)
    if is_system(task):
        return CODEC.encode((replace(task, source=source.name), {source.name: _bytes(source)}))
    with tempfile.TemporaryDirectory() as name:
        path = write_experiment(Path(name), problem_of(task))
        return CODEC.encode((replace(task, source=path.name), _files(Path(name))))


def work() -> Work:
    """What a worker does."""
    return Work.of(open_answering, b"")


def open_answering(text: bytes) -> WorkTask:
    """A worker's answers to tasks."""
    _begun()

    def task(piece: bytes, limit: Limit) -> bytes:
        asked, files = CODEC.decode(piece, Asked)
        with unpacked(files) as folder:
            source = str(folder / asked.source) if asked.source else ""
            try:
                answer(replace(asked, source=source), folder / "answer")
            except InputError as error:
                return CODEC.encode({REFUSED: str(error).replace(str(folder), "").encode()})
            return CODEC.encode(_files(folder / "answer"))

    return task


@cache
def _begun() -> None:
    """Kernels are loaded before a limit of time counts."""
    warm_up(silent)
    warm_up_systems()


@contextmanager
def unpacked(files: Files) -> Iterator[Path]:
    """A folder with these files, while it is needed."""
    with tempfile.TemporaryDirectory() as name:
        write(files, Path(name))
        yield Path(name)


def accepted(data: bytes) -> Files:
    """The files of an answer. Raises Damaged."""
    files: Files = CODEC.decode(data, Files)
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
        raise Damaged("more files than an answer has")
    if REFUSED in files or not all(_is_name(name) for name in files):
        raise Damaged("files of another folder, or none")
    return files


def _is_name(name: str) -> bool:
    """Whether a name is that of a file in this folder, or of a piece, and no other."""
    if NAME.fullmatch(name.removeprefix(f"{PIECES}/")):
        return True
    plain = name.isprintable() and len(name) <= LONGEST and not name.startswith(".")
    return plain and bool(name) and Path(name).name == name and "\\" not in name and ":" not in name


def replaced(folder: Path, files: Files) -> None:
    """These files, in place of what a task's folder had."""
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    write(files, folder)


def write(files: Files, folder: Path) -> None:
    """Files by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        if not _is_name(name):
            raise InputError(f"{name!r} is no name of a file")
        (folder / name).parent.mkdir(exist_ok=True)
        write_bytes(folder / name, data)


def _files(folder: Path) -> Files:
    """The files of a folder, and its pieces."""
    paths = [*sorted(folder.iterdir()), *sorted((folder / PIECES).glob("*.cert"))]
    return {path.relative_to(folder).as_posix(): _bytes(path) for path in paths if path.is_file()}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: it cannot be read ({error.strerror})") from error
