"""The checker against false claims: millions of mutated proofs, and hostile files. A VERIFIED for a false claim is the
one unforgivable error.

Mutated proofs (`--count`). The claims are false by construction, by as little as nothing: a solution (x, M) is planted
exactly, and the lower end is put at its error or slightly above; the upper end slightly below the least error, which
duality proves; the hull slightly within a known consistent point; one zero too few or too many. Beside each there is a
true claim, whose proof is the one that is mutated. Mutations change the proof and the precision, never the claim, so no
outcome may be VERIFIED. (`--second` asks the second checker, `--proved` the one that is proved in Coq.)

Hostile files (`--fuzz`). Any byte of the problem and of the certificate may change: flips, truncations, exchanged
tokens, giant numbers, deep trees, long lines, lines that occur twice, digits of other alphabets, NUL, carriage returns.
The answer must come in time, without an exception and within the memory limit. What is VERIFIED is held against points
of the problem as it then reads (`refuted`).
"""

from __future__ import annotations

import argparse
import hashlib
import math
import multiprocessing
import random
import re
import resource
import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cache
from typing import Any, Final

from benchmarks import _claims_of_version_6 as version_6
from benchmarks._false_claims import FalseClaim, Number, dyadic, little, perhaps_little, problem_text, rational
from certify.checker import Status, check
from certify.checker.certificate import Certificate, parse_certificate
from certify.checker.outcome import Outcome, Rejection
from certify.checker.problem import CanonicalProblem, parse_problem
from certify.checks.proved import ProvedJudge

NUMBER: Final = re.compile(rb"\d+")
PRECISION_LINE: Final = 2
HEADER: Final = 13
MEMORY: Final = 3 << 30
SECONDS: Final = 5
GRACE: Final = 2.0
LARGEST: Final = 10**300
Judge = Callable[[bytes, bytes, float], Any]


# Texts


def claim(
    kind: str,
    problem: str,
    false: str,
    true: str,
    proof: Sequence[str],
    true_proof: Sequence[str] | None = None,
    scope: str = "F",
    point: str = "box",
    claimed: Sequence[str] = (),
    true_claimed: Sequence[str] = (),
    norm: str = "largest",
    discard: int = 0,
    volume: Number = "none",
    true_volume: Number = "none",
) -> FalseClaim:
    """Certificates of two claims, given as `lower`, `upper`, `within`, `zeros`, `minimum`; `claimed` are lines that
    belong to the claim.
    """

    def certificate(values: str, size: Number, more: Sequence[str], blocks: Sequence[str]) -> list[str]:
        words = ("lower", "upper", "within", "volume", "zeros")
        header = [
            "certify-certificate 5",
            f"problem {hashlib.sha256(problem.encode()).hexdigest()}",
            "precision 128",
            f"scope {scope}",
            point,
        ]
        tokens = values.split(" ")
        given, minimum = [*tokens[:3], str(size), tokens[3]], " ".join(tokens[4:]) or "none"
        header += [
            f"norm {norm}",
            f"discard {discard}",
            *(f"{word} {value}" for word, value in zip(words, given, strict=True)),
            f"minimum {minimum}",
        ]
        keyword = () if blocks[0] in ("witness", "isolated") else ("tree",)
        return [*header, *more, *keyword, *blocks, "end", ""]

    lines = certificate(false, volume, claimed, proof)
    neighbour = "\n".join(
        certificate(true, true_volume, true_claimed or claimed, proof if true_proof is None else true_proof)
    )
    return FalseClaim(
        kind, problem.encode(), tuple(line.encode() for line in lines), HEADER + len(claimed) + 1, neighbour.encode()
    )


# False claims


def _wrapped(rng: random.Random, leaf: str, box: Sequence[tuple[Fraction, Fraction]]) -> list[str]:
    """The same leaf under a few splits and preparations."""
    lines, leaves = [], 1
    ends = list(box)
    for _ in range(rng.choice((0, 0, 1, 2))):
        variable = rng.randrange(len(ends))
        lower, upper = ends[variable]
        at = (lower + upper) / 2
        text = dyadic(at, 6)
        cut = Fraction(math.floor(at * 64), 64)
        if lower < cut < upper:
            lines.append(f"split {variable} {text}")
            ends[variable] = lower, cut
            leaves += 1
    if rng.random() < 0.3:
        lines.insert(0, f"prepare {rng.randint(1, 8)}")
    return [*lines, *[leaf] * leaves]


def linear(rng: random.Random) -> FalseClaim:
    """n + 1 rows a x - m for n unknowns that weights balance: the least error is e, reached at a planted x."""
    size = rng.randint(1, 3)
    slopes = [[rng.randint(-3, 3) for _ in range(size)] for _ in range(size)]
    weights, sides = [rng.randint(1, 4) for _ in range(size)] + [1], [rng.choice((1, -1)) for _ in range(size + 1)]
    slopes.append(
        [-sides[-1] * sum(w * s * a[j] for w, s, a in zip(weights, sides, slopes, strict=False)) for j in range(size)]
    )
    planted, least = [rational(rng, -3, 3) for _ in range(size)], abs(rational(rng, 0, 2)) + Fraction(1, 8)
    box = [(x - abs(rational(rng, 1, 4)), x + abs(rational(rng, 1, 4))) for x in planted]
    measured = []
    for a, side in zip(slopes, sides, strict=True):
        near = sum((c * x for c, x in zip(a, planted, strict=True)), start=Fraction(0)) - side * least
        width = abs(rational(rng, 0, 1))
        measured.append((near - width, near) if side > 0 else (near, near + width))
    first = 2 * size + 1
    operations, total = [f"mul {j} {size + j}" for j in range(size)], first
    for j in range(1, size):
        operations.append(f"add {total} {first + j}")
        total = first + len(operations) - 1
    operations.append(f"sub {total} {2 * size}")
    columns: list[Sequence[tuple[Number, Number]]] = [[(a[j], a[j]) for a in slopes] for j in range(size)] + [
        list(measured)
    ]
    bindings = " ".join([f"v{j}" for j in range(size)] + [f"c{j}" for j in range(size + 1)])
    problem = problem_text(box, columns, [(2 * size + 1, operations)], [f"F 0 {size + 1} {bindings}"])
    way = rng.randrange(3)
    if way < 2:
        leaf = "aggregate " + " ".join(
            f"{rng.choice('qm')}0.{k}{'+' if s > 0 else '-'}{w}"
            for k, (s, w) in enumerate(zip(sides, weights, strict=True))
        )
        false, true = least * (1 + perhaps_little(rng)), least * (1 - little(rng))
        return claim(
            "lower end, linear rows",
            problem,
            f"{false} none none none",
            f"{true} none none none",
            _wrapped(rng, leaf, box),
        )
    witness = ["witness", "values " + " ".join(map(str, planted))]
    witness += [f"column m{j} " + " ".join("0" * (size + 1)) for j in range(size)]
    witness.append(f"column m{size} " + " ".join("1" if s > 0 else "0" for s in sides))
    false, true = least * (1 - little(rng)), least * (1 + little(rng))
    return claim("upper end, linear rows", problem, f"none {false} none none", f"none {true} none none", witness)


