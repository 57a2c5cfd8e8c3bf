"""Pictures of few parts, of many, and of none that needs any error: nothing is cut, nothing is printed over."""

import re
from itertools import combinations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation, Text

from certify.pictures.drawing import Bar, Mark, figure_of
from certify.reports.html.svg import NAMES, TEXTS, WIDTH, bar_picture

TITLE = "Table of Stewart, 64 extreme poses, measured twice by a laser tracker: certified model error (simulated data)"
WORDS = "refuted: no parameters fit within this error (proved)", "some parameters fit within this error (witness)"


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
    for x, width in re.findall(r'<rect x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"', text):
        assert float(x) in (NAMES, 0)  # a bar, or its sign in the legend
        assert NAMES + float(width) <= WIDTH - TEXTS
    assert all(
        NAMES <= float(x) <= WIDTH - TEXTS
        for x in re.findall(r'x1="([0-9.]+)"[^>]*class="possible"', text)
        if x != "11"
    )
    assert len(re.findall(r'class="value"', text)) == len(bars)
    assert "nan" not in text
