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

These names are found when they are first used: a command that needs none of them starts without the kernels.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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
    from certify.next_pose import NextPoses, next_poses
    from certify.part_search import Options
    from certify.results import Part, Result
    from certify.verdicts import Verdict
    from problems.errors import InputError
    from problems.experiment_file import load_experiment
    from problems.expression import cos, norm, radians, rotation_xyz, sin, sqrt
    from problems.model import Binding, Column, Family, Problem, Variable, trace

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
    "Minimum",
    "NextPoses",
    "Options",
    "Part",
    "Problem",
    "Result",
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
    "least_squares",
    "load_experiment",
    "next_poses",
    "norm",
    "radians",
    "rotation_xyz",
    "sin",
    "smallest_factor",
    "sqrt",
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
    "certify.next_pose": ("NextPoses", "next_poses"),
    "certify.part_search": ("Options",),
    "certify.results": ("Part", "Result"),
    "certify.verdicts": ("Verdict",),
    "problems.errors": ("InputError",),
    "problems.experiment_file": ("load_experiment",),
    "problems.expression": ("cos", "norm", "radians", "rotation_xyz", "sin", "sqrt"),
    "problems.model": ("Binding", "Column", "Family", "Problem", "Variable", "trace"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


class _Package(ModuleType):
    """A package whose public names are imported when they are asked for."""

    def __getattr__(self, name: str) -> Any:
        if name not in _HOMES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(_HOMES[name]), name)
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """A module of the package does not take the place of the function that it is named after (certify.adequacy)."""
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_HOMES})


sys.modules[__name__].__class__ = _Package
