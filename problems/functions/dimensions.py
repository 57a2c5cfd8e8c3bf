"""Dimensions and units: what a number measures, in which unit it is kept, and by which exact factor it gets there.

    dimension = word of "length", "angle", "force", ..., or products, quotients and powers: "force/length"
    unit      = name of "mm", "N", "V", ..., or likewise: "N/mm", "V.s/rad", "mm^2"; products with ".", "*" or a blank

Every dimension is a product of powers of mm, N, s, A, K and rad. A torque is a force times a length, a voltage a power
over a current, a mass a force over an acceleration, so that formulas may multiply and divide whatever they like. In the
coherent units (mm, N, s, A, K) no factor stands between N mm and a torque; what is kept in another one, because people
do (Nm, V, kg), is `scale` of these, and formulas see its value times that.

Factors are rational. Degrees have none to radians, so an angle is kept in deg or in rad, and deg stands alone only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import ClassVar

Product = tuple[tuple[str, Fraction], ...]
LONGEST, HIGHEST = 40, 9  # of a unit's text, of its powers
_FACTOR = re.compile(r"([A-Za-z]+|1|\u00b0|[\u00b5\u03bc]m)(?:\^(-?[1-9]))?")


@dataclass(frozen=True, slots=True)
class Dimension:
    """What a number measures. Two are one if they are the same product of powers, whatever words say it.

    `words` declare it in a problem file, `canonical` is the unit that its values are kept in (of angles deg or rad), as
    many coherent ones as `scale` says, and `told` says it in a message.
    """

    LENGTH: ClassVar[Dimension]
    ANGLE: ClassVar[Dimension]
    NUMBER: ClassVar[Dimension]

    powers: Product
    words: str = field(compare=False)
    canonical: str = field(compare=False)
    scale: Fraction = field(default=Fraction(1), compare=False)

    @property
    def told(self) -> str:
        """As in "a length (m, cm, mm, um, inch)", "force/length (such as N/mm)"."""
        if self.words not in DIMENSIONS:
            return f"{self.words} (such as {self.canonical})"
        article = "a plain" if self.words == "number" else "an" if self.words[0] == "a" else "a"
        return f"{article} {self.words} ({', '.join(_OF_ONE[self.words])})"

    @property
    def in_formula(self) -> Product:
        """The powers that a formula sees: angles are plain numbers there."""
        return tuple((base, power) for base, power in self.powers if base != "rad")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, the canonical unit that its values are converted to, and the exact factor."""

    name: str
    dimension: Dimension
    canonical: str
    factor: Fraction

    def of(self, dimension: Dimension) -> Unit:
        """The unit for values of this dimension, which other words may say: kept in that one's canonical unit."""
        if self.dimension.canonical == dimension.canonical:
            return self
        factor = self.factor * self.dimension.scale / dimension.scale
        return Unit(self.name, dimension, dimension.canonical, factor)


def product_of(found: Mapping[str, Fraction]) -> Product:
    """The powers that are not 0, in order."""
    return tuple(sorted((base, power) for base, power in found.items() if power))


def _named(words: str, canonical: str, scale: Fraction = Fraction(1), **powers: int) -> Dimension:
    return Dimension(product_of({base: Fraction(power) for base, power in powers.items()}), words, canonical, scale)


DIMENSIONS = {
    one.words: one
    for one in (
        _named("length", "mm", mm=1),
        _named("angle", "deg", rad=1),
        _named("force", "N", N=1),
        _named("torque", "Nm", Fraction(1000), N=1, mm=1),
        _named("voltage", "V", Fraction(1000), N=1, mm=1, s=-1, A=-1),
        _named("current", "A", A=1),
        _named("time", "s", s=1),
        _named("mass", "kg", Fraction(1, 1000), N=1, s=2, mm=-1),
        _named("temperature", "K", K=1),
        _named("number", "1"),
    )
}
_OF_ONE: dict[str, dict[str, int | Fraction]] = {
    "length": {"m": 1000, "cm": 10, "mm": 1, "um": Fraction(1, 1000), "inch": Fraction(254, 10)},
    "angle": {"deg": 1, "rad": 1, "mrad": Fraction(1, 1000)},
    "force": {"N": 1, "kN": 1000, "mN": Fraction(1, 1000)},
    "torque": {"Nm": 1, "kNm": 1000, "mNm": Fraction(1, 1000), "Nmm": Fraction(1, 1000)},
    "voltage": {"V": 1, "kV": 1000, "mV": Fraction(1, 1000)},
    "current": {"A": 1, "mA": Fraction(1, 1000), "uA": Fraction(1, 10**6)},
    "time": {"s": 1, "ms": Fraction(1, 1000), "us": Fraction(1, 10**6)},
    "mass": {"kg": 1, "g": Fraction(1, 1000)},
    "temperature": {"K": 1, "mK": Fraction(1, 1000)},
    "number": {"1": 1},
}
_ORDER = {"length": ("mm", "m", "um", "cm", "inch")}  # the first one is the example
Dimension.LENGTH, Dimension.ANGLE, Dimension.NUMBER = (DIMENSIONS[word] for word in ("length", "angle", "number"))
GEOMETRIC = (Dimension.LENGTH, Dimension.ANGLE, Dimension.NUMBER)  # what arms and platforms are told in
UNITS = {
    name: Unit(
        name, DIMENSIONS[words], "rad" if name == "mrad" else name if words == "angle" else DIMENSIONS[words].canonical,
        Fraction(factors[name]),
    )
    for words, factors in _OF_ONE.items()
    for name in _ORDER.get(words, factors)
}  # fmt: skip
UNITS |= {sign: UNITS[name] for sign, name in (("\u00b0", "deg"), ("\u00b5m", "um"), ("\u03bcm", "um"))}  # as typed
ROW_UNITS = {one.in_formula: one for words, one in DIMENSIONS.items() if words != "angle"}  # in which errors are told


