"""Design a motion for a model of one's own: rows of W as a function of positions, velocities and accelerations.

found = certify.design(rows, {"x": (-0.2, 0.2)}, ["m", "Fv"], noise=0.5)
found.gain, found.motion, found.limits          all of it estimated
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from certify.problems.errors import InputError
from certify.problems.formulas.units import require_known
from certify.problems.motions.excited import Excited, Limited
from certify.problems.motions.noise import covariance
from certify.problems.regressors.regressor import Floats
from certify.solvers.design.criteria import Criterion
from certify.solvers.design.descent import Effort
from certify.solvers.design.designed import SCALES, Plan
from certify.solvers.design.designed import Designed as Found
from certify.solvers.design.designed import design as search
from certify.solvers.limits import INTERRUPTIONS, Limit
from certify.text.shown import Shown

Rows = Callable[[Floats, Floats, Floats], Any]
Quantities = Callable[[Floats, Floats, Floats], Mapping[str, Any]]
Ends = tuple[float, float]


class Designed(Shown, Found):
    """A motion, what it gains and its limits, that shows itself in a notebook."""


def design(
    rows: Rows, ranges: Mapping[str, Ends], parameters: Sequence[str], *, units: Sequence[str] | None = None,
    parameter_units: Sequence[str] | None = None, limits: Mapping[str, Ends] | None = None,
    limited: Quantities | None = None, noise: Any = 1.0, criterion: str = "D", scale: str = "column",
    nominal: Sequence[float] | None = None, harmonics: int = 5, period: float | Ends = 4.0, seed: int = 1,
    starts: int = 4, evaluations: int = 600, seconds: float = 240.0, rate: float = 1000.0, name: str = "model",
) -> Designed:  # fmt: skip
    """The motion that tells the parameters best (estimated): `rows(x, v, a)` of arrays (samples, coordinates) returns
    W, (samples, outputs, parameters), or (samples, parameters) of one output; with one coordinate x, v and a are
    (samples,).

    `ranges` are the coordinates' own; `limits` are of x, dx, ddx of each, and of what `limited` returns by name.
    `noise` is a deviation, one for each output, or their covariance.
    """
    if criterion not in [one.value for one in Criterion] or scale not in SCALES:
        known = ", ".join(one.value for one in Criterion)
        raise InputError(f"criterion {criterion!r}, scale {scale!r}: choose one of {known}, and of {', '.join(SCALES)}")
    if not (np.isfinite(rate) and rate > 0.0):
        raise InputError(f"rate {rate:g}: give how many readings there are in a second, a positive number")
    robot = _robot(rows, ranges, parameters, limits or {}, limited, rate, name)
    robot = _named(robot, units, parameter_units, nominal)
    ends = (float(period), float(period)) if isinstance(period, int | float) else (float(period[0]), float(period[1]))
    matrix = _covariance(noise, robot)
    plan = Plan(Criterion(criterion), harmonics, ends, scale, matrix, seed, min(starts, 20))
    with INTERRUPTIONS.heeded():
        found = search(robot.limited(None), plan, Effort(evaluations, Limit.of(seconds)), lambda *_: None)
    return Designed(**{one.name: getattr(found, one.name) for one in fields(found)})


def _robot(
    rows: Rows, ranges: Mapping[str, Ends], parameters: Sequence[str], limits: Mapping[str, Ends],
    limited: Quantities | None, rate: float, name: str,
) -> Excited:  # fmt: skip
    names = tuple(ranges)
    count = len(names)
    own = [f"{'d' * kind}{one}" for kind in (1, 2) for one in names]
    middle = np.array([(low + high) / 2.0 for low, high in ranges.values()])
    still = np.zeros((1, count))
    told = limited(*_parts(middle[None], still, still)) if limited else {}
    quantities = [*names, *own, *told]
    twice = next((one for one in quantities if quantities.count(one) > 1), None)
    if twice is not None:
        raise InputError(f"two quantities (coordinates, derivatives, limited) are called {twice!r}; rename one")
    require_known("limits", limits, quantities)
    every: dict[str, Ends] = {**{one: (-np.inf, np.inf) for one in quantities}, **ranges, **limits}

    def both(x: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats]:
        parts = _parts(x, v, a)
        w = np.asarray(rows(*parts), dtype=np.float64)
        more = limited(*parts) if limited else {}
        columns = [np.asarray(more[one], dtype=np.float64).reshape(len(x), 1) for one in told]
        return w[:, None] if w.ndim == 2 else w, np.concatenate([x, v, a, *columns], axis=1)

    w, _ = both(middle[None], still, still)
    if w.ndim != 3:
        raise InputError(f"rows: W at one instant has the shape {w.shape[1:]}; return (samples, outputs, parameters)")
    outputs = tuple(f"y{k + 1}" for k in range(w.shape[1]))
    return Excited(
        name=name, told=(f"{name}: a model of your own",), coordinates=names, units=("",) * count,
        parameters=tuple(parameters), parameter_units=("",) * len(parameters), nominal=np.ones(len(parameters)),
        outputs=outputs, output_units=("",) * len(outputs),
        limits=tuple(Limited(one, "", float(every[one][0]), float(every[one][1])) for one in quantities),
        rows=both, middle=middle, rate=rate,
    )  # fmt: skip


def _parts(x: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats, Floats]:
    """Of one coordinate without its axis."""
    return (x[:, 0], v[:, 0], a[:, 0]) if x.shape[1] == 1 else (x, v, a)


def _named(
    robot: Excited, units: Sequence[str] | None, parameter_units: Sequence[str] | None, nominal: Sequence[float] | None
) -> Excited:
    found = replace(
        robot,
        units=tuple(units or robot.units),
        parameter_units=tuple(parameter_units or robot.parameter_units),
        nominal=robot.nominal if nominal is None else np.array(nominal, dtype=np.float64),
    )
    sizes = (len(found.units), len(found.parameter_units), len(found.nominal))
    if sizes != (len(robot.coordinates), len(robot.parameters), len(robot.parameters)):
        raise InputError(
            f"there are {sizes[0]} units for {len(robot.coordinates)} coordinates, {sizes[1]} units and {sizes[2]} "
            f"nominal values for {len(robot.parameters)} parameters; give one for each"
        )
    return found


def _covariance(noise: Any, robot: Excited) -> Floats:
    given, count = np.asarray(noise, dtype=np.float64), len(robot.outputs)
    if given.ndim < 2:
        if given.size not in (1, count) or not ((given > 0.0) & np.isfinite(given)).all():
            raise InputError(f"noise: give a positive deviation, one for each of {count} outputs, or their covariance")
        return np.diag(np.broadcast_to(given**2, (count,)))
    if given.shape != (count, count):
        raise InputError(f"noise: the covariance has the shape {given.shape}; there are {count} outputs")
    return covariance(given, robot.outputs, "noise")
