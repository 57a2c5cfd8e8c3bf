"""Small systems of equations whose solutions are known exactly, and sets whose volume is, written in Minibex as a user
would write them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import prod

import flint
from curved_truth import BITS, Ends, ball, ends

Point = Mapping[str, Fraction]
APART = Fraction(1, 20)  # of two solutions, and of a solution from the ends of the domains


@dataclass(frozen=True)
class PlantedSystem:
    """The file, the domains, the solutions in them (all of them, or those that are known), and each constraint's left
    side less its right side.
    """

    text: str
    box: Mapping[str, Ends]
    roots: Sequence[tuple[Fraction, ...]]
    all_known: bool
    functions: Sequence[Callable[[Point], Ends]]
    kind: str = ""


@dataclass(frozen=True)
class PlantedSet:
    """The file, the domains, an enclosure of the set's volume, and whether a point belongs to it."""

    text: str
    box: Mapping[str, Ends]
    volume: Ends
    holds: Callable[[Point], bool]
    functions: Sequence[Callable[[Point], Ends]]
    kind: str = ""

    def complement(self) -> PlantedSet:
        """The rest of the domain."""
        whole = prod((high - low for low, high in self.box.values()), start=Fraction(1))
        volume = whole - self.volume[1], whole - self.volume[0]
        return replace(self, volume=volume, holds=lambda at: not self.holds(at))


def exact(value: Fraction | int) -> Ends:
    """A number that is known."""
    return Fraction(value), Fraction(value)


def written(value: Fraction) -> str:
    """As a part of a formula."""
    text = str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
    return text if value.denominator == 1 and value >= 0 else f"({text})"


def _file(box: Mapping[str, Ends], constraints: Sequence[str]) -> str:
    domains = "; ".join(
        f"{name} in [{written(low).strip('()')}, {written(high).strip('()')}]" for name, (low, high) in box.items()
    )
    return "\n".join(
        ["Variables", f"  {domains};", "Constraints", *(f"  {constraint};" for constraint in constraints), "end", ""]
    )


def triangular(seed: int) -> PlantedSystem:
    """Products of x_i - c - d x_(i-1) for each variable: all solutions follow one by one; equations may be added to
    each other.
    """
    rng = random.Random(f"triangular {seed}")
    names = rng.choice([["x"], ["x", "y"], ["x", "y"], ["violation", "undefined"], ["x", "y", "z"]])
    box = {name: (Fraction(-rng.randint(2, 5)), Fraction(rng.randint(2, 5))) for name in names}
    factors: list[list[tuple[Fraction, Fraction]]] = []
    powers: list[list[int]] = []
    roots: list[tuple[Fraction, ...]] = [()]
    for place, name in enumerate(names):
        low, high = box[name]
        while True:
            chosen = [
                (Fraction(rng.randint(-60, 60), 10), Fraction(rng.randint(-6, 6), 4) if place else Fraction(0))
                for _ in range(rng.choice([1, 2, 2, 3]))
            ]
            found = [(root, sorted(c + (d * root[-1] if place else 0) for c, d in chosen)) for root in roots]
            near = any(b - a < APART for _, values in found for a, b in pairwise(values))
            if not near and all(
                min(abs(value - low), abs(value - high)) >= APART for _, values in found for value in values
            ):
                break
        factors.append(chosen)
        powers.append([2 if rng.random() < 0.08 else 1 for _ in chosen])
        roots = [(*root, value) for root, values in found for value in values if low < value < high]
    disguised = rng.random() < 0.25
    texts, functions = [], []
    for place, name in enumerate(names):
        linear = [(c, d, power) for (c, d), power in zip(factors[place], powers[place], strict=True)]
        parts = [
            f"({name} - {written(c)}"
            + (f" - {written(d)}*{names[place - 1]}" if place else "")
            + ")"
            + ("^2" if power > 1 else "")
            for c, d, power in linear
        ]
        before = names[place - 1] if place else None

        def value(
            at: Point,
            name: str = name,
            before: str | None = before,
            linear: Sequence[tuple[Fraction, Fraction, int]] = linear,
        ) -> Fraction:
            total = Fraction(1)
            for c, d, power in linear:
                total *= (at[name] - c - (d * at[before] if before else 0)) ** power
            return total

        functions.append(value)
        texts.append("*".join(parts))
    lines, exact_functions = [], []
    for place, text in enumerate(texts):
        other = (
            rng.choice([k for k in range(len(texts)) if k != place])
            if len(texts) > 1 and rng.random() < 0.3 and place
            else None
        )
        if disguised and place == 0:
            lines.append(f"exp({text}) = 1")
            exact_functions.append(lambda at, f=functions[place]: _exponential(f(at)))
        elif other is not None and other < place:
            lines.append(f"{text} + 2*{texts[other]} = 0")
            exact_functions.append(lambda at, f=functions[place], g=functions[other]: exact(f(at) + 2 * g(at)))
        else:
            lines.append(f"{text} = 0")
            exact_functions.append(lambda at, f=functions[place]: exact(f(at)))
    if len(names) > 1 and rng.random() < 0.25:
        values = sorted({root[0] + root[1] for root in roots}) or [Fraction(0)]
        bound = rng.choice(
            [b - (b - a) / 2 for a, b in pairwise([values[0] - 2, *values, values[-1] + 2]) if b - a > 2 * APART]
            or [values[-1] + 2]
        )
        if all(abs(value - bound) > APART / 2 for value in values):
            lines.append(f"{names[0]} + {names[1]} >= {written(bound)}")
            exact_functions.append(lambda at, bound=bound: exact(at[names[0]] + at[names[1]] - bound))
            roots = [root for root in roots if root[0] + root[1] >= bound]
    return PlantedSystem(
        _file(box, lines), box, roots, True, exact_functions, "disguised triangular" if disguised else "triangular"
    )


