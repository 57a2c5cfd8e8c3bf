"""The H4 (problems/h4): four arms, fourteen parameters, joint angles and motor voltages."""

from certify.problems.dynamics.known_robot import KnownRobot
from certify.problems.dynamics.signal_chain import Chain
from certify.problems.h4.enclosed import enclosed_regressor
from certify.problems.h4.motion import FORM, chosen_motion
from certify.problems.h4.plant import GAIN
from certify.problems.h4.torques import NAMES, UNITS, regressor

ROBOT = KnownRobot(
    title="H4",
    form=FORM,
    names=NAMES,
    units=UNITS,
    nonnegative=NAMES,
    coordinates=(("x", "m"), ("y", "m"), ("z", "m"), ("theta", "rad")),
    rows=regressor,
    simulate=chosen_motion,
    chain=Chain(gain=GAIN),
    bound="1.5 Nm",
    enclosed=enclosed_regressor,
)
