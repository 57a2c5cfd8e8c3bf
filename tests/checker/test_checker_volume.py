"""The volume of what is left open: valid certificates are VERIFIED, forged ones REJECTED for their reason; sets of a
known area are never smaller.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from checker_texts import judge, problem, refusal, reject, tape
from texts.claims import CROSS, CROSS_HULL, CROSS_TREE, LINE_TREE, mutate
from texts.frames import FACETS, TURNED
from texts.hitting import BOUNDED, FOUR
from texts.volumes import FORGED, HAIR, MORE, VALID, claimed, of_line, volume

from certify.checker import Status
from certify.checker.nodes import Evaluate, Skew
from certify.checker.problem import parse_problem
from certify.checker.rules import Preparation, Proof, Question
from certify.checker.scope import Box


@pytest.mark.parametrize("name", VALID)
def test_valid_volumes_are_verified(name: str) -> None:
    outcome = judge(*VALID[name])
    assert outcome.status is Status.VERIFIED, outcome.message


def test_the_verdict_tells_the_volume() -> None:
    assert judge(*of_line("15/64")).message.endswith("within = 0.3; these have a volume <= 0.234375")


@pytest.mark.parametrize("name", FORGED)
def test_forged_volumes_are_rejected(name: str) -> None:
    reject(*FORGED[name])


# Trees of splits: the sum, exactly


@pytest.mark.parametrize("seed", range(60))
def test_the_sum_is_exact(seed: int) -> None:
    """Boxes of random rational ends, split at random: exactly what is open; a row that is refuted where it is claimed
    to be.
    """
    rng = random.Random(seed)
    size = rng.randint(1, 4)
    ends = [
        (Fraction(rng.randint(-30, 0), rng.choice((1, 3, 7, 11))), Fraction(rng.randint(1, 30), rng.choice((1, 2, 13))))
        for _ in range(size)
    ]
    text = problem(
        [(f"x{i}", *pair) for i, pair in enumerate(ends)],
        [],
        [
            tape(
                size,
                *(f"sqr {i}" for i in range(size)),
                *(f"add {size + k} {size + k}" for k in range(size)),
                "const 1",
                f"add {size} {3 * size}",
            )
        ],
        ["F 0 1 " + " ".join(f"v{i}" for i in range(size))],
    )
    lines: list[str] = []

    def grow(box: list[tuple[Fraction, Fraction]], depth: int) -> Fraction:
        if not depth or rng.random() < 0.2:
            refuted = rng.random() < 0.4
            lines.append("evaluate 0 0" if refuted else "open")
            total = Fraction(1)
            for lower, upper in box:
                total *= upper - lower
            return Fraction(0) if refuted else total
        place = rng.randrange(size)
        lower, upper = box[place]
        at = lower + (upper - lower) * Fraction(rng.randint(1, 99), 100)
        at = Fraction(round(at * 2**30), 2**30)
        assert lower < at < upper
        lines.append(f"split {place} {at.numerator}p-{at.denominator.bit_length() - 1}".replace("p-0", ""))
        below = grow([*box[:place], (lower, at), *box[place + 1 :]], depth - 1)
        return below + grow([*box[:place], (at, upper), *box[place + 1 :]], depth - 1)

    total = grow(list(ends), 5)
    hull = [f"{lower} {upper}" for lower, upper in ends]
    assert judge(*volume(text, "1/2", total, hull, *lines)).status is Status.VERIFIED
    if total:
        assert MORE in judge(*volume(text, "1/2", total - HAIR, hull, *lines)).message


# Polygons of a known area


Point = tuple[Fraction, Fraction]
Line = tuple[int, int, int]  # a x + b y <= c


def clipped(polygon: list[Point], line: Line) -> list[Point]:
    """The part of a convex polygon in a half-plane, exactly."""
    a, b, c = line
    found: list[Point] = []
    for first, second in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        here, there = a * first[0] + b * first[1] - c, a * second[0] + b * second[1] - c
        if here <= 0:
            found.append(first)
        if (here < 0 < there) or (there < 0 < here):
            t = here / (here - there)
            found.append((first[0] + t * (second[0] - first[0]), first[1] + t * (second[1] - first[1])))
    return found


def area(polygon: list[Point]) -> Fraction:
    pairs = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return abs(sum(((p[0] * q[1] - p[1] * q[0]) for p, q in pairs), Fraction(0))) / 2


def drawn(rng: random.Random) -> tuple[str, list[Line], list[Point]]:
    """Half-planes in a box: rows a x + b y - c - m, m in [-1000, 0]."""
    ends = [
        (Fraction(-rng.randint(1, 9), rng.randint(1, 5)), Fraction(rng.randint(1, 9), rng.randint(1, 5)))
        for _ in range(2)
    ]
    lines = [(rng.randint(-5, 5), rng.randint(-5, 5), rng.randint(-4, 5)) for _ in range(rng.randint(1, 4))]
    (left, right), (bottom, top) = ends
    tapes = [
        tape(3, f"const {a}", f"const {b}", f"const {c}", "mul 3 0", "mul 4 1", "add 6 7", "sub 8 5", "sub 9 2")
        for a, b, c in lines
    ]
    columns: list[tuple[str, list[tuple[object, object]]]] = [(f"m{k}", [(-1000, 0)]) for k in range(len(lines))]
    families = [f"F{k} {k} 1 v0 v1 c{k}" for k in range(len(lines))]
    text = problem([("x", left, right), ("y", bottom, top)], columns, tapes, families)
    return text, lines, [(left, bottom), (right, bottom), (right, top), (left, top)]


def grown(
    text: str, count: int, discard: int, depth: int, wrong: random.Random | None = None
) -> tuple[list[str], Fraction]:
    """A tree by halving, and what it leaves open; `wrong` turns some of the leaves that should be open into others."""
    parsed = parse_problem(text.encode())
    box = tuple(variable.bounds for variable in parsed.variables)
    proof = Proof(parsed, range(count), 128, Question(Fraction(0), discard=discard), box)

    def refuted(box: Box, preparation: Preparation) -> list[str]:
        found = [k for k in range(count) if refusal(proof, preparation, box, Evaluate(k, 0)) is None]
        if len(found) <= discard:
            return []
        return (
            [f"evaluate {k} 0" for k in found[:1]]
            if not discard
            else [f"hitting {len(found)}", *(f"evaluate {k} 0" for k in found)]
        )

    def grow(box: Box, left: int) -> tuple[list[str], Fraction]:
        found = refuted(box, proof.root)
        if found:
            return found, Fraction(0)
        if not left:
            if wrong is not None and wrong.random() < 0.3:
                row = f"evaluate {wrong.randrange(count)} 0"
                return ([row] if not discard else [f"hitting {discard + 1}", *[row] * (discard + 1)]), Fraction(0)
            return ["open"], proof.volume(proof.root, box)
        place = max((0, 1), key=lambda v: box[v][1] - box[v][0])
        at = Fraction(round(sum(box[place]) / 2 * 2**20), 2**20)
        parts = proof.split(box, place, at)
        (first, less), (second, more) = (grow(part, left - 1) for part in parts)
        return [
            f"split {place} {at.numerator}p-{at.denominator.bit_length() - 1}".replace("p-0", ""),
            *first,
            *second,
        ], less + more

    return grow(box, depth)


def of_planes(text: str, lines: Sequence[Line], corners: list[Point], union: bool) -> tuple[Fraction, int]:
    """The exact area of all points within all half-planes, or within at least one, and how many rows are left out."""
    if not union:
        for line in lines:
            corners = clipped(corners, line)
        return area(corners) if len(corners) > 2 else Fraction(0), 0
    whole = area(corners)
    for a, b, c in lines:
        corners = clipped(corners, (-a, -b, -c))
    return whole - (area(corners) if len(corners) > 2 else 0), len(lines) - 1


@pytest.mark.parametrize("union", [False, True])
@pytest.mark.parametrize("seed", range(25))
def test_a_polygon_is_never_smaller_than_it_is(seed: int, union: bool) -> None:
    rng = random.Random(seed)
    text, lines, corners = drawn(rng)
    truth, discard = of_planes(text, lines, corners, union)
    tree, total = grown(text, len(lines), discard, 7)
    assert total >= truth
    assert judge(*claimed(text, len(lines), discard, total, tree)).status is Status.VERIFIED
    if total:
        assert MORE in judge(*claimed(text, len(lines), discard, total - HAIR, tree)).message
    for _ in range(4):
        tree, total = grown(text, len(lines), discard, rng.randint(1, 7), wrong=rng)
        if total < truth:
            assert judge(*claimed(text, len(lines), discard, total, tree)).status is Status.REJECTED
    for _ in range(10):
        false = truth * Fraction(rng.randint(0, 999), 1000)
        mutated = [
            rng.choice((line, line, "open", f"evaluate {rng.randrange(len(lines))} 0")) if line == "open" else line
            for line in tree
        ]
        if truth:
            assert judge(*claimed(text, len(lines), discard, false, mutated)).status is Status.REJECTED


def test_the_volume_of_a_leaf() -> None:
    parsed = parse_problem(CROSS.encode())
    box = tuple(variable.bounds for variable in parsed.variables)
    proof = Proof(parsed, (0, 1), 128, Question(Fraction(0)), box)
    assert proof.volume(proof.root, box) == 4
    assert proof.volume(proof.root, ((Fraction(0), Fraction(0)), box[1])) == 0
    turned = proof.skew(
        proof.root, box, Skew((Fraction(0), Fraction(0)), ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1, 2))))
    )
    assert turned.box == (box[0], (Fraction(-2), Fraction(2)))
    assert proof.volume(turned, turned.box) == 4
    assert proof.volume(turned, (turned.box[0], (Fraction(0), Fraction(1)))) == 1
    assert proof.volume(turned, ((Fraction(2), Fraction(3)), turned.box[1])) == 0


# False claims, mutated: the volume is smaller than that of the set

FALSE = {
    "an interval": of_line("199/1000", "split 0 3p-4", "evaluate 0 1", "split 0 27p-6", "evaluate 0 0", "evaluate 0 0"),
    "an interval, less left open": of_line(
        "199/1000", *LINE_TREE[:3], "split 0 25p-6", "open", "evaluate 0 0", "evaluate 0 0"
    ),
    "a square": volume(CROSS, 0, "499/100000", CROSS_HULL, *CROSS_TREE, scope="F G"),
    "a turned square": volume(CROSS, 0, "499/100000", ["-1/16 1/8", "-1/16 1/16", *FACETS], *TURNED, scope="F G"),
    "rows left out": volume(FOUR, 2, 1, ["1/2 21/8"], *BOUNDED, discard=1),  # [1, 17/8]
}


@pytest.mark.parametrize("name", FALSE)
@pytest.mark.parametrize("number", [150, pytest.param(1500, marks=pytest.mark.thorough)])
def test_no_mutation_of_a_volume_too_small_is_accepted(name: str, number: int) -> None:
    """The header and the hull stay as they are, so that the claim stays false."""
    rng = random.Random(f"{name} {number}")
    lines = FALSE[name][1].split("\n")
    first = lines.index("tree")
    for _ in range(number):
        changed = list(lines)
        for _ in range(rng.randint(0, 3)):
            place = rng.randrange(first + 1, len(lines) - 2)
            changed[place] = mutate(changed[place], rng)
        outcome = judge(FALSE[name][0], "\n".join(changed))
        assert outcome.status is Status.REJECTED, (outcome.message, "\n".join(changed))