def circles(rng: random.Random) -> FalseClaim:
    """Distances from two opposite points: |x - a| + |x - b| >= |a - b|. The planted x is between them."""
    x, y = rational(rng, -2, 2), rational(rng, -2, 2)
    three, four, five = rng.choice(((3, 4, 5), (5, 12, 13), (8, 15, 17), (-3, 4, 5), (0, 1, 1), (1, 0, 1)))
    direction = Fraction(three, five), Fraction(four, five)
    first, second = abs(rational(rng, 1, 4)), abs(rational(rng, 1, 4))
    least = min(first, second) * Fraction(rng.randint(1, 9), 10)
    width = min(first, second, Fraction(1)) * Fraction(rng.randint(0, 5), 100)
    lengths = [(max(r - least - width, Fraction(0)), r - least) for r in (first, second)]
    anchors = [
        (x - direction[0] * first, y - direction[1] * first),
        (x + direction[0] * second, y + direction[1] * second),
    ]
    half = abs(rational(rng, 1, 2))
    columns = [[(a[i], a[i]) for a in anchors] for i in range(2)] + [lengths]
    sign = rng.random() < 0.5
    tail = ["sub 10 4"] if sign else ["neg 10", "add 11 4"]
    operations = ["sub 0 2", "sqr 5", "sub 1 3", "sqr 7", "add 6 8", "sqrt 9", *tail]
    problem = problem_text(
        [(x - half, x + half), (y - half, y + half)], columns, [(5, operations)], ["F 0 2 v0 v1 c0 c1 c2"]
    )
    side = "+" if sign else "-"
    leaf = f"aggregate q0.0{side}{dyadic(second)} q0.1{side}{dyadic(first)}"
    false, true = least * (1 + perhaps_little(rng)), least * Fraction(99, 100)
    return claim("lower end, roots", problem, f"{false} none none none", f"{true} none none none", [leaf])


def valley(rng: random.Random) -> FalseClaim:
    """x + m^2 with m on both sides of 0: the lemma of section 7 with cells. The least error is the lower bound of x."""
    low, reach = abs(rational(rng, 1, 3)), abs(rational(rng, 0, 1)) + Fraction(1, 10)
    problem = problem_text([(low, low + 1)], [[(-reach, reach)]], [(2, ["sqr 1", "add 0 2"])], ["F 0 1 v0 c0"])
    leaf = [f"prepare {rng.choice((2, 4, 8))}", f"aggregate {rng.choice('qm')}0.0+1"]
    false, true = low * (1 + perhaps_little(rng)), low * (1 - little(rng))
    return claim("lower end, cells", problem, f"{false} none none none", f"{true} none none none", leaf)


def products(rng: random.Random) -> FalseClaim:
    """x y, x - a, y - a: the least error is t^2 at x = y = t, a = t + t^2."""
    t = Fraction(rng.randint(56, 60), 100)
    a = t + t * t
    problem = problem_text(
        [(0, 1), (0, 1)],
        [],
        [(2, ["mul 0 1"]), (1, [f"const {a}", "sub 0 1"])],
        ["F 0 1 v0 v1", "G 1 1 v0", "H 1 1 v1"],
    )
    leaf = "aggregate q0.0+1 q1.0-1 q2.0-1 b0+1+1"
    false, true = t * t * (1 + perhaps_little(rng)), (2 * a - 1) / 3 * Fraction(999, 1000)
    return claim(
        "lower end, products", problem, f"{false} none none none", f"{true} none none none", [leaf], scope="F G H"
    )


def distances(rng: random.Random) -> FalseClaim:
    """At a given point, or by splits and single rows: x - m with measurements apart."""
    low, apart, width = rational(rng, -2, 2), abs(rational(rng, 1, 3)), abs(rational(rng, 0, 1))
    entries = [(low, low + width), (low + width + apart, low + width + apart + 1)]
    problem = problem_text([(low - 4, low + 9)], [entries], [(2, ["sub 0 1"])], ["F 0 2 v0 c0"])
    middle = low + width + apart / 2
    if rng.random() < 0.5:
        at = middle + Fraction(rng.randint(-8, 8), 16) * apart
        least = max(at - low - width, low + width + apart - at)
        row = 0 if at > middle else 1
        leaf = rng.choice((f"evaluate 0 {row}", f"aggregate q0.{row}{'+-'[row]}1", f"aggregate m0.{row}{'+-'[row]}1"))
        false, true = least * (1 + perhaps_little(rng)), least * (1 - little(rng))
        return claim(
            "lower end at a point",
            problem,
            f"{false} none none none",
            f"{true} none none none",
            [leaf],
            point=f"point {at}",
        )
    false, true = apart / 2 * (1 + perhaps_little(rng)), apart / 2 * Fraction(9, 10)
    tree = [f"split 0 {dyadic(middle)}", "evaluate 0 1", "evaluate 0 0"]
    return claim("lower end, splits", problem, f"{false} none none none", f"{true} none none none", tree)


def hull_of_one(rng: random.Random) -> FalseClaim:
    """x - m for two measurements: the consistent x are known, the hull leaves some of them out."""
    least, width, low = abs(rational(rng, 0, 1)) + Fraction(1, 10), abs(rational(rng, 0, 1)), rational(rng, -2, 2)
    apart = Fraction(rng.randint(0, 9), 10) * 2 * least
    entries = [(low, low + width), (low + width + apart, low + width + apart + 1)]
    problem = problem_text([(low - 4, low + 9)], [entries], [(2, ["sub 0 1"])], ["F 0 2 v0 c0"])
    lower, upper = low + width + apart - least, low + width + least
    tree = [f"split 0 {dyadic(lower)}", "evaluate 0 1", f"split 0 {dyadic(upper, up=True)}", "open", "evaluate 0 0"]
    gap = Fraction(1, 10**5)
    wider, room = f"{lower - gap} {upper + gap}", (upper - lower) / 2
    less = min(little(rng), room)
    ends = rng.choice(
        (
            f"{lower + less} {upper}",
            f"{lower} {upper - less}",
            f"{lower + less} {upper - less}",
            f"{low - 4} {lower}",
            f"{upper} {low + 9}",
        )
    )
    level = f"none none {least} none"
    true_tree = [
        f"split 0 {dyadic(lower - gap / 2, 24)}",
        *tree[1:2],
        f"split 0 {dyadic(upper + gap / 2, 24)}",
        *tree[3:],
    ]
    return claim(
        "hull, one unknown",
        problem,
        level,
        level,
        tree,
        true_tree,
        claimed=["hull", ends],
        true_claimed=["hull", wider],
    )


def hull_of_two(rng: random.Random) -> FalseClaim:
    """x + y - m and x - y - n: the consistent points are a square on its corner, whose corners are known."""
    width, level = abs(rational(rng, 0, 1)) + Fraction(1, 10), abs(rational(rng, 0, 1))
    tapes = [(3, ["add 0 1", "sub 3 2"]), (3, ["sub 0 1", "sub 3 2"])]
    problem = problem_text(
        [(-9, 9), (-9, 9)], [[(0, width)], [(0, width)]], tapes, ["F 0 1 v0 v1 c0", "G 1 1 v0 v1 c1"]
    )
    exact = [-level, width + level, -width / 2 - level, width / 2 + level]
    gap, signs = Fraction(1, 10**4), (-1, 1, -1, 1)
    outer = [value + sign * gap for value, sign in zip(exact, signs, strict=True)]
    cuts = [dyadic(value + sign * gap / 2) for value, sign in zip(exact, signs, strict=True)]
    tree = [
        f"split 0 {cuts[0]}",
        "aggregate q0.0-1 q1.0-1",
        f"split 0 {cuts[1]}",
        f"split 1 {cuts[2]}",
        "aggregate q0.0-1 q1.0+1",
        f"split 1 {cuts[3]}",
    ]
    tree += ["open", "aggregate q0.0+1 q1.0-1", "aggregate q0.0+1 q1.0+1"]
    inner = list(rng.choice((exact, outer)))
    for place in rng.sample(range(4), rng.randint(1, 4)):
        inner[place] = exact[place] - signs[place] * min(little(rng), width / 4)

    def block(ends: Sequence[Fraction]) -> list[str]:
        return ["hull", f"{ends[0]} {ends[1]}", f"{ends[2]} {ends[3]}"]

    stated = f"none none {level} none"
    return claim(
        "hull, two unknowns",
        problem,
        stated,
        stated,
        tree,
        claimed=block(inner),
        true_claimed=block(outer),
        scope="F G",
    )


