"""Encoders of an arm that read wrongly: in place of a joint's reading q, in radians,

    eccentricity    q + a cos q + b sin q + c cos 2q + d sin 2q     as of a disc that turns about another point
    scale           q + s (q - middle) / half_range

a, b, c, d and s are angles in the unit of the column: by how much the reading is wrong at most.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from certify.contractors.tape.tape import Builder
from certify.problems.model.hypothesis import Hypothesis, measured_term
from certify.problems.model.model import Binding, Problem
from certify.problems.model.shifts import Shift
from certify.problems.robots.joint_axes import joint_columns


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """Two for each joint of a robot without legs, and the first harmonics of all encoders together."""
    joints = joint_columns(problem) if problem.groups else ()
    found = []
    for c in joints:
        name = problem.columns[c].name
        sentence = f"the encoder of {name} is eccentric: its reading is wrong by its first and second harmonic"
        found.append(Hypothesis(f"eccentricity of {name}", sentence, shifts=_harmonics(problem, c, (1, 2))))
    if len(joints) > 1:
        shifts = tuple(shift for c in joints for shift in _harmonics(problem, c, (1,)))
        sentence = "all encoders are eccentric: their readings are wrong by their first harmonics"
        found.append(Hypothesis("eccentricity of all", sentence, shifts=shifts))
    for c in joints:
        name, scale = problem.columns[c].name, _scale(problem, c)
        if scale is not None:
            found.append(Hypothesis(f"scale of {name}", f"the encoder of {name} has another scale", shifts=(scale,)))
    return tuple(found)


def _harmonics(problem: Problem, column: int, orders: tuple[int, ...]) -> tuple[Shift, ...]:
    name, unit, target = problem.columns[column].name, problem.columns[column].unit, Binding(True, column)

    def factor(order: int, function: Callable[[Builder, int], int]) -> Callable[[Builder, int], int]:
        def of(builder: Builder, node: int) -> int:
            angle = builder.div(builder.mul(node, builder.pi()), builder.constant(180)) if unit == "deg" else node
            return function(builder, builder.mul(builder.constant(order), angle))

        return of

    named = (("cos", Builder.cos), ("sin", Builder.sin))
    return tuple(
        Shift(f"{name}.{word}{order}", target, factor(order, function))
        for order, (word, function) in product(orders, named)
    )


def _scale(problem: Problem, column: int) -> Shift | None:
    term = measured_term(problem, column)
    if term is None:
        return None
    middle, slope = term.middle, Fraction(1) / term.half_range

    def factor(builder: Builder, node: int) -> int:
        return builder.mul(builder.sub(node, builder.constant(middle)), builder.constant(slope))

    return Shift(f"{problem.columns[column].name}.scale", Binding(True, column), factor)
