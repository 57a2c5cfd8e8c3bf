"""Certificates of systems of equations: made, checked by a separate process, and forged."""

import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from commands import run

pytest.importorskip("flint", reason="the second checker needs python-flint")

import certify
import certify.systems.solve as solve_module
from certify.checker.certificate import parse_certificate
from certify.checker_arb import check as second_check
from certify.checks.checking import CHECKER
from certify.claims.system_claims import certified_claim, coverage
from certify.explaining.explanation import explain
from certify.explaining.explanation_text import text as text_of
from certify.explaining.explanation_words import Files
from certify.problems.minibex import parse_minibex
from certify.problems.model.canonical import canonical_bytes, digest
from certify.problems.systems.system_canonical import canonical_problem
from certify.proofs import system_replay
from certify.proofs.system_certificate import certify_system
from certify.questions.system_search import search, warm_up_systems
from certify.solvers.limits import UNLIMITED, Late, Stopped
from certify.solvers.search.branch_and_prune import SearchOptions
from certify.solvers.search.proof_search import ProofSearch
from certify.systems.system_answer import certified_system

CIRCLE = "Variables x in [-3, 3]; y in [-3, 3]; Constraints x^2 + y^2 = 4; y = x/2 + 1/3; end"
SYSTEMS = {
    "a box around the solution that is nearly as large as the domain": (
        "Variables x in [-50, 50]; y in [-50, 50]; Constraints tanh(x) = y; x + y = 1.2; end",
        1,
    ),
    "circle and line": (CIRCLE, 2),
    "cubic": ("Variables x in [-3, 3]; Constraints x^3 - 2*x + 1/4 = 0; end", 3),
    "sine, cosine and root": (
        "Variables x in [0.1, 4]; y in [-2, 3]; Constraints sin(x) + cos(y)*sqrt(x) = 1/2; y + x^2/7 - "
        "sqrt(x) = 0; end",
        None,
    ),
    "quotients and negative powers": (
        "Variables x in [1/3, 5]; y in [0.2, 7]; Constraints x/y + y^-2 = 2; x*y^3 = 1.7; end",
        None,
    ),
    "a large box": ("Variables x in [-1e8, 1e8]; y in [-1e8, 1e8]; Constraints x^2*y = 2; x + y = 3; end", 3),
    "no solution": ("Variables x in [-3, 3]; y in [-3, 3]; Constraints x^2 + y^2 = 4; x + y = 5; end", 0),
    "a number that is none": (
        "Variables x in [1/3, 2/3]; y in [0, 2*pi]; Constraints cos(y) = x; sin(y) = 3*x/2; end",
        1,
    ),
    "shared tapes and several variables": (
        "Variables x[4] in [-5, 5]; Constraints x(1)^2 + x(2) = 1; x(2)^2 + x(3) = 1; x(3)^2 + x(4) = "
        "1; x(4)^2 + x(1) = 2; end",
        None,
    ),
    "exp and circle": ("Variables x in [-3, 3]; y in [-3, 3]; Constraints exp(x) + y = 2; x^2 + y^2 = 4; end", 2),
    "a double exp": ("Variables x in [-4, 2]; y in [-1, 8]; Constraints y = exp(x); exp(y/4) = y + x/3; end", None),
    "log and atan": ("Variables x in [0.1, 5]; y in [-5, 5]; Constraints log(x) + atan(y) = 1/2; x*y = 1; end", 1),
    "log, a large box": ("Variables x in [1e-6, 1e6]; Constraints x*log(x) = 7; end", 1),
    "no solution of exp": ("Variables x in [-30, 30]; Constraints exp(x) = x; end", 0),
    "tan, asin and hyperbolic functions": (
        "Variables x in [-1, 1]; y in [-1, 1]; Constraints tan(x) + sinh(y) = 1/2; asin(x/2) - cosh(y)/3 = -1/4; end",
        1,
    ),
    "max, tanh and acosh": (
        "Variables x in [-1, 4]; y in [-3, 3]; Constraints max(x, y) = 1; tanh(x) + acosh(2 + y^2) = 2; end",
        1,
    ),
    "abs, asinh, atanh and acos": (
        "Variables x in [-0.9, 0.9]; y in [-3, 3]; Constraints abs(x - 2*y) + asinh(y) = 1; atanh(x) + "
        "acos(y/4) = 2; end",
        2,
    ),
    "constraints that are written twice": (
        "Variables x in [-2, 3]; y in [-2, 3]; Constraints x^2 + y^2 = 1; x = y; x - y = 0; x^2 + y^2 = "
        "1; x <= 2; x <= 2; end",
        2,
    ),
    "tiny domains": ("Variables x in [-2e-7, 3e-7]; y in [-2, 3]; Constraints 1e14*x^2 + y^2 = 1; 1e7*x = y; end", 2),
}