def roots(rng: random.Random) -> FalseClaim:
    """x^2 = c^2 in bounds that hold two zeros, one, or none: one too few, one too many."""
    c = abs(rational(rng, 1, 3))
    lower, upper = rng.choice(
        ((-5, 5), (-5, 5), (0, 5), (-5, 0), (c + little(rng) / 9, 5), (-5, c - little(rng) / 9), (c, 5), (-5, -c))
    )
    problem = problem_text([(lower, upper)], [], [(1, ["sqr 0", f"const {c * c}", "sub 1 2"])], ["F 0 1 v0"])
    half, blocks, tree, place = c / 8, [], [], lower
    inside = [value for value in (-c, c) if lower <= value <= upper]
    for number, value in enumerate(inside):
        ends = dyadic(value - half), dyadic(value + half, up=True)
        blocks += [f"zero {ends[0]} {ends[1]}", f"inverse {dyadic(1 / (2 * value))}"]
        tree += [f"split 0 {ends[0]}", "evaluate 0 0"] if value - half > place else []
        tree += [f"split 0 {ends[1]}", f"known {number}"] if value + half < upper else [f"known {number}"]
        place = value + half
    if not inside or place < upper:
        tree.append("evaluate 0 0")
    truth = len(inside)
    wrong = rng.choice([n for n in (truth - 1, truth + 1) if n >= 0])
    extra = blocks[-2:] or [f"zero {dyadic(c - half)} {dyadic(c + half, up=True)}", f"inverse {dyadic(1 / (2 * c))}"]
    listed = blocks[2:] if wrong < truth and rng.random() < 0.5 else blocks[: 2 * wrong]
    listed = [*blocks, *extra] if wrong > truth else listed
    stated = f"none none none {wrong}", f"none none none {truth}"
    return claim(
        "zeros, one unknown",
        problem,
        *stated,
        ["isolated", *listed, "tree", *tree],
        ["isolated", *blocks, "tree", *tree],
    )


def edges(rng: random.Random) -> FalseClaim:
    """A reciprocal or a root on a domain in which it is not defined everywhere: the least error is at the end where it
    is.
    """
    least, c = abs(rational(rng, 0, 2)) + Fraction(1, 10), abs(rational(rng, 1, 3))
    way = rng.randrange(4)
    if way < 3:
        end = 1 / (c + least)
        box, lines, row = (
            ((Fraction(0), end), ["const 1", "div 1 0"], 2)
            if way < 2
            else ((-end, Fraction(0)), ["const 1", "div 1 0", "neg 2"], 3)
        )
        lines += ["sqr 2", f"const {c * c}", "sub 3 4"] if way == 1 else [f"const {c}", f"sub {row} {row + 1}"]
        least = (c + least) ** 2 - c * c if way == 1 else least
    else:
        c += least
        box, lines = (-abs(rational(rng, 0, 3)) - 1, (c - least) ** 2), ["sqrt 0", f"const {c}", "sub 1 2"]
    problem = problem_text([box], [], [(1, lines)], ["F 0 1 v0"])
    false, true = least * (1 + perhaps_little(rng)), least * (1 - little(rng))
    return claim(
        "lower end, at an edge", problem, f"{false} none none none", f"{true} none none none", ["evaluate 0 0"]
    )


def enclosed(rng: random.Random) -> FalseClaim:
    """y + 1/x or y + x y z w v, of which the form q encloses one part: the least error is where both are least."""
    low, y = abs(rational(rng, 1, 3)), abs(rational(rng, 0, 2))
    high = low + abs(rational(rng, 1, 2))
    if rng.random() < 0.5:
        lines, least = ["const 1", "div 2 0", "add 1 3"], y + 1 / high
    else:
        lines, least = ["sqr 0", "sqr 2", "mul 3 0", "add 1 4"], y + low**5
    problem = problem_text([(low, high), (y, y + 1)], [], [(2, lines)], ["F 0 1 v0 v1"])
    false, true = least * (1 + perhaps_little(rng)), least * (1 - little(rng))
    proof = _wrapped(rng, "aggregate q0.0+1", [(low, high), (y, y + 1)])
    return claim("lower end, enclosed", problem, f"{false} none none none", f"{true} none none none", proof)


def conditions(rng: random.Random) -> FalseClaim:
    """x^2 = c^2 beside x <= b or x >= b: the zeros that meet it are known, one too few or too many are claimed."""
    c = abs(rational(rng, 1, 3))
    below = rng.random() < 0.5
    b = rng.choice((Fraction(0), c / 2, -c / 2, 3 * c / 2, -3 * c / 2, c * Fraction(3, 4), -c * Fraction(3, 4)))
    met = [value for value in (-c, c) if (value < b if below else value > b)]
    tapes = [(1, ["sqr 0", f"const {c * c}", "sub 1 2"]), (2, [f"const {b}", "sub 0 2", "sub 3 1"])]
    problem = problem_text([(-5, 5)], [[(-20, 0) if below else (0, 20)]], tapes, ["F 0 1 v0", "G 1 1 v0 c0"])
    half = c / 8
    blocks = {
        value: [f"zero {dyadic(value - half)} {dyadic(value + half, up=True)}", f"inverse {dyadic(1 / (2 * value))}"]
        for value in (-c, c)
    }

    def tree(zeros: Sequence[Fraction]) -> list[str]:
        lines = [f"split 0 {dyadic(-c - half)}", "evaluate 0 0", f"split 0 {dyadic(-c + half, up=True)}"]
        lines += [
            f"known {zeros.index(-c)}" if -c in zeros else "evaluate 1 0",
            f"split 0 {dyadic(c - half)}",
            "evaluate 0 0",
        ]
        return [
            *lines,
            f"split 0 {dyadic(c + half, up=True)}",
            f"known {zeros.index(c)}" if c in zeros else "evaluate 1 0",
            "evaluate 0 0",
        ]

    wrong = rng.choice([zeros for zeros in ([], [-c], [c], [-c, c]) if len(zeros) != len(met)])
    proofs = (
        ["isolated", *(line for value in zeros for line in blocks[value]), "tree", *tree(zeros)]
        for zeros in (wrong, met)
    )
    return claim(
        "zeros, conditions", problem, f"none none none {len(wrong)}", f"none none none {len(met)}", *proofs, scope="F G"
    )


def circle_and_line(rng: random.Random) -> FalseClaim:
    """x^2 + y^2 = 25 and x - y = 1: (4, 3) and (-3, -4)."""
    tapes = [(2, ["sqr 0", "sqr 1", "add 2 3", "const 25", "sub 4 5"]), (2, ["sub 0 1", "const 1", "sub 2 3"])]
    problem = problem_text([(-6, 6), (-6, 6)], [], tapes, ["F 0 1 v0 v1", "G 1 1 v0 v1"])
    first = ["zero 15p-2 17p-2 11p-2 13p-2", "inverse 1p-4 1p-1 1p-4 -1p-1"]
    second = ["zero -13p-2 -11p-2 -17p-2 -15p-2", "inverse -1p-4 1p-1 -1p-4 -1p-1"]
    wrong = rng.choice((1, 3))
    listed = (
        rng.choice((first, second))
        if wrong == 1
        else rng.choice(([*first, *second, *first], [*first, *second, *second]))
    )
    both = [*first, *second]
    stated = f"none none none {wrong}", "none none none 2"
    proofs = ["isolated", *listed, "tree", *_halved(listed)], ["isolated", *both, "tree", *_halved(both)]
    return claim("zeros, two unknowns", problem, *stated, *proofs, scope="F G")


