"""The lines of version 6: giant numbers and long lines are no trouble, mutated texts get the same answer of both."""

import random
import re

import pytest
from arb_texts import both
from checker_texts import Binary
from texts import further, groups, intervals, tables

GIANTS = ("0", "00", "-1", "1/0", "9" * 1999, "9" * 2001, f"1/{'9' * 1999}", "1e9", "9" * 19, "1p4096", "", "\u0663")
LONG = {
    "a family 100,000 times": ("group model", "group model rows 0 1" + " A" * 100_000),
    "200,000 groups, one line": ("groups ", "groups 200000"),
    "a column 100,000 times": ("aggregate", "aggregate" + " c0" * 100_000),
    "columns up to 100,000": ("aggregate", "aggregate" + "".join(f" c{k}" for k in range(100_000))),
    "one line beyond the limit": ("aggregate", "aggregate c0 m0.0+1" + "0" * 10**6),
    "a term 50,000 times": ("aggregate", "aggregate c0" + " m0.0+1" * 50_000),
}


@pytest.mark.parametrize("name", LONG)
def test_long_lines_are_judged(name):
    start, line = LONG[name]
    text, certificate = further.VALID["m"]
    lines = [line if one.startswith(start) else one for one in str(certificate).split("\n")]
    assert both(text, "\n".join(lines)) == "REJECTED"


def test_giant_numbers_in_every_place_of_the_new_lines_are_judged():
    text, certificate = groups.VALID["of boxes"]
    lines = str(certificate).split("\n")
    for k, line in enumerate(lines[3:8], 3):
        words = line.split(" ")
        for place in range(len(words)):
            for giant in GIANTS:
                changed = [*lines[:k], " ".join([*words[:place], giant, *words[place + 1 :]]), *lines[k + 1 :]]
                assert both(text, "\n".join(changed)) != "RESOURCE", (line, giant)


WORDS = re.findall(
    r"\S+",
    """errors system violations model equation condition violation rows largest euclidean squares box none local global
    point within open known table erf atan c0 c1 c2 v0 A B F W 0 1 2 3 4 5 6 1/2 -1 0:1 0.5 1:0""",
)
POOL = [pair for module in (groups, further, intervals, tables) for pair in module.VALID.values()]


def mutated(rng):
    """A valid text with tokens and lines exchanged, written twice or left out; now and then its problem too."""
    text, certificate = POOL[rng.randrange(len(POOL))]
    if rng.random() < 0.25 and not isinstance(text, Binary):
        lines = text.split("\n")
        k = rng.randrange(len(lines) - 1)
        words = lines[k].split(" ")
        words[rng.randrange(len(words))] = rng.choice(WORDS)
        text = "\n".join([*lines[:k], " ".join(words), *lines[k + 1 :]])
    lines = str(certificate).split("\n")
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        k, other = rng.randrange(2, len(lines) - 1), rng.randrange(2, len(lines) - 1)
        words, way = lines[k].split(" "), rng.random()
        place = rng.randrange(len(words))
        if way < 0.6:
            words[place] = rng.choice(WORDS)
        elif way < 0.7:
            words.insert(place, rng.choice(WORDS))
        elif way < 0.8 and len(words) > 1:
            words.pop(place)
        elif way < 0.9:
            lines[k], lines[other] = lines[other], lines[k]
            continue
        else:
            lines.insert(k, lines[other])
            continue
        lines[k] = " ".join(words)
    return text, "\n".join(lines)


@pytest.mark.parametrize("seed", range(4))
def test_both_checkers_answer_mutated_texts_alike(seed):
    """(`both` asserts it.) These certificates are not near the end of any sharpness."""
    rng = random.Random(seed)
    answers = {both(text, certificate) for text, certificate in (mutated(rng) for _ in range(250))}
    assert answers == {"VERIFIED", "REJECTED"}
