"""The blocks of a Minibex file, in their order.

    [Constants name [dimensions] (= | in) expression; ...]
    [functions]  Variables name [dimensions] [in expression] (; | ,) ...  [functions]
    [Minimize expression [;]]
    [Constraints statements end]

    function  = Function name(parameters) {name = expression;} return expression [;] end
    statement = expression (= | < | <= | > | >= | in) expression  |  (statement)  |  name = expression  |  for name = a:b; statements end

Keywords may be written in whatever case. An equation whose left side is a name that is not declared gives that name to a value, as
in IBEX; if it is then never used, it was meant as a constraint, and that is an error here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from problems.minibex.expressions import Expressions
from problems.minibex.reading import Notes, Reader
from problems.minibex.syntax import Kind, Source, Token, tokens_of
from problems.minibex.tree import Assignment, Code, Declaration, Function, Loop, Program, Restriction, Statement

_RELATIONS = ("=", "<", "<=", ">", ">=", "in")


def parse_program(source: Source, notes: Notes) -> Program:
    """The program that a text is."""
    reader = Reader(source, tokens_of(source), notes)
    return Parser(reader, Expressions(reader)).program()


@dataclass(frozen=True, slots=True)
class Parser:
    """Reads blocks and statements; expressions are left to `Expressions`."""

    reader: Reader
    expressions: Expressions
    temporaries: list[Token] = field(default_factory=list)

    def program(self) -> Program:
        """A whole file."""
        reader = self.reader
        constants = self._constants()
        visible = reader.values
        functions = self._functions(visible)
        reader.expect("variables", "here" if reader.position else "at the beginning of the file (behind any constants and functions)")
        reader.values = set(visible)
        variables = self._variables()
        functions += self._functions(visible)
        objective = self._objective()
        constraints = self._constraints()
        if reader.peek().kind is not Kind.FINISH:
            token = reader.peek()
            what = f"{token.described} stands where the file should end or another block should begin"
            raise reader.error(token, f"{what}; the order is Constants, Function, Variables, Function, Minimize, Constraints ... end")
        return Program(tuple(constants), tuple(functions), tuple(variables), objective, tuple(constraints))

    def _dimensions(self) -> tuple[Code, ...]:
        dimensions: list[Code] = []
        while self.reader.sees("["):
            token = self.reader.take()
            if len(dimensions) == 2:
                raise self.reader.error(token, "more than two dimensions are not supported; declare several matrices")
            dimensions.append(self.expressions.read())
            self.reader.expect("]", "behind the dimension")
        return tuple(dimensions)

    def _ends_block(self) -> bool:
        return self.reader.peek().kind in (Kind.FINISH, Kind.KEYWORD)

    def _constants(self) -> list[Declaration]:
        reader, found = self.reader, list[Declaration]()
        if not reader.accept("constants"):
            return found
        while not self._ends_block():
            name = reader.new_name("a constant")
            dimensions = self._dimensions()
            if not (reader.accept("=") or reader.accept("in")):
                raise reader.error(reader.peek(), f"the constant {name.text} has no value; write = or in and its value")
            found.append(Declaration(name, dimensions, self.expressions.read()))
            reader.declare(name)
            reader.expect(";", f"behind the constant {name.text}")
        return found

    def _variables(self) -> list[Declaration]:
        reader, found, bare = self.reader, list[Declaration](), list[Token]()
        while not found or not self._ends_block():
            name = reader.new_name("a variable")
            dimensions = self._dimensions()
            domain = self.expressions.read() if reader.accept("in") else None
            found.append(Declaration(name, dimensions, domain))
            reader.declare(name)
            if domain is not None and bare:
                listed = ", ".join(token.text for token in bare[:5]) + (", ..." if len(bare) > 5 else "")
                reader.notes.add(name, f"the domain belongs to {name.text} only, as in IBEX; the domain of {listed} is the whole line")
            if domain is not None or not reader.sees(","):
                bare = []
            else:
                bare.append(name)
            if not reader.accept(","):
                reader.expect(";", f"behind the variable {name.text}")
        return found

    def _functions(self, visible: set[str]) -> list[Function]:
        """Functions see the constants and the functions before them, not the variables."""
        reader, found = self.reader, list[Function]()
        while reader.accept("function"):
            name = reader.new_name("a function")
            outer, reader.values = reader.values, visible
            hidden = set[str]()
            with reader.scope():
                found.append(self._function(name, hidden))
            visible |= hidden
            reader.values = outer
            reader.functions.add(name.text)
        return found

    def _local(self, what: str, hidden: set[str]) -> Token:
        """A new name inside a function; it may hide a constant."""
        reader = self.reader
        name = reader.peek()
        if name.text in reader.values and name.text not in reader.fresh:
            reader.values.discard(name.text)
            hidden.add(name.text)
        return reader.new_name(what)

    def _function(self, name: Token, hidden: set[str]) -> Function:
        reader = self.reader
        reader.expect("(", "behind the name of a function")
        parameters: list[Declaration] = []
        seen = set[str]()
        while not parameters or reader.accept(","):
            parameter = self._local("a parameter", hidden)
            dimensions = self._dimensions()  # of constants, not of the parameters before
            if parameter.text in seen:
                raise reader.error(parameter, f"the name {parameter.described} is declared twice; rename one")
            seen.add(parameter.text)
            parameters.append(Declaration(parameter, dimensions, None))
        for declaration in parameters:
            reader.declare(declaration.name)
        reader.expect(")", "behind the parameters")
        assignments: list[Assignment] = []
        while not reader.sees("return"):
            target = self._local("a value inside a function", hidden)
            reader.expect("=", f"behind {target.text}")
            assignments.append(Assignment(target, self.expressions.read()))
            reader.declare(target)
            reader.expect(";", f"behind the value of {target.text}")
        reader.expect("return", "in a function")
        result = self.expressions.read()
        reader.accept(";")
        reader.expect("end", f"behind the function {name.text}")
        return Function(name, tuple(parameters), tuple(assignments), result)

    def _objective(self) -> Code | None:
        if not self.reader.accept("minimize"):
            return None
        objective = self.expressions.read()
        self.reader.accept(";")
        return objective

    def _constraints(self) -> list[Statement]:
        reader = self.reader
        if not reader.accept("constraints"):
            return []
        with reader.scope():
            statements = self._statements("the constraints")
        for token in self.temporaries:
            if token.text not in reader.used:
                what = f"{token.described} is not declared, so this line only gives a name to a value, and the name is never used"
                raise reader.error(token, f"{what}; declare the variable if this is a constraint, else remove the line")
        return statements

    def _statements(self, what: str) -> list[Statement]:
        reader, found = self.reader, list[Statement]()
        while not reader.accept("end"):
            found.append(self._statement())
            if not reader.accept(";") and not isinstance(found[-1], Loop) and not reader.sees("end"):
                token = reader.peek()
                raise reader.error(token, f"';' or 'end' is expected in {what}, not {token.described}; write it or correct what stands before")
        return found

    def _statement(self) -> Statement:
        reader = self.reader
        if reader.sees("for"):
            return self._loop()
        token = reader.peek()
        new = token.kind is Kind.NAME and token.text not in reader.values and token.text not in reader.functions and token.text != "pi"
        if new and reader.peek(1).text == "=":
            name = reader.new_name("a value")
            reader.take()
            value = self.expressions.read()
            reader.declare(name)
            self.temporaries.append(name)
            return Assignment(name, value)
        return self._restriction()

    def _restriction(self) -> Restriction:
        reader = self.reader
        if self._is_enclosed():
            with reader.nested(reader.take()):
                found = self._restriction()
            reader.expect(")", "behind a constraint in parentheses")
            return found
        left = self.expressions.read()
        relation = reader.take()
        if relation.text not in _RELATIONS:
            raise reader.error(relation, f"= < <= > >= or in is expected, not {relation.described}; a constraint compares two expressions")
        right = self.expressions.read()
        if reader.sees(*_RELATIONS):
            raise reader.error(reader.peek(), "a constraint has two sides only; write a < b; b < c instead of a < b < c")
        return Restriction(left, relation, right)

    def _is_enclosed(self) -> bool:
        """Whether the parenthesis that comes next contains a whole constraint."""
        reader, depth, ahead = self.reader, 0, 0
        while reader.sees("(") and reader.position + ahead < len(reader.tokens):
            token = reader.peek(ahead)
            depth += (token.text in ("(", "[")) - (token.text in (")", "]"))
            if depth == 0:
                break
            if depth == 1 and token.text in _RELATIONS:
                return True
            ahead += 1
        return False

    def _loop(self) -> Loop:
        reader = self.reader
        with reader.nested(reader.take()), reader.scope():
            iterator = reader.new_name("the iterator of a loop")
            reader.expect("=", "behind the iterator of a loop")
            first = self.expressions.read()
            reader.expect(":", "between the first and the last value of a loop")
            last = self.expressions.read()
            reader.expect(";", "behind the head of a loop")
            reader.declare(iterator)
            body = self._statements(f"the loop over {iterator.text}")
        return Loop(iterator, first, last, tuple(body))
