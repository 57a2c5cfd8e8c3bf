"""Variables whose bounds are one number are known: in rows with other unknowns they are measurements of width 0."""

from __future__ import annotations

from dataclasses import replace

from certify.problems.model.model import Binding, Column, Family, Problem

LONGEST = 56  # of a name that gets a number: names of certificates have 64 letters


def without_known(problem: Problem) -> Problem:
    """The same rows and solutions; the variables keep their numbers, but no row that has another unknown is bound to a
    known one.
    """
    columns, families = list(problem.columns), []
    known = {number for number, variable in enumerate(problem.variables) if variable.lower == variable.upper}
    places: dict[tuple[int, int], int] = {}

    def bound(binding: Binding, rows: int) -> Binding:
        if binding.measured or binding.index not in known:
            return binding
        if (binding.index, rows) not in places:
            variable = problem.variables[binding.index]
            places[binding.index, rows] = len(columns)
            ends = (variable.lower,) * rows
            columns.append(Column(_name(problem, columns, variable.name), variable.unit, ends, ends))
        return Binding(True, places[binding.index, rows])

    for family in problem.families:
        families.append(
            family
            if _all_known(family, known)
            else replace(family, bindings=tuple(bound(b, family.rows) for b in family.bindings))
        )
    return replace(problem, columns=tuple(columns), families=tuple(families)) if known else problem


def _all_known(family: Family, known: set[int]) -> bool:
    return all(binding.measured or binding.index in known for binding in family.bindings)


def _name(problem: Problem, columns: list[Column], variable: str) -> str:
    """The variable's name, followed by a number where a column has it already."""
    taken = {column.name for column in (*problem.columns, *columns)}
    return next(
        name
        for name in (variable, *(f"{variable[:LONGEST]}.{k}" for k in range(1, len(taken) + 2)))
        if name not in taken
    )
