"""What is known of half-spaces along the principal axes of all parameters that fit every row."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from certify.contractors.numbers.enclosures import enclose_rational
from certify.linear_questions.further import Document, Further
from certify.problems.regressors.regressor import Regressor
from certify.regressors.exact_bounds import Bounds
from certify.solvers.limits import Stopped


@dataclass(frozen=True, slots=True)
class Axis:
    """lower <= coefficients . theta <= upper for all that fit; `share` of what the box of the intervals leaves it."""

    coefficients: tuple[Fraction, ...]
    lower: Fraction
    upper: Fraction
    share: Fraction


@dataclass(frozen=True, eq=False, repr=False)
class Slanted(Further):
    """The axes with their half-spaces, and the volume of what these and the box leave: an upper end (exact arithmetic,
    up to six parameters), or its share of the box, estimated.
    """

    problem: Regressor
    box: tuple[Bounds, ...] = ()
    axes: tuple[Axis, ...] = ()
    volume: Fraction | None = None
    estimated_share: float | None = None
    certificate: bytes | None = None
    stopped: Stopped = Stopped.FINISHED
    key: ClassVar[str] = "polytope"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The certificate by its name."""
        return () if self.certificate is None else (("polytope", self.certificate),)

    def standing(self, accepted: Collection[bytes]) -> Slanted:
        """What is left where the checker has accepted these certificates and no others."""
        if self.certificate is None or self.certificate in accepted:
            return self
        return Slanted(self.problem, stopped=Stopped.UNCHECKED)

    @property
    def box_volume(self) -> Fraction:
        """That of the box of the intervals."""
        found = Fraction(1)
        for low, high in self.box:
            found *= high - low
        return found

    def as_json(self) -> dict[str, Any]:
        """Coefficients and ends of half-spaces are decimals, exactly."""
        return {
            "stopped": self.stopped.value,
            "axes": [
                {
                    "coefficients": [str(value) for value in axis.coefficients],
                    "range": [str(axis.lower), str(axis.upper)],
                    "share_of_the_box": enclose_rational(axis.share)[1],
                }
                for axis in self.axes
            ],
            "volume_at_most": None if self.volume is None else enclose_rational(self.volume)[1],
            "estimated_share_of_the_box": self.estimated_share,
        }
