"""Small experiments whose answers are known exactly, written as a user would write them: problem.toml and poses.csv."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from curved_truth import CurvedPart
from linear_truth import Ends, LinearPart

TOGETHER = "platform"
TIMES = {
    "mm": Fraction(1),
    "um": Fraction(1000),
    "m": Fraction(1, 1000),
    "1": Fraction(1),
    "deg": Fraction(1),
    "rad": Fraction(1),
}
DEVIATIONS = ["1 standard deviation", "2 standard deviations", "2.5 standard deviations", "3 standard deviations"]
Truth = LinearPart | CurvedPart


@dataclass(frozen=True)
class PlantedExperiment:
    """The two files, the unit of the rows, the unknowns of each leg (those in `common` are of all), and what is true
    of any group of legs.

    `formula` encloses a leg's equation at values of the unknowns and of the columns, by their names.
    """

    problem: str
    table: str
    unit: str
    unknowns: Sequence[Sequence[str]]
    truth: Callable[[Sequence[int], Mapping[str, Ends]], Truth]
    formula: Callable[[int, Mapping[str, Fraction]], Ends]
    blueprint: Mapping[str, Fraction] = field(default_factory=dict)
    radii: Mapping[str, Fraction] = field(default_factory=dict)
    poses: int = 0
    kind: str = ""
    halves: Mapping[str, Sequence[Fraction]] = field(default_factory=dict)  # of the columns
    joint: bool = False  # whether all legs are one part, whose rows use columns together

    def legs(self, part: str) -> list[int]:
        """The numbers of the legs of a part, from its name."""
        return (
            list(range(len(self.unknowns)))
            if part == TOGETHER
            else [int(leg.removeprefix("leg")) - 1 for leg in part.split("+")]
        )

    def uncertain(self, part: str) -> int:
        """How many readings of a part are not exact, each counted once."""
        own = tomllib.loads(self.problem)["model"].get("leg_columns", {})
        others = {f"{name}{leg + 1}" for name in own for leg in range(len(self.unknowns)) if leg not in self.legs(part)}
        return sum(half > 0 for name, halves in self.halves.items() if name not in others for half in halves)

    def sorts(self, part: str) -> dict[str, int]:
        """How many uncertain readings of a part have half-widths of which sort; each is as the run tells it."""
        own = tomllib.loads(self.problem)["model"].get("leg_columns", {})
        others = {f"{name}{leg + 1}" for name in own for leg in range(len(self.unknowns)) if leg not in self.legs(part)}
        found: dict[str, int] = {}
        for name, halves in self.halves.items():
            count = sum(half > 0 for half in halves)
            if name not in others and count:
                sort = self.said(name) or "not stated (taken as bounds)"
                found[sort] = found.get(sort, 0) + count
        return found

    def said(self, column: str) -> str:
        """What the problem file says of a column's half-widths."""
        told = tomllib.loads(self.problem).get("half_widths_are", "")
        return str(told.get(column, "")) if isinstance(told, dict) else str(told)

    @property
    def by_column(self) -> bool:
        """Whether columns differ in what is said of them."""
        return isinstance(tomllib.loads(self.problem).get("half_widths_are"), dict)

    def box(self, centre: Mapping[str, Fraction]) -> dict[str, Ends]:
        """The search box around this centre."""
        return {name: (centre[name] - radius, centre[name] + radius) for name, radius in self.radii.items() if radius}

    def scaled(self, factor: Fraction) -> PlantedExperiment:
        """The same with half-widths so many times as wide, of straight lines."""

        def truth(legs: Sequence[int], box: Mapping[str, Ends]) -> LinearPart:
            found = self.truth(legs, box)
            assert isinstance(found, LinearPart)
            return found.scaled(factor)

        halves = {name: [factor * half for half in column] for name, column in self.halves.items()}
        return replace(self, truth=truth, halves=halves)

    def part(self, name: str, box: Mapping[str, Ends]) -> Truth:
        """What is true of a part."""
        legs = self.legs(name)
        used = {unknown for leg in legs for unknown in self.unknowns[leg]}
        return self.truth(legs, {unknown: ends for unknown, ends in box.items() if unknown in used})


def shown(value: Fraction) -> str:
    """An exact decimal."""
    sign, value, places = "-" * (value < 0), abs(value), 0
    while (value * 10**places).denominator != 1:
        places += 1
    digits = str((value * 10**places).numerator).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def _as_others_write(rows: list[list[str]], random: Random) -> str:
    """The table with cells separated in one way or another, with columns of no quantity in between."""
    separator, decimal = random.choice([(",", ".")] * 3 + [(";", ","), (";", "."), ("\t", ",")])
    extra = random.sample(["Temperatur", "Soll y [mm]", "Kommentar (roh)"], random.choice([0, 0, 0, 1, 2]))
    for heading in extra:
        place = random.randrange(len(rows[0]) + 1)
        for k, row in enumerate(rows):
            row.insert(place, heading if not k else random.choice(["21.5", "ok", ""]))
    told = [rows[0], *([cell.replace(".", decimal) for cell in row] for row in rows[1:])]
    return "\n".join(separator.join(row) for row in told) + "\n"


