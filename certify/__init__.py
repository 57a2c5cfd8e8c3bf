"""Proved claims about measured models: intervals in, certificates out.

    experiment = certify.load_experiment("problem.toml")
    answer = certify.calibrate(experiment, Path("certified"))   # fit, certify, write, check: what the command line does

    result = certify.adequacy(problem)            # smallest model error: epsilon in [lower, upper], both ends proved
    result = certify.decide(problem, epsilon)     # is there any x within this model error? witness, or proof that there
        is none
    result = certify.error_at(problem, x)         # the model error that one point needs
    result = certify.enclose(problem, epsilon)    # where the parameters can be: a proved box hull, with witnesses near
        every face
    doubts = certify.doubt(problem)               # which hypothesis of the model to doubt: proved gains of richer
        models, judged on poses kept apart
    chosen = certify.next_poses(problem, poses)   # which poses to measure next (an estimate)
    result = certify.least_squares(problem)       # is the fit stationary, unique, global? how many digits are true?
    answer = certify.fit(model, x, y, start)      # least squares of any model(x, *parameters) on arrays, with proof
    result = certify.smallest_factor(problem)     # how much wider all half-widths must be for the model to fit: both
        ends proved
    result = certify.fewest_discards(problem, epsilon)  # the fewest measurements to leave out, proved to be the fewest

    answer = certify.solve("system.bch")          # all solutions of a system of equations; a text of Minibex or a
        System will do, too
    answer = certify.solve_set(system)            # the set where inequalities hold, from inside and outside, with
        bounds of its volume
    answer = certify.linear(W, y, bound)          # where theta can be with W theta = y, every measurement within bound:
        smallest error, factor and faces, proved
    bodies = certify.physical(names, ["Fv"], [names[:10]])  # which columns are friction, which ten are a body;
        certify.linear(W, y, bound, names=names, physical=bodies) says what such parameters can be, exactly
    found = certify.judge_values(answer.problem, {"M": 1.1})  # what values of your own, or a weighted fit, need
    found = certify.linear_outliers(answer.problem)  # the fewest wrong rows, proved, and named
    found = certify.relaxed_hull(answer.problem, 2)  # intervals of all that fit all rows but two at most, proved
    found = certify.linear_polytope(answer)       # half-spaces along the principal axes of what fits, and their volume
    found = certify.widths_by_bound(answer)       # intervals for other bounds, from the smallest feasible one up
    found = certify.bounding_ellipsoid(W, y, bound)  # around all parameters of a linear model; checked exactly
    rows = certify.equations_of_log("motion.csv")  # W and y of a log of the H4's joint angles and voltages
    found = certify.design(rows, {"x": (-1, 1)}, ["m", "Fv"])  # the motion that tells parameters best (an estimate)
    model = certify.PeriodicModel(names, regressor, readings, pose)  # functions of arrays
    found = certify.periodic_estimates(certify.PeriodicLog(times, readings, forces), model)  # noise, least squares,
        Gauss-Markov and maximum likelihood with errors in readings: estimates
    alone = certify.stationary_point(found)       # PaLiDA's likelihood: one stationary point, alone in a box, proved
    guess = certify.torque_estimates(rows, 15.0, (0, 2))  # weighted squares, a bound, a recursive ellipsoid: estimates
    judged = certify.judge(problem)               # a cvxpy problem: its minimum in [a, b], infeasible by a margin, or
        unbounded, whatever its solver says
    answer = certify.linear_system(A, b)          # where the solutions of A x = b are, whose entries are intervals
    x = certify.Interval("0.1", 2)                # an interval; its functions are in certify.interval
    graph = certify.contractor_graph(problem)     # of a Problem or a System: what narrows what, for networkx to draw
    options = certify.Options(contractors=[Mine])  # a contractor of yours: a class with contract(boxes) -> Narrowed

The functions of a model are those of one table (`certify.problems.functions.function_table`): certify.sqrt,
certify.exp, certify.min and so on, of floats, of numpy's arrays and of what is traced.

These names are found when they are first used: a command that needs none of them starts without the kernels.
"""

import importlib
import os
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from certify.old_names import say_new_names

