"""Hulls: for every parameter of a part the proved interval outside which no consistent value lies, and witnesses that
say how tight it is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from certify.contractors.numbers.enclosures import enclose_rational
from certify.parts.polytope import Polytope
from certify.problems.files.disk import write_bytes
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

HULL_SUFFIX = "-hull"


@dataclass(frozen=True, slots=True)
class Face:
    """One end of a parameter's interval: nothing consistent lies beyond `outer` (proved), and something lies at
    `witness` (verified).

    `limited` says that `outer` is the search box's own bound: it limits the parameter, not the measurements. `stopped`
    is why no more was tried.
    """

    outer: Fraction
    witness: Fraction | None
    limited: bool
    stopped: Stopped

    @property
    def distance(self) -> Fraction | None:
        """From the proved end to the verified witness."""
        return None if self.witness is None else abs(self.outer - self.witness)


@dataclass(frozen=True)
class Hull:
    """The hull of a part: names, units, and for each variable its lower and its upper face."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    faces: tuple[tuple[Face, Face], ...]

    @property
    def lower(self) -> tuple[Fraction, ...]:
        """The proved lower ends."""
        return tuple(low.outer for low, _ in self.faces)

    @property
    def upper(self) -> tuple[Fraction, ...]:
        """The proved upper ends."""
        return tuple(high.outer for _, high in self.faces)

    def gap(self, number: int) -> float | None:
        """The larger distance of a variable's faces from their witnesses, in parts of the proved width, rounded up;
        None without a witness.
        """
        low, high = self.faces[number]
        if low.distance is None or high.distance is None:
            return None
        width = high.outer - low.outer
        return enclose_rational(max(low.distance, high.distance) / width)[1] if width else 0.0

    @property
    def gaps(self) -> tuple[float | None, ...]:
        """The gaps of all variables."""
        return tuple(self.gap(number) for number in range(len(self.names)))

    def as_json(self) -> list[dict[str, Any]]:
        """One object for each variable; ends are rounded outwards, witnesses to the nearest double."""
        return [
            {
                "name": name,
                "unit": unit,
                "hull": [enclose_rational(low.outer)[0], enclose_rational(high.outer)[1]],
                "witnesses": [None if face.witness is None else float(face.witness) for face in (low, high)],
                "gap": gap,
                "limited_by_search_box": [low.limited, high.limited],
                "stopped": [low.stopped.value, high.stopped.value],
            }
            for name, unit, (low, high), gap in zip(self.names, self.units, self.faces, self.gaps, strict=True)
        ]


@dataclass(frozen=True, repr=False)
class Enclosed(Part):
    """The answer about one part: `box` is its hull (None if it is empty: infeasible), `certificate` proves its outer
    side.

    `witness_certificates` prove its inner side: one for each face, by names such as a_x-lower, that something
    consistent lies there. `level` is the epsilon that was asked.
    """

    box: Hull | None = None
    witness_certificates: dict[str, bytes] = field(default_factory=dict)
    polytope: Polytope | None = None
    level: Fraction = Fraction(0)

    @property
    def point_certificate(self) -> bytes | None:
        """The certificate of one of the witnesses: that there is something in the hull; None if there is none."""
        return next(iter(self.witness_certificates.values()), None)

    @property
    def documents(self) -> tuple[tuple[bytes | None, bytes], ...]:
        """All certificates of the answer that a run writes."""
        return tuple((None, text) for text in (self.certificate, self.point_certificate) if text is not None)

    def standing(self, accepted: Collection[bytes]) -> Self:
        """The hull with its certificate, something in it with that of a witness."""
        if self.certificate is not None and self.certificate not in accepted:
            return replace(super().standing(()), box=None, polytope=None, witness_certificates={})
        if self.verdict is Verdict.ENCLOSED and self.point_certificate not in accepted:
            return replace(
                self, verdict=Verdict.UNDECIDED, stopped=Stopped.UNCHECKED, witness=None, epsilon=(Fraction(0), None)
            )
        return self

    def as_json(self) -> dict[str, Any]:
        """The part's record and its hull."""
        told = {"hull": None if self.box is None else self.box.as_json()}
        return super().as_json() | told | ({} if self.polytope is None else {"axes": self.polytope.as_json()})


@dataclass(frozen=True, repr=False)
class Enclosure(Result):
    """All parts of an answer about hulls: `joint` says whether the parts share measurements, `bare` names those for
    which no half-spaces were found although they were asked for.
    """

    parts: tuple[Enclosed, ...]
    joint: bool = False
    bare: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every part is known to be empty, or has a hull whose faces are as near to witnesses as was asked."""
        return all(part.verdict is not Verdict.UNDECIDED and part.stopped is Stopped.FINISHED for part in self.parts)

    def part(self, name: str) -> Enclosed:
        """The part with this name."""
        found = super().part(name)
        return next(part for part in self.parts if part is found)

    def save(self, directory: Path | str, witnesses: bool = False) -> list[Path]:
        """Write problem.canonical and NAME-hull.cert for each part, on request NAME-hull-FACE.cert too; returns the
        certificates' paths.
        """
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / "problem.canonical", self.canonical)
        written = []
        for part in self.parts:
            found = {} if part.certificate is None else {f"{part.name}{HULL_SUFFIX}": part.certificate}
            if witnesses:
                found |= {
                    f"{part.name}{HULL_SUFFIX}-{face.removeprefix(part.name + '.')}": data
                    for face, data in part.witness_certificates.items()
                }
            for name, data in found.items():
                written.append(folder / f"{name}.cert")
                write_bytes(written[-1], data)
        return written
