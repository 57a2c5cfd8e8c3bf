"""An error that depends on the direction of a leg, as of a joint whose axes pass each other instead of meeting in a
point.

The slopes of a row along a joint centre (parameters named ..._x, _y, _z) are the direction of the leg there. What is of
first order in the direction is a shift of the centre, which every model has, and so is the mean curvature, with the
length. What is new begins with the traceless forms of second order in the two coordinates p, q across the mean
direction:

    T = t1 (p^2 - q^2) + t2 p q

Two axes at a distance s of each other, the first along w, lengthen a leg of direction u by s sqrt(1 - (w . u)^2) = s -
s (w . u)^2 / 2 - ...: t1 and t2 are the distance and the direction of w. p and q are numbers, not measurements: they
are computed at the middles of the measurements and of the search box, rounded, and stand in the problem. So every claim
holds for these numbers, whatever the leg's true direction is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from certify.problems.formulas.units import is_length
from certify.problems.model.hypothesis import Hypothesis, Term, given_term
from certify.problems.model.model import Family, Problem

PLACES = 9  # of the numbers p^2 - q^2 and p q
_COMPONENT = re.compile(r"(?:.*\.)?([^.]+)[._][xyz]")
LEAST = 1e-9  # of the length of a direction: less is not a direction


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """One for each field of joint centres, and one for all together if there are several."""
    if problem.groups:  # components of a pose are no legs
        return ()
    fields = dict.fromkeys(
        name for family in problem.families for name, inputs in _centres(problem, family).items() if len(inputs) > 2
    )
    found = [Hypothesis(f"joint offset at {name}", _sentence(name), _terms(problem, [name])) for name in fields]
    if len(found) > 1:
        names = " and ".join(fields)
        found.append(Hypothesis(f"joint offsets at {names}", _sentence(names), _terms(problem, list(fields))))
    return tuple(found)


def _sentence(names: str) -> str:
    return (
        f"an error that depends on the direction of a leg at its joint centres {names}, as of joint axes "
        f"that do not meet"
    )


def _terms(problem: Problem, names: Sequence[str]) -> Callable[[Family], tuple[Term, ...]]:
    def terms(family: Family) -> tuple[Term, ...]:
        centres = _centres(problem, family)
        slopes = _slopes(problem, family)
        found = []
        for name in names:
            for label, values in _forms(slopes[:, centres.get(name, [])]):
                term = given_term(f"{name}_{label}", [round(Fraction(float(value)), PLACES) for value in values])
                found += [] if term is None else [term]
        return tuple(found)

    return terms


def _centres(problem: Problem, family: Family) -> dict[str, list[int]]:
    """The inputs of each vector of unknown lengths, by its name without the leg's."""
    found: dict[str, list[int]] = {}
    for i, binding in enumerate(family.bindings):
        variable = None if binding.measured else problem.variables[binding.index]
        match = None if variable is None or not is_length(variable.unit) else _COMPONENT.fullmatch(variable.name)
        if match is not None:
            found.setdefault(match[1], []).append(i)
    return found


def _slopes(problem: Problem, family: Family) -> np.ndarray:
    """Slopes (rows, inputs) at the middles of all boxes, in floats."""
    from certify.contractors.tape.derivative import gradient
    from certify.contractors.tape.evaluation import evaluate

    rows = problem.blocks[problem.families.index(family)]
    lower, upper = rows.with_box(*problem.box, rows.lower, rows.upper)
    middle = 0.5 * (lower + upper)
    return evaluate(gradient(family.tape), middle, middle).estimated_middle[1:].T


def _forms(directions: np.ndarray) -> list[tuple[str, np.ndarray]]:
    """The traceless forms of second order across the mean direction, by name; none if there are fewer than two
    coordinates, or no direction.
    """
    mean = directions.mean(axis=0) if directions.size else np.zeros(0)
    if mean.size < 3 or not np.isfinite(directions).all() or not np.linalg.norm(mean) > LEAST:
        return []
    first = mean / np.linalg.norm(mean)
    units = np.eye(mean.size)[np.argsort(np.abs(first))[: mean.size - 1]]
    across, _ = np.linalg.qr(np.column_stack([first, *units]))
    places = directions @ across[:, 1:]
    squares = [(f"{i + 1}{i + 1}", places[:, i] ** 2 - places[:, i - 1] ** 2) for i in range(1, places.shape[1])]
    return squares + [
        (f"{i + 1}{j + 1}", places[:, i] * places[:, j]) for i, j in combinations(range(places.shape[1]), 2)
    ]
