"""The Par4 robot of S4: the closure of the H4, with a parallelogram for a nacelle and four actuators that stand evenly
around it.

The travelling plate's two main parts are carried along by bars that turn by theta, so that its joints lie at D + h (cos
theta, sin theta, 0) + e as those of the H4 do (S4 section II). S4 gives no dimensions; these are ours: actuators at 45,
135, 225 and 315 degrees on a circle of 275 mm, arms of 375 mm and forearms of 825 mm, bars of 2 h = 80 mm.
"""

from math import cos, radians, sin

from certify.problems.platforms.h4 import DEVIATIONS, MODEL, RADIUS
from certify.problems.simulation.platform import Platform

CHAINS = ((45, 40, 45), (135, -40, 45), (225, -40, -45), (315, 40, -45))  # direction of the actuator, h, and the y of e


def _chain(direction: int, h: int, y: int) -> tuple[str, ...]:
    axis = (f"{275 * cos(radians(direction)):.3f} mm", f"{275 * sin(radians(direction)):.3f} mm", "0 mm")
    return (*axis, "0 mm", f"{y} mm", "0 mm", f"{direction} deg", f"{h} mm", "375 mm", "0 mm", "825 mm")


PLATFORM = Platform(
    title="Par4 robot, 48 poses",
    source="Par4 robot (Nabat et al. 2006) of invented dimensions",
    model=MODEL,
    blueprint=tuple(_chain(*chain) for chain in CHAINS),
    radius=RADIUS,
    spread=1.5,
    workspace={"x": (-300.0, 300.0), "y": (-300.0, 300.0), "z": (-950.0, -750.0), "theta": (-40.0, 40.0)},
    poses=48,
    deviations=DEVIATIONS,
    start=30.0,
)