if TYPE_CHECKING:
    from certify import interval
    from certify.checker import check
    from certify.contractors.interval import Interval
    from certify.contractors.protocol.boxes import Boxes, Narrowed
    from certify.contractors.protocol.contractor import Aggregate, Box, Cut, Evaluate, Narrowing, ProductTerm, RowTerm
    from certify.contractors.rows.constraints import Constraints
    from certify.designs.question import Designed, design
    from certify.ellipsoids.bounding_ellipsoid import BoundingEllipsoid, bounding_ellipsoid
    from certify.ellipsoids.equations_of_log import equations_of_log
    from certify.ellipsoids.torque_estimates import TorqueEstimates, torque_estimates
    from certify.judging_programs.judge import judge
    from certify.judging_programs.judged import Judged
    from certify.linear_questions.given_values import judge_values
    from certify.linear_questions.outliers import linear_outliers
    from certify.linear_questions.polytope.slanting import linear_polytope
    from certify.linear_questions.relaxing import relaxed_hull
    from certify.linear_questions.widths import widths_by_bound
    from certify.model_fits.fit import fit
    from certify.model_fits.fitted import FittedModel
    from certify.notebooks.pages import report
    from certify.notebooks.plots import Picture
    from certify.notebooks.view import View
    from certify.parts.hulls import Enclosed, Enclosure, Face, Hull
    from certify.periodic.estimated import PeriodicEstimates, periodic_estimates
    from certify.periodic.stationary import StationaryPoint, stationary_point
    from certify.problems.errors import InputError
    from certify.problems.experiments.toml_reader import load_experiment
    from certify.problems.formulas.expression import cos, norm, radians, rotation_xyz, sin, sqrt
    from certify.problems.functions.function_table import Function
    from certify.problems.minibex import system
    from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
    from certify.problems.periodic.periodic_log import PeriodicLog
    from certify.problems.periodic.periodic_model import PeriodicModel
    from certify.problems.regressors.physical import Physical, physical
    from certify.problems.systems.system import System
    from certify.questions.adequacy import adequacy
    from certify.questions.decide import decide
    from certify.questions.discards import Discards, fewest_discards
    from certify.questions.doubt import doubt
    from certify.questions.enclose import enclose
    from certify.questions.error_at import error_at
    from certify.questions.factor import smallest_factor
    from certify.questions.least_squares import Minimum, least_squares
    from certify.questions.next_poses import NextPoses, next_poses
    from certify.records.doubt_records import Doubts
    from certify.records.factor_records import Factor
    from certify.records.options import Options
    from certify.records.program_records import ProgramVerdict
    from certify.records.results import Part, Result
    from certify.records.verdicts import Verdict
    from certify.regressors.identified import Identified
    from certify.regressors.linear import linear
    from certify.runs.calibration import Calibration, calibrate
    from certify.systems.contractor_graphs import contractor_graph
    from certify.systems.linear_system import LinearAnswer, linear_system
    from certify.systems.set_answer import SetAnswer
    from certify.systems.solve import solve, solve_set
    from certify.systems.system_answer import SystemAnswer

    def __getattr__(name: str) -> Function:
        """What else a type checker finds: the functions of models."""


__all__ = [
    "Aggregate",
    "Binding",
    "BoundingEllipsoid",
    "Box",
    "Boxes",
    "Calibration",
    "Column",
    "Constraints",
    "Cut",
    "Designed",
    "Discards",
    "Doubts",
    "Enclosed",
    "Enclosure",
    "Evaluate",
    "Face",
    "Factor",
    "Family",
    "FittedModel",
    "Hull",
    "Identified",
    "InputError",
    "Interval",
    "Judged",
    "LinearAnswer",
    "Minimum",
    "Narrowed",
    "Narrowing",
    "NextPoses",
    "Options",
    "Part",
    "PeriodicEstimates",
    "PeriodicLog",
    "PeriodicModel",
    "Physical",
    "Picture",
    "Problem",
    "ProductTerm",
    "ProgramVerdict",
    "Result",
    "RowTerm",
    "SetAnswer",
    "StationaryPoint",
    "System",
    "SystemAnswer",
    "TorqueEstimates",
    "Variable",
    "Verdict",
    "View",
    "adequacy",
    "bounding_ellipsoid",
    "calibrate",
    "check",
    "contractor_graph",
    "cos",
    "decide",
    "design",
    "doubt",
    "enclose",
    "equations_of_log",
    "error_at",
    "fewest_discards",
    "fit",
    "interval",
    "judge",
    "judge_values",
    "least_squares",
    "linear",
    "linear_contractor",
    "linear_outliers",
    "linear_polytope",
    "linear_system",
    "load_experiment",
    "next_poses",
    "norm",
    "periodic_estimates",
    "physical",
    "radians",
    "relaxed_hull",
    "report",
    "rotation_xyz",
    "sin",
    "smallest_factor",
    "solve",
    "solve_set",
    "sqrt",
    "stationary_point",
    "system",
    "torque_estimates",
    "trace",
    "widths_by_bound",
]

