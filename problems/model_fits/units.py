"""The same regression in units near which its numbers are: powers of two, so that nothing is rounded.

With b_j = u_j b'_j, y = r y' and w = s w' the residuals are  r s  times  w' (model(x, u b') / r - y'),  and sums of
their squares (r s)^2 times as large. Certificates are written in fixed point, and squares of doubles have ends:
numbers of 1e-19 or 1e23 are out of reach in their own units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from certify.problems.model.model import Problem
from certify.problems.model_fits.observations import RESPONSE, SUFFIXES, WEIGHT, Ends, Model, Observations

FAR = 32  # a size beyond 2^FAR or below 2^-FAR calls for other units
Box = Sequence[Ends]


@dataclass(frozen=True)
class Units:
    """Of the parameters, of the response, and of the weights."""

    parameters: Mapping[str, Fraction]
    response: Fraction
    weight: Fraction

    @property
    def residual(self) -> Fraction:
        """Of weighted residuals."""
        return self.response * self.weight

    @property
    def square(self) -> Fraction:
        """Of sums of their squares."""
        return self.residual**2

    def model(self, model: Model) -> Model:
        """The model in these units."""

        def scaled(x: Any, *parameters: Any) -> Any:
            units = self.parameters.values()
            return _times(model(x, *map(_times, parameters, units)), 1 / self.response)

        return scaled

    def data(self, data: Observations) -> Observations:
        """The observations in these units."""
        weights = None if data.weights is None else tuple(w / self.weight for w in data.weights)
        return replace(data, response=tuple(y / self.response for y in data.response), weights=weights)

    def told(self, problem: Problem, data: Observations) -> Problem:
        """A problem in these units, which names them: so do its certificates, and every page about them."""
        others = {
            f"{data.called(name)}{data.suffix(side)}": unit
            for name, unit in ((RESPONSE, self.response), (WEIGHT, self.weight))
            for side in SUFFIXES
        }
        columns = [(column, others.get(column.name, Fraction(1))) for column in problem.columns]
        return replace(
            problem,
            variables=tuple(replace(one, unit=_named(self.parameters[one.name])) for one in problem.variables),
            columns=tuple(replace(column, unit=_named(unit)) for column, unit in columns),
            families=tuple(replace(family, unit=_named(self.residual)) for family in problem.families),
        )

    def box(self, box: Box | None) -> tuple[Ends, ...] | None:
        """Parameters' ends in these units."""
        if box is None:
            return None
        return tuple((low / u, high / u) for u, (low, high) in zip(self.parameters.values(), box, strict=True))


def units_of(names: Sequence[str], start: Sequence[float], box: Box | None, data: Observations) -> Units | None:
    """Units near the sizes of all numbers, where any is far from 1."""
    sizes = [Fraction(abs(value)) for value in start]
    if box is not None:
        sizes = [size or max(abs(low), abs(high)) for size, (low, high) in zip(sizes, box, strict=True)]
    weights = [] if data.weights is None else [abs(w) for w in data.weights]
    largest = [max(map(abs, data.response), default=Fraction(0)), max(weights, default=Fraction(0))]
    units = [_power(size) for size in (*sizes, *largest)]
    if all(Fraction(1, 2**FAR) <= unit <= 2**FAR for unit in units):
        return None
    *parameters, response, weight = units
    return Units(dict(zip(names, parameters, strict=True)), response, weight)


def _named(unit: Fraction) -> str:
    return "1" if unit == 1 else f"2^{exponent(unit)}"


def exponent(unit: Fraction) -> int:
    """Of a power of two."""
    return unit.numerator.bit_length() - unit.denominator.bit_length()


def _times(number: Any, unit: Fraction) -> Any:
    """By a power of two: fixed point knows 2^100, and hardly 2^-100."""
    return number * unit if unit >= 1 else number / (1 / unit)


def _power(size: Fraction) -> Fraction:
    """The power of two next above a size; 1 of 0."""
    return Fraction(2) ** (exponent(size) + 1) if size else Fraction(1)
