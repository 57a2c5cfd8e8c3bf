"""Proved claims about measured models: intervals in, certificates out.

    experiment = certify.load_experiment("problem.toml")
    answer = certify.calibrate(experiment, Path("certified"))   # fit, certify, write, check: what the command line does

    result = certify.adequacy(problem)            # smallest model error: epsilon in [lower, upper], both ends proved
    result = certify.decide(problem, epsilon)     # is there any x within this model error? witness, or proof that there is none
    result = certify.error_at(problem, x)         # the model error that one point needs
"""

from certify.adequacy import adequacy
from certify.at_point import error_at
from certify.calibration import Calibration, calibrate
from certify.checker import check
from certify.decide import decide
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
    "Family",
    "InputError",
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
    "error_at",
    "load_experiment",
    "norm",
    "radians",
    "rotation_xyz",
    "sin",
    "sqrt",
    "trace",
]
