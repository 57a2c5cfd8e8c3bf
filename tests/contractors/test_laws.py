"""Laws of all contractors, once, over all of them: a feasible point survives; cuts stay inside; the answer does not
depend on the past.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from systems import SYSTEMS

from certify.contractors.operators.forward_backward import ForwardBackward, hoist
from certify.contractors.operators.lifted_relaxation import LiftedRelaxation
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.constraints import Constraints
from certify.contractors.rows.forms import has_polynomial_form, mean_value_rows
from certify.contractors.rows.taylor_form import taylor_rows
from certify.solvers.graph.components import build
from certify.solvers.linear_programs.ranges import Ranges

NAMES = (
    "forward-backward",
    "krawczyk",
    "lifted-relaxation-1",
    "lifted-relaxation-16",
    "mean-value-relaxation",
    "taylor-relaxation",
)


def contractors(problem, epsilon):
    """Those of the graph, and those that it has for rows without polynomial form only, here for all rows."""
    made_for = Constraints.of([(0, problem.blocks[0])], epsilon)
    found = {node.contractor.name: node.contractor for node in build(made_for, Ranges()).graph.nodes}
    for name, rows in (("mean-value-relaxation", mean_value_rows), ("taylor-relaxation", taylor_rows)):
        found[name] = LiftedRelaxation(made_for, Ranges(), 1, name, 3, rows)
    return found


def narrowed(contractor, box):
    answer = contractor.contract(Boxes.of([box]))
    return answer.reasons[0], answer.box(0)


def box_around(planted, rng, largest):
    radius = largest * 10.0 ** rng.uniform(-4, 0, planted.truth.size)
    shift = rng.uniform(-1, 1, planted.truth.size) * radius
    return Box(planted.truth + shift - radius, planted.truth + shift + radius)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=40)
@given(system=st.sampled_from(sorted(SYSTEMS)), seed=st.integers(0, 10**6))
def test_a_feasible_point_survives(name, system, seed):
    rng = np.random.default_rng(seed)
    planted = SYSTEMS[system](seed % 11)
    found = contractors(planted.problem, planted.epsilon)
    if name not in found:
        assert not has_polynomial_form(planted.problem.blocks[0])
        return
    box = box_around(planted, rng, 100.0 if system == "leg" else 1.0)
    box = Box(np.minimum(box.lower, planted.truth), np.maximum(box.upper, planted.truth))
    narrowing, left = narrowed(found[name], box)
    assert narrowing.refuted is None
    for cut in narrowing.cuts:
        assert box.lower[cut.variable] < cut.at < box.upper[cut.variable]
        box = box.cut(cut)
        assert (box.lower <= planted.truth).all()
        assert (planted.truth <= box.upper).all()
    assert np.array_equal(left.lower, box.lower)
    assert np.array_equal(left.upper, box.upper)


@settings(max_examples=60)
@given(system=st.sampled_from(sorted(SYSTEMS)), seed=st.integers(0, 10**6), width=st.sampled_from([0.01, 1.0, 30.0]))
def test_rows_side_by_side_say_what_they_say_in_turn(system, seed, width):
    """Bit for bit; and what is evaluated once for each row takes no feasible point away."""
    planted, rng = SYSTEMS[system](seed % 11), np.random.default_rng(seed)
    rows = planted.problem.blocks[0]
    box = box_around(planted, rng, width * (100.0 if system == "leg" else 1.0))
    box = Box(np.minimum(box.lower, planted.truth), np.maximum(box.upper, planted.truth))
    together, left = narrowed(ForwardBackward(0, rows, planted.epsilon), box)
    assert together.refuted is None
    assert len(set(rows.places.tolist())) == box.lower.size
    assert (left.lower <= planted.truth).all()
    assert (planted.truth <= left.upper).all()
    found = []
    for k in range(rows.count):
        mine, box = narrowed(ForwardBackward(0, rows.only([k]), planted.epsilon), box)
        found += [(cut.variable, cut.at, cut.below, k) for cut in mine.cuts]
    most = 4 * box.lower.size  # cuts of one answer
    assert found[:most] == [(cut.variable, cut.at, cut.below, cut.reason.row) for cut in together.cuts]


def test_rows_far_from_feasible_points_refute():
    planted = SYSTEMS["circle"](2)
    far = ForwardBackward(0, planted.problem.blocks[0], planted.epsilon)
    assert far.contract(Boxes(np.full((2, 3), 50.0), np.full((2, 3), 51.0))).empty.all()


def test_hoisting_shortens_the_tape():
    rows = SYSTEMS["leg"](0).problem.blocks[0]
    assert len(hoist(rows).tape.steps) < 0.6 * len(rows.tape.steps)


@pytest.mark.parametrize("name", NAMES)
def test_every_contractor_narrows_something(name):
    gains = 0
    for system in sorted(SYSTEMS):
        planted = SYSTEMS[system](3)
        found = contractors(planted.problem, 0.0 if system == "leg" else planted.epsilon)
        if name in found:
            for radius in (1.0, 0.3, 0.1):
                box = Box(planted.truth - radius, planted.truth + radius)
                gains += len(narrowed(found[name], box)[0].cuts)
    assert gains > 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_contractors_do_not_remember(name, system):
    planted = SYSTEMS[system](5)
    one, two = (contractors(planted.problem, planted.epsilon) for _ in range(2))
    if name not in one:
        return
    box = Box(*planted.problem.box)
    narrowed(two[name], Box(box.lower + 0.25 * (box.upper - box.lower), box.upper))
    assert narrowed(one[name], box)[0] == narrowed(two[name], box)[0]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_boxes_are_not_written_to(name, system):
    planted = SYSTEMS[system](5)
    found = contractors(planted.problem, planted.epsilon)
    if name in found:
        box = Box(*planted.problem.box)
        lower, upper = box.lower.copy(), box.upper.copy()
        narrowed(found[name], box)
        assert np.array_equal(box.lower, lower)
        assert np.array_equal(box.upper, upper)
