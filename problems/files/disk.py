"""Files of users: read with a size cap, as text, from where they may lie; written under a temporary name and then
renamed.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from certify.problems.errors import InputError
from certify.problems.formulas.units import shown

MAX_BYTES = 16 * 1024 * 1024
LARGE_BYTES = 128 * 1024 * 1024  # of logs and regressors
LONGEST_NAME = 255  # bytes of a name that all disks have
HIDDEN = ".certify-"  # how names begin of what is written, until it is whole


def read_text(path: Path, what: str, limit: int = MAX_BYTES, otherwise: str = "") -> str:
    """The UTF-8 text (or in another encoding, where one is given) of a regular file of at most `limit` bytes; `what`
    names it in messages.
    """
    if not is_there(path):
        raise InputError(f"{what} {path}: there is no such file; check the name and the folder")
    try:
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise InputError(f"{what} {path}: it cannot be read ({error.strerror}); check its permissions") from error
    if len(data) > limit:
        raise InputError(f"{what} {path}: it is larger than {limit} bytes; split it")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if otherwise:
            return data.decode(otherwise)
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{what} {path}, line {line}: byte {data[error.start]:#04x} is not UTF-8 text; save the file as UTF-8"
        ) from error


def read_json(path: Path, what: str, limit: int = LARGE_BYTES) -> Any:
    """The value of a JSON file. Raises InputError where it is none, or nested too deeply to be read."""
    text = read_text(path, what, limit)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: it is no {what} of a run (no JSON); run again") from error


def is_there(path: Path) -> bool:
    """Whether there is such a file, which no name that is too long is."""
    try:
        return path.is_file()
    except OSError:
        return False


def neighbour(path: Path, name: str, place: str) -> Path:
    """The file `name` in the folder of `path` or below; absolute names, '..' and links that lead out of the folder are
    refused.
    """
    parts = PurePosixPath(name)
    if not name.isprintable() or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in parts.parts):
        raise InputError(
            f"{place}: {shown(name)} is no name of a file: it has a control character, or a part of more than "
            f"{LONGEST_NAME} bytes; rename the file"
        )
    if parts.is_absolute() or PureWindowsPath(name).drive or "\\" in name or ".." in parts.parts:
        raise InputError(
            f"{place}: {shown(name)} leads out of the problem's folder; put the file there and write its plain name"
        )
    found = path.parent / parts
    if not _inside(found, path.parent):
        raise InputError(f"{place}: {shown(name)} is a link out of the problem's folder; copy the file there")
    return found


def _inside(path: Path, folder: Path) -> bool:
    try:
        return path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # a loop of links
        return False


def write_text(path: Path, text: str) -> None:
    """Write a file as UTF-8, as `write_bytes` does."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file under a temporary name in its folder and rename it, so that nobody ever sees half of it."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise InputError(f"output {path}: it is a link or no regular file; choose another place or remove it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f"{HIDDEN}{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(f"output {path}: it cannot be written ({error.strerror}); choose another folder") from error
