"""The scope of a claim: its families, their variables and columns in the problem's order, and enclosures of its rows.

Positions count the variables of the scope; boxes and values are given in this order. A measurement's fraction t stands
for the exact number lower + t (upper - lower).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from .certificate import Group
from .interval import Arithmetic, Interval
from .outcome import Clock, require
from .problem import Bounds, CanonicalProblem, Records
from .tape import ZERO, Calculus, Program
from .text import shown

Box = tuple[Bounds, ...]
PROGRAMS: Final = 256
COMPILED_NODES: Final = 2_000_000


def find_families(problem: CanonicalProblem, groups: Sequence[Group]) -> tuple[int, ...]:
    """The families' numbers, ascending; each must be named once, in the problem's order in its group, and groups in the
    order of their first ones.
    """
    numbers = {family.name: number for number, family in enumerate(problem.families)}
    found = []
    for group in groups:
        for name in group.names:
            require(name in numbers, "scope", f"there is no family {shown(name)}")
        found.append([numbers[name] for name in group.names])
        members = [problem.families[number] for number in found[-1]]
        tables = any(problem.tapes[family.tape].name == "" for family in members)
        alike = len({family.rows for family in members}) == 1 and not tables
        require(group.norm == "rows" or alike, "scope", "its families have not equally many rows, or are tables")
    orders, families = [[members[0] for members in found if members], *found], [n for members in found for n in members]
    ascending = all(earlier < later for order in orders for earlier, later in pairwise(order))
    once = ascending and len(set(families)) == len(families) > 0
    require(once, "scope", "at least one family, in the problem's order, each once")
    return tuple(sorted(families))


class Scope:
    """Families of a problem at a precision."""

    __slots__ = (
        "arithmetic",
        "calculus",
        "columns",
        "factor",
        "families",
        "group",
        "positions",
        "problem",
        "program",
        "uses",
        "variables",
    )

    def __init__(
        self,
        problem: CanonicalProblem,
        families: Sequence[int],
        precision: int,
        groups: Sequence[Group] = (),
        factor: Fraction = Fraction(1),
    ) -> None:
        self.problem: Final = problem
        self.families: Final = frozenset(families)
        self.factor: Final = factor
        numbers = {problem.families[number].name: number for number in families}
        self.group: Final = {
            numbers[name]: (group, tuple(numbers[other] for other in group.names))
            for group in groups or [Group("model", "rows", Fraction(0), Fraction(1), tuple(numbers))]
            for name in group.names
        }
        bindings = [binding for number in families for binding in problem.families[number].bindings]
        self.variables: Final = tuple(sorted({binding.index for binding in bindings if not binding.measured}))
        self.uses: Final = Counter(binding.index for binding in bindings if binding.measured)
        self.columns: Final = tuple(sorted(self.uses))
        self.positions: Final = {variable: position for position, variable in enumerate(self.variables)}
        self.arithmetic: Final = Arithmetic(precision)
        self.calculus: Final = Calculus(self.arithmetic)
        tapes = (problem.tapes[problem.families[number].tape] for number in families)
        longest = max(tape.inputs + len(tape.operations) for tape in tapes)
        self.program: Final = lru_cache(max(1, min(PROGRAMS, COMPILED_NODES // longest)))(self._compile)

    @property
    def box(self) -> Box:
        """The bounds of the scope's variables."""
        return tuple(self.problem.variables[variable].bounds for variable in self.variables)

    def _compile(self, family: int, further: tuple[int, ...] = ()) -> Program:
        declared = self.problem.families[family]
        return Program(self.problem.tapes[declared.tape], declared, self.calculus, further)

    def member(self, family: int) -> tuple[int, ...]:
        """The families whose rows of one number are one member with this family's: in the norm `rows` it is alone."""
        group, families = self.group[family]
        return (family,) if group.norm == "rows" else families

    def euclidean(self, family: int) -> bool:
        """Whether the root of the sum of a member's r^2 is bounded."""
        return self.group[family][0].norm == "euclidean"

    def bound(self, family: int, error: Fraction) -> Fraction:
        """b(e) of the family's group."""
        group, _ = self.group[family]
        return group.base + group.scale * error

    def check_row(self, rule: str, family: int, row: int) -> None:
        """Raise Rejection unless this is a row of the scope."""
        require(
            family in self.families and 0 <= row < self.problem.families[family].rows,
            rule,
            f"there is no row {family}.{row} in the scope",
        )

    def check_within(self, rule: str, box: Box, outer: Box) -> None:
        """Raise Rejection unless these are bounds for each variable of the scope, within the outer ones."""
        require(len(box) == len(outer), rule, f"{len(outer)} values or pairs of ends were expected, not {len(box)}")
        for variable, (lower, upper), (least, greatest) in zip(self.variables, box, outer, strict=True):
            require(
                least <= lower <= upper <= greatest,
                rule,
                f"the value or an end of variable {variable} is out of its bounds",
            )

    def measured(self, family: int) -> set[int]:
        """The columns of a family."""
        return {binding.index for binding in self.problem.families[family].bindings if binding.measured}

    def named(self, column: int) -> bool:
        """Whether this is a column of the scope that the problem declares: those of tables have no names."""
        return column in self.uses and self.problem.columns[column].name != ""

    def table(self, family: int) -> Records | None:
        """The records of a family that is a table."""
        last = (binding.index for binding in self.problem.families[family].bindings[-1:] if binding.measured)
        columns = (self.problem.columns[column].entries for column in last)
        return next((entries for entries in columns if isinstance(entries, Records)), None)

    def rows(self) -> Iterable[tuple[int, int]]:
        """All rows, in order."""
        return ((family, row) for family in sorted(self.families) for row in range(self.problem.families[family].rows))

    def sum_of_squares(self, box: Sequence[Interval], clock: Clock) -> Interval:
        """The sum of r^2 over all rows, measurements on their whole boxes. Raises Undefined."""
        total = ZERO
        for family, row in self.rows():
            clock.check()
            program = self.program(family)
            total = self.arithmetic.add(total, self.arithmetic.sqr(program.values(self.inputs(program, row, box))[-1]))
        return total

    def entry(self, column: int, row: int) -> Bounds:
        """A measurement's bounds, `factor` times as far from their middle as in the problem."""
        lower, upper = self.problem.columns[column].entries[row]
        if self.factor == 1:
            return lower, upper
        middle, half = (lower + upper) / 2, self.factor * (upper - lower) / 2
        return middle - half, middle + half

    def inputs(self, program: Program, row: int, box: Sequence[Interval], end: int | None = None) -> list[Interval]:
        """The inputs of the tape: variables from `box`, measurements on their whole boxes, or at one end of these (0 or
        1).
        """
        spans = []
        for binding in program.family.bindings:
            if binding.measured:
                entry = self.entry(binding.index, row)
                spans.append(self.arithmetic.span(*entry) if end is None else self.arithmetic.enclose(entry[end]))
            else:
                spans.append(box[self.positions[binding.index]])
        return spans

    def outward(self, box: Box) -> tuple[Interval, ...]:
        """The box on the grid."""
        return tuple(self.arithmetic.span(lower, upper) for lower, upper in box)

    def enclose_row(
        self, family: int, row: int, values: Sequence[Fraction], *parts: Mapping[int, Fraction]
    ) -> Interval:
        """r at x and the measurements' fractions (by column), or on the box that two of them span. Raises Undefined."""
        inputs = []
        for binding in self.problem.families[family].bindings:
            if binding.measured:
                lower, upper = self.entry(binding.index, row)
                exact = lower == upper
                ends = [lower] if exact else [lower + part[binding.index] * (upper - lower) for part in parts]
                inputs.append(self.arithmetic.span(min(ends), max(ends)))
            else:
                inputs.append(self.arithmetic.enclose(values[self.positions[binding.index]]))
        return self.program(family).values(inputs)[-1]


def check_roles(scope: Scope, kind: str, discard: int) -> None:
    """Raise Rejection unless every family has the form that its role says, and of violations one row is kept."""
    for family, (group, _) in scope.group.items():
        measured = bool(scope.measured(family))
        fits = {
            "model": measured or kind == "errors",
            "equation": not measured,
            "condition": _compares(scope, family),
            "violation": not measured or _compares(scope, family),
        }
        require(fits[group.role], "role", f"family {scope.problem.families[family].name} has not the form of its role")
    one = kind != "violations" or discard + 1 == len(list(scope.rows()))
    require(one, "role", "of violations all rows but one are discarded")


def _compares(scope: Scope, family: int) -> bool:
    """Whether the row is a function less a measurement that nothing else uses."""
    declared = scope.problem.families[family]
    operations = scope.problem.tapes[declared.tape].operations
    uses = Counter(operand for operation in operations for operand in (operation.first, operation.second))
    match [(i, binding.index) for i, binding in enumerate(declared.bindings) if binding.measured]:
        case [(i, column)]:
            apart = uses[i] == scope.uses[column] == 1
            return apart and operations[-1].code == "sub" and operations[-1].second == i
    return False
