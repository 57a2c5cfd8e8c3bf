"""Which mistake makes base and tool alone leave so much: each likely one is undone, and they are placed once more.

The arm stays as it was designed, so that nothing can take the mistake over; a repair is told if what is typically left
(the median over the poses) becomes a fifth or less. All of it is estimated, and no measurement is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from certify.claims.fit_table import repairs_told
from certify.problems.arms.arm import Arm
from certify.problems.arms.measurement import DISTANCE, NUMBER, ORIENTATION, POSE, POSITION, SOCKET, TIPS, Measurement
from certify.problems.arms.placing import (
    GUESSES,
    LEVER,
    Flange,
    Placing,
    flange_frames,
    meet,
    other_frames,
    place,
    rigid,
    settled,
)
from certify.problems.arms.steps import Floats, reading
from certify.problems.errors import InputError
from certify.solvers.advice.repairs import Repair, likely_repairs, repaired
from certify.solvers.advice.wrong_columns import SPARE

POSES = 25  # looked at, at most
BEST = 16  # of positions, which are placed from several guesses: as many as look best
GAIN, ALIKE = 5.0, 2.0  # by which a repair makes it smaller; so many times the least is as good
PLACED, ALONE = "base and tool", {TIPS: "the points that meet", SOCKET: "ball and sockets"}


@dataclass(frozen=True, eq=False)
class Table:
    """The joints and the measured columns of some poses, by name; angles in radians."""

    arm: Arm
    measurement: Measurement
    joints: tuple[Floats, ...]
    measured: Mapping[str, Floats]

    @property
    def columns(self) -> list[tuple[str, str]]:
        """Their names and units, joints first."""
        slides = [joint.slides for joint in self.arm.joints]
        found = [(reading(k), "mm" if slide else "rad") for k, slide in enumerate(slides, 1)]
        places = {name for names in self.measurement.places for name in names} | {"length"}
        turning = self.measurement.orientation
        angles = {} if turning is None else turning.columns
        numbers = {name for name, kind in angles.items() if kind == NUMBER}
        names = [name for name in self.measured if name != SOCKET]
        return found + [(name, "mm" if name in places else "1" if name in numbers else "rad") for name in names]

    def repaired(self, repair: Repair) -> Table:
        """The same with a repair made."""
        names = [name for name, _ in self.columns]
        every = dict(enumerate([*self.joints, *(self.measured[name] for name in names[len(self.joints) :])]))
        found = repaired(every, repair)
        count = len(found[0])
        others = {name: values[:count] for name, values in self.measured.items()}
        measured = others | {name: found[k] for k, name in enumerate(names) if k >= len(self.joints)}
        return replace(self, joints=tuple(found[k] for k in range(len(self.joints))), measured=measured)

    def placing(self) -> Placing:
        """Base and tool."""
        flange, second = flange_frames(self.arm, self.joints), other_frames(self.arm, self.joints)
        return meet(flange, second) if second is not None else place(flange, self.measurement, self.measured)

    def roughly(self) -> float:
        """What the best rigid motion leaves of the first point for one of several guesses of the tool."""
        flange = flange_frames(self.arm, self.joints)
        wanted = np.stack([self.measured[name] for name in self.measurement.places[0]], axis=-1)
        found = []
        for guess in GUESSES:
            points = flange.points(np.array(guess, dtype=float))
            found.append(np.median(np.linalg.norm(rigid(points, wanted).placed(points) - wanted, axis=1)))
        return float(min(found))

    def left(self) -> float:
        """What is typically left: of a pose in mm and, at a lever, of its turn."""
        try:
            if self.measurement.kind == SOCKET:
                return ball_in(flange_frames(self.arm, self.joints), self.measured[SOCKET])[1]
            return typical(self.measurement, self.placing())
        except (InputError, np.linalg.LinAlgError):  # such turns are no rotations
            return np.inf

    def turning(self) -> float:
        """How much the tip is turned from pose to pose: joints that hardly move hold any ball in its socket."""
        rotations = flange_frames(self.arm, self.joints).rotations
        return float(np.linalg.norm(rotations - rotations.mean(axis=0)))


def typical(measurement: Measurement, placing: Placing) -> float:
    """In mm, of orientations alone in mrad."""
    turned = np.zeros(1) if placing.angles is None else placing.angles
    if measurement.kind == ORIENTATION:
        return 1000.0 * float(np.median(turned))
    return float(np.median(placing.misses)) + LEVER * float(np.median(turned))


def mistakes_told(
    arm: Arm,
    measurement: Measurement,
    joints: Sequence[Floats],
    measured: Mapping[str, Floats],
    tell: Callable[[str], None],
) -> list[str]:
    """What is likely to be wrong with the table or the description, in a sentence; nothing, if nothing helps."""
    poses = np.unique(np.linspace(0, len(joints[0]) - 1, min(len(joints[0]), POSES)).astype(int))
    whole = Table(arm, measurement, tuple(joints), measured)
    table = replace(
        whole,
        joints=tuple(values[poses] for values in whole.joints),
        measured={name: values[poses] for name, values in measured.items()},
    )
    if _spare(table) < SPARE:
        return []
    tell("looking for a mistake in the table")
    if measurement.kind == SOCKET and (said := _lacking(table, typical(measurement, table.placing()))):
        return said
    good = _good(table, _first(whole))
    if not good:
        return []
    unit = "mrad" if measurement.kind == ORIENTATION else "mm"
    note = f"turns at a lever of {LEVER:.0f} mm; " if measurement.kind == POSE else ""
    most, before = max(one.left for one in good), min(one.before for one in good)
    changed, hints = repairs_told(table.columns, [one.repair for one in good])
    return [
        f"{changed} {ALONE.get(measurement.kind, PLACED)} alone leave typically {most:.3g} {unit} instead of "
        f"{before:.3g} {unit} ({note}estimated): look {hints}."
    ]


@dataclass(frozen=True, slots=True)
class _Tried:
    """What a repair leaves, of as much before it."""

    left: float
    before: float
    repair: Repair


def _good(table: Table, first: Table) -> list[_Tried]:
    """The repairs that help, the best first, and what is about as good; those of lines are tried on the first poses."""
    count, units = len(table.joints), [unit for _, unit in table.columns]
    repairs = likely_repairs(range(count), range(count, len(units)), units)
    made = [(first if repair.lines else table, repair) for repair in repairs]
    if table.measurement.kind == POSITION:
        made = sorted(made, key=lambda one: one[0].repaired(one[1]).roughly())[:BEST]
    before = {those: those.left() for those, _ in made}
    tried = [
        _Tried(undone.left(), before[those], repair)
        for those, repair in made
        if _moves(undone := those.repaired(repair), those) and _spare(undone) >= SPARE
    ]
    helped = sorted((one for one in tried if one.left * GAIN <= one.before < np.inf), key=lambda one: one.left)
    return [one for one in helped if one.left <= ALIKE * helped[0].left]


def _spare(table: Table) -> int:
    """How many numbers were measured beyond those that are placed: with none any table fits."""
    kind, points, sockets = table.measurement.kind, len(table.measurement.places), table.measurement.sockets
    rows, unknowns = {
        POSITION: (3 * points, 6 + 3 * points),
        POSE: (6, 12),
        DISTANCE: (1, 6),
        SOCKET: (3, 3 + 3 * sockets),
    }.get(kind, (3, 6))
    return rows * len(table.joints[0]) - unknowns


def _moves(repaired_table: Table, table: Table) -> bool:
    """Whether the tip is turned about as much as before: nothing is measured of what stands still."""
    return repaired_table.turning() * ALIKE >= table.turning()


def _first(table: Table) -> Table:
    """The first poses: lines that belong together stand next to each other."""
    return replace(
        table,
        joints=tuple(values[: POSES + 1] for values in table.joints),
        measured={name: values[: POSES + 1] for name, values in table.measured.items()},
    )


def _lacking(table: Table, before: float) -> list[str]:
    """Where the ball is on the tool, if it is not where it was designed."""
    flange, sockets = flange_frames(table.arm, table.joints), table.measured[SOCKET]
    found, left = ball_in(flange, sockets)
    if left * GAIN > before:
        return []
    numbers = ", ".join(f"{value:.1f}" for value in found.tolist())
    return [
        f"with the ball at [{numbers}] mm in the frame of {table.arm.tip} it misses its sockets by typically "
        f"{left:.3g} mm instead of {before:.3g} mm (estimated): look whether the tool is missing in the description."
    ]


def ball_in(flange: Flange, sockets: Floats) -> tuple[Floats, float]:
    """The place of a ball that stays in each socket best, and what is typically left."""
    numbers = np.unique(sockets)

    def miss(x: Floats) -> Floats:
        centres = x[3:].reshape(-1, 3)[np.searchsorted(numbers, sockets)]
        found: Floats = flange.points(x[:3]) - centres
        return found

    x, misses = settled(miss, np.zeros(3 + 3 * len(numbers)))
    return x[:3], float(np.median(np.linalg.norm(misses, axis=1)))
