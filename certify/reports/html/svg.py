"""Small pictures as SVG: bars of model errors, and intervals of parameters. Shapes and words say what colours say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from certify.pictures.drawing import Bar
from certify.reports.html.markup import Markup, tag

WIDTH, NAMES, TEXTS = 760, 176, 214  # of the picture, its names and its texts, in units of the view box
NARROW, EDGE, ABOVE = 360, 8, 18  # of a telephone's picture, left and right of its bars, and of the words above them
ROW, LEAST = 30, 1.5
LONGEST = 20  # characters of a name at a bar
STRIP, MARGIN = 260, 0.08
BLUEPRINT, MODEL_ERROR = "blueprint", "model error"


@dataclass(frozen=True, slots=True)
class Layout:
    """Where bars begin and end, and how much room for words is above each of them (none: they stand beside it)."""

    name: str
    width: int
    left: int
    right: int
    above: int


WIDE = Layout("broad", WIDTH, NAMES, WIDTH - TEXTS, 0)
SLIM = Layout("slim", NARROW, EDGE, NARROW - EDGE, ABOVE)


def bar_picture(bars: Sequence[Bar], what: str = MODEL_ERROR) -> list[Markup]:
    """Bars of one unit beneath each other, each unit with a scale of its own, and a legend. The page's style shows the
    broad picture, or the slim one, whose names and numbers stand above their bars.
    """
    units = dict.fromkeys(bar.unit for bar in bars)
    found = [_figure([bar for bar in bars if bar.unit == unit], f"{what} in {unit}") for unit in units]
    return [*found, *([_legend(bars)] if bars else [])]


def _figure(bars: Sequence[Bar], what: str) -> Markup:
    return tag("figure", tag("figcaption", what), [_panel(bars, what, layout) for layout in (WIDE, SLIM)])


def _panel(bars: Sequence[Bar], what: str, layout: Layout) -> Markup:
    reach = max((max(bar.upper, bar.lower, bar.mark.at if bar.mark else 0.0) for bar in bars), default=0.0) or 1.0
    scale = (layout.right - layout.left - 20) / reach
    row = ROW + layout.above
    height = row * len(bars) + 8
    rows = [_bar(bar, 4 + row * place, scale, layout) for place, bar in enumerate(bars)]
    axis = tag("line", x1=layout.left, x2=layout.left, y1=0, y2=height, class_="axis")
    drawn = [rows, axis if layout is WIDE else None]
    return tag("svg", drawn, viewBox=f"0 0 {layout.width} {height}", role="img", aria_label=what, class_=layout.name)


def _bar(bar: Bar, start: float, scale: float, layout: Layout) -> list[Markup]:
    top, left = start + layout.above, layout.left
    upper, found = left + scale * bar.upper, _words(bar, start, layout)
    if bar.lower > 0:
        width, told = _px(scale * bar.lower), tag("title", bar.refuted)
        found.append(tag("rect", told, x=left, y=top + 5, width=width, height=ROW - 10, class_="refuted"))
    line = tag("title", bar.possible)
    found.append(tag("line", line, x1=_px(upper), x2=_px(upper), y1=top + 2, y2=top + ROW - 2, class_="possible"))
    if bar.mark is not None:
        at, told = left + scale * bar.mark.at, tag("title", bar.mark.words)
        shape = (
            f"M{_px(at - 6)} {top + 4}h12l-6 10z"
            if bar.mark.at
            else f"M{_px(at - 5)} {top + ROW / 2}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"
        )
        found.append(tag("path", told, d=shape, class_="needs" if bar.mark.at else "fits"))
    return found


def _words(bar: Bar, start: float, layout: Layout) -> list[Markup]:
    """Name and number of a bar, beside it or above it."""
    name, text = _short(bar.name), f"{' '.join(bar.text.split())} {bar.unit}"
    if layout.above:
        line = start + layout.above - 4
        return [tag("text", name, x=0, y=line), tag("text", text, x=layout.width, y=line, class_="value")]
    line = start + ROW / 2 + 4
    return [tag("text", name, x=layout.left - 8, y=line, class_="name"),
            tag("text", text, x=layout.right + 4, y=line, class_="value")]  # fmt: skip


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
