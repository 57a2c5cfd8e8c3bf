"""The fit whose largest |residual| is least, both ends of that proved: certify.adequacy of exact measurements."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

from certify.claims.proved_words import least_largest
from certify.contractors.numbers.enclosures import enclose_rational
from certify.contractors.tape.evaluation import Floats
from certify.problems.model.model import Problem
from certify.questions.adequacy import adequacy
from certify.records.options import Options
from certify.records.results import Part, Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Limit, Stopped
from certify.text.shown import Shown


@dataclass(frozen=True, repr=False)
class LargestFit(Shown):
    """A witness in exact numbers, and both ends of the least possible largest |residual| in the box."""

    result: Result
    searched: tuple[tuple[str, tuple[Fraction, Fraction]], ...]
    box_given: bool

    @property
    def part(self) -> Part:
        """The record."""
        return self.result.parts[0]

    @property
    def verdict(self) -> Verdict:
        """INADEQUATE where the lower end is positive, ADEQUATE where the model fits exactly, or UNDECIDED."""
        return self.part.verdict

    @property
    def why(self) -> Stopped:
        """Why the ends are not nearer."""
        return self.part.stopped

    @property
    def values(self) -> dict[str, float]:
        """The parameters of the witness, rounded to doubles; empty if there is none."""
        return {name: float(value) for name, value in (self.part.witness or {}).items()}

    @property
    def largest(self) -> tuple[float, float | None]:
        """Both proved ends of the least largest |residual|, rounded outwards; no upper one without a witness."""
        lower, upper = self.part.epsilon
        return enclose_rational(lower)[0], None if upper is None else enclose_rational(upper)[1]

    @property
    def box(self) -> dict[str, tuple[float, float]]:
        """The box that was searched, rounded inward, as the lower end holds in no larger one: where in it the
        parameters are is not enclosed (certify.enclose does that).
        """
        return {name: (enclose_rational(low)[1], enclose_rational(high)[0]) for name, (low, high) in self.searched}

    @property
    def certificate(self) -> bytes | None:
        """That of both ends."""
        return self.part.certificate

    def save(self, folder: Path | str) -> list[Path]:
        """Write the problem and the certificate, for `certify check`."""
        return self.result.save(folder)

    def __str__(self) -> str:
        fit = ", ".join(f"{name} = {value:.17g}" for name, value in self.values.items())
        told = least_largest(self.part)
        return f"{told}\na fit that reaches it, up to rounding to doubles: {fit}" if fit else told


def largest_fit(problem: Problem, start: Floats, box_given: bool, limit: Limit) -> LargestFit:
    """The answer for exact measurements."""
    options = Options(limit=limit, time_limit=limit.remaining)
    with np.errstate(all="ignore"):
        result = adequacy(problem, start=start, options=options).checked()
    ends = tuple((variable.name, (variable.lower, variable.upper)) for variable in problem.variables)
    return LargestFit(result, ends, box_given)
