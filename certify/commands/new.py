"""certify new arm: a problem file for a serial arm, from its URDF or its table of Denavit and Hartenberg and a table of
measurements; certify new KIND: files of another kind to begin with, which run as they stand.
"""

from __future__ import annotations

import argparse
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from certify.command import PROVED, Answer, Command, progress
from certify.problems.errors import InputError

if TYPE_CHECKING:
    from certify.problems.arms.arm import Arm
    from certify.problems.arms.measurement import Distance, Measurement

LABORATORY = "laboratory"
STARTERS = (  # the names of certify.problems.simulation.starters and of simulated robots, loaded when they are needed
    "point", "spring", "motor", "system", "regressor", "fit", "table_of_stewart", "planar_3rpr", "cable_robot",
    "cable_robot_unknown_poses", "delta", "gough_wide", "h4", "palida", "par4", "planar",
)  # fmt: skip
KINDS = ("position", "pose", "orientation", "distance", "socket", "tips")
REDUNDANT = ("fix", "leave")
CENTRES = ("least squares", "nominal", "given")  # by what was measured: points; distances and sockets; poses
WORDS = (
    "all; base, tool, anchor, sockets, zero; offsets (of encoders), lengths (link translations), tilts (of axes); "
    "joint3 or the joint's name; joint3.x, joint3.offset, joint3.tilt.y, base.turn, base.x"
)
MAX_POINTS, MAX_SOCKETS = 6, 9


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=("arm", LABORATORY, *STARTERS), metavar="KIND",
        help="what it is about: 'arm', of which all options below are; or files to begin with, which run as they "
        f"stand: {', '.join(STARTERS)}; '{LABORATORY}' for reports that are calibration certificates",
    )  # fmt: skip
    robot = parser.add_argument_group("the robot")
    robot.add_argument("--urdf", type=Path, metavar="FILE", help="its URDF")
    robot.add_argument("--dh", type=Path, metavar="FILE", help="its table of Denavit and Hartenberg (docs/arms.md)")
    robot.add_argument("--mdh", type=Path, metavar="FILE", help="the same in the modified convention")
    robot.add_argument(
        "--tip",
        metavar="LINK",
        action="append",
        default=[],
        help="of a URDF: the link that carries what is measured, e.g. tool0; again for a second one that meets it",
    )
    robot.add_argument("--base", metavar="LINK", help="of a URDF: the link where the arm begins (default: the root)")
    data = parser.add_argument_group("the measurements")
    data.add_argument("--data", type=Path, action="append", metavar="FILE", help="a table (CSV); again "
                      "for more files, for sockets one file each, if no column says which")  # fmt: skip
    data.add_argument(
        "--measure", choices=KINDS, help="what was measured (default: position; with two tips that they meet: tips)"
    )
    data.add_argument("--points", type=int, default=1, metavar="N", help="how many points of the tool (default: 1)")
    data.add_argument("--orientation", metavar="HOW", help="how orientations are told: ZYX (for Rz Ry Rx) and its "
                      "like, quaternion, 'rotation vector' (default: what fits clearly best)")  # fmt: skip
    data.add_argument("--on-hand", action="store_true", help="the device is on the hand and sees a target that stands "
                      "still (default: the other way round)")  # fmt: skip
    data.add_argument(
        "--sockets",
        type=int,
        default=1,
        metavar="N",
        help="in how many sockets the ball was (default: 1); which one says a column 'socket', or each has a file",
    )
    data.add_argument("--distance", action="append", default=[], metavar="D", help="of two sockets, e.g. '50 mm', "
                      "'50 mm +- 0.1 mm', of more '1-2 50 mm'")  # fmt: skip
    data.add_argument("--columns", action="append", default=[], metavar="C", help="columns that have other names, e.g. "
                      "'x=measurement_x [mm], q1=3 [rad]'")  # fmt: skip
    data.add_argument("--half-width", metavar="W", help="how far measured numbers may be off, e.g. '0.1 mm, 0.5 mrad' "
                      "(default: from columns of deviations)")  # fmt: skip
    data.add_argument("--times", metavar="F", help="so many standard deviations make a half-width (default: as many as "
                      "hold all readings with 99 %%, if the noise is Gaussian)")  # fmt: skip
    data.add_argument("--joint-half-width", default="0", metavar="W", help="how far joints may be off, e.g. "
                      "'0.001 deg' (default: 0, exact)")  # fmt: skip
    data.add_argument(
        "--joint-unit", choices=("rad", "deg"), help="where headings do not say it (default: by the size)"
    )
    data.add_argument("--length-unit", choices=("mm", "m", "cm", "um", "inch"), help="likewise")
    data.add_argument("--angle-unit", choices=("rad", "deg", "mrad"), help="likewise, of measured angles")
    unknown = parser.add_argument_group("what is unknown", f"words: {WORDS}")
    unknown.add_argument("--free", metavar="WORDS", help="what is free (default: all of the geometry, base and tool)")
    unknown.add_argument("--fix", action="append", default=[], metavar="WORDS", help="but for these")
    unknown.add_argument("--within", action="append", default=[], metavar="R", help="how far it may be off: '2 mm, 3 "
                         "mrad' (default), for some of it 'base: 50 mm, 20 mrad'")  # fmt: skip
    unknown.add_argument("--centre", choices=CENTRES, help="of the search box: the least-squares fit, the values of "
                         "the description, or a fit to positions and orientations together, made here (default: the "
                         "first for points, the last for poses, else the description)")  # fmt: skip
    unknown.add_argument("--redundant", choices=REDUNDANT, default="fix", help="what becomes of parameters that the "
                         "poses do not tell apart: they are held, or left (default: %(default)s)")  # fmt: skip
    parser.add_argument("--title", default="", metavar="TEXT", help="of the problem")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where to write")


