"""What is known of the parameters of a linear model: ends with their certificates, and what is left after the check."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from certify.bodies.answer import UNDECIDED, PhysicalAnswer
from certify.checks.checking import check_each
from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.files.disk import write_bytes
from certify.problems.regressors.regressor import Regressor
from certify.records.verdicts import Verdict
from certify.solvers.limits import Limit, Stopped
from certify.text.decimals import ends_so_far
from certify.text.shown import Shown

CANONICAL = "problem.canonical"
HULL, PHYSICAL_ROWS = "hull", "physical-rows"
Document = tuple[str, bytes]


@dataclass(frozen=True, slots=True)
class Needed:
    """Both ends of what is needed: of an error, or of a factor on all half-widths; each with its certificate, and the
    rows that the lower end rests on, counted from 0.
    """

    name: str
    lower: Fraction = Fraction(0)
    upper: Fraction | None = None
    rows: tuple[int, ...] = ()
    lower_certificate: bytes | None = None
    upper_certificate: bytes | None = None

    @property
    def so_far(self) -> str:
        """Its ends while the search goes on, in a few digits, outwards; empty where there are none."""
        if not self.lower and self.upper is None:
            return ""
        return f"{self.name} {ends_so_far(self.lower, self.upper)}"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificates by their names."""
        pairs = (("lower", self.lower_certificate), ("upper", self.upper_certificate))
        return tuple((f"{self.name}-{end}", text) for end, text in pairs if text is not None)

    def standing(self, accepted: Collection[bytes]) -> Needed:
        """What is left where the checker has accepted these certificates and no others."""
        found = self
        if self.lower_certificate not in accepted:
            found = replace(found, lower=Fraction(0), rows=(), lower_certificate=None)
        return found if self.upper_certificate in accepted else replace(found, upper=None, upper_certificate=None)

    def as_json(self) -> dict[str, Any]:
        """Both ends, rounded outwards to doubles, and the rows, counted from 1."""
        upper = None if self.upper is None else enclose_rational(self.upper)[1]
        return {"ends": [enclose_rational(self.lower)[0], upper], "rows": [row + 1 for row in self.rows]}