@dataclass
class Files:
    """What is written: declarations, columns with their half-widths, and the blueprint."""

    equation: str
    parameters: dict[str, str] = field(default_factory=dict)
    common: dict[str, str] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    leg_columns: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    values: dict[str, list[Fraction]] = field(default_factory=dict)  # of the table's columns, in canonical units
    halves: dict[str, list[Fraction]] = field(default_factory=dict)
    blueprint: dict[str, Fraction] = field(default_factory=dict)  # of the unknowns: leg1.a, robot.g
    radii: dict[str, str] = field(default_factory=dict)  # of the fields
    centre: str = "nominal"

    def problem(self, title: str, legs: int, random: random.Random, units: Mapping[str, str]) -> tuple[str, str]:
        """problem.toml and poses.csv; `units` are those of the dimensions. Columns of lengths may be in any unit."""
        per_pose = {name for name, halves in self.halves.items() if len(set(halves)) > 1 or random.random() < 0.2}
        told = random.choice(DEVIATIONS)
        free = Random(title)
        written = {name: units[self._dimension(name)] for name in self.values}
        written = {
            name: free.choice(["mm", "mm", "um", "m"]) if unit == "mm" else unit for name, unit in written.items()
        }
        stated = random.choices([[], ['half_widths_are = "bounds"'], [f'half_widths_are = "{told}"']], (4, 1, 3))[0]
        if Random(f"said {title}").random() < 0.3:
            stated = self._column_by_column(Random(f"sorts {title}"))
        lines = [
            'format = "certify-problem-file 1"',
            f'title = "{title}"',
            'provenance = "simulated: planted"',
            'poses = "poses.csv"',
            *stated,
            *self._model_lines(),
            *self._half_width_lines(written, per_pose),
            *self._box_lines(legs, units),
        ]
        table = [line.split(",") for line in self._table(written, per_pose)]
        return "\n".join(lines) + "\n", _as_others_write(table, Random(f"table {title}"))

    def _column_by_column(self, random: Random) -> list[str]:
        said = {name: random.choice(['"bounds"', '"2 standard deviations"', '"3 standard deviations"', ""])
                for name in self.values}  # fmt: skip
        told = ", ".join(f"{name} = {text}" for name, text in said.items() if text)
        return [f"half_widths_are = {{ {told} }}"] if told else []

    def _model_lines(self) -> list[str]:
        groups = {
            "parameters": self.parameters,
            "common": self.common,
            "columns": self.columns,
            "leg_columns": self.leg_columns,
            "constants": self.constants,
        }
        lines = ["[model]", f'equation = "{self.equation}"']
        for group, entries in groups.items():
            lines += [f"[model.{group}]"] if entries else []
            lines += [f'{name} = "{declared}"' for name, declared in entries.items()]
        return lines

    def _half_width_lines(self, written: Mapping[str, str], per_pose: set[str]) -> list[str]:
        names = [name for name in self.values if name not in per_pose]
        lines = [f'{name} = "{shown(self.halves[name][0] * TIMES[written[name]])} {written[name]}"' for name in names]
        return ["[half_widths]", *lines] if lines else []

    def _box_lines(self, legs: int, units: Mapping[str, str]) -> list[str]:
        entries = ", ".join(f'{name} = "{radius}"' for name, radius in self.radii.items())
        lines = ["[box]", f'centre = "{self.centre}"', f"radius = {{ {entries} }}"]
        for leg in range(1, legs + 1):
            lines.append(f"[legs.leg{leg}]")
            lines += [self._blueprint(f"leg{leg}", name, kind, units) for name, kind in self.parameters.items()]
        lines += ["[common]"] if self.common else []
        return lines + [self._blueprint("robot", name, kind, units) for name, kind in self.common.items()]

    def _table(self, written: Mapping[str, str], per_pose: set[str]) -> list[str]:
        heading = ["pose"]
        for name, unit in written.items():
            heading += [f"{name} [{unit}]"] + [f"{name} half-width [{unit}]"] * (name in per_pose)
        rows = [",".join(heading)]
        for pose in range(len(next(iter(self.values.values())))):
            cells = [str(pose + 1)]
            for name, values in self.values.items():
                times = TIMES[written[name]]
                cells += [shown(values[pose] * times)]
                cells += [shown(self.halves[name][pose] * times)] * (name in per_pose)
            rows.append(",".join(cells))
        return rows

    def _blueprint(self, owner: str, name: str, kind: str, units: Mapping[str, str]) -> str:
        """The line of a number or, where its declaration names components, of a vector."""
        dimension, *components = kind.split(" ")
        entries = [
            f'"{shown(self.blueprint[f"{owner}.{entry}"])} {units[dimension]}"'
            for entry in ([f"{name}_{c}" for c in components] or [name])
        ]
        told = f"[{', '.join(entries)}]" if components else entries[0]
        return f"{name} = {told}"

    def _dimension(self, column: str) -> str:
        return self.columns[column] if column in self.columns else self.leg_columns[column.rstrip("0123456789")]
