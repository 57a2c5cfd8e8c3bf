"""What is known of physically consistent parameters that fit every row. All of it is confirmed here, in exact or
outward-rounded arithmetic of this run; but for the rows of the point, no certificate repeats it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from certify.bodies.points import PhysicalPoint
from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.regressors.physical import Physical

CONSISTENT, INCONSISTENT, UNDECIDED = "some are consistent", "none is consistent", "undecided"
Weighted = tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True, slots=True)
class PhysicalFace:
    """sign theta_j <= at wherever theta fits every row and is physical, by these weights on rows and on ends of the
    search box.
    """

    parameter: int
    sign: int
    at: Fraction
    weights: Weighted
    walls: Weighted = ()


@dataclass(frozen=True, eq=False)
class PhysicalAnswer:
    """`point` is physical and fits every row (`rows`: the certificate that it fits); `refuted` and `walls`: weights on
    rows and ends of the box that show that none does unless all bounds grow by more than `grow` (0: as they are)
    """

    physical: Physical
    point: PhysicalPoint | None = None
    rows: bytes | None = None
    grow: Fraction = Fraction(0)
    refuted: Weighted = ()
    walls: Weighted = ()
    faces: tuple[PhysicalFace, ...] = ()
    finished: bool = True

    @property
    def verdict(self) -> str:
        """Whether some parameters that fit every row are physical."""
        if self.refuted:
            return INCONSISTENT
        return CONSISTENT if self.point is not None else UNDECIDED

    def standing(self, accepted: Collection[bytes]) -> PhysicalAnswer:
        """What is left where the checker has accepted these certificates and no others."""
        return self if self.rows is None or self.rows in accepted else replace(self, point=None, rows=None)

    def narrowed(
        self, box: tuple[tuple[Fraction | None, Fraction | None], ...]
    ) -> tuple[tuple[Fraction | None, Fraction | None], ...]:
        """A box with the ends of these faces where they are nearer."""
        ends = [list(pair) for pair in box]
        for face in self.faces:
            place, value = (face.sign + 1) // 2, face.sign * face.at
            before = ends[face.parameter][place]
            if before is None or face.sign * value < face.sign * before:
                ends[face.parameter][place] = value
        return tuple((low, high) for low, high in ends)

    def as_json(self) -> dict[str, Any]:
        """For scripts, and for who wants to repeat it: weights and points are exact, rows counted from 1."""
        names = self.physical.names
        return {
            "verdict": self.verdict,
            "bounds_must_grow_by_more_than": enclose_rational(self.grow)[0],
            "refuting_rows": _weights(self.refuted),
            "refuting_ends": _weights(self.walls),
            "point": None if self.point is None else [float(value) for value in self.point.theta],
            "bodies": None
            if self.point is None
            else {name: str(value) for name, value in zip(names, self.point.phi, strict=True)},
            "combinations": [{names[d]: str(factor) for d, factor in row} for row in self.physical.rows],
            "faces": [
                {
                    "parameter": face.parameter + 1,
                    "sign": face.sign,
                    "end": enclose_rational(face.sign * face.at)[face.sign > 0],
                    "weights": _weights(face.weights),
                    "weights_of_ends": _weights(face.walls),
                }
                for face in self.faces
            ],
        }


def _weights(weights: Weighted) -> dict[str, str]:
    """By row (or parameter), counted from 1, its weight, exactly."""
    return {str(row + 1): str(weight) for row, weight in weights}
