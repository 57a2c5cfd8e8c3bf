"""Solvers of fits, each with its defaults: scipy's least_squares, curve_fit and minimize, and lmfit."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from certify.testing.fitting import FitSolver
from certify.testing.strategies import Fit

Solved = tuple[bool, tuple[float, ...] | None]


def _curve(x: Any, a: float, b: float, c: float) -> Any:
    return a * np.exp(-b * x) + c


def _least_squares(method: str) -> Callable[[Fit], Solved]:
    def solve(fit: Fit) -> Solved:
        from scipy.optimize import least_squares

        x, y = np.array(fit.x), np.array(fit.y)
        done = least_squares(lambda p: _curve(x, *p) - y, fit.start, method=method)
        return bool(done.success), tuple(done.x.tolist())

    return solve


def _curve_fit(fit: Fit) -> Solved:
    from scipy.optimize import curve_fit

    found, _ = curve_fit(_curve, np.array(fit.x), np.array(fit.y), p0=fit.start)
    return True, tuple(found.tolist())


def _minimize(fit: Fit) -> Solved:
    from scipy.optimize import minimize

    x, y = np.array(fit.x), np.array(fit.y)
    done = minimize(lambda p: float(((_curve(x, *p) - y) ** 2).sum()), fit.start)
    return bool(done.success), tuple(done.x.tolist())


def _lmfit(fit: Fit) -> Solved:
    lmfit: Any = importlib.import_module("lmfit")
    model = lmfit.Model(_curve, independent_vars=["x"])
    start = dict(zip("abc", fit.start, strict=True))
    done = model.fit(np.array(fit.y), x=np.array(fit.x), **start)
    return bool(done.success), tuple(float(done.params[name].value) for name in "abc")


def _quietly(solve: Callable[[Fit], Solved]) -> Callable[[Fit], Solved]:
    def call(fit: Fit) -> Solved:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return solve(fit)

    return call


def fit_solvers() -> dict[str, FitSolver]:
    """Those that are installed, by name."""
    scipy = f"scipy {importlib.metadata.version('scipy')}"
    known: dict[str, tuple[Callable[[Fit], Solved], str]] = {
        "scipy-least-squares": (_least_squares("trf"), scipy),
        "scipy-least-squares-lm": (_least_squares("lm"), scipy),
        "scipy-curve-fit": (_curve_fit, scipy),
        "scipy-minimize": (_minimize, scipy),
    }
    if importlib.util.find_spec("lmfit") is not None:
        known["lmfit"] = _lmfit, f"lmfit {importlib.metadata.version('lmfit')}"
    return {name: FitSolver(name, _quietly(solve), version) for name, (solve, version) in known.items()}