def judged(folder: Path, canonical: bytes, certificate: bytes) -> tuple[int, str]:
    """The checker's exit code and words, in a process of its own."""
    (folder / "problem").write_bytes(canonical)
    (folder / "cert").write_bytes(certificate)
    command = [sys.executable, "-I", "-S", str(CHECKER), str(folder / "problem"), str(folder / "cert")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def made(text, seconds=30.0):
    warm_up_systems()
    system = parse_minibex(text)
    answer = search(system, SearchOptions(time_limit=seconds))
    return answer, certify_system(system, answer.paving, 30.0)


AT_AN_EDGE = {
    "log at 0": ("Variables x in [-1, 2]; Constraints log(x) = -2; end", 1),
    "log of a difference": ("Variables x in [-1, 2]; y in [-1, 2]; Constraints log(x - y) = y; x + y = 1; end", 1),
    "a divisor through 0": ("Variables x in [-0.9, 1.1]; Constraints 1/x = 3; end", 1),
    "a divisor that is a difference": (
        "Variables x in [-1, 1]; y in [-2, 2]; Constraints 1/(x - y) = 5; x + y = 1; end",
        1,
    ),
    "quotients of quotients": (
        "Variables x in [-1, 2]; y in [-2, 2]; Constraints x/(y - 1/x) = 2; y = x^2 - 1/3; end",
        None,
    ),
    "the square of a quotient": (
        "Variables x in [-1, 2]; y in [-2, 2]; Constraints (1/x - y)^2 = 2; y = x + 1/(y + 3); end",
        None,
    ),
    "a quotient within a root": ("Variables x in [-1, 2]; Constraints sqrt(1/x) = 3*x; end", 1),
    "tan over its poles": ("Variables x in [0.5, 9]; Constraints tan(x) = x; end", 2),
    "a root that is too negative": ("Variables x in [-9, -2]; Constraints sqrt(x + 1) = x; end", 0),
    "a logarithm of nothing": ("Variables x in [-9, 0]; y in [0, 1]; Constraints log(x) = y; y = 0.5; end", 0),
    "atan2 to the right": ("Variables x in [1, 2]; Constraints atan2(x, 2) = 1/2; end", 1),
    "atan2 above": ("Variables x in [-1, 2]; y in [1, 2]; Constraints atan2(y, x) = 1.2; x = y/3; end", 0),
    "atan2 below": ("Variables x in [-1, 2]; y in [-2, -1]; Constraints atan2(y, x) = -1; y = -1.1 - x/3; end", 1),
    "half powers": ("Variables x in [-1, 2]; Constraints x^2.5 = 1.5; end", 1),
    "quarter powers in a divisor": ("Variables x in [-1, 2]; Constraints x^(-0.25) = 1.5; end", 1),
    "third powers": ("Variables x in [0.1, 2]; y in [-1, 2]; Constraints x^(1/3) = y; x^y = 1.1; end", None),
    "negative third powers": ("Variables x in [0, 2]; Constraints x^(-1/3) = 1.1; end", 1),
    "a whole exponent that is no number in the formula": (
        "Variables x in [-1, 1]; Constraints x^2 = 0.25; x^(2*cos(0)) <= 1; end",
        1,
    ),
    "an exponent of 0 that is none in the formula": (
        "Variables x in [-1, 1]; Constraints x^2 = 0.25; x^sin(0) >= 0.5; end",
        1,
    ),
    "the sign of what is not always defined": (
        "Variables x in [-1, 1]; Constraints x^2 = 0.25; sign(sqrt(x) + 1) >= 0.5; end",
        1,
    ),
    "equations of numbers": ("Variables x in [0, 4]; Constraints 2 = 2; x = 1; cos(0) = 1; 1 <= 2; end", 1),
    "a known sign": ("Variables x in [0.5, 2]; Constraints sign(x)*x = 1.5; end", 1),
}


UNBOUNDED = {
    "a cubic": ("Variables x; Constraints x^3 = 2; end", 1),
    "a circle and a hyperbola": ("Variables x; y; Constraints x^2 + y^2 = 2; x*y = 1/2; end", 4),
    "sine and line": ("Variables x; y; Constraints sin(x) = y; x = 3*y; end", 3),
    "none": ("Variables x; Constraints x^2 + 1 = 0; end", 0),
    "from 1 on": ("Variables x in [1, +oo]; y in [-oo, 3]; Constraints x^2 + y = 5; x*y = -1/2; end", None),
    "beside a bounded one": ("Variables x; y in [0, 2]; Constraints x*y = 3; x = y^3; end", 1),
}


BESIDE = {
    "one of two": ("Variables x in [-2, 2]; y in [-2, 2]; Constraints x^2 + y^2 = 2; x = y; x >= 0.3; end", 1),
    "none of two": ("Variables x in [-2, 2]; y in [-2, 2]; Constraints x^2 + y^2 = 2; x = y; x*y <= 0.3; end", 0),
    "between inequalities": ("Variables x in [-9, 9]; Constraints x <= 3; sin(x) = 0.3; x >= -1; end", 2),
    "an inequality without bounds": ("Variables x in [-2, 2]; Constraints log(x + 1) <= 0.5; x^2 = 1/4; end", 2),
    "an inequality that is undefined at one": ("Variables x in [-2, 2]; Constraints sqrt(x) >= 0.1; x^2 = 1/4; end", 1),
    "an inequality that is needed": (
        "Variables x in [-1e6, 1e6]; y in [-1e6, 1e6]; Constraints x^3 = y; y^3 = x; x - y >= 1e-3; end",
        0,
    ),
}


APART = {
    "two pairs": (
        "Variables x[4] in [-3, 3]; Constraints x(1)^2 + x(3)^2 = 4; x(2)*x(4) = 1/3; x(3) = x(1)/2; "
        "x(2)^2 + x(4) = 2; end",
        6,
    ),
    "an inequality in one, no bounds in another": (
        "Variables x in [-2, 2]; y; z in [-2, 2]; Constraints y^3 = 2; x^2 = z; x + z <= 1; z = 1/4; end",
        2,
    ),
    "one without solution": (
        "Variables x[3] in [-3, 3]; Constraints x(2)^2 = 2; x(1)*x(3) = 9; x(1) + x(3) = 5; end",
        0,
    ),
    "tiny domains in one": (
        "Variables x in [-2e-7, 3e-7]; y in [-2, 3]; z in [-4, 4]; Constraints 1e14*x^2 + y^2 = 1; sin(z) = 1/3; "
        "1e7*x = y; end",
        6,
    ),
}


COUNTED = {**SYSTEMS, **AT_AN_EDGE, **UNBOUNDED, **BESIDE, **APART}


@pytest.mark.parametrize("name", COUNTED)
def test_the_solutions_are_counted(name, tmp_path):
    text, count = COUNTED[name]
    answer, found = made(text)
    assert found.reason == ""
    assert answer.complete
    assert count is None or len(answer.paving.solutions) == count
    code, words = judged(tmp_path, found.canonical, found.certificate)
    assert code == 0, words
    solutions = len(answer.paving.solutions)
    assert (f"in all rows is exactly {solutions}" if solutions else "in all rows |r| is <= lower = 0") in words
    many = "1 point of the domain solves" if solutions == 1 else f"{solutions} points of the domain solve"
    assert certified_claim(found.proves).startswith(
        f"exactly {many} it" if solutions else "no point of the domain solves it"
    )
    assert second_check(found.canonical, found.certificate).status.name == "VERIFIED"
    assert found.canonical == canonical_bytes(canonical_problem(parse_minibex(text)))


@pytest.mark.parametrize("name", APART)
def test_groups_without_common_variables_are_proved_apart(name, monkeypatch):
    """No search for a proof sees more than one group, and each tree is found once."""
    searched, prove = [], ProofSearch.prove
    monkeypatch.setattr(ProofSearch, "prove", lambda search, box: searched.append(box.lower.size) or prove(search, box))
    answer, found = made(APART[name][0])
    assert found.counts
    assert len(searched) == len(answer.paving.apart)
    assert max(searched) < len(answer.system.variables)


SURE = ("circle and line", "sine, cosine and root", "quotients and negative powers", "exp and circle", "a large box")


@pytest.mark.parametrize("name", SURE)
def test_what_the_search_is_sure_of_the_checkers_arithmetic_confirms(name, monkeypatch):
    """The same certificate, whether its leaves are judged before they are written or not; few are judged else."""
    judged_leaves = []
    holds = system_replay.ProofReplay._holds
    monkeypatch.setattr(
        system_replay.ProofReplay, "_holds", lambda *words: judged_leaves.append(words) or holds(*words)
    )
    answer, found = made(SYSTEMS[name][0])
    few = len(judged_leaves)
    again = certify_system(answer.system, answer.paving, 30.0, every=True)
    assert again.certificate == found.certificate
    assert few <= 0.1 * (len(judged_leaves) - few)


@pytest.mark.parametrize("steps", [1, 150, 201])
def test_what_a_limit_breaks_off_stays_open(steps, monkeypatch, tmp_path):
    """Whatever was half written: the tree is complete, and what is claimed of it is true."""
    step, count, replays = system_replay.ProofReplay._step, [], {}

    def late_in_between(replay, *todo):
        replays[id(replay)] = replay
        later = step(replay, *todo)
        count.append(1)
        if len(count) == steps:
            raise Late(Stopped.TIME)
        return later

    monkeypatch.setattr(system_replay.ProofReplay, "_step", late_in_between)
    _, found = made("Variables x in [-2, 2]; y in [-1, 1]; Constraints x^2 + y^2 = 2; x*x*y >= 0.1; end", 1.0)
    assert len(count) >= steps
    for replay in replays.values():
        written = [line for line in replay.found if isinstance(line, str)]
        assert replay.refuted == sum(line.startswith(("evaluate", "aggregate")) for line in written)
        assert len(replay.left) == written.count("open")
    assert found.reason or judged(tmp_path, found.canonical, found.certificate)[0] == 0
    assert found.reason == "" or steps < 200


def test_a_certificate_that_the_checker_refuses_is_made_again(monkeypatch):
    """Were the search wrong about what it is sure of, the answer would still be proved."""
    asked = []

    def forged(found, seconds, progress=None, limit=UNLIMITED, every=False, *others):
        asked.append(every)
        answer = certified_system(found, seconds, progress, limit, every, *others)
        wrong = answer.made.certificate if every else answer.made.certificate.replace(b"known 0", b"known 1")
        return replace(answer, made=replace(answer.made, certificate=wrong))

    monkeypatch.setattr(solve_module, "certified_system", forged)
    answer = certify.solve(CIRCLE)
    assert asked == [False, True]
    assert answer.verified and answer.count == 2


NONE = {
    "more equations": "Variables x in [-2, 2]; Constraints x^2 = 2; x^3 = 2.9; end",
    "fewer equations": "Variables x in [-2, 2]; y in [-2, 2]; Constraints x^2 + y^2 = 20; end",
    "an equation and an inequality": "Variables x in [-2, 2]; y in [-2, 2]; Constraints x^2 + y^2 = 2; x + y >= 2.01; "
    "end",
    "an equation of numbers": "Variables x in [0, 4]; Constraints x = 1; 2 = 3; end",
    "more variables than can be counted, square": "Variables x[70] in [0, 1]; Constraints for i=1:70; x(i) = 1.5; end; "
    "end",
    "more variables than can be counted": "Variables x[70] in [-1, 1]; Constraints x(1) + x(70) = 3; x(2) = 0; end",
}


@pytest.mark.parametrize("name", NONE)
def test_no_solution_is_certified_for_any_number_of_equations(name, tmp_path):
    answer, found = made(NONE[name], 5.0)
    assert coverage(answer, found.proves) == "the box holds no solution"
    assert certified_claim(found.proves) == "no point of the domain solves it"
    code, words = judged(tmp_path, found.canonical, found.certificate)
    assert code == 0 and "for no unknowns and measurements within their bounds in all rows |r| is <= lower = 0" in words
    assert second_check(found.canonical, found.certificate).status.name == "VERIFIED"


LEFT = {
    "a double solution": ("Variables x in [-1, 2]; Constraints x^2 = 0; end", 1e-3, [(0.0,)]),
    "a solution on the boundary": ("Variables x in [0, 2]; Constraints x*(x - 1.3) = 0; end", 1e-3, [(0.0,), (1.3,)]),
    "a singular solution": (
        "Variables x in [-1, 2]; y in [-1, 2]; Constraints x*y = 0; x*(y - 1) + y*x = 0; end",
        0.1,
        [(0.0, 0.5), (0.0, 2.0)],
    ),
    "more equations than unknowns": ("Variables x in [-2, 2]; Constraints x^2 = 1; x^3 = 1; end", 1e-9, [(1.0,)]),
    "a line": (
        "Variables x in [-1, 2]; y in [0, 1]; Constraints x + y = 1/2; end",
        0.05,
        [(-0.5, 1.0), (0.5, 0.0), (0.25, 0.25)],
    ),
    "half a circle": (
        "Variables x in [-2, 2]; y in [-2, 2]; Constraints x^2 + y^2 = 4; x >= 0; end",
        0.05,
        [(0.0, 2.0), (2.0, 0.0)],
    ),
    "an undefined point that would be a solution": (
        "Variables x in [-1, 2]; Constraints (x^2 - x)/x = 0; end",
        1e-9,
        [(1.0,)],
    ),
    "a curve to the edge": ("Variables x in [-1, 2]; y in [-1, 2]; Constraints log(x) = y; end", 0.05, [(1.0, 0.0)]),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", LEFT)
def test_what_is_undecided_is_enclosed(name, tmp_path):
    """The boxes that the tree leaves open contain the solutions, and not much else."""
    text, most, points = LEFT[name]
    warm_up_systems()
    system = parse_minibex(text)
    answer = search(system, SearchOptions(cell_limit=20_000))
    assert not answer.complete
    found = certify_system(system, answer.paving, 10.0)
    assert found.reason == ""
    assert certified_claim(found.proves).startswith("all its solutions in the domain lie in ")
    code, words = judged(tmp_path, found.canonical, found.certificate)
    assert code == 0, words
    volume = Fraction(words.split("these have a volume <= ")[1].split(";")[0].strip())
    sizes = [variable.upper - variable.lower for variable in system.variables]
    assert 0 <= volume <= most * math.prod(sizes)
    assert second_check(found.canonical, found.certificate).status.name == "VERIFIED"
    hull = parse_certificate(found.certificate).hull.box
    for point in points:
        assert all(low <= Fraction(value) <= high for value, (low, high) in zip(point, hull, strict=True))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Variables x in [-1, 2]; Constraints sign(x)*x = 1.5; end", "can state only where its number is never 0"),
        (
            "Variables x in [1, 2]; Constraints atan2(x - 1.5, -2) = 1/2; end",
            "always positive, or its first one never 0",
        ),
        ("Variables x in [-1, 2]; Constraints x^(1/3) = 1.5; end", "can state only where its base is always positive"),
        (
            "Variables x in [-1, 2]; y in [0, 1]; Constraints x^y = 1.5; x = y; end",
            "can state only where its base is always positive",
        ),
        (
            "Variables x in [0, 1]; Constraints x*(3*cos(0))^5000 = 1; end",
            "has numbers of more digits than certificates can have",
        ),
        (
            "Variables x in [-1e400, 1e400]; Constraints x = 1; end",
            "larger or narrower than numbers of double precision can say",
        ),
        (
            "Variables x in [0, 1e-400]; Constraints 2*x = 1e-400; end",
            "larger or narrower than numbers of double precision can say",
        ),
    ],
)
def test_what_has_no_certificate_says_why(text, reason):
    system = parse_minibex(text)
    found = certify_system(system, search(system, SearchOptions(time_limit=2.0)).paving, 30.0)
    assert (found.canonical, found.certificate) == (b"", b"")
    assert reason in found.reason
    assert "time" not in found.reason


