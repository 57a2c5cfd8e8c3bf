"""The fewest measurements to leave out: planted outliers are found, the number is proved minimal, and wrong numbers are
rejected.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from readings_on_a_line import line
from two_checkers import both

import certify
from certify.checker.certificate import DISCARDED
from certify.claims.proved_words import discard_section
from certify.problems.errors import InputError
from certify.questions.discards import Discards, fewest_discards
from certify.records.options import Options
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped


def explained(values, rows, half=0.1):
    """Whether some line passes all these readings: between any three of them, by Helly's theorem in the plane of (a,
    b).
    """
    for i, j, k in combinations(rows, 3):
        middle = values[i] + (values[k] - values[i]) * (j - i) / (k - i)
        if abs(values[j] - middle) > 2 * half + 1e-9:
            return False
    return True


def brute(values):
    count = len(values)
    return next(
        n
        for n in range(count)
        for out in combinations(range(count), n)
        if explained(values, [k for k in range(count) if k not in out])
    )


def answer(values, **named):
    return fewest_discards(line([str(v) for v in values]), **named)


@pytest.mark.parametrize("outliers", [{}, {4: 1.5}, {2: 1.0, 7: -2.0}, {1: 3.0, 5: -1.0, 8: 2.0}])
def test_planted_outliers_are_the_fewest(outliers):
    random = np.random.default_rng(len(outliers))
    values = [round(1.0 + 0.5 * k + float(random.uniform(-0.05, 0.05)) + outliers.get(k, 0.0), 3) for k in range(12)]
    result = answer(values)
    part = result.parts[0]
    assert isinstance(part, Discards)
    assert part.verdict is Verdict.DISCARDS
    assert part.stopped is Stopped.FINISHED
    assert {row for _, row in part.discarded} == set(outliers)
    assert part.fewest == len(outliers) == brute(values)
    assert both(result.canonical, part.witness_certificate) == "VERIFIED"
    if outliers:
        assert both(result.canonical, part.certificate) == "VERIFIED"
        assert all({row for _, row in conflict} & set(outliers) for conflict in part.conflicts)


@pytest.mark.parametrize("seed", range(6))
def test_the_number_is_that_of_brute_force(seed):
    random = np.random.default_rng(seed)
    values = [round(float(v), 2) for v in random.uniform(0.0, 1.0, 8)]
    part = answer(values).parts[0]
    assert part.stopped is Stopped.FINISHED
    assert len(part.discarded) == part.fewest == brute(values)


def outlying():
    values = [1.0 + 0.5 * k for k in range(10)]
    values[3], values[6] = 4.0, 1.0
    return values


def test_a_model_error_that_is_allowed_needs_no_discard():
    values = outlying()
    assert answer(values, epsilon="3").parts[0].discarded == ()
    assert len(answer(values, epsilon="0").parts[0].discarded) == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [("discard 1", "discard 2"), ("discard 1", "discard 0"), ("hitting ", "prepare "), ("lower 0", "lower 2")],
)
def test_forged_numbers_are_rejected(old, new):
    result = answer(outlying())
    text = result.parts[0].certificate.decode()
    assert old in text
    assert both(result.canonical, text.replace(old, new, 1).encode()) == "REJECTED"


@pytest.mark.parametrize(
    ("old", "new"),
    [("discard 2", "discard 1"), ("without 0.3 0.6", "without 0.3"), ("without 0.3 0.6", "without 0.3 0.5")],
)
def test_forged_witnesses_are_rejected(old, new):
    result = answer(outlying())
    text = result.parts[0].witness_certificate.decode()
    assert old in text
    assert both(result.canonical, text.replace(old, new, 1).encode()) == "REJECTED"


def test_no_more_are_left_out_than_a_certificate_may_name():
    values = [float(7 * (k % 2)) for k in range(2 * (DISCARDED + 3))]  # two lines, one of which has to go
    result = answer(values, options=Options(time_limit=2.0))
    part = result.parts[0]
    assert part.discarded is None
    assert part.witness_certificate is None
    assert part.certificate is None or both(result.canonical, part.certificate) == "VERIFIED"


def test_without_time_nothing_is_said():
    part = answer(outlying(), options=Options(time_limit=0.0)).parts[0]
    assert part.discarded is None
    assert part.fewest == 0
    assert part.certificate is None
    assert part.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(("epsilon", "told"), [("-1", "negative"), ("a", "no exact number")])
def test_bad_input_is_told(epsilon, told):
    with pytest.raises(InputError, match=told):
        answer([1.0, 2.0, 3.0], epsilon=epsilon)


def test_shared_measurements_are_refused():
    problem = line(["1", "2", "3"])
    family = problem.families[0]
    twice = certify.Problem(
        problem.variables, problem.columns, (family, certify.Family("again", family.tape, 3, family.bindings, "mm"))
    )
    with pytest.raises(InputError, match="share measurements"):
        fewest_discards(twice)


def test_all_rows_may_have_to_go():
    """Two readings that no value in the box explains, not even alone."""
    tape = certify.trace(lambda x, m: x.a - m.y, {"a": ()}, {"y": ()})
    readings = certify.Column("y", "mm", (Fraction(50), Fraction(60)), (Fraction(51), Fraction(61)))
    variable = certify.Variable("a", "mm", Fraction(0), Fraction(1))
    bindings = (certify.Binding(False, 0), certify.Binding(True, 0))
    problem = certify.Problem((variable,), (readings,), (certify.Family("line", tape, 2, bindings, "mm"),))
    answer = fewest_discards(problem, Fraction(1, 2))
    (part,) = answer.parts
    assert (part.discarded, part.fewest, part.level) == ((("line", 0), ("line", 1)), 2, Fraction(1, 2))
    assert both(answer.canonical, part.certificate) == both(answer.canonical, part.witness_certificate) == "VERIFIED"
    assert (
        discard_section(answer)[1]
        == "fewest measurements to leave out so that the rest is consistent in the search box within 0.5 mm:"
    )


def test_a_number_that_the_solver_made_up_is_not_claimed(monkeypatch):
    """HiGHS only proposes: if it says that more rows are needed than are, nothing is claimed about fewer."""
    from certify.questions import discards

    honest = discards.fewest

    def counting_too_many(conflicts, suspicion):
        found = honest(conflicts, suspicion)
        return found if suspicion else (*found, (0, 0))  # without suspicion it is asked for the number only

    monkeypatch.setattr(discards, "fewest", counting_too_many)
    part = answer(outlying()).parts[0]
    assert part.fewest == 0
    assert part.stopped is Stopped.REPLAY
