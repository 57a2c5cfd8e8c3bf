"""What a `[model]` declares, one entry of its tables at a time: a field, or how the error of an equation is told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from certify.problems.errors import InputError
from certify.problems.formulas.units import Dimension, described, mistyped, shown
from certify.problems.functions.dimensions import DIMENSIONS, ROW_UNITS, dimension_named, unit_named
from certify.problems.model.groups import EUCLIDEAN, LARGEST
from certify.problems.robots.components import ANGLES, Equation
from certify.problems.robots.kind import Field

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,19}", re.ASCII)
_COMPONENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{0,19}", re.ASCII)
DISTANCE = "distance"  # behind the components: a Euclidean norm
_OTHERS = [one.canonical for one in ROW_UNITS.values() if one not in (Dimension.LENGTH, Dimension.NUMBER)]
ERROR_UNITS = ("mm", *ANGLES, "1", *_OTHERS)
_WORDS = ", ".join(f"'{word}'" for word in DIMENSIONS)


@dataclass(frozen=True, slots=True)
class StatedError:
    """How an equation's error is told: its unit, the components' names if it is a vector, and the norm over them."""

    unit: str
    components: tuple[str, ...] = ()
    norm: str = LARGEST


def parse_error(value: object, place: str) -> StatedError:
    """What stands under [model.errors]: "mm", "mm x y z", "mm x y z distance"."""
    words = value.split() if isinstance(value, str) else []
    if not words or words[0] not in ERROR_UNITS:
        raise InputError(
            f"{place} is {described(value)}; write the unit in which the error is told ({', '.join(ERROR_UNITS)}), and "
            f"for a vector the names of its components, such as 'mm x y z', or 'mm x y z {DISTANCE}' if their error is "
            f"not the largest of them but their Euclidean norm"
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
    """A declaration: "length", "force/length", ..., "number", and the components' names if it is a vector."""
    words = value.split() if isinstance(value, str) else []
    dimension = dimension_named(words[0]) if words else None
    if dimension is None:
        raise InputError(
            f"{place} is {described(value)}; {_meant(words)}write what it is: {_WORDS}, a product or quotient of them "
            f"('force/length'), and for a vector 'length x y z'"
        )
    if not components and len(words) > 1:
        raise InputError(
            f"{place}: a column of the table is one number; declare one for each component, and under "
            f"[model.definitions] the vector"
        )
    _check_components(words[1:], place)
    return Field(name, dimension, tuple(words[1:]))


def _meant(words: Sequence[str]) -> str:
    """What a word that declares nothing is, or was meant to be."""
    unit = unit_named(words[0]) if words else None
    if unit is not None:
        return f"that is a unit of '{unit.dimension.words}', "
    hint = mistyped(words[0], list(DIMENSIONS)) if words else ""
    return hint and f"{hint} "


def _check_components(words: Sequence[str], place: str) -> None:
    for word in words:
        if _COMPONENT.fullmatch(word) is None or words.count(word) > 1:
            raise InputError(
                f"{place}: {shown(word)} cannot name a component; write different short names such as x y z"
            )


def field_text(field: Field) -> str:
    """What parse_field reads."""
    return " ".join([field.dimension.words, *field.components])