def test_a_search_that_ran_out_of_time_has_little_to_say():
    system = parse_minibex(CIRCLE)
    found = certify_system(system, search(system, SearchOptions(time_limit=1e-9)).paving, 0.0)
    assert (
        found.reason == "its time ran out before there was a proof (in 0 s; with a longer time limit there may be one)"
    )


def test_a_solution_on_the_boundary_is_certified_or_refused_but_never_wrong(tmp_path):
    _, found = made("Variables x in [1, 2]; y in [-2, 2]; Constraints x^2 + y = 1; x = 1 + y; end")
    assert found.reason or judged(tmp_path, found.canonical, found.certificate)[0] == 0


def test_a_time_limit_ends_in_no_certificate():
    system = parse_minibex(CIRCLE)
    found = certify_system(system, search(system).paving, 0.0)
    assert found.certificate == b""
    assert "time ran out" in found.reason


def test_a_variable_of_no_equation_is_part_of_the_claim():
    problem = canonical_problem(parse_minibex("Variables x in [0, 1]; y in [0, 1]; Constraints x^2 = 2; x^3 = 7; end"))
    assert {binding.index for family in problem.families for binding in family.bindings} == {0, 1}


def test_names_become_names_of_certificates():
    system = parse_minibex("Variables x[2] in [0, 1]; _y in [0, 1]; Constraints x(1) = 1/2; x(2) = 1/3; _y = 1/4; end")
    names = [variable.name for variable in canonical_problem(system).variables]
    assert len(set(names)) == 3
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]{0,63}", name) for name in names)


