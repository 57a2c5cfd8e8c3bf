"""One run at a time writes to a file; a process that was ended by force leaves no lock behind."""

from __future__ import annotations

import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from certify.problems.errors import InputError

PATIENCE, PAUSE = 5.0, 0.1  # seconds: workers of a run that was killed end within two


def locked(handle: int, path: Path) -> None:
    """Lock an open file until it is closed. Raises InputError if another run holds it."""
    if find_spec("fcntl") is None:  # on Windows nothing is locked
        return
    fcntl = import_module("fcntl")
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError as error:
            if time.monotonic() > until:
                raise InputError(f"journal {path}: another run writes to it; wait for its end") from error
            time.sleep(PAUSE)
