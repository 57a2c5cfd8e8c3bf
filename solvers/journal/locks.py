"""One run at a time writes to a file, or to a folder; a process that was ended by force leaves no lock behind."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from certify.problems.errors import InputError

PATIENCE, PAUSE = 10.0, 0.1  # seconds: workers of a run that was killed end within two, later on a busy machine


class Busy(InputError):
    """Another run writes there."""


def locked(handle: int, what: str) -> bool:
    """Lock what is open until it is closed; False on disks without locks. Raises Busy if another run holds it."""
    if find_spec("fcntl") is None:  # on Windows
        return False
    fcntl = import_module("fcntl")
    tries = int(PATIENCE / PAUSE)
    for left in reversed(range(tries + 1)):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError as error:
            if not left:
                raise Busy(f"{what}: another run writes to it; wait for its end, or choose another folder") from error
            time.sleep(PAUSE)
        except OSError:
            return False
    return False


_HELD: ContextVar[dict[tuple[int, int], int] | None] = ContextVar("folders that are locked", default=None)


@contextmanager
def folders_locked() -> Iterator[None]:
    """Every folder that is `taken` meanwhile is locked until the end."""
    held: dict[tuple[int, int], int] = {}
    token = _HELD.set(held)
    try:
        yield
    finally:
        _HELD.reset(token)
        for handle in held.values():
            os.close(handle)


def taken(folder: Path) -> bool:
    """Lock a folder until this command ends: whether it was not locked before, and is now. Raises Busy if another
    command holds it.
    """
    held = _HELD.get()
    if held is None or os.name != "posix":
        return False
    handle = os.open(folder, os.O_RDONLY)
    found = os.fstat(handle)
    place = found.st_dev, found.st_ino
    try:
        if place in held or not locked(handle, f"--out {folder}"):
            return False
        held[place] = handle
        return True
    finally:
        if held.get(place) != handle:
            os.close(handle)
