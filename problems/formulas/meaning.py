"""What a formula of a problem file comes to: a number, a vector or a matrix; of floats, of traced expressions, or of
dimensions.

The same walk over the tree serves three kinds of numbers: floats (simulation, tests), `Expression`s (the tape that is
proved about), and `Powers`, which know only the dimension of a value: with them a formula is checked
once, when its file is read, so that a length is never added to an angle, and every name, shape and component is known
to exist.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.expression import LARGEST_POWER, Expression
from certify.problems.formulas.grammar import Call, Entry, Name, Node, Number
from certify.problems.formulas.units import nearest
from certify.problems.functions.function_table import FUNCTIONS as TABLE
from certify.problems.functions.function_table import Function
from certify.problems.functions.powers import Powers, Unfit


@dataclass(frozen=True, slots=True)
class Numbers:
    """How constants are made, so that they go together with a formula's other values."""

    number: Callable[[Fraction], Any]
    pi: Any


FLOATS = Numbers(float, np.pi)
DIMENSIONS = Numbers(lambda value: Powers(() if value else None), Powers())


def numbers_like(value: Any) -> Numbers:
    """The constants that go together with a value."""
    if isinstance(value, Expression):
        builder = value.builder
        return Numbers(lambda number: Expression(builder, builder.constant(number)), Expression(builder, builder.pi()))
    return DIMENSIONS if isinstance(value, Powers) else FLOATS


def evaluate(node: Node, values: Mapping[str, Any], numbers: Numbers, place: str) -> Any:
    """The value of a formula whose names have these values; `place` says where the formula stands."""
    match node:
        case Number():
            return numbers.number(node.value)
        case Name():
            if node.name == "pi":
                return numbers.pi
            if node.name not in values:
                known = (*values, "pi", *FUNCTIONS)
                raise InputError(
                    f"{place}, column {node.column}: there is no {node.name!r}; {nearest(node.name, known)}"
                )
            return values[node.name]
        case Entry():
            return _entry(node, evaluate(node.value, values, numbers, place), place)
        case Call():
            exponent = node.arguments[1] if node.function == "^" else None
            arguments = [
                evaluate(argument, values, numbers, place) for argument in node.arguments if argument is not exponent
            ]
            if isinstance(exponent, Number):
                arguments.append(int(exponent.value))
            return _called(node, arguments, place, numbers)


def _entry(node: Entry, value: Any, place: str) -> Any:
    shape = np.shape(value)
    if len(node.indices) != len(shape) or not all(
        1 <= index <= size for index, size in zip(node.indices, shape, strict=True)
    ):
        asked = ", ".join(map(str, node.indices))
        raise InputError(
            f"{place}, column {node.column}: component {asked} is asked of {shape_of(value)}; they are counted from 1"
        )
    return value[tuple(index - 1 for index in node.indices)]


def _called(node: Call, arguments: list[Any], place: str, numbers: Numbers) -> Any:
    known = OPERATORS | FUNCTIONS
    if node.function not in known:
        raise InputError(
            f"{place}, column {node.column}: there is no function {node.function!r}; "
            f"{nearest(node.function, FUNCTIONS)}"
        )
    function = known[node.function]
    expects = _expects(node.function, len(arguments))
    if expects:
        raise InputError(
            f"{place}, column {node.column}: {node.function} takes {expects} values, here are {len(arguments)}"
        )
    try:
        return function(numbers, arguments) if node.function == "[]" else function(numbers, *arguments)
    except Unfit as reason:
        what = "" if node.function in ("[]", "neg") else f"{node.function}: "
        raise InputError(f"{place}, column {node.column}: {what}{reason}") from None


def _expects(function: str, count: int) -> str:
    """How many values a function takes, if these are not as many."""
    if function in TABLE:
        return "" if TABLE[function].takes(count) else TABLE[function].expects
    parameters = len(inspect.signature((OPERATORS | SHAPED)[function]).parameters) - 1
    return "" if function == "[]" or parameters == count else str(parameters)


