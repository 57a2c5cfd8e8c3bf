"""Where parameters can be that fit all rows but at most q, whichever these are: an interval for each.

S_q = all theta in the search box for which at most q rows are missed by more than their bounds
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.further import Document, Further
from certify.problems.regressors.regressor import Regressor
from certify.solvers.limits import Stopped


@dataclass(frozen=True, slots=True)
class RelaxedFace:
    """sign theta_j is at most `at`, whichever rows are left out; some parameters reach `reached` without the rows
    `dropped` (by the engine; None: none are known).
    """

    parameter: int
    sign: int
    at: Fraction
    conflicts: int
    reached: Fraction | None
    dropped: tuple[int, ...]


@dataclass(frozen=True, eq=False, repr=False)
class RelaxedHull(Further):
    """All parameters that fit all rows but at most `count` lie in the box of these faces; `certificate` says so.
    `nobody`: no parameters do, and that is what is proved.
    """

    problem: Regressor
    count: int
    faces: tuple[RelaxedFace, ...] = ()
    nobody: bool = False
    certificate: bytes | None = None
    stopped: Stopped = Stopped.FINISHED

    key: ClassVar[str] = "relaxed"

    @property
    def box(self) -> tuple[tuple[Fraction | None, Fraction | None], ...]:
        """The faces, or what was known before; None where that is nothing."""
        found = {(face.parameter, face.sign): face.sign * face.at for face in self.faces}
        pairs = enumerate(self.problem.bounds)
        return tuple((found.get((j, -1), low), found.get((j, 1), high)) for j, (low, high) in pairs)

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificate by its name."""
        return () if self.certificate is None else ((f"relaxed-{self.count}", self.certificate),)

    def standing(self, accepted: Collection[bytes]) -> RelaxedHull:
        """What is left where the checker has accepted these certificates and no others."""
        if self.certificate is None or self.certificate in accepted:
            return self
        return replace(self, faces=(), nobody=False, certificate=None, stopped=Stopped.UNCHECKED)

    def as_json(self) -> dict[str, Any]:
        """Ends are rounded outwards to doubles, rows counted from 1."""
        faces = {(face.parameter, face.sign): face for face in self.faces}

        def dropped(j: int) -> list[Any]:
            pair = (faces.get((j, sign)) for sign in (-1, 1))
            return [None if one is None or one.reached is None else [row + 1 for row in one.dropped] for one in pair]

        return {
            "rows_left_out_at_most": self.count,
            "nobody": self.nobody,
            "stopped": self.stopped.value,
            "parameters": [
                {
                    "name": name,
                    "unit": unit,
                    "interval": [
                        None if low is None else enclose_rational(low)[0],
                        None if high is None else enclose_rational(high)[1],
                    ],
                    "rows_dropped_at_ends": dropped(j),
                }
                for j, (name, unit, (low, high)) in enumerate(
                    zip(self.problem.names, self.problem.units, self.box, strict=True)
                )
            ],
        }
