"""The parameters of an arm's torques by name, and their columns: ten of each link, friction and rotors of each joint.

m1 mx1 my1 mz1 Ixx1 ... Izz1    of link 1: mass, first moments m c, inertia about the origin of joint 1's frame
Fv1 dq1 + Fc1 sign(dq1)         friction of joint 1, viscous and Coulomb's
off1                            an offset of its torque, if asked for
Ia1 ddq1                        the inertia of its rotor behind the gear, if asked for
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from certify.problems.arm_dynamics.links import Floats, Links
from certify.problems.arm_dynamics.newton_euler import link_columns
from certify.problems.regressors.physical import BODY

UNITS_OF_A_LINK = ("kg", *["kg.m"] * 3, *["kg.m^2"] * 6)
TURNING = {"Fv": "Nms/rad", "Fc": "Nm", "off": "Nm", "Ia": "kg.m^2"}
SLIDING = {"Fv": "Ns/m", "Fc": "N", "off": "N", "Ia": "kg"}
POSITIVE = ("Fv", "Fc", "Ia")
WIDE = len(BODY)


@dataclass(frozen=True, eq=False)
class ArmModel:
    """The links of an arm, and what its joints' torques have beside."""

    links: Links
    offset: bool = False
    rotor: bool = False

    @property
    def of_a_joint(self) -> tuple[str, ...]:
        """What each joint has of its own."""
        return ("Fv", "Fc", *(["off"] if self.offset else []), *(["Ia"] if self.rotor else []))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All parameters: those of links, link by link, and of joints, kind by kind."""
        numbers = range(1, self.links.count + 1)
        links = [f"{name}{k}" for k in numbers for name in BODY]
        return (*links, *(f"{name}{k}" for name in self.of_a_joint for k in numbers))

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Theirs."""
        joints = [(SLIDING if s else TURNING)[name] for name in self.of_a_joint for s in self.links.slides]
        return (*UNITS_OF_A_LINK * self.links.count, *joints)

    @property
    def torque_units(self) -> tuple[str, ...]:
        """By joint, of the rows."""
        return tuple("N" if slides else "Nm" for slides in self.links.slides)

    def blocks(self, q: Floats, dq: Floats, ddq: Floats) -> Iterator[tuple[int, int, Floats]]:
        """The columns, some at a time: the number of the first one, the first joint that has them, and their values,
        (samples, joints, columns); in the rows of other joints they are 0.
        """
        for k, columns in enumerate(link_columns(self.links, q, dq, ddq)):
            yield WIDE * k, 0, columns
        first, count = WIDE * self.links.count, self.links.count
        signals: dict[str, Floats] = {"Fv": dq, "Fc": np.sign(dq), "off": np.ones_like(dq), "Ia": ddq}
        for kind, name in enumerate(self.of_a_joint):
            for k in range(count):
                yield first + kind * count + k, k, signals[name][:, k, None, None]

    def matrix(self, q: Floats, dq: Floats, ddq: Floats) -> Floats:
        """All columns at once, (samples, joints, parameters): for few samples."""
        found = np.zeros((*q.shape, len(self.names)))
        for first, joint, columns in self.blocks(q, dq, ddq):
            found[:, joint : joint + columns.shape[1], first : first + columns.shape[2]] = columns
        return found
