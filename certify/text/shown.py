"""Answers that show themselves in a notebook: in a line, as a table, a frame, a picture, and a page to be handed over.

What is shown of which answer stands in `certify.notebooks`, which is loaded when it is asked for: a record of plain
numbers needs neither pictures nor pages.
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any


class Shown:
    """The five ways; a class of answers has a row in the table of `certify.notebooks.view`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(_notebooks("view").line(self))

    def _repr_html_(self) -> str:
        """The table of a notebook."""
        return str(_notebooks("view").html(self))

    def to_frame(self) -> Any:
        """The numbers as a DataFrame (with pandas): ends are rounded outwards to doubles."""
        return _notebooks("view").frame(self)

    def plot(self) -> Any:
        """A picture, which a notebook shows; `.save("epsilon.png")` writes it."""
        return _notebooks("plots").plot(self)

    def report(self, path: Path | str = "report.html") -> Path:
        """Write one offline page, or a record (.json), whose claims follow from certificates that the checker has
        judged once more for it; returns the path.
        """
        written: Path = _notebooks("pages").report(self, Path(path))
        return written


def _notebooks(name: str) -> Any:
    return importlib.import_module(f"certify.notebooks.{name}")
