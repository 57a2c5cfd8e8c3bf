"""False claims of version 6, each beside its true neighbour: members of groups, shared measurements, factors on
half-widths, tables, erf, violations.
"""

from __future__ import annotations

import hashlib
import random
import struct
from collections.abc import Sequence
from fractions import Fraction

from benchmarks._false_claims import FalseClaim, dyadic, little, perhaps_little, problem_text, rational

DIRECTIONS = ((3, 4, 5), (5, 12, 13), (1, 2, 2, 3), (2, 3, 6, 7), (2, 4, 5, 6, 9))  # whole vectors and their lengths
TWO = ["sub 0 1"]


def claim(
    kind: str,
    problem: bytes,
    ends: tuple[str, str],
    groups: Sequence[str],
    proof: Sequence[str],
    *,
    told: str = "errors",
    factors: tuple[Fraction, Fraction] | None = None,
    discard: int = 0,
    hulls: Sequence[Sequence[str]] = ((), ()),
) -> FalseClaim:
    """Certificates of two claims, the false one first: a line of `lower`, `upper` or `within`, factors, blocks of hulls
    that belong to the claim.
    """

    def certificate(end: str, factor: Fraction, hull: Sequence[str]) -> list[str]:
        word, value = end.split(" ")
        given = {"lower": "none", "upper": "none", "within": "none", "volume": "none", "zeros": "none"} | {word: value}
        return [
            "certify-certificate 6",
            f"problem {hashlib.sha256(problem).hexdigest()}",
            "precision 128",
            f"claim {told}",
            f"groups {len(groups)}",
            *(f"group {group}" for group in groups),
            "box",
            f"factor {factor}",
            "norm largest",
            f"discard {discard}",
            *(f"{name} {number}" for name, number in given.items()),
            "minimum none",
            *hull,
            "witness" if word == "upper" else "tree",
            *proof,
            "end",
            "",
        ]

    both = [certificate(*parts) for parts in zip(ends, factors or (Fraction(1),) * 2, hulls, strict=True)]
    lines = tuple(line.encode() for line in both[0])
    return FalseClaim(kind, problem, lines, len(lines) - len(proof) - 2, "\n".join(both[1]).encode())


def _ends(word: str, least: Fraction, rng: random.Random) -> tuple[str, str]:
    """The false one, then the true one."""
    if word == "lower":
        return f"lower {least * (1 + perhaps_little(rng))}", f"lower {least * (1 - little(rng))}"
    return f"upper {least * (1 - little(rng))}", f"upper {least * (1 + little(rng))}"


def members(rng: random.Random) -> FalseClaim:
    """Two points apart by a whole distance, each within half of it of their middle and no other point nearer to both:
    under a bound base + scale e.
    """
    *way, length = rng.choice(DIRECTIONS)
    at, wide = [rational(rng, -3, 3) for _ in way], abs(rational(rng, 0, 1))
    box = [(a - 4, a + step + 4) for a, step in zip(at, way, strict=True)]
    columns = [[(a - wide, a), (a + step, a + step + wide)] for a, step in zip(at, way, strict=True)]
    names = [f"F{i}" for i in range(len(way))]
    problem = problem_text(box, columns, [(2, TWO)], [f"{name} 0 2 v{i} c{i}" for i, name in enumerate(names)]).encode()
    half = Fraction(length, 2)
    scale = rng.choice((Fraction(1), Fraction(2), Fraction(1, 3)))
    base = rng.choice((Fraction(0), half / 3))
    groups = [f"model euclidean {base} {scale} {' '.join(names)}"]
    word = rng.choice(("lower", "lower", "upper"))
    ends = _ends(word, (half - base) / scale, rng)
    if word == "upper":
        middle = " ".join(str(a + Fraction(step, 2)) for a, step in zip(at, way, strict=True))
        proof = [f"values {middle}", *(f"column m{i} 1 0" for i in range(len(way)))]
    else:
        form = rng.choice("mt")
        terms = [f"{form}{i}.{row}{side}{step}" for row, side in ((0, "+"), (1, "-")) for i, step in enumerate(way)]
        proof = ["aggregate " + " ".join(terms)]
    return claim(f"{word} end, members", problem, ends, groups, proof)


