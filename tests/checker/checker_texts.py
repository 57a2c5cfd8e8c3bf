"""Small writers of canonical problems and certificates, for tests only."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from certify.checker import Outcome, Status, check
from certify.checker.nodes import Leaf
from certify.checker.outcome import Rejection
from certify.checker.rules import Preparation, Proof
from certify.checker.scope import Box

Number = int | str | Fraction


class Binary(str):
    """A problem with tables as a text: its bytes that are no ASCII are told by surrogates, `encode` gives them back."""

    __slots__ = ()

    def encode(self, encoding: str = "utf-8", errors: str = "surrogateescape") -> bytes:
        return super().encode(encoding, errors)


def table(text: str, *tables: Sequence[Sequence[float]]) -> Binary:
    """The problem with the records of its tables behind it."""
    records = b"".join(struct.pack(f"<{len(record)}d", *record) for rows in tables for record in rows)
    text = text.replace("certify-problem 2", "certify-problem 3", 1)
    return Binary(text + records.decode("utf-8", "surrogateescape"))


class TapeWriter:
    """Straight-line code, node by node; operators of numbers are strings of operations."""

    def __init__(self, inputs: int) -> None:
        self.inputs = inputs
        self.lines: list[str] = []

    def put(self, code: str, *operands: Number) -> int:
        self.lines.append(" ".join([code, *map(str, operands)]))
        return self.inputs + len(self.lines) - 1

    def dot(self, left: Sequence[int], right: Sequence[int]) -> int:
        products = [self.put("mul", a, b) for a, b in zip(left, right, strict=True)]
        total = products[0]
        for product in products[1:]:
            total = self.put("add", total, product)
        return total


@dataclass
class ProblemWriter:
    """The blocks of a canonical problem."""

    variables: list[tuple[str, Number, Number]] = field(default_factory=list)
    columns: list[tuple[str, list[tuple[Number, Number]]]] = field(default_factory=list)
    tapes: list[tuple[str, TapeWriter]] = field(default_factory=list)
    families: list[str] = field(default_factory=list)

    def text(self) -> str:
        new = any(line.startswith("erf ") for _, tape in self.tapes for line in tape.lines)
        lines = [f"certify-problem {3 if new else 2}", f"variables {len(self.variables)}"]
        lines += [f"{name} mm {lower} {upper}" for name, lower, upper in self.variables]
        lines.append(f"columns {len(self.columns)}")
        for name, entries in self.columns:
            lines.append(f"column {name} mm {len(entries)}")
            lines += [f"{lower} {upper}" for lower, upper in entries]
        lines.append(f"tapes {len(self.tapes)}")
        for name, tape in self.tapes:
            lines.append(f"tape {name} {tape.inputs} {len(tape.lines)}")
            lines += tape.lines
        lines += [f"families {len(self.families)}", *self.families, "end"]
        return "\n".join(lines) + "\n"


def certificate(
    problem: str,
    *,
    scope: str = "F",
    point: str = "box",
    lower: Number = "none",
    upper: Number = "none",
    within: Number = "none",
    volume: Number = "none",
    zeros: Number = "none",
    minimum: str = "none",
    norm: str = "largest",
    discard: Number = 0,
    witness: Sequence[str] = (),
    hull: Sequence[str] | None = None,
    isolated: Sequence[str] | None = None,
    tree: Sequence[str] = (),
    precision: Number = 128,
) -> str:
    """A certificate with the right hash; the rows `without` are a line of the witness, facets are lines of the hull."""
    digest = hashlib.sha256(problem.encode()).hexdigest()
    lines = [
        "certify-certificate 5",
        f"problem {digest}",
        f"precision {precision}",
        f"scope {scope}",
        point,
        f"norm {norm}",
        f"discard {discard}",
    ]
    lines += [
        f"lower {lower}",
        f"upper {upper}",
        f"within {within}",
        f"volume {volume}",
        f"zeros {zeros}",
        f"minimum {minimum}",
    ]
    if witness:
        lines += ["witness", *witness]
    if hull is not None:
        lines += ["hull", *hull]
    if isolated is not None:
        lines += ["isolated", *isolated]
    if tree:
        lines += ["tree", *tree]
    return "\n".join([*lines, "end"]) + "\n"


def certificate6(
    problem: str, *groups: str, kind: str = "errors", factor: Number = 1, point: str = "box", **claims: object
) -> str:
    """A certificate of version 6, with groups in place of the scope, and a factor on half-widths."""
    text = certificate(problem, scope="here", point=point, **claims)  # type: ignore[arg-type]
    lines = [f"claim {kind}", f"groups {len(groups)}", *(f"group {group}" for group in groups)]
    text = text.replace("certify-certificate 5", "certify-certificate 6", 1)
    return text.replace(f"scope here\n{point}\n", "\n".join([*lines, point, f"factor {factor}", ""]), 1)


def tape(inputs: int, *lines: str) -> TapeWriter:
    """A tape of these operations."""
    writer = TapeWriter(inputs)
    writer.lines = list(lines)
    return writer


def problem(
    variables: Sequence[tuple[str, object, object]],
    columns: Sequence[tuple[str, list[tuple[object, object]]]],
    tapes: Sequence[TapeWriter],
    families: Sequence[str],
) -> str:
    """A canonical problem; its tapes are called t0, t1, ..."""
    return ProblemWriter(
        list(variables),  # type: ignore[arg-type]
        list(columns),  # type: ignore[arg-type]
        [(f"t{i}", one) for i, one in enumerate(tapes)],
        list(families),
    ).text()


def judge(problem_text: str, certificate_text: str, seconds: int = 100) -> Outcome:
    """The checker's answer; pieces are at hand that were `kept`."""
    return check(problem_text.encode(), certificate_text.encode(), seconds, PIECES.get)


