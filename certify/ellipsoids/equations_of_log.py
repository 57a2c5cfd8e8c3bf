"""From a log of a robot's joints and what drives them to the linear equations of its torques."""

from __future__ import annotations

from pathlib import Path

from certify.problems.dynamics.known_robot import known_robot
from certify.problems.dynamics.signal_chain import Chain, Regression


def equations_of_log(path: str | Path, chain: Chain | None = None, robot: str = "h4") -> Regression:
    """W and Y, with W theta = Y up to model error, of a log (CSV) of a robot whose torques are known; `chain` says how
    it is filtered.

    The parameters are those of the robot's file in certify/problems/known_robots, in its order.
    """
    return known_robot(robot).equations(Path(path), chain)
