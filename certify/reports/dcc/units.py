r"""Units as D-SI writes them: "mm" is \milli\metre, "Nm s/rad^2" (or "Nm.s/rad^2") is
\newton\metre\second\per\radian\tothe{2}.

\per is of the next unit alone: "rad/Nm" is \radian\per\newton\per\metre.
"""

from __future__ import annotations

import re

NAMES = {
    "1": r"\one", "": r"\one", "m": r"\metre", "mm": r"\milli\metre", "cm": r"\centi\metre", "um": r"\micro\metre",
    "rad": r"\radian", "mrad": r"\milli\radian", "deg": r"\degree", "N": r"\newton", "Nm": r"\newton\metre",
    "kg": r"\kilogram", "g": r"\gram", "s": r"\second", "ms": r"\milli\second", "us": r"\micro\second",
    "kN": r"\kilo\newton", "mN": r"\milli\newton", "V": r"\volt", "mV": r"\milli\volt",
    "A": r"\ampere", "mA": r"\milli\ampere", "K": r"\kelvin", "Hz": r"\hertz",
}  # fmt: skip
_FACTOR = re.compile(r"([A-Za-z]+|1)(?:\^([1-9][0-9]?))?")


def dsi_unit(text: str) -> str | None:
    """The unit in D-SI; None if it is none of the SI, or nothing that is known here."""
    if text in NAMES:
        return NAMES[text]
    sides = [[_FACTOR.fullmatch(word) for word in re.split(r"[. ]", side)] for side in text.split("/")]
    found = [(r"\per" if number else "", match) for number, side in enumerate(sides) for match in side]
    if not all(sides) or not all(match and _known(match) for _, match in found):
        return None
    return "".join(f"{per}{_written(match, per)}" for per, match in found if match and match[1] != "1")


def _known(match: re.Match[str]) -> bool:
    """A unit of the table; a power of a product, Nm^2, means one thing to one and another to others, of 1 nothing."""
    return match[1] in NAMES and (match[2] is None or match[1] not in ("Nm", "1"))


def _written(match: re.Match[str], per: str) -> str:
    """A unit with its power; of a product every factor is divided by."""
    name = f"{NAMES['N']}{per}{NAMES['m']}" if match[1] == "Nm" else NAMES[match[1]]
    return name + ("" if match[2] is None else rf"\tothe{{{match[2]}}}")
