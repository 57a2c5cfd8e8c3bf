"""What several commands read from their arguments: the experiment of a problem.toml, how far to search, a quantity in
the rows' unit.
"""

from __future__ import annotations

import argparse
from fractions import Fraction
from pathlib import Path

from certify.command import time_limit
from certify.problems.errors import InputError
from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.formulas.units import Dimension, parse_decimal, parse_quantity
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


def row_quantity(text: str | None, place: str, experiment: Experiment) -> Fraction | None:
    """A positive quantity in the unit of the experiment's rows, None if it is not given."""
    if text is None:
        return None
    unit = experiment.kind.unit
    if unit not in ("1", "mm"):
        raise InputError(f"{place} {text}: the rows of this model are in {unit}; write an equation between lengths")
    value = parse_quantity(text, Dimension.NUMBER if unit == "1" else Dimension.LENGTH, place).value
    if value <= 0:
        raise InputError(f"{place} {text} is not positive; give a quantity such as '5 {unit}'")
    return value
