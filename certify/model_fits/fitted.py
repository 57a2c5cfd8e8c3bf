"""The answer of certify.fit, as it stands after the check: a minimum, where it is, and what is known beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from certify.claims.proved_words import PLAIN_SQUARE
from certify.model_fits.everywhere import Everywhere
from certify.model_fits.fit_text import fit_text
from certify.model_fits.linear_fit import Ends, LinearFit, outward
from certify.problems.model_fits.losses import SQUARES
from certify.problems.model_fits.units import Units
from certify.questions.least_squares import Minimum
from certify.records.results import Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped
from certify.solvers.shapes.shape_bound import ShapeBound
from certify.text.shown import Shown


@dataclass(frozen=True)
class Claimed:
    """What another solver returned. The sum of squares there is not below `least` (None: the model is not defined
    there); that is more than the minimum by the part `excess` of it (None: not known).
    """

    point: dict[str, float]
    least: Fraction | None
    excess: Fraction | None


def _times(box: Mapping[str, Ends], units: Mapping[str, Fraction]) -> dict[str, Ends]:
    return {name: (low * units[name], high * units[name]) for name, (low, high) in box.items()}


@dataclass(frozen=True, repr=False)
class FittedModel(Shown):
    """A fit and what is proved of it. `minimum` is the record, its certificates are those of `result`; `searched` is
    the box, given or chosen; standard errors and correlations are enclosed at the minimiser (empty where that was not
    possible). `everywhere` is what the engine knows of the whole box. With a robust `loss` all sums are of that loss,
    and there are no standard errors. `linear` is the solution of a linear model in rational numbers;
    `shape` is what the shape of the model alone says of the least sum. `units` are those in which all was proved, if
    they are not those of the data: then `result` and the certificates speak of these.
    """

    result: Result
    minimum: Minimum
    searched: tuple[tuple[str, tuple[Fraction, Fraction]], ...]
    observations: int
    box_given: bool
    standard_errors: dict[str, tuple[float, float]] = field(default_factory=dict)
    correlations: dict[tuple[str, str], tuple[float, float]] = field(default_factory=dict)
    claimed: Claimed | None = None
    everywhere: Everywhere | None = None
    linear: LinearFit | None = None
    loss: str = SQUARES
    shape: ShapeBound | None = None
    units: Units | None = None

    def told_in(self, units: Units) -> FittedModel:
        """An answer of a regression that was put in other units, in those of its user: exactly, but for doubles."""
        square, at = units.square, units.parameters
        best, whole, shape = self.minimum, self.everywhere, self.shape
        low, high = best.epsilon
        minimum = replace(
            best, unit=PLAIN_SQUARE, box=_times(best.box, at),
            estimate={n: float(Fraction(v) * at[n]) for n, v in best.estimate.items()},
            epsilon=(low * square, None if high is None else high * square),
            value=None if best.value is None else (best.value[0] * square, best.value[1] * square),
        )  # fmt: skip
        errors = {name: (Fraction(low), Fraction(high)) for name, (low, high) in self.standard_errors.items()}
        return replace(
            self, minimum=minimum, searched=tuple(_times(dict(self.searched), at).items()), units=units,
            standard_errors={name: outward(ends) for name, ends in _times(errors, at).items()},
            shape=None if shape is None else replace(shape, lower=shape.lower * square),
            everywhere=None if whole is None else replace(
                whole, lower=whole.lower * square, better=None,
                minimisers=tuple(_times(box, at) for box in whole.minimisers),
            ),
        )  # fmt: skip

    @property
    def verdict(self) -> Verdict:
        """GLOBAL_MINIMUM in the box (with a certificate, or by the engine: `proof` says which), LOCAL_MINIMUM (strict,
        alone in a small box), or UNDECIDED.
        """
        by_engine = self.everywhere is not None and self.everywhere.finished and self._is_local
        return Verdict.GLOBAL_MINIMUM if by_engine or self.linear is not None else self.minimum.verdict

    @property
    def _is_local(self) -> bool:
        return self.minimum.verdict is Verdict.LOCAL_MINIMUM

    @property
    def proof(self) -> str:
        """What the verdict rests on: a certificate that the checker has accepted; rational numbers, where the model is
        linear; a certificate for the minimum in its small box, and outward-rounded arithmetic of the engine for the
        rest of the search box; or nothing.
        """
        if self.linear is not None and self.minimum.verdict is not Verdict.GLOBAL_MINIMUM:
            return "rational numbers"
        if self.minimum.verdict is Verdict.UNDECIDED:
            return "nothing"
        return "certificate" if self.verdict is self.minimum.verdict else "certificate and engine"

    @property
    def why(self) -> Stopped:
        """Why it is not more."""
        if self.linear is not None:
            return Stopped.FINISHED
        if self.everywhere is None or not self._is_local:
            return self.minimum.stopped
        return self.everywhere.stopped

    @property
    def minimisers(self) -> list[dict[str, tuple[float, float]]]:
        """What encloses each minimum that was met with the same sum, as far as doubles tell: where the verdict is
        GLOBAL_MINIMUM the least one is among them.
        """
        boxes = [self._ends] if self.everywhere is None else list(self.everywhere.minimisers)
        return [{name: outward(ends) for name, ends in box.items()} for box in boxes if box]

    @property
    def least_sum(self) -> tuple[float, float] | None:
        """What encloses the least sum of squares in the whole search box."""
        if self.linear is not None:
            return self.linear.residual_sum
        upper = self.minimum.epsilon[1]
        if upper is None:
            return None
        lower = self.minimum.epsilon[0] if self.everywhere is None else self.everywhere.lower
        shaped = Fraction(0) if self.shape is None else self.shape.lower
        return outward((max(lower, self.minimum.epsilon[0], shaped), upper))

    @property
    def values(self) -> dict[str, float]:
        """The fit, in doubles; `digits` says how many of its digits are true."""
        return dict(self.minimum.estimate) if self.linear is None else self.linear.values

    @property
    def _ends(self) -> dict[str, tuple[Fraction, Fraction]]:
        return self.minimum.box if self.linear is None else self.linear.ends

    @property
    def box(self) -> dict[str, tuple[float, float]]:
        """What encloses the minimiser; empty if nothing is proved."""
        return {name: outward(ends) for name, ends in self._ends.items()}

    @property
    def digits(self) -> dict[str, int]:
        """How many significant digits of each value are those of the minimiser."""
        return self.minimum.digits if self.linear is None else self.linear.digits

    @property
    def residual_sum(self) -> tuple[float, float] | None:
        """What encloses the sum of squares at the minimiser."""
        value = self.minimum.value if self.linear is None else self.linear.sum_ends
        return None if value is None else outward(value)

    @property
    def certificate(self) -> bytes | None:
        """That of the verdict; `save` writes it with the problem that it speaks of."""
        return self.minimum.certificate

    def save(self, folder: Path | str) -> list[Path]:
        """Write the problem and the certificate, for `certify check`."""
        return self.result.save(folder)

    def __str__(self) -> str:
        return fit_text(self)
