"""The same problem told otherwise: in other units, from another origin, in another order, under other names. What is
true of it does not change.

`Change` says what was done, so that an answer about the changed problem can be told in the numbers of the first one.
"""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.contractors.tape.tape import Builder, Tape, replay
from certify.problems.model.model import Binding, Column, Family, Problem, Variable


@dataclass(frozen=True)
class Change:
    """x' = (x - origin) / unit for every variable, M' = M / unit for every column, r' = r / unit for all rows; then a
    new order and new names.
    """

    variables: tuple[Fraction, ...]
    columns: tuple[Fraction, ...]
    rows: Fraction = Fraction(1)
    origins: tuple[Fraction, ...] = ()


def in_units(problem: Problem, change: Change) -> Problem:
    """Other units and origins: in every tape x is unit x' + origin."""
    origins = change.origins or (Fraction(0),) * len(problem.variables)
    variables = [
        Variable(v.name, "1", (v.lower - origin) / unit, (v.upper - origin) / unit)
        for v, unit, origin in zip(problem.variables, change.variables, origins, strict=True)
    ]
    columns = [
        replace(column, lower=tuple(v / unit for v in column.lower), upper=tuple(v / unit for v in column.upper))
        for column, unit in zip(problem.columns, change.columns, strict=True)
    ]
    tapes: dict[tuple[Tape, tuple[tuple[Fraction, Fraction], ...]], Tape] = {}
    families = []
    for family in problem.families:
        moves = tuple(
            (change.columns[b.index], Fraction(0)) if b.measured else (change.variables[b.index], origins[b.index])
            for b in family.bindings
        )
        if (family.tape, moves) not in tapes:
            tapes[family.tape, moves] = _moved(family.tape, moves, change.rows)
        families.append(replace(family, tape=tapes[family.tape, moves]))
    return replace(problem, variables=tuple(variables), columns=tuple(columns), families=tuple(families))


def _moved(tape: Tape, moves: tuple[tuple[Fraction, Fraction], ...], unit: Fraction) -> Tape:
    """tape(unit_i x_i + origin_i) / unit."""
    builder = Builder(tape.inputs)
    inputs = []
    for i, (scale, origin) in enumerate(moves):
        node = i if scale == 1 else builder.mul(builder.constant(scale), i)
        inputs.append(node if not origin else builder.add(node, builder.constant(origin)))
    node = replay(tape, builder, inputs)[tape.outputs[0]]
    return builder.row(node if unit == 1 else builder.mul(builder.constant(1 / unit), node))


def permuted(problem: Problem, seed: int) -> Problem:
    """Variables, columns, families and the rows of each family in another order; columns that share their rows' number
    keep one order of rows.
    """
    random = np.random.default_rng(seed)
    variables, columns, families = (
        random.permutation(len(items)) for items in (problem.variables, problem.columns, problem.families)
    )
    rows = {family.rows: random.permutation(family.rows) for family in problem.families}
    new_variable, new_column = (
        dict(zip(map(int, order), range(len(order)), strict=True)) for order in (variables, columns)
    )
    reordered = []
    for c in columns:
        column = problem.columns[c]
        order = rows.get(len(column.lower), np.arange(len(column.lower)))
        reordered.append(
            replace(column, lower=tuple(column.lower[k] for k in order), upper=tuple(column.upper[k] for k in order))
        )
    bound = []
    for f in families:
        family = problem.families[f]
        bindings = tuple(
            Binding(b.measured, (new_column if b.measured else new_variable)[b.index]) for b in family.bindings
        )
        bound.append(replace(family, bindings=bindings))
    return replace(
        problem,
        variables=tuple(problem.variables[v] for v in variables),
        columns=tuple(reordered),
        families=tuple(bound),
    )


def renamed(problem: Problem, prefix: str = "n") -> Problem:
    """Other names for everything, in another alphabetical order."""

    def name(letter: str, number: int, count: int) -> str:
        return f"{prefix}{letter}{count - number:05d}"

    variables = tuple(replace(v, name=name("x", k, len(problem.variables))) for k, v in enumerate(problem.variables))
    columns = tuple(replace(c, name=name("m", k, len(problem.columns))) for k, c in enumerate(problem.columns))
    families = tuple(replace(f, name=name("f", k, len(problem.families))) for k, f in enumerate(problem.families))
    return replace(problem, variables=variables, columns=columns, families=families)


def duplicated(problem: Problem, row: int = 0) -> Problem:
    """One more family: a copy of one row of every family, with the same measurements as numbers of their own."""
    columns, families = list(problem.columns), list(problem.families)
    for family in problem.families:
        bindings = []
        for binding in family.bindings:
            if binding.measured:
                column = problem.columns[binding.index]
                columns.append(
                    Column(f"{column.name}.{len(columns)}", column.unit, (column.lower[row],), (column.upper[row],))
                )
                binding = Binding(True, len(columns) - 1)
            bindings.append(binding)
        families.append(Family(f"{family.name}.again", family.tape, 1, tuple(bindings), family.unit))
    return replace(problem, columns=tuple(columns), families=tuple(families))
