"""The paper's bisection with time-outs, against a solver whose answers are known."""

from fractions import Fraction

import pytest

from certify.solvers.search.paper_method import FIRST_DELAY, Attempt, bisect


class Solver:
    """The true optimum is `best`; near above it an attempt takes longer the nearer it is."""

    def __init__(self, best, patience=0.0):
        self.best, self.patience, self.asked, self.clock = Fraction(best), patience, [], 0.0

    def __call__(self, epsilon, seconds):
        self.asked.append((epsilon, seconds))
        needed = self.patience / float(abs(epsilon - self.best)) if epsilon != self.best else seconds + 1
        self.clock += min(seconds, needed)
        if needed > seconds:
            return Attempt(refuted=False)
        return (
            Attempt(refuted=True) if epsilon < self.best else Attempt(False, max(self.best, epsilon * Fraction(9, 10)))
        )


def ends(solver, upper=8, gap="1/100", limit=1000.0):
    return bisect(
        solver, Fraction(upper), Fraction(gap), Fraction(0), lambda: limit - solver.clock, lambda value: value
    )


@pytest.mark.parametrize("best", ["1/7", "3", "79/10"])
@pytest.mark.parametrize("patience", [0.0, 0.05])
def test_the_ends_close_in_on_the_optimum(best, patience):
    solver = Solver(best, patience)
    lower, upper = ends(solver)
    assert lower <= solver.best <= upper
    assert upper - lower <= upper / 100


def test_what_timed_out_moves_no_end_and_the_delay_doubles():
    solver = Solver(3, patience=1e9)
    assert ends(solver, limit=20.0) == (0, 8)
    delays = [seconds for _, seconds in solver.asked]
    assert delays[0] == FIRST_DELAY
    assert max(delays) > FIRST_DELAY
    assert all(0 < epsilon < 8 for epsilon, _ in solver.asked)


def test_nothing_is_asked_when_there_is_nothing_to_ask():
    solver = Solver(0)
    assert ends(solver, upper=0) == (0, 0)
    assert not solver.asked