@dataclass(frozen=True, slots=True)
class Face:
    """How far a parameter reaches in one direction, the rows that say so, and how far at least (by the engine)."""

    parameter: int
    sign: int
    at: Fraction
    rows: tuple[int, ...]
    reached: Fraction | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Identified(Shown):
    """The answer about a model W theta = y.

    `error` is the smallest number by which all bounds must grow for some parameters to fit every row (0: some fit),
    `factor` the smallest common factor on the bounds, `fit` what the least-squares fit needs (None: it was not reached,
    or lies outside of the box). `faces` bound the parameters that fit every row; `hull` is their certificate.
    `physical`, if it was asked for and some parameters may fit: what is known of physically consistent ones.
    `estimate` is that fit, `directions` what the rows leave open: estimated. `judged` says whether the checker has
    judged the certificates, and this is what is left.
    """

    problem: Regressor
    estimate: tuple[float, ...]
    error: Needed
    factor: Needed | None
    fit: Needed | None
    faces: tuple[Face, ...]
    hull: bytes | None
    directions: tuple[tuple[float, ...], ...]
    stopped: Stopped
    seconds: float
    point: tuple[Fraction, ...] | None = field(default=None)
    partners: tuple[int | None, ...] = ()  # with which parameter each trades off most, estimated
    physical: PhysicalAnswer | None = None
    judged: bool = False
    half_widths: Needed | None = field(default=None)

    @property
    def verdict(self) -> Verdict:
        """Whether some parameters in the box fit every row."""
        if self.error.lower > 0:
            return Verdict.INADEQUATE
        return Verdict.ADEQUATE if self.error.upper == 0 else Verdict.UNDECIDED

    @property
    def box(self) -> tuple[tuple[Fraction | None, Fraction | None], ...]:
        """Where all parameters are that fit every row: faces, or what was known before; None where that is nothing."""
        found = {(face.parameter, face.sign): face for face in self.faces}

        def end(j: int, sign: int, before: Fraction | None) -> Fraction | None:
            face = found.get((j, sign))
            return before if face is None else sign * face.at

        return tuple((end(j, -1, low), end(j, 1, high)) for j, (low, high) in enumerate(self.problem.bounds))

    @property
    def open_ends(self) -> tuple[tuple[int, int], ...]:
        """(parameter, direction) in which nothing bounds it."""
        return tuple(
            (j, s) for j, pair in enumerate(self.box) for s, end in zip((-1, 1), pair, strict=True) if end is None
        )

    def is_identified(self, j: int) -> bool:
        """Whether some parameters fit, this one's interval has both ends, and rows prove that 0 is outside of it."""
        low, high = self.box[j]
        if self.verdict is not Verdict.ADEQUATE or low is None or high is None:
            return False
        proved = {(face.parameter, face.sign) for face in self.faces}
        return (low > 0 and (j, -1) in proved) or (high < 0 and (j, 1) in proved)

    @property
    def is_physically_decided(self) -> bool:
        """Whether what was asked of physically consistent parameters has an answer, if it was asked."""
        return self.physical is None or (self.physical.verdict != UNDECIDED and self.physical.finished)

    @property
    def documents(self) -> tuple[Document, ...]:
        """All certificates by their names."""
        known = (self.error, self.factor, self.half_widths, self.fit)
        parts = [part.documents for part in known if part is not None]
        hull = () if self.hull is None else ((HULL, self.hull),)
        rows = None if self.physical is None else self.physical.rows
        physical = () if rows is None else ((PHYSICAL_ROWS, rows),)
        return (*hull, *(document for part in parts for document in part), *physical)

    def standing(self, accepted: Collection[bytes]) -> Identified:
        """What is left where the checker has accepted these certificates and no others."""
        whole = all(text in accepted for _, text in self.documents)
        known = (self.factor, self.half_widths, self.fit)
        factor, half_widths, fit = (None if part is None else part.standing(accepted) for part in known)
        kept = self.hull in accepted
        physical = None if self.physical is None else self.physical.standing(accepted)
        if physical is not None and self.problem.has_ends and self.hull is not None and not kept:
            physical = replace(physical, refuted=(), walls=(), faces=())  # they were found within the intervals
        error = self.error.standing(accepted)
        return replace(
            self,
            error=error,
            factor=factor,
            half_widths=half_widths,
            fit=fit,
            faces=self.faces if kept else (),
            hull=self.hull if kept else None,
            point=self.point if error.upper == 0 else None,
            physical=physical,
            stopped=self.stopped if whole else Stopped.UNCHECKED,
        )

    def save(self, folder: Path | str) -> list[tuple[Path, Path]]:
        """Write the canonical problem and all certificates to a folder; (problem, certificate) each."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        canonical = place / CANONICAL
        canonical.unlink(missing_ok=True)
        self.problem.write(canonical)
        written = []
        for name, text in self.documents:
            written.append((canonical, place / f"{name}.cert"))
            write_bytes(written[-1][1], text)
        return written

    def checked(self) -> Identified:
        """What is left after the checker, in processes of its own, has judged the certificates."""
        with tempfile.TemporaryDirectory() as folder:
            pairs = self.save(folder)
            checks = check_each(pairs, Limit())
        texts = dict(zip((pair[1].name for pair in pairs), (text for _, text in self.documents), strict=True))
        return replace(self.standing({texts[check.certificate] for check in checks if check.verified}), judged=True)

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; look at its verdict, or at its box")

    def as_json(self) -> dict[str, Any]:
        """For scripts: ends are rounded outwards to doubles, rows counted from 1."""
        faces = {(face.parameter, face.sign): face for face in self.faces}
        parameters = []
        for j, name in enumerate(self.problem.names):
            low, high = self.box[j]
            rows = {sign: faces[j, sign].rows for sign in (-1, 1) if (j, sign) in faces}
            parameters.append(
                {
                    "name": name,
                    "unit": self.problem.units[j],
                    "interval": [
                        None if low is None else enclose_rational(low)[0],
                        None if high is None else enclose_rational(high)[1],
                    ],
                    "identified": self.is_identified(j),
                    "estimated_least_squares": self.estimate[j] if self.estimate else None,
                    "rows": [[row + 1 for row in rows.get(sign, ())] for sign in (-1, 1)],
                }
            )
        return {
            "verdict": self.verdict.value,
            "stopped": self.stopped.value,
            "rows": self.problem.rows,
            "unit": self.problem.unit,
            "parameters": parameters,
            "error": self.error.as_json(),
            "factor": None if self.factor is None else self.factor.as_json(),
            "factor_on_half_widths_of_w": None if self.half_widths is None else self.half_widths.as_json(),
            "least_squares_fit": None if self.fit is None else self.fit.as_json(),
            "estimated_trade_offs": {
                name: self.problem.names[partner]
                for name, partner in zip(self.problem.names, self.partners, strict=False)
                if partner is not None
            },
            "estimated_open_directions": [list(direction) for direction in self.directions],
            "estimated_point": None if self.point is None else [float(value) for value in self.point],
            "physical": None if self.physical is None else self.physical.as_json(),
            "seconds": round(self.seconds, 4),
        }
