"""A robot's log of joint angles and motor voltages as a linear model to identify, with names and units of parameters.

What is said of such a model is said of the filtered rows W theta = Y, whose numbers are doubles: what the filters and
derivatives leave of the encoders' steps is part of the error that the bound has to hold, or, if the step is stated,
half-widths of W (`encoder_errors`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.dynamics.known_robot import known_robot
from certify.problems.dynamics.signal_chain import Gain, Regression
from certify.problems.errors import InputError
from certify.problems.formulas.units import shown
from certify.problems.regressors.interval_regressor import with_errors
from certify.problems.regressors.regressor import Regressor, exact, regressor
from certify.problems.regressors.regressor_file import Chosen, chosen_bound, chosen_prior

ANGLES = {"rad": 1.0, "mrad": np.nextafter(1e-3, 1), "deg": np.nextafter(np.pi / 180, 1)}
LENGTHS = {"m": 1.0, "mm": np.nextafter(1e-3, 1)}


@dataclass(frozen=True, slots=True)
class EncoderStep:
    """A stated step of the encoders, what is left of it in the rows, and at how many of them a velocity may be 0."""

    stated: str
    rows: int
    still: int

    @property
    def lines(self) -> list[str]:
        """What it means, and what is assumed."""
        return [
            f"Encoders: each reading is within half a step of {self.stated} of its angle, for itself. Through filters "
            f"and central differences this is in the half-widths of W. Assumed: these leave the true motion and its "
            f"torques as they are, whose band ends below the filters'; what they change is for the bound to hold.",
            f"At {self.still} of {self.rows} rows the joint's velocity may be 0: there the sign of friction is any "
            f"number from -1 to 1.",
        ]


def regressor_of_log(
    path: Path, robot: str, chosen: Chosen, cut_off: float | None = None, gain: Gain | None = None,
    encoder_step: str | None = None,
) -> tuple[Regressor, str, EncoderStep | None]:  # fmt: skip
    """The model of a log of a robot that is known, whose bound is a torque (or a force), what its rows are, and what
    the encoders' step makes of them, if it is stated; the cut-off is in Hz, the gain in Nm/V or as the log's units are.
    """
    known = known_robot(robot)
    if chosen.columns is not None:
        raise InputError(f"--columns: the columns of a log of the {robot} are known; leave the option out")
    bound, prior = chosen_bound(None, chosen, known.unit), chosen_prior(chosen.prior, known.names)
    chain = known.chain if cut_off is None else replace(known.chain, cut_off=cut_off)
    chain = chain if gain is None else replace(chain, gain=gain)
    step = None if encoder_step is None else step_of(encoder_step, "m" in known.form.joint_units)
    enclosed = None if step is None else known.enclosed_equations(path, chain, step)
    rows = known.equations(path, chain) if enclosed is None else enclosed.rows
    model = regressor(rows.matrix, rows.torques, bound, prior, names=known.names, units=known.units, unit=known.unit)
    taken = "dimensions and gain" if gain is None and known.chain.gain is not None else "dimensions"
    measured = f"filtered {known.effort} of the {robot} with the {taken} of its simulation, {row_order(rows)},"
    if enclosed is None or encoder_step is None:
        return model, measured, None
    told = EncoderStep(encoder_step, len(rows.torques), enclosed.still)
    return with_errors(model, enclosed.half_widths), measured, told


def step_of(text: str, slides: bool = False) -> float:
    """'0.0001 rad' or '0.005 deg' in rad (of a joint that slides '0.01 mm' in m), rounded up."""
    units, example = (LENGTHS, "0.01 mm") if slides else (ANGLES, "0.0001 rad")
    number, _, unit = text.strip().partition(" ")
    if unit.strip() not in units:
        raise InputError(f"--encoder-step {shown(text)}: give a number with its unit, {', '.join(units)}: '{example}'")
    if exact(number, "--encoder-step") <= 0:
        raise InputError(f"--encoder-step {shown(text)}: give the distance between neighbouring readings")
    return float(np.nextafter(enclose_rational(exact(number, "--encoder-step"))[1] * units[unit.strip()], np.inf))


def row_order(rows: Regression) -> str:
    """Which joint and which time a row is about."""
    joints = int(rows.joints.max()) + 1
    instants = rows.times[::joints]
    first = ", ".join(f"{time:g}" for time in instants[:2])
    return f"row by row joint 1 to {joints} at t = {first} .. {instants[-1]:g} s"
