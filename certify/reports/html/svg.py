"""Small pictures as SVG: bars of model errors, and intervals of parameters. Shapes and words say what colours say."""

from __future__ import annotations

from collections.abc import Sequence

from certify.pictures.drawing import Bar
from certify.reports.html.markup import Markup, tag

WIDTH, NAMES, TEXTS = 760, 150, 210  # of the picture, its names and its texts, in units of the view box
ROW, LEAST = 30, 1.5
LONGEST = 20  # characters of a name at a bar
STRIP, MARGIN = 260, 0.08
BLUEPRINT = "blueprint"


def bar_picture(bars: Sequence[Bar]) -> list[Markup]:
    """Bars of one unit beneath each other, each unit with a scale of its own, and a legend."""
    units = dict.fromkeys(bar.unit for bar in bars)
    found = [_panel([bar for bar in bars if bar.unit == unit], unit) for unit in units]
    return [*found, *([_legend(bars)] if bars else [])]


def _panel(bars: Sequence[Bar], unit: str) -> Markup:
    reach = max((max(bar.upper, bar.lower, bar.mark.at if bar.mark else 0.0) for bar in bars), default=0.0) or 1.0
    scale = (WIDTH - NAMES - TEXTS - 20) / reach
    height = ROW * len(bars) + 8
    rows = [_bar(bar, 4 + ROW * place, scale) for place, bar in enumerate(bars)]
    axis = tag("line", x1=NAMES, x2=NAMES, y1=0, y2=height, class_="axis")
    return tag(
        "figure",
        tag("figcaption", f"model error in {unit}"),
        tag("svg", rows, axis, viewBox=f"0 0 {WIDTH} {height}", role="img", aria_label=f"model errors in {unit}"),
    )


def _bar(bar: Bar, top: float, scale: float) -> list[Markup]:
    middle, upper = top + ROW / 2, NAMES + scale * bar.upper
    found = [tag("text", _short(bar.name), x=NAMES - 8, y=middle + 4, class_="name")]
    if bar.lower > 0:
        found.append(
            tag(
                "rect",
                tag("title", bar.refuted),
                x=NAMES,
                y=top + 5,
                width=_px(scale * bar.lower),
                height=ROW - 10,
                class_="refuted",
            )
        )
    line = tag("title", bar.possible)
    found.append(tag("line", line, x1=_px(upper), x2=_px(upper), y1=top + 2, y2=top + ROW - 2, class_="possible"))
    if bar.mark is not None:
        at, told = NAMES + scale * bar.mark.at, tag("title", bar.mark.words)
        shape = (
            f"M{_px(at - 6)} {top + 4}h12l-6 10z"
            if bar.mark.at
            else f"M{_px(at - 5)} {middle}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
        )
        found.append(tag("path", told, d=shape, class_="needs" if bar.mark.at else "fits"))
    text = f"{' '.join(bar.text.split())} {bar.unit}"
    return [*found, tag("text", text, x=WIDTH - TEXTS + 4, y=middle + 4, class_="value")]


def _legend(bars: Sequence[Bar]) -> Markup:
    """What the shapes mean that occur."""
    found = []
    if any(bar.lower > 0 for bar in bars):
        found.append((tag("rect", x=0, y=3, width=22, height=10, class_="refuted"), bars[0].refuted))
    found.append((tag("line", x1=11, x2=11, y1=0, y2=16, class_="possible"), bars[0].possible))
    for mark in {bar.mark.words: bar.mark for bar in bars if bar.mark is not None}.values():
        shape = "M5 3h12l-6 10z" if mark.at else "M6 8a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
        found.append((tag("path", d=shape, class_="needs" if mark.at else "fits"), mark.words))
    swatch = {"viewBox": "0 0 22 16", "class_": "swatch", "aria_hidden": "true"}
    return tag("ul", [tag("li", tag("svg", shape, **swatch), " ", words) for shape, words in found], class_="legend")


def strip(
    interval: tuple[float, float] | None, spread: tuple[float, float] | None, marks: Sequence[tuple[str, float, str]]
) -> Markup:
    """What is known of a parameter, at a scale of its own: its proved interval as a bar, an uncertainty as a thin line
    above it, and marks (a class, a value, words); a blueprint that is far away is left out.
    """
    near = [value for kind, value, _ in marks if kind != BLUEPRINT] + [
        e for ends in (interval, spread) if ends for e in ends
    ]
    near = near if len(set(near)) > 1 else [value for _, value, _ in marks]
    low, high = min(near), max(near)
    margin = MARGIN * (high - low) or 1.0
    low, scale = low - margin, (STRIP - 12) / (high - low + 2 * margin)

    def x(value: float) -> float:
        return 6 + scale * (value - low)

    found = [tag("line", x1=6, x2=STRIP - 6, y1=14, y2=14, class_="axis")]
    if interval is not None:
        a, b = x(interval[0]), x(interval[1])
        found.append(tag("rect", x=_px(a), y=9, width=_px(max(b - a, LEAST)), height=10, class_="interval"))
    if spread is not None:
        a, b = x(spread[0]), x(spread[1])
        found.append(tag("line", x1=_px(a), x2=_px(max(b, a + LEAST)), y1=5, y2=5, class_="spread"))
    found += [_mark(kind, x(value), words) for kind, value, words in marks if 6 <= x(value) <= STRIP - 6]
    return tag("svg", found, viewBox=f"0 0 {STRIP} 28", class_="strip", role="img", aria_label="what is known of it")


def _mark(kind: str, at: float, words: str) -> Markup:
    """A tick at the blueprint, a diamond at the fit, a dot at the witness."""
    told = tag("title", words)
    if kind == "witness":
        return tag("circle", told, cx=_px(at), cy=14, r=3.5, class_=kind)
    return tag("path", told, d=f"M{_px(at)} {'20v6' if kind == BLUEPRINT else '9l4 5l-4 5l-4 -5z'}", class_=kind)


def _px(value: float) -> str:
    return f"{value:.1f}"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."
