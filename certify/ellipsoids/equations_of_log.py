"""From a log of joint angles and motor voltages to the linear equations of its robot's torques."""

from __future__ import annotations

from pathlib import Path

from certify.problems.dynamics.h4_geometry import CHAINS
from certify.problems.dynamics.joint_log import read_log
from certify.problems.dynamics.signal_chain import Chain, Regression, signal_chain


def equations_of_log(path: str | Path, chain: Chain | None = None) -> Regression:
    """W and Y, with W theta = Y up to model error, of a log (CSV) of the H4; `chain` says how it is filtered.

    The parameters are those of certify/problems/dynamics/h4_torques.py, in its order.
    """
    return signal_chain(read_log(Path(path), CHAINS), chain or Chain())
