"""One realisation of shared measurements for all rows: found where there is one, exact where its value is known, at any
unit.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from planted_arms import planted_arm
from two_checkers import both

import certify
from certify.parts.part_search import PartSearch
from certify.parts.scopes import joint_scope, start_point
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.proofs.problem_replay import Proving
from certify.proofs.witnesses import shared_columns, sharing, witness_at
from certify.questions.discards import fewest_discards
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.fits.shared_measurements import linearised
from certify.solvers.limits import Stopped

HALVES = [("0", "1/20"), ("1/10000", "1/20"), ("1/1000", "1/20"), ("1/10000", "1/1000000000"), ("0", "1/1000000000")]
HARD = [
    (12, "1/100000", "1/1000000"),
    (18, "0", "1/1000000"),
]  # one program's tolerance is far above what decides, in the end or on the way


def verified(answer):
    return {both(answer.canonical, part.certificate) for part in answer.parts} == {"VERIFIED"}


@pytest.mark.parametrize(("joint", "reading"), HALVES)
@pytest.mark.parametrize("unknowns", [6, 18])
def test_a_true_arm_is_adequate_however_narrow_the_intervals_are(unknowns, joint, reading):
    problem, _ = planted_arm(unknowns, joint=joint, reading=reading)
    answer = certify.adequacy(problem)
    assert [part.verdict for part in answer.parts] == [Verdict.ADEQUATE]
    assert verified(answer)


@pytest.mark.parametrize(("unknowns", "joint", "reading"), HARD)
def test_a_candidate_is_found_where_little_decides(unknowns, joint, reading):
    problem, _ = planted_arm(unknowns, 60, joint=joint, reading=reading)
    search = PartSearch(Proving(problem), (0, 1, 2), Options(), start_point(problem, None))
    assert search.proving.needed((0, 1, 2), search.candidate(search.start)) == 0


@pytest.mark.parametrize("seed", range(3))
def test_the_true_parameters_of_an_arm_explain_all_readings(seed):
    problem, truth = planted_arm(12, poses=30, joint="1/1000", seed=seed)
    point = [Fraction(value) for value in truth.tolist()]
    grouping = sharing(problem, (0, 1, 2))
    assert (
        linearised(problem.blocks, grouping, truth, grouping.middle).values.max() > 0.1
    )  # mm: with encoders in the middle of their intervals
    answer = certify.error_at(problem, point)
    assert answer.parts[0].verdict is Verdict.ADEQUATE
    assert verified(answer)


def sensors(pairs, own, unit=Fraction(1)):
    """Rows |x + y_k - p_k| and |x + y_k - q_k| that share a reading y_k in [-1, 1]; p and q are known within `own`."""
    rows = len(pairs)
    tape = certify.trace(lambda x, m: x.u + m.y - m.p, {"u": ()}, {"y": (), "p": ()})
    columns = [certify.Column("y", "1", (-unit,) * rows, (unit,) * rows)]
    for name, values in zip("pq", zip(*pairs, strict=True), strict=True):
        columns.append(
            certify.Column(name, "1", tuple(unit * (v - own) for v in values), tuple(unit * (v + own) for v in values))
        )
    bindings = [(certify.Binding(False, 0), certify.Binding(True, 0), certify.Binding(True, k)) for k in (1, 2)]
    families = tuple(certify.Family(name, tape, rows, given) for name, given in zip("ab", bindings, strict=True))
    return certify.Problem((certify.Variable("u", "1", -9 * unit, 9 * unit),), tuple(columns), families)


@pytest.mark.parametrize("unit", [Fraction(1), Fraction(1, 10**9), Fraction(10**9)])
@pytest.mark.parametrize("u", [Fraction(0), Fraction(1, 4)])
def test_what_a_point_needs_is_known_exactly(unit, u):
    """At u the least of the larger |u + y - p| and |u + y - q| is |p - q| / 2, or more where y would leave [-1, 1]."""
    random = np.random.default_rng(5)
    pairs = [tuple(Fraction(int(v), 64) for v in random.integers(-90, 90, 2)) for _ in range(40)]
    own = Fraction(1, 100)

    def needs(p, q):
        middle = max(min((p + q) / 2 - u, Fraction(1)), Fraction(-1)) + u
        return max(abs(middle - p), abs(middle - q)) - own

    part = certify.error_at(sensors(pairs, own, unit), [u * unit]).parts[0]
    exact = unit * max(needs(p, q) for p, q in pairs)
    assert part.epsilon[0] <= exact <= part.epsilon[1] <= exact * (1 + Fraction(1, 10**8))
    alone = unit * max(max(abs(u - end) - 1 for end in pair) - own for pair in pairs)
    assert alone * Fraction(999, 1000) < part.epsilon[0] <= alone


def test_rows_that_contradict_only_together_are_undecided_at_a_point():
    answer = certify.error_at(sensors([(Fraction(-1, 2), Fraction(1, 2))], Fraction(1, 10)), [Fraction(0)])
    part = answer.parts[0]
    assert part.verdict is Verdict.UNDECIDED
    assert part.stopped is Stopped.NO_REALISATION
    assert part.epsilon[0] == 0
    assert Fraction(2, 5) <= part.epsilon[1] < Fraction(2, 5) + Fraction(1, 10**9)
    assert verified(answer)


def test_the_work_at_a_point_grows_with_the_poses_only():
    problem, truth = planted_arm(6, poses=400, joint="1/1000")
    grouping = sharing(problem, (0, 1, 2))
    found = linearised(problem.blocks, grouping, truth, grouping.middle)
    assert found.slopes.values.size <= 2 * 3 * 400 * (6 + 6)
    values = {v: Fraction(value) for v, value in enumerate(truth.tolist())}
    assert witness_at(problem, (0, 1, 2), values, truth).estimate < 0


def test_what_is_known_exactly_is_not_shared():
    problem, _ = planted_arm(6, joint="0")
    assert shared_columns(problem, (0, 1, 2)) == ()
    assert not any(rows.repeated[i] for rows in problem.blocks for i in rows.measured_inputs)
    assert shared_columns(planted_arm(6)[0], (0, 1, 2)) == tuple(range(6))


@pytest.mark.parametrize("half", [Fraction(0), Fraction(1, 10)])
def test_an_entry_that_one_row_uses_twice_is_repeated_unless_it_is_known_exactly(half):
    tape = certify.trace(lambda x, m: x.u * m.s + m.t - m.y, {"u": ()}, {"s": (), "t": (), "y": ()})
    columns = (
        certify.Column("q", "1", (1 - half,), (1 + half,)),
        certify.Column("y", "1", (Fraction(1),), (Fraction(2),)),
    )
    bindings = (certify.Binding(False, 0), certify.Binding(True, 0), certify.Binding(True, 0), certify.Binding(True, 1))
    problem = certify.Problem(
        (certify.Variable("u", "1", -Fraction(9), Fraction(9)),), columns, (certify.Family("f", tape, 1, bindings),)
    )
    assert problem.blocks[0].repeated == (False, half > 0, half > 0, False)
    answer = certify.adequacy(problem)
    assert answer.parts[0].verdict is Verdict.ADEQUATE
    assert verified(answer)


def test_entries_are_shared_one_by_one():
    problem, _ = planted_arm(6, poses=14)
    first = problem.columns[0]
    middles = [(low + high) / 2 for low, high in zip(first.lower, first.upper, strict=True)]
    mixed = replace(
        first, lower=tuple(m if k % 2 else low for k, (m, low) in enumerate(zip(middles, first.lower, strict=True)))
    )
    mixed = replace(
        mixed, upper=tuple(m if k % 2 else high for k, (m, high) in enumerate(zip(middles, first.upper, strict=True)))
    )
    problem = replace(problem, columns=(mixed, *problem.columns[1:]))
    grouping = sharing(problem, (0, 1, 2))
    assert grouping.lower.size == 5 * 14 + 7
    assert all((grouping.entries[n][6] >= 0).tolist() == [k % 2 == 0 for k in range(14)] for n in range(3))
    answer = certify.adequacy(problem)
    assert answer.parts[0].verdict is Verdict.ADEQUATE
    assert verified(answer)


def test_a_wrong_reading_of_an_arm_with_exact_joints_is_left_out():
    problem, _ = planted_arm(4, poses=12, joint="0")
    place = next(k for k, column in enumerate(problem.columns) if column.name == "y")
    wrong = problem.columns[place]
    moved = [tuple(v + 2 * (k == 5) for k, v in enumerate(ends)) for ends in (wrong.lower, wrong.upper)]
    columns = list(problem.columns)
    columns[place] = replace(wrong, lower=moved[0], upper=moved[1])
    part = fewest_discards(replace(problem, columns=tuple(columns))).parts[0]
    assert part.discarded == (("y", 5),)
    assert part.fewest == 1


@pytest.mark.thorough
@pytest.mark.parametrize("noise", ["1", "0.001"])
def test_all_legs_of_a_true_platform_have_one_realisation(noise):
    simulated = simulate(unmodelled_error("none"), seed=5, noise=noise)
    truth = simulated.truth.parameters
    problem = simulated.experiment.problem(truth)
    scope, proving = joint_scope(problem, 6), Proving(problem)
    witness = witness_at(problem, scope, dict(enumerate(truth)), np.array([float(value) for value in truth]))
    assert proving.needed(scope, witness) == 0
    assert both(proving.canonical, proving.document(scope, None, Fraction(0), witness, (), truth)) == "VERIFIED"


def turning(model, centre):
    """Three rows of a model in u with readings c and L that vanish at u = 3, c = 0.7, between the ends of the readings'
    intervals.
    """
    tape = certify.trace(model, {"u": ()}, {"c": (), "L": ()})
    columns = []
    for name, values, half in (("c", centre, 1), ("L", ("3.005", "2.99", "3.01"), Fraction(1, 50))):
        exact = [Fraction(value) for value in values]
        columns.append(certify.Column(name, "1", tuple(v - half for v in exact), tuple(v + half for v in exact)))
    bindings = (certify.Binding(False, 0), certify.Binding(True, 0), certify.Binding(True, 1))
    variable = certify.Variable("u", "1", Fraction(2), Fraction(5))
    return certify.Problem((variable,), tuple(columns), (certify.Family("f", tape, 3, bindings),))


TOUCHING = [
    (lambda x, m: (m.c - Fraction(7, 10)) ** 2 + (x.u - m.L) ** 2, 1e-12),
    (
        lambda x, m: certify.norm([m.c - Fraction(7, 10), x.u - m.L]),
        0.05,
    ),  # linear programs approach the tip of a cone slowly
]


@pytest.mark.thorough
@pytest.mark.parametrize(("model", "near"), TOUCHING)
def test_a_row_that_touches_zero_is_followed_to_where_it_does(model, near):
    """No reading makes it negative, so that it cannot be proved to vanish; what is proved of it comes near."""
    problem = turning(model, ("0.1", "0.2", "0.3"))
    for answer in (certify.adequacy(problem), certify.error_at(problem, [Fraction(3)])):
        part = answer.parts[0]
        assert part.verdict is Verdict.UNDECIDED
        assert part.epsilon[0] == 0
        assert 0 < part.epsilon[1] < near
        assert verified(answer)
    assert part.stopped is Stopped.NO_REALISATION


def test_a_row_that_does_not_touch_zero_is_no_better_than_it_is():
    """The first reading of c ends at 0.5, that of L at 3.025, the others of L at 3.01 and 3.03; u is 4."""
    problem = turning(TOUCHING[0][0], ("-0.5", "0.2", "0.3"))
    part = certify.error_at(problem, [Fraction(4)]).parts[0]
    exact = max(Fraction(1, 5) ** 2 + (4 - Fraction("3.025")) ** 2, (4 - Fraction("3.01")) ** 2)
    assert part.epsilon[0] <= exact <= part.epsilon[1] <= exact * Fraction(1000001, 1000000)
    assert part.epsilon[0] > exact / 20


@pytest.mark.thorough
def test_a_distance_as_a_residual_is_followed_by_the_unknowns_too():
    """|(u t - a, v + t - b)|, which is never negative and has no derivative where it vanishes: at u = 3/2, v = 2 it
    does, in each of six rows.
    """
    random = np.random.default_rng(1)
    times = [Fraction(k, 3) for k in range(1, 7)]
    half = Fraction(1, 10)
    moved = [[Fraction(str(round(value, 6))) for value in random.uniform(-0.09, 0.09, 6).tolist()] for _ in range(2)]
    read = [
        [value * times[k] + more + shift[k] for k in range(6)]
        for value, more, shift in zip((Fraction(3, 2), 1), (0, 2), moved, strict=True)
    ]
    columns = [certify.Column("t", "1", tuple(times), tuple(times))]
    columns += [
        certify.Column(name, "1", tuple(v - half for v in own), tuple(v + half for v in own))
        for name, own in zip("ab", read, strict=True)
    ]
    variables = tuple(certify.Variable(name, "1", Fraction(-5), Fraction(5)) for name in "uv")
    tape = certify.trace(
        lambda x, m: certify.norm([x.u * m.t - m.a, x.v + m.t - m.b]), {"u": (), "v": ()}, {"t": (), "a": (), "b": ()}
    )
    bindings = (*(certify.Binding(False, k) for k in range(2)), *(certify.Binding(True, k) for k in range(3)))
    answer = certify.adequacy(certify.Problem(variables, tuple(columns), (certify.Family("f", tape, 6, bindings),)))
    assert 0 <= answer.parts[0].epsilon[1] < Fraction(1, 10**6)
    assert verified(answer)
