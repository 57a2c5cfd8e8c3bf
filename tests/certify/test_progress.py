"""The line of progress: what is tried, both ends so far, and the time left; ends are rounded outwards."""

import argparse
import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest
from planted_legs import planted, scaled, taken_poses

import certify
from certify import command
from certify.command import progress
from certify.problems.minibex import parse_minibex
from certify.questions.set_paving import pave
from certify.questions.system_search import search
from certify.solvers.search.branch_and_prune import SearchOptions
from certify.testing.contract import Count
from certify.testing.fuzzing import so_far, tried

CURVES = "Variables\n x in [-2, 2]; y in [-2, 2];\nConstraints\n x^2 + y^2 {} 1;\n x^2 - y {} 0;\nend\n"


def test_the_time_that_is_left_stands_behind_every_line(capsys):
    tell = progress(argparse.Namespace(quiet=False, time_limit=100.0))
    tell("leg1: searching")
    assert re.fullmatch(r"leg1: searching, (100|99) s left\n", capsys.readouterr().err)
    tell = progress(argparse.Namespace(quiet=False, seconds=9.0))
    tell("highs: 50 of 200 instances")
    assert re.search(r"instances, [89] s left", capsys.readouterr().err)


@pytest.mark.parametrize(("now", "left"), [(40.0, ", 60 s left"), (140.0, "")])
def test_what_ends_a_run_has_the_time_that_is_left_of_the_run(capsys, monkeypatch, now, left):
    monkeypatch.setattr(command, "time", SimpleNamespace(monotonic=lambda: now))
    progress(argparse.Namespace(quiet=False, time_limit=100.0), 0.0)("writing the report")
    assert capsys.readouterr().err == f"writing the report{left}\n"


def test_a_doubt_says_which_hypothesis_it_is_at_and_what_the_best_one_leaves():
    problem, truth = planted(taken_poses(16, 3), scaled(1.02), 1)
    told = []
    doubts = certify.doubt(problem, names=("scale of L1", "first order"), start=truth, progress=told.append)
    first, second = (model.name for model in sorted(doubts.richer, key=lambda model: told_at(told, model.name)))
    assert any(line.startswith(f"hypothesis 1 of 2, {first}:") for line in told)
    (best,) = {found for line in told for found in re.findall(r"so far (.*) leaves least, \S+ .. (\S+) mm", line)}
    model = next(model for model in doubts.richer if model.name == first)
    assert best[0] == first and Fraction(best[1]) >= max(judged.upper for judged in model.parts)
    assert any(line.startswith(f"hypothesis 2 of 2, {second} (so far") for line in told)
    ends = [re.search(r"(\S+) \.\. (\S+) mm, in", line) for line in told if line.startswith("base: ")]
    lower, upper = doubts.base_parts[0].part.epsilon
    low, high = next(found for found in ends if found).groups()
    assert Fraction(low) <= lower <= upper <= Fraction(high)


def told_at(told, name):
    return next(number for number, line in enumerate(told) if name in line)


def test_systems_and_sets_say_what_is_found_and_what_is_open():
    told = []
    search(parse_minibex(CURVES.format("=", "=")), SearchOptions(batch=1), told.append)
    assert told and all(
        re.search(r"\d+ boxes, \d+ solutions isolated, [\d.]+ % of the domain is open", t) for t in told
    )
    told = []
    pave(parse_minibex(CURVES.format("<=", "<=")), 60.0, told.append)
    ends = [[float(end) for end in re.search(r"about (\S+) \.\. (\S+) % of it inside", t).groups()] for t in told]
    lows, highs = np.array(ends).T
    assert (np.diff(lows) >= 0).all() and (np.diff(highs) <= 0).all() and lows[-1] > 0 and highs[-1] < 100
    x = np.linspace(-1, 1, 200001)
    area = np.trapezoid(np.maximum(np.sqrt(1 - x**2) - x**2, 0), x)
    assert lows[-1] <= 100 * area / 16 <= highs[-1]


def test_fuzzing_says_how_many_were_tried_and_about_how_long_the_rest_takes():
    counts = Count(right=30, wrong=10, tolerated=6, silent=4)
    assert tried(counts) == 50
    told = so_far(counts, 2, 50, 200, 5.0)
    assert told == "50 of 200 tried, 10 wrong of 2 causes, 4 without an answer, about 15 s to go"