def outlying_members(rng: random.Random) -> FalseClaim:
    """Three points in a row, as far apart from the next by a whole distance, one of which may be left out: two of them
    stay, half of the distance from their middle; under the largest of the coordinates half of the largest step.
    """
    *way, length = rng.choice(DIRECTIONS)
    at = [rational(rng, -3, 3) for _ in way]
    columns = [[(a + row * step,) * 2 for row in range(3)] for a, step in zip(at, way, strict=True)]
    names = [f"F{i}" for i in range(len(way))]
    families = [f"{name} 0 3 v{i} c{i}" for i, name in enumerate(names)]
    problem = problem_text([(a - 9, a + 30) for a in at], columns, [(2, TWO)], families).encode()
    norm = rng.choice(("euclidean", "largest"))
    least = Fraction(length if norm == "euclidean" else max(way), 2)
    word = rng.choice(("lower", "lower", "upper"))
    if word == "upper":
        middle = " ".join(str(a + Fraction(step, 2)) for a, step in zip(at, way, strict=True))
        proof = [f"values {middle}", f"without {rng.randrange(len(way))}.2"]
        proof += [f"column m{i} 0 0 0" for i in range(len(way))]
    else:
        steps = [(i, step) for i, step in enumerate(way) if norm == "euclidean" or step == max(way)]
        sides = [
            [f"m{i}.{row}{side}{step}" for row, side in ((first, "+"), (last, "-")) for i, step in steps]
            for first, last in ((0, 1), (1, 2), (0, 2))
        ]
        proof = ["hitting 3", *("aggregate " + " ".join(terms) for terms in sides)]
    groups = [f"model {norm} 0 1 {' '.join(names)}"]
    return claim(f"{word} end, members left out", problem, _ends(word, least, rng), groups, proof, discard=1)


def restated(one: FalseClaim) -> FalseClaim:
    """A claim of version 5 in version 6, with its roles; what is proved is as false and as true as before."""
    families = [line.split(b" ") for line in one.problem.split(b"\nfamilies ")[1].split(b"\n")[1:]]
    measured = {words[0]: any(word[:1] == b"c" for word in words[3:]) for words in families if words[0]}

    def rewritten(lines: Sequence[bytes]) -> list[bytes]:
        scope = next(k for k, line in enumerate(lines) if line.startswith(b"scope "))
        names = lines[scope].split(b" ")[1:]
        is_system = not any(line == b"zeros none" for line in lines)
        groups = [b"group model rows 0 1 " + b" ".join(names)]
        if is_system:
            groups = [b"group %s rows 0 1 %s" % (b"model" if measured[name] else b"equation", name) for name in names]
        claim = [b"claim system" if is_system else b"claim errors", b"groups %d" % len(groups), *groups]
        head = [b"certify-certificate 6", *lines[1:scope], *claim, lines[scope + 1], b"factor 1"]
        return [*head, *lines[scope + 2 :]]

    lines = rewritten(one.lines)
    first = one.first + len(lines) - len(one.lines)
    return FalseClaim(
        f"{one.kind}, restated", one.problem, tuple(lines), first, b"\n".join(rewritten(one.true.split(b"\n")))
    )