def _exponential(value: Fraction) -> Ends:
    with flint.ctx.workprec(BITS):
        return ends(ball(value).exp() - 1)


Expression = tuple[str, Callable[[Point], Fraction]]


def expression(rng: random.Random, names: Sequence[str], depth: int) -> Expression:
    """A random formula, and its value at a point: every operation beside every other one, with and without need of
    parentheses.
    """
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.7:
            name = rng.choice(names)
            return name, lambda at: at[name]
        number = Fraction(rng.randint(-9, 9)) or Fraction(5)
        return (f"({number})" if number < 0 else str(number)), lambda at: number
    first, f = expression(rng, names, depth - 1)
    second, g = expression(rng, names, depth - 1)
    return rng.choice(
        [
            (f"({first}) + ({second})", lambda at: f(at) + g(at)),
            (f"({first}) - ({second})", lambda at: f(at) - g(at)),
            (f"({first})*({second})", lambda at: f(at) * g(at)),
            (f"({first})*(-({second}))", lambda at: -f(at) * g(at)),
            (f"({first})/(({second})^2 + 1)", lambda at: f(at) / (g(at) ** 2 + 1)),
            (f"({first})/(({second})^2 + 2)*({first})", lambda at: f(at) / (g(at) ** 2 + 2) * f(at)),
            (f"({first})^2", lambda at: f(at) ** 2),
            (f"sqr(({first})^2)", lambda at: f(at) ** 4),
            (f"-(({first}) - ({second}))", lambda at: g(at) - f(at)),
        ]
    )


def expressions(seed: int) -> PlantedSystem:
    """Random formulas that have a known solution; there may be more."""
    rng = random.Random(f"expressions {seed}")
    names = rng.choice([["x"], ["x", "y"], ["x", "y"]])
    box = {name: (Fraction(-2), Fraction(2)) for name in names}
    root = {name: Fraction(rng.randint(-15, 15), 10) for name in names}
    lines, functions = [], []
    for number, name in enumerate(names):
        while True:
            text, value = expression(rng, names, rng.choice([1, 2]))
            if name in text:
                break
        level = value(root)
        lines.append(f"{text} + {number + 1}*{name} = {written(level + (number + 1) * root[name])}")
        functions.append(
            lambda at, f=value, c=number + 1, n=name, r=level + (number + 1) * root[name]: exact(f(at) + c * at[n] - r)
        )
    return PlantedSystem(_file(box, lines), box, [tuple(root.values())], False, functions, "expressions")


def impossible(seed: int) -> PlantedSystem:
    """Sums of squares that would have to be negative, or more equations than the others allow."""
    rng = random.Random(f"impossible {seed}")
    names = ["x", "y"][: rng.choice([1, 2])]
    box = {name: (Fraction(-3), Fraction(4)) for name in names}
    below = Fraction(rng.choice([1, 5, 50]), 100)
    centre = {name: Fraction(rng.randint(-20, 20), 10) for name in names}
    squares = " + ".join(f"({name} - {written(centre[name])})^2" for name in names)
    lines = [f"{squares} = {written(-below)}"]
    functions = [lambda at: exact(sum(((at[name] - centre[name]) ** 2 for name in names), Fraction(0)) + below)]
    if len(names) == 2:
        lines.append("x - y = 1/2")
        functions.append(lambda at: exact(at["x"] - at["y"] - Fraction(1, 2)))
    return PlantedSystem(_file(box, lines), box, [], True, functions, "impossible")


