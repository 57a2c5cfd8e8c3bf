"""The entries of a TOML file, each with the place that a message about it names."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.problems.errors import InputError
from certify.problems.files.disk import read_text
from certify.problems.formulas.units import Dimension, Quantity, described, nearest, parse_quantity, shown

MAX_TEXT = 1000
MAX_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Section:
    """A table of the file, where it stands, and its entries."""

    place: str
    entries: Mapping[str, Any]

    def at(self, key: str) -> str:
        """Where an entry stands."""
        return f"{self.place}{key}"

    def only(self, known: Iterable[str]) -> None:
        """Refuse an entry that nobody would read."""
        names = list(known)
        for key in self.entries:
            if key not in names:
                raise InputError(
                    f"{self.at(key if key.isascii() and key.isidentifier() else shown(key))} is not known here; "
                    f"{nearest(key, names)}"
                )

    def value(self, key: str) -> Any:
        """An entry that must be there."""
        if key not in self.entries:
            raise InputError(f"{self.at(key)} is missing; add it")
        return self.entries[key]

    def text(self, key: str) -> str:
        """An entry that is one line of text."""
        value = self.value(key)
        if not isinstance(value, str) or not value or len(value) > MAX_TEXT or not value.isprintable():
            raise InputError(
                f"{self.at(key)} is {described(value)}; write one line of text in quotes, at most {MAX_TEXT} characters"
            )
        return value

    def quantity(self, key: str, dimension: Dimension) -> Quantity:
        """An entry that is a number with its unit, in quotes."""
        return parse_quantity(self.value(key), dimension, self.at(key))

    def quantities(self, key: str, names: tuple[str, ...], dimension: Dimension) -> list[Quantity]:
        """An entry that is a list of numbers with their units, one for each name."""
        items = self.value(key)
        if not isinstance(items, list) or len(items) != len(names):
            raise InputError(
                f'{self.at(key)} is {described(items)}; write a list of {len(names)} quantities, such as ["1.5 '
                f'mm", ...]'
            )
        return [parse_quantity(item, dimension, self.at(name)) for name, item in zip(names, items, strict=True)]

    def section(self, key: str) -> Section:
        """An entry that is a table."""
        value = self.value(key)
        if not isinstance(value, dict):
            raise InputError(f"{self.at(key)} is {described(value)}, not a table; write [{key}] and its entries below")
        return Section(f"{self.place}{key}.", value)


def read_sections(path: Path, what: str) -> Section:
    """The whole of a TOML file; `what` names it in messages."""
    text = read_text(path, what, MAX_BYTES)
    try:
        return Section(f"{what} {path}: ", tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{what} {path}: {error}; it is not valid TOML there") from error
    except (RecursionError, ValueError) as error:
        raise InputError(
            f"{what} {path}: it is nested too deeply or holds too long a number; keep to the format's entries"
        ) from error
