"""What the steps of encoders leave in the equations of an arm's log: intervals of W, through filters and derivatives.

As of the H4's logs (`dynamics/encoder_errors`): each reading is within half a step of its joint's value, for itself;
the responses of filter and differences say how far q, dq and ddq may be off, Newton-Euler in balls what that is in
each column, and the last filter spreads it. Columns are taken one link after the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from certify.problems.arm_dynamics.arm_enclosed import enclosed_blocks
from certify.problems.arm_dynamics.arm_log import ArmLog
from certify.problems.arm_dynamics.grouping import Grouping
from certify.problems.arm_dynamics.parameters import ArmModel
from certify.problems.dynamics.balls import Balls
from certify.problems.dynamics.encoder_errors import (
    EnclosedRegression,
    filtered_radius,
    reading_errors,
    response,
    with_arithmetic,
)
from certify.problems.dynamics.log_regressor import step_of
from certify.problems.dynamics.signal_chain import Chain, Regression, check_chain, low_pass
from certify.problems.errors import InputError
from certify.problems.formulas.units import shown


def steps_of(text: str, model: ArmModel) -> tuple[float, ...]:
    """The encoders' steps in rad or m: one for all joints, or one for each."""
    words = [word.strip() for word in text.split(",")]
    slides = model.links.slides
    if len(words) == 1 and len(set(slides)) == 1:
        words = words * len(slides)
    if len(words) != len(slides):
        raise InputError(
            f"--encoder-step {shown(text)} has {len(words)} steps; give one for all {len(slides)} joints if they are "
            f"of one kind, or one for each"
        )
    return tuple(step_of(word, slide) for word, slide in zip(words, slides, strict=True))


def enclosed_arm_rows(log: ArmLog, grouped: Grouping, chain: Chain, steps: Sequence[float]) -> EnclosedRegression:
    """The rows of a log whose encoders have these steps."""
    if log.speeds is not None:
        raise InputError(
            "--encoder-step: the log has velocities and accelerations (dq1 .., ddq1 ..) of its own, of which the step "
            "of the encoders says nothing; leave their columns out of the log, so that they are computed, or the option"
        )
    edge, keep = check_chain(chain, log.rate, len(log.times), log.joints.shape[1])
    q = low_pass(log.joints, chain.cut_off, chain.order, log.rate)
    dq = np.gradient(q, 1.0 / log.rate, axis=0)
    ddq = np.gradient(dq, 1.0 / log.rate, axis=0)
    inside = slice(edge // 2, len(q) - edge // 2)
    half = np.array(steps) / 2.0
    radii = [radius[:, None] * half for radius in reading_errors(len(q), 1.0, chain, log.rate)]
    radii = with_arithmetic(radii, log.joints, log.rate)
    motion = [Balls(middle, radius)[inside] for middle, radius in zip((q, dq, ddq), radii, strict=True)]
    first = round(chain.left_out * log.rate) - inside.start
    chosen = slice(first, len(motion[0].middle) - first, keep)
    torques = low_pass(log.torques[inside], chain.cut_off / 2.0, chain.order, log.rate)[chosen]
    matrix, radius = _columns(motion, grouped, chain, log.rate, chosen, torques.shape)
    instants, joints, size = matrix.shape
    times = np.repeat(log.times[inside][chosen], joints)
    rows = Regression(matrix.reshape(-1, size), torques.ravel(), np.tile(np.arange(joints), instants), times)
    still = np.abs(motion[1].middle) <= motion[1].radius
    return EnclosedRegression(rows, radius.reshape(-1, size), int(still[chosen].sum()))


def _columns(
    motion: Sequence[Balls], grouped: Grouping, chain: Chain, rate: float, chosen: slice, shape: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    """The filtered columns that are kept at the instants that are kept, and their radii."""
    found = response(chain.cut_off / 2.0, chain.order, rate)
    matrix, radius = np.zeros((2, *shape, len(grouped.kept)))
    place = {k: position for position, k in enumerate(grouped.kept)}
    for first, joint, columns in enclosed_blocks(grouped.model, *motion):
        kept = [k for k in range(columns.middle.shape[2]) if first + k in place]
        if kept:
            there, part = [place[first + k] for k in kept], columns[:, :, kept]
            last = joint + part.middle.shape[1]
            matrix[:, joint:last, there] = low_pass(part.middle, chain.cut_off / 2.0, chain.order, rate)[chosen]
            radius[:, joint:last, there] = filtered_radius(found, part)[chosen]
    return matrix, radius