def _halved(listed: Sequence[str]) -> list[str]:
    """A tree of the circle and the line by halving; what neither rows nor boxes decide is called known."""
    boxes = []
    for line in listed[::2]:
        ends = [
            Fraction(int(word.partition("p-")[0]), 1 << int(word.partition("p-")[2])) for word in line.split(" ")[1:]
        ]
        boxes.append([(ends[0], ends[1]), (ends[2], ends[3])])

    def grow(box: list[tuple[Fraction, Fraction]], depth: int) -> list[str]:
        for number, known in enumerate(boxes):
            if all(a <= c and d <= b for (a, b), (c, d) in zip(known, box, strict=True)):
                return [f"known {number}"]
        squares = [(max(Fraction(0), low, -high) ** 2, max(-low, high) ** 2) for low, high in box]
        if squares[0][0] + squares[1][0] > 25 or squares[0][1] + squares[1][1] < 25:
            return ["evaluate 0 0"]
        if box[0][0] - box[1][1] > 1 or box[0][1] - box[1][0] < 1:
            return ["evaluate 1 0"]
        if not depth:
            return ["known 0"]
        variable = 0 if box[0][1] - box[0][0] >= box[1][1] - box[1][0] else 1
        low, high = box[variable]
        middle = (low + high) / 2
        parts = [[*box[:variable], part, *box[variable + 1 :]] for part in ((low, middle), (middle, high))]
        return [f"split {variable} {dyadic(middle)}", *grow(parts[0], depth - 1), *grow(parts[1], depth - 1)]

    return grow([(Fraction(-6), Fraction(6))] * 2, 12)


def double_root(rng: random.Random) -> FalseClaim:
    """(x - c)^2 = 0 has one solution, which no test proves: neither none nor two."""
    c = Fraction(rng.randint(-8, 8), 4)
    problem = problem_text([(-5, 5)], [], [(1, [f"const {c}", "sub 0 1", "sqr 2"])], ["F 0 1 v0"])
    wrong, half = rng.choice((0, 2)), Fraction(1, 4)
    zero = [f"zero {dyadic(c - half)} {dyadic(c + half)}", f"inverse {rng.choice((1, 2, 4, -2))}"]
    tree = [
        f"split 0 {dyadic(c - half)}",
        "evaluate 0 0",
        f"split 0 {dyadic(c + half)}",
        "known 0" if wrong else "evaluate 0 0",
        "evaluate 0 0",
    ]
    stated = f"none none none {wrong}"
    return claim("zeros, a double one", problem, stated, stated, ["isolated", *zero * wrong, "tree", *tree])


def shared(rng: random.Random) -> FalseClaim:
    """x - m and x - m - d share their measurement: the least error is d/2, whatever each row could reach alone."""
    shift = abs(rational(rng, 0, 1)) + Fraction(1, 10)
    tapes = [(2, ["sub 0 1"]), (2, [f"const {shift}", "sub 0 1", "sub 3 2"])]
    problem = problem_text([(-3, 3)], [[(-2, 2)]], tapes, ["F 0 1 v0 c0", "G 1 1 v0 c0"])
    false, true = shift / 2 * (1 - little(rng)), shift / 2 * (1 + little(rng))
    witness = ["witness", f"values {shift / 2}", f"column m0 {rng.choice(('0.5', '0.5:0.75', '0.25:0.75', '1:0'))}"]
    return claim(
        "upper end, shared",
        problem,
        f"none {false} none none",
        f"none {true} none none",
        witness,
        [*witness[:2], "column m0 0.5"],
        scope="F G",
    )


def gaps(rng: random.Random) -> FalseClaim:
    """x / m changes its sign without a zero, a root with a hole in its domain likewise."""
    reach = Fraction(rng.randint(1, 9))
    if rng.random() < 0.5:
        problem = problem_text([(1, 2)], [[(-reach, reach)]], [(2, ["div 0 1"])], ["F 0 1 v0 c0"])
        fractions, exact, value, least, truth = (
            ("0:1", "0.25:0.75", "0.5", "0.5:1", "0.4:0.6"),
            "1",
            1,
            1 / reach,
            1 / reach,
        )
    else:
        # m + sqrt(m^2 - R^2/4) is at least R/2 for m >= R/2, and for m <= -R/2 from -R/2 to -R + sqrt(3/4) R =
        # -0.1339... R
        operations = ["sqr 1", f"const {-reach * reach / 4}", "add 2 3", "sqrt 4", "add 1 5", "sub 6 0"]
        problem = problem_text([(0, 0)], [[(-reach, reach)]], [(2, operations)], ["F 0 1 v0 c0"])
        fractions, exact, value = ("0:1", "0:0.75", "0.25:0.75", "0.25:1", "0.2:0.8"), "0.75", 0
        least, truth = reach * Fraction(133, 1000), reach / 2
    witness = ["witness", f"values {value}", f"column m0 {rng.choice(fractions)}"]
    false, neighbour = least * (1 - little(rng)), f"none {truth * (1 + little(rng))} none none"
    return claim(
        "upper end, gaps", problem, f"none {false} none none", neighbour, witness, [*witness[:2], f"column m0 {exact}"]
    )


def short(rng: random.Random, low: int, high: int) -> Fraction:
    """A dyadic number between whole numbers."""
    return Fraction(rng.randint(64 * low, 64 * high), 64)


def sum_of_two(rng: random.Random) -> FalseClaim:
    """x - a and x - b, known exactly: the least sum of squares is (b - a)^2 / 2, at the middle."""
    first, apart = short(rng, -3, 3), short(rng, 1, 4)
    last = first + apart
    entries = [[(first, first), (last, last)]]
    problem = problem_text([(first - 4, last + 4)], entries, [(2, ["sub 0 1"])], ["F 0 2 v0 c0"])
    least = apart * apart / 2
    if rng.random() < 0.3:
        witness = ["witness", f"values {first + apart / 2}", "column m0 0 1"]
        false, true = least * (1 - little(rng)), least * (1 + little(rng))
        return claim(
            "upper end, sum of squares",
            problem,
            f"none {false} none none",
            f"none {true} none none",
            witness,
            norm="squares",
        )
    leaf = f"aggregate {rng.choice('qmt')}0.0+{dyadic(apart)} {rng.choice('qmt')}0.1-{dyadic(apart)}"
    false, true = least * (1 + perhaps_little(rng)), least * (1 - little(rng))
    tree = _wrapped(rng, leaf, [(first - 4, last + 4)])
    return claim(
        "lower end, sum of squares", problem, f"{false} none none none", f"{true} none none none", tree, norm="squares"
    )


def sum_of_distances(rng: random.Random) -> FalseClaim:
    """Distances from two points, 4 s apart, that are measured as s: the least sum of squares is 2 s^2, at
    their middle.
    """
    s, x, y = short(rng, 1, 3), short(rng, -2, 2), short(rng, -2, 2)
    columns = [[(x, x), (x + 4 * s, x + 4 * s)], [(y, y)] * 2, [(s, s)] * 2]
    operations = ["sub 0 2", "sqr 5", "sub 1 3", "sqr 7", "add 6 8", "sqrt 9", "sub 10 4"]
    problem = problem_text([(x - s, x + 5 * s), (y - s, y + s)], columns, [(5, operations)], ["F 0 2 v0 v1 c0 c1 c2"])
    leaf = f"aggregate q0.0+{dyadic(s * 15 / 8)} q0.1+{dyadic(s * 15 / 8)}"
    false, true = 2 * s * s * (1 + perhaps_little(rng)), s * s * Fraction(7, 5)
    return claim(
        "lower end, squares of distances",
        problem,
        f"{false} none none none",
        f"{true} none none none",
        [leaf],
        norm="squares",
    )


def hill(rng: random.Random) -> FalseClaim:
    """c - x^2 / k, a term of second order: least at the farther end."""
    low, high, k = short(rng, -2, -1), short(rng, 1, 2), rng.choice((1, 2, 4))
    top = Fraction(rng.randint(5, 9))
    problem = problem_text(
        [(low, high)], [], [(1, ["sqr 0", f"const {k}", "div 1 2", f"const {top}", "sub 4 3"])], ["F 0 1 v0"]
    )
    least = top - max(low * low, high * high) / k
    false, true = least * (1 + perhaps_little(rng)), least * (1 - little(rng))
    return claim(
        "lower end, second order", problem, f"{false} none none none", f"{true} none none none", ["aggregate t0.0+1"]
    )


