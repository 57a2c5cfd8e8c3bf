"""Interval libraries: mpmath.iv, intvalpy, python-flint (Arb)."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from certify.testing.enclosing import Enclosing

End = float | Fraction
Function = Callable[[float, float], tuple[End, End]]


SCRIPTS = {
    "mpmath-iv": """from mpmath import iv

x = iv.mpf([{lower!r}, {upper!r}])
print("mpmath.iv says:", x**2 if {function!r} == "sqr" else getattr(iv, {function!r})(x))
""",
    "intvalpy": """import intvalpy as ip

x = ip.Interval({lower!r}, {upper!r})
print("intvalpy says:", x**2 if {function!r} == "sqr" else getattr(ip, {function!r})(x))
""",
    "python-flint": """from flint import arb

x = arb({lower!r}).union(arb({upper!r}))
print("python-flint says:", getattr(x, {function!r})())
""",
}


def libraries() -> dict[str, Enclosing]:
    """Those that are installed, by name."""
    found: dict[str, Enclosing] = {}
    for name, (package, functions) in {
        "mpmath-iv": ("mpmath", _mpmath),
        "intvalpy": ("intvalpy", _intvalpy),
        "python-flint": ("python-flint", _flint),
    }.items():
        try:
            found[name] = Enclosing(
                name, functions(), f"{package} {importlib.metadata.version(package)}", SCRIPTS[name]
            )
        except ImportError:
            continue
    return found


def _mpmath() -> dict[str, Function]:
    iv: Any = importlib.import_module("mpmath").iv

    def of(function: Callable[[Any], Any]) -> Function:
        def call(lower: float, upper: float) -> tuple[End, End]:
            low, high = function(iv.mpf([lower, upper]))._mpi_
            return _exactly(low), _exactly(high)

        return call

    functions = {name: of(getattr(iv, name)) for name in ("sqrt", "exp", "log", "sin", "cos", "tan")}
    return functions | {"sqr": of(lambda x: x**2), "abs": of(abs)}


def _exactly(raw: Any) -> End:
    """mpmath's own form of a number, (sign, mantissa, exponent, bits), without rounding."""
    sign, mantissa, exponent, _ = raw
    if not mantissa and exponent:
        return {-456: math.inf, -789: -math.inf}.get(int(exponent), math.nan)
    return Fraction(2) ** int(exponent) * (-int(mantissa) if sign else int(mantissa))


def _intvalpy() -> dict[str, Function]:
    ip: Any = importlib.import_module("intvalpy")

    def of(function: Callable[[Any], Any]) -> Function:
        def call(lower: float, upper: float) -> tuple[End, End]:
            done = function(ip.Interval(lower, upper))
            return float(done.a), float(done.b)

        return call

    functions = {name: of(getattr(ip, name)) for name in ("sqrt", "exp", "log", "sin", "cos") if hasattr(ip, name)}
    return functions | {"sqr": of(lambda x: x**2), "abs": of(abs)}


def _flint() -> dict[str, Function]:
    flint: Any = importlib.import_module("flint")

    def of(name: str) -> Function:
        def call(lower: float, upper: float) -> tuple[End, End]:
            done = getattr(flint.arb(lower).union(flint.arb(upper)), name)()
            return _down(done), -_down(-done)

        return call

    def _down(ball: Any) -> float:
        """A double below a ball: its lower end is a ball itself, of no radius."""
        end = float(ball.lower())
        return math.nextafter(end, -math.inf) if not flint.arb(end) <= ball.lower() else end

    return {name: of(name) for name in ("sqrt", "exp", "log", "sin", "cos", "tan", "atan", "tanh", "sinh", "cosh")}
