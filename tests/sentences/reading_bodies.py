"""What `certify identify` says of physically consistent parameters and of an arm's base parameters, read back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from statements import NUMBER, Said, Unread, compiled, nothing, number, table_cells

PHYSICAL = "physically consistent (confirmed here, in exact arithmetic)"
ENDS = re.compile(rf"(-oo|{NUMBER}) \.\. (oo|{NUMBER})(?: \S+)?")
PART = re.compile(rf"([+-]) (?:({NUMBER}) )?(\S+)")


def names(text: str) -> tuple[str, ...]:
    """Several of them."""
    return tuple(text.split(", "))


def combination(text: str) -> tuple[tuple[str, Fraction], ...]:
    """'Izz1 + 0.16 m2 - Iyy2' as factors by name."""
    first, _, rest = text.partition(" ")
    found, place = [(first, Fraction(1))], 0
    while place < len(rest):
        match = PART.match(rest, place)
        if match is None:
            raise Unread(f"no template reads {text!r}")
        found.append((match[3], (1 if match[1] == "+" else -1) * Fraction(match[2] or 1)))
        place = match.end() + 1
    return tuple(found)


BODIES = compiled(
    [
        (
            "Physically consistent means that masses, friction and rotors are not negative, and that each body's "
            "pseudo-inertia is positive semidefinite, with m + tr(I)/2 of at most 10000 in kg and m.",
            nothing,
        ),
        (
            "Physically consistent means that masses, friction and rotors are not negative, and that each body's "
            "pseudo-inertia is positive semidefinite, with m + tr(I)/2 of at most 10000 in kg and m. The search box of "
            "these begins at 0 or above: {W}.",
            lambda told: [("never negative", "", names(told))],
        ),
        (
            "Physically consistent means that masses, inertias, friction and rotors are not negative. The search box "
            "of these begins at 0 or above: {W}.",
            lambda told: [("never negative", "", names(told))],
        ),
        (
            "Some parameters that fit every row (witness) are physically consistent (confirmed here, in exact "
            "arithmetic).",
            lambda: [("some are physical", "", ())],
        ),
        (
            "No physically consistent parameters in the search box fit every row within its bound: all bounds must "
            "grow by more than {N} Nm (confirmed here, in exact arithmetic, by rows {W}).",
            lambda grow, _: [("none is physical", "", (number(grow),))],
        ),
        ("Whether any parameters that fit every row are physically consistent is undecided.", nothing),
        (
            "All physically consistent parameters in the search box that fit every row lie in these (confirmed here, "
            "in exact arithmetic; the weights are in result.json).",
            nothing,
        ),
        ("Not all ends of physically consistent parameters were asked for: a limit was reached.", nothing),
        (
            "No physically consistent parameters in the search box fit every row within its bound (confirmed here, in "
            "exact arithmetic, by rows {W} within the intervals).",
            nothing,
        ),
        ("Parameters that torques depend on; R: with others that no motion tells apart (found in floats):", nothing),
        ("  {P} = {W}", lambda name, told: [("combination", name, combination(told))]),
        ("  no torque depends on {W}", lambda told: [("unseen", "", names(told))]),
        (
            "The URDF's own inertials: their {I} values lie in the intervals, each for itself (whether all at once fit "
            "is not said).",
            lambda count: [("URDF inside", "", (int(count),))],
        ),
        (
            "The URDF's own inertials: of their {I} values {I} lie outside of the intervals, where no parameters in "
            "the search box fit every row (proved, hull.cert): {W}.",
            lambda count, wrong, told: [("URDF outside", "", (int(count), int(wrong), *names(told)))],
        ),
    ]
)


def read_physical(lines: list[str]) -> Iterator[Said]:
    """The table of physically consistent parameters."""
    for row in table_cells(lines, right=True):
        match = ENDS.fullmatch(row[PHYSICAL])
        if match is None:
            raise Unread(f"no template reads {row[PHYSICAL]!r}")
        ends = tuple(None if "oo" in text else number(text) for text in match.groups())
        yield Said("physical interval", row["parameter"], ends, str(row))
        share = row["of the interval's width"]
        if share:
            yield Said("share of width", row["parameter"], (number(share), *ends), str(row))


def read_bodies_record(record: dict[str, Any]) -> Iterator[Said]:
    """What the record says of the same."""
    physical = record["physical"]
    if physical is not None:
        for face in physical["faces"]:
            name, end = record["parameters"][face["parameter"] - 1]["name"], Fraction(face["end"])
            yield Said("physical interval", name, (None, end) if face["sign"] > 0 else (end, None), "record")
        if physical["verdict"] == "some are consistent":
            yield Said("some are physical", "", (), "record")
        if physical["verdict"] == "none is consistent":
            yield Said("none is physical", "", (Fraction(physical["bounds_must_grow_by_more_than"]),), "record")
    if record["arm"] is not None:
        for name, parts in record["arm"]["combinations"].items():
            yield Said("combination", name, tuple((k, Fraction(v)) for k, v in parts.items()), "record")