def functions(rng: random.Random) -> FalseClaim:
    """low + exp d - 1 + log(1 + d) + arctan d with d = x - a >= 0: each grows, and is exactly 0 at x = a."""
    a, low, width = rational(rng, -2, 2), 1 + abs(rational(rng, 0, 2)), Fraction(1, rng.randint(40, 90))
    operations = [
        f"const {a}",
        "sub 0 1",
        f"const {low - 1}",
        "const 1",
        "exp 2",
        "add 2 4",
        "log 6",
        "atan 2",
        "add 5 3",
        "add 9 7",
        "add 10 8",
    ]
    problem = problem_text([(a, a + width)], [], [(1, operations)], ["F 0 1 v0"])
    leaf = rng.choice(("evaluate 0 0", "aggregate m0.0+1", "aggregate t0.0+1"))
    false, true = low * (1 + perhaps_little(rng)), low * Fraction(9, 10)
    return claim("lower end, functions", problem, f"{false} none none none", f"{true} none none none", [leaf])


def outliers(rng: random.Random) -> FalseClaim:
    """N + 1 rows x - a and as many x - b, of which N may be left out: the error is (b - a) / 2, whatever they are."""
    discard, first, apart = rng.randint(1, 3), rational(rng, -2, 2), abs(rational(rng, 1, 3))
    last, size = first + apart, discard + 1
    entries = [(first, first)] * size + [(last, last)] * size
    problem = problem_text([(first - 4, last + 4)], [entries], [(2, ["sub 0 1"])], [f"F 0 {2 * size} v0 c0"])
    if rng.random() < 0.3:
        witness = [
            "witness",
            f"values {first + apart / 2}",
            "without " + " ".join(f"0.{k}" for k in range(discard)),
            "column m0" + " 0" * 2 * size,
        ]
        false, true = apart / 2 * (1 - little(rng)), apart / 2 * (1 + little(rng))
        return claim(
            "upper end, outliers",
            problem,
            f"none {false} none none",
            f"none {true} none none",
            witness,
            discard=discard,
        )
    leaves = [f"aggregate {rng.choice('qmt')}0.{k}+1 {rng.choice('qmt')}0.{size + k}-1" for k in range(size)]
    false, true = apart / 2 * (1 + perhaps_little(rng)), apart / 2 * (1 - little(rng))
    tree = [f"hitting {size}", *leaves]
    return claim(
        "lower end, outliers", problem, f"{false} none none none", f"{true} none none none", tree, discard=discard
    )


def minimum(rng: random.Random) -> FalseClaim:
    """x - a, x - b, and y - c: F is (b - a)^2 / 2 at its minimiser, nowhere less."""
    first, apart, c = short(rng, -3, 3), short(rng, 1, 4), short(rng, -1, 1)
    last, middle = first + apart, first + apart / 2
    tapes = [(2, ["sub 0 1"]), (1, [f"const {c}", "sub 0 1"])]
    box = [(first - 4, last + 4), (c - 4, c + 4)]
    problem = problem_text(box, [[(first, first), (last, last)]], tapes, ["F 0 2 v0 c0", "G 1 1 v1"])
    least, ends = apart * apart / 2, ((middle - apart / 4, middle + apart / 4), (c - apart / 2, c + apart / 2))
    zero = ["isolated", "zero " + " ".join(dyadic(end) for pair in ends for end in pair), "inverse 1p-1 0 0 1"]
    false, true = least * (1 - little(rng)), least * (1 + Fraction(rng.randint(0, 9), 100))
    if rng.random() < 0.5:
        stated = f"none none none none local {false}", f"none none none none local {true}"
        return claim("minimum, local", problem, *stated, zero, scope="F G", norm="squares")
    (left, right), (below, above) = ([dyadic(end) for end in pair] for pair in ends)
    half, whole, more = dyadic(apart / 2), dyadic(apart), dyadic(apart * 3 / 2)
    tree = [f"split 0 {left}", f"aggregate q0.0+{half} q0.1-{more}", f"split 0 {right}"]
    tree += [f"split 1 {below}", f"aggregate q0.0+{whole} q0.1-{whole} q1.0-{whole}"]
    tree += [
        f"split 1 {above}",
        "known 0",
        f"aggregate q0.0+{whole} q0.1-{whole} q1.0+{whole}",
        f"aggregate q0.0+{more} q0.1-{half}",
    ]
    stated = f"none none none none global {false}", f"none none none none global {true}"
    return claim("minimum, global", problem, *stated, [*zero, "tree", *tree], scope="F G", norm="squares")


def facets(rng: random.Random) -> FalseClaim:
    """x + y - m and x - y - n, in the frame of the two sums: the consistent points are a square, whose facets are
    known.
    """
    width, level = abs(rational(rng, 0, 1)) + Fraction(1, 10), abs(rational(rng, 0, 1))
    tapes = [(3, ["add 0 1", "sub 3 2"]), (3, ["sub 0 1", "sub 3 2"])]
    problem = problem_text(
        [(-9, 9), (-9, 9)], [[(0, width)], [(0, width)]], tapes, ["F 0 1 v0 v1 c0", "G 1 1 v0 v1 c1"]
    )
    gap, exact = Fraction(1, 10**4), width + level
    cuts = [dyadic(value) for value in (-level - gap / 2, exact + gap / 2)]
    forms = [rng.choice("qmt") for _ in range(4)]
    tree = [
        "frame 0 0 1p-1 1p-1 1p-1 -1p-1",
        f"split 0 {cuts[0]}",
        f"aggregate {forms[0]}0.0-1",
        f"split 0 {cuts[1]}",
        f"split 1 {cuts[0]}",
    ]
    tree += [
        f"aggregate {forms[1]}1.0-1",
        f"split 1 {cuts[1]}",
        "open",
        f"aggregate {forms[2]}1.0+1",
        f"aggregate {forms[3]}0.0+1",
    ]
    bounds = [exact, level, exact, level]
    wrong = list(bounds)
    for place in rng.sample(range(4), rng.randint(1, 4)):
        wrong[place] -= min(little(rng), width / 4)

    def block(ends: Sequence[Fraction]) -> list[str]:
        rows = ("1 1", "-1 -1", "1 -1", "-1 1")
        return ["hull", "-9 9", "-9 9", *(f"facet {row} {end}" for row, end in zip(rows, ends, strict=True))]

    stated = f"none none {level} none"
    outer = [end + gap for end in bounds]
    return claim(
        "hull, facets", problem, stated, stated, tree, claimed=block(wrong), true_claimed=block(outer), scope="F G"
    )


def volumes(rng: random.Random) -> FalseClaim:
    """The same square, in its frame or in boxes: the volume is less than it has."""
    width, level = abs(rational(rng, 0, 1)) + Fraction(1, 10), abs(rational(rng, 0, 1))
    tapes = [(3, ["add 0 1", "sub 3 2"]), (3, ["sub 0 1", "sub 3 2"])]
    problem = problem_text(
        [(-9, 9), (-9, 9)], [[(0, width)], [(0, width)]], tapes, ["F 0 1 v0 v1 c0", "G 1 1 v0 v1 c1"]
    )
    side = width + 2 * level
    framed = rng.random() < 0.5
    low, high = (dyadic(value) for value in (-level - Fraction(1, 10**4), width + level + Fraction(1, 10**4)))
    middle = [dyadic(sign * (side / 2 + Fraction(1, 10**4))) for sign in (-1, 1)]
    if framed:
        tree = [
            "frame 0 0 1p-1 1p-1 1p-1 -1p-1",
            f"split 0 {low}",
            "aggregate q0.0-1",
            f"split 0 {high}",
            f"split 1 {low}",
            "aggregate q1.0-1",
        ]
        tree += [
            f"split 1 {high}",
            *rng.choice((["open"], ["split 0 0", "open", "open"])),
            "aggregate q1.0+1",
            "aggregate q0.0+1",
        ]
    else:
        tree = [
            f"split 0 {low}",
            "aggregate q0.0-1 q1.0-1",
            f"split 0 {high}",
            f"split 1 {middle[0]}",
            "aggregate q0.0-1 q1.0+1",
        ]
        tree += [
            f"split 1 {middle[1]}",
            *rng.choice((["open"], ["split 0 0", "open", "open"])),
            "aggregate q0.0+1 q1.0-1",
            "aggregate q0.0+1 q1.0+1",
        ]
    true = (side + Fraction(1, 100)) * (side + Fraction(1, 100))
    area = side * side / 2
    false = rng.choice((area - min(little(rng), area), area * Fraction(rng.randint(0, 99), 100)))
    stated, hull = f"none none {level} none", ["hull", "-9 9", "-9 9"]
    if len([line for line in tree if line == "open"]) > 1:
        true *= 2
    return claim("volume", problem, stated, stated, tree, claimed=hull, scope="F G", volume=false, true_volume=true)