PIECES: dict[str, bytes] = {}  # by their hashes


def kept(certificate_text: str) -> str:
    """The hash of a piece, which is at hand from here on."""
    data = certificate_text.encode()
    digest = hashlib.sha256(data).hexdigest()
    PIECES[digest] = data
    return digest


def gough_tape() -> TapeWriter:
    """r = |P + R(alpha, beta, gamma) b - a| - (L + l): inputs a, b, l (0-6), P (7-9), angles in degrees (10-12), L
    (13).
    """
    tape = TapeWriter(14)
    degree = tape.put("div", tape.put("pi"), tape.put("const", 180))
    sines, cosines = [], []
    for angle in (10, 11, 12):
        radians = tape.put("mul", angle, degree)
        sines.append(tape.put("sin", radians))
        cosines.append(tape.put("cos", radians))
    zero, one = tape.put("const", 0), tape.put("const", 1)
    s, c = sines, cosines
    minus = [tape.put("neg", value) for value in sines]
    first = [[c[0], minus[0], zero], [s[0], c[0], zero], [zero, zero, one]]
    second = [[c[1], zero, s[1]], [zero, one, zero], [minus[1], zero, c[1]]]
    third = [[one, zero, zero], [zero, c[2], minus[2]], [zero, s[2], c[2]]]
    rotation = _product(tape, _product(tape, first, second), third)
    squares = []
    for axis in range(3):
        turned = tape.put("add", 7 + axis, tape.dot(rotation[axis], [3, 4, 5]))
        squares.append(tape.put("sqr", tape.put("sub", turned, axis)))
    length = tape.put("sqrt", tape.put("add", tape.put("add", squares[0], squares[1]), squares[2]))
    tape.put("sub", length, tape.put("add", 13, 6))
    return tape


def _product(tape: TapeWriter, left: list[list[int]], right: list[list[int]]) -> list[list[int]]:
    return [[tape.dot(row, [line[j] for line in right]) for j in range(3)] for row in left]


def gough_problem(rows: int, half_width: Number = 20) -> ProblemWriter:
    """A leg of a platform in `rows` poses; the unknowns are within +- half_width of their true values."""
    true = (0, 500, 0, 120, 160, 10, 250)
    writer = ProblemWriter([(f"x{i}", value - half_width, value + half_width) for i, value in enumerate(true)])
    columns: list[list[tuple[Number, Number]]] = [[] for _ in range(7)]
    for k in range(rows):
        pose = (
            40 * (k % 5) - 80,
            30 * (k % 7) - 90,
            700 + 10 * (k % 11),
            k % 9 - 4,
            2 * (k % 5) - 4,
            3 * (k % 4) - 5,
            480 + k % 13,
        )
        noise = ("1/10", "1/10", "1/10", "1/100", "1/100", "1/100", "1/20")
        for column, middle, radius in zip(columns, pose, noise, strict=True):
            column.append((middle - Fraction(radius), middle + Fraction(radius)))
    names = ("Px", "Py", "Pz", "alpha", "beta", "gamma", "L")
    writer.columns = list(zip(names, columns, strict=True))
    writer.tapes = [("leg", gough_tape())]
    writer.families = [f"F 0 {rows} " + " ".join([f"v{i}" for i in range(7)] + [f"c{i}" for i in range(7)])]
    return writer


Text = tuple[str, str]
Forgeries = dict[str, tuple[Text, str]]


def change(base: Text, old: str, new: str) -> Text:
    """A certificate with one text replaced once."""
    assert old in base[1], old
    return base[0], base[1].replace(old, new, 1)


def grouped(groups: dict[str, Forgeries]) -> Forgeries:
    """All cases, named after their group; ten or more in each."""
    assert all(len({forged for forged, _ in cases.values()}) >= 10 for cases in groups.values()), {
        name: len(cases) for name, cases in groups.items()
    }
    return {f"{group}: {name}": case for group, cases in groups.items() for name, case in cases.items()}


def reject(forged: Text, reason: str) -> None:
    """Assert that a certificate is rejected for this reason, in one line."""
    outcome = judge(*forged)
    assert outcome.status is Status.REJECTED, outcome.message
    assert reason in outcome.message, (reason, outcome.message)
    assert len(outcome.message.splitlines()) == 1 and outcome.message.isprintable()


def refusal(proof: Proof, preparation: Preparation, box: Box, leaf: Leaf) -> str | None:
    """Why a leaf does not hold; None if it does."""
    try:
        proof.judge(preparation, box, leaf)
    except Rejection as rejection:
        return str(rejection).partition(": ")[2]
    return None
