"""Two zeros of a circle and a line, and a search's steps around them."""

from fractions import Fraction

from certify.checker.rules import Question
from certify.contractors.protocol.contractor import Evaluate
from certify.proofs.certificate_text import Claim, Zero
from certify.proofs.problem_replay import Replay
from certify.solvers.proof.trace import Branch, Refuted, Steps

FIRST = Zero((3.7, 2.7), (4.3, 3.3), ((1 / 14, 6 / 14), (1 / 14, -8 / 14)))
SECOND = Zero((-3.3, -4.3), (-2.7, -3.7), ((-1 / 14, 8 / 14), (-1 / 14, -6 / 14)))


def steps(zeros, lower=(-6.0, -6.0), upper=(6.0, 6.0)):
    """Halving until a row misses 0 by far, or the box lies within that of a zero, which is left undecided."""
    if any(
        all(a <= c and d <= b for a, b, c, d in zip(zero.lower, zero.upper, lower, upper, strict=True))
        for zero in zeros
    ):
        return Steps()
    squares = [
        (0.0 if low <= 0 <= high else min(low * low, high * high), max(low * low, high * high))
        for low, high in zip(lower, upper, strict=True)
    ]
    if sum(low for low, _ in squares) > 25.01 or sum(high for _, high in squares) < 24.99:
        return Steps([], Refuted(Evaluate(0, 0)))
    if lower[0] - upper[1] > 1.001 or upper[0] - lower[1] < 0.999:
        return Steps([], Refuted(Evaluate(1, 0)))
    variable = int(upper[1] - lower[1] > upper[0] - lower[0])
    at = 0.5 * (lower[variable] + upper[variable])
    low, high = list(lower), list(upper)
    low[variable] = high[variable] = at
    return Steps([], Branch(variable, at, steps(zeros, lower, tuple(high)), steps(zeros, tuple(low), upper)))


def zeros_tree(proving, scope, zeros, steps):
    """The lines of a tree whose undecided boxes are known, each within the box of one zero; raises Withdrawn."""
    return Replay(proving.proof(scope, Question(Fraction(0), zeros=tuple(zero.box for zero in zeros)))).run(steps)


def zeros_document(proving, scope, zeros, tree):
    """The certificate that these are all zeros, as the writers of systems write it."""
    return proving.written(Claim(proving.names(scope), zeros=zeros), tree)
