"""What `certify run` says about an experiment, read back: the table, the sentences below it, result.json,
parameters.csv and the picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from running import Drawn, Told
from statements import NUMBER, Said, Unread, compiled, nothing, number, read_line, table_cells
from tables_truth import MIXTURES, READ

from certify.solvers.limits import Stopped

Read = Sequence[tuple[str, str, tuple[Any, ...]]]


def names(text: str) -> tuple[str, ...]:
    """A list of names or numbers."""
    return tuple(re.split(r", | and ", text))


# The table. A cell is read with the name of its part.

CONSISTENT = {
    "yes (witness)": "consistent",
    "no (proved)": "inconsistent",
    "within epsilon (witness)": "consistent",
    "undecided": "",
}


def error_band(cell: str) -> Read:
    """What is proved of the smallest model error."""
    for pattern, kinds in (
        (rf"({NUMBER}) \.\. ({NUMBER}) \S+", ("error at least", "error at most")),
        (r"0() \S+", ("consistent at zero",)),
        (rf"> ({NUMBER}) \S+", ("error above",)),
        (rf"<= ({NUMBER}) \S+", ("error at most",)),
        (rf">= ({NUMBER}) \S+", ("error at least",)),
        ("not known", ()),
    ):
        match = re.fullmatch(pattern, cell)
        if match is not None:
            return [
                (kind, "", (number(value),) if value else ()) for kind, value in zip(kinds, match.groups(), strict=True)
            ]
    raise Unread(f"no template reads the cell {cell!r} of the smallest model error")


FIT = compiled(
    [
        ("", nothing),
        ("undecided", nothing),
        ("yes (witness)", lambda: [("fit consistent", "", ())]),
        (
            "no: needs > {N} {U} (proved)",
            lambda v: [("fit inconsistent", "", ()), ("fit needs above", "", (number(v),))],
        ),
        ("undecided: needs <= {N} {U} (witness)", lambda v: [("fit error at most", "", (number(v),))]),
    ]
)


def _distances(text: str) -> list[tuple[str, Fraction]]:
    """The parameters that are named, and how far each is from the blueprint; of those in "and 2 more"
    nothing is said.
    """
    return [(name, number(value)) for name, value in re.findall(rf"([^ ,]+) by ({NUMBER})", text)]


def _poses(text: str) -> tuple[int, ...]:
    """The poses that are named as missed."""
    return tuple(int(pose) for pose in re.findall(r"pose ([0-9]+)(?: of leg[0-9]+)? by ", text))


def _row(row: dict[str, str]) -> Iterator[Said]:
    part, words = row["part"], "  ".join(row.values())
    if row["any value consistent?"] not in CONSISTENT:
        raise Unread(f"no template reads the cell {row['any value consistent?']!r} of {part}")
    told = [(kind, "", ()) for kind in [CONSISTENT[row["any value consistent?"]]] if kind]
    told += [*error_band(row["smallest model error"])]
    told += [(said.kind, "", said.values) for said in read_line(row["least-squares fit consistent?"], FIT)]
    told += [("gap", "", (number(row["gap"]),))] if row["gap"] else []
    if row["certificate"] not in ("verified", "none") and not row["certificate"].startswith("NOT VERIFIED"):
        raise Unread(f"no template reads the cell {row['certificate']!r} of the certificates")
    told += [("verified", "", ())] if row["certificate"] == "verified" else []
    yield from (Said(kind, part, values, words) for kind, _, values in told)


# The sentences. A template and the statements that it makes.

SENTENCES = compiled(
    [
        *READ,
        (
            "{P}: the measurements do not determine {W} (estimated from the rank of the Jacobian); more poses "
            "are needed.",
            lambda p, w: [("names", p, (names(w),))],
        ),
        (
            "{P}: {I} poses for {I} parameters can hardly contradict any model; 'yes' says little.",
            lambda p, r, u: [("size", p, (int(r), int(u)))],
        ),
        (
            "{P}: {I} readings for {I} parameters can hardly contradict any model; 'yes' says little.",
            lambda p, r, u: [("size", p, (int(r), int(u)))],
        ),
        (
            "{P}: the least-squares fit is further from the blueprint than the radius ({W}).",
            lambda p, w: [("fit far", name, (distance,)) for name, distance in _distances(w)],
        ),
        (
            "{W}: the search box is around the least-squares fit, without the blueprint; what is said here holds in "
            "that box only.",
            lambda w: [("box lost", part, ()) for part in names(w)],
        ),
        (
            "{W}: the least-squares fit is outside the search box, so it is not judged.",
            lambda w: [("fit outside", part, ()) for part in names(w)],
        ),
        (
            "{W}: least squares did not settle, so there is no fit to judge.",
            lambda w: [("no fit", part, ()) for part in names(w)],
        ),
        (
            "{P}: least squares did not settle and left the blueprint ({W}), so there is no fit to judge.",
            lambda p, w: [("no fit", p, ())],
        ),
        (
            "{W}: the search box is centred on the blueprint instead.",
            lambda w: [("box kept", part, ()) for part in names(w)],
        ),
        (
            "in the least-squares fit {W} at the blueprint, because it runs away along what the measurements do not "
            "tell apart.",
            nothing,
        ),
        ("{W}: there are too few measurements to tell which of them are wrong.", nothing),
        ("{W}: its measurements are many and missed evenly, so that no few of them stand out (estimated).", nothing),
        ("{W}: with column{W} a robust fit {W} (estimated): look {W}.", nothing),
        ("with {W} a fit misses a pose by typically {W} (estimated): look {W}.", nothing),
        ("{P}: a robust fit{W} (estimated): look there first.", lambda p, w: [("poses", p, (_poses(w),))]),
        ("{W}: a robust fit{W} (estimated): {W}.", nothing),
        ("{W}: what to do: {W}.", nothing),
        ("poses {W} are the same in every column: was one copied from another?", nothing),
        (
            "pose {I}: its {W}, if it were {N}{V} {W}, would explain every leg there (estimated): look there first.",
            lambda pose, *_: [("poses", "platform", ((int(pose),),))],
        ),
        (
            "{P}: some value explains all its measurements within {N} {U} (proved, by a witness); whether one "
            "does exactly is not known.",
            lambda p, v: [("error at most", p, (number(v),))],
        ),
        # hulls
        (
            "parameters consistent within {N} {U}: none outside these intervals (proved):",
            lambda v: [("level", "", (number(v),))],
        ),
        ("parameters consistent within {N} {U}:", lambda v: [("level", "", (number(v),))]),
        (
            "gap: from an end to a parameter vector that is consistent (confirmed here), at most, in parts of "
            "the interval's width",
            nothing,
        ),
        ("{P}: no value at all is consistent (proved).", lambda p: [("inconsistent", p, ())]),
        ("{P}: no consistent value is proved, so there may be none; {W}.", nothing),
        (
            "{P}: {I} half-spaces along the principal axes (proved; witnesses within {N} of them, confirmed "
            "here) leave about {N} of the box's volume "
            "(estimated).",
            lambda p, count, gap, share: [("half-spaces", p, (int(count), number(gap)))],
        ),
        ("{W}: no half-spaces were found within the time limit, or none that the checker accepts.", nothing),
        ("{P}: some ends could not be brought nearer to a witness: {W}.", nothing),
        (
            "platform: no value at all is consistent, because none is for {W} (proved).",
            lambda w: [("inconsistent", part, ()) for part in names(w)],
        ),
        (
            "platform: its hull is that of each part; one realisation of the measurements that the parts share "
            "can only make it smaller "
            "(the proved ends hold; the witnesses are each part's own).",
            nothing,
        ),
        # minima
        ("least squares: is the fit what it claims to be?", nothing),
        (
            "{P}: the only global minimum in the search box (proved), sum of squares <= {N} {U} (proved); at "
            "least {I} significant digits of the fit "
            "in the box ('estimate' in the record) are true (confirmed here).{W}",
            lambda p, v, d, w: [("global minimum", p, ()), ("least sum", p, (number(v),)), ("digits", p, (int(d),))],
        ),
        (
            "{P}: the only global minimum in the search box (proved), sum of squares <= {N} {U} (proved); at "
            "least {I} significant digits of the fit "
            "in the box ('estimate' in the record) are true (confirmed here).",
            lambda p, v, d: [("global minimum", p, ()), ("least sum", p, (number(v),)), ("digits", p, (int(d),))],
        ),
        (
            "{P}: a minimum, alone in a small box around it (proved); elsewhere nothing is, sum of squares <= "
            "{N} {U} (proved); at least {I} significant "
            "digits of the fit in the box ('estimate' in the record) are true (confirmed here).{W}",
            lambda p, v, d, w: [("minimum", p, ()), ("digits", p, (int(d),)), ("minimum at most", p, (number(v),))],
        ),
        (
            "{P}: a minimum, alone in a small box around it (proved); elsewhere nothing is, sum of squares <= "
            "{N} {U} (proved); at least {I} significant "
            "digits of the fit in the box ('estimate' in the record) are true (confirmed here).",
            lambda p, v, d: [("minimum", p, ()), ("digits", p, (int(d),)), ("minimum at most", p, (number(v),))],
        ),
        ("{P}: nothing is proved.{W}", nothing),
        ("{P}: nothing is proved.", nothing),
        # discards
        (
            "fewest measurements to leave out so that the rest is consistent in the search box within {N} {U}:",
            lambda v: [("level", "", (number(v),))],
        ),
        (
            "fewest measurements to leave out so that the rest is consistent in the search box:",
            lambda: [("level", "", (Fraction(0),))],
        ),
        ("{P}: none, all are consistent (witness).", lambda p: [("fewest", p, (0,)), ("consistent", p, ())]),
        ("{P}: nothing is proved; no set that suffices was found{W}.", nothing),
        ("{P}: nothing is proved; no set that suffices was found.", nothing),
        (
            "{P}: {I} (whether fewer suffice is not known), for instance measurement{W}.",
            lambda p, k, w: _discards(p, int(k), w),
        ),
        (
            "{P}: at least {I} (proved); no set that suffices was found{W}.",
            lambda p, k, w: [("fewest at least", p, (int(k),))],
        ),
        (
            "{P}: at least {I} (proved); no set that suffices was found.",
            lambda p, k: [("fewest at least", p, (int(k),))],
        ),
        (
            "{P}: {I} (proved to be the fewest), for instance measurement{W}.",
            lambda p, k, w: [("fewest", p, (int(k),)), *_discards(p, int(k), w)],
        ),
        (
            "{P}: {I} (at least {I} are needed, proved), for instance measurement{W}.",
            lambda p, k, least, w: [("fewest at least", p, (int(least),)), *_discards(p, int(k), w)],
        ),
        # the factor on half-widths
        (
            "smallest common factor on all half-widths of the measurements with which some parameters explain all of "
            "them (its ends are proved):",
            nothing,
        ),
        (
            "The problem file does not say what its half-widths are (half_widths_are), so they are taken as bounds: no "
            "reading is expected outside.",
            lambda: [("half-widths", "", (None, False))],
        ),
        *MIXTURES,
        (
            "The half-widths are bounds: no reading is expected outside its interval.",
            lambda: [("half-widths", "", (None, True))],
        ),
        (
            "The half-widths are {N} standard deviation{Z}: of {I} uncertain readings {N} are expected outside their "
            "intervals if the noise is Gaussian and independent.",
            lambda k, n, outside: [
                ("half-widths", "", (number(k), True)),
                ("outside", "", (int(n), number(outside))),
            ],
        ),
        (
            "{N} standard deviations hold all {I} readings with 99 % if the noise is Gaussian and independent: a "
            "factor of {N}.",
            lambda k, n, f: [("noise", "", (int(n), number(k), number(f)))],
        ),
        (
            "Where more is needed (proved), the model is wrong if the noise is Gaussian and independent, and as small "
            "as stated.",
            nothing,
        ),
        (
            "Where less is enough (witness), wider half-widths would do: noise alone explains the readings if the "
            "noise is Gaussian and independent.",
            nothing,
        ),
        ("Where it is told as about so much, that is estimated; --factor proves both ends.", nothing),
        ("Where that lies between the ends of the factor, neither is known.", nothing),
        # the end
        (
            "{I} of {I} certificates verified by a separate process; legs {S} s, together {S} s, {W}",
            lambda k, n, w: [("certificates", "", (int(k), int(n)))],
        ),
        (
            "written to {W}: {W} and {I} certificates",
            lambda folder, files, count: [("files", "", (names(files), int(count)))],
        ),
    ]
)


def _discards(part: str, count: int, words: str) -> Read:
    """s 4, 6; 3 conflicts of 3 measurements (time limit)"""
    match = re.fullmatch(
        r"s? ([^;(]+?)(?:; ([0-9]+) conflicts? of ([0-9]+)(?: to ([0-9]+))? measurements)?(?: \((.+)\))?", words
    )
    if match is None:
        raise Unread(f"no template reads {words!r} of what is left out")
    rows = tuple(
        (part, int(row) - 1) if row.isdigit() else (row.split(" ")[0], int(row.split(" ")[1]) - 1)
        for row in match[1].split(", ")
    )
    told: list[tuple[str, str, tuple[Any, ...]]] = [("suffices", part, (count, rows))]
    return told + ([("conflicts", part, (int(match[2]), int(match[3]), int(match[4] or match[3])))] if match[2] else [])


def _hull_row(row: dict[str, str]) -> Iterator[Said]:
    name, words = row["parameter"], "  ".join(row.values())
    gap, _, beside = row["gap"].partition(" " * 2)
    remark = re.fullmatch(r"((?:lower|upper)(?: and upper)?): the search box|", beside.strip())
    if remark is None:
        raise Unread(f"no template reads {beside!r} of a hull")
    yield Said("hull", name, (number(row["lower"]), number(row["upper"])), words)
    if not gap.startswith("no witness"):
        yield Said("hull gap", name, (number(row["lower"]), number(row["upper"]), number(gap)), words)
    for side in (remark[1] or "").split(" and "):
        if side:
            yield Said("limited", name, (side, number(row[side])), words)


FACTOR_ENDS = compiled(
    [
        ("{N} .. {N}", lambda a, b: [("factor above", "", (number(a),)), ("factor at most", "", (number(b),))]),
        (
            "> {N}, about {N}",
            lambda a, b: [("factor above", "", (number(a),)), ("factor about", "", (number(b),))],
        ),
        ("> {N}", lambda a: [("factor above", "", (number(a),))]),
        ("<= {N}", lambda b: [("factor at most", "", (number(b),))]),
        ("0", lambda: [("factor at most", "", (Fraction(0),))]),
        ("not known", nothing),
    ]
)
JUDGEMENTS = {
    "-": "the model fits",
    "no: the model is wrong (estimated)": "the model is wrong",
    "yes, alone (estimated)": "noise alone explains it",
    "undecided": "undecided",
    "no: the model or a bound is wrong": "the model or a bound is wrong",
    "not stated": "not stated what the half-widths are",
}


def _factor_row(row: dict[str, str]) -> Iterator[Said]:
    part, words = row["part"], "  ".join(row.values())
    outside = row["expected outside"]
    yield Said("uncertain", part, (int(row["uncertain readings"]),), words)
    if outside != "not stated":
        yield Said("outside", part, (int(row["uncertain readings"]), number(outside)), words)
    for said in read_line(row["half-widths times"], FACTOR_ENDS):
        yield Said(said.kind, part, said.values, words)
    if row["is that noise?"] not in JUDGEMENTS:
        raise Unread(f"no template reads {row['is that noise?']!r} of a factor")
    yield Said("judgement", part, (JUDGEMENTS[row["is that noise?"]],), words)


WHY = "|".join(re.escape(stopped.value) for stopped in Stopped)
REASONS = re.compile(rf"\S+: (?:{WHY})(?:; (?:{WHY}|not begun))*\.")
EARLY = re.compile(r"(?:interrupted|memory limit|time limit) after [0-9]+ s: (.+)\.")
SO_FAR = compiled(
    [
        ("{W} done", nothing),
        ("{W} searched, not checked", nothing),
        ("{W} not begun", nothing),
        ("{P} not known so far", nothing),
        ("{P} 0 {U} so far", lambda part: [("consistent at zero", part, ())]),
        ("{P} >= {N} {U} so far", lambda part, low: [("error at least", part, (number(low),))]),
        (
            "{P} {N} .. {N} {U} so far",
            lambda part, low, high: [
                ("error at least", part, (number(low),)),
                ("error at most", part, (number(high),)),
            ],
        ),
    ]
)


def read_text(told: Told) -> Iterator[Said]:
    """All that is printed for people."""
    lines = told.text.split("\n")[2:]
    while lines:
        line = lines[0]
        if len(lines) > 1 and re.fullmatch(r"-+(  -+)*", lines[1]):
            size = next((k for k, text in enumerate(lines) if not text or text.startswith("gap:")), len(lines))
            for row in table_cells(lines[:size]):
                read = _hull_row if "parameter" in row else _factor_row if "half-widths times" in row else _row
                yield from read(row)
            lines = lines[size:]
            continue
        lines = lines[1:]
        early = EARLY.fullmatch(line)
        if early is not None:
            for said in (said for words in early[1].split("; ") for said in read_line(words, SO_FAR)):
                yield Said(said.kind, said.part, said.values, line)
        elif line and REASONS.fullmatch(line) is None:
            yield from read_line(line, SENTENCES)


# The object for scripts.


def _json_part(part: dict[str, Any], fit: bool = False) -> Iterator[Said]:
    name, words = part["name"].removesuffix(".least-squares"), f"json of {part['name']}"
    prefix = "fit " if fit else ""
    lower, upper = part["epsilon"]
    verdict = {
        "adequate": "consistent at zero",
        "inadequate": "error above",
        "feasible": "consistent",
        "infeasible": "inconsistent",
        "undecided": "",
    }[part["verdict"]]
    yield Said("ended", name, (part["verdict"], part["stopped"]), words)
    if verdict:
        yield Said(prefix + verdict, name, (Fraction(lower),) if verdict == "error above" else (), words)
    yield Said(f"{prefix}error at least", name, (Fraction(lower),), words)
    if upper is not None:
        yield Said(f"{prefix}error at most", name, (Fraction(upper),), words)
    if part["gap"] is not None:
        yield Said(f"{prefix}exact gap", name, (Fraction(part["gap"]),), words)
    if part["conflict"] and not fit:
        yield Said(
            "conflict", name, (Fraction(lower), tuple((family, row - 1) for family, row in part["conflict"])), words
        )
    if part.get("verified"):
        yield Said("certificate", name, (part["certificate"], part["bytes"], Fraction(lower), upper), words)
    if part["estimated_witness"] is not None and not fit:
        yield Said("witness", name, (part["estimated_witness"], upper), words)


def _json_hull(part: dict[str, Any]) -> Iterator[Said]:
    for entry in part["hull"] or ():
        words = f"json of the hull of {entry['name']}"
        low, high = map(Fraction, entry["hull"])
        yield Said("hull", entry["name"], (low, high), words)
        if entry["gap"] is not None:
            yield Said("hull gap", entry["name"], (low, high, Fraction(entry["gap"])), words)
        for side, end, limited in zip(("lower", "upper"), (low, high), entry["limited_by_search_box"], strict=True):
            if limited:
                yield Said("limited", entry["name"], (side, end), words)
    if part["verdict"] == "infeasible":
        yield Said("inconsistent", part["name"], (), "json of hulls")
    for axis in part.get("axes", ()):
        yield Said(
            "axis",
            part["name"],
            (tuple(map(Fraction, axis["coefficients"])), tuple(map(Fraction, axis["range"])), axis["gap"]),
            "json of axes",
        )


def _json_minimum(part: dict[str, Any]) -> Iterator[Said]:
    name, words = part["name"], f"json of the minimum of {part['name']}"
    kind = {"global minimum": "global minimum", "local minimum": "minimum", "undecided": ""}[part["verdict"]]
    if kind:
        yield Said(kind, name, (), words)
        yield Said("minimiser", name, (part["confirmed_here"]["minimiser"],), words)
        yield Said("estimate", name, (part["estimate"], part["confirmed_here"]["digits"]), words)
        yield Said("least sum" if part["global"] else "minimum at most", name, (Fraction(part["epsilon"][1]),), words)
        yield Said("sum at least", name, (Fraction(part["confirmed_here"]["least_sum"]),), words)


def _json_discards(part: dict[str, Any]) -> Iterator[Said]:
    name, words = part["name"], f"json of what is left out of {part['name']}"
    yield Said("fewest at least", name, (part["fewest"],), words)
    if part["discarded"] is not None:
        rows = tuple((family, row - 1) for family, row in part["discarded"])
        yield Said("suffices", name, (len(rows), rows), words)
    for conflict in part["conflicts"]:
        yield Said("conflicting", name, tuple((family, row - 1) for family, row in conflict), words)


def _json_factor(part: dict[str, Any]) -> Iterator[Said]:
    name, words = part["name"], f"json of the factor of {part['name']}"
    lower, upper = part["factor"]
    if lower:
        yield Said("factor above", name, (Fraction(lower),), words)
    if upper is not None:
        yield Said("factor at most", name, (Fraction(upper),), words)
    yield Said("uncertain", name, (part["readings"],), words)
    yield Said("judgement", name, (part["estimated_judgement"],), words)


def read_json(told: Told) -> Iterator[Said]:
    """The object for scripts."""
    for part in told.json["parts"]:
        yield from _json_part(part)
        if part["least_squares"] is not None:
            yield from _json_part(part["least_squares"], fit=True)
    for part in told.json.get("hulls", ()):
        yield from _json_hull(part)
    for part in told.json.get("minima", ()):
        yield from _json_minimum(part)
    for part in told.json.get("discards", ()):
        yield from _json_discards(part)
    for part in told.json.get("factors", ()):
        yield from _json_factor(part)
    yield Said("exit code", "", (told.code, told.json["exit_code"]), "exit code")


# parameters.csv and the picture.


def read_parameters(told: Told) -> Iterator[Said]:
    """Blueprint, fit and witness of each parameter."""
    lines = (told.folder / "parameters.csv").read_text().splitlines()
    if lines[0] != "parameter,unit,blueprint,least squares,witness":
        raise Unread(f"no template reads the heading {lines[0]!r} of parameters.csv")
    for line in lines[1:]:
        name, _, blueprint, _, witness = line.split(",")
        yield Said("blueprint", name, (Fraction(blueprint),), line)
        if witness:
            yield Said("witness of", name, (Fraction(witness),), line)


REFUTED, POSSIBLE, RESIDUAL = "#d9a441", "#1b6e4a", "#8c2f39"
LEGEND = {
    (REFUTED, "bar"): "refuted: no parameters fit within this error (proved)",
    (POSSIBLE, "line"): "some parameters fit within this error (witness)",
    (POSSIBLE, "dot"): "least squares fits every measurement (witness)",
    (RESIDUAL, "dot"): "least squares needs more than this (proved)",
}
DRAWN = {(POSSIBLE, "line"): "error at most", (POSSIBLE, "dot"): "fit consistent", (RESIDUAL, "dot"): "fit needs above"}
ABOVE = compiled(
    [
        ("0", lambda: [("consistent at zero", "", ())]),
        ("<= {N}", lambda v: [("error at most", "", (number(v),))]),
        ("{N}\nto {N}", lambda a, b: [("error at least", "", (number(a),)), ("error at most", "", (number(b),))]),
    ]
)


def read_picture(told: Told, drawn: Drawn) -> Iterator[Said]:
    """Bars are refuted, lines are possible, triangles are what the fit needs at least; a number stands above each
    part.
    """
    for shape, label in drawn.labels.items():
        if LEGEND.get(shape) != label:
            raise Unread(f"no template reads the label {label!r} of a picture, of {shape}")
    parts = [part["name"] for part in told.json["parts"] if part["epsilon"][1] is not None]
    for place, height in drawn.bars:
        yield Said("error at least", parts[round(place)], (drawn_down(height),), "picture: bar")
    for shape, place, height in drawn.marks:
        if shape not in drawn.labels:
            raise Unread(f"a {shape} of a picture is not in its legend")
        values = (
            ()
            if DRAWN[shape] == "fit consistent"
            else (drawn_down(height) if shape[0] == RESIDUAL else drawn_up(height),)
        )
        yield Said(DRAWN[shape], parts[round(place)], values, "picture: mark")
    for place, text in drawn.above:
        for said in read_line(text, ABOVE):
            yield Said(said.kind, parts[round(place)], said.values, f"picture: {text!r}")


def drawn_down(height: float) -> Fraction:
    """A height as a picture shows it: less than the double before it."""
    return Fraction(math.nextafter(height, -math.inf))


def drawn_up(height: float) -> Fraction:
    """More than the double after it."""
    return Fraction(math.nextafter(height, math.inf))


def read_run(told: Told) -> Iterator[Said]:
    """Everything that a run on an experiment says."""
    yield from read_text(told)
    yield from read_json(told)
    yield from read_parameters(told)
    for drawn in told.pictures:
        yield from read_picture(told, drawn)
