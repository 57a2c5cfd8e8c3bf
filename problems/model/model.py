"""A measured model: unknowns in a box, measured columns in boxes, and families of equations r_k(x, M_k) = 0.

    problem = Problem(variables, columns, families)

A *variable* is an unknown number with exact bounds. A *column* is a measured quantity with one entry for each pose. A
*family* binds the inputs of one tape to variables (the same in all rows) and to columns (row k uses entry k): K
equations that differ in their measurements only. Rows that are bound to the same entry of the same column share one
measurement; what is known exactly nobody need share. A *group* joins the rows of one number of several families, the
components of a pose, into one member: its error is their largest one, or a Euclidean distance. All numbers are exact;
this is what is proved about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from certify.contractors.numbers.enclosures import enclose_range
from certify.contractors.rows.rows import Rows
from certify.contractors.tape.tape import Builder, Tape
from certify.problems.errors import InputError
from certify.problems.formulas.expression import Expression, radians
from certify.problems.formulas.float_constants import warn_of_floats, watched
from certify.problems.model.certified import plain
from certify.problems.model.groups import EUCLIDEAN, Group, check_groups
from certify.problems.model.tabled import Stated, common_units, exact_columns, exact_unknowns, in_one_unit, shapes

Bounds = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Variable:
    """An unknown in [lower, upper]."""

    name: str
    unit: str
    lower: Fraction
    upper: Fraction


@dataclass(frozen=True, slots=True)
class Column:
    """A measured quantity: entry k lies in [lower[k], upper[k]]."""

    name: str
    unit: str
    lower: tuple[Fraction, ...]
    upper: tuple[Fraction, ...]

    @property
    def uncertain(self) -> bool:
        """Whether an entry is not known exactly: only then does it matter who shares it."""
        return self.lower != self.upper


@dataclass(frozen=True, slots=True)
class Binding:
    """What an input of a tape is: a variable, or the entries of a column."""

    measured: bool
    index: int


@dataclass(frozen=True)
class Family:
    """`rows` equations tape(bindings) = 0, whose value has the given unit.

    The role is what a certificate says of them: errors of a `model`, an `equation` of a system, a `condition` of one (a
    function less an amount), or a `violation` of such a condition.
    """

    name: str
    tape: Tape
    rows: int
    bindings: tuple[Binding, ...]
    unit: str = "1"
    role: str = "model"


@dataclass(frozen=True)
class Problem:
    """Variables, columns, families and groups; see the module's text. A row whose family is in no group is alone.
    `poses` are names for the members of groups, where they have any.
    """

    variables: tuple[Variable, ...]
    columns: tuple[Column, ...]
    families: tuple[Family, ...]
    title: str = ""
    provenance: str = ""
    groups: tuple[Group, ...] = ()
    poses: tuple[str, ...] = ()

    @classmethod
    def from_table(
        cls,
        model: Callable[[Any, Any], Any],
        table: Any,
        unknowns: Mapping[str, Any],
        half_widths: Mapping[str, Any] | None = None,
        *,
        unit: str = "1",
        name: str = "rows",
        title: str = "",
    ) -> Self:
        """The problem of a DataFrame, or of a dictionary of columns: a row of model(x, m) = 0 for each row of it.

            certify.Problem.from_table(lambda x, m: certify.norm(x.p - m.a) - m.d, table,
                                       {"p.x [m]": (0, 5), "p.y [m]": (0, 5)}, {"a.x": "0.01", "d": "2 cm"}, unit="m")

        `unknowns` give each unknown its search box, `half_widths` how far columns may be off (0 where nothing is said).
        See `certify.problems.model.tabled` for headings, units, vectors, and what a number means. Angles are in radians
        inside the model. Where that returns a vector its components are of one pose, whose error is their largest.
        """
        sought, columns = exact_unknowns(unknowns), exact_columns(table, half_widths)
        decimals = any(one.decimal for one in (*sought, *columns))
        if decimals:
            warn_of_floats((f"half_widths[{key!r}]", value) for key, value in (half_widths or {}).items())
            warn_of_floats((f"unknown {key}: an end", tuple(value)) for key, value in unknowns.items())
        units = common_units(unit, (*sought, *columns))
        sought, columns = in_one_unit(sought, units), in_one_unit(columns, units)
        tapes = _tapes(model, sought, columns, decimals)
        bindings = [Binding(False, k) for k in range(len(sought))] + [Binding(True, k) for k in range(len(columns))]
        rows = len(columns[0].ends)
        names = [name] if len(tapes) == 1 else [f"{name}.{k}" for k in range(1, len(tapes) + 1)]
        return cls(
            tuple(Variable(one.name, one.unit, *one.ends[0]) for one in sought),
            tuple(Column(one.name, one.unit, *zip(*one.ends, strict=True)) for one in columns),
            tuple(Family(told, tape, rows, tuple(bindings), unit) for told, tape in zip(names, tapes, strict=True)),
            title,
            groups=(Group(name, tuple(names)),) if len(tapes) > 1 else (),
        )

    def __post_init__(self) -> None:
        for kind, names in (("variable", self.variables), ("column", self.columns), ("family", self.families)):
            seen: set[str] = set()
            for item in names:
                if item.name in seen:
                    raise InputError(f"two of the problem's names for a {kind} are {item.name!r}; rename one")
                seen.add(item.name)
        for item in self.variables:
            _check_exact(f"variable {item.name}: its bound", item.lower, item.upper)
            if item.lower > item.upper:
                raise InputError(
                    f"variable {item.name}: its lower bound {float(item.lower)} exceeds its upper bound "
                    f"{float(item.upper)}"
                )
        for column in self.columns:
            _check_exact(f"column {column.name}: its entry", *column.lower, *column.upper)
            if len(column.lower) != len(column.upper) or not column.lower:
                counts = f"{len(column.lower)} lower and {len(column.upper)} upper ends"
                raise InputError(f"column {column.name} has {counts}; give one of each for each row")
            for k, (low, high) in enumerate(zip(column.lower, column.upper, strict=True)):
                if low > high:
                    raise InputError(
                        f"column {column.name}, entry {k + 1}: lower {float(low)} exceeds upper {float(high)}"
                    )
        for family in self.families:
            self._check_family(family)
        check_groups({family.name: (family.rows, family.unit, family.role) for family in self.families}, self.groups)

    def _check_family(self, family: Family) -> None:
        if len(family.bindings) != family.tape.inputs:
            raise InputError(
                f"family {family.name} has {len(family.bindings)} bindings, its model {family.tape.inputs} "
                f"inputs; bind each input once"
            )
        for binding in family.bindings:
            kind, items = ("column", self.columns) if binding.measured else ("variable", self.variables)
            if not (isinstance(binding, Binding) and 0 <= binding.index < len(items)):
                raise InputError(
                    f"family {family.name} is bound to {kind} number {binding.index}; there are {len(items)}, "
                    f"counted from 0"
                )
            if binding.measured and len(self.columns[binding.index].lower) != family.rows:
                column = self.columns[binding.index]
                raise InputError(
                    f"family {family.name} has {family.rows} rows, its column {column.name} has {len(column.lower)}; "
                    f"they must agree"
                )

    @cached_property
    def blocks(self) -> tuple[Rows, ...]:
        """The families as blocks of rows for the contractors."""
        return tuple(self._block(family) for family in self.families)

    def _block(self, family: Family) -> Rows:
        lower, upper = np.zeros((len(family.bindings), family.rows)), np.zeros((len(family.bindings), family.rows))
        used = [b.index for b in family.bindings if b.measured and self.columns[b.index].uncertain]
        for i, binding in enumerate(family.bindings):
            if binding.measured:
                lower[i], upper[i] = self._enclosed[binding.index]
        places = tuple(-1 if b.measured else b.index for b in family.bindings)
        repeated = tuple(b.measured and used.count(b.index) > 1 for b in family.bindings)
        return Rows(family.name, family.tape, places, lower, upper, repeated)

    @cached_property
    def _enclosed(self) -> tuple[np.ndarray, ...]:
        """Both ends of the columns' entries, enclosed by doubles; families share columns."""
        pairs = (zip(column.lower, column.upper, strict=True) for column in self.columns)
        return tuple(np.array([enclose_range(low, high) for low, high in column]).T for column in pairs)

    @cached_property
    def box(self) -> tuple[np.ndarray, np.ndarray]:
        """The variables' bounds, enclosed by doubles."""
        ends = np.array([enclose_range(v.lower, v.upper) for v in self.variables]).reshape(-1, 2)
        return np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1])

    def part(self, names: Sequence[str]) -> tuple[int, ...]:
        """The numbers of the families with these names."""
        places = {family.name: number for number, family in enumerate(self.families)}
        for name in names:
            if name not in places:
                raise InputError(f"there is no family {name!r}; the problem has {', '.join(places)}")
        return tuple(places[name] for name in names)

    @cached_property
    def member_families(self) -> tuple[tuple[int, ...], ...]:
        """For each family the families whose rows of one number are one member with its own, ascending."""
        joined = {name: self.part(group.families) for group in self.groups for name in group.families}
        return tuple(joined.get(family.name, (number,)) for number, family in enumerate(self.families))

    def called(self, rows: Iterable[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
        """Rows (family, row) by name, each member once: a group's by the name of the group."""
        names = {name: group.name for group in self.groups for name in group.families}
        found = [(self.families[number].name, row) for number, row in sorted(rows)]
        return tuple(dict.fromkeys((names.get(name, name), row) for name, row in found))

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """The families of each group whose error is a Euclidean distance."""
        return tuple(self.part(group.families) for group in self.groups if group.norm == EUCLIDEAN)


def at_middles(problem: Problem) -> Problem:
    """The problem whose measurements are known exactly: the middles of their boxes, as classical
    estimators take them.
    """
    columns = []
    for column in problem.columns:
        middles = tuple((low + high) / 2 for low, high in zip(column.lower, column.upper, strict=True))
        columns.append(Column(column.name, column.unit, middles, middles))
    return replace(problem, columns=tuple(columns))


def _tapes(
    model: Callable[[Any, Any], Any], sought: Sequence[Stated], columns: Sequence[Stated], decimals: bool
) -> tuple[Tape, ...]:
    """The tapes of a model's components; its angles are radians, and floats in it are warned of beside decimals."""
    degrees = [_in_degrees(part) for part in (sought, columns)]

    def called(x: Any, m: Any) -> Any:
        for space, turned in zip((x, m), degrees, strict=True):
            for field, value in list(vars(space).items()):
                if not field.startswith("_"):
                    told = watched(value) if decimals else value
                    setattr(space, field, _in_radians(told, turned[field]))
        return model(x, m)

    found = trace(called, shapes(sought), shapes(columns))
    if isinstance(found, dict):
        raise InputError("the model returned a dictionary; return one number, or a vector with a component for each")
    return found if isinstance(found, tuple) else (found,)


def _in_degrees(stated: Sequence[Stated]) -> dict[str, list[bool]]:
    """Of each field, which of its components are in deg."""
    found: dict[str, list[bool]] = {}
    for one in stated:
        found.setdefault(one.name.partition(".")[0], []).append(one.unit == "deg")
    return found


def _in_radians(value: Any, turned: Sequence[bool]) -> Any:
    if isinstance(value, Expression):
        return radians(value) if turned[0] else value
    return np.array([radians(v) if one else v for v, one in zip(value, turned, strict=True)], dtype=object)


class _Fields(SimpleNamespace):
    """The x or m of a model; asking for a field that it has not is a mistake of the model's author."""

    def __init__(self, letter: str) -> None:
        super().__init__()
        object.__setattr__(self, "_letter", letter)

    def __getattr__(self, name: str) -> Any:
        known = ", ".join(key for key in vars(self) if not key.startswith("_"))
        raise InputError(
            f"the model asks for {vars(self)['_letter']}.{name}, which it has not; it has {known or 'no fields'}"
        )


def _check_exact(what: str, *values: object) -> None:
    for value in values:
        if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
            raise InputError(
                f'{what} is the {type(value).__name__} {value!r}; write an exact number such as Fraction("{value}")'
            )


def trace(
    model: Callable[[Any, Any], Any],
    unknowns: dict[str, tuple[int, ...]],
    measured: dict[str, tuple[int, ...]],
    prepare: Callable[[SimpleNamespace], None] | None = None,
) -> Any:
    """The tape of model(x, m), in the language of certificates as far as that has forms of the model's functions.

    A number is one tape, a vector a tuple of them, a dictionary of numbers and vectors a dictionary of these.

    `unknowns` and `measured` give the shape of each field: () for a number, (3,) for a vector. The inputs of each tape
    are the fields in order, first of x, then of m. `prepare` may add derived fields to m (a rotation matrix from its
    angles) before the model is called.
    """
    for name, shape in (*unknowns.items(), *measured.items()):
        if not (isinstance(shape, tuple) and all(isinstance(n, int) and n > 0 for n in shape)):
            raise InputError(
                f"the field {name!r} has the shape {shape!r}; write () for a number, (3,) for a vector of three"
            )
    sizes = [int(np.prod(shape)) for shape in (*unknowns.values(), *measured.values())]
    builder = Builder(sum(sizes))
    position = 0
    spaces = []
    for letter, fields in (("x", unknowns), ("m", measured)):
        space = _Fields(letter)
        for name, shape in fields.items():
            nodes = [Expression(builder, position + i) for i in range(int(np.prod(shape)))]
            position += len(nodes)
            setattr(space, name, np.array(nodes, dtype=object).reshape(shape) if shape else nodes[0])
        spaces.append(space)
    if prepare is not None:
        prepare(spaces[1])
    return _traced(model(*spaces), "")


def _traced(result: Any, where: str) -> Any:
    """The tapes of what a model returned; `where` says which part of it this is."""
    if isinstance(result, Expression):
        return plain(result.builder.row(result.node))
    if isinstance(result, dict) and result and not where:
        return {name: _traced(part, f" as {name!r}") for name, part in result.items()}
    if isinstance(result, (list, tuple, np.ndarray)) and np.ndim(np.array(result, dtype=object)) == 1 and len(result):
        numbers = list(result)
        if all(isinstance(number, Expression) for number in numbers):
            return tuple(_traced(number, where) for number in numbers)
        place, number = next((k, n) for k, n in enumerate(numbers, 1) if not isinstance(n, Expression))
        raise InputError(
            f"number {place} of the vector that the model returned{where} is {type(number).__name__} {number!r:.40}; "
            f"each must depend on what is unknown or measured"
        )
    size = f" of {result.size} numbers" if isinstance(result, np.ndarray) else ""
    raise InputError(
        f"the model returned {type(result).__name__}{size}{where}; it must return one number that depends on its "
        f"unknowns, a vector of them, or a dictionary of both"
    )
