"""Small experiments whose answers are known exactly, written as a user would write them: problem.toml and poses.csv."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from curved_truth import CurvedPart
from linear_truth import Ends, LinearPart

TOGETHER = "platform"
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
        """problem.toml and poses.csv; `units` are those of the dimensions."""
        per_pose = {name for name, halves in self.halves.items() if len(set(halves)) > 1 or random.random() < 0.2}
        told = random.choice(
            ["1 standard deviation", "2 standard deviations", "2.5 standard deviations", "3 standard deviations"]
        )
        lines = [
            'format = "certify-problem-file 1"',
            f'title = "{title}"',
            'provenance = "simulated: planted"',
            'poses = "poses.csv"',
        ]
        lines += random.choices([[], ['half_widths_are = "bounds"'], [f'half_widths_are = "{told}"']], (4, 1, 3))[0]
        lines += ["[model]", f'equation = "{self.equation}"']
        groups = {
            "parameters": self.parameters,
            "common": self.common,
            "columns": self.columns,
            "leg_columns": self.leg_columns,
        }
        for group, entries in groups.items():
            lines += (
                [f"[model.{group}]", *(f'{name} = "{dimension}"' for name, dimension in entries.items())]
                if entries
                else []
            )
        lines += (
            ["[model.constants]", *(f'{name} = "{value}"' for name, value in self.constants.items())]
            if self.constants
            else []
        )
        unit_of = {column: units[self._dimension(column)] for column in self.values}
        lines += ["[half_widths]"] if set(self.values) - per_pose else []
        lines += [
            f'{name} = "{shown(self.halves[name][0])} {unit_of[name]}"' for name in self.values if name not in per_pose
        ]
        entries = ", ".join(f'{name} = "{radius}"' for name, radius in self.radii.items())
        lines += ["[box]", f'centre = "{self.centre}"', f"radius = {{ {entries} }}"]
        for leg in range(1, legs + 1):
            lines.append(f"[legs.leg{leg}]")
            lines += [self._blueprint(f"leg{leg}", name, kind, units) for name, kind in self.parameters.items()]
        if self.common:
            lines.append("[common]")
            lines += [self._blueprint("robot", name, kind, units) for name, kind in self.common.items()]
        heading = ["pose"]
        for name in self.values:
            heading += [f"{name} [{unit_of[name]}]"] + [f"{name} half-width [{unit_of[name]}]"] * (name in per_pose)
        rows = [",".join(heading)]
        for pose in range(len(next(iter(self.values.values())))):
            cells = [str(pose + 1)]
            for name, values in self.values.items():
                cells += [shown(values[pose])] + [shown(self.halves[name][pose])] * (name in per_pose)
            rows.append(",".join(cells))
        return "\n".join(lines) + "\n", "\n".join(rows) + "\n"

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
