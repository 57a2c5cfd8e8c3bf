"""Minibex, the language of IBEX's benchmark files (.bch, .mbx), read into a `System` of exact formulas.

    system = read_minibex(Path("Brown-05.bch"))
    system = parse_minibex("Variables x in [0,1]; Constraints x^2 = 1/2; end")
    stated = system({"x": (0, 1)}, "x^2 = 1/2")

Everything the language writes is read exactly: decimals are rationals, 1/3 is a third, pi stays pi. What is not
supported (arrays of more than two dimensions, `diff`, `chi`, `ceil`, `floor`, `integer`, balls, parameters) is
refused with its line and column, never skipped; what IBEX reads otherwise than one may expect is noted in
`System.notes`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from certify.problems.errors import InputError
from certify.problems.files.disk import read_text
from certify.problems.minibex.file_parser import parse_program
from certify.problems.minibex.machine import Machine
from certify.problems.minibex.reading import Notes
from certify.problems.minibex.syntax import MAX_CHARACTERS, Source
from certify.problems.minibex.translate import translate
from certify.problems.systems.system import System

__all__ = ["minibex_text", "parse_minibex", "read_minibex", "system"]

End = int | float | Fraction | str
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_minibex(path: Path) -> System:
    """The system that a file contains."""
    return parse_minibex(minibex_text(path), path.name)


def minibex_text(path: Path) -> str:
    """The text of a file. Raises InputError if it cannot be read."""
    return read_text(path, "Minibex file", MAX_CHARACTERS, otherwise="latin-1")  # accents in comments


def parse_minibex(text: str, name: str = "Minibex text") -> System:
    """The system that a text contains; `name` names the text in messages."""
    source, notes = Source(name, text), Notes()
    return translate(parse_program(source, notes), Machine(source, notes))


def system(variables: Mapping[str, tuple[End, End]], constraints: str | Sequence[str], title: str = "system") -> System:
    """The system of these variables, each in its domain, and of constraints in Minibex's words: "x^2 + y^2 <= 1".

    Ends are taken exactly: "0.1" is a tenth, 0.1 the double that Python calls so; infinite ones are float("inf").
    """
    said = [constraints] if isinstance(constraints, str) else list(constraints)
    if not variables or not said:
        missing = "constraints" if variables else "variables"
        raise InputError(f"{title}: a system needs variables and constraints; the {missing} are missing")
    domains = [
        f"{_named(name)} in [{_written(low, name)}, {_written(high, name)}];" for name, (low, high) in variables.items()
    ]
    lines = [
        f"Variables {' '.join(domains)} Constraints",
        *(" ".join(text.split()).rstrip("; ") + ";" for text in said),
        "end",
    ]
    stated = parse_minibex("\n".join(lines), f"{title}, whose first constraint is on line 2")
    return replace(stated, title=title)


def _named(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(f"a variable is named {name!r}; write a letter followed by letters, digits and _")
    return name


def _written(end: End, name: str) -> str:
    """An end as Minibex writes it."""
    text = str(end).strip() if isinstance(end, str) else end
    if text in ("oo", "+oo", "-oo"):
        return str(text)
    if isinstance(end, float) and not math.isfinite(end):
        if end != end:
            raise InputError(f"variable {name}: NaN is no end of a domain; write a number, or float('inf')")
        return "+oo" if end > 0 else "-oo"
    try:
        return str(Fraction(end))
    except (ValueError, TypeError, ZeroDivisionError) as error:
        told = "write an int, a float, a Fraction or a text such as '0.1' or '1/3'"
        raise InputError(f"variable {name}: {end!r} is no end of a domain; {told}") from error
