"""The record of a smallest factor on all half-widths: what is proved of it, and what that means if the noise is
Gaussian and independent.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.experiments.half_widths import UNSTATED, Noise
from certify.problems.files.disk import write_bytes
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

LOWER_SUFFIX, UPPER_SUFFIX = "-factor-lower", "-factor-upper"


class Judgement(Enum):
    """What a smallest factor means if the noise is Gaussian and independent: an estimate, never what is proved."""

    FITS = "the model fits"
    MODEL = "the model is wrong"
    NOISE = "noise alone explains it"
    OPEN = "undecided"
    BOUNDS = "the model or a bound is wrong"
    UNSTATED = "not stated what the half-widths are"


@dataclass(frozen=True, repr=False)
class Factor(Part):
    """The answer about one part: `epsilon` are the proved ends of its smallest factor (the upper one None where no
    witness was found).

    `certificate` refutes the lower end and is about the canonical problem `refuted`, `witness_certificate` proves the
    upper one and is about `fitting`. `readings` are the uncertain readings of the part, each counted once;
    `half_widths` is what the user says of them. Where there is no upper end, `estimate` may say about how large the
    factor is.
    """

    readings: int = 0
    half_widths: Noise = UNSTATED
    estimate: float | None = None
    witness_certificate: bytes | None = None
    refuted: bytes | None = None
    fitting: bytes | None = None

    @property
    def judgement(self) -> Judgement:
        """What the proved ends mean if the noise is Gaussian and independent."""
        lower, upper = self.epsilon
        noise = self.half_widths.factor_of_noise(self.readings)
        if upper is not None and upper <= 1:
            return Judgement.FITS
        if not self.half_widths.stated:
            return Judgement.UNSTATED
        if noise is None:
            return Judgement.BOUNDS if lower >= 1 else Judgement.OPEN
        if lower > noise:
            return Judgement.MODEL
        return Judgement.NOISE if upper is not None and upper <= noise else Judgement.OPEN

    def standing(self, accepted: Collection[bytes]) -> Self:
        """Both ends, each with its own certificate."""
        lower, upper = self.epsilon
        refuted = self.certificate is None or self.certificate in accepted
        fits = self.witness_certificate is None or self.witness_certificate in accepted
        if refuted and fits:
            return self
        ends = lower if refuted else Fraction(0), upper if fits else None
        verdict = Verdict.FACTOR if ends[0] or ends[1] is not None else Verdict.UNDECIDED
        left = replace(self, verdict=verdict, stopped=Stopped.UNCHECKED, epsilon=ends)
        left = left if refuted else replace(left, conflict=())
        return left if fits else replace(left, witness=None)

    @property
    def documents(self) -> tuple[tuple[bytes | None, bytes], ...]:
        """Both certificates, each after the canonical problem of its own factor."""
        return tuple(certified(self).values())

    def as_json(self) -> dict[str, Any]:
        """The ends are rounded outwards to doubles."""
        lower, upper = self.epsilon
        told = super().as_json()
        del told["epsilon"]
        return told | {
            "factor": [enclose_rational(lower)[0], None if upper is None else enclose_rational(upper)[1]],
            "estimated_factor": self.estimate,
            "readings": self.readings,
            "estimated_readings_outside": self.half_widths.expected_outside(self.readings),
            "estimated_factor_of_noise": self.half_widths.factor_of_noise(self.readings),
            "estimated_judgement": self.judgement.value,
        }


@dataclass(frozen=True, repr=False)
class FactorResult(Result):
    """The factors of all parts; every certificate is about a problem of its own, with half-widths multiplied by its own
    factor.
    """

    def save(self, directory: Path | str) -> list[Path]:
        """Write NAME-factor-lower.cert and NAME-factor-upper.cert, each beside its .canonical; returns the
        certificates' paths.
        """
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for part in self.parts:
            for suffix, (problem, text) in certified(part).items():
                written.append(folder / f"{part.name}{suffix}.cert")
                write_bytes(written[-1].with_suffix(".canonical"), problem)
                write_bytes(written[-1], text)
        return written


def certified(part: Part) -> dict[str, tuple[bytes, bytes]]:
    """The certificates of a factor by the suffixes of their names, each after its canonical problem."""
    if not isinstance(part, Factor):
        return {}
    pairs = {LOWER_SUFFIX: (part.refuted, part.certificate), UPPER_SUFFIX: (part.fitting, part.witness_certificate)}
    return {
        suffix: (problem, text) for suffix, (problem, text) in pairs.items() if problem is not None and text is not None
    }
