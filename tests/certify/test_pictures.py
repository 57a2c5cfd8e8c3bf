"""Pictures of few parts, of many, and of none that needs any error: nothing is cut, nothing is printed over."""

import json
import re
from itertools import combinations
from pathlib import Path

import browser
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation, Text

from certify.pictures.drawing import Bar, Mark, figure_of
from certify.reports.html import svg
from certify.reports.html.markup import render
from certify.reports.html.svg import SLIM, WIDE, bar_picture

TITLE = "Table of Stewart, 64 extreme poses, measured twice by a laser tracker: certified model error (simulated data)"
WORDS = "refuted: no parameters fit within this error (proved)", "some parameters fit within this error (witness)"

WORDS_SHOWN = """JSON.stringify([...document.querySelectorAll('figure svg')].filter(s => s.getClientRects().length)
.map(s => [s.parentElement.getBoundingClientRect().left, s.parentElement.getBoundingClientRect().right,
[...s.querySelectorAll('text')].map(t => t.getBoundingClientRect().toJSON())]))"""
needs_browser = pytest.mark.skipif(browser.executable() is None, reason="no Chromium is installed")


def bar(name, lower, upper, mark=None, unit="mm"):
    text = f"{lower:.6g}\nto {upper:.6g}" if upper else "0"
    sign = (
        None if mark is None else Mark(mark, "#8c2f39", "v" if mark else "o", 8, "least squares needs more than this")
    )
    return Bar(name, unit, lower, upper, text, *WORDS, sign)


CASES = {
    "one part": [bar("position", 3.38, 3.39, 4.65)],
    "twelve parts": [bar(f"leg{k}", 3.3884471 + k / 7, 3.391842 + k / 7, 3.4 + k / 6) for k in range(12)],
    "long names": [bar(f"left+right+middle{k}", 0.001234567, 0.001244567, 0.0013) for k in range(12)],
    "no error": [bar(f"leg{k}", 0.0, 0.0, 0.0) for k in range(2)],
    "small and large": [bar("leg1", 1e-5, 2e-5, 3e-5), bar("leg2", 5.0, 5.1, 5.1), bar("leg3", 0.0, 5.0, 0.0)],
    "two units": [bar("position", 1.877, 1.879, 1.9), bar("orientation", 14.01, 14.03, 20.0, "mrad")],
}


@pytest.mark.every_case
@pytest.mark.parametrize("bars", CASES.values(), ids=CASES)
def test_nothing_is_cut_and_nothing_is_printed_over(bars):
    figure = figure_of(TITLE, bars)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    drawn = canvas.get_renderer()
    numbers = [label for axes in figure.axes for label in axes.get_yticklabels()]  # of which some are out of sight
    texts = [text for text in figure.findobj(Text) if text.get_text() and text not in numbers]
    places = {text: text.get_window_extent(drawn) for text in texts}
    for place in places.values():
        assert place.x0 >= 0
        assert place.y0 >= 0
        assert place.x1 <= figure.bbox.x1
        assert place.y1 <= figure.bbox.y1
    told = [text for text in texts if isinstance(text, Annotation)]
    assert len(told) == len(bars)
    names = [label for axes in figure.axes for label in axes.get_xticklabels()]
    assert not [pair for pair in combinations(told + names, 2) if places[pair[0]].overlaps(places[pair[1]])]
    marks = [line.get_window_extent(drawn) for axes in figure.axes for line in axes.lines if len(line.get_xdata()) == 1]
    assert not [text.get_text() for text in told for mark in marks if places[text].overlaps(mark)]


@pytest.mark.every_case
@pytest.mark.parametrize("bars", CASES.values(), ids=CASES)
def test_bars_of_a_report_stay_between_names_and_numbers(bars):
    text = "".join(bar_picture(bars))
    for layout in (WIDE, SLIM):
        for panel in re.findall(f'<svg [^>]*class="{layout.name}">.*?</svg>', text):
            for x, width in re.findall(r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"', panel):
                assert float(x) == layout.left
                assert layout.left + float(width) <= layout.right
            lines = re.findall(r'x1="([0-9.]+)"[^>]*class="possible"', panel)
            assert all(layout.left <= float(x) <= layout.right for x in lines)
        assert len(re.findall(f'class="{layout.name}"', text)) == len({bar.unit for bar in bars})
    assert len(re.findall(r'class="value"', text)) == 2 * len(bars)
    assert "nan" not in text


@needs_browser
@pytest.mark.thorough
@pytest.mark.parametrize("width", [400, 1280])
def test_a_browser_shows_whole_numbers_beside_bars_or_above_them(width, tmp_path):
    """No word leaves its picture, and none stands upon another."""
    pictures = [bar_picture(bars) for bars in CASES.values()]
    style = Path(svg.__file__).with_name("page.css").read_text()
    (tmp_path / "page.html").write_text(f"<!DOCTYPE html><style>{style}</style><body>{render(pictures)}</body>")
    with browser.Browser(width, 800) as page:
        page.open(tmp_path / "page.html")
        shown = json.loads(page.run(WORDS_SHOWN))
    assert len(shown) == sum(len({bar.unit for bar in bars}) for bars in CASES.values())
    for left, right, words in shown:
        assert all(left - 1 <= word["left"] and word["right"] <= right + 1 for word in words)
        assert not [
            pair
            for pair in combinations(words, 2)
            if pair[0]["left"] < pair[1]["right"] and pair[1]["left"] < pair[0]["right"]
            and pair[0]["top"] + 3 < pair[1]["bottom"] and pair[1]["top"] + 3 < pair[0]["bottom"]
        ]  # fmt: skip
