"""The graph, its scheduler, branch and refute, and the candidates."""

import numpy as np
import pytest
from systems import bilinear, circle, leg

from certify.contractors.protocol.contractor import Box, Cut
from certify.contractors.rows.constraints import Constraints
from certify.problems.formulas.expression import norm
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.solvers.fits.minimax import minimise
from certify.solvers.fits.plain_fit import fit
from certify.solvers.fits.shared_measurements import Sharing, minimise_jointly
from certify.solvers.graph.components import build, components
from certify.solvers.graph.schedule import _Turns
from certify.solvers.limits import Limit, Stopped
from certify.solvers.linear_programs.ranges import Ranges
from certify.solvers.proof.trace import Branch, Prepared, Steps
from certify.solvers.search.refutation import refute


def component_of(problem, epsilon=0.0):
    return build(Constraints.of([(0, problem.blocks[0])], epsilon), Ranges())


def leaves(steps):
    stack, found = [steps], []
    while stack:
        top = stack.pop()
        if isinstance(top.end, Branch):
            stack += [top.end.lower, top.end.upper]
        else:
            found.append(top)
    return found


def test_components_are_found_not_told():
    from fractions import Fraction

    tape = trace(lambda x, m: x.u + x.v - m.y, {"u": (), "v": ()}, {"y": ()})
    variables = tuple(Variable(f"x{k}", "1", Fraction(0), Fraction(1)) for k in range(5))
    column = Column("y", "1", (Fraction(0),), (Fraction(1),))
    pairs = [(0, 2), (1, 3), (2, 4)]
    families = tuple(
        Family(f"f{k}", tape, 1, (Binding(False, a), Binding(False, b), Binding(True, 0)))
        for k, (a, b) in enumerate(pairs)
    )
    problem = Problem(variables, (column,), families)
    assert components(problem.blocks, range(3)) == [((0, 2), (0, 2, 4)), ((1,), (1, 3))]


@pytest.mark.parametrize("system", [leg, circle, bilinear])
def test_what_is_infeasible_is_refuted_and_nothing_else(system):
    planted = system(3)
    problem = planted.problem
    box = Box(*problem.box)
    best = minimise(problem.blocks, (0,), tuple(range(len(problem.variables))), box, box.centre, 1.0)
    assert best.epsilon <= planted.epsilon
    if best.epsilon > 0:
        for factor, why in ((0.97, Stopped.FINISHED), (1.03, Stopped.FEASIBLE)):
            found = refute(
                component_of(problem, factor * best.epsilon),
                box,
                lambda b, f=factor: f > 1,
                Limit.of(20.0),
            )
            assert found.stopped is why


def test_limits_are_reasons_to_stop_and_not_exceptions():
    planted = leg(3)
    box = Box(*planted.problem.box)
    for limit, splits, why in ((Limit.of(-1.0), 100, Stopped.TIME), (Limit.of(60.0), 0, Stopped.SPLITS)):
        found = refute(component_of(planted.problem, planted.epsilon), box, lambda b: False, limit, splits)
        assert found.stopped is why
        assert found.remaining is not None


def test_cheap_contractors_run_before_dear_ones_and_sleepers_are_not_woken():
    problem = leg(3, epsilon=2.0).problem
    component = component_of(problem)
    component.narrow(Box(*problem.box), Steps(), lambda: False)
    counts = component.statistics
    assert counts["forward-backward"].calls >= counts["lifted-relaxation-1"].calls >= 1
    assert (
        counts["lifted-relaxation-1"].calls >= counts.get("lifted-relaxation-16", counts["lifted-relaxation-1"]).calls
    )


def test_a_trace_tells_every_cut_with_its_preparation():
    problem = leg(3, epsilon=2.0).problem
    steps = Steps()
    component_of(problem).narrow(Box(*problem.box), steps, lambda: False)
    assert isinstance(steps.actions[0], Prepared | Cut)
    assert any(isinstance(action, Cut) for action in steps.actions) or steps.end is not None


def test_the_graph_can_be_drawn():
    problem = leg(3).problem
    graph = component_of(problem).graph.draw()
    assert set(graph["forward-backward"]) == {f"x{k}" for k in range(7)}


def test_least_squares_finds_the_plant():
    planted = leg(4, epsilon=1e-7, rows=40)
    rows = planted.problem.blocks[0]
    x = fit((rows,), (0,), planted.truth + 2.0)
    assert np.abs(rows.enclose(x, x).lower).max() < 1.0


def test_shared_measurements_cost_more_than_independent_ones():
    """Two numbers that read one sensor: |u - y| and |u + y - 1|, y in [0, 1]. Together u = y = 1/2; nothing is gained,
    and y is one.
    """
    from fractions import Fraction

    tapes = [
        trace(lambda x, m: x.u - m.y, {"u": ()}, {"y": ()}),
        trace(lambda x, m: norm([x.u + m.y - 1]), {"u": ()}, {"y": ()}),
    ]
    families = tuple(Family(f"f{k}", tape, 1, (Binding(False, 0), Binding(True, 0))) for k, tape in enumerate(tapes))
    column = Column("y", "1", (Fraction(0),), (Fraction(1),))
    problem = Problem((Variable("u", "1", Fraction(-3), Fraction(3)),), (column,), families)
    entries = {k: np.array([[-1], [0]]) for k in (0, 1)}
    sensor = Sharing(entries, np.zeros(1), np.ones(1), np.zeros(1, dtype=np.int64))
    found = minimise_jointly(problem.blocks, sensor, Box(*problem.box), np.array([2.0]), 1.0, -10.0)
    assert abs(found.epsilon) < 1e-6
    assert abs(found.x[0] - found.shared[0]) < 1e-6


def test_what_gains_nothing_rests_longer_and_longer():
    """Of two that are awake the first one never gains; alone it is asked all the same."""
    turns, ran = _Turns.of(2), []
    for _ in range(20):
        ran.append(turns.choose([0, 1]))
        turns.ran(ran[-1], gained=ran[-1] == 1)
    assert [k for k, number in enumerate(ran) if number == 0] == [0, 2, 6, 14]
    assert turns.choose([0]) == 0