# forgeries of the certificate of two circles' intersections


@pytest.fixture(scope="module")
def certified():
    answer, found = made("Variables x in [-3, 3]; y in [-3, 3]; Constraints x^2 + 2*y^2 = 4; x*y = 1/2; end")
    assert len(answer.paving.solutions) == 4
    return found.canonical, found.certificate.decode()


def lines_of(text, word):
    return [number for number, line in enumerate(text.split("\n")) if line.split(" ")[0] == word]


def with_line(text, number, line):
    lines = text.split("\n")
    lines[number : number + 1] = [] if line is None else [line]
    return "\n".join(lines)


def without_zero(text, which):
    """One zero removed, with N and the numbers of the others repaired."""
    zero = lines_of(text, "zero")[which]
    text = with_line(with_line(text, zero + 1, None), zero, None).replace("zeros 4\n", "zeros 3\n")
    return re.sub(r"^known (\d+)$", lambda m: f"known {max(int(m[1]) - (int(m[1]) > which), 0)}", text, flags=re.M)


def token(text, word, which, place, change):
    number = lines_of(text, word)[which]
    words = text.split("\n")[number].split(" ")
    words[place] = change(words[place])
    return with_line(text, number, " ".join(words))


def negated(word):
    return word[1:] if word.startswith("-") else f"-{word}"


