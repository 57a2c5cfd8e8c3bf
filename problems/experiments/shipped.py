"""The data sets that come with the package, each a folder of problems/data with a problem.toml; all of them are
simulated.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest, shown


def _folder() -> Path:
    return Path(str(files("certify.problems").joinpath("data")))


def shipped_names() -> tuple[str, ...]:
    """The data sets that there are."""
    return tuple(sorted(path.parent.name for path in _folder().glob("*/problem.toml")))


def shipped(name: str) -> Path:
    """The problem file of a data set."""
    if name not in shipped_names():
        raise InputError(f"there is no shipped data set {shown(name)}; {nearest(name, shipped_names())}")
    return _folder() / name / "problem.toml"
