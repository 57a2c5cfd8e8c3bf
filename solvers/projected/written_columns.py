"""Columns of a model as tapes, with their first and second derivatives in the parameters that are divided.

A column with a factor exp(u) is written with exp(u - u_m) in its place, u_m its exponent at one observation m, and
without the factors that no measurement enters: what it is multiplied with is free. The number e = exp(u - u_m) and the
slopes of u - u_m are inputs of these tapes, since they can be enclosed more closely than by interval arithmetic:
u - u_m cancels. The rules de/dt = e d(u - u_m)/dt and those of the slopes complete the derivatives.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.tape import Builder, Operation, Tape, replay

Name = tuple[int, ...]


@dataclass(frozen=True)
class Derived:
    """Functions, their slopes and curves, with the (function, parameter ...) of each output."""

    value: Tape
    slope: Tape
    slopes: list[Name]
    curve: Tape
    curves: list[Name]


@dataclass(frozen=True)
class Written:
    """The columns, and for each by how much its exponent exceeds that of the reference, as functions of the first
    `inputs` inputs; behind them there are, for each column, e and the slopes of that difference. `exponents` are those
    of which the largest is to be the reference.
    """

    columns: Derived
    differences: Derived
    exponents: Tape
    inputs: int


def written(whole: Tape, others: tuple[int, ...], free: int) -> Written:
    """The outputs of a tape, the first `free` of them divided by what may be."""
    writer = _Writer(whole, others, free)
    builder, places = writer.builder, {i: k for k, i in enumerate(others)}
    difference = _derived(builder.tape(tuple(writer.differences)), places, {})
    chain: dict[int, dict[int, int]] = {}
    nodes = replay(difference.curve, builder, list(range(builder.inputs)))
    bent = {name: nodes[output] for name, output in zip(difference.curves, difference.curve.outputs, strict=True)}
    zero = builder.constant(0)
    for k in range(len(whole.outputs)):
        factor, slopes = writer.factor(k), [writer.factor(k) + 1 + i for i in places.values()]
        chain[factor] = {i: builder.mul(factor, slope) for i, slope in enumerate(slopes)}
        for i, slope in enumerate(slopes):
            chain[slope] = {j: bent.get((k, i, j), zero) for j in places.values()}
    return Written(
        _derived(builder.tape(tuple(writer.outputs)), places, chain, builder),
        difference,
        builder.tape(tuple(writer.exponents)),
        writer.inputs,
    )


class _Writer:
    """Writes the columns of a tape, the first `free` of them divided by what may be."""

    def __init__(self, whole: Tape, others: tuple[int, ...], free: int) -> None:
        self._whole, self._others = whole, set(others)
        self.inputs = (whole.inputs + 1) * (len(whole.outputs) + 1)
        self.builder = Builder(self.inputs + len(whole.outputs) * (len(others) + 1))
        self._nodes = replay(whole, self.builder, list(range(whole.inputs)))
        self._measured = _measured(whole, self._others)
        self.outputs: list[int] = []
        self.differences: list[int] = []
        self.exponents: list[int] = []
        for k, output in enumerate(whole.outputs):
            self._write(k, output, k < free)

    def factor(self, k: int) -> int:
        """The input that is e of a column."""
        return self.inputs + k * (len(self._others) + 1)

    def _write(self, k: int, output: int, free: bool) -> None:
        one, zero, builder = self.builder.constant(1), self.builder.constant(0), self.builder
        if not free:
            self.outputs.append(self._nodes[output])
            self.exponents.append(zero)
            self.differences.append(zero)
            return
        node, here, _there = one, zero, zero
        first = (k + 1) * (self._whole.inputs + 1)
        inputs = [i if i in self._others else first + i for i in range(self._whole.inputs)]
        again = replay(self._whole, builder, inputs)
        difference = zero
        for factor, times, _ in _factors(self._whole, output):
            operation, operand = (
                self._whole.steps[factor - self._whole.inputs][:2] if factor >= self._whole.inputs else (None, -1)
            )
            if not self._measured[factor]:
                continue
            if operation is Operation.EXP:
                one_here, one_apart = self._exponent(operand, again)
                join = builder.add if times else builder.sub
                here, difference = join(here, one_here), join(difference, one_apart)
            else:
                node = (builder.mul if times else builder.div)(node, self._nodes[factor])
        if here != zero:
            apart = first + self._whole.inputs  # 0 at the reference itself, where nothing is to be enclosed, else 1
            difference = builder.mul(apart, difference)
            node = builder.mul(node, self.factor(k))
        self.outputs.append(node)
        self.differences.append(difference)
        self.exponents.append(here)

    def _exponent(self, node: int, again: list[int]) -> tuple[int, int]:
        """An exponent, and by how much it exceeds that of the reference: what no measurement enters is a factor."""
        builder, positive = self.builder, True
        common, here, there = builder.constant(1), builder.constant(1), builder.constant(1)
        for factor, times, sign in _factors(self._whole, node):
            join = builder.mul if times else builder.div
            positive = positive == sign
            if self._measured[factor]:
                here, there = join(here, self._nodes[factor]), join(there, again[factor])
            else:
                common = join(common, self._nodes[factor])
        if not positive:
            common = builder.neg(common)
        return builder.mul(common, here), builder.mul(common, builder.sub(here, there))


def _factors(tape: Tape, node: int, times: bool = True, positive: bool = True) -> list[tuple[int, bool, bool]]:
    """The factors of a node, whether it is multiplied with them or divided by them, and the sign of each."""
    if node >= tape.inputs:
        operation, first, second, _ = tape.steps[node - tape.inputs]
        if operation is Operation.NEG:
            (head, how, sign), *rest = _factors(tape, first, times, positive)
            return [(head, how, not sign), *rest]
        if operation is Operation.SQR:
            found = [(one, how, True) for one, how, _ in _factors(tape, first, times)]
            return found + found if len(found) > 1 else [(node, times, positive)]
        if operation in (Operation.MUL, Operation.DIV):
            return [
                *_factors(tape, first, times, positive),
                *_factors(tape, second, times == (operation is Operation.MUL)),
            ]
    return [(node, times, positive)]


def _measured(tape: Tape, others: set[int]) -> list[bool]:
    """Which nodes depend on anything but these inputs."""
    found = [i not in others for i in range(tape.inputs)]
    for step in tape.steps:
        found.append(any(found[k] for k in (step.first, step.second) if k >= 0))
    return found


def _derived(
    tape: Tape, places: Mapping[int, int], chain: Mapping[int, Mapping[int, int]], builder: Builder | None = None
) -> Derived:
    """A tape's outputs with their slopes and curves in the inputs that have places. Inputs of the `chain` are functions
    of these, and their derivatives nodes of the builder.
    """
    slope, slopes = _once(tape, [(k,) for k in range(len(tape.outputs))], places, chain, builder)
    curve, curves = _once(slope, slopes, places, chain, builder)
    return Derived(tape, slope, slopes, curve, curves)


def _once(
    tape: Tape,
    names: list[Name],
    places: Mapping[int, int],
    chain: Mapping[int, Mapping[int, int]],
    builder: Builder | None,
) -> tuple[Tape, list[Name]]:
    """The derivatives of a tape in the inputs that have places, and what each is the derivative of."""
    if not tape.outputs:
        return tape, []
    builder = Builder(tape.inputs) if builder is None else builder
    whole, found = jacobian(tape)
    nodes = replay(whole, builder, list(range(whole.inputs)))
    sums: dict[Name, int] = {}
    for output, (row, i) in zip(whole.outputs, found.tolist(), strict=True):
        if i in places:
            sums[*names[row], places[i]] = builder.add(
                sums.get((*names[row], places[i]), builder.constant(0)), nodes[output]
            )
        for j, moved in chain.get(i, {}).items():
            term = builder.mul(nodes[output], moved)
            sums[*names[row], j] = builder.add(sums.get((*names[row], j), builder.constant(0)), term)
    kept = [name for name, node in sums.items() if builder.value_of(node) != 0]
    return builder.tape(tuple(sums[name] for name in kept)), kept
