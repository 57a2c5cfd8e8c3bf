"""What `certify run` says about a system of equations or a set of inequalities, read back: text, object for scripts,
certificates, legend.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from certificates import Claimed, read_certificate, scope_variables
from running import Told
from statements import Said, Unread, compiled, nothing, number, read_line

from certify.solvers.limits import Stopped

BY_ENGINE = "by the engine's outward-rounded arithmetic"
ALONE = f"{BY_ENGINE}, not certified: "


def _counted(count: str) -> Sequence[tuple[str, str, tuple[Any, ...]]]:
    return [("certified count", "", (int(count),)), ("exactly", "", (int(count),))]


def _set(inner: str, boundary: str, unexplored: str, low: str, high: str) -> Sequence[tuple[str, str, tuple[Any, ...]]]:
    counts = tuple(map(int, (inner, boundary, unexplored)))
    return [("set covered", "", counts), ("volume", "", (number(low), number(high)))]


IN_BOXES = "every point of the set in the domain lies in one of these boxes: {I} inner, {I} boundary, {I} unexplored;"
COVERAGE = compiled(
    [
        ("the box holds exactly {I} solution{Z}{B}", _counted),
        ("the box holds no solution", lambda: _counted("0")),
        (f"{ALONE}the box holds exactly {{I}} solution{{Z}}{{B}}", lambda n: [("exactly", "", (int(n),))]),
        (f"{ALONE}the box holds no solution", lambda: [("exactly", "", (0,))]),
        (
            f"{ALONE}every solution in the box lies in one of these boxes: {{I}} with one solution each, {{I}} inner, "
            "{I} undecided, {I} unexplored",
            lambda *counts: [("covered", "", tuple(map(int, counts)))],
        ),
        (f"{BY_ENGINE}: the set has no point in the domain", lambda: [("empty", "", ())]),
        (
            f"{BY_ENGINE}: every point inside an inner box belongs to the set; {IN_BOXES} its volume lies in "
            f"[{{N}}, {{N}}]",
            _set,
        ),
        (f"{BY_ENGINE}: {IN_BOXES} its volume lies in [{{N}}, {{N}}]", _set),
    ]
)
CLAIM = compiled(
    [
        ("exactly {I} point{Z} of the domain solve{Z} it", _counted),
        ("no point of the domain solves it", lambda: _counted("0")),
        (
            "all its solutions in the domain lie in {I} box{Z} left open, at most {N} of it",
            lambda n, share: [("open", "", (int(n), number(share)))],
        ),
        (
            "all its solutions in the domain lie in {I} box{Z} left open, at most {N} of it; they are not "
            "counted, as {W}",
            lambda n, share, w: [("open", "", (int(n), number(share)))],
        ),
        ("{T} at least {N}", lambda v: [("backed", "", ("inner.cert",)), ("volume at least", "", (number(v),))]),
        ("{T} at most {N}", lambda v: [("backed", "", ("outer.cert",)), ("volume at most", "", (number(v),))]),
        ("not empty", lambda: [("backed", "", ("point.cert",)), ("not empty", "", ())]),
    ]
)
SENTENCES = compiled(
    [
        ("", nothing),
        ("{I} variable{W}, {I} constraint{W}", nothing),
        ("{I} variable{W}, {I} constraint", nothing),
        ("{I} variable, {I} constraint{W}", nothing),
        ("{I} variable, {I} constraint", nothing),
        ("{I} variable{W}, {I} inequalit{W}", nothing),
        ("{I} variable, {I} inequalit{W}", nothing),
        (f"solution {{I}}: the only one in its box {BY_ENGINE}", nothing),
        ("undecided box {I}: may hold solutions, or none", nothing),
        ("... and {I} more undecided; result.json lists more of them (--out DIR writes it, --json prints it)", nothing),
        ("... and {I} more; --json has them all", nothing),
        ("A double solution, or one on the boundary of the box, stays undecided.", nothing),
        ("written to {W}: {W}", lambda folder, files: [("files", "", tuple(files.split(", ")))]),
    ]
)
STOPPED = "|".join(re.escape(stopped.value) for stopped in Stopped)
LAST = re.compile(rf"[0-9]+ box(?:es)? in [0-9.]+ s(?: \((?:{STOPPED})\))?; (.*)\.")
VERIFIED = re.compile(
    r"certificates? verified by a separate process: (.+) \([0-9]+ bytes, made in [0-9.]+ s, checked in [0-9.]+ s\)"
)
MISSING = re.compile(
    r"no certificate(?: was asked for)?(?: of an? (?:upper|lower) bound of its (?:area|length|volume))?: .+|\S+ "
    r"not verified: .+"
)
ENDS = re.compile(r"  (\S+) in \[(\S+), (\S+)\]")
NOTHING_HERE = f"no solution here ({BY_ENGINE})", f"no solution here, nor elsewhere in the domain ({BY_ENGINE})"
ONE_SOLUTION = f"exactly one solution in a box here ({BY_ENGINE})"
LEGEND = {
    *NOTHING_HERE,
    ONE_SOLUTION,
    f"every point inside satisfies all constraints ({BY_ENGINE})",
    "not decided at this width: may hold solutions",
    "not explored: a limit was reached",
    "the quarter in front is left out",
}


def read_system_text(told: Told) -> Iterator[Said]:
    """All that is printed for people."""
    box: dict[str, tuple[Fraction, Fraction]] = {}
    heading = ""
    for line in told.text.split("\n")[1:]:
        ends, last = ENDS.fullmatch(line), LAST.fullmatch(line)
        if ends is not None:
            box[ends[1]] = Fraction(ends[2]), Fraction(ends[3])
            continue
        if box and heading.startswith("solution"):
            yield Said("solution", "", (dict(box),), heading)
        box, heading = {}, line
        if last is not None:
            yield from _certified(last[1])
        elif line in [f"{words}." for words in (told.json["coverage"],)]:
            yield from read_line(line.removesuffix("."), COVERAGE)
        else:
            yield from read_line(line, SENTENCES)


def _certified(words: str) -> Iterator[Said]:
    match = VERIFIED.match(words)
    if match is not None:
        claims = match[1].split(", ") if words.startswith("certificates ") else [match[1]]
        for claim in claims:
            yield from read_line(claim, CLAIM)
    rest = words[match.end() :].removeprefix("; ") if match is not None else words
    for sentence in filter(None, re.split(r"; (?=no certificate|\S+ not verified)", rest)):
        if MISSING.fullmatch(sentence) is None:
            raise Unread(f"no template reads {sentence!r}")


def read_system_json(told: Told) -> Iterator[Said]:
    """The object for scripts, and the legend of the picture."""
    names, record = told.json["variables"], told.json
    yield from (
        Said(said.kind, said.part, said.values, "json: coverage") for said in read_line(record["coverage"], COVERAGE)
    )
    for box in record.get("solutions", ()):
        yield Said("solution", "", (_named(names, box),), "json: solutions")
    if "volume" in record:
        low, high = record["volume"]
        yield Said("volume", "", (Fraction(low), Fraction(high)), "json: volume")
    certificate = record.get("certificate")
    if certificate is not None and "volume" in certificate:
        low, high = certificate["volume"]
        yield Said("volume", "", (Fraction(low), Fraction(high)), "json: certificate.volume")
    yield Said("system exit code", "", (told.code,), "exit code")
    for drawn in told.pictures:
        for label in drawn.labels.values():
            if label not in LEGEND:
                raise Unread(f"no template reads the label {label!r} of a picture")
            if (
                label == "no solution here, nor elsewhere in the domain (proved)"
                or label == "exactly one solution in a box here (proved)"
            ):
                yield Said("drawn", "", (label.startswith("exactly"),), f"picture: {label}")


def _named(names: list[str], box: list[list[float]]) -> dict[str, tuple[Fraction, Fraction]]:
    return {name: (Fraction(low), Fraction(high)) for name, (low, high) in zip(names, box, strict=True)}


def read_system_certificates(told: Told) -> Iterator[Said]:
    """The claims of the certificates."""
    for file, canonical in (("solutions", "problem"), ("outer", "outer"), ("inner", "inner"), ("point", "outer")):
        path = told.folder / f"{file}.cert"
        if path.is_file():
            claimed = read_certificate(path)
            yield from _claims(claimed, scope_variables(told.folder / f"{canonical}.canonical", claimed.scope), file)


def _claims(claimed: Claimed, names: list[str], file: str) -> Iterator[Said]:
    def boxed(box: Any) -> dict[str, tuple[Fraction, Fraction]]:
        return dict(zip(names, box, strict=True))

    if claimed.zeros is not None:
        yield Said("exactly", "", (claimed.zeros,), file)
        for box in claimed.isolated:
            yield Said("solution", "", (boxed(box),), file)
    elif file == "inner":
        yield Said("all but", "", (claimed.volume or Fraction(0),), file)
    elif claimed.lower is not None:
        yield Said("empty" if file == "outer" else "exactly", "", () if file == "outer" else (0,), file)
    if claimed.upper is not None:
        yield Said("point", "", (dict(zip(names, claimed.values or (), strict=True)),), file)
    if claimed.within is not None and file != "inner":
        yield Said("within", "", (boxed(claimed.hull), claimed.volume), file)


def read_system(told: Told) -> Iterator[Said]:
    """Everything that a run on a system says."""
    yield from read_system_text(told)
    yield from read_system_json(told)
    yield from read_system_certificates(told)
