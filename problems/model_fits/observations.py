"""A function and arrays as a problem: one row for each observation,  w_k (f(x_k; b) - y_k),  known exactly.

An array of doubles means exactly these doubles, text and Decimal mean exact decimals; nothing is rounded on the way.
The function is called once, with traced numbers: what it is made of are numpy's functions, or certify's. A power that
is not whole is defined where its base is positive, and only there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from certify.contractors.tape.evaluation import Floats
from certify.contractors.tape.tape import Tape
from certify.problems.errors import InputError
from certify.problems.formulas.expression import Expression
from certify.problems.formulas.units import require_known
from certify.problems.functions.function_table import FUNCTIONS
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.problems.model_fits.losses import HUBER, SOFT, SQUARES, flattened, softened

exp, log, sqrt = (FUNCTIONS[name] for name in ("exp", "log", "sqrt"))
RESPONSE, WEIGHT, PREDICTOR = "y", "weight", "x"
ROWS = "residuals"
SUFFIXES = {0: "", 1: "_above", -1: "_below"}  # of the columns of rows on a side of the scale
Exact = tuple[Fraction, ...]
Ends = tuple[Fraction, Fraction]
Model = Callable[..., Any]


@dataclass(frozen=True)
class Observations:
    """What was observed: predictors by name (one nameless one, if x was a plain column), the response, and weights."""

    predictors: dict[str, Exact]
    plain: bool
    response: Exact
    weights: Exact | None

    @property
    def count(self) -> int:
        """How many."""
        return len(self.response)

    def called(self, name: str) -> str:
        """What the response or the weights are called beside the predictors, whatever these are called."""
        while name in self.predictors:
            name += "_"
        return name

    def suffix(self, side: int) -> str:
        """What the names of columns of rows on a side of the scale end with, such that none is another's."""
        suffix, names = SUFFIXES[side], self.only(range(0))
        while suffix and any(f"{name}{suffix}" in names for name in names):
            suffix += "_"
        return suffix

    def only(self, chosen: Sequence[int]) -> dict[str, Exact]:
        """The columns of some observations: predictors, response, weights."""
        known = {**self.predictors, self.called(RESPONSE): self.response}
        if self.weights is not None:
            known[self.called(WEIGHT)] = self.weights
        return {name: tuple(values[k] for k in chosen) for name, values in known.items()}


class _Positive(Expression):
    """A traced number whose powers that are not whole are  exp(exponent * log(base)),  which certificates know."""

    def __pow__(self, exponent: Any) -> Expression:
        number = self.builder.value_of(self._other(exponent))
        if number is not None and number.denominator == 1:
            return super().__pow__(exponent)
        raised: Expression = exp(exponent * log(self))
        return raised

    def __rpow__(self, base: Any) -> Expression:
        raised: Expression = exp(self * log(self._with(self._other(base))))
        return raised

    def log1p(self) -> Any:
        """log(1 + x), as numpy calls it; like those below exactly this, whatever its rounding in floats is."""
        return log(1 + self)

    def expm1(self) -> Any:
        """exp(x) - 1."""
        return exp(self) - 1

    def exp2(self) -> Any:
        """2^x."""
        return self.__rpow__(2)

    def log2(self) -> Any:
        """The logarithm to the base 2."""
        return log(self) / log(self._with(self._other(2)))

    def log10(self) -> Any:
        """The logarithm to the base 10."""
        return log(self) / log(self._with(self._other(10)))

    def hypot(self, other: Any) -> Any:
        """sqrt(x^2 + y^2)."""
        return sqrt(self**2 + other**2)


