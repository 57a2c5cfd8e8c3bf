"""All solvers of programs that are installed here, by name."""

from __future__ import annotations

from certify.problems.errors import InputError
from certify.testing.adapters import cvxpy_solvers, linear_solvers
from certify.testing.contract import Solver


def program_solvers() -> dict[str, Solver]:
    """By name."""
    return {solver.name: solver for module in (linear_solvers, cvxpy_solvers) for solver in module.solvers()}


def program_solver(name: str) -> Solver:
    """The named one."""
    known = program_solvers()
    if name not in known:
        raise InputError(f"no solver is called {name!r} here; there are {', '.join(known)}")
    return known[name]
