"""From a log of an arm to the equations W theta = Y of its base parameters: the signal chain of the H4's logs.

    q           low-pass (Butterworth, forwards and backwards);  dq, ddq: central differences of it
                (where the log has dq and ddq, all three are taken as they are)
    W, Gamma    a low-pass of half the cut-off on both sides, then some 1.25 times the cut-off samples in a second are
                kept; the first and last ones are left out

Columns are filtered one link after the other, so that memory holds the kept rows and little else.
"""

from __future__ import annotations

import numpy as np

from certify.problems.arm_dynamics.arm_log import ArmLog
from certify.problems.arm_dynamics.grouping import Grouping
from certify.problems.arm_dynamics.links import Floats
from certify.problems.dynamics.signal_chain import Chain, Regression, check_chain, low_pass


def arm_rows(log: ArmLog, grouped: Grouping, chain: Chain) -> Regression:
    """The rows of a log: for each kept instant one for each joint."""
    edge, keep = check_chain(chain, log.rate, len(log.times), log.joints.shape[1])
    q, dq, ddq = _motion(log, chain)

    def kept(signals: Floats) -> Floats:
        return low_pass(signals, chain.cut_off / 2.0, chain.order, log.rate)[edge : len(signals) - edge : keep]

    torques = kept(log.torques)
    matrix = np.zeros((*torques.shape, len(grouped.kept)))
    place = {k: position for position, k in enumerate(grouped.kept)}
    for first, joint, columns in grouped.model.blocks(q, dq, ddq):
        chosen = [k for k in range(columns.shape[2]) if first + k in place]
        if chosen:
            there = [place[first + k] for k in chosen]
            matrix[:, joint : joint + columns.shape[1], there] = kept(columns[:, :, chosen])
    instants, joints, size = matrix.shape
    times = np.repeat(log.times[edge : len(log.times) - edge : keep], joints)
    return Regression(matrix.reshape(-1, size), torques.ravel(), np.tile(np.arange(joints), instants), times)


def _motion(log: ArmLog, chain: Chain) -> tuple[Floats, Floats, Floats]:
    if log.speeds is not None and log.accelerations is not None:
        return log.joints, log.speeds, log.accelerations
    q = low_pass(log.joints, chain.cut_off, chain.order, log.rate)
    dq = np.gradient(q, 1.0 / log.rate, axis=0)
    return q, dq, np.gradient(dq, 1.0 / log.rate, axis=0)
