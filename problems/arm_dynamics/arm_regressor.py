"""A log of an arm and its URDF as a linear model to identify: base parameters, their units, and what the URDF says.

What is said of such a model is said of its filtered rows W theta = Y, whose numbers are doubles. Errors of filters and
derivatives, and of lengths in the URDF, are part of the error that the bound has to hold; what the encoders' steps
leave is in half-widths of W, if the steps are stated (`arm_encoders`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.arm_dynamics.arm_encoders import enclosed_arm_rows, steps_of
from certify.problems.arm_dynamics.arm_log import read_arm_log
from certify.problems.arm_dynamics.arm_rows import arm_rows
from certify.problems.arm_dynamics.grouping import Grouping, grouping
from certify.problems.arm_dynamics.links import GRAVITY, read_links
from certify.problems.arm_dynamics.parameters import WIDE, ArmModel
from certify.problems.dynamics.log_regressor import EncoderStep
from certify.problems.dynamics.signal_chain import Chain, Regression
from certify.problems.errors import InputError
from certify.problems.formulas.units import shown
from certify.problems.regressors.interval_regressor import IntervalRegressor, with_errors
from certify.problems.regressors.physical import Physical
from certify.problems.regressors.regressor import Regressor, exact, regressor
from certify.problems.regressors.regressor_file import QUANTITY, Chosen, chosen_prior


@dataclass(frozen=True, slots=True)
class ArmChoice:
    """What is said of an arm beside its log: its URDF, the links between which it is, gravity in the base's frame, what
    the joints have beside friction, the filters' cut-off in Hz, what an ampere or volt is of each joint, and the steps
    of their encoders.
    """

    urdf: Path
    tip: str | None = None
    base: str | None = None
    gravity: tuple[float, ...] = GRAVITY
    offset: bool = False
    rotor: bool = False
    cut_off: float | None = None
    gains: tuple[float, ...] | None = None
    encoder_step: str | None = None


@dataclass(frozen=True, eq=False)
class ArmRegressor:
    """The model, which parameters are regrouped, and the URDF's values of those it tells (rational, from doubles)."""

    problem: Regressor
    grouped: Grouping
    rows: Regression
    encoders: EncoderStep | None = None

    @cached_property
    def physical(self) -> Physical:
        """What real bodies, friction and rotors obey."""
        return self.grouped.physical()

    @cached_property
    def own(self) -> dict[str, Fraction]:
        """By base parameter what the URDF's inertials make it; none where it has a part that is not told there."""
        model = self.grouped.model
        known: dict[int, Fraction] = {}
        for k, ten in enumerate(model.links.inertials):
            if ten is not None:
                known |= {WIDE * k + i: Fraction(value) for i, value in enumerate(ten)}
        return {
            name: sum((factor * known[d] for d, factor in row), Fraction(0))
            for name, row in zip(self.grouped.names, self.physical.rows, strict=True)
            if all(d in known for d, _ in row)
        }


def regressor_of_arm(path: Path, choice: ArmChoice, chosen: Chosen) -> ArmRegressor:
    """The model of a log of an arm."""
    if chosen.columns is not None:
        raise InputError("--columns: the columns of a log of an arm are known; leave the option out")
    model = ArmModel(read_links(choice.urdf, choice.tip, choice.base, choice.gravity), choice.offset, choice.rotor)
    grouped = grouping(model)
    prior = chosen_prior(chosen.prior, grouped.names)
    bounds = _bounds(chosen, model)
    log = read_arm_log(path, model.links.slides, choice.gains)
    chain = Chain() if choice.cut_off is None else replace(Chain(), cut_off=choice.cut_off)
    enclosed = None
    if choice.encoder_step is not None:
        enclosed = enclosed_arm_rows(log, grouped, chain, steps_of(choice.encoder_step, model))
    rows = arm_rows(log, grouped, chain) if enclosed is None else enclosed.rows
    bound: Any = bounds[0]
    if len(bounds) > 1:  # of each row its own, rounded up
        bound = np.array([enclose_rational(value)[1] for value in bounds])[rows.joints]
    unit = " or ".join(dict.fromkeys(model.torque_units))
    problem = regressor(
        rows.matrix,
        rows.torques,
        bound,
        prior,
        names=grouped.names,
        units=grouped.units,
        unit=unit.replace(" or ", "/"),
    )
    if enclosed is None or choice.encoder_step is None:
        return ArmRegressor(problem, grouped, rows)
    step = EncoderStep(choice.encoder_step, len(rows.torques), enclosed.still)
    enclosing = with_errors(problem, enclosed.half_widths)
    if isinstance(enclosing, IntervalRegressor):
        enclosing = replace(enclosing, far=_far(problem))
    return ArmRegressor(enclosing, grouped, rows, step)


def _far(problem: Regressor) -> tuple[Fraction, ...]:
    """Where parameters are searched that have no range: up to a power of ten that is ten times the largest value of
    their unit in a least-squares fit; rows of intervals narrow a box in rounds, the more the farther it reaches.
    """
    lengths = np.linalg.norm(problem.matrix, axis=0)
    scale = np.where(lengths > 0, lengths, 1.0)
    fit = np.abs(np.linalg.lstsq(problem.matrix / scale, problem.y, rcond=1e-12)[0] / scale)
    largest = {
        unit: max(float(x) for x, own in zip(fit, problem.units, strict=True) if own == unit) for unit in problem.units
    }
    return tuple(Fraction(10) ** math.ceil(math.log10(max(10.0 * largest[unit], 1e-6))) for unit in problem.units)


def _bounds(chosen: Chosen, model: ArmModel) -> Sequence[Fraction]:
    """One bound, or one for each joint: '2, 2, 1.5 Nm'."""
    factor = exact(chosen.factor, "--factor")
    if factor <= 0:
        raise InputError(f"--factor {chosen.factor} is not positive; give how many deviations the bound is")
    words = [word.strip() for word in chosen.bound.split(",")]
    units = set(model.torque_units)
    if len(words) == 1 and len(units) > 1:
        raise InputError(
            f"--bound {shown(chosen.bound)}: joints that turn have Nm and joints that slide N; give a bound for each "
            f"joint, such as '{', '.join(f'1 {unit}' for unit in model.torque_units)}'"
        )
    if len(words) not in (1, model.links.count):
        raise InputError(
            f"--bound {shown(chosen.bound)} has {len(words)} numbers; give one for all {model.links.count} joints, or "
            f"one for each"
        )
    found = []
    for k, word in enumerate(words):
        match = QUANTITY.fullmatch(word)
        if match is None:
            raise InputError(f"--bound {shown(word)} is no number; give a torque such as '2 Nm'")
        unit = model.torque_units[k]
        if match[2] and match[2] != unit:
            raise InputError(
                f"--bound {shown(word)}: the torque of joint {k + 1} is in {unit}; give the bound in {unit}"
            )
        found.append(exact(match[1], "--bound") * factor)
    return found


def numbers_of(text: str, option: str, count: int | None = None) -> tuple[float, ...]:
    """'1.5, 1.5' as numbers."""
    words = [word for word in re.split(r"[\s,;]+", text.strip()) if word]
    found = tuple(float(exact(word, option)) for word in words)
    if count is not None and len(found) != count:
        raise InputError(f"{option} {shown(text)} has {len(found)} numbers; give {count}")
    return found
