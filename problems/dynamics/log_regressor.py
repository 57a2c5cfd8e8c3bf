"""A robot's log of joint angles and motor voltages as a linear model to identify, with names and units of parameters.

What is said of such a model is said of the filtered rows W theta = Y, whose numbers are doubles: what the filters and
derivatives leave of the encoders' steps is part of the error that the bound has to hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from certify.problems.dynamics.h4_geometry import CHAINS
from certify.problems.dynamics.h4_torques import NAMES, UNITS
from certify.problems.dynamics.joint_log import read_log
from certify.problems.dynamics.signal_chain import Chain, Regression, signal_chain
from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest, shown
from certify.problems.regressors.physical import Physical, physical
from certify.problems.regressors.regressor import Regressor, regressor
from certify.problems.regressors.regressor_file import Chosen, chosen_bound, chosen_prior

TORQUE = "Nm"


@dataclass(frozen=True, slots=True)
class KnownRobot:
    """A robot whose torques are known up to parameters: how a log of it becomes rows, and what the columns are."""

    rows: Callable[[Path, Chain], Regression]
    names: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def physical(self) -> Physical:
        """What real motors, bodies and friction obey: none of the parameters is negative."""
        return physical(self.names, self.names)


ROBOTS = {"h4": KnownRobot(lambda path, chain: signal_chain(read_log(path, CHAINS), chain), NAMES, UNITS)}


def regressor_of_log(
    path: Path, robot: str, chosen: Chosen, cut_off: float | None = None, gain: float | None = None
) -> tuple[Regressor, str]:
    """The model of a log of a robot that is known, whose bound is a torque, and what its rows are; the cut-off is in
    Hz, the gain in Nm/V.
    """
    if robot not in ROBOTS:
        raise InputError(f"--robot {shown(robot)}: no torques of it are known; {nearest(robot, ROBOTS)}")
    known = ROBOTS[robot]
    if chosen.columns is not None:
        raise InputError(f"--columns: the columns of a log of the {robot} are known; leave the option out")
    bound, prior = chosen_bound(None, chosen, TORQUE), chosen_prior(chosen.prior, known.names)
    chain = Chain() if cut_off is None else replace(Chain(), cut_off=cut_off)
    rows = known.rows(path, chain if gain is None else replace(chain, gain=gain))
    model = regressor(rows.matrix, rows.torques, bound, prior, names=known.names, units=known.units, unit=TORQUE)
    return model, f"filtered torques of the {robot}, {row_order(rows)},"


def row_order(rows: Regression) -> str:
    """Which joint and which time a row is about."""
    joints = int(rows.joints.max()) + 1
    instants = rows.times[::joints]
    first = ", ".join(f"{time:g}" for time in instants[:2])
    return f"row by row joint 1 to {joints} at t = {first} .. {instants[-1]:g} s"