def leaf_dropped(text, which):
    """A split loses its lower leaf, so that the tree would be complete with one case less."""
    lines = text.split("\n")
    splits = [
        n
        for n, line in enumerate(lines)
        if line.startswith("split") and lines[n + 1].split(" ")[0] in ("evaluate", "known")
    ]
    number = splits[which]
    return "\n".join(lines[:number] + lines[number + 2 :])


FORGERIES = {
    "a zero removed": lambda t: without_zero(t, 0),
    "the last zero removed": lambda t: without_zero(t, 3),
    "N too small": lambda t: t.replace("zeros 4\n", "zeros 3\n"),
    "N too large": lambda t: t.replace("zeros 4\n", "zeros 5\n"),
    "N of none": lambda t: t.replace("zeros 4\n", "zeros none\n"),
    "a zero twice": lambda t: with_line(t, lines_of(t, "zero")[1], t.split("\n")[lines_of(t, "zero")[0]]),
    "Y moved": lambda t: token(token(t, "zero", 0, 1, lambda _: "1"), "zero", 0, 2, lambda _: "3p-1"),
    "Y turned over": lambda t: token(t, "zero", 0, 1, lambda _: "3"),
    "Y too wide": lambda t: token(token(t, "zero", 1, 3, lambda _: "-3"), "zero", 1, 4, lambda _: "3"),
    "C negated": lambda t: token(t, "inverse", 2, 1, negated),
    "C of zeros": lambda t: with_line(t, lines_of(t, "inverse")[0], "inverse 0 0 0 0"),
    "C too short": lambda t: with_line(t, lines_of(t, "inverse")[0], "inverse 1 0 1"),
    "known of another zero": lambda t: token(t, "known", 0, 1, lambda word: str((int(word) + 1) % 4)),
    "known of no zero": lambda t: token(t, "known", 0, 1, lambda _: "4"),
    "known where a row refutes": lambda t: with_line(t, lines_of(t, "evaluate")[0], "known 0"),
    "a row that does not refute": lambda t: with_line(t, lines_of(t, "known")[0], "evaluate 0 0"),
    "an open leaf": lambda t: with_line(t, lines_of(t, "known")[0], "open"),
    "a leaf dropped": lambda t: leaf_dropped(t, 0),
    "the last leaf dropped": lambda t: with_line(t, len(t.split("\n")) - 3, None),
    "a leaf too many": lambda t: t.replace("\nend\n", "\nknown 0\nend\n"),
    "another precision": lambda t: t.replace("precision 112", "precision 63"),
    "fewer rows": lambda t: t.replace("0 1 equation1 equation2", "0 1 equation1"),
    "a point": lambda t: t.replace("\nbox\n", "\npoint 1 1/2\n"),
    "another claim beside it": lambda t: t.replace("lower none", "lower 1"),
}


