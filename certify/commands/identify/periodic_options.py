"""The options of `certify identify` that are about motions that repeat, and the model that a log of them makes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from certify.problems.errors import InputError

if TYPE_CHECKING:
    from certify.problems.regressors.regressor import Regressor
    from certify.problems.regressors.regressor_file import Chosen
    from certify.runs.identification_run import About, Question

PALIDA = "palida"


def add_periodic_options(parser: argparse.ArgumentParser) -> None:
    """After which time a motion repeats, and how many harmonics it has."""
    parser.add_argument(
        "--period",
        metavar="T",
        help="of a log of the palida, after which its motion repeats, e.g. '2.5 s': noise is estimated from the "
        "periods, and least squares, Gauss-Markov and maximum likelihood are judged beside the intervals",
    )
    parser.add_argument("--harmonics", type=int, metavar="N", help="of such a motion (default: 5; a circle has 1)")
    parser.add_argument(
        "--stationary", action="store_true",
        help="also whether the likelihood has one stationary point next to its estimate, alone in a box",
    )  # fmt: skip


def refuse_periodic_options(arguments: argparse.Namespace) -> None:
    """Where no motion is known to repeat."""
    for name in ("period", "harmonics", "stationary"):
        if getattr(arguments, name):
            raise InputError(f"--{name} is of a log of a motion that repeats; give --robot palida, or leave it out")


def periodic_of(arguments: argparse.Namespace, chosen: Chosen) -> tuple[Regressor, str, About]:
    """The rows of the motion that maximum likelihood estimates, what they are, and all estimates."""
    from certify.periodic.stationary import stationary_point
    from certify.problems.palida.simulated_run import PALIDA as MODEL
    from certify.problems.periodic.periodic_log import read_periodic_log
    from certify.problems.regressors.regressor import regressor
    from certify.problems.regressors.regressor_file import chosen_bound, chosen_prior
    from certify.runs.identification_run import About
    from certify.solvers.periodic_estimates.estimates import ORDER, periodic_estimates

    for name in ("gain", "encoder_step", "columns"):
        if getattr(arguments, name) is not None:
            raise InputError(f"--{name.replace('_', '-')}: a log of the palida has lengths and forces; leave it out")
    if arguments.physical:
        raise InputError("--physical: what S1's sums of bodies obey is not known here; give a prior range with --prior")
    if arguments.period is None:
        raise InputError("--robot palida: after which time the motion repeats is not known; give --period '2.5 s'")
    seconds = float(parse_seconds(arguments.period))
    order = ORDER if arguments.harmonics is None else arguments.harmonics
    log = read_periodic_log(arguments.file, seconds)
    found = periodic_estimates(log, MODEL, order=order, cut_off=arguments.cut_off)
    bound, prior = chosen_bound(None, chosen, MODEL.force_unit), chosen_prior(chosen.prior, MODEL.names)
    problem = regressor(
        found.matrix, found.forces, bound, prior, names=MODEL.names, units=MODEL.units, unit=MODEL.force_unit
    )
    alone = stationary_point(found) if arguments.stationary else None
    measured = (
        f"mean forces of {found.log.periods} periods of the palida with the dimensions of its simulation along the "
        f"estimated motion, row by row drive 1 to 6,"
    )
    return problem, measured, About(periodic=found, stationary=alone)


def parse_seconds(text: str) -> float:
    """'2.5 s' or '2500 ms'."""
    from certify.problems.regressors.regressor import exact

    number, _, unit = text.strip().partition(" ")
    scale = {"s": 1.0, "ms": 1e-3, "": 1.0}.get(unit.strip())
    if scale is None or exact(number, "--period") <= 0:
        raise InputError(f"--period {text}: give a time with its unit, s or ms: '2.5 s'")
    return float(exact(number, "--period")) * scale


def judging_estimates(about: About) -> list[Question]:
    """Whether the estimates fit every row."""
    from certify.linear_questions.given_values import judge_named

    found = about.periodic
    if found is None:
        return []
    points = {one.name: one.values for one in (found.squares, found.gauss_markov, found.likelihood.estimate)}
    return [lambda answer, options, tell: judge_named(answer.problem, points, options, tell)]