def _arm(arguments: argparse.Namespace) -> tuple[Arm, Path, str]:
    """The robot, by its one description, and of which kind that is."""
    from certify.problems.arms.dh import read_dh
    from certify.problems.arms.urdf import read_urdf

    given = [(name, getattr(arguments, name)) for name in ("urdf", "dh", "mdh") if getattr(arguments, name) is not None]
    if len(given) != 1:
        told = " and ".join(f"--{name}" for name, _ in given) or "none"
        raise InputError(f"which robot? Give one of --urdf, --dh and --mdh; here is {told}")
    name, path = given[0]
    if name == "urdf":
        return read_urdf(path, *_links(arguments)).arm, path, name
    if arguments.tip or arguments.base is not None:
        raise InputError(f"--tip and --base name links of a URDF; --{name} has none, remove them")
    return read_dh(path, name == "mdh"), path, name


def _links(arguments: argparse.Namespace) -> tuple[str | None, str | None, str | None]:
    """The tip, the base and the second tip."""
    tips = arguments.tip
    if len(tips) > 2:
        raise InputError(f"--tip is given {len(tips)} times; give one tip, or two that meet")
    if len(tips) == 2 and arguments.base is not None:
        raise InputError("--base names where one arm begins, two tips begin at the link that they have in common; "
                         "remove --base")  # fmt: skip
    return (tips[0] if tips else None), arguments.base, (tips[1] if len(tips) == 2 else None)


def _kind(arguments: argparse.Namespace) -> str:
    """What was measured, by its word."""
    two = len(arguments.tip) == 2
    kind = str(arguments.measure or ("tips" if two else "position"))
    if (kind == "tips") != two:
        raise InputError(
            f"--measure {kind} is about one tip, and --tip names two; leave --measure out, or one --tip"
            if two
            else "--measure tips is about two tips that meet; name the other one by a second --tip"
        )
    return kind


def _measurement(arguments: argparse.Namespace) -> tuple[Measurement, bool]:
    """What was measured, and whether how orientations are told has still to be found."""
    from certify.problems.arms.columns import has_quaternions, names_sockets
    from certify.problems.arms.measurement import QUATERNION, Measurement, Orientation

    kind = _kind(arguments)
    _only(arguments, "points", kind == "position", 1, "--measure position")
    turned = kind in ("pose", "orientation")
    _only(arguments, "orientation", turned, None, "--measure pose or orientation")
    _only(arguments, "on_hand", turned, False, "--measure pose or orientation")
    _only(arguments, "sockets", kind == "socket", 1, "--measure socket")
    _only(arguments, "distance", kind == "socket", [], "--measure socket")
    _within(arguments.points, "--points", MAX_POINTS)
    _within(arguments.sockets, "--sockets", MAX_SOCKETS)
    several = kind == "socket" and arguments.sockets > 1
    named = several and names_sockets(arguments.data[0], arguments.columns)
    if several and not named and len(arguments.data) % arguments.sockets:
        raise InputError(
            f"--sockets {arguments.sockets}, but --data names {len(arguments.data)} files; give one for each socket, "
            f"or a column with the socket's number (--columns 'socket=HEADING')"
        )
    orientation = None
    search = False
    if turned:
        search = arguments.orientation is None and not has_quaternions(arguments.data[0])
        how = "ZYX" if search else arguments.orientation or QUATERNION
        orientation = Orientation.named(how)
    sockets = arguments.sockets if kind == "socket" else 0
    distances = tuple(_distance(text, sockets) for whole in arguments.distance for text in whole.split(","))
    found = Measurement(kind, arguments.points, orientation, arguments.on_hand, sockets, distances, named)
    return found, search


def _centre(measurement: Measurement) -> str:
    """Around which values the box is usual: parts that are fitted apart have no fit in common."""
    return CENTRES[2 if measurement.kind == "pose" else 0 if measurement.has_frames else 1]


def _only(arguments: argparse.Namespace, name: str, fits: bool, default: object, needed: str) -> None:
    if not fits and getattr(arguments, name) != default:
        raise InputError(f"--{name.replace('_', '-')} belongs to {needed}; remove it, or write {needed}")


