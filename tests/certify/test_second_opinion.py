"""A second opinion by another interval library: right certificates are not contradicted, forged ones are."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from certify.__main__ import main
from certify.checker import check
from certify.second_opinion import opinion
from certify.second_opinion.engines import ENGINES, Engine, engine
from certify.second_opinion.opinion import judged, second_opinion
from certify.second_opinion.questions import Enclosure, Kind, Question, as_data, questions

STAND_IN = """
import json, sys
from fractions import Fraction

def ends(pair):
    return tuple(Fraction(float.fromhex(end)) for end in pair)

def product(a, b):
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)

DO = {
    "add": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "sub": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "mul": product,
}
asked = json.load(sys.stdin)
answers = []
for tape, inputs in asked["rows"]:
    values = [ends(pair) for pair in inputs]
    for code, first, second in asked["tapes"][tape]["nodes"]:
        values.append(DO[code](values[first], values[second]))
    low, high = map(float, values[-1])
    answers.append([low.hex(), high.hex()])
json.dump(answers, sys.stdout)
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """Rational numbers in the place of a library that is not installed everywhere: the rows here are linear."""
    program = tmp_path / "stand_in.py"
    program.write_text(STAND_IN)
    monkeypatch.setattr(opinion, "PROGRAM", program)
    monkeypatch.setattr(opinion, "engine", lambda name: Engine(name, sys.executable, "stand-in"))


@pytest.fixture(scope="module")
def linear():
    """Three rows of one parameter that fit none: a lower end, an upper end, and hulls of another bound."""
    answer = certify.linear([[1.0], [1.0], [2.0]], [0.0, 1.0, 3.0], "0.25")
    return b"".join(answer.problem.canonical()), dict(answer.documents)


def test_right_certificates_are_not_contradicted(linear, stand_in):
    problem, documents = linear
    assert "error-lower" in documents
    for text in documents.values():
        said = second_opinion(problem, text, "codac")
        assert said.contradicted == ()
        assert said.confirmed + said.neither > 0
    assert second_opinion(problem, documents["error-upper"], "codac").confirmed == 3


def test_boxes_of_zeros_are_told_to_be_passed_over():
    """Krawczyk's test of them is repeated by nobody."""
    (document,) = certify.solve("Variables x in [-3, 3]; Constraints x^2 = 2; end", workers=1).documents
    asked = questions(document.canonical, document.certificate)
    assert asked.asked and asked.passed_over == 2


@pytest.mark.parametrize("level", ["5", "100"])
def test_a_lower_end_that_is_too_high_is_contradicted(linear, stand_in, level):
    """The checker rejects it, too; here it is the other library alone that finds the point."""
    problem, documents = linear
    text = documents["error-lower"].decode().splitlines()
    forged = "\n".join(f"lower {level}" if line.startswith("lower ") else line for line in text) + "\n"
    assert check(problem, forged.encode()).status.name == "REJECTED"
    assert second_opinion(problem, forged.encode(), "codac").contradicted


def test_an_upper_end_that_is_too_low_is_contradicted(linear, stand_in):
    problem, documents = linear
    text = documents["error-upper"].decode().splitlines()
    forged = "\n".join("upper 1/1000" if line.startswith("upper ") else line for line in text) + "\n"
    assert second_opinion(problem, forged.encode(), "codac").contradicted


def row(bound):
    return Enclosure(0, (), Fraction(bound))


@pytest.mark.parametrize(
    ("kind", "answers", "said"),
    [
        (Kind.LEAF, [(Fraction(2), Fraction(3))], True),
        (Kind.LEAF, [(Fraction(0), Fraction(3))], None),
        (Kind.LEAF, [(Fraction(0), Fraction(1))], False),
        (Kind.LEAF, [(None, None)], None),
        (Kind.LEAF, [(Fraction(2), None)], True),
        (Kind.LEAF, [None], None),
        (Kind.POINTS, [(Fraction(0), Fraction(1)), (Fraction(-1), Fraction(1))], False),
        (Kind.POINTS, [(Fraction(0), Fraction(1)), (Fraction(0), Fraction(2))], None),
        (Kind.POINTS, [(Fraction(2), Fraction(2))], None),
        (Kind.WITNESS, [(Fraction(-9), Fraction(1)), (Fraction(-1), Fraction(9))], True),
        (Kind.WITNESS, [(Fraction(2), Fraction(3)), (Fraction(2), Fraction(3))], False),
        (Kind.WITNESS, [(Fraction(0), Fraction(0)), (Fraction(-3), Fraction(-2))], False),
        (Kind.WITNESS, [(Fraction(0), Fraction(2)), (Fraction(0), Fraction(2))], None),
        (Kind.WITNESS, [None, (Fraction(0), Fraction(0))], None),
    ],
)
def test_what_enclosures_say(kind, answers, said):
    question = Question(kind, "here", tuple(row(1) for _ in answers))
    assert judged(question, answers) is said