def of_version_6(rng: random.Random) -> FalseClaim:
    """A claim of version 5, restated."""
    return version_6.restated(rng.choice(OLD)(rng))


OLD: Final[tuple[Callable[[random.Random], FalseClaim], ...]] = (
    linear, linear, circles, valley, products, distances, hull_of_one, hull_of_two, roots, edges, enclosed, conditions,
    circle_and_line, double_root,
    shared, gaps, sum_of_two, sum_of_distances, hill, functions, outliers, minimum, facets, volumes,
)  # fmt: skip
FAMILIES: Final = (*OLD, *version_6.FAMILIES, *[of_version_6] * 4)


def false_claims(seed: int, count: int) -> list[FalseClaim]:
    """So many, of all families in turn."""
    rng = random.Random(f"claims {seed}")
    return [FAMILIES[k % len(FAMILIES)](rng) for k in range(count)]


# Mutated proofs

LEAVES: Final = (
    b"open", b"known 0", b"known 1", b"evaluate 0 0", b"evaluate 0 1", b"evaluate 1 0", b"aggregate q0.0+1",
    b"aggregate m0.0+1 m0.1-1",
    b"aggregate q0.0+1 q0.1-1", b"aggregate q0.0-1 q0.1+1", b"aggregate q0.0+1 q1.0-1 b0+1+1", b"split 0 0",
    b"split 1 0", b"prepare 2",
    b"aggregate t0.0+1", b"aggregate t0.0+1 t0.1-1", b"frame 0 1", b"frame 0 0 1 0 0 1",
    b"frame 0 0 1p-1 1p-1 1p-1 -1p-1", b"hitting 1",
    b"hitting 2", b"aggregate c0 m0.0+1 m1.0+1", b"aggregate c0 t0.0+1 t1.0+1 q1.0-1", b"aggregate m0.0+3 m1.0+4",
)  # fmt: skip
PRECISIONS: Final = (64, 65, 80, 127, 128, 129, 200, 256, 512)


