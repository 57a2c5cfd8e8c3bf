"""From a parsed Minibex file to a System: declarations, loops and constraints are carried out in their order.

left = right    left - right = 0, entry by entry; a number stands for all entries
left < right    left - right <= 0, with a note that the boundary is kept
left in [a, b]  left - a >= 0 and left - b <= 0; without the infinite ones; left - a = 0 if there is only one value
"""

from __future__ import annotations

from collections import ChainMap
from dataclasses import dataclass, field
from fractions import Fraction

from certify.problems.errors import InputError
from certify.problems.formulas.graph import Constant, Formula, Operation, exact_value, ordered
from certify.problems.formulas.units import shown
from certify.problems.minibex.machine import ITERATION, MAX_SIZE, ROUNDED, Inline, Machine, Names
from certify.problems.minibex.matrix import Matrix, number
from certify.problems.minibex.syntax import Token
from certify.problems.minibex.tree import Assignment, Code, Declaration, Program, Restriction, Statement
from certify.problems.systems.system import Constraint, Relation, System, SystemVariable

_RELATIONS = {
    "=": Relation.EQUAL,
    "<": Relation.LESS_EQUAL,
    "<=": Relation.LESS_EQUAL,
    ">": Relation.GREATER_EQUAL,
    ">=": Relation.GREATER_EQUAL,
}
Domain = tuple[Fraction | None, Fraction | None]


def translate(program: Program, machine: Machine) -> System:
    """The system that a program stands for."""
    translator = Translator(machine)
    translator.declare_constants(program.constants)
    for function in program.functions:
        dimensions = tuple(translator.dimensions(parameter, machine.constants) for parameter in function.parameters)
        machine.functions[function.name.text] = Inline(function, dimensions)
    names = ChainMap(translator.declare_variables(program.variables), machine.constants)
    objective = translator.objective(program.objective, names)
    translator.carry_out(program.constraints, names.new_child())
    translator.note_intervals()
    constraints, variables = tuple(translator.constraints), tuple(translator.variables)
    return System(variables, constraints, objective, machine.notes.all(), machine.source.name)


