"""The whole contract of a solver as tests of pytest.

    @certify.testing.checks(my_solver)                 # a Solver, an Enclosing library, or a RootSolver
    def test_my_solver(instance): ...                  # called with every instance that was answered rightly

A wrong answer fails the test with the smallest instance that Hypothesis finds, and a script that needs nothing of this
project. With `tolerated=False` answers that are only within the tolerance fail, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from hypothesis import HealthCheck, given, settings

from certify.testing.contract import Finding, Said, Solver, finding
from certify.testing.enclosing import Enclosing, enclosing_finding
from certify.testing.rooting import RootSolver, polynomials, rooting_finding
from certify.testing.scripts import script
from certify.testing.strategies import expressions, programs

EXAMPLES = 200
Checked = Solver | Enclosing | RootSolver


class WrongAnswer(AssertionError):
    """What a solver said, and what is true."""


def strategy_of(checked: Checked) -> Any:
    """The instances that it is asked."""
    if isinstance(checked, Solver):
        return programs(checked.kinds)
    return expressions(tuple(checked.functions)) if isinstance(checked, Enclosing) else polynomials()


def finding_of(checked: Checked, instance: Any) -> Finding | None:
    """What is not true of its answer."""
    if isinstance(checked, Solver):
        return finding(instance.program, instance.truth, checked.solve(instance.program), checked.criterion)
    if isinstance(checked, Enclosing):
        return enclosing_finding(checked, instance.function, instance.lower, instance.upper, instance.point)
    return rooting_finding(checked, instance)


def checks(
    checked: Checked, *, examples: int = EXAMPLES, tolerated: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator that makes a test of a function."""

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        answered: list[bool] = []

        def test(instance: Any) -> None:
            found = finding_of(_watched(checked, answered), instance)
            if found is not None and (found.wrong or not tolerated):
                raise WrongAnswer(_told(checked, instance, found))
            function(instance) if function.__code__.co_argcount else function()

        test.__name__, test.__doc__, test.__module__ = function.__name__, function.__doc__, function.__module__
        quiet = list(HealthCheck)
        quiet_settings = settings(max_examples=examples, deadline=None, suppress_health_check=quiet, print_blob=False)
        decorate_further: Any = given(strategy_of(checked))
        made: Callable[..., Any] = quiet_settings(decorate_further(test))

        @wraps(made)
        def whole() -> None:
            answered.clear()
            made()
            if answered and not any(answered):
                raise WrongAnswer(
                    f"{checked.name} has answered none of {len(answered)} instances, so nothing was tested: its "
                    f"function returns Said.NOTHING; kinds= says which programs it takes"
                )

        return whole

    return decorate


def _watched(checked: Checked, answered: list[bool]) -> Checked:
    """The same, keeping whether it answers at all."""
    if not isinstance(checked, Solver):
        return checked

    def solve(program: Any) -> Any:
        answer = checked.solve(program)
        answered.append(answer.said is not Said.NOTHING)
        return answer

    return replace(checked, solve=solve)


def _told(checked: Checked, instance: Any, found: Finding) -> str:
    head = f"{checked.name} is wrong: {found.words}"
    if isinstance(checked, Solver):
        return f"{head}\n\n{script(instance.program, checked.name, checked.version, found.words)}"
    return f"{head}\n\n{instance!r}"
