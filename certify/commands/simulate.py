"""certify simulate: the experiment of a simulated robot, whose truth is planted and known, as files to start from."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import PROVED, Answer, Command
from certify.problems.errors import InputError

if TYPE_CHECKING:
    from certify.problems.dynamics.known_robot import KnownRobot, MotionChoice
    from certify.problems.simulation.unmodelled_error import UnmodelledError

ERRORS = ("none", "backlash", "joints", "outlier")
STEWART = "table_of_stewart"
JOINTS, BACKLASH, ARM, PALIDA = "joints", "backlash", "arm", "palida"
ARMS = (ARM, "two_arms")
MOTION, VALIDATION = "motion.csv", "validation.csv"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write to")
    parser.add_argument(
        "--robot",
        default=STEWART,
        metavar="NAME",
        help="which robot (%(default)s; an unknown name lists them)",
    )
    parser.add_argument(
        "--error", choices=ERRORS,
        help=f"what the model leaves out (default: {JOINTS} of the {STEWART}, {BACKLASH} of the others)",
    )  # fmt: skip
    parser.add_argument("--size", metavar="LENGTH", help="its size, e.g. '25 mm'")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of the noise (default: %(default)s)")
    parser.add_argument("--noise", default="1", metavar="F", help="factor on the standard deviations (default: 1)")
    parser.add_argument("--raw", action="store_true", help="write every single reading instead, for 'certify prepare'")
    parser.add_argument(
        "--motion", action="store_true",
        help="write logs of joints and what drives them on two motions instead of poses, of a robot whose torques are "
        "known (h4, ...); it has what the model of its torques leaves out (with --error none as little as can be, such "
        "as friction's smooth change of sign, and the encoders' steps); of the arm a URDF with masses and a log of "
        "joint angles and torques; of the palida logs of strut lengths and forces on an exciting motion, a circle and "
        "its mirror image, with cogging of two drives (none with --error none)",
    )  # fmt: skip
    parser.add_argument(
        "--multibody", action="store_true",
        help="of the par4 in motion: torques without friction by the multibody engine Pinocchio, which has none of the "
        "model's simplifications, on exact angles without control (pip install 'certify[multibody]')",
    )  # fmt: skip
    parser.add_argument(
        "--trajectory", type=Path, metavar="FILE",
        help="with --motion: the robot follows this trajectory, a CSV file of 'certify design', instead of its own; of "
        "the palida the record result.json",
    )  # fmt: skip
    parser.add_argument("--joints", type=int, metavar="N", help="of an arm in motion: 6 or 7 (default: 6)")
    parser.add_argument("--seconds", type=float, metavar="S", help="length of each motion (default: 8)")


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.problems.experiments.toml_writer import write_experiment
    from certify.problems.formulas.units import Dimension, parse_quantity
    from certify.problems.simulation.raw import simulate_raw
    from certify.problems.simulation.simulation import ROBOTS
    from certify.problems.simulation.unmodelled_error import unmodelled_error

    if arguments.motion:
        return _motion(arguments)
    if arguments.robot not in (*ROBOTS, *ARMS):
        raise InputError(f"--robot {arguments.robot} is not known; there are {', '.join((*ROBOTS, *ARMS))}")
    if arguments.seconds is not None or arguments.joints is not None or arguments.trajectory is not None:
        raise InputError("--seconds, --joints and --trajectory are of a motion; give --motion too")
    if arguments.multibody:
        raise InputError("--multibody is of a motion; give --motion too")
    size = None if arguments.size is None else parse_quantity(arguments.size, Dimension.LENGTH, "--size").value
    error = unmodelled_error(arguments.error or (JOINTS if arguments.robot == STEWART else BACKLASH), size)
    if arguments.robot in ARMS and not arguments.raw:
        return _serial(arguments, error)
    if arguments.raw:
        if arguments.robot != STEWART:
            raise InputError(f"--raw simulates the {STEWART} only; leave --robot out")
        written = simulate_raw(error, arguments.seed, arguments.noise).write(arguments.out)
    else:
        simulated = ROBOTS[arguments.robot](error, arguments.seed, arguments.noise)
        written = write_experiment(arguments.out, simulated.experiment)
    following = "prepare" if arguments.raw else "run"
    text = f"simulated data written to {written}; go on with 'certify {following} {written}'"
    return Answer(PROVED, text, {"written": str(written), "robot": arguments.robot, "simulated": True})


def _serial(arguments: argparse.Namespace, error: UnmodelledError) -> Answer:
    """The URDF of an arm, or of two that hold each other, and a table."""
    from certify.problems.simulation import serial_arm, two_arms

    if arguments.robot == ARM:
        written = serial_arm.simulate_arm(arguments.out, error, arguments.seed, arguments.noise)
        robot = f"--urdf {written.parent / serial_arm.URDF} --tip {serial_arm.TIP}"
    else:
        written = two_arms.simulate_two_arms(arguments.out, error, arguments.seed, arguments.noise)
        robot = f"--urdf {written.parent / two_arms.URDF} " + " ".join(f"--tip {tip}" for tip in two_arms.TIPS)
    text = f"simulated data written to {written}; go on with 'certify new arm {robot} --data {written} --out FOLDER'"
    return Answer(PROVED, text, {"written": str(written), "robot": arguments.robot, "simulated": True})


def _arm_motion(arguments: argparse.Namespace) -> Answer:
    """The URDF of an arm and a log of its torques."""
    from certify.problems.arm_dynamics.simulated_motion import RATE, SECONDS, simulate_arm_motion
    from certify.problems.motions.trajectory import read_trajectory
    from certify.problems.simulation.simulated import noise_factor

    seconds = SECONDS if arguments.seconds is None else arguments.seconds
    joints, moved = 6 if arguments.joints is None else arguments.joints, None
    if arguments.trajectory is not None:
        _no_seconds(arguments)
        names = tuple(f"q{k}" for k in range(1, joints + 1))
        moved = read_trajectory(arguments.trajectory, names, ("rad",) * joints, RATE).moved
    urdf, log, _ = simulate_arm_motion(
        arguments.out,
        joints,
        seconds,
        _seed(arguments),
        float(noise_factor(arguments.noise)),
        arguments.error is not None,
        moved,
    )
    following = f"certify identify {log} --urdf {urdf} --bound '4 Nm' --out FOLDER"
    text = f'simulated data written to {log} and {urdf}; go on with "{following}"'
    return Answer(PROVED, text, {"written": str(log), "urdf": str(urdf), "robot": ARM, "simulated": True})


def _no_seconds(arguments: argparse.Namespace) -> None:
    if arguments.seconds is not None:
        raise InputError("--seconds: the trajectory says how long the motion is; leave the option out")


def _seed(arguments: argparse.Namespace) -> int:
    if not 0 <= arguments.seed < 2**62:
        raise InputError(
            f"--seed {arguments.seed} is out of range; choose a whole number from 0 to 2^62 - 1, such as 1"
        )
    return int(arguments.seed)


def _motion(arguments: argparse.Namespace) -> Answer:
    """Logs of a robot in closed loop: one to identify with, one to try the result on."""
    from certify.problems.dynamics.joint_log import write_log
    from certify.problems.dynamics.known_robot import MotionChoice, known_names, known_robot
    from certify.problems.simulation.simulated import noise_factor

    plain = not arguments.raw and arguments.size is None and arguments.error in (None, "none")
    if arguments.robot == ARM and plain and not arguments.multibody:
        return _arm_motion(arguments)
    if arguments.robot == PALIDA:
        return _palida_motion(arguments)
    if arguments.robot not in known_names() or arguments.joints is not None or not plain:
        raise InputError(
            f"--motion simulates robots whose torques are known ({', '.join(known_names())}) or the arm, and model "
            f"errors of its own; write --robot h4 --motion, or --robot arm --motion --joints 7, with --error none or "
            f"without --error, and without --raw and --size"
        )
    first = _seed(arguments)
    robot, noise = known_robot(arguments.robot), float(noise_factor(arguments.noise))
    choice = MotionChoice(arguments.seconds, (first, first + 1), noise, arguments.error is None, arguments.multibody)
    if arguments.trajectory is not None:
        return _followed(arguments, robot, choice)
    logs = robot.simulate(choice)
    for name, log in zip((MOTION, VALIDATION), logs, strict=True):
        write_log(arguments.out / name, log, robot.form)
    written = arguments.out / MOTION
    following = f"'certify identify {written} --robot {arguments.robot} --bound \"{robot.bound}\" --out FOLDER'"
    text = (
        f"simulated logs written to {written} and {VALIDATION}, {len(logs[0].times)} samples each; "
        f"go on with {following}"
    )
    return Answer(PROVED, text, {"written": str(written), "robot": arguments.robot, "simulated": True})


def _followed(arguments: argparse.Namespace, robot: KnownRobot, choice: MotionChoice) -> Answer:
    """A log of a robot in closed loop along a trajectory of 'certify design'."""
    from certify.problems.dynamics.controlled_motion import RATE
    from certify.problems.dynamics.joint_log import write_log
    from certify.problems.motions.trajectory import read_trajectory

    _no_seconds(arguments)
    names, units = zip(*robot.coordinates, strict=True)
    run = read_trajectory(arguments.trajectory, names, units, RATE)
    (log,) = robot.simulate(replace(choice, seeds=choice.seeds[:1], poses=run.moved[0]))
    written = arguments.out / MOTION
    write_log(written, log, robot.form)
    following = f"'certify identify {written} --robot {arguments.robot} --bound \"{robot.bound}\" --out FOLDER'"
    text = f"simulated log written to {written}, {len(log.times)} samples; go on with {following}"
    return Answer(PROVED, text, {"written": str(written), "robot": arguments.robot, "simulated": True})


def _palida_motion(arguments: argparse.Namespace) -> Answer:
    """Logs of PaLiDA's lengths and forces on three motions."""
    from certify.problems.palida.simulated_run import PERIOD, PERIODS, write_runs
    from certify.problems.simulation.simulated import noise_factor

    others = arguments.raw, arguments.joints, arguments.size, arguments.multibody
    if any(others) or arguments.error not in (None, "none"):
        raise InputError(
            "--motion of the palida has cogging of its own; write --robot palida --motion, with --error none or "
            "without --error, and without --raw, --joints, --size and --multibody"
        )
    if arguments.trajectory is not None:
        return _palida_followed(arguments)
    periods = PERIODS if arguments.seconds is None else int(arguments.seconds / PERIOD)
    if not 1 <= periods <= 1000:
        raise InputError(f"--seconds {arguments.seconds:g}: a period has {PERIOD:g} s; give {PERIOD:g} to 2500 s")
    noise, cogging = float(noise_factor(arguments.noise)), 1.0 if arguments.error is None else 0.0
    written = arguments.out / MOTION
    write_runs(arguments.out, periods, _seed(arguments), noise, cogging)
    following = f"certify identify {written} --robot {PALIDA} --period '{PERIOD:g} s' --bound '50 N' --out FOLDER"
    text = f'simulated logs written to {arguments.out}, {periods} periods each; go on with "{following}"'
    return Answer(PROVED, text, {"written": str(written), "robot": PALIDA, "simulated": True})


