"""Random mutations of real certificates whose claim was made false first: none may be accepted. 300, and 5,000
where all tests are run.
"""

import random
import re
from fractions import Fraction

import pytest
from systems import bilinear, circle, leg

import certify
from certify import Verdict
from certify.checker import Status, check

NUMBER = re.compile(r"\d+")


def mutate(line, rng):
    """Change one number, sign or letter of a line."""
    kind = rng.randrange(4)
    if kind == 0:
        places = [m.span() for m in NUMBER.finditer(line)]
        if places:
            start, end = rng.choice(places)
            value = int(line[start:end])
            new = rng.choice([value + 1, max(value - 1, 0), value * 2, value // 2, rng.randrange(10), value * 10**6])
            return line[:start] + str(new) + line[end:]
    if kind == 1:
        places = [k for k, c in enumerate(line) if c in "+-"]
        if places:
            k = rng.choice(places)
            return line[:k] + ("-" if line[k] == "+" else "+") + line[k + 1 :]
    if kind == 2:
        words = line.split(" ")
        if len(words) > 2:
            words.pop(rng.randrange(1, len(words)))
            return " ".join(words)
    words = line.split(" ")
    if len(words) > 2:
        i, j = rng.randrange(1, len(words)), rng.randrange(1, len(words))
        words[i], words[j] = words[j], words[i]
    return " ".join(words)


def false_claims():
    for make, seed in ((circle, 1), (circle, 4), (bilinear, 2), (leg, 1)):
        planted = make(seed, epsilon=1.0 if make is not leg else 3.0)
        result = certify.adequacy(planted.problem, options=certify.Options(gap=Fraction(1, 100)))
        (part,) = result.parts
        if part.verdict is Verdict.INADEQUATE:
            false = part.epsilon[1] * Fraction(1001, 1000)
            text = re.sub(r"^lower .*$", f"lower {false}", part.certificate.decode(), flags=re.M)
            text = re.sub(r"^upper .*$", "upper none", text, flags=re.M)
            text = re.sub(r"^witness\n(?:values .*\n)(?:column .*\n)+", "", text, flags=re.M)
            yield result.canonical, text


@pytest.mark.parametrize("count", [300, pytest.param(2_000, marks=pytest.mark.thorough)])
def test_no_mutation_of_a_false_claim_is_accepted(count):
    rng = random.Random(count)
    claims = list(false_claims())
    assert len(claims) >= 3
    for number in range(count):
        canonical, text = claims[number % len(claims)]
        lines = text.split("\n")
        first = lines.index("tree") + 1
        for _ in range(rng.randrange(1, 4)):
            k = rng.randrange(first, len(lines) - 2)
            if rng.random() < 0.1:
                lines.insert(k, lines[rng.randrange(first, len(lines) - 2)])
            else:
                lines[k] = mutate(lines[k], rng)
        outcome = check(canonical, "\n".join(lines).encode())
        assert outcome.status is Status.REJECTED, (outcome.message, "\n".join(lines))
