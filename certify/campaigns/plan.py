"""campaign.toml: which problems a campaign asks, as a product of lists.

    title = "Two robots, ten seeds"
    time_limit = 600             seconds for each problem (default 3600)
    node_limit = 20000           halvings of boxes in each search of a robot's part

    [[problems]]
    robot = ["planar_3rpr", "delta"]       simulated, with error, size, noise, seed
    error = ["none", "backlash"]
    seed = "1..10"
    gap = ["1e-3", "1e-6"]                 also epsilon, method

    [[problems]]
    file = "curves/*.bch"                  or problem.toml files; below the folder of campaign.toml
    width = "1e-8"

    [[problems]]
    file = "circle.bch"
    share = "1..4/4"                       of four parts of its box, each proved in pieces

Every entry may be a list; every combination is a task, in the order of the file.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.problems.errors import InputError
from certify.problems.files.disk import is_there, neighbour
from certify.problems.files.sections import Section, read_sections
from certify.problems.formulas.units import described, shown
from certify.solvers.journal.plain import Plain

KEYS = ("file", "robot", "error", "size", "noise", "seed", "gap", "epsilon", "method", "width", "share")
SIMULATED = ("error", "size", "noise", "seed")
MOST_TASKS, MOST_VALUES, LONGEST = 100_000, 100_000, 200
TIME_LIMIT, NODE_LIMIT = 3600.0, 20_000
LARGE = 1e15  # limits beyond it are none, or none that a double holds


@dataclass(frozen=True, slots=True)
class Task:
    """One problem and how it is asked; `source` is the file, and empty where a robot is simulated."""

    number: int
    settings: tuple[tuple[str, str], ...]
    source: str
    time_limit: float
    node_limit: int

    def get(self, key: str) -> str:
        """A setting, empty if it is not given."""
        return dict(self.settings).get(key, "")

    @property
    def name(self) -> str:
        """What messages call it."""
        return " ".join(value for _, value in self.settings)


CODEC = Plain(Task)


@dataclass(frozen=True, slots=True)
class Plan:
    """A whole campaign."""

    title: str
    tasks: tuple[Task, ...]


def read_plan(path: Path) -> Plan:
    """The campaign in a file. Raises InputError."""
    whole = read_sections(path, "campaign")
    whole.only(("title", "time_limit", "node_limit", "problems"))
    title = whole.text("title") if "title" in whole.entries else path.stem
    seconds, nodes = _positive(whole, "time_limit", TIME_LIMIT), _positive(whole, "node_limit", NODE_LIMIT)
    if not isinstance(nodes, int):
        raise InputError(f"{whole.at('node_limit')} is {shown(str(nodes))}; write a whole number such as {NODE_LIMIT}")
    listed = whole.value("problems")
    if not isinstance(listed, list) or not listed:
        raise InputError(f"{whole.at('problems')} is {described(listed)}; write [[problems]] and its entries below")
    found: list[Task] = []
    for number, entries in enumerate(listed, 1):
        if not isinstance(entries, dict):
            raise InputError(f"problems {number} is {described(entries)}; write [[problems]] and its entries below")
        section = Section(f"problems {number}: ", entries)
        for settings, source in _combinations(section, path):
            if len(found) >= MOST_TASKS:
                raise InputError(f"campaign {path}: it has more than {MOST_TASKS} tasks; split it")
            found.append(Task(len(found) + 1, settings, source, float(seconds), nodes))
    return Plan(title, tuple(found))


def _positive(section: Section, key: str, otherwise: float | int) -> float | int:
    value = section.entries.get(key, otherwise)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < LARGE:
        raise InputError(f"{section.at(key)} is {described(value)}; write a positive number such as {otherwise}")
    return value


def _combinations(section: Section, path: Path) -> Iterator[tuple[tuple[tuple[str, str], ...], str]]:
    """The settings of each task, and its file."""
    section.only(KEYS)
    if ("file" in section.entries) == ("robot" in section.entries):
        raise InputError(f"{section.place}give either file or robot")
    if "file" in section.entries and any(key in section.entries for key in SIMULATED):
        raise InputError(f"{section.place}{', '.join(SIMULATED)} belong to robots that are simulated, not to files")
    if "gap" in section.entries and "epsilon" in section.entries:
        raise InputError(f"{section.place}gap bounds the smallest model error, epsilon decides at one; give one")
    values = {key: _values(section, key) for key in KEYS if key in section.entries}
    if "file" in values:
        values["file"] = [name for pattern in values["file"] for name in _files(pattern, path, section.at("file"))]
    if math.prod(len(some) for some in values.values()) > MOST_TASKS:
        raise InputError(f"{section.place}these are more than {MOST_TASKS} combinations; split them")
    for chosen in itertools.product(*values.values()):
        settings = tuple(zip(values, chosen, strict=True))
        yield settings, str(neighbour(path, chosen[0], section.place)) if "file" in values else ""


def _values(section: Section, key: str) -> list[str]:
    """The values of an entry, as texts."""
    given = section.value(key)
    if key == "seed" and isinstance(given, str) and ".." in given:
        return _range(given, section.at(key))
    if key == "share" and isinstance(given, str) and ".." in given:
        numbers, _, count = given.partition("/")
        return [f"{number}/{count}" for number in _range(numbers, section.at(key))]
    found = given if isinstance(given, list) else [given]
    if not 0 < len(found) <= MOST_VALUES:
        raise InputError(f"{section.at(key)} has {len(found)} values; write one to {MOST_VALUES}")
    return [_value(value, section.at(key)) for value in found]


def _value(value: Any, place: str) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InputError(f"{place} is {described(value)}; write a text, a number, or a list of them")
    text = value if isinstance(value, str) else str(value)
    if not text or len(text) > LONGEST or not text.isprintable():
        raise InputError(f"{place} is {shown(text)}; write one line of at most {LONGEST} characters")
    return text


def _range(text: str, place: str) -> list[str]:
    first, _, last = text.partition("..")
    if not (first.isascii() and first.isdigit() and last.isascii() and last.isdigit() and len(text) < 40):
        raise InputError(f"{place} is {shown(text)}; write a range of whole numbers such as '1..10'")
    if not 0 <= int(last) - int(first) < MOST_VALUES:
        raise InputError(f"{place} is {shown(text)}; write one to {MOST_VALUES} seeds, the smallest first")
    return [str(seed) for seed in range(int(first), int(last) + 1)]


def _files(pattern: str, path: Path, place: str) -> list[str]:
    """The files that a pattern means, below the campaign's folder, by their names."""
    if not any(letter in pattern for letter in "*?["):
        names = [pattern]
    else:
        neighbour(path, pattern, place)
        if "**" in pattern or pattern.endswith("."):
            raise InputError(f"{place}: {shown(pattern)} is no pattern of ours; name folders, and files by * ? or [ab]")
        found = itertools.islice(path.parent.glob(pattern), MOST_TASKS)
        names = sorted(one.relative_to(path.parent).as_posix() for one in found)
    for name in names:
        if not is_there(neighbour(path, name, place)):
            raise InputError(f"{place}: there is no file {shown(name)}; check the name, or give a pattern '*.bch'")
    if not names:
        raise InputError(f"{place}: no file is meant by {shown(pattern)}; check the pattern")
    return names
