"""What several commands read from their arguments: the experiment of a problem.toml, how far to search, a quantity in
the rows' unit.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from certify.command import time_limit
from certify.parts.part_search import Level
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.kept_apart import NAMED, rows_of_poses
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.formulas.units import UNITS, parse_decimal, parse_quantity
from certify.questions.doubt import spread
from certify.records.options import Options


def load(path: Path) -> Experiment:
    """The experiment of a problem.toml."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name the problem.toml in it")
    if not path.is_file():
        raise InputError(f"there is no file {path}; give a problem.toml, 'certify demo' writes one to start from")
    if path.suffix != ".toml":
        raise InputError(f"{path} is no problem.toml; give one, 'certify demo' writes one to start from")
    return load_experiment(path)


def search_options(arguments: argparse.Namespace) -> Options:
    """The options of --gap and --time-limit."""
    gap = parse_decimal(arguments.gap, "--gap")
    if not 0 < gap < 1:
        raise InputError(f"--gap {arguments.gap} is not between 0 and 1; give a relative gap such as 1e-3")
    return Options(gap=gap, time_limit=time_limit(arguments))


def levels(text: str | None, experiment: Experiment) -> Level | None:
    """The model errors of --epsilon: one, or one in each unit for the parts of a model without legs, by their names."""
    if text is None:
        return None
    kind = experiment.kind
    if kind.legs:
        return _not_negative(text, _in_rows(text, "--epsilon", kind.unit))
    units = {family.name: family.unit for family in experiment.families}
    wanted = {group.name: units[group.families[0]] for group in kind.groups}
    given: dict[str, Fraction] = {}
    for part in text.split(","):
        unit, value = _told_in(part.strip(" "), set(wanted.values()), "--epsilon")
        if unit in given:
            raise InputError(f"--epsilon {text} gives two errors in {unit}; give one")
        given[unit] = _not_negative(text, value)
    missing = [f"{name} (in {unit})" for name, unit in wanted.items() if unit not in given]
    if missing:
        example = ", ".join(f"1 {unit}" for unit in dict.fromkeys(wanted.values()))
        raise InputError(f"--epsilon {text} says nothing of {', '.join(missing)}; write such as '{example}'")
    return {name: given[unit] for name, unit in wanted.items()}


def poses_apart(text: str | None, experiment: Experiment) -> tuple[int, ...]:
    """The rows of --keep-apart: so many, a part of all, or the poses that are named."""
    if text is None:
        return ()
    poses = len(experiment.poses)
    if text.startswith(NAMED):
        found = rows_of_poses(text, experiment.poses, "--keep-apart")
    else:
        try:
            wanted = Fraction(text)
        except (ValueError, ZeroDivisionError) as error:
            raise InputError(
                f"--keep-apart {text} is no number; give one such as 5, a fraction such as 1/4, or 'poses "
                f"{', '.join(experiment.poses[:2])}'"
            ) from error
        if wanted <= 0 or (wanted >= 1 and wanted.denominator > 1):
            raise InputError(f"--keep-apart {text} is no number of poses; give one such as 5, or a fraction of them")
        count = int(wanted) if wanted >= 1 else max(round(wanted * poses), 1)
        share = next((k for k in range(count, poses + 1) if len(spread(poses, Fraction(k, poses))) >= count), poses)
        found = spread(poses, Fraction(share, poses))[:count]
    if len(found) >= poses:
        raise InputError(f"--keep-apart {text}: there are {poses} poses, of which some must be left; keep fewer apart")
    return found


def _told_in(text: str, units: set[str], place: str) -> tuple[str, Fraction]:
    """The unit of rows in which a quantity is told, and its value in it."""
    name = text.rpartition(" ")[2]
    unit = UNITS.get(name)
    for wanted in sorted(units, key=lambda wanted: (wanted != name, wanted)):  # in rad and in mrad there may be rows
        if unit is not None and unit.canonical == UNITS[wanted].canonical:
            value = parse_quantity(text, unit.dimension, place).value
            return wanted, value / UNITS[wanted].factor
    raise InputError(
        f"{place} {text}: no error of this model is told in such a unit; they are in {', '.join(sorted(units))}"
    )


def _not_negative(text: str, epsilon: Fraction) -> Fraction:
    if epsilon < 0:
        raise InputError(f"--epsilon {text} is negative; a model error is 0 or more")
    return epsilon


def effects(text: str | None, place: str, experiment: Experiment) -> Fraction | dict[str, Fraction] | None:
    """What errors may amount to: a positive quantity in the unit of the rows, or one for each unit of rows that is
    named, in that unit; None if nothing is given.
    """
    if text is None:
        return None
    if experiment.kind.legs:
        return _row_quantity(text, place, experiment.kind.unit)
    units, found = {family.unit for family in experiment.families}, dict[str, Fraction]()
    for part in text.split(","):
        unit, value = _told_in(part.strip(" "), units, place)
        if unit in found:
            raise InputError(f"{place} {text} gives two quantities in {unit}; give one")
        found[unit] = _positive(text, place, value, unit)
    return found


def _row_quantity(text: str, place: str, unit: str) -> Fraction:
    return _positive(text, place, _in_rows(text, place, unit), unit)


def _in_rows(text: str, place: str, unit: str) -> Fraction:
    """A quantity in the base unit of the rows of a robot with legs."""
    if unit not in UNITS:
        raise InputError(
            f"{place} {text}: the rows of this model are in {unit}; write an equation whose value is a length, a force "
            f"or another quantity with a unit of its own"
        )
    return parse_quantity(text, UNITS[unit].dimension, place).value


def _positive(text: str, place: str, value: Fraction, unit: str) -> Fraction:
    if value <= 0:
        raise InputError(f"{place} {text} is not positive; give a quantity such as '5 {unit}'")
    return value