def shared_unknowns(rng: random.Random) -> FalseClaim:
    """x - g(q) and c + g(q) - x with one q: the errors add up to c whatever q is; it is reached at any q."""
    apart = abs(rational(rng, 0, 3)) + Fraction(1, 8)
    low = rational(rng, -1, 1)
    entry = (low, low + abs(rational(rng, 0, 2)) + Fraction(1, 8))
    shape = rng.choice(("linear", "square", "product"))
    inner = {"linear": [f"const {rng.randint(1, 4)}", "mul 1 2"], "square": ["sqr 1"], "product": ["mul 0 1"]}[shape]
    last = 1 + len(inner)
    first = [*inner, f"sub 0 {last}"]
    second = [*inner, f"const {apart}", f"add {last} {last + 1}", f"sub {last + 2} 0"]
    box = [(rational(rng, -9, -7), rational(rng, 7, 9))]
    problem = problem_text(box, [[entry]], [(2, first), (2, second)], ["A 0 1 v0 c0", "B 1 1 v0 c0"]).encode()
    form = rng.choice("mtq") if shape == "linear" else rng.choice("tq")
    proof = [f"aggregate c0 {form}0.0+1 {form}1.0+1"]
    return claim("lower end, shared unknowns", problem, _ends("lower", apart / 2, rng), ["model rows 0 1 A B"], proof)


def factors(rng: random.Random) -> FalseClaim:
    """x - m with two measurements whose middles are `apart` from each other: they meet at a factor of
    (apart - 2 e) / (2 half-width).
    """
    half, apart, first = abs(rational(rng, 0, 1)) + Fraction(1, 8), abs(rational(rng, 1, 3)), rational(rng, -2, 2)
    level = rng.choice((Fraction(0), apart / 7))
    needed = (apart - 2 * level) / (2 * half)
    ends = [(first - half, first + half), (first + apart - half, first + apart + half)]
    problem = problem_text([(first - 9, first + 9)], [ends], [(2, TWO)], ["F 0 2 v0 c0"]).encode()
    if rng.random() < 0.3:
        proof = [f"values {first + apart / 2}", "column m0 1:0 1:0"]
        told = (needed * (1 - little(rng)), needed * (1 + little(rng)))
        return claim("factor, upper end", problem, (f"upper {level}",) * 2, ["model rows 0 1 F"], proof, factors=told)
    proof = [f"aggregate {rng.choice('qmt')}0.0+1 {rng.choice('qmt')}0.1-1"]
    told = (needed * (1 + perhaps_little(rng)), needed * (1 - little(rng)))
    return claim("factor, lower end", problem, (f"lower {level}",) * 2, ["model rows 0 1 F"], proof, factors=told)


