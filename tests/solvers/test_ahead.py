"""Boxes that workers narrow before their turn: the same tree, a pause where it would have come, and no lie in it."""

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest
from systems import leg

import certify
from certify.contractors.protocol.contractor import Evaluate
from certify.records.options import Options
from certify.solvers.proof.trace import Refuted, Steps
from certify.solvers.search import before_refuting
from certify.solvers.workers.crew import nobody
from certify.solvers.workers.work import answered


@dataclass
class Here:
    """A crew of this process: what it says is there at once, as `change` makes it."""

    change: object = staticmethod(lambda data: data)
    count: int = 1
    seconds: float = 0.0
    elsewhere: bool = False
    asked: int = 0

    def ask(self, work, piece, seconds):
        self.asked += 1
        answer = type(nobody())()
        answer.set_result(self.change(answered(work.opener, work.mark, work.text, piece, seconds)))
        return answer


def bounded(crew=None, splits=20_000):
    options = Options(time_limit=1e6, splits=splits)
    return certify.adequacy(
        leg(3, epsilon=5.0, radius=60.0).problem, options=options if crew is None else replace(options, crew=crew)
    )


@pytest.fixture(scope="module")
def alone():
    return bounded()


def same(one, two):
    return [(p.certificate, p.splits, p.epsilon, p.stopped) for p in one.parts] == [
        (p.certificate, p.splits, p.epsilon, p.stopped) for p in two.parts
    ]


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_a_leg_is_the_same_with_workers(alone, seconds):
    crew = Here(seconds=seconds)
    assert same(bounded(crew), alone)
    assert crew.asked


def test_a_limit_in_nodes_gives_the_same_with_workers():
    assert same(bounded(Here(seconds=0.05), splits=2), bounded(splits=2))


CHANGES = [lambda data: None, lambda data: b"", lambda data: data[:-1], lambda data: data + b"x"]


@pytest.mark.thorough
@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_answer_is_narrowed_here(alone, change):
    assert same(bounded(Here(change)), alone)


def lied(data):
    """Every box is said to be refuted by its first row."""
    found, _ = before_refuting.CODEC.decode(data, before_refuting.Found)
    steps = Steps()
    steps.end = Refuted(Evaluate(0, 0))
    boxes = [(key, before_refuting.CODEC.decode(key, before_refuting.Box)) for key, _ in found]
    lies = tuple((key, before_refuting.CODEC.encode((box, steps, (), 0))) for key, box in boxes)
    return before_refuting.CODEC.encode((lies, ()))


def test_a_lying_worker_proves_nothing(alone):
    (truth,), (part,) = alone.parts, bounded(Here(lied)).parts
    assert part.epsilon[0] <= truth.epsilon[1]
    assert part.epsilon[0] == 0 or part.epsilon[0] > Fraction(9, 10) * truth.epsilon[0]
