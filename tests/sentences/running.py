"""The real command, run in this process: what it printed, its object for scripts, what it wrote, and the texts and
marks of its pictures.
"""

from __future__ import annotations

import contextlib
import io
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from certify import __main__ as command_line
from certify.checker import check
from certify.checks import checking
from certify.pictures import painting

Shape = tuple[str, str]  # colour, and "bar", "line" or "dot"


@dataclass(frozen=True)
class Drawn:
    """A picture as it was saved: all its texts, bars and marks with their places and heights, numbers above places,
    and what the legend says of shapes.
    """

    texts: tuple[str, ...]
    bars: tuple[tuple[float, float], ...]
    marks: tuple[tuple[Shape, float, float], ...]
    above: tuple[tuple[float, str], ...]
    labels: Mapping[Shape, str]


@dataclass(frozen=True)
class Told:
    """One run: the words of the command, its exit code, what it printed for people, its object for scripts, and its
    folder.
    """

    words: tuple[str, ...]
    code: int
    text: str
    json: dict[str, Any]
    printed: str
    errors: str
    folder: Path
    pictures: tuple[Drawn, ...] = ()
    checked: Mapping[str, int] = field(default_factory=dict)  # what the checker said to each certificate: 0 is verified


def run(words: Sequence[str], folder: Path) -> Told:
    """Run a command; the checker is called in this process, which is what takes most of the time otherwise."""
    answers: list[Any] = []
    pictures: list[Drawn] = []
    checked: dict[str, int] = {}

    def heard(answer: Any, as_json: bool) -> None:
        answers.append(answer)
        original(answer, as_json)

    original, out, errors = command_line.tell, io.StringIO(), io.StringIO()
    with (
        mock.patch.object(command_line, "tell", heard),
        mock.patch.object(checking, "_judged", partial(_judged_here, checked)),
        mock.patch.object(checking, "_Judge", partial(_JudgeHere, checked)),
        mock.patch.object(
            painting, "painter", return_value=contextlib.nullcontext(painting.in_place)
        ),  # where its figures are read
        _listening(pictures),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
    ):
        code = command_line.main(list(words))
    if not answers:
        raise AssertionError(f"certify {' '.join(words)} ended with {code}: {errors.getvalue()}")
    answer = answers[0]
    return Told(
        tuple(words),
        code,
        answer.text,
        json.loads(json.dumps(answer.json)),
        out.getvalue(),
        errors.getvalue(),
        folder,
        tuple(pictures),
        checked,
    )


def _judged_here(
    checked: dict[str, int],
    flags: Sequence[str],
    checker: Path,
    canonical: Path,
    certificate: Path,
    seconds: float,
    processes: int = 1,
) -> checking.Check:
    outcome = check(canonical.read_bytes(), certificate.read_bytes())
    code = {"VERIFIED": 0, "REJECTED": 1}.get(outcome.status.name, 3)
    checked[certificate.name] = code
    return checking.Check(certificate.name, code, outcome.message, 0.0)


@dataclass(frozen=True)
class _JudgeHere:
    """The checker in this process."""

    checked: dict[str, int]

    def judge(self, canonical: Path, certificate: Path, seconds: int, processes: int) -> checking.Check:
        return _judged_here(self.checked, (), Path(), canonical, certificate, seconds, processes)

    def end(self) -> None:
        """There is nothing to stop."""


@contextlib.contextmanager
def _listening(pictures: list[Drawn]) -> Iterator[None]:
    """Every figure is read instead of being saved."""
    from matplotlib.figure import Figure

    def saved(figure: Any, *words: Any, **options: Any) -> None:
        pictures.append(_drawn(figure))

    with mock.patch.object(Figure, "savefig", saved):
        yield


def _drawn(figure: Any) -> Drawn:
    from matplotlib.colors import to_hex
    from matplotlib.legend import Legend
    from matplotlib.lines import Line2D
    from matplotlib.patches import Rectangle
    from matplotlib.text import Annotation, Text

    def shape(handle: Any) -> Shape:
        if isinstance(handle, Line2D):
            return to_hex(handle.get_color()), "line" if handle.get_linestyle() not in ("None", "none", "") else "dot"
        return to_hex(handle.get_facecolor()), "bar"

    texts = tuple(text.get_text() for text in figure.findobj(Text) if text.get_text())
    bars, marks, above, labels = [], [], [], {}
    for axes in figure.axes:
        bars += [
            (patch.get_x() + patch.get_width() / 2, patch.get_height())
            for patch in axes.patches
            if isinstance(patch, Rectangle)
        ]
        for line in axes.lines:
            x, y = (list(map(float, np.ravel(data))) for data in (line.get_xdata(), line.get_ydata()))
            marks.append((shape(line), sum(x) / len(x), y[0]))
        above += [(float(text.xy[0]), text.get_text()) for text in axes.texts if isinstance(text, Annotation)]
    for legend in figure.findobj(Legend):
        for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
            labels[shape(handle)] = text.get_text()
    return Drawn(texts, tuple(bars), tuple(marks), tuple(above), labels)


def centre_of(folder: Path) -> dict[str, Fraction]:
    """The centre of the search box, as the run wrote it."""
    written = tomllib.loads((folder / "problem.toml").read_text())
    tables = (
        written.get("centre")
        if written["box"]["centre"] == "given"
        else {**written["legs"], "common": written.get("common", {})}
    )
    found = {}
    for owner, entries in tables.items():
        for name, value in entries.items():
            for key, text in _numbers(written, name, value):
                found[f"{'robot' if owner == 'common' else owner}.{key}"] = Fraction(text.split(" ")[0])
    return found


def _numbers(written: Mapping[str, Any], name: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(name, value)]
    model = written["model"]
    components = (model.get("parameters", {}) | model.get("common", {}))[name].split(" ")[1:]
    return [(f"{name}_{component}", text) for component, text in zip(components, value, strict=True)]
