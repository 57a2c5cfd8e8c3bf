"""NIST's reference fits, certified: are NIST's digits those of a minimum that is proved to be one?

    python -m benchmarks nist [--only NAME] [--start 1 2] [--seconds 30]  # by default four sets have up to 600

For each of the 27 nonlinear sets (from both of NIST's starts, in NIST's own units) and the 11 linear ones: what
certify.fit proves, by how much NIST's certified values differ at most from what encloses the minimiser (a part of
them), and the same of the standard errors and of the residual sum. The search box reaches ten times as far from
NIST's values as start 1 lies from them. The data are NIST's (benchmarks/nist_strd).
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import certify
from certify.records.verdicts import Verdict

FOLDER = Path(__file__).parent / "nist_strd"
PI = Fraction(np.pi)
SECONDS = 30.0
LONGER = dict.fromkeys(
    ("Chwirut1", "Chwirut2", "MGH10", "MGH17"), 600.0
)  # limits of sets that are known to be proved, with more than this
REACH = 10


def _gauss(x: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    return a * np.exp(-b * x) + c * np.exp(-((x - d) ** 2) / e**2) + f * np.exp(-((x - g) ** 2) / h**2)


def _cubics(x: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> Any:
    return (a + b * x + c * x**2 + d * x**3) / (1 + e * x + f * x**2 + g * x**3)


def _decays(x: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    return a * np.exp(-b * x) + c * np.exp(-d * x) + e * np.exp(-f * x)


def _seasons(x: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any, i: Any) -> Any:
    year = 2 * PI * x
    return (
        a + b * np.cos(year / 12) + c * np.sin(year / 12)
        + e * np.cos(year / d) + f * np.sin(year / d) + h * np.cos(year / g) + i * np.sin(year / g)
    )  # fmt: skip


MODELS: dict[str, Callable[..., Any]] = {
    "Bennett5": lambda x, a, b, c: a * (b + x) ** (-1 / c),
    "BoxBOD": lambda x, a, b: a * (1 - np.exp(-b * x)),
    "Chwirut1": lambda x, a, b, c: np.exp(-a * x) / (b + c * x),
    "Chwirut2": lambda x, a, b, c: np.exp(-a * x) / (b + c * x),
    "DanWood": lambda x, a, b: a * x**b,
    "ENSO": _seasons,
    "Eckerle4": lambda x, a, b, c: a / b * np.exp(-(((x - c) / b) ** 2) / 2),
    "Gauss1": _gauss,
    "Gauss2": _gauss,
    "Gauss3": _gauss,
    "Hahn1": _cubics,
    "Kirby2": lambda x, a, b, c, d, e: (a + b * x + c * x**2) / (1 + d * x + e * x**2),
    "Lanczos1": _decays,
    "Lanczos2": _decays,
    "Lanczos3": _decays,
    "MGH09": lambda x, a, b, c, d: a * (x**2 + x * b) / (x**2 + x * c + d),
    "MGH10": lambda x, a, b, c: a * np.exp(b / (x + c)),
    "MGH17": lambda x, a, b, c, d, e: a + b * np.exp(-x * d) + c * np.exp(-x * e),
    "Misra1a": lambda x, a, b: a * (1 - np.exp(-b * x)),
    "Misra1b": lambda x, a, b: a * (1 - 1 / (1 + b * x / 2) ** 2),
    "Misra1c": lambda x, a, b: a * (1 - 1 / np.sqrt(1 + 2 * b * x)),
    "Misra1d": lambda x, a, b: a * b * x / (1 + b * x),
    "Nelson": lambda x, a, b, c: a - b * x[0] * np.exp(-c * x[1]),
    "Rat42": lambda x, a, b, c: a / (1 + np.exp(b - c * x)),
    "Rat43": lambda x, a, b, c, d: a / (1 + np.exp(b - c * x)) ** (1 / d),
    "Roszman1": lambda x, a, b, c, d: a - b * x - np.arctan(c / (x - d)) / PI,
    "Thurber": _cubics,
}


@dataclass(frozen=True)
class Reference:
    """A set: its model, observations, starts, and NIST's values with their standard deviations."""

    name: str
    model: Callable[..., Any]
    x: Any
    y: Sequence[Any]
    starts: tuple[tuple[str, ...], ...]
    values: tuple[Fraction, ...]
    errors: tuple[Fraction, ...]
    least: Fraction


def references(only: str = "") -> Iterator[Reference]:
    """The sets whose names contain a word, as NIST's files tell them."""
    for path in sorted(FOLDER.glob("*.dat")):
        if only in path.stem:
            yield reference(path.stem)


def reference(name: str) -> Reference:
    """One set."""
    lines = (FOLDER / f"{name}.dat").read_text(encoding="latin-1").splitlines()
    rows = [line.split() for line in _named(lines, "Data")]
    told = [line.replace("=", " ").split() for line in _named(lines, "Certified Values")]
    told = [row for row in told if re.fullmatch(r"[bB]\d+", row[0])]
    values, errors = (tuple(Fraction(row[k]) for row in told) for k in (-2, -1))
    y, *columns = zip(*rows, strict=True)
    starts = tuple(tuple(row[k] for row in told) for k in (1, 2)) if name in MODELS else (("1",) * len(told),)
    x: Any = {f"x{k}": column for k, column in enumerate(columns)} if len(columns) > 1 else columns[0]
    model = MODELS.get(name) or (_plane if len(columns) > 1 else _polynomial(int(told[0][0][1:])))
    response: Sequence[Any] = np.log([float(v) for v in y]) if name == "Nelson" else y
    return Reference(name, model, x, response, starts, values, errors, _least(lines))


