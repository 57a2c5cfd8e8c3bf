"""Taylor's form of second order (specification, section 7): values with enclosures of their first and second
derivatives.

Theorem (of every operation): let d be a displacement and the operands' inputs within the enclosures. A jet (value,
linear, square) of a node contains its value, its derivative in the direction d, and half its second derivative in that
direction, as polynomials in d with interval coefficients. Chain rule, for r = phi(u, w):

    r' = phi_u u' + phi_w w'
    r''/2 = phi_u u''/2 + phi_w w''/2 + phi_uu/2 u'^2 + phi_uw u' w' + phi_ww/2 w'^2
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .interval import Interval
from .polynomial import Algebra, Polynomial
from .tape import Program, operands


@dataclass(frozen=True, slots=True)
class Jet:
    """An enclosed value, its derivative and half its second derivative in the direction d."""

    value: Interval
    linear: Polynomial
    square: Polynomial


class Jets:
    """Evaluates tapes with jets."""

    __slots__ = ("_algebra", "_program")

    def __init__(self, algebra: Algebra, program: Program) -> None:
        self._algebra: Final = algebra
        self._program: Final = program

    def row(
        self,
        inputs: Sequence[Interval],
        centre: Sequence[Interval],
        moves: Mapping[int, Polynomial],
        offsets: Sequence[Interval],
    ) -> Jet:
        """The jet of r over the inputs; `centre` encloses all nodes at d = 0, `moves` says how the variables move with
        d. Raises Undefined.

        A value is intersected with the mean-value form: in skew coordinates this is much sharper.
        """
        jets, kept = [Jet(value, {}, {}) for value in centre], 0
        for i, move in moves.items():
            jets[i] = self._sharpened(Jet(inputs[i], move, {}), centre[i], offsets)
        for node, operation in self._program.nodes():
            if self._program.depends[node]:
                jet = self._evaluate(operation.code, [jets[operand] for operand in operands(operation)])
                jets[node] = self._sharpened(jet, centre[node], offsets)
                kept = self._algebra.keep(kept + len(jet.linear) + len(jet.square))
        return jets[-1]

    def squared(self, u: Jet) -> Jet:
        """u^2."""
        return self._evaluate("sqr", [u])

    def _sharpened(self, jet: Jet, centre: Interval, offsets: Sequence[Interval]) -> Jet:
        """The value within its enclosure at d = 0 plus the derivative times d."""
        arithmetic = self._program.calculus.arithmetic
        low, high = centre
        for (place,), slope in jet.linear.items():
            part = arithmetic.mul(slope, offsets[place])
            low, high = low + part[0], high + part[1]
        return Jet((max(low, jet.value[0]), min(high, jet.value[1])), jet.linear, jet.square)

    def _evaluate(self, code: str, jets: Sequence[Jet]) -> Jet:
        algebra, calculus, one = self._algebra, self._program.calculus, self._program.calculus.arithmetic.one
        u, w = jets[0].value, jets[-1].value
        value = calculus.functions[code](*[jet.value for jet in jets])
        linear: Polynomial = {}
        square: Polynomial = {}
        for pull, jet in zip(calculus.pulls[code], jets, strict=True):
            slope = pull((one, one), u, w, value)
            linear = algebra.add(linear, algebra.scale(jet.linear, slope))
            square = algebra.add(square, algebra.scale(jet.square, slope))
        slopes = {"u": jets[0].linear, "w": jets[-1].linear}
        for pair, curve in calculus.curves.get(code, {}).items():
            product = algebra.multiply(slopes["u"], slopes["w"]) if pair == "uw" else algebra.square(slopes[pair[0]])
            square = algebra.add(square, algebra.scale(product, curve(u, w, value)))
        return Jet(value, linear, square)