def _within(value: int, option: str, most: int) -> None:
    if not 1 <= value <= most:
        raise InputError(f"{option} {value} is not between 1 and {most}")


def _distance(text: str, sockets: int) -> Distance:
    """'50 mm', '50 mm +- 0.1 mm' or '1-2 50 mm'."""
    from certify.problems.arms.measurement import Distance
    from certify.problems.formulas.units import Dimension, parse_quantity

    match = re.fullmatch(r"\s*(?:(\d)-(\d)\s+)?(\S+ \w+)\s*(?:\+-\s*(\S+ \w+))?\s*", text)
    if match is None:
        raise InputError(f"--distance {text.strip()!r}: write such as '50 mm', '50 mm +- 0.1 mm' or '1-2 50 mm'")
    first, second = (int(match[1] or 1), int(match[2] or 2)) if match[1] else (1, 2)
    if not (1 <= first < second <= sockets) or (match[1] is None and sockets != 2):
        raise InputError(
            f"--distance {text.strip()!r} is that of sockets {first} and {second}, but there are {sockets}; write "
            f"--sockets, and of more than two which ones: '1-2 50 mm'"
        )
    value = parse_quantity(match[3], Dimension.LENGTH, "--distance").value
    half = parse_quantity(match[4], Dimension.LENGTH, "--distance").value if match[4] else Fraction(0)
    if value <= 0 or half < 0:
        raise InputError(f"--distance {text.strip()!r}: write a positive length, and how far it may be off")
    return Distance(first, second, value, half)


def _started(arguments: argparse.Namespace) -> Answer:
    """Files to begin with, where there are none yet."""
    folder: Path = arguments.out
    if arguments.what == LABORATORY:
        from certify.problems.files.disk import write_text
        from certify.reports.dcc.laboratory import STARTER

        path = folder if folder.suffix == ".toml" else folder / f"{LABORATORY}.toml"
        _require_free(path)
        write_text(path, STARTER)
        text = f"{path} written: fill it in, and go on with 'certify report DIR --laboratory {path}'"
        return Answer(PROVED, text, {"written": [str(path)]})
    from certify.problems.simulation.starters import write_starter

    for name in ("problem.toml", "system.bch", "regressor.csv", "fit.py"):
        _require_free(folder / name)
    written, command = write_starter(arguments.what, folder)
    names = ", ".join(map(str, written))
    return Answer(PROVED, f'{names} written; go on with "{command}"', {"written": list(map(str, written))})


def _require_free(path: Path) -> None:
    if path.exists():
        raise InputError(f"--out {path}: it is there already, and is not overwritten; choose another place")


def _run(arguments: argparse.Namespace) -> Answer:
    if arguments.what != "arm":
        return _started(arguments)
    if not arguments.data:
        raise InputError("where are the measurements? Give --data FILE, a table (CSV); 'certify new --help' says more")
    from certify.arms.new import Asked, new_arm
    from certify.problems.arms.words import FREE
    from certify.problems.formulas.units import parse_decimal

    folder: Path = arguments.out
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file; give a folder")
    arm, source, kind = _arm(arguments)
    measurement, search = _measurement(arguments)
    times = None if arguments.times is None else parse_decimal(arguments.times, "--times")
    if times is not None and not 0 < times <= 100:
        raise InputError(f"--times {arguments.times} is not between 0 and 100; write how many standard deviations")
    asked = Asked(
        arm,
        source,
        tuple(arguments.data),
        folder,
        measurement,
        tuple(arguments.columns),
        arguments.half_width,
        arguments.joint_half_width,
        times,
        {"joint": arguments.joint_unit, "length": arguments.length_unit, "angle": arguments.angle_unit},
        arguments.free or FREE,
        tuple(arguments.fix),
        tuple(arguments.within),
        arguments.redundant,
        arguments.title,
        search,
        kind,
        arguments.centre or _centre(measurement),
    )
    made = new_arm(asked, progress(arguments))
    lines = [
        f"{arm.name}: {len(arm.joints)} joints {arm.way}, {made.poses} poses, {len(made.free)} unknowns.",
        *made.lines,
        f"written to {made.path}; go on with 'certify run {made.path}'",
    ]
    told = {
        "written": str(made.path),
        "joints": [joint.name for joint in arm.joints],
        "poses": made.poses,
        "free": list(made.free),
        "held": list(made.held),
        "estimated_rms_mm": made.placing.rms,
        "estimated_rms_mrad": made.placing.turned,
        "told": list(made.lines),
    }
    return Answer(PROVED, "\n".join(lines), told)


COMMAND = Command(
    "new",
    "write the problem file of a serial arm from its URDF or DH table and its data, or files of a kind to start from",
    "certify new arm --urdf robot.urdf --tip tool0 --data poses.csv --out arm",
    _arguments,
    _run,
)