@dataclass(frozen=True, slots=True)
class Translator:
    """What has been translated so far."""

    machine: Machine
    variables: list[SystemVariable] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)

    def dimensions(self, declaration: Declaration, constants: dict[str, Matrix]) -> tuple[int, int]:
        """Rows and columns; a vector is a column."""
        machine, token = self.machine, declaration.name
        sizes = [
            machine.integer(token, machine.run(code, ChainMap(constants)), "the dimension")
            for code in declaration.dimensions
        ]
        for size in sizes:
            if not 1 <= size <= MAX_SIZE:
                raise machine.source.error(
                    token, f"a dimension of {shown(token.text)} is not within 1 and {MAX_SIZE}; correct it"
                )
        rows, columns = (*sizes, 1, 1)[:2]
        if rows * columns > MAX_SIZE:
            raise machine.source.error(token, f"{shown(token.text)} has more than {MAX_SIZE} entries; split it")
        return rows, columns

    def _spread(self, declaration: Declaration, code: Code, dimensions: tuple[int, int]) -> Matrix:
        """The value of a declaration in all its places."""
        value = self.machine.run(code, ChainMap(self.machine.constants))
        self.machine.spend(dimensions[0] * dimensions[1], declaration.name)
        spread = value.spread(*dimensions)
        if spread is None:
            needed = "a number" if dimensions == (1, 1) else f"a matrix of {dimensions[0]} x {dimensions[1]}"
            what = f"{shown(declaration.name.text)} is {needed}, its value is {value.size}"
            raise self.machine.source.error(declaration.name, f"{what}; a column is written (a; b) and a row (a, b)")
        return spread

    def declare_constants(self, declarations: tuple[Declaration, ...]) -> None:
        """The constants, each of which may use those before it."""
        for declaration in declarations:
            dimensions = self.dimensions(declaration, self.machine.constants)
            if declaration.domain is not None:
                self.machine.constants[declaration.name.text] = self._spread(
                    declaration, declaration.domain, dimensions
                )

    def declare_variables(self, declarations: tuple[Declaration, ...]) -> dict[str, Matrix]:
        """The variables in order, the entries of a matrix row after row, named x(i) or x(i,j) from 1."""
        names: dict[str, Matrix] = {}
        formulas = self.machine.formulas
        for declaration in declarations:
            token, (rows, columns) = declaration.name, self.dimensions(declaration, self.machine.constants)
            start = len(self.variables)
            if start + rows * columns > MAX_SIZE:
                raise self.machine.source.error(token, f"the system has more than {MAX_SIZE} variables; split it")
            whole = number(formulas.interval(None, None)).spread(rows, columns)
            domain = (
                self._spread(declaration, declaration.domain, (rows, columns))
                if declaration.domain is not None
                else whole
            )
            for place, entry in enumerate(domain.entries if domain is not None else ()):
                index = (place // columns + 1, place % columns + 1)[: len(declaration.dimensions)]
                name = f"{token.text}({','.join(map(str, index))})" if index else token.text
                self.variables.append(SystemVariable(name, *self._domain(token, entry)))
            indices = range(start, len(self.variables))
            names[token.text] = Matrix(rows, columns, tuple(map(formulas.variable, indices)))
        return names

    def _domain(self, token: Token, entry: Formula) -> Domain:
        if isinstance(entry, Constant):
            return entry.lower, entry.upper
        bounds = self.machine.bounds(token, entry)
        if bounds.lower != bounds.upper:
            self.machine.notes.add(token, f"the domain of {token.text} is {ROUNDED}")
        return bounds.lower, bounds.upper

    def objective(self, code: Code | None, names: Names) -> Formula | None:
        """The formula to minimise, which is kept but not solved for."""
        if code is None:
            return None
        value, token = self.machine.run(code, names), code[0].token
        if not value.is_number:
            raise self.machine.source.error(token, f"the objective is {value.size}; write a number")
        self.machine.notes.add(token, "Minimize is read but not solved for; only the constraints are")
        return value.entries[0]

    def carry_out(self, statements: tuple[Statement, ...], names: Names) -> None:
        """Constraints, named values and loops."""
        machine = self.machine
        for statement in statements:
            if isinstance(statement, Restriction):
                self._restrict(statement, machine.run(statement.left, names), machine.run(statement.right, names))
            elif isinstance(statement, Assignment):
                names[statement.name.text] = machine.run(statement.value, names)
            else:
                token = statement.iterator
                first = machine.integer(token, machine.run(statement.first, names), "the first value of the loop")
                last = machine.integer(token, machine.run(statement.last, names), "the last value of the loop")
                for value in range(first, last + 1):
                    machine.spend(ITERATION, token)
                    inner = names.new_child({token.text: number(machine.formulas.constant(value))})
                    self.carry_out(statement.body, inner)

    def _restrict(self, statement: Restriction, left: Matrix, right: Matrix) -> None:
        token = statement.relation
        rows, columns = (right.rows, right.columns) if left.is_number else (left.rows, left.columns)
        first, second = left.spread(rows, columns), right.spread(rows, columns)
        if first is None or second is None:
            raise self.machine.source.error(
                token, f"{left.size} {token.text} {right.size} has no meaning; both sides need the same dimensions"
            )
        self.machine.spend(len(first.entries), token)
        if token.text in ("<", ">"):
            self.machine.notes.add(token, f"the strict {token.text} is relaxed to {token.text}=, the boundary is kept")
        for a, b in zip(first.entries, second.entries, strict=True):
            if token.text == "in":
                self._confine(token, a, b)
            else:
                self._add(token, a, _RELATIONS[token.text], b)

    def _add(self, token: Token, left: Formula, relation: Relation, right: Formula) -> None:
        try:
            formula = left if exact_value(right) == 0 else self.machine.formulas.apply(Operation.SUB, left, right)
        except InputError as error:
            raise self.machine.source.error(token, str(error)) from None
        self.constraints.append(Constraint(formula, relation, f"line {token.line}"))

    def _confine(self, token: Token, left: Formula, domain: Formula) -> None:
        """left in domain"""
        bounds = self.machine.bounds(token, domain)
        if bounds.thin:
            self._add(token, left, Relation.EQUAL, domain)
            return
        if bounds.lower is not None:
            self._add(token, left, Relation.GREATER_EQUAL, self.machine.formulas.constant(bounds.lower))
        if bounds.upper is not None:
            self._add(token, left, Relation.LESS_EQUAL, self.machine.formulas.constant(bounds.upper))

    def note_intervals(self) -> None:
        """A constraint with interval constants means that it holds for some values in them."""
        if any(
            isinstance(node, Constant) and node.exact is None for node in ordered(c.formula for c in self.constraints)
        ):
            text = (
                "some constraints contain interval constants; each occurrence may take any value in its "
                "interval, independently of the others"
            )
            self.machine.notes.texts.append(text)
