"""The Par4 (problems/par4): four arms, six parameters, joint angles and motor voltages with gains measured at rest."""

from certify.problems.dynamics.known_robot import KnownRobot
from certify.problems.dynamics.signal_chain import Chain
from certify.problems.par4.motion import FORM, GAINS, chosen_motion
from certify.problems.par4.torques import NAMES, UNITS, regressor

ROBOT = KnownRobot(
    title="Par4",
    form=FORM,
    names=NAMES,
    units=UNITS,
    nonnegative=NAMES,
    coordinates=(("x", "m"), ("y", "m"), ("z", "m"), ("theta", "rad")),
    rows=regressor,
    simulate=chosen_motion,
    chain=Chain(gain=GAINS),
    bound="3 Nm",
)
