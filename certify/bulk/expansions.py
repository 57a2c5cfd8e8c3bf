"""Forms `m` and `t` of a row as a program: `Row._expanded`, `Program.gradient` and `Jets` of the checker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from certify.bulk.bulk_rows import BulkRows, NoProgram
from certify.bulk.register_writer import Polynomial, Writer
from certify.bulk.registers import Registers
from certify.checker.polynomial import COEFFICIENTS
from certify.checker.tape import operands
from certify.contractors.fixed_point.tapes import ADD, CODES, COS, DIV, MUL, NEG, SIN, SQR, SQRT, SUB
from certify.contractors.fixed_point.terms import MEET

Pull = Callable[[int, int, int, int], int]  # of an adjoint, both operands and the result, as registers
UNITS = {ADD, SUB, MUL, DIV}


@dataclass(frozen=True, slots=True)
class _Jet:
    """A node's value, its derivative and half its second derivative in the direction d, as registers."""

    value: int
    linear: Polynomial
    square: Polynomial


class Expansion:
    """The row about the centre of the prepared box."""

    def __init__(self, rows: BulkRows, registers: Registers, writer: Writer) -> None:
        self.program, self.registers, self.writer, self.angles = rows.program, registers, writer, rows.angles
        self.minus = writer.write(NEG, registers.one)
        self.steps = [
            (CODES[operation.code], node, operation.first, operation.second, operands(operation))
            for node, operation in rows.program.nodes()
            if operation.code in CODES
        ]

    def row(self, form: str) -> Polynomial:
        """Of first order (m: slopes on the box) or of second order (t: slopes at the centre)."""
        registers, writer = self.registers, self.writer
        centre = self._values([registers.centres.get(node, node) for node in range(registers.nodes)])
        total: Polynomial = {(): centre[-1]}
        if form == "m":
            slopes = self._gradient(self._values(list(range(registers.nodes))))
        else:
            slopes = self._gradient(centre)
            total = writer.add(total, self._jets(centre).square)
        for i, place in registers.places.items():
            if i in slopes:
                total = writer.add(total, {(place,): slopes[i]})
        return total

    def _values(self, nodes: list[int]) -> list[int]:
        """The registers of all nodes."""
        for code, node, first, second, _ in self.steps:
            if self.program.depends[node]:
                nodes[node] = self._value(code, first, nodes[first], nodes[second] if code in UNITS else -1)
        return nodes

    def _value(self, code: int, operand: int, u: int, w: int) -> int:
        """The register of an operation's value; `operand` is the node of u."""
        if code in (SIN, COS):
            return self.writer.write(code, u, self.angles.index(operand))
        return self.writer.write(code, u, w) if code in UNITS else self.writer.write(code, u)

    def _gradient(self, nodes: Sequence[int]) -> dict[int, int]:
        """The derivatives with respect to the variables, by input; none where it is 0 whatever the box."""
        depends, adjoint = self.program.depends, {len(nodes) - 1: self.registers.one}
        for code, node, first, second, inputs in reversed(self.steps):
            for pull, child in zip(self._pulls(code, first), inputs, strict=True):
                if depends[child] and node in adjoint:
                    share = pull(adjoint[node], nodes[first], nodes[second] if code in UNITS else -1, nodes[node])
                    adjoint[child] = self.writer.write(ADD, adjoint[child], share) if child in adjoint else share
        return adjoint

    def _pulls(self, code: int, operand: int) -> tuple[Pull, ...]:
        """`pulls` of the checker."""
        write, times = self.writer.write, self.writer.times

        def cofunction(code: int, u: int) -> int:
            return write(code, u, self.angles.index(operand))

        pulls: dict[int, tuple[Pull, ...]] = {
            ADD: (lambda a, u, w, r: a, lambda a, u, w, r: a),
            SUB: (lambda a, u, w, r: a, lambda a, u, w, r: write(NEG, a)),
            MUL: (lambda a, u, w, r: times(a, w), lambda a, u, w, r: times(a, u)),
            DIV: (lambda a, u, w, r: write(DIV, a, w), lambda a, u, w, r: write(NEG, times(write(DIV, a, w), r))),
            NEG: (lambda a, u, w, r: write(NEG, a),),
            SQR: (lambda a, u, w, r: times(a, write(ADD, u, u)),),
            SQRT: (lambda a, u, w, r: write(DIV, a, write(ADD, r, r)),),
            SIN: (lambda a, u, w, r: times(a, cofunction(COS, u)),),
            COS: (lambda a, u, w, r: write(NEG, times(a, cofunction(SIN, u))),),
        }
        return pulls[code]

    def _curves(self, code: int, u: int, w: int, r: int) -> dict[str, int]:
        """`curves` of the checker, but for those that are 1."""
        write, registers = self.writer.write, self.registers
        if code == DIV:
            inverse = write(DIV, write(DIV, registers.one, w), w)
            return {"uw": write(NEG, inverse), "ww": write(DIV, write(DIV, r, w), w)}
        if code == SQRT:
            return {"uu": write(NEG, write(DIV, write(DIV, registers.eighth, r), u))}
        if code in (SIN, COS):
            return {"uu": write(NEG, self.writer.times(registers.half, r))}
        return {"uw": registers.one} if code == MUL else {"uu": registers.one} if code == SQR else {}

    def _jets(self, centre: Sequence[int]) -> _Jet:
        """The jet of the row."""
        jets, kept, depends = [_Jet(value, {}, {}) for value in centre], 0, self.program.depends
        for i, place in self.registers.places.items():
            jets[i] = self._sharpened(_Jet(i, {(place,): self.registers.one}, {}), centre[i])
        for code, node, first, _, inputs in self.steps:
            if depends[node]:
                jets[node] = self._sharpened(self._jet(code, first, [jets[k] for k in inputs]), centre[node])
                kept += len(jets[node].linear) + len(jets[node].square)
        if kept > COEFFICIENTS:
            raise NoProgram
        return jets[-1]

    def _jet(self, code: int, operand: int, jets: Sequence[_Jet]) -> _Jet:
        writer, u, w = self.writer, jets[0].value, jets[-1].value
        value = self._value(code, operand, u, w)
        linear: Polynomial = {}
        square: Polynomial = {}
        for pull, jet in zip(self._pulls(code, operand), jets, strict=True):
            if jet.linear:
                slope = pull(self.registers.one, u, w, value)
                linear = writer.add(linear, writer.scale(jet.linear, slope))
                square = writer.add(square, writer.scale(jet.square, slope))
        slopes = {"u": jets[0].linear, "w": jets[-1].linear}
        for pair, curve in self._curves(code, u, w, value).items():
            first, second = slopes[pair[0]], slopes[pair[1]]
            if first and second:
                product = writer.square(first) if pair[0] == pair[1] else writer.multiply(first, second)
                square = writer.add(square, writer.scale(product, curve))
        return _Jet(value, linear, square)

    def _sharpened(self, jet: _Jet, centre: int) -> _Jet:
        """The value within its enclosure at d = 0 plus the derivative times d."""
        around = centre
        for (place,), slope in jet.linear.items():
            around = self.writer.write(ADD, around, self.writer.times(slope, self.registers.offsets[place]))
        return _Jet(self.writer.write(MEET, around, jet.value), jet.linear, jet.square)
