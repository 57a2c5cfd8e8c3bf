"""Both ends of a part's model error against time, as SVG: what is refuted as an area, what is possible as a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from certify.reports.html.markup import Markup, tag

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 170, 70, 12, 10, 34
DIGITS, REST = 3, 1.1


@dataclass(frozen=True, slots=True)
class Moment:
    """After so many seconds: a lower end, and an upper one if there was any."""

    seconds: float
    lower: float
    upper: float | None


def curve(name: str, unit: str, moments: Sequence[Moment]) -> Markup:
    """A picture of one part, whose ends stay as they are between two moments."""
    last = max(REST * moments[-1].seconds, 1e-3)  # so that the last ends are seen
    reach = max([m.upper for m in moments if m.upper is not None] + [m.lower for m in moments]) or 1.0

    def x(seconds: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * min(seconds / last, 1.0):.1f}"

    def y(value: float) -> str:
        return f"{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * min(value / reach, 1.0):.1f}"

    floor = y(0.0)
    area = f"M{x(moments[0].seconds)} {floor}" + "".join(
        f"V{y(m.lower)}H{x(after)}" for m, after in zip(moments, _afterwards(moments, last), strict=True)
    )
    line = ""
    for m, after in zip(moments, _afterwards(moments, last), strict=True):
        if m.upper is not None:
            line += f"{'L' if line else 'M'}{x(m.seconds)} {y(m.upper)}H{x(after)}"
    marks = [
        tag("text", f"{reach:.{DIGITS}g}", x=LEFT - 6, y=TOP + 8, class_="name"),
        tag("text", "0", x=LEFT - 6, y=floor, class_="name"),
        tag("text", f"{last:.{DIGITS}g} s", x=WIDTH - RIGHT, y=HEIGHT - 10, class_="name"),
    ]
    drawn = [
        tag("path", d=f"{area}V{floor}z", class_="refuted"),
        tag("path", d=line, class_="possible", fill="none") if line else None,
        tag("path", d=f"M{LEFT} {TOP}V{floor}H{WIDTH - RIGHT}", class_="axis", fill="none"),
        *marks,
    ]
    told = f"{name}: both ends over time, in {unit}"
    picture = tag("svg", drawn, viewBox=f"0 0 {WIDTH} {HEIGHT}", role="img", aria_label=told, class_="curve")
    return tag("figure", tag("figcaption", f"{name} [{unit}]"), picture)


def _afterwards(moments: Sequence[Moment], last: float) -> list[float]:
    """When each moment ends."""
    return [*(m.seconds for m in moments[1:]), last]