@cache
def unit_named(text: str) -> Unit | None:
    """The unit with this name, or of this product of powers; None if there is none."""
    if text in UNITS:
        return UNITS[text]
    found = _factors(text)
    if found is None or any(name not in UNITS or UNITS[name].name == "deg" for name, _ in found):
        return None
    dimension = _product([(UNITS[name].dimension, power) for name, power in found])
    if dimension == Dimension.ANGLE:
        return None
    size = Fraction(1)
    for name, power in found:
        size *= (UNITS[name].factor * UNITS[name].dimension.scale) ** power
    return Unit(_joined([(UNITS[name].name, power) for name, power in found], "."), dimension, dimension.canonical,
                size / dimension.scale)  # fmt: skip


@cache
def dimension_named(words: str) -> Dimension | None:
    """The dimension that these words declare: "force", "force/length"; None if there is none."""
    if words in DIMENSIONS:
        return DIMENSIONS[words]
    found = _factors(words)
    if found is None or any(word not in DIMENSIONS for word, _ in found):
        return None
    return _product([(DIMENSIONS[word], power) for word, power in found])


def raised_unit(name: str, power: int | Fraction | str) -> str:
    """A power of a whole unit, as a message says it: "mm^2", but "(Nm)^2" and "(N/mm)^2", which have others without."""
    known = UNITS.get(name)
    plain = known.dimension != DIMENSIONS["torque"] if known is not None else name.isalpha()
    return name if power == 1 else f"{name if plain else f'({name})'}^{power}"


def unit_of_powers(powers: Product) -> str:
    """What a formula comes to, as a message says it: "mm", "Nm", "N.mm^2"."""
    known = ROW_UNITS.get(powers)
    if known is not None:
        return known.canonical
    return ".".join(base if power == 1 else f"{base}^{power}" for base, power in powers)


def _product(factors: list[tuple[Dimension, int]]) -> Dimension:
    """The dimension of a product, in words and in the canonical unit that follow the factors as they are written."""
    total: dict[str, Fraction] = {}
    scale = Fraction(1)
    for one, power in factors:
        scale *= one.scale**power
        for base, own in one.powers:
            total[base] = total.get(base, Fraction(0)) + own * power
    if product_of(total) == Dimension.ANGLE.powers:
        return Dimension.ANGLE
    words = _joined([(one.words, power) for one, power in factors], "*")
    unit = _joined([("rad" if one.words == "angle" else one.canonical, power) for one, power in factors], ".")
    return Dimension(product_of(total), words, unit, scale)


def _factors(text: str) -> list[tuple[str, int]] | None:
    """The factors of a product with their powers; behind a "/" there is one factor, so that nothing is ambiguous."""
    found: list[tuple[str, int]] = []
    for number, side in enumerate(text.split("/") if len(text) <= LONGEST else ()):
        names = [word for word in re.split(r"[.*\u00b7 ]", side) if word]
        if not names or (number and len(names) > 1):
            return None
        for name in names:
            match = _FACTOR.fullmatch(name)
            if match is None or (match[1] in ("1", "number") and (number or len(names) > 1 or match[2])):
                return None
            found.append((match[1], int(match[2] or 1) * (-1 if number else 1)))
    return found or None


def _joined(factors: list[tuple[str, int]], times: str) -> str:
    """As in "N/mm", "V.s/rad", "1/s": with these signs between the factors."""
    over = [(name, power) for name, power in factors if power > 0 and name not in ("1", "number")]
    under = [(name, -power) for name, power in factors if power < 0]
    written = [times.join(_raised(*one) for one in over) or ("1" if times == "." else "number")]
    return "/".join([*written, *(_raised(*one) for one in under)])


def _raised(name: str, power: int) -> str:
    return name if power == 1 else f"{name}^{power}"