def polygons(seed: int) -> PlantedSet:
    """Half-planes: their part of the domain is a polygon."""
    rng = random.Random(f"polygons {seed}")
    low, high = Fraction(-rng.randint(1, 3)), Fraction(rng.randint(1, 3))
    box = {"x": (low, high), "y": (low, high)}
    planes = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        a, b = Fraction(rng.randint(-8, 8), 4), Fraction(rng.randint(1, 8), 4) * rng.choice([-1, 1])
        planes.append((a, b, Fraction(rng.randint(-10, 12), 8)))
    corners = [(low, low), (high, low), (high, high), (low, high)]
    for plane in planes:
        corners = _clipped(corners, plane)
    around = list(pairwise([*corners, corners[0]])) if corners else []
    area = abs(sum((p[0] * q[1] - q[0] * p[1] for p, q in around), Fraction(0))) / 2
    lines = [f"{written(a)}*x + {written(b)}*y <= {written(c)}" for a, b, c in planes]
    functions = [lambda at, p=plane: exact(p[0] * at["x"] + p[1] * at["y"] - p[2]) for plane in planes]
    return PlantedSet(
        _file(box, lines), box, exact(area), lambda at: all(f(at)[0] <= 0 for f in functions), functions, "polygons"
    )


def _clipped(
    corners: Sequence[tuple[Fraction, Fraction]], plane: tuple[Fraction, Fraction, Fraction]
) -> list[tuple[Fraction, Fraction]]:
    a, b, c = plane
    kept: list[tuple[Fraction, Fraction]] = []
    for p, q in pairwise([*corners, corners[0]]) if corners else []:
        at, to = (a * v[0] + b * v[1] - c for v in (p, q))
        if at <= 0:
            kept.append(p)
        if (at < 0 < to) or (to < 0 < at):
            s = at / (at - to)
            kept.append((p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])))
    return kept


def discs(seed: int) -> PlantedSet:
    """A disc or a ring in a domain that holds it; sometimes a disc of no size."""
    rng = random.Random(f"discs {seed}")
    x, y = (Fraction(rng.randint(-10, 10), 10) for _ in range(2))
    outer = Fraction(rng.randint(4, 15), 10)
    inner = outer * Fraction(rng.randint(2, 8), 10) if rng.random() < 0.4 else Fraction(0)
    empty = rng.random() < 0.12
    box = {
        "x": (x - outer - Fraction(1, 2), x + outer + Fraction(1, 4)),
        "y": (y - outer - Fraction(1, 8), y + outer + Fraction(1)),
    }
    square = f"(x - {written(x)})^2 + (y - {written(y)})^2"
    bound = -outer if empty else outer**2
    lines = [f"{square} <= {written(bound)}", *([f"{square} >= {written(inner**2)}"] * bool(inner and not empty))]

    def distance(at: Point) -> Fraction:
        return (at["x"] - x) ** 2 + (at["y"] - y) ** 2

    functions = [
        lambda at: exact(distance(at) - bound),
        *([lambda at: exact(distance(at) - inner**2)] * (len(lines) - 1)),
    ]
    with flint.ctx.workprec(BITS):
        area = exact(0) if empty else ends(flint.arb.pi() * ball(outer**2 - inner**2))
    return PlantedSet(
        _file(box, lines), box, area, lambda at: not empty and inner**2 <= distance(at) <= bound, functions, "discs"
    )


def lengths(seed: int) -> PlantedSet:
    """One variable between two roots, or outside of them."""
    rng = random.Random(f"lengths {seed}")
    low, high = sorted(Fraction(k, 10) for k in rng.sample(range(-30, 31), 2))
    inside = rng.random() < 0.6
    box = {"x": (Fraction(-4), Fraction(5))}
    lines = [f"(x - {written(low)})*(x - {written(high)}) {'<=' if inside else '>='} 0"]
    length = high - low if inside else 9 - (high - low)
    function: Callable[[Point], Ends] = lambda at: exact((at["x"] - low) * (at["x"] - high))  # noqa: E731
    return PlantedSet(
        _file(box, lines),
        box,
        exact(length),
        lambda at: (function(at)[0] <= 0) == inside or function(at)[0] == 0,
        [function],
        "lengths",
    )


def quadrants(seed: int) -> PlantedSet:
    """Two opposite quadrants around a point: a set in two pieces."""
    rng = random.Random(f"quadrants {seed}")
    x, y = (Fraction(rng.randint(-10, 10), 8) for _ in range(2))
    box = {"x": (Fraction(-2), Fraction(2)), "y": (Fraction(-2), Fraction(2))}
    area = (x + 2) * (y + 2) + (2 - x) * (2 - y)
    function: Callable[[Point], Ends] = lambda at: exact((at["x"] - x) * (at["y"] - y))  # noqa: E731
    lines = [f"(x - {written(x)})*(y - {written(y)}) >= 0"]
    return PlantedSet(_file(box, lines), box, exact(area), lambda at: function(at)[0] >= 0, [function], "quadrants")