def tables(rng: random.Random) -> FalseClaim:
    """Records of whole coefficients that weights balance, as in `linear`, among others that say nothing."""
    size = rng.randint(1, 3)
    slopes = [float(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(size)]  # were all 0, both would be larger
    low, wide, apart = rng.randint(-8, 8) / 4, rng.randint(0, 4) / 8, rng.randint(1, 16) / 4
    idle = [(*[0.0] * size, -1.0, 1.0)] * rng.randint(0, 3)
    rows = [*idle, (*slopes, low - wide, low), *idle, (*slopes, low + apart, low + apart + wide)]
    first, last = len(idle), len(rows) - 1
    box = [(Fraction(-99), Fraction(99))] * size
    bindings = " ".join(f"v{j}" for j in range(size))
    text = problem_text(box, [], [], [f"W table {len(rows)} {bindings}"]).replace("problem 2", "problem 3")
    problem = text.encode() + b"".join(struct.pack(f"<{size + 2}d", *row) for row in rows)
    proof = [f"aggregate {rng.choice('qm')}0.{first}+1 {rng.choice('qm')}0.{last}-1"]
    least = Fraction(apart) / 2
    return claim("lower end, tables", problem, _ends("lower", least, rng), ["model rows 0 1 W"], proof)


def interval_tables(rng: random.Random) -> FalseClaim:
    """Records of intervals whose ends, where x >= 0, are the coefficients that weights balance."""
    size = rng.randint(1, 3)
    slopes, wide = [float(rng.choice((-3, -2, -1, 1, 2, 3))) for _ in range(size)], rng.randint(0, 4) / 8
    apart = rng.randint(1, 16) / 4
    low = sum(slope * rng.randint(0, 9) for slope in slopes) - apart / 2  # so some x >= 0 is halfway
    above = [end for slope in slopes for end in (slope, slope + wide)]
    below = [end for slope in slopes for end in (slope - wide, slope)]
    rows = [(*above, low - 1.0, low), (*below, low + apart, low + apart + 1.0)]
    bindings = " ".join(f"v{j}" for j in range(size))
    family = f"W intervals {len(rows)} {bindings}"
    text = problem_text([(Fraction(0), Fraction(99))] * size, [], [], [family]).replace("problem 2", "problem 3")
    problem = text.encode() + b"".join(struct.pack(f"<{2 * size + 2}d", *row) for row in rows)
    ends = _ends("lower", Fraction(apart) / 2, rng)
    return claim("lower end, intervals", problem, ends, ["model rows 0 1 W"], ["aggregate m0.0+1 m0.1-1"])


def table_witness(rng: random.Random) -> FalseClaim:
    """a x = y between two ends, for one x only: the error is the distance from them, and no less."""
    slope, low = rng.randint(1, 9) / 8, rng.randint(-8, 8) / 4
    beyond = rng.randint(1, 16) / 8
    at = Fraction(low + beyond) / Fraction(slope)
    text = problem_text([(at, at)], [], [], ["W table 2 v0"]).replace("problem 2", "problem 3")
    problem = text.encode() + struct.pack("<3d", slope, low - 1.0, low) + struct.pack("<3d", 0.0, -1.0, 1.0)
    ends = _ends("upper", Fraction(beyond), rng)
    return claim("upper end, tables", problem, ends, ["model rows 0 1 W"], [f"values {at}"])


def error_function(rng: random.Random) -> FalseClaim:
    """low + erf d with d = x - a >= 0, which grows and is exactly low at x = a."""
    a, low, width = rational(rng, -2, 2), 1 + abs(rational(rng, 0, 2)), Fraction(1, rng.randint(4, 90))
    lines = [f"const {a}", "sub 0 1", "erf 2", f"const {low}", "add 3 4"]
    text = problem_text([(a, a + width)], [], [(1, lines)], ["F 0 1 v0"]).replace("problem 2", "problem 3")
    leaf = rng.choice(("evaluate 0 0", "aggregate m0.0+1", "aggregate t0.0+1"))
    false, true = low * (1 + perhaps_little(rng)), low * Fraction(3, 5)
    ends = f"lower {false}", f"lower {true}"
    return claim("lower end, erf", text.encode(), ends, ["model rows 0 1 F"], [leaf])


def violations(rng: random.Random) -> FalseClaim:
    """x - m, which is 0 for some m up to v: a hull that ends before v does not hold all of them, one
    that ends behind v does; and x - m that is never 0.
    """
    low, width = rational(rng, -2, 2), 1 + abs(rational(rng, 0, 2))
    v, gap = low + width / 3, Fraction(1, 1 << rng.randint(6, 20))
    columns = [[(low - 9, v)], [(low + width + 1, low + width + 9)]]
    text = problem_text([(low, low + width)], columns, [(2, TWO)], ["V 0 1 v0 c0", "W 0 1 v0 c1"])
    proof = [f"split 0 {dyadic(v + gap, 24)}", "open", "hitting 2", "evaluate 0 0", "evaluate 1 0"]
    hulls = [["hull", f"{low} {end}"] for end in (v - perhaps_little(rng) / 10 - gap / 4, v + gap)]
    groups = ["violation rows 0 1 V W"]
    return claim(
        "hull of violations", text.encode(), ("within 0",) * 2, groups, proof, told="violations", discard=1, hulls=hulls
    )


FAMILIES = (
    members, outlying_members, shared_unknowns, factors, tables, interval_tables, table_witness, error_function,
    violations,
)  # fmt: skip
