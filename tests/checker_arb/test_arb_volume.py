"""The volume of what is left open: an upper bound of the set's, exactly."""

import random
from fractions import Fraction

import pytest
from arb_texts import DISTANCES, LINE, LINEAR, ROOT, judged, lower, minimum, problem, rejected, upper, within, zeros

from certify.checker_arb import Status

HAIR = Fraction(1, 10**80)
LARGER = "the open leaves so far have a larger volume"
BOTH = {"scope": "F G"}
SIDES = ("split 0 3p-1", "open", "evaluate 0 0")
TURNED = ("frame 0 0 1p-1 1p-1 1p-1 -1p-1", "split 0 4", "open", "open")
HIT = ("hitting 2", "evaluate 0 0", "evaluate 0 1")
UPPER_HALF = ("aggregate q0.0+1 q1.0-1",)
# name: (problem, the least volume, the certificate of a volume)
TIGHT = {
    "all of it": (LINE, 4, lambda v: within(9, ["0 4"], "open", volume=v)),
    "a part": (ROOT, Fraction(3, 2), lambda v: within("1/5", ["0 3/2"], *SIDES, volume=v)),
    "two parts": (
        ROOT,
        Fraction(3, 2),
        lambda v: within("1/5", ["0 3/2"], SIDES[0], "split 0 5p-2", "open", *SIDES[1:], volume=v),
    ),
    "squares": (
        LINE,
        Fraction(5, 2),
        lambda v: within(3, ["0 5/2"], "split 0 5p-1", "open", "evaluate 0 0", volume=v, norm="squares"),
    ),
    "rows left out": (
        LINE,
        Fraction(5, 2),
        lambda v: within(1, ["0 5/2"], "split 0 5p-1", "open", *HIT, volume=v, discard=1),
    ),
    "a plane": (LINEAR, 12, lambda v: within(9, ["0 4", "0 4"], "split 1 1", "open", "open", volume=v + 4, **BOTH)),
    "one half of it": (
        LINEAR,
        8,
        lambda v: within("1/2", ["0 4", "0 2"], "split 1 2", "open", *UPPER_HALF, volume=v, **BOTH),
    ),
    "a frame": (LINEAR, 16, lambda v: within(9, ["0 4", "0 4"], "frame 0 0 8 0 0 1p-4", "open", volume=v, **BOTH)),
    "a turned frame": (LINEAR, 32, lambda v: within(9, ["0 4", "0 4"], *TURNED, volume=v, **BOTH)),
}


def test_the_least_volume_is_verified_and_a_hair_less_rejected():
    for name, (text, least, make) in TIGHT.items():
        outcome = judged(text, make(Fraction(least)))
        assert outcome.status is Status.VERIFIED, (name, outcome.message)
        assert f"volume {Fraction(least)}" in outcome.message or name == "a plane"
        assert judged(text, make(Fraction(least) + HAIR)).status is Status.VERIFIED
        for less in (HAIR, Fraction(least) / 100, Fraction(least) / 2):
            rejected(judged(text, make(Fraction(least) - less)), "open", LARGER)


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


GOOD = within("1/5", ["0 3/2"], *SIDES, volume="3/2")
LINES = {
    "missing": ("volume 3/2\n", "", "'volume'"),
    "of nothing": ("volume 3/2", "volume", "1 tokens"),
    "of two": ("volume 3/2", "volume 3/2 3/2", "1 tokens"),
    "twice": ("volume 3/2", "volume 3/2\nvolume 3/2", "'zeros'"),
    "negative": ("volume 3/2", "volume -3/2", "negative"),
    "minus nothing": ("volume 3/2", "volume -0", "-0"),
    "a decimal": ("volume 3/2", "volume 1.5", "no rational"),
    "not in lowest terms": ("volume 3/2", "volume 6/4", "lowest terms"),
    "before within": ("within 1/5\nvolume 3/2", "volume 3/2\nwithin 1/5", "'within'"),
    "after zeros": ("volume 3/2\nzeros none", "zeros none\nvolume 3/2", "'volume'"),
}


@pytest.mark.parametrize("name", LINES)
def test_other_lines_are_rejected(name):
    old, new, reason = LINES[name]
    rejected(judged(ROOT, changed(GOOD, old, new)), "text", reason)


def test_a_volume_is_claimed_with_within_only():
    others = {
        "lower": (DISTANCES, lower("9/10", "aggregate q0.0+1 q0.2-1")),
        "upper": (DISTANCES, upper("17/16", "17/16", "column y 0.5 0.5 0.5")),
        "zeros": (ROOT, zeros((("zero 5p-2 3p-1", "inverse 11p-5"),), "known 0")),
        "minimum": (LINE, minimum("2", ("zero 1p-1 3p-1", "inverse 5p-4"))),
    }
    for text, certificate in others.values():
        for claimed in ("0", "1/2", "1000"):
            rejected(judged(text, changed(certificate, "volume none", f"volume {claimed}")), "text", "needs `within`")
    rejected(judged(ROOT, changed(GOOD, "within 1/5", "within none")), "text", "nothing is claimed")


@pytest.mark.parametrize("size", [64, 65, 66, 100])
def test_at_most_64_variables(size):
    bound = " ".join(f"v{k}" for k in range(size))
    many = problem(
        variables=tuple(f"x{k} mm 0 1/2" for k in range(size)),
        tape=("neg 0",),
        inputs=size,
        families=(f"F 0 1 {bound}",),
    )
    outcome = judged(many, within("0", ["0 1/2"] * size, "open", volume=Fraction(1, 2**size)))
    if size == 64:
        assert outcome.status is Status.VERIFIED, outcome.message
    else:
        rejected(outcome, "text", "at most 64 variables")


@pytest.mark.parametrize("seed", range(30))
def test_random_trees_add_up(seed):
    """2 is refuted everywhere: each open leaf counts, whatever its ends are."""
    rng = random.Random(seed)
    ends = [
        (Fraction(-rng.randint(1, 9), rng.randint(1, 9)), Fraction(rng.randint(1, 9), rng.randint(1, 9)))
        for _ in range(2)
    ]
    text = problem(
        variables=tuple(f"{name} mm {low} {high}" for name, (low, high) in zip("xy", ends, strict=True)),
        tape=("const 1", "add 2 2"),
        families=("F 0 1 v0 v1",),
    )
    lines = []

    def grow(box, depth):
        if not depth or rng.random() < 0.2:
            refuted = rng.random() < 0.4
            lines.append("evaluate 0 0" if refuted else "open")
            return Fraction(0) if refuted else (box[0][1] - box[0][0]) * (box[1][1] - box[1][0])
        k = rng.randrange(2)
        low, high = box[k]
        cut = Fraction(round((low + (high - low) * Fraction(rng.randint(1, 9), 10)) * 2**40), 2**40)
        lines.append(f"split {k} {cut.numerator}p-{cut.denominator.bit_length() - 1}".replace("p-0", ""))
        parts = [[*box[:k], part, *box[k + 1 :]] for part in ((low, cut), (cut, high))]
        return grow(parts[0], depth - 1) + grow(parts[1], depth - 1)

    total = grow(ends, 6)
    hull = [f"{low} {high}" for low, high in ends]
    assert judged(text, within("1", hull, *lines, volume=total)).status is Status.VERIFIED
    if total:
        rejected(judged(text, within("1", hull, *lines, volume=total - HAIR)), "open", LARGER)
