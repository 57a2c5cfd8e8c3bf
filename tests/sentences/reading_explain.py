"""What `certify explain` and `certify check` say in words, read back sentence by sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from reading import names
from reading_proof import PROOF_SECTIONS, listed, quantity, read_proof_section
from statements import Reader, Said, Unread, followed, nothing, number, read_first

FIRST = re.compile(r".+, explained\. Explaining is not checking: it is only read here, nothing is verified\.")
CONVENTIONS = ("which the command at the end does:", "says what they mean:")


def rows_of(text: str) -> tuple[str, int, tuple[tuple[str, int], ...]]:
    """The part of "all 6 rows of leg1 and leg2", how many rows may be left out, and which are."""
    if re.fullmatch("all [0-9]+ equations|the equation", text):
        return "", 0, ()
    match = re.fullmatch(
        r"(?:all but at most ([0-9]+) of the [0-9]+ rows|all [0-9]+ rows|the row) of (.+?)(?: but (rows? .+))?", text
    )
    if match is None:
        raise Unread(f"no template reads the rows {text!r}")
    return "+".join(names(match[2])), int(match[1] or 0), tuple(listed(match[3])) if match[3] else ()


def _none(rows: str, level: Fraction) -> Sequence[tuple[str, str, tuple]]:
    part, out, _ = rows_of(rows)
    return [("fewest above", part, (out, level))] if out else [("inconsistent at", part, (level,))]


def _some(rows: str, level: Fraction) -> Sequence[tuple[str, str, tuple]]:
    part, _, without = rows_of(rows)
    return [("explained", part, (level, without))]


def _hull(rows: str, level: Fraction) -> Sequence[tuple[str, str, tuple]]:
    return [("hull of", rows_of(rows)[0], (level,))]


def _formula(families: str, written: str) -> Sequence[tuple[str, str, tuple]]:
    """A formula of some families; a long one is not told."""
    return [] if written.startswith("a function of ") else [("formula", name, (written,)) for name in names(families)]


WHATEVER = "whatever the true measurements are within their intervals"
WITNESSED = "the certificate holds them and measurements within their intervals that show it (a witness)."
MIDDLES = "with the measurements at their exact values in the problem (a run takes the middles of their intervals),"
CLAIMS = followed(
    [
        (
            f"No values of the {{I}} unknown{{Z}} in the search box explain {{W}} exactly, {WHATEVER}.",
            lambda n, w: _none(w, Fraction(0)),
        ),
        (
            f"No values of the {{I}} unknown{{Z}} in the search box explain {{W}} with a model error of "
            f"{{N}}{{V}} or less, {WHATEVER}.",
            lambda n, w, v: _none(w, number(v)),
        ),
        (
            f"The given values of the {{I}} unknown{{Z}} do not explain {{W}} with a model error of {{N}}{{V}} "
            f"or less, {WHATEVER}.",
            lambda n, w, v: [("fit needs above", rows_of(w)[0], (number(v),))],
        ),
        (
            f"The given values of the {{I}} unknown{{Z}} do not explain {{W}} exactly, {WHATEVER}.",
            lambda n, w: [("fit inconsistent", rows_of(w)[0], ())],
        ),
        (f"Some values in the box do explain {{W}} exactly: {WITNESSED}", lambda w: _some(w, Fraction(0))),
        (
            f"Some values in the box do explain {{W}} with a model error of at most {{N}}{{V}}: {WITNESSED}",
            lambda w, v: _some(w, number(v)),
        ),
        (
            "The given values do explain {W} exactly: the certificate holds measurements within their "
            "intervals that show it (a witness).",
            lambda w: [("fit consistent", rows_of(w)[0], ())],
        ),
        (
            "The given values do explain {W} with a model error of at most {N}{V}: the certificate holds "
            "measurements within their intervals that show "
            "it (a witness).",
            lambda w, v: [("fit error at most", rows_of(w)[0], (number(v),))],
        ),
        (
            "So the smallest model error is known up to {N}{V}: it lies between these two numbers.",
            lambda v: [("known up to", "", (number(v),))],
        ),
        (
            "So their model error is known up to {N}{V}: it lies between these two numbers.",
            lambda v: [("known up to", "", (number(v),))],
        ),
        (
            "(The model error of some values: the largest error that the model's equation leaves in any row{W}.)",
            nothing,
        ),
        ("(The model error of some values: the largest error that the model's equation leaves in any row.)", nothing),
        ("The given values: {W}.", lambda w: [("values", "", _values(w))]),
        ("The values of the witness: {W}.", lambda w: [("values", "", _values(w))]),
        (
            "All values of the unknowns in the search box that explain {W} exactly lie in their hull, a box.",
            lambda w: _hull(w, Fraction(0)),
        ),
        (
            "All values of the unknowns in the search box that explain {W} with a model error of at most "
            "{N}{V} lie in their hull, a box.",
            lambda w, v: _hull(w, number(v)),
        ),
        (
            "and in {I} half-space{Z} with slanted face{Z}, which the certificate spells out.",
            lambda n: [("facets", "", (int(n),))],
        ),
        (
            f"The sum of the squares of the errors of {{W}}, {MIDDLES} has a strict minimum, the only one in a "
            f"small box, of at most {{N}}{{V}}.",
            lambda w, v: [("minimum at most", rows_of(w)[0], (number(v),)), ("minimum of", rows_of(w)[0], ())],
        ),
        (
            "It is the only global minimum: no other point of the whole search box does as well.",
            lambda: [("global minimum of", "", ())],
        ),
        ("Whether another point of the search box does better is not said.", nothing),
        ("It lies in this box:", nothing),
        # systems
        (
            "In the search box the system of {W} in {I} unknown{Z} has no solution at all.",
            lambda w, n: [("exactly", "", (0,))],
        ),
        (
            "In the search box the system of {W} in {I} unknown{Z} has exactly {I} solution{Z}, each alone in "
            "its box (which need not be small){E}",
            lambda w, n, count: [("exactly", "", (int(count),))],
        ),
        (
            "No values of the {I} unknown{Z} in the search box explain all {I} equations exactly.",
            lambda *_: [("exactly", "", (0,))],
        ),
        (
            "No values of the {I} unknown{Z} in the search box explain the equation exactly.",
            lambda *_: [("exactly", "", (0,))],
        ),
        ("(There may be none at all.)", nothing),
        # sets
        ("No point of the search box satisfies {C}.", lambda *_: [("empty", "", ())]),
        ("Some point of the search box satisfies {C}; the certificate holds it{E}", lambda *_: [("not empty", "", ())]),
        (
            "All points of the search box that satisfy {C} lie in their hull, a box.",
            lambda *_: [("conditions' hull", "", ())],
        ),
        (
            "Every point of the search box satisfies all conditions of the system, whether its inequalities "
            "are strict or not.",
            lambda: [("all but", "", (Fraction(0),))],
        ),
        (
            "Every point of the search box, but for boxes of a total {T} of at most {N} ({X} of the search "
            "box), satisfies all conditions of the system, "
            "whether its inequalities are strict or not.",
            lambda v, share: [("all but", "", (number(v),)), ("share", "", (number(v), _share(share)))],
        ),
        (
            "So the set of the points that satisfy the system has a{Z} {T} of at least {N}.",
            lambda v: [("volume at least", "", (number(v),))],
        ),
        (
            "This is shown by proving that nowhere else one of the conditions is violated or just met, or a "
            "function without a value: these violations "
            "are the rows of the problem, {I} row{Z}, as the translation of the system made them just now.",
            nothing,
        ),
        ("(Those boxes lie in this one, so that every point outside it satisfies the system:)", nothing),
        ("(This box:)", nothing),
        (
            "The set of these values has a{Z} {T} of at most {N} ({X} of the search box), measured in the "
            "units of {W}.",
            lambda v, share, w: [("volume at most", "", (number(v),)), ("share", "", (number(v), _share(share)))],
        ),
        (
            "So what is not among them in the search box has a{Z} {T} of at least {N}.",
            lambda v: [("rest at least", "", (number(v),))],
        ),
        (
            "(The certificate calls these conditions violations of a system, which the rest of the search box "
            "would satisfy: give the system with --problem to see whether they are its.)",
            nothing,
        ),
    ]
)
ASSUMED = followed(
    [
        ("Nothing is said about values outside the search box:", nothing),
        (
            "Every measurement may be anywhere in its interval, whatever the others do; nothing is assumed "
            "about chances. Half-widths:",
            nothing,
        ),
        (
            "The measurements are exactly the numbers in the problem that the certificate names: a run takes "
            "the middles of their intervals. Nothing is "
            "said about measurements elsewhere in the intervals:",
            nothing,
        ),
        (
            "{W} are shared: wherever rows use the same entry, it is one and the same true value.",
            lambda w: [("shared", "", names(w))],
        ),
        (
            "{W} is shared: wherever rows use the same entry, it is one and the same true value.",
            lambda w: [("shared", "", names(w))],
        ),
        (
            "{W} are shared: wherever rows use the same entry, it is one and the same value.",
            lambda w: [("shared", "", names(w))],
        ),
        (
            "{W} is shared: wherever rows use the same entry, it is one and the same value.",
            lambda w: [("shared", "", names(w))],
        ),
        ("The model of {W}: the error of a row is |{W}|.", _formula),
        ("The model of {W} is a function of {W}, spelt out in the problem.", nothing),
        ("The equation {W}: {W} = 0.", _formula),
        ("The equation {W}: a function of {W}, spelt out in the problem, = 0.", nothing),
        (
            "The problem.toml beside it says what they mean; it is not compared here, which the command at the "
            "end does:",
            nothing,
        ),
        ("The file {W}, says what they mean:", nothing),
        (
            "A condition holds where its function is defined and within the ends that are given here (the "
            "translation of an inequality puts one end "
            "beyond all values, which is not looked at here). The names are those of the file, and nothing is "
            "concluded from them:",
            nothing,
        ),
        (
            "A violation, which is what is refuted, holds where its function is defined and within the ends "
            "that are given here (the translation of an "
            "inequality puts one end beyond all values, which is not looked at here). The names are those of "
            "the file, and nothing is concluded from them:",
            nothing,
        ),
    ]
)
CARRIED = followed(
    [
        (
            "The conflict: {W} cannot be explained with {N}{V} or less anywhere in the search box.",
            lambda w, v: [("conflict at", "", (number(v), *listed(w.removesuffix(" together"))))],
        ),
        (
            "The conflict: {W} cannot be explained with {N}{V} or less by these values.",
            lambda w, v: [("fit conflict", "", (number(v), *listed(w.removesuffix(" together"))))],
        ),
        ("The conflict: {W} cannot be explained by these values.", nothing),
        ("The conflict: {W} cannot be explained anywhere in the search box.", nothing),
        (
            "The proof uses no other of the {I} rows (and fewer may do): who doubts the claim has to doubt one "
            "of these {W}.",
            nothing,
        ),
        ("What all the cuts leave of the box is refuted by {W}.", nothing),
        (
            "{I} conflict{Z}, each a set of rows that together cannot be explained with {N}{V} or less in {W}; "
            "whichever {I} row{Z} {Q} left out, a "
            "conflict stays whole{W}",
            lambda n, v, w, out, rest: [("conflicts at", "", (number(v),))],
        ),
        (
            "{I} conflict{Z}, each a set of rows that together cannot be explained in {W}; whichever {I} "
            "row{Z} {Q} left out, a conflict stays whole{W}",
            lambda n, w, out, rest: [("conflicts at", "", (Fraction(0),))],
        ),
        ("The proof that {W} there uses all {I} rows.", nothing),
        ("The proof that there is nothing else uses {I} of them: {W}.", nothing),
        ("The proof uses {I} of {I} rows: {W}.", nothing),
        ("The proof uses {I} of the {I} rows.", nothing),
        ("None: no part of the box is refuted by a row.", nothing),
        (
            "Those that occur in most of the {I} leaves of the proof (and about their part of the weights "
            "there, on average):",
            nothing,
        ),
        ("A {W} is numbered by its place in its group, from 1.", nothing),
    ]
)


def _share(text: str) -> Fraction:
    return number(text.removeprefix("at most "))


def _values(text: str) -> tuple[tuple[str, Fraction, bool], ...]:
    found = []
    for entry in text.split(", "):
        match = re.fullmatch(r"(\S+) = ((?:about )?\S+?)(?: (?:mm|deg|rad|1))?", entry)
        if match is None:
            raise Unread(f"no template reads the value {entry!r}")
        found.append((match[1], *quantity(match[2])))
    return tuple(found)


VERBATIM: Sequence[tuple[re.Pattern[str], Reader]] = [
    (
        re.compile(r"(\S+): (\S+) \.\. (\S+)(?: \S+)? \((?:all of|(at most )?(\S+) of) the search box\)"),
        lambda name, low, high, most, share: [
            ("hull line", name, (number(low), number(high), number(share) if share else None))
        ],
    ),
    (
        re.compile(r"(\S+): ((?:about )?\S+) \.\. ((?:about )?\S+)(?: (?:mm|deg|rad))?"),
        lambda name, low, high: [("box line", name, (quantity(low), quantity(high)))],
    ),
    (
        re.compile(r"(\S+): (about )?\+-(\S+?)(?: to (\S+))?(?: (?:mm|deg|rad))? \(([0-9]+) values?\)"),
        lambda name, about, least, most, count: [
            ("half-widths of", name, ((number(least), bool(about)), (number(most or least), bool(about)), int(count)))
        ],
    ),
    (
        re.compile(r"(\S+): (?:known exactly|taken as exact) \(([0-9]+) values?\)"),
        lambda name, count: [("known exactly", name, (int(count),))],
    ),
    (
        re.compile(r"(\S+) = (\S+)(?: (?:mm|deg|rad))? \+-(\S+)"),
        lambda name, middle, half: [
            ("minimum line", name, (number(middle) - number(half), number(middle) + number(half)))
        ],
    ),
    (re.compile(r"(\S+) = ((?:about )?\S+)"), lambda name, value: [("values", "", ((name, *quantity(value)),))]),
    (
        re.compile(r"([0-9]+): (\S+ = \S+ \+-.+)"),
        lambda k, entries: [("solution", "", (dict(_range(entry) for entry in entries.split(", ")),))],
    ),
    (
        re.compile(r"(\S+): (.+) is (?:from (\S+|about \S+) to (\S+|about \S+)|(\S+))"),
        lambda name, formula, low, high, value: _formula(name, formula),
    ),
    (re.compile(r"([0-9]+): (rows? .+)"), lambda k, rows: [("conflict line", "", tuple(listed(rows)))]),
    (re.compile(r"\.\.\. and [0-9]+ more"), nothing),
    (re.compile(r".+: [0-9]+ lea(?:f|ves), [0-9.]+%"), nothing),
]


def _range(entry: str) -> tuple[str, tuple[Fraction, Fraction]]:
    match = re.fullmatch(r"(\S+) = (\S+)(?: \S+)? \+-(\S+)", entry)
    if match is None:
        raise Unread(f"no template reads {entry!r}")
    return match[1], (number(match[2]) - number(match[3]), number(match[2]) + number(match[3]))


SECTIONS: dict[str, Sequence[tuple[re.Pattern[str], Reader]]] = {"What is claimed": CLAIMS, "What is assumed": ASSUMED}


def read_explanation(text: str) -> Iterator[Said]:
    """The statements of an explanation: those of its claim, of what is assumed, and of which rows carry it."""
    lines = text.split("\n")
    if FIRST.fullmatch(lines[0]) is None:
        raise Unread(f"no template reads {lines[0]!r}")
    for block in "\n".join(lines[2:]).split("\n\n"):
        title, *sentences = block.split("\n")
        if title in SECTIONS or re.fullmatch("Which (?:measurements|equations|conditions) carry it", title):
            yield from _section(sentences, SECTIONS.get(title, CARRIED))
        elif title in PROOF_SECTIONS:
            yield from read_proof_section(title, sentences)
        else:
            raise Unread(f"no template reads the section {title!r}")


def read_check(text: str) -> Iterator[Said]:
    """What is said in words beside the checker's message."""
    yield from _section([f"  {line}" for line in text.split("\n")[1:]], CLAIMS)


def _section(lines: Sequence[str], templates: Sequence[tuple[re.Pattern[str], Reader]]) -> Iterator[Said]:
    """Sentences run on over lines, numbers stand in lines of their own that begin with four spaces."""
    running, quoted = "", False
    for line in [*lines, "    "]:
        if not line.startswith("    "):
            running = f"{running} {line.strip()}".strip()
            continue
        quoted |= running.endswith(CONVENTIONS)
        while running:
            running = yield from read_first(running, templates)
        if line.strip() and not quoted:
            yield from _verbatim(line.strip(), templates is CLAIMS)


def _verbatim(line: str, claimed: bool) -> Iterator[Said]:
    """Ends of an unknown are those of the search box where something is assumed, and those of what is left open in a
    claim.
    """
    for pattern, reader in VERBATIM:
        match = pattern.fullmatch(line)
        if match is not None:
            for kind, part, values in reader(*match.groups()):
                yield Said("left open" if kind == "box line" and claimed else kind, part, values, line)
            return
    raise Unread(f"no template reads {line!r}")
