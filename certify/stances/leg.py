"""What is known of one leg: its parameters in skew coordinates, within a box that the measured rows leave.

    x = x0 + T y,    T along the principal axes of the rows' slopes,    x0 the parameters in use

A leg's consistent parameters are a thin slanted body, long where its poses tell parameters hardly apart. First its box
is narrowed as it stands (a certificate), then everything is about y in the box that holds the other one, by the
checker's own chart. `legs_tape` is what the robot's own model says of all legs, as functions of the pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from certify.accuracy.differences import used
from certify.accuracy.emission import LEVEL
from certify.accuracy.guarantees import Document, Level
from certify.accuracy.outputs import measured_rows
from certify.accuracy.question import Consistent
from certify.checker.certificate import Hull
from certify.checker.nodes import Skew
from certify.checker.rules import Question
from certify.contractors.tape.derivative import jacobian
from certify.contractors.tape.tape import Builder, Tape, replay
from certify.parts.polytope import principal_axes
from certify.problems.errors import InputError
from certify.problems.model.certified import plain
from certify.problems.model.model import Bounds, Problem
from certify.problems.model.row_subsets import alone
from certify.problems.model.skewed import skewed
from certify.proofs.problem_replay import Proving
from certify.records.options import Options
from certify.solvers.limits import Limit


@dataclass(frozen=True)
class Leg:
    """The problem of a leg in skew coordinates, which are 0 at the parameters in use, the columns of the platform's
    pose in it, the names of its parameters and their search box, and the certificate of the box that is left of it.
    """

    level: Level
    problem: Problem
    pose: tuple[int, ...]
    names: tuple[str, ...]
    search: tuple[Bounds, ...]
    frame: Skew
    box: Document

    @property
    def origin(self) -> tuple[Fraction, ...]:
        """The parameters in use."""
        return (Fraction(0),) * len(self.problem.variables)

    @property
    def measured(self) -> Problem:
        """Its rows in parts of the error that is assumed."""
        return measured_rows(self.problem, {name: self.level.epsilon for name in self.level.families})

    def parameters(self, y: Sequence[Fraction]) -> dict[str, Fraction] | None:
        """What x is at y, by name; None if that is not within the search box, which may be smaller than that of y."""
        rows = zip(self.names, self.frame.point, self.frame.matrix, strict=True)
        found = {
            name: start + sum((entry * part for entry, part in zip(row, y, strict=True)), Fraction(0))
            for name, start, row in rows
        }
        inside = zip(self.search, found.values(), strict=True)
        return found if all(low <= value <= high for (low, high), value in inside) else None


def leg_of(
    problem: Problem,
    number: int,
    at: Sequence[Fraction],
    level: Level,
    pose: Sequence[str],
    options: Options,
    limit: Limit,
) -> Leg:
    """The leg whose rows are this family. Raises InputError if no parameters are consistent."""
    own, places = alone(problem, number)
    start = np.array([float(at[v]) for v in places])
    consistent = Consistent(own, (level,), start, replace(options, limit=limit), limit)
    lower, upper = own.box
    matrix, _ = principal_axes(own.blocks, start, range(len(places)), 0.5 * (upper - lower))
    frame = Skew(tuple(at[v] for v in places), matrix)
    exact = consistent.proof.exact
    proving = Proving(consistent.problem)
    proof = proving.proof((0,), Question(LEVEL, hull=Hull(exact)))
    inside = proof.skew(proof.root, exact, frame).box
    columns = {column.name: k for k, column in enumerate(own.columns)}
    turned = skewed(own, (0,), range(len(places)), frame.point, frame.matrix, inside)
    axes = tuple(replace(v, name=f"axis{k}") for k, v in enumerate(turned.variables, 1))
    return Leg(
        level,
        replace(turned, variables=axes),
        tuple(columns[name] for name in pose),
        tuple(v.name for v in own.variables),
        tuple((v.lower, v.upper) for v in own.variables),
        frame,
        (proving.canonical, consistent.proof.certificate()),
    )


def legs_tape(problem: Problem, values: Sequence[Fraction], pose: Sequence[int]) -> Tape:
    """One output for each leg, whose inputs are the columns of the pose; what else is read is 0. Raises InputError
    where how the legs change with the pose depends on that.
    """
    others = [k for k in range(len(problem.columns)) if k not in pose]
    builder = Builder(len(pose) + len(others))
    places = {column: k for k, column in enumerate((*pose, *others))}
    rows = []
    for family in problem.families:
        inputs = [places[b.index] if b.measured else builder.constant(values[b.index]) for b in family.bindings]
        tape = plain(family.tape)
        rows.append(replay(tape, builder, inputs)[tape.outputs[0]])
    whole = builder.tape(tuple(rows))
    left = [problem.columns[k].name for k in others if places[k] in used(jacobian(whole)[0])]
    if left:
        raise InputError(
            f"how far the legs reach depends on the pose together with {', '.join(left)}: an accuracy is answered for "
            f"legs whose equation is what the model says of the pose, less what is read"
        )
    fewer = Builder(len(pose))
    nodes = replay(whole, fewer, [*range(len(pose)), *(fewer.constant(0) for _ in others)])
    return fewer.tape(tuple(nodes[output] for output in whole.outputs))
