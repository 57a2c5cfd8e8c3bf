"""What lies in the folder of a run: its record, its canonical problems and its certificates, as bytes that are read
once. What is judged, hashed and shown are these bytes, whatever happens to the files meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.problems.errors import InputError
from certify.problems.files.disk import neighbour, read_json
from certify.runs.folders import RECORD

MOST_CERTIFICATES = 2000
MOST_BYTES = 512 * 1024 * 1024  # of a file, and of all files of one sort together
NAMES = b"problem "
HEAD = 200  # bytes of a certificate in which it names its problem


@dataclass(frozen=True, slots=True)
class File:
    """A file of the folder, and the SHA-256 of what it holds."""

    name: str
    data: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class Folder:
    """The record, the canonical problems, the certificates, and what was translated."""

    path: Path
    record: Mapping[str, Any]
    problems: tuple[File, ...]
    certificates: tuple[File, ...]
    inputs: tuple[File, ...] = ()

    def problem_of(self, certificate: File) -> File | None:
        """The canonical problem that a certificate names: of several files with the same text the one that is called
        as it is, else the first.
        """
        named = [line.removeprefix(NAMES) for line in certificate.data[:HEAD].splitlines() if line.startswith(NAMES)]
        own = f"{certificate.name.removesuffix('.cert')}.canonical"
        found = [file for file in self.problems if file.digest.encode() in named[:1]]
        return next((file for file in found if file.name == own), found[0] if found else None)

    def problem_named(self, name: str) -> File | None:
        """The canonical problem in the file with this name."""
        return next((file for file in self.problems if file.name == name), None)


def recorded_number(value: object) -> float | None:
    """An entry of a record as a number, if it is one that a double can hold."""
    if not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def read_folder(path: Path) -> Folder:
    """Read what a run has written. Raises InputError where it has not, or where a file is none of ours."""
    if not path.is_dir():
        raise InputError(f"there is no folder {path}; give the folder that a run wrote (--out)")
    record = _record(path)
    problems = _files(path, "*.canonical")
    inputs = (*_files(path, "problem.toml"), *_files(path, "*.csv"))
    return Folder(path, record, problems, _files(path, "*.cert"), inputs)


def _record(path: Path) -> Mapping[str, Any]:
    if not (path / RECORD).is_file():
        raise InputError(f"{path}: there is no {RECORD} in it; give the folder that a run wrote (--out)")
    record = read_json(path / RECORD, "record", MOST_BYTES)
    if not isinstance(record, dict):
        raise InputError(f"{path / RECORD}: it is no record of a run (no object); run again")
    return record


def _files(path: Path, pattern: str) -> tuple[File, ...]:
    """The regular files of this pattern by name; links out of the folder are refused."""
    found: list[File] = []
    total = 0
    for place in sorted(path.glob(pattern)):
        neighbour(path / RECORD, place.name, f"{path}")
        if not place.is_file():
            continue
        total += place.stat().st_size
        if total > MOST_BYTES or len(found) == MOST_CERTIFICATES:
            raise InputError(
                f"{path}: its {pattern} files are more than {MOST_CERTIFICATES} or than {MOST_BYTES} bytes, which no "
                f"report shows; check them one by one with 'certify check'"
            )
        data = place.read_bytes()
        found.append(File(place.name, data, hashlib.sha256(data).hexdigest()))
    return tuple(found)