def _palida_followed(arguments: argparse.Namespace) -> Answer:
    """A log of PaLiDA along a designed motion, as many periods as its record says."""
    from certify.problems.motions.recorded import read_record
    from certify.problems.palida.geometry import COORDINATES
    from certify.problems.palida.simulated_run import SAMPLES, Run, simulated_log
    from certify.problems.periodic.periodic_log import write_periodic_log
    from certify.problems.simulation.simulated import noise_factor

    _no_seconds(arguments)
    motion, periods = read_record(arguments.trajectory, COORDINATES)
    noise, cogging = float(noise_factor(arguments.noise)), 1.0 if arguments.error is None else 0.0
    run = Run(motion, SAMPLES, periods, _seed(arguments), noise, cogging)
    written = arguments.out / MOTION
    write_periodic_log(written, simulated_log(run))
    following = (
        f"certify identify {written} --robot {PALIDA} --period '{motion.period:.9g} s' --bound '90 N' --out FOLDER"
    )
    text = f'simulated log written to {written}, {periods} periods; go on with "{following}"'
    return Answer(PROVED, text, {"written": str(written), "robot": PALIDA, "simulated": True})


COMMAND = Command(
    "simulate",
    "write the experiment of a simulated robot, to start from or to try things on",
    "certify simulate --robot delta --error none --out delta",
    _arguments,
    _run,
)
