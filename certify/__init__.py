"""Proved claims about measured models: intervals in, certificates out.

problem = certify.load("problem.toml")
result = certify.adequacy(problem)        # smallest model error: epsilon in [lower, upper], both ends proved
result = certify.decide(problem, "0.5")   # is there any x within this model error? witness, or proof that there is none
"""

from certify.adequacy import adequacy
from certify.at_point import error_at
from certify.checker import check
from certify.decide import decide
from certify.part_search import Options
from certify.results import Part, Result
from certify.verdicts import Verdict
from problems.errors import InputError
from problems.expression import cos, norm, radians, rotation_xyz, sin, sqrt
from problems.model import Binding, Column, Family, Problem, Variable, trace

__all__ = [
    "Binding",
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
    "check",
    "cos",
    "decide",
    "error_at",
    "norm",
    "radians",
    "rotation_xyz",
    "sin",
    "sqrt",
    "trace",
]
