"""What a canonical problem says, read from its text by the letter of the specification: no line of the project's
parsers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class CanonicalText:
    """Unknowns with units and bounds, columns with their entries, and groups with rows and bindings, by name and in
    order; `rest` is every line but those of the entries.
    """

    digest: str
    unknowns: Mapping[str, tuple[str, Ends]]
    columns: Mapping[str, tuple[Ends, ...]]
    groups: Mapping[str, tuple[int, tuple[str, ...]]]
    rest: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The rows of all groups."""
        return sum(rows for rows, _ in self.groups.values())

    def measured(self, scope: tuple[str, ...]) -> set[str]:
        """The columns that the groups of a scope use."""
        names = list(self.columns)
        return {names[int(word[1:])] for group in scope for word in self.groups[group][1] if word.startswith("c")}

    def box(self, scope: tuple[str, ...]) -> dict[int, Ends]:
        """The bounds of the unknowns that the groups of a scope use, by their numbers."""
        used = {int(word[1:]) for group in scope for word in self.groups[group][1] if word.startswith("v")}
        bounds = [ends for _, ends in self.unknowns.values()]
        return {number: bounds[number] for number in sorted(used)}


def read_canonical(path: Path) -> CanonicalText:
    """Block after block; entries are the lines below their column."""
    lines = path.read_text("ascii").split("\n")
    unknowns: dict[str, tuple[str, Ends]] = {}
    columns: dict[str, tuple[Ends, ...]] = {}
    rest, place = [lines[0], lines[1]], 2
    for _ in range(int(lines[1].split(" ")[1])):
        name, unit, low, high = lines[place].split(" ")
        unknowns[name] = unit, (Fraction(low), Fraction(high))
        rest.append(lines[place])
        place += 1
    rest.append(lines[place])
    count, place = int(lines[place].split(" ")[1]), place + 1
    for _ in range(count):
        _, name, _, entries = lines[place].split(" ")
        told = [line.split(" ") for line in lines[place + 1 : place + 1 + int(entries)]]
        columns[name] = tuple((Fraction(low), Fraction(high)) for low, high in told)
        rest.append(lines[place])
        place += 1 + int(entries)
    rest += lines[place:]
    first = next(k for k in range(place, len(lines)) if lines[k].startswith("families ")) + 1
    groups = [line.split(" ") for line in lines[first : lines.index("end", first)]]
    return CanonicalText(
        hashlib.sha256(path.read_bytes()).hexdigest(),
        unknowns,
        columns,
        {name: (int(rows), tuple(bindings)) for name, _, rows, *bindings in groups},
        tuple(rest),
    )


def times_as_wide(narrow: CanonicalText, wide: CanonicalText) -> Fraction | None:
    """The factor on all half-widths that makes one problem the other, if nothing else differs."""
    if narrow.rest != wide.rest:
        return None
    pairs = [(a, b) for name in narrow.columns for a, b in zip(narrow.columns[name], wide.columns[name], strict=True)]
    factors = {(b[1] - b[0]) / (a[1] - a[0]) for a, b in pairs if a[0] < a[1]}
    same = all(a[0] + a[1] == b[0] + b[1] and (a[0] < a[1] or a == b) for a, b in pairs)
    return factors.pop() if same and len(factors) == 1 else None
