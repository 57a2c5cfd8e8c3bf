"""The answer of certify.fit, as it stands after the check: a minimum, where it is, and what is known beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from certify.contractors.numbers.enclosures import enclose_rational
from certify.model_fits.fit_text import fit_text
from certify.questions.least_squares import Minimum
from certify.records.results import Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped
from certify.text.shown import Shown


@dataclass(frozen=True)
class Claimed:
    """What another solver returned. The sum of squares there is not below `least` (None: the model is not defined
    there); that is more than the minimum by the part `excess` of it (None: not known).
    """

    point: dict[str, float]
    least: Fraction | None
    excess: Fraction | None


@dataclass(frozen=True, repr=False)
class FittedModel(Shown):
    """A fit and what is proved of it. `minimum` is the record, its certificates are those of `result`; `searched` is
    the box, given or chosen; standard errors are enclosed at the minimiser (empty where that was not possible).
    """

    result: Result
    minimum: Minimum
    searched: tuple[tuple[str, tuple[Fraction, Fraction]], ...]
    observations: int
    box_given: bool
    standard_errors: dict[str, tuple[float, float]] = field(default_factory=dict)
    claimed: Claimed | None = None

    @property
    def verdict(self) -> Verdict:
        """GLOBAL_MINIMUM in the box, LOCAL_MINIMUM (strict, alone in a small box), or UNDECIDED."""
        return self.minimum.verdict

    @property
    def why(self) -> Stopped:
        """Why it is not more."""
        return self.minimum.stopped

    @property
    def values(self) -> dict[str, float]:
        """The fit, in doubles; `digits` says how many of its digits are true."""
        return dict(self.minimum.estimate)

    @property
    def box(self) -> dict[str, tuple[float, float]]:
        """What encloses the minimiser; empty if nothing is proved."""
        return {
            name: (enclose_rational(low)[0], enclose_rational(high)[1])
            for name, (low, high) in self.minimum.box.items()
        }

    @property
    def digits(self) -> dict[str, int]:
        """How many significant digits of each value are those of the minimiser."""
        return self.minimum.digits

    @property
    def residual_sum(self) -> tuple[float, float] | None:
        """What encloses the sum of squares at the minimiser."""
        value = self.minimum.value
        return None if value is None else (enclose_rational(value[0])[0], enclose_rational(value[1])[1])

    @property
    def certificate(self) -> bytes | None:
        """That of the verdict; `save` writes it with the problem that it speaks of."""
        return self.minimum.certificate

    def save(self, folder: Path | str) -> list[Path]:
        """Write the problem and the certificate, for `certify check`."""
        return self.result.save(folder)

    def __str__(self) -> str:
        return fit_text(self.minimum, self.searched, self.observations, self.standard_errors, self.claimed)