def test_the_certificate_to_be_forged_is_accepted(certified, tmp_path):
    code, words = judged(tmp_path, certified[0], certified[1].encode())
    assert code == 0, words


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_rejected(name, certified, tmp_path):
    forged = FORGERIES[name](certified[1])
    assert forged != certified[1]
    code, words = judged(tmp_path, certified[0], forged.encode())
    assert code == 1, words
    assert "REJECTED" in words


@pytest.mark.parametrize("change", [("-3 3", "-3 7/2"), ("const 1/2", "const 49/100"), ("v0 v1", "v1 v0")])
def test_a_certificate_is_for_its_problem_only(change, certified, tmp_path):
    other = certified[0].replace(change[0].encode(), change[1].encode(), 1)
    assert other != certified[0]
    assert judged(tmp_path, other, certified[1].encode())[0] == 1


def test_a_wider_box_with_further_solutions_is_rejected(tmp_path):
    _, found = made("Variables x in [0, 2]; Constraints x^2 = 2; end")
    wider = found.canonical.replace(b"x 1 0 2", b"x 1 -2 2")
    resealed = found.certificate.replace(digest(found.canonical).encode(), digest(wider).encode())
    assert judged(tmp_path, found.canonical, found.certificate)[0] == 0
    assert judged(tmp_path, wider, resealed)[0] == 1


