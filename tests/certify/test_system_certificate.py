"""Certificates of systems of equations: made, checked by a separate process, and forged."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("flint", reason="the second checker needs python-flint")

from certify.checker_arb import check as second_check
from certify.checking import CHECKER
from certify.solving import solve, warm_up_systems
from certify.system_certificate import certify_system
from problems.canonical import canonical_bytes, digest
from problems.minibex import parse_minibex
from problems.system_canonical import canonical_problem
from solvers.branch_and_prune import Options

CIRCLE = "Variables x in [-3, 3]; y in [-3, 3]; Constraints x^2 + y^2 = 4; y = x/2 + 1/3; end"
SYSTEMS = {
    "a box around the solution that is nearly as large as the domain": (
        "Variables x in [-50, 50]; y in [-50, 50]; Constraints tanh(x) = y; x + y = 1.2; end",
        1,
    ),
    "circle and line": (CIRCLE, 2),
    "cubic": ("Variables x in [-3, 3]; Constraints x^3 - 2*x + 1/4 = 0; end", 3),
    "sine, cosine and root": (
        "Variables x in [0.1, 4]; y in [-2, 3]; Constraints sin(x) + cos(y)*sqrt(x) = 1/2; y + x^2/7 - sqrt(x) = 0; end",
        None,
    ),
    "quotients and negative powers": ("Variables x in [1/3, 5]; y in [0.2, 7]; Constraints x/y + y^-2 = 2; x*y^3 = 1.7; end", None),
    "a large box": ("Variables x in [-1e8, 1e8]; y in [-1e8, 1e8]; Constraints x^2*y = 2; x + y = 3; end", 3),
    "no solution": ("Variables x in [-3, 3]; y in [-3, 3]; Constraints x^2 + y^2 = 4; x + y = 5; end", 0),
    "a number that is none": ("Variables x in [1/3, 2/3]; y in [0, 2*pi]; Constraints cos(y) = x; sin(y) = 3*x/2; end", 1),
    "shared tapes and several variables": (
        "Variables x[4] in [-5, 5]; Constraints x(1)^2 + x(2) = 1; x(2)^2 + x(3) = 1; x(3)^2 + x(4) = 1; x(4)^2 + x(1) = 2; end",
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
    "max, tanh and acosh": ("Variables x in [-1, 4]; y in [-3, 3]; Constraints max(x, y) = 1; tanh(x) + acosh(2 + y^2) = 2; end", 1),
    "abs, asinh, atanh and acos": (
        "Variables x in [-0.9, 0.9]; y in [-3, 3]; Constraints abs(x - 2*y) + asinh(y) = 1; atanh(x) + acos(y/4) = 2; end",
        2,
    ),
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
    answer = solve(system, Options(time_limit=seconds))
    return answer, certify_system(system, answer.paving, 30.0)


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_solutions_are_certified(name, tmp_path):
    text, count = SYSTEMS[name]
    answer, found = made(text)
    assert found.reason == ""
    if count is not None:
        assert len(answer.paving.solutions) == count
    code, words = judged(tmp_path, found.canonical, found.certificate)
    assert code == 0, words
    assert f"in all rows is exactly {len(answer.paving.solutions)}" in words
    assert second_check(found.canonical, found.certificate).status.name == "VERIFIED"
    assert found.canonical == canonical_bytes(canonical_problem(parse_minibex(text)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Variables x in [-1, 2]; y in [-1, 2]; Constraints x*y = 0; x*(y - 1) + y*x = 0; end", "undecided or unexplored"),
        ("Variables x in [-1, 2]; Constraints x^2 = 0; end", "undecided or unexplored"),
        ("Variables x in [0, 2]; Constraints x*(x - 1.3) = 0; end", "undecided or unexplored"),
        ("Variables x in [-1, 2]; Constraints sign(x)*x = 1.5; end", "uses sign"),
        ("Variables x in [1, 2]; Constraints atan2(x, 2) = 1/2; end", "uses atan2"),
        ("Variables x in [-1, 2]; Constraints log(x) = -2; end", "a box is too small to be divided further"),  # at 0
        ("Variables x in [-1, 2]; Constraints x^2.5 = 1.5; end", "uses power"),
        ("Variables x; Constraints x^3 = 2; end", "domain of variable x is infinite"),
        ("Variables x in [-1, 2]; y in [0, 1]; Constraints x + y = 1; x^2 = 1/2; x >= 0; end", "is an inequality"),
        ("Variables x in [-1, 2]; y in [0, 1]; Constraints x + y = 1/2; end", "equations for 2 variables"),
    ],
)
def test_what_has_no_certificate_says_why(text, reason):
    _, found = made(text, 2.0)
    assert (found.canonical, found.certificate) == (b"", b"")
    assert reason in found.reason
    if "too small" in reason:
        assert "the edge of a function's domain" in found.reason
        assert found.reason.endswith("shrinking the domains of the variables away from it helps")


def test_what_shrinking_cures_is_cured(tmp_path):
    _, found = made("Variables x in [0.01, 2]; Constraints log(x) = -2; end", 2.0)
    assert judged(tmp_path, found.canonical, found.certificate)[0] == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Variables x in [-1, 2]; y in [0, 1]; Constraints x + y = 1/2; end", "equations for 2 variables"),
        ("Variables x in [-1, 2]; y in [0, 1]; Constraints x + y = 1; x^2 = 1/2; x >= 0; end", "is an inequality"),
        ("Variables x in [-1, 2]; Constraints x^2 = 0; end", "the solutions are not counted"),
    ],
)
def test_what_time_cannot_cure_is_not_put_down_to_it(text, reason):
    system = parse_minibex(text)
    found = certify_system(system, solve(system, Options(time_limit=2.0)).paving, 0.0)
    assert reason in found.reason
    assert "time" not in found.reason


def test_a_search_that_ran_out_of_time_says_what_helps():
    system = parse_minibex(CIRCLE)
    found = certify_system(system, solve(system, Options(time_limit=1e-9)).paving, 0.0)
    assert found.reason.startswith("the search left 1 box undecided or unexplored")
    assert found.reason.endswith("(time limit; with a longer time limit there may be one)")


def test_a_solution_on_the_boundary_is_certified_or_refused_but_never_wrong(tmp_path):
    _, found = made("Variables x in [1, 2]; y in [-2, 2]; Constraints x^2 + y = 1; x = 1 + y; end")
    assert found.reason or judged(tmp_path, found.canonical, found.certificate)[0] == 0


def test_a_time_limit_ends_in_no_certificate():
    system = parse_minibex(CIRCLE)
    found = certify_system(system, solve(system).paving, 0.0)
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
    splits = [n for n, line in enumerate(lines) if line.startswith("split") and lines[n + 1].split(" ")[0] in ("evaluate", "known")]
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
    "fewer rows": lambda t: t.replace("scope equation1 equation2", "scope equation1"),
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


def run(*words):
    return subprocess.run([sys.executable, "-m", "certify", *map(str, words)], capture_output=True, text=True, check=False)


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
    path.write_text(CIRCLE.replace("1/3", "1/4"))
    assert run("check", path, folder / "solutions.cert").returncode == 1
    path.write_text(CIRCLE.replace("x^2", "atan2(x, 4)"))
    refused = run("check", path, folder / "solutions.cert")
    assert refused.returncode == 2
    assert "uses atan2" in refused.stderr
    done = run("run", path, "--out", folder, "--json", "--quiet")
    assert done.returncode == 0
    assert "uses atan2" in json.loads(done.stdout)["certificate"]["reason"]
    assert not (folder / "solutions.cert").exists()
    assert not (folder / "problem.canonical").exists()


def test_a_certificate_that_takes_too_long_says_what_helps():
    warm_up_systems()
    system = parse_minibex("Variables x[4] in [-5, 5]; Constraints x(1)^2 + x(2) = 1; x(2)^2 + x(3) = 1; x(3)^2 + x(4) = 1; x(4)^2 + x(1) = 2; end")
    found = certify_system(system, solve(system).paving, 0.001)
    assert found.certificate == b""
    assert found.reason.endswith("(in 0.001 s; with a longer time limit there may be one)")
