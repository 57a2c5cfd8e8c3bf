"""Rows: tapes evaluated over intervals, and their partial derivatives by the chain rule from the result backwards.

What only depends on how a family is bound is found once, in its `Plan`. Nodes without a variable are the same on every
box of variables, so a row's are kept for the measurements that they were computed for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from flint import arb

from .interval import (
    LARGEST_BITS,
    MINUS_UNIT,
    NOTHING,
    TWO,
    UNIT,
    Interval,
    add,
    arctangent,
    arctangent_slope,
    cosine,
    divide,
    error_function,
    error_function_slope,
    exponential,
    logarithm,
    multiply,
    negative,
    root,
    scaled,
    sine,
    square,
    subtract,
    thin,
    within_limits,
)
from .outcome import Deadline
from .problem import Family, Problem

KERNELS: dict[str, Callable[..., Interval]] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "div": divide,
    "neg": negative,
    "sqr": square,
    "sqrt": root,
    "sin": sine,
    "cos": cosine,
    "exp": exponential,
    "log": logarithm,
    "atan": arctangent,
    "erf": error_function,
}
BITS_OF_A_LOGARITHM = 64  # an exponent up to 8192 or so, doubled 41 times
MOST_DOUBLINGS = 40  # of exponents, between two looks at their size
STEPS_BETWEEN_LOOKS = 4_096
MOST_NODES_KEPT = 1_000_000

Instruction = tuple[int, Callable[..., Interval], int, int]
Way = tuple[int, str, int, int, bool, bool, int]  # node, operation, operands, which of them count, its cosine or sine


def _guarded(kernel: Callable[..., Interval]) -> Callable[..., Interval]:
    """A kernel whose result is held within the limits of the specification."""

    def limited(*operands: Interval) -> Interval:
        return within_limits(kernel(*operands))

    return limited


class Plan:
    """One family: its tape, what each node depends on, and which nodes could leave the limits of the specification."""

    def __init__(
        self, problem: Problem, number: int, deadline: Deadline, unknown: frozenset[int] = frozenset()
    ) -> None:
        self.family: Family = problem.families[number]
        self.problem, self.deadline = problem, deadline
        tape = problem.tapes[self.family.tape]
        self.inputs, self.steps = tape.inputs, tape.steps
        self.size = self.inputs + len(self.steps)
        bindings = list(enumerate(self.family.bindings))
        own = [k for k, binding in bindings if not binding.measured]
        further = [k for k, binding in bindings if binding.measured and binding.number in unknown]
        self.own, self.variables = len(own), (*own, *further)  # entries of the columns `unknown` come last
        self.measured = tuple(k for k, binding in bindings if binding.measured and binding.number not in unknown)
        columns = [self.family.bindings[k].number for k in self.measured]
        self.movable = tuple(k for k in self.measured if columns.count(self.family.bindings[k].number) == 1)
        self.varies = self.dependents(self.variables)
        self.constants: dict[int, Interval] = {}
        self.fixed: list[Instruction] = []
        self.moving: list[Instruction] = []
        guards = self._guards()
        for place, step in enumerate(self.steps):
            node = self.inputs + place
            if step.operation in KERNELS:
                kernel = KERNELS[step.operation]
                instruction = (node, _guarded(kernel) if guards[place] else kernel, step.first, step.second)
                (self.moving if self.varies[node] else self.fixed).append(instruction)
            else:
                self.constants[node] = thin(step.constant) if step.constant is not None else (pi := arb.pi(), pi)
            if place % STEPS_BETWEEN_LOOKS == 0:
                deadline.check()
        self.varying_steps = [
            (node, step.operation, step.first, step.second)
            for node, step in enumerate(self.steps, self.inputs)
            if self.varies[node]
        ]
        self._partners = self._find_partners()
        self._ways: dict[tuple[int, ...], list[Way]] = {}
        self._after: dict[int, list[Instruction]] = {}
        self._kept: dict[Any, list[Interval | None]] = {}

    def dependents(self, inputs: Iterable[int]) -> list[bool]:
        """Which nodes depend on one of these inputs."""
        marks = [False] * self.size
        for k in inputs:
            marks[k] = True
        for place, step in enumerate(self.steps, self.inputs):
            marks[place] = (step.first >= 0 and marks[step.first]) or (step.second >= 0 and marks[step.second])
        return marks

    def _guards(self) -> list[bool]:
        """Which steps might give a number beyond 2^8192, or double the length of exponents once too often."""
        problem = self.problem
        bits = [(problem.columns if b.measured else problem.variables)[b.number].bits for b in self.family.bindings]
        doublings = [0] * self.inputs
        guards = []
        for step in self.steps:
            low = bits[step.first] if step.first >= 0 else 0
            high = bits[step.second] if step.second >= 0 else low
            depth = max(
                doublings[step.first] if step.first >= 0 else 0, doublings[step.second] if step.second >= 0 else 0
            )
            if step.operation == "const":
                size, depth = step.bits[0], 0
            elif step.operation in ("mul", "sqr"):
                size, depth = low + high, depth + 1
            elif step.operation == "div":
                divisor = self.steps[step.second - self.inputs] if step.second >= self.inputs else None
                known = divisor is not None and divisor.operation == "const"
                size, depth = (low + divisor.bits[1] if divisor is not None and known else LARGEST_BITS + 1), depth + 1
            elif step.operation in ("add", "sub"):
                size = max(low, high) + 1
            elif step.operation == "exp":
                size, depth = 2 << min(low, LARGEST_BITS.bit_length()), 0
            elif step.operation == "log":
                size, depth = BITS_OF_A_LOGARITHM, 0
            else:
                size = max(low, 2)
            guard = size > LARGEST_BITS or depth > MOST_DOUBLINGS
            guards.append(guard)
            bits.append(min(size, LARGEST_BITS))
            doublings.append(0 if guard else depth)
        return guards

    def _run(self, instructions: Sequence[Instruction], nodes: list[Any]) -> None:
        for start in range(0, len(instructions), STEPS_BETWEEN_LOOKS):
            if start:
                self.deadline.check()
            for node, kernel, first, second in instructions[start : start + STEPS_BETWEEN_LOOKS]:
                nodes[node] = kernel(nodes[first], nodes[second]) if second >= 0 else kernel(nodes[first])

    def _fixed_nodes(self, measured: Sequence[Interval]) -> list[Any]:
        nodes: list[Any] = [None] * self.size
        for k, value in zip(self.measured, measured, strict=True):
            nodes[k] = value
        for k, value in self.constants.items():
            nodes[k] = value
        self._run(self.fixed, nodes)
        return nodes

    def fixed_nodes(self, row: int, measured: Sequence[Interval], key: Any = None) -> list[Any]:
        """The nodes without a variable; with a key for these measurements of this row they are kept."""
        if key is None:
            return self._fixed_nodes(measured)
        kept = self._kept.get((row, key))
        if kept is None:
            kept = self._fixed_nodes(measured)
            if (len(self._kept) + 1) * self.size > MOST_NODES_KEPT:
                self._kept.clear()
            self._kept[row, key] = kept
        return kept

    def nodes(
        self, row: int, variables: Sequence[Interval], measured: Sequence[Interval], key: Any = None
    ) -> list[Any]:
        """All nodes, inputs first."""
        nodes = self.fixed_nodes(row, measured, key).copy()
        for k, value in zip(self.variables, variables, strict=True):
            nodes[k] = value
        self._run(self.moving, nodes)
        return nodes

    def renewed(self, nodes: list[Any], changed: int, value: Interval) -> list[Any]:
        """All nodes after one input got another value."""
        if changed not in self._after:
            marks = self.dependents((changed,))
            if (len(self._after) + 1) * self.size > MOST_NODES_KEPT:
                self._after.clear()
            self._after[changed] = [
                instruction
                for instruction in sorted(self.fixed + self.moving, key=lambda i: i[0])
                if marks[instruction[0]]
            ]
        nodes = nodes.copy()
        nodes[changed] = value
        self._run(self._after[changed], nodes)
        return nodes

    def _way(self, inputs: tuple[int, ...]) -> list[Way]:
        """The steps that depend on one of these inputs, last first."""
        way = self._ways.get(inputs)
        if way is None:
            marks = self.dependents(inputs)
            way = []
            for node, step in enumerate(self.steps, self.inputs):
                if marks[node]:
                    second = step.second >= 0 and marks[step.second]
                    way.append(
                        (
                            node,
                            step.operation,
                            step.first,
                            step.second,
                            marks[step.first],
                            second,
                            self._partners.get(node, -1),
                        )
                    )
            way.reverse()
            if (len(self._ways) + 1) * self.size > MOST_NODES_KEPT:
                self._ways.clear()
            self._ways[inputs] = way
        return way

    def slopes(self, nodes: list[Any], inputs: tuple[int, ...]) -> dict[int, Interval]:
        """The partial derivatives of the row by these inputs, where all nodes have been enclosed."""
        adjoint: list[Any] = [None] * self.size
        adjoint[-1] = UNIT
        for count, (node, operation, i, j, by_first, by_second, partner) in enumerate(self._way(inputs)):
            if count % STEPS_BETWEEN_LOOKS == STEPS_BETWEEN_LOOKS - 1:
                self.deadline.check()
            here = adjoint[node]
            if here is None:
                continue
            if operation == "mul":
                first = multiply(here, nodes[j]) if by_first else None
                second = multiply(here, nodes[i]) if by_second else None
            elif operation == "add":
                first, second = here if by_first else None, here if by_second else None
            elif operation == "sub":
                first, second = here if by_first else None, negative(here) if by_second else None
            elif operation == "div":
                quotient = divide(here, nodes[j])
                first, second = (
                    quotient if by_first else None,
                    negative(multiply(quotient, nodes[node])) if by_second else None,
                )
            else:
                first, second = multiply(here, self._slope(operation, nodes, node, i, partner)), None
            if first is not None:
                known = adjoint[i]
                adjoint[i] = first if known is None else add(known, first)
            if second is not None:
                known = adjoint[j]
                adjoint[j] = second if known is None else add(known, second)
        return {k: NOTHING if adjoint[k] is None else within_limits(adjoint[k]) for k in inputs}

    def _slope(self, operation: str, nodes: list[Any], node: int, operand: int, partner: int) -> Interval:
        """The derivative of a step with one operand."""
        if operation == "sqr":
            return scaled(TWO, nodes[operand])
        if operation == "sqrt":
            return divide(UNIT, scaled(TWO, nodes[node]))
        if operation == "sin":
            return nodes[partner] if partner >= 0 else cosine(nodes[operand])
        if operation == "cos":
            return negative(nodes[partner] if partner >= 0 else sine(nodes[operand]))
        if operation == "exp":
            power: Interval = nodes[node]
            return power
        if operation == "log":
            return divide(UNIT, nodes[operand])
        if operation == "atan":
            return arctangent_slope(nodes[operand])
        if operation == "erf":
            return error_function_slope(nodes[operand])
        return MINUS_UNIT

    def _find_partners(self) -> dict[int, int]:
        """For each sine a node that is the cosine of the same node, if there is one, and the other way round."""
        nodes = {
            (step.operation, step.first): node
            for node, step in enumerate(self.steps, self.inputs)
            if step.operation in ("sin", "cos")
        }
        found = {}
        for node, step in enumerate(self.steps, self.inputs):
            other = {"sin": "cos", "cos": "sin"}.get(step.operation)
            if other is not None and (other, step.first) in nodes:
                found[node] = nodes[other, step.first]
        return found
