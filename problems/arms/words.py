"""Which parameters are free, and how far they may be off, in words: --free "base, tool" --within "2 mm, 3 mrad".

Each component of a parameter has words (certify.problems.arms.model); a word that none has is refused with the nearest,
and so is the name of a joint that is the word for something else, too (a first joint that is called joint2, or base).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from certify.problems.arms.measurement import ANGLE, LENGTH
from certify.problems.arms.model import MEETING, Item
from certify.problems.errors import InputError
from certify.problems.formulas.units import UNITS, Dimension, Quantity, nearest, parse_quantity

ALL = "all"
FREE = "base, tool, anchor, sockets, offsets, lengths, tilts"
WITHIN, PLACES_WITHIN, MEETING_WITHIN = "2 mm, 3 mrad", "20 mm", "5 mm"
SHOWN = 6  # parameters in a message
WORDS = (
    "all; base, tool, anchor, sockets, zero; offsets (of encoders), lengths (link translations), tilts (of axes, link "
    "rotations); joint3 or the joint's name; joint3.x, joint3.offset, joint3.tilt.y, base.turn, base.x"
)


@dataclass(frozen=True, slots=True)
class Room:
    """How far lengths and angles may be off."""

    length: Quantity
    angle: Quantity

    def of(self, item: Item) -> Quantity:
        """That of a parameter."""
        return self.length if item.dimension == LENGTH else self.angle


def chosen(items: Sequence[Item], free: str, fixed: Sequence[str]) -> set[str]:
    """The names of the components that are free."""
    found = _named(items, free, "--free")
    if free == FREE:  # what is usual is said of all arms, and not all have each of it
        found = {name for word in FREE.split(", ") for name in _of_word(items, word)}
    for text in fixed:
        found -= _named(items, text, "--fix")
    if not found:
        raise InputError(f"--free {free!r} leaves nothing free; free some of: {WORDS}")
    return found


def _named(items: Sequence[Item], text: str, option: str) -> set[str]:
    if text == FREE:
        return set()
    found: set[str] = set()
    for word in text.split(","):
        own, joint = _of_word(items, word.strip()), _of_joint(items, word.strip())
        if own and joint and own != joint:
            raise InputError(
                f"{option} {text!r}: {word.strip()!r} is a word for {_listed(own)}, and the description's name for "
                f"{_listed(joint)}; name the parameters themselves"
            )
        own |= joint
        if not own:
            known = sorted({ALL, *(word for item in items for words in (*item.words, *item.named) for word in words)})
            raise InputError(
                f"{option} {text!r}: there is no {word.strip()!r}; {nearest(word.strip(), known)} ({WORDS})"
            )
        found |= own
    return found


def _of_word(items: Sequence[Item], word: str) -> set[str]:
    """The components that a word names; answers' own names will do, too."""
    return {
        name
        for item in items
        for name, words in zip(item.numbers, item.words, strict=True)
        if word in words or word in (ALL, name)
    }


def _of_joint(items: Sequence[Item], word: str) -> set[str]:
    """The components that a joint's name in the description names."""
    return {name for item in items for name, words in zip(item.numbers, item.named, strict=False) if word in words}


def _listed(names: set[str]) -> str:
    """Some of them, in their order."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(sorted(names)[:SHOWN]) + more


def rooms(items: Sequence[Item], texts: Sequence[str], roomy: bool) -> Mapping[str, Quantity]:
    """The radius of every component; a text is '2 mm, 3 mrad', or 'base: 50 mm, 20 mrad' for some of them. Sockets,
    anchors and points that meet have more room if it is to be `roomy`: around the description, from which alone they
    are known.
    """
    general = _room(WITHIN, None, "--within")
    own: dict[str, Room] = {}
    if roomy:
        for words, within in ((("sockets", "anchor"), PLACES_WITHIN), ((MEETING,), MEETING_WITHIN)):
            names = {name for word in words for name in _of_word(items, word)}
            own |= dict.fromkeys(names, _room(within, general, "--within"))
    for text in texts:
        word, colon, rest = text.rpartition(":")
        if not colon:
            general = _room(rest, general, "--within")
    for text in texts:
        word, colon, rest = text.rpartition(":")
        if colon:
            names = _named(items, word, "--within")
            own |= dict.fromkeys(names, _room(rest, general, "--within"))
    found = {name: own.get(name, general).of(item) for item in items for name in item.numbers}
    angles = {found[name].unit for item in items if item.dimension == ANGLE for name in item.numbers}
    if len(angles) > 1:
        raise InputError("--within gives angles in deg and in rad, with no exact factor between; use one of them")
    return found


def _room(text: str, general: Room | None, option: str) -> Room:
    """One length, one angle, or both; what is not given stays as it is in general."""
    length, angle = (general.length, general.angle) if general is not None else (None, None)
    for part in text.split(","):
        unit = UNITS.get(part.strip(" ").rpartition(" ")[2])
        if unit is None or unit.dimension not in (Dimension.LENGTH, Dimension.ANGLE):
            raise InputError(f"{option} {text!r}: {part.strip()!r} is no length and no angle; write such as '{WITHIN}'")
        quantity = parse_quantity(part.strip(), unit.dimension, option)
        if quantity.value < 0:
            raise InputError(f"{option} {text!r}: {part.strip()!r} is negative; write how far parameters may be off")
        if unit.dimension == Dimension.LENGTH:
            length = quantity
        else:
            angle = quantity
    zero = Quantity(Fraction(0), "rad")
    return Room(length or Quantity(Fraction(0), "mm"), angle or zero)
