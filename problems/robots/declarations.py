"""What a `[model]` declares, one entry of its tables at a time: a field, or how the error of an equation is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from certify.problems.errors import InputError
from certify.problems.formulas.units import Dimension, described, shown
from certify.problems.model.groups import EUCLIDEAN, LARGEST
from certify.problems.robots.components import ANGLES, Equation
from certify.problems.robots.kind import Field

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}", re.ASCII)
_COMPONENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,19}", re.ASCII)
DISTANCE = "distance"  # behind the components: a Euclidean norm
_DIMENSIONS = {"length": Dimension.LENGTH, "angle": Dimension.ANGLE, "number": Dimension.NUMBER}


@dataclass(frozen=True, slots=True)
class StatedError:
    """How an equation's error is told: its unit, the components' names if it is a vector, and the norm over them."""

    unit: str
    components: tuple[str, ...] = ()
    norm: str = LARGEST


def parse_error(value: object, place: str) -> StatedError:
    """What stands under [model.errors]: "mm", "mm x y z", "mm x y z distance"."""
    words = value.split() if isinstance(value, str) else []
    units = ("mm", *ANGLES, "1")
    if not words or words[0] not in units:
        raise InputError(
            f"{place} is {described(value)}; write the unit in which the error is told ({', '.join(units)}), and for a "
            f"vector the names of its components, such as 'mm x y z', or 'mm x y z {DISTANCE}' if their error is not "
            f"the largest of them but their Euclidean norm"
        )
    norm = EUCLIDEAN if words[-1] == DISTANCE else LARGEST
    components = words[1:-1] if norm == EUCLIDEAN else words[1:]
    if DISTANCE in components:
        raise InputError(f"{place} is {described(value)}; write '{DISTANCE}' once, as its last word")
    _check_components(components, place)
    return StatedError(words[0], tuple(components), norm)


def error_text(equation: Equation) -> str:
    """What parse_error reads."""
    return " ".join([equation.unit, *equation.components, *([DISTANCE] if equation.norm == EUCLIDEAN else [])])


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