class Predictors:
    """What the model gets for x where that is a table: x.load, x["load"] or x[0] are its columns."""

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns = dict(columns)

    def __getitem__(self, key: str | int) -> Any:
        if isinstance(key, int):
            return list(self._columns.values())[key]
        if key not in self._columns:
            raise InputError(f"the model asks for x[{key!r}], which is no column; x has {', '.join(self._columns)}")
        return self._columns[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __iter__(self) -> Any:
        return iter(self._columns.values())

    def __len__(self) -> int:
        return len(self._columns)


def observations(x: Any, y: Any, weights: Any = None) -> Observations:
    """Arrays, lists, DataFrames or dictionaries of columns as exact numbers."""
    table, plain = _columns_of(x)
    response = _exact_column(y, RESPONSE)
    if not response:
        raise InputError("there are no observations: y is empty")
    found = {name: _exact_column(values, name) for name, values in table.items()}
    weighed = None if weights is None else _exact_column(weights, WEIGHT)
    for name, values in (*found.items(), *([(WEIGHT, weighed)] if weighed is not None else [])):
        if len(values) != len(response):
            raise InputError(
                f"{name} has {len(values)} numbers and y has {len(response)}; give one for each observation"
            )
    if weighed is not None and min(weighed) < 0:
        raise InputError(f"weight {weighed.index(min(weighed)) + 1} is negative; weights multiply the residuals")
    return Observations(found, plain, response, weighed)


def parameter_names(model: Model, start: Any) -> tuple[str, ...]:
    """The names of the parameters, in the order in which the function takes them: those of its arguments after x, or of
    the start.
    """
    given = tuple(map(str, start)) if isinstance(start, Mapping) else ()
    count = len(list(start))
    try:
        arguments = list(inspect.signature(model).parameters.values())[1:]
    except (TypeError, ValueError):
        arguments = []
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    named = tuple(argument.name for argument in arguments if argument.kind in positional)
    folded = {name.lower() for name in named}
    if given and folded.isdisjoint(name.lower() for name in given):
        return given  # other names, in the function's order
    if (given and set(given) == set(named[:count])) or (not given and len(named) == count):
        return named[:count]  # of those behind them the function has values of its own, or it cannot be called
    if not given and (any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in arguments) or not arguments):
        return tuple(f"b{k}" for k in range(1, count + 1))
    told = f"{', '.join(given)}" if given else f"{count} numbers"
    raise InputError(
        f"the start has {told} and the model takes {len(named)} parameters after x ({', '.join(named)}); "
        f"give one for each"
    )


def start_values(names: Sequence[str], start: Any, what: str = "start") -> Floats:
    """The start, or what is claimed, as doubles in the order of the names."""
    if isinstance(start, Mapping):
        require_known(what, start, names)
    if isinstance(start, Mapping) and (lacking := [name for name in names if name not in start]):
        raise InputError(f"{', '.join(map(str, start))} are given, and {', '.join(lacking)} not; give each parameter")
    given = [start[name] for name in names] if isinstance(start, Mapping) else list(start)
    if len(given) != len(names):
        raise InputError(f"{what}: there are {len(given)} numbers for {', '.join(names)}; give one for each")
    return np.array([float(exact(value, f"{what} of {name}")) for name, value in zip(names, given, strict=True)])


def regression(
    model: Model,
    names: Sequence[str],
    data: Observations,
    box: Sequence[Ends],
    loss: str = SQUARES,
    scale: Fraction = Fraction(1),
    sides: Sequence[int] | None = None,
) -> Problem:
    """The problem of these observations with the parameters in a box. For the loss huber `sides` says of each residual
    whether it is above the scale (1), below its negative (-1) or between (0): each has a family.
    """
    variables = tuple(Variable(name, "1", *ends) for name, ends in zip(names, box, strict=True))
    families: list[Family] = []
    columns: list[Column] = []
    for side in (0,) if sides is None else sorted(set(sides), key=abs):
        chosen = range(data.count) if sides is None else [k for k, one in enumerate(sides) if one == side]
        suffix = data.suffix(side)
        known = [Column(f"{name}{suffix}", "1", values, values) for name, values in data.only(chosen).items()]
        bindings = [Binding(False, k) for k in range(len(variables))]
        bindings += [Binding(True, len(columns) + k) for k in range(len(known))]
        tape = _traced(model, names, data, loss, scale, side)
        families.append(Family(f"{ROWS}{suffix}", tape, len(chosen), tuple(bindings), "1"))
        columns += known
    return Problem(variables, tuple(columns), tuple(families))