def test_ends_are_rounded_outwards(linear):
    problem, documents = linear
    asked = questions(problem, documents["error-upper"])
    data = as_data(asked)
    flat = [one for question in asked.asked for one in question.enclosures]
    assert len(flat) == len(data["rows"])
    for one, (_, inputs) in zip(flat, data["rows"], strict=True):
        for exact, (low, high) in zip(one.inputs, inputs, strict=True):
            assert Fraction(float.fromhex(low)) <= exact[0] <= exact[1] <= Fraction(float.fromhex(high))
    json.dumps(data)


@pytest.mark.thorough
def test_engines_that_are_found_answer(linear):
    """Those of this machine; where none is, the message says how to get one."""
    problem, documents = linear
    for name in ENGINES:
        if engine(name).python is None:
            with pytest.raises(certify.InputError, match="was not found by any interpreter here"):
                second_opinion(problem, documents["error-lower"], name)
        else:
            assert second_opinion(problem, documents["error-lower"], name).contradicted == ()
            weaker = "\n".join(
                "lower 1/8" if line.startswith("lower ") else line
                for line in documents["error-lower"].decode().splitlines()
            )
            said = second_opinion(problem, (weaker + "\n").encode(), name)
            assert (said.contradicted, said.confirmed, said.neither) == ((), 1, 0)


def test_an_engine_that_fails_is_told(linear, stand_in, tmp_path, monkeypatch):
    problem, documents = linear
    broken = tmp_path / "broken.py"
    broken.write_text("raise SystemExit('no licence')")
    monkeypatch.setattr(opinion, "PROGRAM", broken)
    with pytest.raises(certify.InputError, match="no licence"):
        second_opinion(problem, documents["error-lower"], "codac")


def test_the_command_says_what_the_engine_says(linear, stand_in, tmp_path, capsys):
    problem, documents = linear
    (tmp_path / "problem.canonical").write_bytes(problem)
    (tmp_path / "upper.cert").write_bytes(documents["error-upper"])
    words = ["check", str(tmp_path / "problem.canonical"), str(tmp_path / "upper.cert"), "--engine", "codac"]
    assert main(words) == 0
    assert "it confirms 3, contradicts none" in capsys.readouterr().out
    assert main(["engines"]) == 0
    assert "pyibex" in capsys.readouterr().out


def test_a_contradiction_is_a_rejection(linear, monkeypatch, tmp_path, capsys):
    problem, documents = linear
    said = opinion.Opinion("codac", "stand-in", 1, 0, 0, ("node 0",))
    monkeypatch.setattr(opinion, "second_opinion", lambda *_: said)
    (tmp_path / "problem.canonical").write_bytes(problem)
    (tmp_path / "upper.cert").write_bytes(documents["error-upper"])
    words = ["check", str(tmp_path / "problem.canonical"), str(tmp_path / "upper.cert"), "--engine", "codac"]
    assert main(words) == 1
    assert "CONTRADICTS 1: node 0" in capsys.readouterr().out
    assert replace(said, contradicted=()).contradicted == ()


def test_the_program_of_engines_is_plain_python():
    """Nothing of ours is imported there, and no syntax that Python 3.6 does not know."""
    import ast

    from certify.second_opinion.opinion import PROGRAM

    for path in (PROGRAM, PROGRAM.with_name("engine_sums.py")):
        ast.parse(path.read_text(), feature_version=(3, 6))
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, check=False, input="{}")
    assert done.returncode != 0
