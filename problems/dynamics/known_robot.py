"""A robot whose torques are known up to parameters: how a log of it becomes rows, what the columns are, and logs of a
simulated one to try.

A file of `problems/known_robots` ends in `ROBOT = KnownRobot(...)`; its name is that of `--robot`. It is discovered.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from certify.problems.dynamics.encoder_errors import EnclosedRegression, EnclosedRows, enclosed_chain
from certify.problems.dynamics.joint_log import JointLog, LogForm, read_log
from certify.problems.dynamics.signal_chain import Chain, Regression, Rows, signal_chain
from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest, shown
from certify.problems.regressors.physical import Physical, physical
from certify.problems.regressors.regressor import Floats

PACKAGE = "certify.problems.known_robots"


@dataclass(frozen=True, slots=True)
class MotionChoice:
    """Which logs of a simulated robot are asked for: a log for each seed; `noise` is a factor on its deviations, and
    without `unmodelled` the robot has nothing that its model leaves out, as far as that can be; with `multibody` the
    torques are those of a multibody engine along the reference, without control and friction. With `poses`, (samples,
    coordinates), 1000 in a second, the robot follows these instead of motions of its own.
    """

    seconds: float | None = None
    seeds: tuple[int, ...] = (1, 2)
    noise: float = 1.0
    unmodelled: bool = True
    multibody: bool = False
    poses: Floats | None = None


@dataclass(frozen=True, slots=True)
class KnownRobot:
    """`coordinates` are names and units of a pose; `rows` gives W at (q, dq, ddq) for parameters with these names and
    units, `enclosed` the same in balls; `chain` has the robot's own cut-off and gain; `unit` is that of a row, `effort`
    says what a row is about; `nonnegative`: the parameters that no real motor, body or friction has below 0; `bound`:
    one to begin with, for its simulated logs.
    """

    title: str
    form: LogForm
    names: tuple[str, ...]
    units: tuple[str, ...]
    nonnegative: tuple[str, ...]
    coordinates: tuple[tuple[str, str], ...]
    rows: Rows
    simulate: Callable[[MotionChoice], tuple[JointLog, ...]]
    chain: Chain
    bound: str
    unit: str = "Nm"
    effort: str = "torques"
    enclosed: EnclosedRows | None = None

    @property
    def physical(self) -> Physical:
        """What real motors, bodies and friction obey."""
        return physical(self.names, self.nonnegative)

    def chosen(self, chain: Chain | None) -> Chain:
        """A chain, with the robot's own gain where it states none."""
        if chain is None:
            return self.chain
        return replace(chain, gain=self.chain.gain) if chain.gain is None else chain

    def equations(self, path: Path, chain: Chain | None = None) -> Regression:
        """The rows of a log."""
        return signal_chain(read_log(path, self.form), self.chosen(chain), self.rows)

    def enclosed_equations(self, path: Path, chain: Chain, step: float) -> EnclosedRegression:
        """The rows of a log whose encoders have this step, in rad or m."""
        if self.enclosed is None:
            raise InputError(
                f"--encoder-step: what it leaves in the columns of the {self.title} is not worked out; leave it out, "
                f"and let the bound hold it"
            )
        return enclosed_chain(read_log(path, self.form), self.chosen(chain), step, self.enclosed)


def known_names() -> tuple[str, ...]:
    """The robots that there are: the files of problems/known_robots."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)))


def known_robot(name: str) -> KnownRobot:
    """The robot with this name."""
    if name not in known_names():
        raise InputError(f"--robot {shown(name)}: no torques of it are known; {nearest(name, known_names())}")
    robot: KnownRobot = importlib.import_module(f"{PACKAGE}.{name}").ROBOT
    return robot
