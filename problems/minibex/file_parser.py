"""The blocks of a Minibex file, in their order.

    [Constants [*] name [dimensions] (= | in) expression; ...]
    [functions]  Variables name, ... [dimensions] [in expression] (; | ,) ...  [functions]
    [Minimize expression [;]]
    [Constraints statements end]

    function  = Declared name(parameters) {name = expression;} return expression [;] end
    statement = expression (= | < | <= | > | >= | in) expression  |  (statement)  |  name = expression  |  for name =
        a:b; statements end

Keywords are written small, large or Capitalised; `in` is always small. An equation whose left side is a name that is
not declared gives that name to a value, as in IBEX; if it is then never used, a note says that it is no constraint.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from certify.problems.minibex.expression_parser import Expressions
from certify.problems.minibex.reading import MAX_LOOPS, Notes, Reader
from certify.problems.minibex.syntax import Source, Token, TokenKind, tokens_of
from certify.problems.minibex.tree import Assignment, Code, Declaration, Declared, Loop, Program, Restriction, Statement

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
        self._refuse_parameters()
        if reader.peek().kind is TokenKind.FINISH:
            held = "functions or constants only" if reader.position else "nothing"
            raise reader.error(
                reader.peek(), f"the file contains {held}, which is no system; write Variables ... Constraints ... end"
            )
        reader.expect(
            "variables",
            "here" if reader.position else "at the beginning of the file (behind any constants and functions)",
        )
        reader.values = set(visible)
        variables = self._variables()
        self._refuse_parameters()
        functions += self._functions(visible)
        objective = self._objective()
        constraints = self._constraints()
        if reader.peek().kind is not TokenKind.FINISH:
            token = reader.peek()
            what = f"{token.described} stands where the file should end or another block should begin"
            raise reader.error(
                token, f"{what}; the order is Constants, Declared, Variables, Declared, Minimize, Constraints ... end"
            )
        return Program(tuple(constants), tuple(functions), tuple(variables), objective, tuple(constraints))

    def _refuse_parameters(self) -> None:
        if self.reader.sees("parameters"):
            raise self.reader.error(
                self.reader.peek(), "parameters are not supported; declare them as constants or as variables"
            )

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
        return self.reader.peek().kind in (TokenKind.FINISH, TokenKind.KEYWORD)

    def _constants(self) -> list[Declaration]:
        reader, found = self.reader, list[Declaration]()
        if not reader.accept("constants"):
            return found
        while not self._ends_block():
            reader.accept("*")  # a constant that a program may change; in a file it is one like all others
            name = reader.new_name("a constant")
            dimensions = self._dimensions()
            if not (reader.accept("=") or reader.accept("in")):
                raise reader.error(reader.peek(), f"the constant {name.text} has no value; write = or in and its value")
            found.append(Declaration(name, dimensions, self.expressions.read()))
            reader.declare(name)
            reader.expect(";", f"behind the constant {name.text}")
        return found

    def _variables(self) -> list[Declaration]:
        """Names with commas between them share the dimensions and the domain of the last one, as in IBEX since 2025."""
        reader, found, listed = self.reader, list[Declaration](), list[Token]()
        while not found or listed or not self._ends_block():
            listed.append(reader.new_name("a variable"))
            dimensions = self._dimensions()
            domain = self.expressions.read() if reader.accept("in") else None
            reader.declare(listed[-1])
            if domain is not None or dimensions or not reader.sees(","):
                found += [Declaration(name, dimensions, domain) for name in listed]
                what = [
                    word for word, given in (("dimensions", bool(dimensions)), ("domain", domain is not None)) if given
                ]
                self._note_shared(listed, " and the ".join(what))
                listed = []
            if not reader.accept(","):
                reader.expect(";", f"behind the variable {found[-1].name.text}")
        return found

    def _note_shared(self, listed: list[Token], what: str) -> None:
        if what and len(listed) > 1:
            last, others = listed[-1], listed[:-1]
            names = ", ".join(token.text for token in others[:5]) + (", ..." if len(others) > 5 else "")
            share = f"{names} share{'s' * (len(others) == 1)} the {what} of {last.text}, as in IBEX since 2025"
            self.reader.notes.add(
                last, f"{share} (in older versions that applies to {last.text} alone; write ; instead of , for it)"
            )

    def _functions(self, visible: set[str]) -> list[Declared]:
        """Functions see the constants and the functions before them, not the variables."""
        reader, found = self.reader, list[Declared]()
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

    def _function(self, name: Token, hidden: set[str]) -> Declared:
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
        return Declared(name, tuple(parameters), tuple(assignments), result)

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
                what = (
                    f"{token.described} is not declared, so this line only gives a name to a value, and the name is "
                    f"never used"
                )
                reader.notes.add(token, f"{what}: it is no constraint; declare the variable if it is meant as one")
        return statements

    def _statements(self, what: str) -> list[Statement]:
        reader, found = self.reader, list[Statement]()
        while not reader.accept("end"):
            found.append(self._statement())
            if not reader.accept(";") and not isinstance(found[-1], Loop) and not reader.sees("end"):
                token = reader.peek()
                raise reader.error(
                    token,
                    f"';' or 'end' is expected in {what}, not {token.described}; write it or correct what stands "
                    f"before",
                )
        return found

    def _statement(self) -> Statement:
        reader = self.reader
        if reader.sees("for"):
            return self._loop()
        token = reader.peek()
        new = (
            token.kind is TokenKind.NAME
            and token.text not in reader.values
            and token.text not in reader.functions
            and token.text != "pi"
        )
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
        around = self._parentheses_around()
        for _ in range(around):
            reader.take()
        left = self.expressions.read()
        relation = reader.take()
        if relation.text not in _RELATIONS:
            raise reader.error(
                relation,
                f"= < <= > >= or in is expected, not {relation.described}; a constraint compares two expressions",
            )
        right = self.expressions.read()
        if reader.sees(*_RELATIONS):
            raise reader.error(
                reader.peek(), "a constraint has two sides only; write a < b; b < c instead of a < b < c"
            )
        for _ in range(around):
            reader.expect(")", "behind a constraint in parentheses")
        return Restriction(left, relation, right)

    def _parentheses_around(self) -> int:
        """How many of the parentheses that come next contain a whole constraint: two in ((a) = b), one in ((a + b) * c
        = d).
        """
        reader, ahead = self.reader, 0
        while reader.peek(ahead).text == "(":
            ahead += 1
        depth = least = ahead
        while depth > 0 and reader.peek(ahead).kind is not TokenKind.FINISH:
            text = reader.peek(ahead).text
            depth += (text in ("(", "[")) - (text in (")", "]"))
            least = min(least, depth)
            if text in _RELATIONS and depth == least:
                return depth
            ahead += 1
        return 0

    def _loop(self) -> Loop:
        reader, token = self.reader, self.reader.take()
        if reader.depth == MAX_LOOPS:
            raise reader.error(token, f"loops are nested deeper than {MAX_LOOPS} levels; unite some of them")
        with reader.nested(token), reader.scope():
            iterator = reader.new_name("the iterator of a loop")
            reader.expect("=", "behind the iterator of a loop")
            first = self.expressions.read()
            reader.expect(":", "between the first and the last value of a loop")
            last = self.expressions.read()
            reader.expect(";", "behind the head of a loop")
            reader.declare(iterator)
            body = self._statements(f"the loop over {iterator.text}")
        return Loop(iterator, first, last, tuple(body))