# the command line


@pytest.mark.thorough
def test_a_run_writes_its_certificate_and_a_check_translates_anew(tmp_path):
    path, folder = tmp_path / "system.bch", tmp_path / "out"
    path.write_text(CIRCLE)
    done = run("run", path, "--out", folder, "--quiet")
    assert done.returncode == 0, done.stderr
    assert "certificate verified by a separate process" in done.stdout
    told = json.loads((folder / "result.json").read_text())["certificate"]
    assert told["verified"] is True
    assert told["bytes"] == (folder / "solutions.cert").stat().st_size
    assert run("check", path, folder / "solutions.cert").returncode == 0
    assert run("check", folder / "problem.canonical", folder / "solutions.cert").returncode == 0
    damaged = tmp_path / "damaged.cert"
    for change, hint in (
        (lambda data: data.replace(b"\n", b"\r\n"), "converted on its way"),
        (lambda data: data[:-20], "cut short"),
    ):
        damaged.write_bytes(change((folder / "solutions.cert").read_bytes()))
        done = run("check", folder / "problem.canonical", damaged)
        assert done.returncode == 1 and hint in done.stdout
    done = run("check", folder / "problem.canonical", damaged, "--seconds", "-1")
    assert done.returncode == 2 and "no whole number of seconds" in done.stderr
    path.write_text(CIRCLE.replace("1/3", "1/4"))
    assert run("check", path, folder / "solutions.cert").returncode == 1
    path.write_text(CIRCLE.replace("x^2", "atan2(x, y)"))
    refused = run("check", path, folder / "solutions.cert")
    assert refused.returncode == 2
    assert "uses atan2" in refused.stderr
    done = run("run", path, "--out", folder, "--json", "--quiet")
    assert done.returncode == 3  # the engine's answer alone is no claim
    assert "uses atan2" in json.loads(done.stdout)["certificate"]["reason"]
    assert not (folder / "solutions.cert").exists()
    assert not (folder / "problem.canonical").exists()


