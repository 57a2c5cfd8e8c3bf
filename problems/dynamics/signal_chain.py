"""From a log to the equations W theta = Y: the signal chain of S0 and S3, without delay.

    q           low-pass (Butterworth, forwards and backwards)
    dq, ddq     central differences of it
    Gamma       gain times what drives the joints
    W, Gamma    a low-pass of half the cut-off on each column of W and on Gamma ("parallel filtering"), then so many
                samples that 1.25 times the cut-off are left in a second: what filters both sides alike leaves the
                equation true

The first and last samples, where a filter knows one side only, are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from certify.problems.dynamics.joint_log import JointLog
from certify.problems.errors import InputError
from certify.problems.regressors.regressor import Floats

Rows = Callable[[Floats, Floats, Floats], Floats]
Gain = float | tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """The cut-off of joint angles in Hz, the torque of a volt in N m (one for all joints or one for each; None: that of
    the robot, or 1 where no robot is known), the filters' order, and the seconds left out at each end.
    """

    cut_off: float = 40.0
    gain: Gain | None = None
    order: int = 4
    left_out: float = 0.15

    def torques(self, drives: Floats) -> Floats:
        """What the drives do, (samples, joints)."""
        return np.asarray(np.array(1.0 if self.gain is None else self.gain) * drives)

    def kept(self, rate: float) -> int:
        """Every how many-th sample is kept."""
        return max(1, round(rate / (1.25 * self.cut_off)))


@dataclass(frozen=True, slots=True)
class Regression:
    """W, (rows, p), and Y in N m, (rows,): for each kept instant one row for each joint; their joints, from 0, and
    times in s.
    """

    matrix: Floats
    torques: Floats
    joints: npt.NDArray[np.int64]
    times: Floats


def signal_chain(log: JointLog, chain: Chain, rows: Rows) -> Regression:
    """The equations of a log; `rows` gives W at (q, dq, ddq)."""
    edge, keep = check_chain(chain, log.rate, len(log.times), log.joints.shape[1])
    q = low_pass(log.joints, chain.cut_off, chain.order, log.rate)
    dq = np.gradient(q, 1.0 / log.rate, axis=0)
    ddq = np.gradient(dq, 1.0 / log.rate, axis=0)
    both = np.concatenate([rows(q, dq, ddq), chain.torques(log.drives)[..., None]], axis=-1)
    both = low_pass(both, chain.cut_off / 2.0, chain.order, log.rate)[edge : len(both) - edge : keep]
    instants, joints, width = both.shape
    flat = both.reshape(-1, width)
    times = np.repeat(log.times[edge : len(log.times) - edge : keep], joints)
    return Regression(flat[:, :-1].copy(), flat[:, -1].copy(), np.tile(np.arange(joints), instants), times)


def check_chain(chain: Chain, rate: float, samples: int, joints: int) -> tuple[int, int]:
    """How many samples are left out at each end, and every how many-th is kept; raises InputError where the filters
    cannot work.
    """
    gains = np.atleast_1d(1.0 if chain.gain is None else chain.gain)
    told = ", ".join(f"{gain:g}" for gain in gains)
    if not (chain.cut_off > 0 and (gains != 0).all() and np.isfinite([chain.cut_off, *gains]).all()):
        raise InputError(
            f"a cut-off of {chain.cut_off:g} Hz and a gain of {told} (torque or force for a unit of what drives a "
            f"joint) filter nothing; give a positive cut-off such as 40 and the gain that was calibrated"
        )
    if len(gains) not in (1, joints):
        raise InputError(f"a gain of {told} is for {len(gains)} joints; give one for all {joints}, or {joints} of them")
    edge, keep = round(chain.left_out * rate), chain.kept(rate)
    if 2.2 * chain.cut_off > rate:
        raise InputError(
            f"the log has {rate:.6g} samples in a second; the filter at {chain.cut_off:g} Hz needs at least "
            f"{2.2 * chain.cut_off:g}: record faster or lower the cut-off"
        )
    if samples < 4 * edge + keep:
        raise InputError(
            f"the log has {samples} samples; at {rate:.6g} Hz the filters need at least "
            f"{4 * edge + keep}: record a longer motion"
        )
    return edge, keep


def low_pass(signals: Floats, cut_off: float, order: int, rate: float) -> Floats:
    """Signals along the first axis through a Butterworth filter, forwards and backwards: no phase is shifted."""
    from scipy.signal import butter, sosfiltfilt

    sections = butter(order, cut_off, fs=rate, output="sos")
    found: Floats = np.asarray(sosfiltfilt(sections, signals, axis=0), dtype=np.float64)
    return found
