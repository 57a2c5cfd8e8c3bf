"""A family's tape, compiled: enclosures of all nodes, and of the partial derivatives of r by reverse mode.

Values: each node's enclosure is its operation on its operands' enclosures (natural interval extension): if none fails,
r is defined and continuous on the box of the inputs. Every node is evaluated, also one that r does not depend on.

Derivatives (chain rule, on the nodes' enclosures): adjoint(child) += adjoint(parent) * d parent / d child, from r to
the inputs. Only nodes that depend on a *wanted* input take part; if none fails, r is differentiable in the wanted
inputs.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final

from .elementary import Elementary
from .interval import Arithmetic, Interval
from .partial import Nowhere, Partial
from .problem import OPERANDS, Family, Operation, Tape

Step = tuple[Callable[..., Interval], int, int, int]
Pull = Callable[[Interval, Interval, Interval, Interval], Interval]
Curve = Callable[[Interval, Interval, Interval], Interval]
Edge = tuple[Pull, int, int, int, int]
ZERO: Final[Interval] = (0, 0)
KEPT_NODES: Final = 200_000


class Calculus:
    """The operations r = u op w and their derivatives.

    `functions` enclose r, `partial` where it is defined. `pulls` have for each operand its first derivative, times a.
    `curves` are the second derivatives that are not 0, by their two operands: half of it if they are the same.
    """

    __slots__ = ("arithmetic", "curves", "functions", "partial", "pi", "pulls")

    def __init__(self, arithmetic: Arithmetic) -> None:
        elementary, mul, div, neg = Elementary(arithmetic), arithmetic.mul, arithmetic.div, arithmetic.neg
        sin, cos, add, sqr = elementary.sin, elementary.cos, arithmetic.add, arithmetic.sqr
        one, half, eighth = (arithmetic.enclose(Fraction(1, number)) for number in (1, 2, 8))
        height = div(arithmetic.enclose(Fraction(2)), arithmetic.sqrt(elementary.pi))
        self.arithmetic: Final = arithmetic
        self.pi: Final = elementary.pi

        def bell(u: Interval) -> Interval:
            """2 / sqrt(pi) exp(-u^2), the derivative of erf."""
            return mul(height, elementary.exp(neg(sqr(u))))

        self.pulls: Final[dict[str, tuple[Pull, ...]]] = {
            "add": (lambda a, u, w, r: a, lambda a, u, w, r: a),
            "sub": (lambda a, u, w, r: a, lambda a, u, w, r: neg(a)),
            "mul": (lambda a, u, w, r: mul(a, w), lambda a, u, w, r: mul(a, u)),
            "div": (lambda a, u, w, r: div(a, w), lambda a, u, w, r: neg(mul(div(a, w), r))),
            "neg": (lambda a, u, w, r: neg(a),),
            "sqr": (lambda a, u, w, r: mul(a, add(u, u)),),
            "sqrt": (lambda a, u, w, r: div(a, add(r, r)),),
            "sin": (lambda a, u, w, r: mul(a, cos(u)),),
            "cos": (lambda a, u, w, r: neg(mul(a, sin(u))),),
            "exp": (lambda a, u, w, r: mul(a, r),),
            "log": (lambda a, u, w, r: div(a, u),),
            "atan": (lambda a, u, w, r: div(a, add(one, sqr(u))),),
            "erf": (lambda a, u, w, r: mul(a, bell(u)),),
        }
        self.curves: Final[dict[str, dict[str, Curve]]] = {
            "mul": {"uw": lambda u, w, r: one},
            "div": {"uw": lambda u, w, r: neg(div(div(one, w), w)), "ww": lambda u, w, r: div(div(r, w), w)},
            "sqr": {"uu": lambda u, w, r: one},
            "sqrt": {"uu": lambda u, w, r: neg(div(div(eighth, r), u))},
            "sin": {"uu": lambda u, w, r: neg(mul(half, r))},
            "cos": {"uu": lambda u, w, r: neg(mul(half, r))},
            "exp": {"uu": lambda u, w, r: mul(half, r)},
            "log": {"uu": lambda u, w, r: neg(div(div(half, u), u))},
            "atan": {"uu": lambda u, w, r: neg(div(u, sqr(add(one, sqr(u)))))},
            "erf": {"uu": lambda u, w, r: neg(mul(u, bell(u)))},
        }
        partial = Partial(arithmetic.precision, elementary)
        self.functions: Final = {
            code: getattr(arithmetic, code, None) or getattr(elementary, code) for code in self.pulls
        }
        self.partial: Final = {code: getattr(partial, code) for code in self.pulls}


class Program:
    """The tape of a family, its inputs sorted into variables, measurements that are unknowns like these (of the columns
    `further`), and others.
    """

    __slots__ = (
        "_constants",
        "_edges",
        "_partial",
        "_steps",
        "_template",
        "calculus",
        "depends",
        "family",
        "further",
        "movable",
        "tape",
        "variables",
    )

    def __init__(self, tape: Tape, family: Family, calculus: Calculus, further: tuple[int, ...] = ()) -> None:
        self.tape: Final = tape
        self.family: Final = family
        self.calculus: Final = calculus
        self.variables: Final = tuple(
            (i, binding.index) for i, binding in enumerate(family.bindings) if not binding.measured
        )
        measured = [(i, binding.index) for i, binding in enumerate(family.bindings) if binding.measured]
        uses = Counter(column for _, column in measured)
        self.further: Final = tuple((i, column) for i, column in measured if column in further)
        self.movable: Final = tuple(i for i, column in measured if uses[column] == 1 and column not in further)
        self.depends: Final = self._dependence(i for i, _ in self.variables + self.further)
        numbers = (
            calculus.pi if operation.code == "pi" else calculus.arithmetic.enclose(operation.value)
            for operation in tape.operations
        )
        self._template: Final[list[Interval]] = [*[ZERO] * tape.inputs, *numbers]
        self._steps: Final = self._compiled(calculus.functions)
        self._partial: Final = self._compiled(calculus.partial)
        self._constants: Final = tuple(step for step in self._steps if not self.depends[step[1]])
        self._edges: Final = lru_cache(KEPT_NODES // len(self._template))(self._find_edges)

    def nodes(self) -> Iterable[tuple[int, Operation]]:
        """The operations with the numbers of their nodes."""
        return enumerate(self.tape.operations, self.tape.inputs)

    def _compiled(self, functions: Mapping[str, Callable[..., Interval]]) -> tuple[Step, ...]:
        """What is to be done for each node but the constants."""
        nodes = ((node, operation) for node, operation in self.nodes() if operation.code in functions)
        return tuple((functions[operation.code], node, operation.first, operation.second) for node, operation in nodes)

    def _dependence(self, inputs: Iterable[int]) -> bytearray:
        """Which nodes depend on one of these inputs."""
        depends = bytearray(self.tape.inputs + len(self.tape.operations))
        for i in inputs:
            depends[i] = 1
        for node, operation in self.nodes():
            depends[node] = any(depends[operand] for operand in operands(operation))
        return depends

    def values(self, inputs: Sequence[Interval]) -> list[Interval]:
        """Enclosures of all nodes; the last one's is that of r. Raises Undefined."""
        return self._run(inputs, self._steps)

    def where_defined(self, inputs: Sequence[Interval]) -> Interval | None:
        """An enclosure of r where it is defined; None if it is nowhere."""
        try:
            return self._run(inputs, self._partial)[-1]
        except Nowhere:
            return None

    def constants(self, inputs: Sequence[Interval]) -> list[Interval]:
        """Enclosures of the nodes that depend on no variable; the others are left meaningless. Raises Undefined."""
        return self._run(inputs, self._constants)

    def _run(self, inputs: Sequence[Interval], steps: Iterable[Step]) -> list[Interval]:
        values = self._template.copy()
        values[: self.tape.inputs] = inputs
        for function, node, first, second in steps:
            values[node] = function(values[first]) if second < 0 else function(values[first], values[second])
        return values

    def gradient(self, values: list[Interval], wanted: tuple[int, ...]) -> list[Interval]:
        """Enclosures of the derivatives of r with respect to the wanted inputs, at all inputs of `values`. Raises
        Undefined.
        """
        add, one = self.calculus.arithmetic.add, self.calculus.arithmetic.one
        adjoint: list[Interval | None] = [None] * len(values)
        adjoint[-1] = one, one
        for pull, child, parent, first, second in self._edges(wanted):
            above = adjoint[parent]
            if above is not None:
                share = pull(above, values[first], values[second], values[parent])
                old = adjoint[child]
                adjoint[child] = share if old is None else add(old, share)
        return [adjoint[i] or ZERO for i in wanted]

    def _find_edges(self, wanted: tuple[int, ...]) -> tuple[Edge, ...]:
        """From r down to the wanted inputs: the derivative, the operand, the node, and both operands."""
        depends, pulls = self._dependence(wanted), self.calculus.pulls
        return tuple(
            (pull, operand, node, operation.first, operation.second)
            for node, operation in reversed(tuple(self.nodes()))
            for pull, operand in zip(pulls.get(operation.code, ()), operands(operation), strict=True)
            if depends[operand]
        )


def operands(operation: Operation) -> tuple[int, ...]:
    """The numbers of the nodes that it takes."""
    return (operation.first, operation.second)[: OPERANDS[operation.code]]
