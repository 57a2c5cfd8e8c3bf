"""The robots whose motions can be designed by name."""

from __future__ import annotations

from collections.abc import Callable

from certify.problems.motions.excited import Excited
from certify.problems.motions.h4_motion import h4_excited
from certify.problems.motions.palida_motion import palida_excited
from certify.problems.motions.par4_motion import par4_excited

ROBOTS: dict[str, Callable[[], Excited]] = {"h4": h4_excited, "palida": palida_excited, "par4": par4_excited}
