"""The one loop of all searches: order, limits counted in nodes, and what waits after a step that was broken off."""

import pytest

from certify.solvers.limits import UNLIMITED, Late, Limit, Stopped
from certify.solvers.search.explore import Best, Ended, Stack, explore


class Halving:
    """Intervals of integers, halved to single ones; what was treated is kept in its order."""

    def __init__(self, fails=None):
        self.seen, self.fails = [], fails

    def __call__(self, taken):
        if self.fails is not None and len(self.seen) >= 2:
            raise self.fails
        self.seen += taken
        middles = [(low, (low + high) // 2, high) for low, high in taken if high - low > 1]
        return [part for low, middle, high in middles for part in ((middle, high), (low, middle))]


def test_a_stack_goes_deep_and_the_best_is_what_a_measure_says():
    deep, large = Halving(), Halving()
    assert explore(Stack([(0, 4)]), deep, UNLIMITED) is Stopped.FINISHED
    assert deep.seen == [(0, 4), (0, 2), (0, 1), (1, 2), (2, 4), (2, 3), (3, 4)]
    assert explore(Best([(0, 4)], lambda ends: ends[0] - ends[1]), large, UNLIMITED) is Stopped.FINISHED
    assert large.seen[:3] == [(0, 4), (2, 4), (0, 2)]


def test_a_measure_may_change_meanwhile():
    order, sizes = [], {"a": 1, "b": 2, "c": 3}

    def step(taken):
        order.extend(taken)
        sizes["c"] = 0
        return []

    explore(Best("abc", sizes.__getitem__), step, UNLIMITED)
    assert order == ["a", "c", "b"]


def test_batches_and_nodes_are_counted_whatever_the_clock_says():
    search, waiting = Halving(), Stack([(0, 64)])
    sizes = []

    def step(taken):
        sizes.append(len(taken))
        return search(taken)

    assert explore(waiting, step, UNLIMITED, batch=8, room=lambda: 21 - len(search.seen)) is Stopped.SPLITS
    assert sizes == [1, 2, 4, 8, 6]
    assert len(search.seen) == 21
    assert sum(high - low for low, high in waiting) + sum(high - low == 1 for low, high in search.seen) == 64


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (Late(Stopped.TIME), Stopped.TIME),
        (MemoryError(), Stopped.MEMORY),
        (Ended(Stopped.WIDTH, [(0, 1)]), Stopped.WIDTH),
    ],
)
def test_what_a_broken_step_had_taken_waits_again(fails, why):
    search, waiting = Halving(fails), Stack([(0, 4)])
    assert explore(waiting, search, UNLIMITED) is why
    assert waiting == [(2, 4), (1, 2), (0, 1)]


def test_a_limit_is_asked_before_anything_is_taken():
    waiting = Stack([(0, 4)])
    assert explore(waiting, Halving(), Limit.of(-1.0)) is Stopped.TIME
    assert waiting == [(0, 4)]


def test_progress_is_told_after_every_step():
    told, waiting = [], Stack([(0, 4)])
    explore(waiting, Halving(), UNLIMITED, progress=lambda: told.append(len(waiting)))
    assert told == [2, 3, 2, 1, 2, 1, 0]
