"""The engine's certificates: all verified; forged ones, whose claim is false or has lost its proof, are rejected; both
checkers agree.
"""

import random
import re
from fractions import Fraction

import pytest
from arb_texts import sealed

from certify.checker import check as first_check
from certify.checker_arb import Status, check


def judged(problem, text):
    """The answer of the second checker, which must be that of the first."""
    outcome = check(problem.encode(), text.encode())
    other = first_check(problem.encode(), text.encode())
    assert outcome.status.name == other.status.name, (outcome.message, other.message)
    return outcome


def lines_of(text, word):
    lines = text.split("\n")
    return lines, [k for k, line in enumerate(lines) if line.split(" ")[0] == word]


def edited(text, word, change, which=0):
    """One line that begins with this word, changed; `which` may be -1."""
    lines, places = lines_of(text, word)
    if not places:
        return text
    lines[places[which]] = change(lines[places[which]])
    return "\n".join(lines)


def times(line, factor):
    word, number = line.split(" ")
    return f"{word} {Fraction(number) * Fraction(factor)}"


def number(text, word):
    return Fraction(re.search(rf"(?m)^{word} (\S+)$", text).group(1))


def with_lower(text, value):
    """A claim of a lower end alone."""
    text = re.sub(r"(?m)^lower .*$", f"lower {value}", text)
    text = re.sub(r"(?m)^upper .*$", "upper none", text)
    return re.sub(r"(?m)^witness\nvalues .*\n(?:column .*\n)*", "", text)


def with_upper(text, value):
    """A claim of an upper end alone."""
    text = re.sub(r"(?m)^lower .*$", "lower none", text)
    text = re.sub(r"(?m)^upper .*$", f"upper {value}", text)
    return text[: text.index("tree\n")] + "end\n"


def mutated(text, rng):
    """Up to three numbers, signs or words of the tree changed."""
    lines = text.split("\n")
    start = lines.index("tree") + 1
    for _ in range(rng.randrange(1, 4)):
        k = rng.randrange(start, len(lines) - 2)
        words = lines[k].split(" ")
        j = rng.randrange(len(words))
        kind = rng.randrange(4)
        if kind == 0:
            words[j] = re.sub(
                r"\d+", lambda m: str(max(0, int(m.group()) + rng.choice((-1, 1, 7, 10**4)))), words[j], count=1
            )
        elif kind == 1:
            words[j] = words[j].translate(str.maketrans("+-qm", "-+mq"))
        elif kind == 2 and len(words) > 2:
            words.pop(j)
        else:
            i = rng.randrange(len(words))
            words[i], words[j] = words[j], words[i]
        lines[k] = " ".join(words)
    return "\n".join(lines)


def test_all_are_verified(certified):
    assert len(certified) >= 10
    for name, problem, text, _ in certified:
        outcome = judged(problem, text)
        assert outcome.status is Status.VERIFIED, (name, outcome.message)


def test_each_end_stands_alone(bounded):
    for problem, text in bounded:
        assert judged(problem, with_lower(text, number(text, "lower"))).status is Status.VERIFIED
        assert judged(problem, with_upper(text, number(text, "upper"))).status is Status.VERIFIED
        assert judged(problem, with_upper(text, 2 * number(text, "upper"))).status is Status.VERIFIED


FORGERIES = {
    "a lower end above the upper": lambda t: with_lower(t, number(t, "upper") * Fraction(10001, 10000)),
    "an upper end below the lower": lambda t: with_upper(t, number(t, "lower") * Fraction(9999, 10000)),
    "an upper end of nothing": lambda t: with_upper(t, 0),
    "ends exchanged": lambda t: edited(edited(t, "lower", lambda x: times(x, 3)), "upper", lambda x: times(x, "1/3")),
    "version 4": lambda t: t.replace("certificate 6", "certificate 4", 1),
    "a value elsewhere": lambda t: edited(t, "values", lambda x: " ".join([*x.split(" ")[:-1], "12345"])),
    "no last leaf": lambda t: "\n".join([*t.split("\n")[:-3], "end", ""]),
    "a leaf twice": lambda t: t.replace("\nend\n", "\nevaluate 0 0\nend\n"),
    "an assertion": lambda t: edited(t, "aggregate", lambda x: "open", -1),
    "all weights equal": lambda t: edited(t, "aggregate", lambda x: re.sub(r"(?<=[+-])\d+(p-?\d+)?(?= |$)", "1", x)),
    "all sides turned": lambda t: edited(
        t, "aggregate", lambda x: re.sub(r"([qm]\d+\.\d+)([+-])", lambda m: m[1] + "-+"[m[2] == "-"], x), -1
    ),
    "the first term alone": lambda t: edited(t, "aggregate", lambda x: " ".join(x.split(" ")[:2]), -1),
    "all rows but the first": lambda t: edited(
        t, "aggregate", lambda x: " ".join(["aggregate", *x.split(" ")[2:]]), -1
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_rejected(bounded, name):
    forgeries = [(problem, forged) for problem, text in bounded if (forged := FORGERIES[name](text)) != text]
    assert forgeries
    for problem, forged in forgeries:
        assert judged(problem, forged).status is Status.REJECTED


def shifted_entries(problem, factor):
    """All measurements wider by this factor."""
    found = []
    inside = 0
    for line in problem.split("\n"):
        if line.startswith("column "):
            inside = int(line.rsplit(" ", 1)[1])
            found.append(line)
        elif inside:
            inside -= 1
            low, high = map(Fraction, line.split(" "))
            half = (high - low) / 2 * Fraction(factor)
            found.append(f"{(low + high) / 2 - half} {(low + high) / 2 + half}")
        else:
            found.append(line)
    return "\n".join(found)


@pytest.mark.parametrize("factor", ["1000", "0"])
def test_other_measurements_are_another_problem(bounded, factor):
    """Wider ones spoil the lower end, exact ones the upper; the old hash spoils both."""
    for problem, text in bounded:
        other = shifted_entries(problem, factor)
        assert judged(other, text).status is Status.REJECTED
        assert judged(other, sealed(other, text)).status is Status.REJECTED


@pytest.mark.parametrize("count", [300, pytest.param(2_000, marks=pytest.mark.thorough)])
def test_no_mutation_of_a_false_claim_is_accepted(bounded, count):
    rng = random.Random(count)
    claims = [(problem, with_lower(text, number(text, "upper") * Fraction(1001, 1000))) for problem, text in bounded]
    for k in range(count):
        problem, text = claims[k % len(claims)]
        forged = mutated(text, rng)
        outcome = check(problem.encode(), forged.encode())
        assert outcome.status is Status.REJECTED, forged


def test_mutations_of_a_true_claim_get_the_same_answer(bounded):
    rng = random.Random(8)
    seen = set()
    for k in range(100):
        problem, text = bounded[k % len(bounded)]
        seen.add(
            judged(
                problem, mutated(with_lower(text, number(text, "lower") * Fraction(rng.randrange(50, 101), 100)), rng)
            ).status
        )
    assert seen == {Status.VERIFIED, Status.REJECTED}
