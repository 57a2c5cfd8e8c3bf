"""The families that a claim is about, in groups: what their rows are, and how they are measured (specification,
sections 3, 12.1 and 12.2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from .problem import Family, Problem
from .text import Lines, shown

ROLES = ("model", "equation", "condition", "violation")
ROLES_OF = {"errors": ROLES[:1], "system": ROLES[:3], "violations": ROLES[3:]}
NORMS = ("rows", "largest", "euclidean")
MEASURED_ONCE = ("condition", "violation")  # their rows are g - m, with a measurement m of their own

Row = tuple[int, int]  # family and row, by number


@dataclass(frozen=True, slots=True)
class Group:
    """Families whose rows are of one role and one norm. At the error e their bound is base + scale e."""

    role: str
    norm: str
    base: fmpq
    scale: fmpq
    families: tuple[int, ...]

    def bound(self, error: fmpq) -> fmpq:
        """What a member may reach at this error."""
        return self.base + self.scale * error

    def member(self, family: int, row: int) -> Row:
        """The name of the member that a row belongs to: the row itself, or that of the first family."""
        return (family, row) if self.norm == "rows" else (self.families[0], row)

    @property
    def is_euclidean(self) -> bool:
        """Whether a member is measured by the root of the sum of its squares."""
        return self.norm == "euclidean"

    @property
    def is_plain(self) -> bool:
        """Whether a member is a row, and its bound the error."""
        return self.norm == "rows" and self.base == 0 and self.scale == 1


@dataclass(frozen=True, slots=True)
class Scope:
    """The families that a claim is about, by number, and the variables and columns that these are bound to."""

    families: tuple[int, ...]
    variables: tuple[int, ...]
    columns: tuple[int, ...]
    place: dict[int, int]  # of a variable among those of the scope
    bound: dict[int, int]  # through how many bindings of the scope each entry of a column is used
    groups: tuple[Group, ...]
    group: dict[int, Group]  # of each family


def scope_of(problem: Problem, families: Sequence[int], groups: Sequence[Group] = ()) -> Scope:
    """The scope of these families, which are in the order of the problem; one group of all of them if none is given."""
    groups = tuple(groups) or (Group("", "rows", fmpq(0), fmpq(1), tuple(families)),)
    variables: set[int] = set()
    bound: dict[int, int] = {}
    for number in families:
        for binding in problem.families[number].bindings:
            if binding.measured:
                bound[binding.number] = bound.get(binding.number, 0) + 1
            else:
                variables.add(binding.number)
    ordered = tuple(sorted(variables))
    return Scope(
        tuple(families),
        ordered,
        tuple(sorted(bound)),
        {v: k for k, v in enumerate(ordered)},
        bound,
        groups,
        {number: group for group in groups for number in group.families},
    )


class GroupReader:
    """The lines that name the families."""

    def __init__(self, lines: Lines, problem: Problem) -> None:
        self.lines, self.problem = lines, problem
        self._known = {family.name: number for number, family in enumerate(problem.families)}
        self._subtracted: dict[int, int] = {}  # by tape

    def _families(self, names: Sequence[str]) -> tuple[int, ...]:
        if not names:
            raise self.lines.bad("no family is named")
        families: list[int] = []
        for name in names:
            if name not in self._known:
                raise self.lines.bad(f"there is no family {name[:64]!r}")
            if families and self._known[name] <= families[-1]:
                raise self.lines.bad("the families are not in the order of the problem, each once")
            families.append(self._known[name])
        return tuple(families)

    def scope(self) -> Scope:
        """The line `scope` of version 5."""
        return scope_of(self.problem, self._families(self.lines.headed("scope")))

    def groups(self, kind: str) -> Scope:
        """The lines of the groups."""
        (count,) = self.lines.headed("groups", 1)
        groups: list[Group] = []
        seen: set[int] = set()
        for _ in range(self.lines.natural(count, 1)):
            group = self._group(kind)
            if groups and group.families[0] <= groups[-1].families[0]:
                raise self.lines.bad("the first families of the groups are not in the order of the problem")
            if not seen.isdisjoint(group.families):
                raise self.lines.bad("a family stands in two groups")
            seen.update(group.families)
            groups.append(group)
        found = scope_of(self.problem, sorted(seen), groups)
        for group in groups:
            for number in group.families:
                self._check_role(group.role, self.problem.families[number], found, kind == "system")
        return found

    def _group(self, kind: str) -> Group:
        lines = self.lines
        tokens = lines.headed("group")
        if len(tokens) < 5:
            raise lines.bad("a group has a role, a norm, two numbers and families")
        role, norm, *numbers = tokens[:4]
        if role not in ROLES_OF[kind]:
            raise lines.bad(f"{shown(role)} is no role of the kind {kind}")
        if norm not in NORMS:
            raise lines.bad(f"{shown(norm)} is no norm of a group")
        base, scale = (lines.not_negative("the bound of a group", token) for token in numbers)
        families = self._families(tokens[4:])
        members = [self.problem.families[number] for number in families]
        if norm != "rows" and (len({family.rows for family in members}) > 1 or any(one.table for one in members)):
            raise lines.bad("the families of the group have not equally many rows, or are tables")
        return Group(role, norm, base, scale, families)

    def _check_role(self, role: str, family: Family, scope: Scope, is_system: bool) -> None:
        """That the rows are what their role says: about no measurement, g - m with an m of their own, or a model's."""
        measured = [(place, binding.number) for place, binding in enumerate(family.bindings) if binding.measured]
        if role == "equation" and measured:
            raise self.lines.bad(f"{family.name} is bound to a column: it is no equation")
        if role == "model" and is_system and not measured:
            raise self.lines.bad(f"{family.name} is bound to no column: in a system it is an equation")
        if role not in MEASURED_ONCE or (role == "violation" and not measured):
            return
        if len(measured) != 1 or scope.bound[measured[0][1]] != 1:
            raise self.lines.bad(f"{family.name} has not one measurement that no other row uses: it is no {role}")
        if self._subtracted_once(family.tape) != measured[0][0]:
            raise self.lines.bad(f"{family.name} does not end by taking its measurement away: it is no {role}")

    def _subtracted_once(self, tape: int) -> int:
        """The node that the last operation takes away, if it is a `sub` and no other operand is this node; else -1."""
        if tape not in self._subtracted:
            *before, last = self.problem.tapes[tape].steps
            once = last.first != last.second and not any(last.second in (step.first, step.second) for step in before)
            self._subtracted[tape] = last.second if last.operation == "sub" and once else -1
        return self._subtracted[tape]
