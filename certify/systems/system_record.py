"""What answers about systems of equations and about sets of inequalities have in common: they can be printed, judged
again, and saved.

str(answer)              the text that `certify run` prints
answer.checked()         what is left of it after the checker, a process of its own, has judged its certificates once
more answer.standing(texts)   what is left of it where these certificates were accepted, and no others
answer.save(folder)      what `certify run --out folder` writes: the record, the certificates, and a picture
"""

from __future__ import annotations

import json
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from certify.checks.checking import RESOURCE, Check, check_each
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.pictures.painting import Draw, in_place
from certify.pictures.paving_picture import Drawing, paving_picture
from certify.problems.errors import InputError
from certify.problems.files.disk import write_bytes
from certify.problems.systems.system import System
from certify.runs.folders import RECORD, Sort, remove, written_before
from certify.solvers.limits import UNLIMITED, Limit, Stopped
from certify.text.shown import Shown

if TYPE_CHECKING:
    from certify.contractors.interval import Interval

PICTURE = "paving.png"
LEAST = 0.5  # seconds for a check though less is left: the checker takes a tenth of a second to start
NamedBox: TypeAlias = "dict[str, Interval]"


@dataclass(frozen=True, slots=True)
class Document:
    """A certificate, the canonical problem that it is about, and the names of both files."""

    name: str
    problem: str
    canonical: bytes
    certificate: bytes

    @property
    def file(self) -> str:
        """The file of the certificate."""
        return f"{self.name}.cert"


@dataclass(frozen=True, repr=False)
class Record(Shown, ABC):
    """An answer with its certificates, and what the checker has said to each, by its name."""

    checks: Mapping[str, Check] = field(default_factory=dict, kw_only=True)

    @property
    @abstractmethod
    def system(self) -> System:
        """What it is about."""

    @property
    @abstractmethod
    def stopped(self) -> Stopped:
        """Why the search ended; never what is proved."""

    @property
    @abstractmethod
    def documents(self) -> tuple[Document, ...]:
        """The certificates that were made, the cheapest to check first."""

    @property
    @abstractmethod
    def exit_code(self) -> int:
        """That of `certify run`: 0 proved and checked, 1 a certificate was rejected, 3 undecided."""

    @property
    @abstractmethod
    def coverage(self) -> str:
        """What is known of all solutions, in a sentence."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The answer for people."""

    @property
    @abstractmethod
    def drawing(self) -> Drawing:
        """What a picture of it shows."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """One line: an answer may have thousands of boxes."""
        return f"<{type(self).__name__} about {self.system.title}: {self.coverage}>"

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; look at what it says is verified")

    def is_verified(self, name: str) -> bool:
        """Whether the checker has accepted the certificate with this name."""
        return name in self.checks and self.checks[name].verified

    @property
    def verified(self) -> bool:
        """Whether there are certificates, and the checker has accepted them all."""
        return bool(self.documents) and all(self.is_verified(document.name) for document in self.documents)

    @property
    def files(self) -> list[str]:
        """The names of the certificates' files and of their problems'."""
        return list(dict.fromkeys(name for document in self.documents for name in (document.problem, document.file)))

    def judged(self, limit: Limit = UNLIMITED, folder: Path | None = None, workers: int | None = None) -> Self:
        """The same with what the checker says of its certificates within the limit, in so many processes (one a
        processor if None); they are written to a folder (for the time being if none is given).
        """
        if folder is None:
            with tempfile.TemporaryDirectory() as name:
                return self.judged(limit, Path(name), workers)
        self.write_documents(folder)
        pairs = [(folder / document.problem, folder / document.file) for document in self.documents]
        checks = check_each(pairs, limit.at_least(LEAST), workers) if pairs else ()
        return replace(
            self, checks={document.name: check for document, check in zip(self.documents, checks, strict=True)}
        )

    def checked(self) -> Self:
        """What is left of the answer after the checker, a process of its own for each certificate, has judged them
        once more.
        """
        return self.judged()

    def standing(self, accepted: Collection[bytes]) -> Self:
        """What is left of the answer where the checker has accepted these certificates and no others: a claim without
        its check is none.
        """
        kept = {
            d.name: self.checks[d.name] for d in self.documents if d.certificate in accepted and d.name in self.checks
        }
        others = {
            d.name: Check(d.file, RESOURCE, f"not checked: {Stopped.UNCHECKED.value}", 0.0)
            for d in self.documents
            if d.name not in kept
        }
        return replace(self, checks=kept | others)

    def save(self, folder: Path | str, plot: Sequence[str] | None = None) -> list[Path]:
        """Write the record, the certificates and their problems, and a picture of two or three variables (`plot`
        names them; where it is not given and there are so many, of all); removes what an earlier run on a system has
        written there, and returns the paths.
        """
        folder = Path(folder)
        shown = variables_shown(self.system, plot)
        remove(written_before(folder, Sort.SYSTEM))
        self.write_documents(folder)
        draw = in_place(paving_picture, (self.drawing, shown)) if shown else None
        return [folder / name for name in self.write(folder, draw)]

    def as_record(self, folder: Path, pictured: bool) -> dict[str, Any]:
        """What the record in a folder says, with the names of all files there."""
        files = [RECORD, *([PICTURE] if pictured else []), *self.files]
        return {"folder": str(folder), "exit_code": self.exit_code, **self.as_json(), "files": files}

    def write(self, folder: Path, draw: Draw | None) -> list[str]:
        """Write the record, and the picture if there is one, beside certificates that are there; returns the names of
        all files.
        """
        told = self.as_record(folder, draw is not None)
        write_record(folder, told)
        if draw is not None:
            write_bytes(folder / PICTURE, draw())
        return list(told["files"])

    def write_documents(self, folder: Path) -> None:
        """The certificates and their problems."""
        for document in self.documents:
            write_bytes(folder / document.problem, document.canonical)
            write_bytes(folder / document.file, document.certificate)


def write_record(folder: Path, told: Mapping[str, Any]) -> None:
    """The answer for scripts, an entry a line: many boxes, one line."""
    lines = ",\n".join(f" {json.dumps(key)}: {json.dumps(value)}" for key, value in told.items())
    write_bytes(folder / RECORD, f"{{\n{lines}\n}}\n".encode())


def variables_shown(system: System, plot: Sequence[str] | None) -> tuple[int, ...]:
    """The numbers of the variables that a picture shows: those named; where none are, all if they are two or three;
    none if there is no picture.
    """
    names = [variable.name for variable in system.variables]
    if plot is None:
        return tuple(range(len(names))) if len(names) in (2, 3) else ()
    told = f"--plot {','.join(plot)}"
    for name in plot:
        if name not in names:
            raise InputError(f"{told}: there is no variable {name!r}; the system has {', '.join(names)}")
    if len(plot) not in (2, 3) or len(set(plot)) != len(plot):
        raise InputError(f"{told}: name two or three different variables, with commas between them")
    return tuple(names.index(name) for name in plot)


def named_boxes(system: System, boxes: Iterable[Box]) -> tuple[NamedBox, ...]:
    """Boxes by the names of the variables."""
    from certify.contractors.interval import Interval  # which a command does without

    names = [variable.name for variable in system.variables]
    return tuple(
        {name: Interval(float(low), float(high)) for name, low, high in zip(names, box.lower, box.upper, strict=True)}
        for box in boxes
    )


def each_box(boxes: Boxes) -> Iterable[Box]:
    """The boxes of a batch, one by one."""
    return (Box(low, high) for low, high in zip(boxes.lower.T, boxes.upper.T, strict=True))
