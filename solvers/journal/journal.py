"""An append-only file of what a run has found, so that a run that was ended by force can be gone on with.

    a header        what wrote it, about which subject (a digest), and a checksum of both
    records         a key (a digest of the question), a length, the answer as plain data, a checksum of these three

A record is one `write`, so that whatever ends a run leaves whole records and perhaps a last one that is not. On opening
records that are damaged are left out: what they said is found again. A header that is damaged, or of another subject,
is an error. A journal is no proof: who reads an answer judges it again before it counts.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from certify.problems.errors import InputError
from certify.solvers.journal.locks import locked
from certify.solvers.journal.plain import Damaged

Answer = TypeVar("Answer")

MARK = b"certify journal "
MAGIC = MARK + b"1\n"
KEY, SUM, SUBJECT = 32, 16, 32
LENGTH = struct.Struct("<Q")
LONGEST = 2**28  # bytes of one answer
MOST = 2**34  # bytes of a journal: beyond that nothing more is kept
MANY = 20_000_000  # records, of which each takes some 200 bytes of memory when it is opened
SYNCED = 2**22  # bytes between two calls that put them on the disk


def digest(*parts: bytes) -> bytes:
    """Of some texts, each with its length, so that nothing depends on where one ends."""
    found = blake2b(digest_size=KEY)
    for part in parts:
        found.update(LENGTH.pack(len(part)) + part)
    return found.digest()


def _checksum(*parts: bytes) -> bytes:
    return blake2b(b"".join(parts), digest_size=SUM).digest()


@dataclass
class Journal:
    """An open journal; `lost` are bytes that could not be read, `recalled` answers that were not found again.

    Processes that are forked from the one that opened it may write to it, too.
    """

    path: Path
    handle: int
    index: dict[bytes, tuple[int, int]] = field(default_factory=dict)
    size: int = 0
    lost: int = 0
    recalled: int = 0
    broken: str = ""  # why nothing more is kept
    _unsynced: int = 0

    def get(self, key: bytes) -> bytes | None:
        """The answer to a question, if it is there and whole."""
        place = self.index.get(key)
        if place is None:
            return None
        data = _read(self.handle, *place)
        answer = None if data is None else _answer(data)
        if answer is not None and data is not None and data[:KEY] == key:
            self.recalled += 1
            return answer
        del self.index[key]
        return None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was kept, by this process or another one."""
        return os.fstat(self.handle).st_size <= HEADER

    def put(self, key: bytes, answer: bytes) -> None:
        """Keep an answer; a disk that is full ends the keeping, not the run."""
        if self.broken or key in self.index or len(answer) > LONGEST:
            return
        head = key + LENGTH.pack(len(answer))
        data = head + answer + _checksum(head, answer)
        if self.size + len(data) > MOST:
            self.broken = f"it has {MOST} bytes, and holds no more"
            return
        try:
            written = os.write(self.handle, data)
        except OSError as error:
            self.broken = error.strerror or "it cannot be written"
            return
        if written < len(data):
            self.broken = "the disk is full"
            return
        self.size += len(data)
        self._unsynced += len(data)
        if self._unsynced > SYNCED:
            self._unsynced = 0
            with suppress(OSError):
                os.fdatasync(self.handle)

    def close(self, remove: bool = False) -> None:
        """What is kept is on the disk then; nothing is left of it if it is to be removed."""
        if self.handle < 0:
            return
        with suppress(OSError):
            if remove:
                self.path.unlink()
            else:
                os.fsync(self.handle)
        os.close(self.handle)
        self.handle = -1

    @staticmethod
    def begin(path: Path, subject: bytes) -> Journal:
        """An empty one, in place of a journal that may be there; nothing else is written over."""
        _require_file(path)
        header, handle = MAGIC + digest(subject), -1
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            locked(handle, f"journal {path}")
            if not _is_marked(handle):
                raise InputError(f"journal {path}: it is a file of something else; rename it, or choose another folder")
            os.ftruncate(handle, 0)
            os.write(handle, header + _checksum(header))
        except (InputError, OSError) as error:
            if handle >= 0:
                os.close(handle)
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"journal {path}: it cannot be written ({error.strerror}); choose another folder"
            ) from error
        return Journal(path, handle, size=HEADER)

    @staticmethod
    def resume(path: Path, subject: bytes) -> Journal:
        """What is there, of this subject; an empty one if nothing is."""
        _require_file(path)
        if not path.is_file() or path.stat().st_size < HEADER:  # it was ended while its header was written
            return Journal.begin(path, subject)
        try:
            handle = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as error:
            raise InputError(f"journal {path}: it cannot be read ({error.strerror}); check its permissions") from error
        try:
            locked(handle, f"journal {path}")
            _require_header(handle, path, subject)
            found = Journal(path, handle)
            found._read_all()
            return found
        except BaseException:
            os.close(handle)
            raise

    def _read_all(self) -> None:
        """Index the records; what is behind the last whole one is cut off."""
        end, at, good = os.fstat(self.handle).st_size, HEADER, HEADER
        while at + KEY + LENGTH.size + SUM <= end and len(self.index) < MANY:
            head = os.pread(self.handle, KEY + LENGTH.size, at)
            length = LENGTH.unpack(head[KEY:])[0]
            whole = KEY + LENGTH.size + length + SUM
            if length > LONGEST or at + whole > end:
                break
            data = _read(self.handle, at, whole)
            if data is not None and _answer(data) is not None:
                self.index[data[:KEY]] = at, whole
                good = at + whole
            else:
                self.lost += whole
            at += whole
        self.lost += end - max(at, good)
        if good < end:
            os.ftruncate(self.handle, good)
        self.size = good