def shape_of(value: Any) -> str:
    """A value's shape in words."""
    shape = np.shape(value)
    return (
        "a number"
        if not shape
        else f"a vector of {shape[0]}"
        if len(shape) == 1
        else f"a {shape[0]} by {shape[1]} matrix"
    )


def _scalar(value: Any) -> Any:
    if np.shape(value):
        raise Unfit(f"a number is needed, not {shape_of(value)}")
    return value


def _vector(value: Any, size: int = 0) -> Any:
    if len(np.shape(value)) != 1 or size not in (0, len(value)):
        raise Unfit(f"a vector{f' of {size}' if size else ''} is needed, not {shape_of(value)}")
    return value


def _array(rows: Any) -> Any:
    return np.array(rows, dtype=object)


def _listed(numbers: Numbers, values: list[Any]) -> Any:
    return _array([_scalar(value) for value in values])


def _same(first: Any, second: Any) -> None:
    if np.shape(first) != np.shape(second):
        raise Unfit(f"{shape_of(first)} and {shape_of(second)} do not go together")


def _sum(numbers: Numbers, first: Any, second: Any) -> Any:
    _same(first, second)
    return first + second


def _difference(numbers: Numbers, first: Any, second: Any) -> Any:
    _same(first, second)
    return first - second


def _product(numbers: Numbers, first: Any, second: Any) -> Any:
    if len(np.shape(first)) == len(np.shape(second)) == 1:
        raise Unfit("two vectors are multiplied by dot(u, v) or cross(u, v)")
    if not np.shape(first) and np.shape(second):
        return _array([first * entry for entry in np.ravel(second)]).reshape(
            np.shape(second)
        )  # a number does not know arrays
    if not np.shape(second):
        return first * second
    if len(np.shape(first)) == 1 or np.shape(first)[1] != np.shape(second)[0]:
        raise Unfit(f"{shape_of(first)} and {shape_of(second)} cannot be multiplied")
    columns = np.transpose(second) if len(np.shape(second)) == 2 else second[None, :]
    rows = [[_inner(numbers, row, column) for column in columns] for row in first]
    return _array(rows if len(np.shape(second)) == 2 else [entry for (entry,) in rows])


def _inner(numbers: Numbers, first: Any, second: Any) -> Any:
    """The sum of products, without those with a 0 of a rotation matrix: they are not there, whatever the other factor
    is.
    """
    terms = [u * v for u, v in zip(first, second, strict=True) if not (_is_zero(u) or _is_zero(v))]
    return sum(terms[1:], terms[0]) if terms else numbers.number(Fraction(0))


def _is_zero(value: Any) -> bool:
    if isinstance(value, Expression):
        return value.builder.value_of(value.node) == 0
    return value.units is None if isinstance(value, Powers) else bool(value == 0)


def _quotient(numbers: Numbers, first: Any, second: Any) -> Any:
    return first / _scalar(second)


def _power(numbers: Numbers, base: Any, exponent: int) -> Any:
    if abs(exponent) > LARGEST_POWER:
        raise Unfit(f"the exponent {exponent} is larger than {LARGEST_POWER}")
    return _scalar(base) ** exponent


def _dot(numbers: Numbers, first: Any, second: Any) -> Any:
    return _vector(first) @ _vector(second, len(first))


def _cross(numbers: Numbers, first: Any, second: Any) -> Any:
    (a, b, c), (u, v, w) = _vector(first, 3), _vector(second, 3)
    return _array([b * w - c * v, c * u - a * w, a * v - b * u])


def _norm(numbers: Numbers, vector: Any) -> Any:
    return TABLE["sqrt"](_dot(numbers, vector, vector))


def _of_numbers(function: Function) -> Callable[..., Any]:
    """A function of the table, each of whose operands is one number."""
    return lambda numbers, *values: function(*map(_scalar, values))