def model_tape(model: Model, names: Sequence[str], data: Observations) -> Tape:
    """The model alone: its inputs are the parameters, and behind them the predictors."""
    unknown, measured = _fields("b", names), _fields("c", data.predictors)

    def value(b: Any, c: Any) -> Any:
        columns = {name: _positive(c, field) for name, field in zip(data.predictors, measured, strict=True)}
        return _called(model, _given(data, columns), [_positive(b, field) for field in unknown])

    tape: Tape = trace(value, unknown, measured)
    return tape


def _traced(model: Model, names: Sequence[str], data: Observations, loss: str, scale: Fraction, side: int) -> Tape:
    """The row of an observation."""
    known = data.only(range(0))
    unknown, measured = _fields("b", names), _fields("c", known)

    def row(b: Any, c: Any) -> Any:
        columns = {name: _positive(c, field) for name, field in zip(known, measured, strict=True)}
        modelled = _called(model, _given(data, columns), [_positive(b, field) for field in unknown])
        residual = modelled - columns[data.called(RESPONSE)]
        if data.weights is not None:
            residual = columns[data.called(WEIGHT)] * residual
        return {SOFT: softened(residual, scale), HUBER: flattened(residual, scale, side)}.get(loss, residual)

    tape: Tape = trace(row, unknown, measured)
    return tape


def _positive(fields: Any, name: str) -> _Positive:
    number = getattr(fields, name)
    return _Positive(number.builder, number.node)


def _given(data: Observations, columns: Mapping[str, Any]) -> Any:
    """What the model gets for x."""
    predictors = {name: columns[name] for name in data.predictors}
    return next(iter(predictors.values())) if data.plain else Predictors(predictors)


def _fields(letter: str, names: Any) -> dict[str, tuple[int, ...]]:
    return {f"{letter}{k}": () for k, _ in enumerate(names)}


def _called(model: Model, given: Any, parameters: Sequence[Any]) -> Any:
    try:
        return model(given, *parameters)
    except (TypeError, AttributeError) as error:
        raise InputError(
            f"the model could not be called with traced numbers: {error}; write it with +, -, *, /, ** and numpy's or "
            f"certify's functions, as model(x, {', '.join(f'b{k + 1}' for k in range(len(parameters)))})"
        ) from error


def _columns_of(x: Any) -> tuple[dict[str, Any], bool]:
    """The predictors by name, and whether there is one column without a name."""
    if isinstance(x, np.ma.MaskedArray):
        raise InputError("x is a masked array; leave masked observations out, and give an array")
    named = list(map(str, x.columns if hasattr(x, "columns") else x if isinstance(x, Mapping) else ()))
    if len(set(named)) < len(named):
        raise InputError(f"two columns of x have the same name, among {', '.join(named)}; name them apart")
    if hasattr(x, "columns") and hasattr(x, "__getitem__"):  # a DataFrame
        return {str(name): x[name] for name in x.columns}, False
    if isinstance(x, Mapping):
        return {str(name): values for name, values in x.items()}, False
    if isinstance(x, np.ndarray) and x.ndim == 2:
        return {f"{PREDICTOR}{k}": x[:, k - 1] for k in range(1, x.shape[1] + 1)}, False
    return {PREDICTOR: x}, True


def _exact_column(values: Any, name: str) -> Exact:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        raise InputError(f"{name} is {values!r:.40}; give a column of numbers")
    if isinstance(values, (Mapping, Set)) or hasattr(values, "columns"):  # which give keys, no order, or headings
        raise InputError(f"{name} is a {type(values).__name__}; give its numbers in order, as a list or an array")
    return tuple(exact(value, f"{name}, observation {k}") for k, value in enumerate(values, 1))


def exact(value: Any, what: str) -> Fraction:
    """The number itself: a double means exactly that double, text an exact decimal."""
    if isinstance(value, (np.floating, np.integer)):
        value = value.item()
    try:
        if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal, Rational)):
            raise TypeError
        return Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise InputError(f"{what} is {value!r:.40}; give a finite number") from None
