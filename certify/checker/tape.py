"""A family's tape, compiled: enclosures of all nodes, and of the partial derivatives of r by reverse mode.

Values: each node's enclosure is its operation on its operands' enclosures (natural interval extension): if none fails,
r is defined and continuous on the box of the inputs. Every node is evaluated, also one that r does not depend on.

Derivatives (chain rule, on the nodes' enclosures): adjoint(child) += adjoint(parent) * d parent / d child, from r to the
inputs. Only nodes that depend on a *wanted* input take part; if none fails, r is differentiable in the wanted inputs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from .interval import Arithmetic, Interval, Undefined
from .problem import OPERANDS, Family, Operation, Tape
from .trigonometry import Trigonometry

Step = tuple[Callable[..., Interval], int, int, int]
Edge = tuple[Callable[[Interval, Interval, Interval, Interval], Interval], int, int, int, int]
ZERO: Final[Interval] = (0, 0)
SLICED_NODES: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class Slice:
    """The part of a tape that depends on the wanted inputs: forward steps, backward edges."""

    steps: tuple[Step, ...]
    edges: tuple[Edge, ...]


class Calculus:
    """For each operation its enclosure, and for each operand the product a * d(u op w) / d operand, r = u op w."""

    __slots__ = ("arithmetic", "constants", "functions", "pulls")

    def __init__(self, arithmetic: Arithmetic) -> None:
        trigonometry, mul, div, neg = Trigonometry(arithmetic), arithmetic.mul, arithmetic.div, arithmetic.neg
        sin, cos, add = trigonometry.sin, trigonometry.cos, arithmetic.add
        self.arithmetic: Final = arithmetic
        self.constants: Final = {"pi": trigonometry.pi}
        self.functions: Final[dict[str, Callable[..., Interval]]] = {
            "add": add, "sub": arithmetic.sub, "mul": mul, "div": div, "neg": neg,
            "sqr": arithmetic.sqr, "sqrt": arithmetic.sqrt, "sin": sin, "cos": cos,
        }  # fmt: skip
        self.pulls: Final[dict[str, tuple[Callable[[Interval, Interval, Interval, Interval], Interval], ...]]] = {
            "add": (lambda a, u, w, r: a, lambda a, u, w, r: a),
            "sub": (lambda a, u, w, r: a, lambda a, u, w, r: neg(a)),
            "mul": (lambda a, u, w, r: mul(a, w), lambda a, u, w, r: mul(a, u)),
            "div": (lambda a, u, w, r: div(a, w), lambda a, u, w, r: neg(mul(div(a, w), r))),
            "neg": (lambda a, u, w, r: neg(a),),
            "sqr": (lambda a, u, w, r: mul(a, add(u, u)),),
            "sqrt": (lambda a, u, w, r: div(a, add(r, r)),),
            "sin": (lambda a, u, w, r: mul(a, cos(u)),),
            "cos": (lambda a, u, w, r: neg(mul(a, sin(u))),),
        }


class Program:
    """The tape of a family, its constants folded, its inputs sorted into variables and measurements."""

    __slots__ = ("_fixed", "_slices", "_steps", "_template", "calculus", "depends", "family", "movable", "quantities", "tape", "variables")

    def __init__(self, tape: Tape, family: Family, calculus: Calculus) -> None:
        self.tape: Final = tape
        self.family: Final = family
        self.calculus: Final = calculus
        bindings = family.bindings
        self.variables: Final = tuple((i, binding.index) for i, binding in enumerate(bindings) if not binding.measured)
        self.quantities: Final = tuple((i, binding.index) for i, binding in enumerate(bindings) if binding.measured)
        uses = Counter(column for _, column in self.quantities)
        self.movable: Final = tuple(i for i, column in self.quantities if uses[column] == 1)
        self.depends: Final = self._dependence(i for i, _ in self.variables)
        self._template: Final[list[Interval]] = [ZERO] * (tape.inputs + len(tape.operations))
        self._steps: Final = tuple(self._fold())
        self._fixed: Final = tuple(step for step in self._steps if not self.depends[step[1]])
        self._slices: Final[dict[tuple[int, ...], Slice]] = {}

    def nodes(self) -> Iterable[tuple[int, Operation]]:
        """The operations with the numbers of their nodes."""
        return enumerate(self.tape.operations, self.tape.inputs)

    def _dependence(self, inputs: Iterable[int]) -> bytearray:
        """Which nodes depend on one of these inputs."""
        depends = bytearray(self.tape.inputs + len(self.tape.operations))
        for i in inputs:
            depends[i] = 1
        for node, operation in self.nodes():
            depends[node] = any(depends[operand] for operand in _operands(operation))
        return depends

    def _step(self, node: int, operation: Operation) -> Step:
        return self.calculus.functions[operation.code], node, operation.first, operation.second

    def _fold(self) -> Iterable[Step]:
        """Evaluate what depends on no input; what fails there stays, and fails whenever the tape is evaluated."""
        open_nodes = self._dependence(range(self.tape.inputs))
        for node, operation in self.nodes():
            if operation.code == "const":
                self._template[node] = self.calculus.arithmetic.enclose(operation.value)
            elif operation.code in self.calculus.constants:
                self._template[node] = self.calculus.constants[operation.code]
            elif open_nodes[node] or any(open_nodes[operand] for operand in _operands(operation)):
                yield self._step(node, operation)
            else:
                try:
                    _run(self._template, (self._step(node, operation),))
                except Undefined:
                    open_nodes[node] = 1
                    yield self._step(node, operation)

    def values(self, inputs: Sequence[Interval]) -> list[Interval]:
        """Enclosures of all nodes; the last one's is that of r. Raises Undefined."""
        values = self._template.copy()
        values[: self.tape.inputs] = inputs
        _run(values, self._steps)
        return values

    def constants(self, inputs: Sequence[Interval]) -> list[Interval]:
        """Enclosures of the nodes that depend on no variable; the others are left meaningless. Raises Undefined."""
        values = self._template.copy()
        values[: self.tape.inputs] = inputs
        _run(values, self._fixed)
        return values

    def moved(self, values: list[Interval], wanted: int, value: Interval) -> list[Interval]:
        """`values` after one input is given another value. Raises Undefined."""
        changed = values.copy()
        changed[wanted] = value
        _run(changed, self._slice((wanted,)).steps)
        return changed

    def gradient(self, values: list[Interval], wanted: tuple[int, ...]) -> list[Interval]:
        """Enclosures of the derivatives of r with respect to the wanted inputs, at all inputs of `values`. Raises Undefined."""
        add, one = self.calculus.arithmetic.add, self.calculus.arithmetic.one
        adjoint: list[Interval | None] = [None] * len(values)
        adjoint[-1] = one, one
        for pull, child, parent, first, second in self._slice(wanted).edges:
            above = adjoint[parent]
            if above is not None:
                share = pull(above, values[first], values[second], values[parent])
                old = adjoint[child]
                adjoint[child] = share if old is None else add(old, share)
        return [adjoint[i] or ZERO for i in wanted]

    def _slice(self, wanted: tuple[int, ...]) -> Slice:
        found = self._slices.get(wanted)
        if found is None:
            if len(self._slices) * len(self._template) >= SLICED_NODES:
                self._slices.clear()
            found = self._slices[wanted] = self._cut(self._dependence(wanted))
        return found

    def _cut(self, depends: bytearray) -> Slice:
        steps = tuple(step for step in self._steps if depends[step[1]])
        edges: list[Edge] = []
        for node, operation in reversed(list(self.nodes())):
            operands = _operands(operation)
            for place, operand in enumerate(operands):
                if depends[operand]:
                    edges.append((self.calculus.pulls[operation.code][place], operand, node, operands[0], operands[-1]))
        return Slice(steps, tuple(edges))


def _operands(operation: Operation) -> tuple[int, ...]:
    return (operation.first, operation.second)[: OPERANDS[operation.code]]


def _run(values: list[Interval], steps: Iterable[Step]) -> None:
    for function, node, first, second in steps:
        values[node] = function(values[first]) if second < 0 else function(values[first], values[second])
