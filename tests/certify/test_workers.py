"""Parts answered side by side are answered as one after the other; what fails or is interrupted ends at once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from certify.parts.workers import for_each
from certify.problems.errors import InputError
from certify.records.options import Options

PARTS = [("leg1", (0,)), ("leg2", (1,)), ("leg3", (2,))]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_answers_come_in_order(workers):
    assert for_each(PARTS, lambda name, scope: (name, scope[0] ** 2), workers) == [
        ("leg1", 0),
        ("leg2", 1),
        ("leg3", 4),
    ]


def test_workers_are_other_processes():
    assert os.getpid() not in for_each(PARTS, lambda name, scope: os.getpid(), 2)
    assert set(for_each(PARTS, lambda name, scope: os.getpid(), 1)) == {os.getpid()}


@pytest.mark.parametrize("workers", [1, 2])
def test_bad_input_of_one_part_ends_all(workers, tmp_path):
    def task(name, scope):
        if name == "leg1":
            raise InputError("leg1 is wrong")
        time.sleep(30.0)
        (tmp_path / name).touch()

    with pytest.raises(InputError, match="leg1 is wrong"):
        for_each(PARTS, task, workers)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def heard():
    """In the background of a script SIGINT is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_an_interruption_does_not_wait(tmp_path):
    def task(name, scope):
        if name == "leg1":
            os.kill(os.getppid(), signal.SIGINT)  # nobody counts it: the parent is not within INTERRUPTIONS.heeded()
        time.sleep(30.0)
        (tmp_path / name).touch()

    with pytest.raises(KeyboardInterrupt):
        for_each(PARTS, task, 2)
    assert not list(tmp_path.iterdir())


def test_a_worker_that_was_killed_keeps_nobody_waiting():
    """The pool would wait for the other one, which heeds no SIGTERM, before it lets go."""
    parent = os.getpid()

    def task(name, scope):
        if os.getpid() != parent and name == "leg1":
            os.kill(os.getpid(), signal.SIGKILL)
        if os.getpid() != parent:
            time.sleep(600.0)
        return name

    assert for_each(PARTS, task, 2) == ["leg1", "leg2", "leg3"]


def test_the_same_certificates_with_two_workers():
    import certify
    from certify.problems.experiments.shipped import shipped
    from certify.problems.experiments.toml_reader import load_experiment

    experiment = load_experiment(shipped("table_of_stewart"))
    problem = experiment.problem(experiment.nominal)
    small = certify.Problem(problem.variables, problem.columns, problem.families[:2])
    one, two = (certify.decide(small, options=Options(workers=workers)) for workers in (1, 2))
    assert [part.certificate for part in one.parts] == [part.certificate for part in two.parts]


ORPHANS = """
import os, sys, time
from pathlib import Path
from certify.parts.workers import for_each

def task(name, scope):
    (Path(sys.argv[1]) / str(os.getpid())).touch()
    time.sleep(600.0)

for_each([("leg1", (0,)), ("leg2", (1,))], task, 2)
"""


def test_workers_end_with_a_parent_that_was_killed(tmp_path):
    parent = subprocess.Popen([sys.executable, "-c", ORPHANS, str(tmp_path)])
    while len(list(tmp_path.iterdir())) < 2:
        assert parent.poll() is None
        time.sleep(0.05)
    parent.kill()
    parent.wait()
    workers = [int(path.name) for path in tmp_path.iterdir()]
    while any(map(lives, workers)):  # ends with the tests' own patience, if it does not end
        time.sleep(0.05)


def lives(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
