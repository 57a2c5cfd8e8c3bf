"""The options of `certify identify` that are about serial arms and bodies, and the model that they make."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from certify.problems.errors import InputError

if TYPE_CHECKING:
    from certify.problems.regressors.regressor import Regressor
    from certify.problems.regressors.regressor_file import Chosen
    from certify.runs.identification_run import About

OF_ARMS = ("tip", "base", "gravity", "offset", "rotor")


def add_arm_options(parser: argparse.ArgumentParser) -> None:
    """What an arm is, and what physical parameters are asked for."""
    parser.add_argument(
        "--urdf", type=Path, metavar="ROBOT",
        help="FILE is a log of the arm in this URDF: t, q1 .., tau1 .. (or I1 .., V1 .. with --gain), and dq1 .., ddq1 "
        ".. if they are known ('certify simulate --robot arm --motion' writes one)",
    )  # fmt: skip
    parser.add_argument("--tip", metavar="LINK", help="the link behind the arm's last joint (default: the only one)")
    parser.add_argument("--base", metavar="LINK", help="the link before its first joint (default: the root)")
    parser.add_argument("--gravity", metavar="G", help="in the frame of the base, in m/s^2 (default '0 0 -9.81')")
    parser.add_argument("--offset", action="store_true", help="the torque of each joint of an arm has an offset, too")
    parser.add_argument("--rotor", action="store_true", help="each joint of an arm has the inertia of a rotor, too")
    parser.add_argument(
        "--physical",
        action="store_true",
        help="ask for physically consistent parameters of a log: masses and friction that are not negative, bodies "
        "whose pseudo-inertia is positive semidefinite",
    )


def refuse_arm_options(arguments: argparse.Namespace) -> None:
    """Where there is no arm."""
    for name in OF_ARMS:
        if getattr(arguments, name):
            raise InputError(f"--{name} is of a serial arm; give its URDF with --urdf, or leave it out")


def arm_of(arguments: argparse.Namespace, chosen: Chosen) -> tuple[Regressor, str, About]:
    """The model of the log of an arm, what its rows are, and the arm."""
    from certify.problems.arm_dynamics.arm_regressor import ArmChoice, numbers_of, regressor_of_arm
    from certify.problems.arm_dynamics.links import GRAVITY
    from certify.problems.dynamics.log_regressor import row_order
    from certify.runs.identification_run import About
    from certify.solvers.semidefinite.physical_program import require_solver

    if arguments.robot is not None:
        raise InputError("--robot and --urdf name two robots; leave one of them out")
    if arguments.physical:
        require_solver()
    gravity = GRAVITY if arguments.gravity is None else numbers_of(arguments.gravity, "--gravity", 3)
    gains = None if arguments.gain is None else numbers_of(arguments.gain, "--gain")
    choice = ArmChoice(
        arguments.urdf,
        arguments.tip,
        arguments.base,
        gravity,
        arguments.offset,
        arguments.rotor,
        arguments.cut_off,
        gains,
        arguments.encoder_step,
    )
    arm = regressor_of_arm(arguments.file, choice, chosen)
    measured = f"filtered torques of {arm.grouped.model.links.name}, {row_order(arm.rows)},"
    return arm.problem, measured, About(arm, arm.physical if arguments.physical else None, arm.encoders)
