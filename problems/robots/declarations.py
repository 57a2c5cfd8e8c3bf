"""What a `[model]` declares, one entry of its tables at a time: a field, or how the error of an equation is told."""

from __future__ import annotations

import re
from collections.abc import Sequence

from certify.problems.errors import InputError
from certify.problems.formulas.units import Dimension, described, shown
from certify.problems.robots.components import ANGLES, Equation
from certify.problems.robots.kind import Field

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}", re.ASCII)
_COMPONENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,19}", re.ASCII)
_DIMENSIONS = {"length": Dimension.LENGTH, "angle": Dimension.ANGLE, "number": Dimension.NUMBER}


def parse_error(value: object, place: str) -> tuple[str, tuple[str, ...]]:
    """How an equation's error is told: its unit, and the components' names if it is a vector."""
    words = value.split() if isinstance(value, str) else []
    units = ("mm", *ANGLES, "1")
    if not words or words[0] not in units:
        raise InputError(
            f"{place} is {described(value)}; write the unit in which the error is told ({', '.join(units)}), and for a "
            f"vector the names of its components, such as 'mm x y z'"
        )
    _check_components(words[1:], place)
    return words[0], tuple(words[1:])


def error_text(equation: Equation) -> str:
    """What parse_error reads."""
    return " ".join([equation.unit, *equation.components])


def parse_field(name: str, value: object, place: str, components: bool) -> Field:
    """A declaration: "length", "angle" or "number", and the components' names if it is a vector."""
    words = value.split() if isinstance(value, str) else []
    if not words or words[0] not in _DIMENSIONS:
        raise InputError(
            f"{place} is {described(value)}; write what it is: 'length', 'angle' or 'number', and for a "
            f"vector 'length x y z'"
        )
    if not components and len(words) > 1:
        raise InputError(
            f"{place}: a column of the table is one number; declare one for each component, and under "
            f"[model.definitions] the vector"
        )
    _check_components(words[1:], place)
    return Field(name, _DIMENSIONS[words[0]], tuple(words[1:]))


def _check_components(words: Sequence[str], place: str) -> None:
    for word in words:
        if _COMPONENT.fullmatch(word) is None or words.count(word) > 1:
            raise InputError(
                f"{place}: {shown(word)} cannot name a component; write different short names such as x y z"
            )


def field_text(field: Field) -> str:
    """What parse_field reads."""
    return " ".join(
        [next(word for word, dimension in _DIMENSIONS.items() if dimension is field.dimension), *field.components]
    )
