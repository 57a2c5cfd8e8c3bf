"""Minibex, the language of IBEX's benchmark files (.bch, .mbx), read into a `System` of exact formulas.

    system = read_minibex(Path("Brown-05.bch"))
    system = parse_minibex("Variables x in [0,1]; Constraints x^2 = 1/2; end")

Everything the language writes is read exactly: decimals are rationals, 1/3 is a third, pi stays pi. What is not supported (arrays of
more than two dimensions, `diff`, `chi`, `ceil`, `floor`, `integer`, balls, parameters) is refused with its line and column, never
skipped; what IBEX reads otherwise than one may expect is noted in `System.notes`.
"""

from __future__ import annotations

from pathlib import Path

from problems.files import read_text
from problems.minibex.machine import Machine
from problems.minibex.parser import parse_program
from problems.minibex.reading import Notes
from problems.minibex.syntax import MAX_CHARACTERS, Source
from problems.minibex.translate import translate
from problems.system import System

__all__ = ["parse_minibex", "read_minibex"]


def read_minibex(path: Path) -> System:
    """The system that a file contains."""
    return parse_minibex(read_text(path, "Minibex file", MAX_CHARACTERS, otherwise="latin-1"), path.name)  # accents in comments


def parse_minibex(text: str, name: str = "Minibex text") -> System:
    """The system that a text contains; `name` names the text in messages."""
    source, notes = Source(name, text), Notes()
    return translate(parse_program(source, notes), Machine(source, notes))
