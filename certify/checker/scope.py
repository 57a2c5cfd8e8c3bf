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

from .interval import Arithmetic, Interval
from .outcome import Clock, require
from .problem import Bounds, CanonicalProblem
from .tape import ZERO, Calculus, Program
from .text import shown

Box = tuple[Bounds, ...]
PROGRAMS: Final = 256
COMPILED_NODES: Final = 2_000_000


def find_families(problem: CanonicalProblem, names: Sequence[str]) -> tuple[int, ...]:
    """The families' numbers; names must be in the problem's order, each once, at least one."""
    numbers = {family.name: number for number, family in enumerate(problem.families)}
    for name in names:
        require(name in numbers, "scope", f"there is no family {shown(name)}")
    found = tuple(numbers[name] for name in names)
    ascending = all(earlier < later for earlier, later in pairwise(found))
    require(ascending and len(found) > 0, "scope", "at least one family, in the problem's order, each once")
    return found


class Scope:
    """Families of a problem at a precision."""

    __slots__ = (
        "arithmetic",
        "calculus",
        "columns",
        "families",
        "positions",
        "problem",
        "program",
        "uses",
        "variables",
    )

    def __init__(self, problem: CanonicalProblem, families: Sequence[int], precision: int) -> None:
        self.problem: Final = problem
        self.families: Final = frozenset(families)
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

    def _compile(self, family: int) -> Program:
        declared = self.problem.families[family]
        return Program(self.problem.tapes[declared.tape], declared, self.calculus)

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
        """A measurement's bounds."""
        return self.problem.columns[column].entries[row]

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
                ends = [lower + part[binding.index] * (upper - lower) for part in parts]
                inputs.append(self.arithmetic.span(min(ends), max(ends)))
            else:
                inputs.append(self.arithmetic.enclose(values[self.positions[binding.index]]))
        return self.program(family).values(inputs)[-1]