HEADER = len(MAGIC) + SUBJECT + SUM


def _require_file(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InputError(f"journal {path}: it is a link or no regular file; choose another folder or remove it")


def _is_marked(handle: int) -> bool:
    """Whether a file is empty, or begins as journals of any version do."""
    head = os.pread(handle, len(MARK), 0)
    return head == MARK[: len(head)]


def _require_header(handle: int, path: Path, subject: bytes) -> None:
    if not _is_marked(handle):
        raise InputError(
            f"journal {path}: it is no journal; rename or remove it to begin anew, or choose the folder of this problem"
        )
    header = os.pread(handle, HEADER, 0)
    if header[: len(MAGIC)] != MAGIC or _checksum(header[:-SUM]) != header[-SUM:]:
        raise InputError(
            f"journal {path}: its header is damaged, or it is no journal of this version; remove it to begin anew"
        )
    if header[len(MAGIC) : -SUM] != digest(subject):
        raise InputError(
            f"journal {path}: it is about another problem, or was written by another version of certify; "
            f"remove it to begin anew, or choose the folder of this problem"
        )


def _read(handle: int, at: int, count: int) -> bytes | None:
    """Bytes of a file; None if they are not there."""
    try:
        data = os.pread(handle, count, at)
    except OSError:
        return None
    return data if len(data) == count else None


def _answer(data: bytes) -> bytes | None:
    """The answer in a record, if it is whole."""
    return data[KEY + LENGTH.size : -SUM] if _checksum(data[:-SUM]) == data[-SUM:] else None


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of one question; without a journal, nothing. `context` says what the question is about."""

    journal: Journal | None = None
    context: bytes = b""

    def about(self, *parts: bytes) -> Memory:
        """Of a question within this one."""
        return self if self.journal is None else Memory(self.journal, digest(self.context, *parts))

    def recall(self, key: Callable[[], bytes], read: Callable[[bytes], Answer]) -> Answer | None:
        """What was found before, as `read` makes it of its bytes and judges it; None if nothing was, or Damaged."""
        if self.journal is None:
            return None
        data = self.journal.get(digest(self.context, key()))
        try:
            return None if data is None else read(data)
        except Damaged:
            return None

    def keep(self, key: Callable[[], bytes], answer: Callable[[], bytes]) -> None:
        """What was found now; what is no plain data is not kept."""
        if self.journal is not None and not self.journal.broken:
            with suppress(Damaged):
                self.journal.put(digest(self.context, key()), answer())


NOTHING = Memory()