def _named(lines: Sequence[str], what: str) -> list[str]:
    """The lines that the heading of the file gives to something."""
    first, last = next(
        found.groups() for line in lines if (found := re.search(rf"{what}\s+\(lines (\d+) to\s+(\d+)\)", line))
    )
    return [line for line in lines[int(first) - 1 : int(last)] if line.strip()]


def _least(lines: Sequence[str]) -> Fraction:
    """The residual sum of squares."""
    for line in lines:
        words = line.split()
        if line.startswith("Residual Sum of Squares"):
            return Fraction(words[-1])
        if words[:1] == ["Residual"] and len(words) == 4:
            return Fraction(words[2])
    raise ValueError("a file without a residual sum of squares")


def _plane(x: Any, *b: Any) -> Any:
    return b[0] + sum(b[k] * column for k, column in enumerate(x, 1))


def _polynomial(first: int) -> Callable[..., Any]:
    """The polynomial whose coefficients begin with that of this power."""

    def model(x: Any, *b: Any) -> Any:
        total: Any = 0
        for coefficient in reversed(b):
            total = total * x + coefficient
        return total * x**first if first else total

    return model


def run(words: list[str]) -> dict[str, Any]:
    """Print a row for each set and start."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks nist")
    parser.add_argument("--only", default="", help="the sets with this in their names")
    parser.add_argument("--start", type=int, nargs="+", default=(1, 2), choices=(1, 2), help="NIST's starts")
    parser.add_argument(
        "--seconds", type=float, help="time limit of each (default 30; those that are known to need more 600)"
    )
    options = parser.parse_args(words)
    rows = []
    for one in references(options.only):
        for number, start in enumerate(one.starts, 1):
            if number in options.start or len(one.starts) == 1:
                rows.append(judged(one, number, start, options.seconds or LONGER.get(one.name, SECONDS)))
                print(_line(rows[-1]), flush=True)
    proved = sum(row["verdict"] != Verdict.UNDECIDED.value for row in rows)
    everywhere = sum(row["verdict"] == Verdict.GLOBAL_MINIMUM.value for row in rows)
    print(f"{proved} of {len(rows)} minima proved, {everywhere} of them the only global one in the box")
    return {"rows": rows, "proved": proved, "global": everywhere}


def judged(one: Reference, number: int, start: Sequence[str], seconds: float) -> dict[str, Any]:
    """What is proved, and how far NIST's numbers can be from it, as a part of them."""
    began = time.process_time()
    answer = certify.fit(one.model, one.x, one.y, start, _box(one), time_limit=seconds)
    ends, searched = answer.least_sum, answer.everywhere
    told = zip(one.values, answer.box.values(), strict=False)
    errors = zip(one.errors, answer.standard_errors.values(), strict=False)
    return {
        "set": one.name, "start": number, "verdict": answer.verdict.value, "why": answer.why.value,
        "values": _furthest(told), "errors": _furthest(errors),
        "sum": None if answer.residual_sum is None else _furthest([(one.least, answer.residual_sum)]),
        "digits": min(answer.digits.values(), default=0), "seconds": time.process_time() - began,
        "proof": answer.proof, "minimisers": len(answer.minimisers), "boxes": searched.boxes if searched else 0,
        "shape": "" if answer.shape is None else f"{answer.shape.because.value} {answer.shape.number}",
        "lower": None if ends is None else ends[0] / (ends[1] or 1.0),
    }  # fmt: skip


def _box(one: Reference) -> list[tuple[Fraction, Fraction]] | None:
    """Ten times the distance of start 1 from NIST's values; of the linear sets what certify.fit takes."""
    if one.name not in MODELS:
        return None
    reach = [REACH * abs(Fraction(start) - value) for start, value in zip(one.starts[0], one.values, strict=True)]
    return [(value - far, value + far) for value, far in zip(one.values, reach, strict=True)]


def _furthest(pairs: Any) -> float | None:
    """The largest distance of a value to the farther end of its enclosure, as a part of the value."""
    found = [float(max(abs(value - Fraction(end)) for end in ends) / (abs(value) or 1)) for value, ends in pairs]
    return max(found, default=None)


def _line(row: dict[str, Any]) -> str:
    parts = [
        f"{name} {row[name]:.1e}" if row[name] is not None else f"{name} -" for name in ("values", "errors", "sum")
    ]
    least = "-" if row["lower"] is None else f"{row['lower']:.12f}"
    parts.append(f"least sum >= {least} of it, {row['minimisers']} minimisers, {row['boxes']} boxes, {row['proof']}")
    parts += [f"shape: {row['shape']}"] if row["shape"] else []
    told = f"{row['set']:<10} start {row['start']}  {row['verdict']:<15} {'  '.join(parts)}"
    return f"{told}  {row['seconds']:6.1f} s  ({row['why']})"