def test_a_certificate_that_takes_too_long_says_what_helps():
    warm_up_systems()
    system = parse_minibex(
        "Variables x[4] in [-5, 5]; Constraints x(1)^2 + x(2) = 1; x(2)^2 + x(3) = 1; x(3)^2 + x(4) = "
        "1; x(4)^2 + x(1) = 2; end"
    )
    found = certify_system(system, search(system).paving, 0.001)
    assert found.certificate == b""
    assert found.reason.endswith("(in 0.001 s; with a longer time limit there may be one)")


def told(text):
    """What is claimed and how it is proved, in words."""
    _, found = made(text, 5.0)
    files = Files("solutions.cert", "problem.canonical", "The file beside it,", (), "certify check")
    return " ".join(text_of(explain(found.canonical, found.certificate), files).split())


@pytest.mark.thorough
def test_systems_with_inequalities_are_explained_as_such():
    words = told(BESIDE["one of two"][0])
    assert "the system of 2 equations and 1 inequality in 2 unknowns has exactly 1 solution" in words
    assert "equation1: x^2 + y^2 - 2 is 0" in words
    assert "inequality3: x - 0.3 is from 0 to 3" in words
    assert "The inequalities are proved to hold at every point where it may be." in words
    assert "measurement" not in words
    words = told(NONE["an equation and an inequality"])
    assert "No point of the search box satisfies all 2 conditions." in words
    assert "All points of the search box that satisfy all 2 conditions lie in their hull" in told(
        LEFT["half a circle"][0]
    )
    assert "No values of the 1 unknown in the search box explain the equation exactly" in told(
        AT_AN_EDGE["a root that is too negative"][0]
    )