def _number(line: bytes, rng: random.Random) -> bytes:
    places = [match.span() for match in NUMBER.finditer(line)]
    if not places:
        return line
    start, stop = rng.choice(places)
    value = int(line[start:stop])
    near = value + rng.randint(-9, 9) * (1 + value // 10 ** rng.randint(1, 12))
    changed = rng.choice(
        (value + 1, max(value - 1, 0), 2 * value, value // 2, rng.randrange(10), 1000 * value, max(near, 0))
    )
    return line[:start] + str(changed).encode() + line[stop:]


def _word(line: bytes, rng: random.Random) -> bytes:
    """Two words exchanged, one copied, or one removed."""
    words = line.split(b" ")
    if len(words) < 2:
        return line
    i, j, way = rng.randrange(1, len(words)), rng.randrange(1, len(words)), rng.randrange(3)
    if way == 0:
        words[i], words[j] = words[j], words[i]
    elif way == 1:
        words.insert(i, words[j])
    else:
        words.pop(i)
    return b" ".join(words)


def _sign(line: bytes, rng: random.Random) -> bytes:
    places = [k for k, code in enumerate(line) if code in b"+-"]
    if not places or rng.random() < 0.2:
        word = rng.choice([k for k, code in enumerate(line) if code == 32] or [len(line) - 1])
        return line[: word + 1] + b"-" + line[word + 1 :]
    k = rng.choice(places)
    return line[:k] + rng.choice((b"+", b"-", b"")) + line[k + 1 :]


def mutated(one: FalseClaim, donors: Sequence[FalseClaim], rng: random.Random) -> bytes:
    """The certificate with another proof; its claim stays as it is."""
    lines = list(one.lines)
    if rng.random() < 0.1:
        donor = rng.choice(donors)
        lines[one.first :] = donor.lines[donor.first :]
    if rng.random() < 0.1:
        lines[PRECISION_LINE] = b"precision %d" % rng.choice(PRECISIONS)
    for _ in range(rng.randint(0, 4)):
        place, way = rng.randrange(one.first, max(len(lines) - 2, one.first + 1)), rng.randrange(12)
        if way < 6:
            lines[place] = _number(lines[place], rng)
        elif way < 9:
            lines[place] = (_word, _word, _sign)[way - 6](lines[place], rng)
        elif way == 9:
            lines[place] = rng.choice(LEAVES)
        elif way == 10:
            lines.insert(place, lines[rng.randrange(one.first, len(lines) - 1)])
        elif len(lines) > one.first + 3:
            lines.pop(place)
    return b"\n".join(lines)


def second_check(problem: bytes, certificate: bytes, seconds: float) -> Any:
    """The answer of the second checker, of the same words as the first one's."""
    from certify.checker_arb import check as judge

    return judge(problem, certificate, seconds)


@cache
def _proved_judge() -> ProvedJudge:
    return ProvedJudge()


def proved_check(problem: bytes, certificate: bytes, _: float) -> Outcome:
    """The answer of the checker that is proved in Coq; what it refuses is RESOURCE. A rejection is of form or proof."""
    code, message = _proved_judge().judge(problem, certificate)
    if code == 1:
        rule = "proof" if "certificate: proof:" in message else "form"
        return Outcome(Status.REJECTED, f"REJECTED certificate: {rule}: {message}")
    return Outcome(Status.VERIFIED if code == 0 else Status.RESOURCE, message)


def mutate_claims(
    seed: int, count: int, claims: int = 380, judge: Judge = check
) -> tuple[Counter[str], list[tuple[bytes, bytes, str]]]:
    """Outcomes of so many mutated proofs, by rule, and those that were VERIFIED: there must be none."""
    rng, found, unsound = random.Random(f"mutations {seed}"), Counter[str](), []
    pool = false_claims(seed, claims)
    kinds: dict[str, list[FalseClaim]] = {}
    for one in pool:
        kinds.setdefault(one.kind, []).append(one)
    for number in range(count):
        one = pool[number % len(pool)]
        text = mutated(one, kinds[one.kind], rng)
        outcome = judge(one.problem, text, SECONDS)
        found[_ended(outcome.message)] += 1
        if outcome.status.name == Status.VERIFIED.name:
            unsound.append((one.problem, text, outcome.message))
    return found, unsound


def _ended(message: str) -> str:
    """The status; of a rejection also the rule."""
    status, _, rest = message.partition(" ")
    return f"{status} {rest.split(': ')[1]}" if status == Status.REJECTED.value else status


# Hostile files

ALIEN: Final = (
    "\u0663",
    "\u00b2",
    "\uff15",
    "\u00a0",
    "\ufeff",
    "\u2028",
    "\u0000",
    "\r",
    "\t",
    "\x0b",
    "\x1c",
    "\x85",
    "_",
    "+",
)
GIANTS: Final = (b"9" * 19, b"1" + b"0" * 30, b"9" * 1999, b"9" * 2000, b"9" * 2001, b"1" + b"0" * 5000, b"1e999",
                 b"0x10", b"inf", b"nan", b"1p4096",
                 b"1p-4096", b"9p99999", b"-0", b"00", b"1_0", b"True", b"1/0", b"0/1", b"-1")  # fmt: skip
Change = Callable[[bytes, random.Random], bytes]


def _flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _digits(data: bytes, rng: random.Random) -> bytes:
    """Other digits: the form stays, the numbers do not."""
    changed = bytearray(data)
    for place in rng.choices([k for k, code in enumerate(data) if 48 <= code <= 57] or [0], k=rng.randint(1, 4)):
        changed[place] = rng.randrange(48, 58)
    return bytes(changed)


def _truncate(data: bytes, rng: random.Random) -> bytes:
    cut = data[: rng.randrange(len(data))]
    return cut if rng.random() < 0.5 else cut[: cut.rfind(b"\n") + 1] + rng.choice((b"", b"end\n"))


def _exchange(data: bytes, rng: random.Random) -> bytes:
    """Two tokens of the file, wherever they are."""
    tokens = re.split(rb"([ \n])", data)
    i, j = (2 * rng.randrange((len(tokens) + 1) // 2) for _ in range(2))
    tokens[i], tokens[j] = tokens[j], tokens[i]
    return b"".join(tokens)


def _insert(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(ALIEN).encode() + data[place:]


def _giant(data: bytes, rng: random.Random) -> bytes:
    places = [match.span() for match in NUMBER.finditer(data)]
    if not places:
        return data
    start, stop = rng.choice(places)
    return data[:start] + rng.choice(GIANTS) + data[stop:]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    """A line twice, often, or elsewhere; or a line less."""
    lines = data.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    way = rng.randrange(4)
    if way == 0:
        lines.insert(i, lines[i])
    elif way == 1:
        lines[i:i] = [lines[i]] * rng.choice((2, 50, 2000))
    elif way == 2:
        lines.insert(i, lines.pop(j))
    else:
        lines.pop(i)
    return b"\n".join(lines)


def _lengthen(data: bytes, rng: random.Random) -> bytes:
    """A long line: the same token again and again, or nothing but digits."""
    lines = data.split(b"\n")
    i = rng.randrange(len(lines))
    tokens = lines[i].split(b" ")
    times = rng.choice((10, 1000, 30_000, 200_000)) if rng.random() < 0.1 else 20
    lines[i] = lines[i] + (b" " + tokens[-1]) * times if rng.random() < 0.7 else lines[i] + b"7" * times
    return b"\n".join(lines)


def _deepen(data: bytes, rng: random.Random) -> bytes:
    """A deep tree, of splits or of preparations."""
    start = data.find(b"tree\n")
    if start < 0:
        return data
    depth = rng.choice((10, 100, 4_000)) if rng.random() < 0.9 else 40_000
    if rng.random() < 0.5:
        nodes = [b"prepare %d" % rng.randint(1, 3)] * min(depth, 4_000)
    else:
        nodes = [b"split 0 1p-%d" % min(k, 4096) for k in range(1, depth)]
    return data[: start + 5] + b"\n".join([*nodes, b""]) + data[start + 5 :]


def _returns(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", b"\r\n", rng.choice((1, -1)))


def _noise(data: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.randint(0, 300)) + rng.choice((b"", b"\n", data))


CHANGES: Final[tuple[Change, ...]] = (
    _flip, _flip, _digits, _digits, _digits, _truncate, _exchange, _exchange, _insert, _giant, _giant, _repeat,
    _repeat, _lengthen, _deepen, _returns,
    _noise,
)  # fmt: skip


def hostile(one: FalseClaim, rng: random.Random) -> tuple[bytes, bytes]:
    """A problem and a certificate, of the true or of the false claim, one or both changed; often the hash
    is repaired.
    """
    problem, certificate = one.problem, one.text if rng.random() < 0.5 else one.true
    which = rng.randrange(4)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if which == 0:
            problem = rng.choice(CHANGES)(problem, rng) or b"\n"
        elif which < 3 or rng.random() < 0.5:
            certificate = rng.choice(CHANGES)(certificate, rng) or b"\n"
        else:
            problem = rng.choice(CHANGES)(problem, rng) or b"\n"
    if problem != one.problem and rng.random() < 0.9:
        old, new = (hashlib.sha256(data).hexdigest().encode() for data in (one.problem, problem))
        certificate = certificate.replace(old, new)
    return problem, certificate


def fuzz(
    seed: int, count: int, claims: int = 190, judge: Judge = check
) -> tuple[Counter[str], list[tuple[bytes, bytes, str]]]:
    """Outcomes of so many hostile files, and the failures: exceptions, late answers, VERIFIED for what is false at a
    point.
    """
    rng, found, failures = random.Random(f"hostile {seed}"), Counter[str](), []
    pool = false_claims(seed, claims)
    for number in range(count):
        problem, certificate = hostile(pool[number % len(pool)], rng)
        began = time.process_time()
        try:
            outcome = judge(problem, certificate, SECONDS)
            found[_ended(outcome.message)] += 1
            reason = None
        except Exception as error:
            reason, outcome = f"{type(error).__name__}: {error}", None
        if time.process_time() - began > SECONDS + GRACE:
            reason = f"{time.process_time() - began:.1f} seconds"
        if outcome is not None and outcome.status.name == Status.VERIFIED.name:
            reason = reason or refuted(problem, certificate, rng)
        if reason is not None:
            failures.append((problem, certificate, reason))
    return found, failures


class Skipped(Exception):
    """A point at which floats say nothing."""


def refuted(problem_bytes: bytes, certificate_bytes: bytes, rng: random.Random, points: int = 40) -> str | None:
    """Why a verified claim is false, seen at points of its problem in floats; None if nothing was seen. Sharp within
    10^-9 only.
    """
    try:
        problem, certificate = parse_problem(problem_bytes), parse_certificate(certificate_bytes)
    except Rejection as rejection:
        return f"it is not even read: {rejection}"
    families = [family for family in problem.families if family.name in certificate.scope]
    numbers = [
        certificate.level,
        certificate.upper,
        *(end for ends in (certificate.hull.box if certificate.hull else ()) for end in ends),
    ]
    if any(number is not None and abs(number) > LARGEST for number in numbers):
        return None
    if sum(family.rows for family in families) > 100:
        return None
    named = {binding.index for family in families for binding in family.bindings if binding.measured}
    variables = sorted({binding.index for family in families for binding in family.bindings if not binding.measured})
    for _ in range(points):
        values = {v: _between(problem.variables[v].bounds, rng) for v in variables}
        if certificate.point is not None:
            values = dict(zip(variables, certificate.point, strict=True))
        parts = {
            c: [rng.choice((0.0, 1.0, rng.random())) for _ in range(len(problem.columns[c].entries))] for c in named
        }
        try:
            error, scale = _error(problem, certificate, values, parts)
        except (Skipped, Rejection, OverflowError, ValueError, ZeroDivisionError):
            continue
        level = certificate.level
        if level is None or error > float(level) - 1e-9 * (scale + float(level)):
            continue
        if certificate.lower is not None or not _where(
            certificate, [float(values[v]) for v in variables], 1e-9 * scale
        ):
            return f"the error is {error} at {values}"
    return _short_witness(problem, certificate, variables)


def _where(certificate: Certificate, at: Sequence[float], distance: float) -> bool:
    """Whether a point lies in the hull, or in the box of the only minimiser; exactly, for their numbers may be larger
    than any float.
    """
    x, slack = [Fraction(value) for value in at], Fraction(distance)
    hull = certificate.hull
    box: Sequence[tuple[Fraction, Fraction]] = () if hull is None else hull.box
    if certificate.minimum is not None:
        box = certificate.isolated[0].box
    facets_of = () if hull is None else hull.facets
    heights = [
        (sum(a * value for a, value in zip(facet.coefficients, x, strict=True)), facet.bound) for facet in facets_of
    ]
    inside = all(lower - slack <= value <= upper + slack for value, (lower, upper) in zip(x, box, strict=False))
    return inside and all(height <= bound + slack for height, bound in heights)


def _short_witness(problem: CanonicalProblem, certificate: Certificate, variables: Sequence[int]) -> str | None:
    """Why a witness without s:t does not reach its claim."""
    if certificate.upper is None or certificate.witness is None:
        return None
    tokens = {name: values for name, values in certificate.witness.columns}
    if any(second is not None for values in tokens.values() for _, second in values):
        return None
    parts = {
        c: [float(first) for first, _ in tokens[column.name]]
        for c, column in enumerate(problem.columns)
        if column.name in tokens
    }
    if any(not column.name for column in problem.columns):
        return None  # a table's measurements are not said
    try:
        values = dict(zip(variables, certificate.witness.values, strict=True))
        error, scale = _error(problem, certificate, values, parts, certificate.witness.without)
    except OverflowError:
        return None
    except (Skipped, ValueError, ZeroDivisionError) as undefined:
        return f"the witness is undefined: {undefined}" if not isinstance(undefined, Skipped) else None
    upper = float(certificate.upper)
    return f"the witness has |r| = {error}" if error > upper + 1e-9 * (scale + upper) else None


def _between(bounds: tuple[Fraction, Fraction], rng: random.Random) -> Fraction:
    part = rng.choice((Fraction(0), Fraction(1), Fraction(1, 2), Fraction(rng.randrange(1025), 1024)))
    return bounds[0] + part * (bounds[1] - bounds[0])


def _error(
    problem: CanonicalProblem,
    certificate: Certificate,
    values: Any,
    parts: dict[int, list[float]],
    without: Collection[tuple[int, int]] | None = None,
) -> tuple[float, float]:
    """The sum of the squares, or the largest |r| but for those left out (the worst, if not said), and the largest
    number on the way.
    """
    members: dict[tuple[int, int, int], list[float]] = {}
    scale = 0.0
    names = {family.name: number for number, family in enumerate(problem.families)}
    for place, group in enumerate(certificate.groups):
        for number in (names[name] for name in group.names):
            family = problem.families[number]
            for row in range(family.rows):
                nodes = []
                for binding in family.bindings:
                    if binding.measured:
                        lower, upper = problem.columns[binding.index].entries[row]
                        part = 2 * Fraction(parts[binding.index][row]) - 1  # exactly: ends may be far apart
                        nodes.append(float((lower + upper) / 2 + part * certificate.factor * (upper - lower) / 2))
                    else:
                        nodes.append(float(values[binding.index]))
                for operation in problem.tapes[family.tape].operations:
                    nodes.append(
                        _float(
                            operation.code,
                            float(operation.value),
                            *(nodes[k] if k >= 0 else 0.0 for k in (operation.first, operation.second)),
                        )
                    )
                scale = max(scale, *map(abs, nodes))
                key = (place, -1 if group.norm != "rows" else number, row)
                left_out = any(
                    (other, row) in (without or ())
                    for other in ([number] if key[1] >= 0 else map(names.get, group.names))
                )
                members.setdefault(key, []).append(0.0 if left_out else abs(nodes[-1]))
    if not math.isfinite(scale):
        raise Skipped
    if certificate.squares:
        return sum(error * error for rows in members.values() for error in rows), scale * scale
    errors = []
    for (place, *_), rows in members.items():
        group = certificate.groups[place]
        norm = math.hypot(*rows) if group.norm == "euclidean" else max(rows)
        if group.scale < Fraction(1, 10**6) or group.scale > 10**6:
            raise Skipped
        errors.append((norm - float(group.base)) / float(group.scale))
        scale = max(scale, scale / float(group.scale), float(group.base / group.scale))
    left = sorted(errors, reverse=True)[certificate.discard if without is None else 0 :]
    return max([0.0, *left]), scale


def _float(code: str, value: float, u: float, w: float) -> float:
    if (code in ("div", "sqrt", "log") and abs(w if code == "div" else u) < 1e-6) or (code == "exp" and u > 700):
        raise Skipped
    return {
        "const": lambda: value, "pi": lambda: math.pi, "add": lambda: u + w, "sub": lambda: u - w,
        "mul": lambda: u * w, "div": lambda: u / w,
        "neg": lambda: -u, "sqr": lambda: u * u, "sqrt": lambda: math.sqrt(u), "sin": lambda: math.sin(u),
        "cos": lambda: math.cos(u),
        "exp": lambda: math.exp(u), "log": lambda: math.log(u), "atan": lambda: math.atan(u),
        "erf": lambda: math.erf(u),
    }[code]()  # fmt: skip


# The benchmark


def _start() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _mutate(job: tuple[int, int, Judge]) -> tuple[Counter[str], list[tuple[bytes, bytes, str]], int]:
    seed, count, judge = job
    return *mutate_claims(seed, count, judge=judge), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _fuzz(job: tuple[int, int, Judge]) -> tuple[Counter[str], list[tuple[bytes, bytes, str]], int]:
    seed, count, judge = job
    return *fuzz(seed, count, judge=judge), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _spread(
    name: str, work: Callable[[tuple[int, int, Judge]], Any], total: int, seed: int, processes: int, judge: Judge
) -> dict[str, Any]:
    """Jobs of 5,000 in some processes; prints the sum as it grows."""
    jobs = [(seed + number, min(5_000, total - start), judge) for number, start in enumerate(range(0, total, 5_000))]
    failures: list[tuple[bytes, bytes, str]] = []
    found, memory, began = Counter[str](), 0, time.perf_counter()
    with multiprocessing.get_context("fork").Pool(processes, _start) as pool:
        for counts, failed, peak in pool.imap_unordered(work, jobs):
            found, failures, memory = found + counts, failures + failed, max(memory, peak)
            print(
                f"{name}: {found.total()} of {total}, {len(failures)} failures, {time.perf_counter() - began:.0f} s",
                flush=True,
            )
    for problem, certificate, reason in failures[:3]:
        print(f"FAILURE {reason}\n{problem!r}\n{certificate!r}")
    kept = [
        {"problem": p.decode("latin1"), "certificate": c.decode("latin1"), "reason": reason}
        for p, c, reason in failures[:100]
    ]
    return {
        "outcomes": dict(sorted(found.items())),
        "failures": len(failures),
        "kept": kept,
        "memory_kilobytes": memory,
        "seconds": time.perf_counter() - began,
    }


def run(words: list[str]) -> dict[str, Any]:
    """Both kinds, as many as asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks forgeries")
    parser.add_argument("--count", type=int, default=100_000, help="mutated proofs of false claims; the bar is 1000000")
    parser.add_argument("--fuzz", type=int, default=10_000, help="hostile files; the bar is 100000")
    parser.add_argument("--seed", type=int, default=0, help="of the first job of 5,000; each job takes the next one")
    parser.add_argument("--processes", type=int, default=1, help="at the same time")
    parser.add_argument("--second", action="store_true", help="ask the second checker instead of the first")
    parser.add_argument("--proved", action="store_true", help="ask the checker that is proved in Coq instead")
    options = parser.parse_args(words)
    name = "proved" if options.proved else "second" if options.second else "first"
    judge: Judge = {"proved": proved_check, "second": second_check, "first": check}[name]
    answer: dict[str, Any] = {"seed": options.seed, "checker": name}
    for name, work, total in (("mutated proofs", _mutate, options.count), ("hostile files", _fuzz, options.fuzz)):
        if total:
            answer[name] = _spread(name, work, total, options.seed, options.processes, judge)
            print(
                f"{name}: {answer[name]['outcomes']}, {answer[name]['failures']} failures, "
                f"{answer[name]['memory_kilobytes'] >> 10} MiB"
            )
    return answer