def _turn(numbers: Numbers, angle: Any) -> tuple[Any, Any, Any, Any]:
    return (
        TABLE["cos"](_scalar(angle)),
        TABLE["sin"](_scalar(angle)),
        numbers.number(Fraction(0)),
        numbers.number(Fraction(1)),
    )


def _rotation(numbers: Numbers, angle: Any) -> Any:
    c, s, _, _ = _turn(numbers, angle)
    return _array([[c, -s], [s, c]])


def _about_x(numbers: Numbers, angle: Any) -> Any:
    c, s, zero, one = _turn(numbers, angle)
    return _array([[one, zero, zero], [zero, c, -s], [zero, s, c]])


def _about_y(numbers: Numbers, angle: Any) -> Any:
    c, s, zero, one = _turn(numbers, angle)
    return _array([[c, zero, s], [zero, one, zero], [-s, zero, c]])


def _about_z(numbers: Numbers, angle: Any) -> Any:
    c, s, zero, one = _turn(numbers, angle)
    return _array([[c, -s, zero], [s, c, zero], [zero, zero, one]])


def _rotation_xyz(numbers: Numbers, alpha: Any, beta: Any, gamma: Any) -> Any:
    return _product(
        numbers, _product(numbers, _about_x(numbers, alpha), _about_y(numbers, beta)), _about_z(numbers, gamma)
    )


def _turned(numbers: Numbers, vector: tuple[Any, Any, Any], along: Any, across: Any) -> Any:
    """The matrix 1 + along (v v^T - |v|^2) + across [v]x, which is a rotation for the right numbers."""
    x, y, z = vector
    one = numbers.number(Fraction(1))
    xx, yy, zz = along * (x * x), along * (y * y), along * (z * z)
    xy, xz, yz = along * (x * y), along * (x * z), along * (y * z)
    a, b, c = across * x, across * y, across * z
    return _array(
        [[one - (yy + zz), xy - c, xz + b], [xy + c, one - (xx + zz), yz - a], [xz - b, yz + a, one - (xx + yy)]]
    )


def _quaternion(numbers: Numbers, w: Any, x: Any, y: Any, z: Any) -> Any:
    """The rotation matrix of w + x i + y j + z k, of any length but 0: rational, with the squared length below."""
    w, x, y, z = map(_scalar, (w, x, y, z))
    along = numbers.number(Fraction(2)) / (w * w + x * x + y * y + z * z)
    return _turned(numbers, (x, y, z), along, along * w)


def _rotation_vector(numbers: Numbers, x: Any, y: Any, z: Any) -> Any:
    """The rotation matrix about the axis (x, y, z) by an angle t that is its length, in radians.

    It has sin(t/2) / t, which is not defined at (0, 0, 0); no function of the table is that and 1/2 there.
    """
    x, y, z = map(_scalar, (x, y, z))
    two = numbers.number(Fraction(2))
    angle = TABLE["sqrt"](x * x + y * y + z * z)
    share = TABLE["sin"](angle / two) / angle
    return _turned(numbers, (x, y, z), two * share * share, two * share * TABLE["cos"](angle / two))


OPERATORS: dict[str, Callable[..., Any]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "/": _quotient,
    "^": _power,
    "neg": lambda numbers, value: -value,
    "[]": _listed,
}
SHAPED: dict[str, Callable[..., Any]] = {
    "norm": _norm,
    "dot": _dot,
    "cross": _cross,
    "transpose": lambda numbers, matrix: np.transpose(matrix),
    "rotation": _rotation,
    "Rx": _about_x,
    "Ry": _about_y,
    "Rz": _about_z,
    "rotation_xyz": _rotation_xyz,
    "quaternion": _quaternion,
    "rotation_vector": _rotation_vector,
}
LATER = {"quaternion", "rotation_vector"}  # than the first problem files, which may declare these names
FUNCTIONS: dict[str, Callable[..., Any]] = SHAPED | {name: _of_numbers(function) for name, function in TABLE.items()}
RESERVED = frozenset(
    {"pi", *(set(SHAPED) - LATER), *(function.name for function in TABLE.values() if not function.later)}
)