_NAMES = {
    "certify.questions.adequacy": ("adequacy",),
    "certify.questions.error_at": ("error_at",),
    "certify.runs.calibration": ("Calibration", "calibrate"),
    "certify.checker": ("check",),
    "certify.questions.decide": ("decide",),
    "certify.questions.doubt": ("doubt",),
    "certify.records.doubt_records": ("Doubts",),
    "certify.questions.discards": ("Discards", "fewest_discards"),
    "certify.questions.enclose": ("enclose",),
    "certify.questions.factor": ("smallest_factor",),
    "certify.records.factor_records": ("Factor",),
    "certify.designs.question": ("Designed", "design"),
    "certify.ellipsoids.bounding_ellipsoid": ("BoundingEllipsoid", "bounding_ellipsoid"),
    "certify.ellipsoids.equations_of_log": ("equations_of_log",),
    "certify.ellipsoids.torque_estimates": ("TorqueEstimates", "torque_estimates"),
    "certify.parts.hulls": ("Enclosed", "Enclosure", "Face", "Hull"),
    "certify.questions.least_squares": ("Minimum", "least_squares"),
    "certify.model_fits.fit": ("fit",),
    "certify.model_fits.fitted": ("FittedModel",),
    "certify.notebooks.pages": ("report",),
    "certify.notebooks.plots": ("Picture",),
    "certify.notebooks.view": ("View",),
    "certify.systems.contractor_graphs": ("contractor_graph",),
    "certify.systems.linear_system": ("LinearAnswer", "linear_contractor", "linear_system"),
    "certify.questions.next_poses": ("NextPoses", "next_poses"),
    "certify.parts.part_search": ("Options",),
    "certify.records.results": ("Part", "Result"),
    "certify.judging_programs.judge": ("judge",),
    "certify.judging_programs.judged": ("Judged",),
    "certify.records.program_records": ("ProgramVerdict",),
    "certify.regressors.identified": ("Identified",),
    "certify.linear_questions.given_values": ("judge_values",),
    "certify.linear_questions.outliers": ("linear_outliers",),
    "certify.linear_questions.relaxing": ("relaxed_hull",),
    "certify.linear_questions.polytope.slanting": ("linear_polytope",),
    "certify.periodic.stationary": ("StationaryPoint", "stationary_point"),
    "certify.problems.periodic.periodic_log": ("PeriodicLog",),
    "certify.problems.periodic.periodic_model": ("PeriodicModel",),
    "certify.periodic.estimated": ("PeriodicEstimates", "periodic_estimates"),
    "certify.linear_questions.widths": ("widths_by_bound",),
    "certify.regressors.linear": ("linear",),
    "certify.systems.set_answer": ("SetAnswer",),
    "certify.systems.system_answer": ("SystemAnswer",),
    "certify.systems.solve": ("solve", "solve_set"),
    "certify.records.verdicts": ("Verdict",),
    "certify.contractors.interval": ("Interval",),
    "certify.contractors.protocol.boxes": ("Boxes", "Narrowed"),
    "certify.contractors.protocol.contractor": (
        "Aggregate",
        "Box",
        "Cut",
        "Evaluate",
        "Narrowing",
        "ProductTerm",
        "RowTerm",
    ),
    "certify.contractors.rows.constraints": ("Constraints",),
    "certify.problems.errors": ("InputError",),
    "certify.problems.experiments.toml_reader": ("load_experiment",),
    "certify.problems.formulas.expression": ("cos", "norm", "radians", "rotation_xyz", "sin", "sqrt"),
    "certify.problems.minibex": ("system",),
    "certify.problems.model.model": ("Binding", "Column", "Family", "Problem", "Variable", "trace"),
    "certify.problems.regressors.physical": ("Physical", "physical"),
    "certify.problems.systems.system": ("System",),
}
_MODULES = ("interval",)
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


def _table() -> "dict[str, Function]":
    """The functions of models by name."""
    table: dict[str, Function] = importlib.import_module("certify.problems.functions.function_table").FUNCTIONS
    return table


def _is_module(name: str) -> bool:
    """Whether `from certify import name` means a module: the table, which needs numpy, is not asked for it."""
    place = os.path.join(os.path.dirname(__file__), name)
    return os.path.isdir(place) or os.path.isfile(f"{place}.py")


class _Package(ModuleType):
    """A package whose public names are imported when they are asked for."""

    def __getattr__(self, name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(f"{__name__}.{name}")
        if name in _HOMES:
            value = getattr(importlib.import_module(_HOMES[name]), name)
        elif name.startswith("_") or _is_module(name) or name not in _table():
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        else:
            value = _table()[name]
        super().__setattr__(name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_HOMES, *_MODULES, *_table()})


sys.modules[__name__].__class__ = _Package
say_new_names()
