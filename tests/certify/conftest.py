from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import certify
from certify.calibration import least_squares
from problems.experiment_file import load_experiment
from problems.shipped import shipped


@pytest.fixture(scope="session")
def experiment():
    return load_experiment(shipped("table_of_stewart"))


@pytest.fixture(scope="session")
def estimate(experiment):
    return least_squares(experiment)


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
