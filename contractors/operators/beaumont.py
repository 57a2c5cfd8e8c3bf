"""Beaumont's relaxation: a box narrowed by linear programs in which |x_j| is replaced by its secant over the box.

The theorem of Oettli and Prager makes x a solution exactly if |A_c x - b_c| <= A_r |x| + b_r. Over a box |x_j| is
convex, so it lies below the secant alpha_j x_j + beta_j through its values at the ends, and
    (A_c - A_r diag(alpha)) x <= b_up + A_r beta,    -(A_c + A_r diag(alpha)) x <= -b_low + A_r beta
are satisfied by every solution in the box (O. Beaumont, Solving interval linear systems with linear programming
techniques, Linear Algebra and its Applications 281, 1998). Where a box has no sign change the secant is |x_j| itself:
for one orthant the program is exact, so that its optimum is the hull of that part. With |x_j| replaced by its largest
value over the box instead (`secant=False`) the program is the simpler one of a decomposition like Krawczyk's: one
matrix, right-hand sides widened by A_r |x|.

The programs are solved in floats by an oracle, which is asked for dual weights only: `linear_weights` turns them into
bounds that are proved. The secant itself needs no proof, because the bound takes |x_j| as it is, and is no worse.
*Keeps* every solution in the box.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from certify.contractors.linear.linear_system import EnclosedSolutions, IntervalSystem, LinearVerdict
from certify.contractors.linear.products import middle_and_radius
from certify.contractors.linear.weights import least_values, refutes_exactly
from certify.contractors.operators.lifted_relaxation import LinearOracle, LinearProgram
from certify.contractors.tape.evaluation import Flags, Floats


@dataclass(frozen=True, eq=False)
class Relaxation:
    """The program of a box in coordinates t, x = shift + scale t: first the rows for upper ends, then those for lower
    ends, divided by `norms`.
    """

    program: LinearProgram
    scale: Floats
    norms: Floats

    def split(self, weights: Floats) -> tuple[Floats, Floats]:
        """The program's weights as those of the upper and of the lower ends of the system's rows."""
        original = np.maximum(weights, 0.0) / self.norms
        rows = len(self.norms) // 2
        return original[:rows], original[rows:]


def relaxation(system: IntervalSystem, lower: Floats, upper: Floats, secant: bool = True) -> Relaxation:
    """The program of a box; an unknown with an infinite end must have one sign."""
    middle, radius = middle_and_radius(system.lower, system.upper)
    bounded = np.isfinite(lower) & np.isfinite(upper)
    low, high = np.where(bounded, lower, 0.0), np.where(bounded, upper, 0.0)
    signed = (lower >= 0.0) | (upper <= 0.0)
    sign = np.where(lower >= 0.0, 1.0, -1.0)
    width = np.where(signed, 1.0, high - low)
    alpha = np.where(signed, sign, (np.abs(high) - np.abs(low)) / width)
    beta = np.where(signed, 0.0, -2.0 * low * (high / width))
    if not secant:
        alpha, beta = np.where(bounded, 0.0, alpha), np.where(bounded, np.maximum(np.abs(low), np.abs(high)), 0.0)
    scale = np.where(bounded, np.maximum(0.5 * (high - low), 1e-300), 1.0)
    shift = 0.5 * (low + high)
    upper_rows, lower_rows = middle - radius * alpha, -(middle + radius * alpha)
    matrix = np.vstack([upper_rows, lower_rows])
    bound = np.concatenate([system.right_upper, -system.right_lower]) + np.tile(radius @ beta, 2) - matrix @ shift
    matrix = matrix * scale
    norms = np.abs(matrix).max(axis=1)
    norms = np.where(norms > 1e-250, norms, 1.0)
    least = np.where(bounded, -1.0, np.where(sign > 0.0, 0.0, -np.inf))
    most = np.where(bounded, 1.0, np.where(sign > 0.0, np.inf, 0.0))
    return Relaxation(LinearProgram(matrix / norms[:, None], bound / norms, least, most, len(norms)), scale, norms)


def directions(columns: int) -> Floats:
    """The objectives x_0, -x_0, x_1, -x_1, ...: even rows bound from below, odd ones from above."""
    result = np.zeros((2 * columns, columns))
    places = np.arange(columns)
    result[2 * places, places], result[2 * places + 1, places] = 1.0, -1.0
    return result


def program_pass(
    system: IntervalSystem, oracle: LinearOracle, lower: Floats, upper: Floats, wanted: Flags, secant: bool = True
) -> EnclosedSolutions:
    """Refute the box, or narrow it in the wanted directions (see `directions`)."""
    columns = system.shape[1]
    found = relaxation(system, lower, upper, secant)
    violation, weights = oracle.violation_weights(found.program)
    if violation > 0.0:
        p, q = found.split(weights)
        refuted = bool(least_values(system, lower, upper, np.zeros((1, columns)), p[None, :], q[None, :])[0] > 0.0)
        if refuted or (np.isinf(upper - lower).any() and refutes_exactly(system, lower, upper, p, q)):
            return EnclosedSolutions.empty(columns, "weights on the rows contradict each other")
    chosen = np.flatnonzero(wanted)
    objectives = directions(columns)[chosen]
    answers = oracle.bound_weights(found.program, objectives) if chosen.size else []
    kept = [k for k, answer in enumerate(answers) if answer is not None and np.isfinite(answer).all()]
    low, high = lower.copy(), upper.copy()
    if kept:
        amounts = [found.scale[chosen[k] // 2] * np.asarray(answers[k]) for k in kept]
        pairs = [found.split(amount) for amount in amounts]
        p, q = np.stack([pair[0] for pair in pairs]), np.stack([pair[1] for pair in pairs])
        bounds = least_values(system, lower, upper, objectives[kept], p, q)
        for direction, bound in zip(chosen[kept], bounds, strict=True):
            place = direction // 2
            if direction % 2 == 0:
                low[place] = max(low[place], bound)
            else:
                high[place] = min(high[place], -bound)
    if (low > high).any():
        return EnclosedSolutions.empty(columns, "a lower bound lies above an upper bound")
    finite = np.isfinite(low).all() and np.isfinite(high).all()
    return EnclosedSolutions(
        low,
        high,
        LinearVerdict.BOUNDED if finite else LinearVerdict.NOT_PROVED,
        "linear programs over the box" if finite else "infinite ends remain",
    )


def beaumont(
    system: IntervalSystem,
    oracle: LinearOracle,
    lower: Floats,
    upper: Floats,
    rounds: int = 10,
    secant: bool = True,
    enough: float = 0.01,
) -> EnclosedSolutions:
    """Narrow a box of finite ends until the sum of its relative widths falls by less than the share `enough`."""
    if not (np.isfinite(lower).all() and np.isfinite(upper).all()):
        raise ValueError(
            "Beaumont's relaxation starts from a box with finite ends; `linear_enclosure` or "
            "`oettli_prager` may find one"
        )
    scaled = system.scaled()
    low, high = scaled.from_original(lower, upper)
    answer = EnclosedSolutions(low, high, LinearVerdict.BOUNDED, "the box that was given")
    every = np.ones(2 * low.size, dtype=np.bool_)
    for _ in range(rounds):
        before = np.maximum(answer.upper - answer.lower, 1e-300)
        after = program_pass(scaled.system, oracle, answer.lower, answer.upper, every, secant)
        answer = after
        if after.verdict is LinearVerdict.EMPTY or ((after.upper - after.lower) / before).mean() > 1.0 - enough:
            break
    result = scaled.original(answer)
    if result.verdict is LinearVerdict.EMPTY:
        return result
    return EnclosedSolutions(
        np.maximum(result.lower, lower), np.minimum(result.upper, upper), result.verdict, result.proof
    )
