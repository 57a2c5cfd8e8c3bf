"""Groups: rows that are within epsilon together, as the coordinates of a pose are.

A group joins families that have equally many rows. Its member K are the rows K of all of them, and the error of a
member is the largest |r| of its rows, or the root of the sum of their r^2: where r = f(x) - m, and m lies in a box that
no other row reads, that is the distance of f(x) from the box.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from certify.problems.errors import InputError

LARGEST, EUCLIDEAN = "largest", "euclidean"
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,55}", re.ASCII)  # it names files
NORMS = (LARGEST, EUCLIDEAN)


@dataclass(frozen=True, slots=True)
class Group:
    """Families by their names; a member's error is the `largest` |r| of its rows, or `euclidean`."""

    name: str
    families: tuple[str, ...]
    norm: str = LARGEST


def check_groups(families: Mapping[str, tuple[int, str, str]], groups: Sequence[Group]) -> None:
    """Raise InputError unless each group joins families that there are, in their order, with equally many rows, of one
    unit and of the role `model`, and no family stands in two groups; families tell their rows, unit and role.
    """
    places = {name: number for number, name in enumerate(families)}
    taken: dict[str, str] = {}
    for number, group in enumerate(groups):
        if _NAME.fullmatch(group.name) is None or group.name in [other.name for other in groups[:number]]:
            raise InputError(
                f"a group is called {group.name!r}; write a letter, then at most 55 letters, digits, '_', '.' or '-', "
                f"and call each group differently"
            )
        if group.norm not in NORMS:
            raise InputError(f"group {group.name} has the norm {group.norm!r}; choose {' or '.join(NORMS)}")
        if not group.families:
            raise InputError(f"group {group.name} has no families; name at least one")
        for name in group.families:
            if name not in places:
                raise InputError(f"group {group.name} names the family {name!r}; the problem has {', '.join(places)}")
            if name in taken:
                raise InputError(f"family {name} stands in the groups {taken[name]} and {group.name}; leave it in one")
            taken[name] = group.name
        numbers = [places[name] for name in group.families]
        if numbers != sorted(numbers):
            raise InputError(f"group {group.name} names its families out of the problem's order; name them in order")
        for what, place in (("numbers of rows", 0), ("units", 1)):
            found = [str(families[name][place]) for name in group.families]
            if len(set(found)) > 1:
                raise InputError(
                    f"the families of group {group.name} have different {what} ({', '.join(found)}); they must agree"
                )
        for name in group.families:
            role = families[name][2]
            if role != "model":
                raise InputError(
                    f"family {name} of group {group.name} has the role {role}; only errors of a model can stand in "
                    f"a group"
                )
