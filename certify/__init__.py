"""Proved claims about measured models: intervals in, certificates out.

    experiment = certify.load_experiment("problem.toml")
    answer = certify.calibrate(experiment, Path("certified"))   # fit, certify, write, check: what the command line does

    result = certify.adequacy(problem)            # smallest model error: epsilon in [lower, upper], both ends proved
    result = certify.decide(problem, epsilon)     # is there any x within this model error? witness, or proof that there is none
    result = certify.error_at(problem, x)         # the model error that one point needs
    result = certify.enclose(problem, epsilon)    # where the parameters can be: a proved box hull, with witnesses near every face
    doubts = certify.doubt(problem)               # which hypothesis of the model to doubt: proved gains of richer models, judged on poses kept apart
    chosen = certify.next_poses(problem, poses)   # which poses to measure next (an estimate)
    result = certify.least_squares(problem)       # is the fit stationary, unique, global? how many digits are true?
    result = certify.smallest_factor(problem)     # how much wider all half-widths must be for the model to fit: both ends proved
    result = certify.fewest_discards(problem, epsilon)  # the fewest measurements to leave out, proved to be the fewest

    answer = certify.solve("system.bch")          # all solutions of a system of equations; a text of Minibex or a System will do, too
    answer = certify.solve_set(system)            # the set where inequalities hold, from inside and outside, with bounds of its volume
    answer = certify.linear_system(A, b)          # where the solutions of A x = b are, whose entries are intervals
    x = certify.Interval("0.1", 2)                # an interval; its functions are in certify.interval

The functions of a model are those of one table (`problems.functions`): certify.sqrt, certify.exp, certify.min and so on, of floats, of numpy's
arrays and of what is traced.

These names are found when they are first used: a command that needs none of them starts without the kernels.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from certify import interval
    from certify.adequacy import adequacy
    from certify.at_point import error_at
    from certify.calibration import Calibration, calibrate
    from certify.checker import check
    from certify.decide import decide
    from certify.discards import Discards, fewest_discards
    from certify.doubt import doubt
    from certify.doubts import Doubts
    from certify.enclose import enclose
    from certify.factor import smallest_factor
    from certify.factors import Factor
    from certify.hulls import Enclosed, Enclosure, Face, Hull
    from certify.least_squares import Minimum, least_squares
    from certify.linear_system import LinearAnswer, linear_system
    from certify.next_pose import NextPoses, next_poses
    from certify.part_search import Options
    from certify.results import Part, Result
    from certify.set_files import SetAnswer
    from certify.system_files import SystemAnswer
    from certify.system_run import solve, solve_set
    from certify.verdicts import Verdict
    from contractors.interval import Interval
    from problems.errors import InputError
    from problems.experiment_file import load_experiment
    from problems.expression import cos, norm, radians, rotation_xyz, sin, sqrt
    from problems.functions import Function
    from problems.minibex import system
    from problems.model import Binding, Column, Family, Problem, Variable, trace
    from problems.system import System

__all__ = [
    "Binding",
    "Calibration",
    "Column",
    "Discards",
    "Doubts",
    "Enclosed",
    "Enclosure",
    "Face",
    "Factor",
    "Family",
    "Hull",
    "InputError",
    "Interval",
    "LinearAnswer",
    "Minimum",
    "NextPoses",
    "Options",
    "Part",
    "Problem",
    "Result",
    "SetAnswer",
    "System",
    "SystemAnswer",
    "Variable",
    "Verdict",
    "adequacy",
    "calibrate",
    "check",
    "cos",
    "decide",
    "doubt",
    "enclose",
    "error_at",
    "fewest_discards",
    "interval",
    "least_squares",
    "linear_system",
    "load_experiment",
    "next_poses",
    "norm",
    "radians",
    "rotation_xyz",
    "sin",
    "smallest_factor",
    "solve",
    "solve_set",
    "sqrt",
    "system",
    "trace",
]

_NAMES = {
    "certify.adequacy": ("adequacy",),
    "certify.at_point": ("error_at",),
    "certify.calibration": ("Calibration", "calibrate"),
    "certify.checker": ("check",),
    "certify.decide": ("decide",),
    "certify.doubt": ("doubt",),
    "certify.doubts": ("Doubts",),
    "certify.discards": ("Discards", "fewest_discards"),
    "certify.enclose": ("enclose",),
    "certify.factor": ("smallest_factor",),
    "certify.factors": ("Factor",),
    "certify.hulls": ("Enclosed", "Enclosure", "Face", "Hull"),
    "certify.least_squares": ("Minimum", "least_squares"),
    "certify.linear_system": ("LinearAnswer", "linear_system"),
    "certify.next_pose": ("NextPoses", "next_poses"),
    "certify.part_search": ("Options",),
    "certify.results": ("Part", "Result"),
    "certify.set_files": ("SetAnswer",),
    "certify.system_files": ("SystemAnswer",),
    "certify.system_run": ("solve", "solve_set"),
    "certify.verdicts": ("Verdict",),
    "contractors.interval": ("Interval",),
    "problems.errors": ("InputError",),
    "problems.experiment_file": ("load_experiment",),
    "problems.expression": ("cos", "norm", "radians", "rotation_xyz", "sin", "sqrt"),
    "problems.minibex": ("system",),
    "problems.model": ("Binding", "Column", "Family", "Problem", "Variable", "trace"),
    "problems.system": ("System",),
}
_MODULES = ("interval",)
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


def _table() -> "dict[str, Function]":
    """The functions of models by name."""
    table: dict[str, Function] = importlib.import_module("problems.functions").FUNCTIONS
    return table


class _Package(ModuleType):
    """A package whose public names are imported when they are asked for."""

    def __getattr__(self, name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(f"{__name__}.{name}")
        if name in _HOMES:
            value = getattr(importlib.import_module(_HOMES[name]), name)
        elif name.startswith("_") or name not in _table():
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        else:
            value = _table()[name]
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """A module of the package does not take the place of the function that it is named after (certify.adequacy)."""
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_HOMES, *_MODULES, *_table()})


sys.modules[__name__].__class__ = _Package
