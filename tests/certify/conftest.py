from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pytest

import certify
from certify.checker import check
from certify.parts.fitting import fitted
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment


@pytest.fixture(scope="session")
def experiment():
    return load_experiment(shipped("table_of_stewart"))


@pytest.fixture(scope="session")
def estimate(experiment):
    return fitted(experiment)


@pytest.fixture(scope="session")
def two_legs(experiment, estimate):
    """Legs 1 and 2 of the shipped data set: 14 unknowns, the poses shared."""
    problem = experiment.problem(estimate)
    return replace(problem, families=problem.families[:2], variables=problem.variables[:14])


@pytest.fixture(scope="session")
def start(estimate):
    return np.array([float(v) for v in estimate[:14]])


@pytest.fixture(scope="session")
def certified(two_legs, start):
    """The answer for the two legs: parts leg1, leg2 and platform."""
    return certify.adequacy(two_legs, start=start, options=certify.Options(gap=Fraction(1, 10**6)))


@pytest.fixture(autouse=True)
def second_opinion(request, monkeypatch):
    """Whatever a test here has judged by the checker is judged by the second checker too, which must give the same
    answer.
    """
    if getattr(request.module, "check", None) is not check or find_spec("flint") is None:
        return
    from certify.checker_arb import check as second_check

    def both(problem, certificate, *more):
        outcome, other = check(problem, certificate, *more), second_check(problem, certificate, *more)
        assert outcome.status.name == other.status.name, (outcome.message, other.message)
        return outcome

    monkeypatch.setattr(request.module, "check", both)
