"""Rows are computed in blocks, so that memory does not grow with them: what comes out does not depend on the blocks."""

from dataclasses import replace

import numpy as np
import pytest
from systems import SYSTEMS

from certify.contractors.rows import measurements
from certify.contractors.rows.measurements import realise
from certify.contractors.tape import evaluation
from certify.contractors.tape.derivative import gradient


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_boxes_are_evaluated_as_if_alone(monkeypatch, system):
    rows = SYSTEMS[system](1).problem.blocks[0]
    tape, random = gradient(rows.tape), np.random.default_rng(1)
    middle = np.repeat(0.5 * (rows.lower[:, :1] + rows.upper[:, :1]), 200, axis=1) + random.uniform(0, 1, (1, 200))
    low, high = middle, middle + random.uniform(0, 0.1, middle.shape)
    whole = evaluation.evaluate(tape, low, high)
    monkeypatch.setattr(evaluation, "AT_ONCE", 1)
    monkeypatch.setattr(evaluation, "LEAST_BLOCK", 64)
    blocks = evaluation.evaluate(tape, low, high)
    for name in ("lower", "upper", "defined"):
        assert np.array_equal(getattr(whole, name), getattr(blocks, name))


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_measurements_are_chosen_row_by_row(monkeypatch, system):
    planted = SYSTEMS[system](2)
    rows, radius = planted.problem.blocks[0], 0.01
    asked = rows, planted.truth - radius, planted.truth + radius, 16
    whole = realise(*asked)
    monkeypatch.setattr(measurements, "AT_ONCE", 3)
    blocks = realise(*asked)
    for name in ("lower", "upper", "slack", "differentiable"):
        assert np.array_equal(getattr(whole, name), getattr(blocks, name))


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_number_between_two_doubles_is_no_measurement_to_choose(system):
    planted = SYSTEMS[system](3)
    rows = planted.problem.blocks[0]
    exact = replace(rows, lower=rows.lower, upper=np.nextafter(rows.lower, np.inf))
    points = realise(exact, planted.truth - 0.3, planted.truth + 0.3, 16)
    measured = list(rows.measured_inputs)
    assert (points.lower[:, measured] == exact.lower[measured]).all()
    assert (points.upper[:, measured] == exact.upper[measured]).all()
    assert not points.slack.any()
