"""Certificates for sets of inequalities: what is certified is true of sets whose area is known exactly, both checkers
agree, and forged ones fall.
"""

import json
import math
import random
import re
from fractions import Fraction
from importlib.util import find_spec

import pytest

from certify.__main__ import main
from certify.checker import Status, check
from certify.checker.interval import Undefined
from certify.checker.problem import parse_problem
from certify.checker.scope import Scope
from certify.problems.minibex import read_minibex
from certify.problems.model.canonical import canonical_bytes
from certify.problems.systems.set_canonical import complement_problem, set_problem
from certify.problems.systems.system_canonical import NotCertifiable
from certify.proofs.set_certificate import certify_set
from certify.questions.set_paving import pave
from certify.systems.set_answer import certified_set

RING = "x in [-3, 3]; y in [-3, 3]", "x^2 + y^2 >= 1; x^2 + y^2 < 4"
judges = [check]
if find_spec("flint"):
    from certify.checker_arb import check as second_check

    judges.append(second_check)


def system_of(tmp_path, variables, constraints):
    path = tmp_path / "system.bch"
    path.write_text(f"Variables\n {variables};\nConstraints\n {constraints};\nend\n")
    return read_minibex(path)


def certified(tmp_path, variables, constraints, seconds=20.0):
    system = system_of(tmp_path, variables, constraints)
    answer = pave(system, 20.0, record=True)
    return certify_set(system, answer.tree, seconds), answer


def verified(made):
    for judge in judges:
        outcome = judge(made.canonical, made.certificate)
        assert outcome.status.name == "VERIFIED", outcome.message
    return made.bound


def ends(made):
    """The volume's certified bounds, each verified; what has no certificate is 0 or the domain."""
    low = made.domain - verified(made.inner) if made.inner.certificate else Fraction(0)
    return low, verified(made.outer) if made.outer.certificate else made.domain


def clipped(polygon, line):
    """The part of a convex polygon where a x + b y <= c, exactly."""
    a, b, c = line
    found = []
    for first, second in zip(polygon, [*polygon[1:], *polygon[:1]], strict=True):
        here, there = a * first[0] + b * first[1] - c, a * second[0] + b * second[1] - c
        if here <= 0:
            found.append(first)
        if here * there < 0:
            t = here / (here - there)
            found.append(tuple(p + t * (q - p) for p, q in zip(first, second, strict=True)))
    return found


def area(polygon):
    pairs = zip(polygon, [*polygon[1:], *polygon[:1]], strict=True)
    return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in pairs)) / 2 if len(polygon) > 2 else Fraction(0)


def decimal(value):
    return f"{value.numerator / value.denominator:.2f}"


@pytest.mark.parametrize("seed", range(10))
def test_polygons_are_bounded_from_both_sides(tmp_path, seed):
    """Half-planes with decimals, some along the axes: the exact area lies between the ends, which are near."""
    rng = random.Random(seed)
    box = [sorted(Fraction(rng.randint(-300, 300), 100) for _ in range(2)) for _ in range(2)]
    box = [(low, max(high, low + Fraction(1, 10))) for low, high in box]
    corners = [(box[0][i], box[1][j]) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    whole = area(corners)
    lines, told = [], []
    for _ in range(rng.randint(1, 4)):
        a, b = rng.choice(
            [(1, 0), (0, 1), (-1, 0), *[(rng.randint(-4, 4), rng.choice((-3, -1, 2, 5))) for _ in range(4)]]
        )
        x, y = (low + (high - low) * Fraction(rng.randint(1, 9), 10) for low, high in box)
        c = Fraction(round(float(a * x + b * y), 2)).limit_denominator(100)
        lines.append((a, b, c))
        told.append(
            rng.choice(
                (
                    f"({a})*x + ({b})*y <= {decimal(c)}",
                    f"{decimal(c)} > ({a})*x + ({b})*y",
                    f"({-a})*x - ({b})*y >= {decimal(-c)}",
                )
            )
        )
        corners = clipped(corners, lines[-1])
    variables = "; ".join(
        f"{name} in [{decimal(low)}, {decimal(high)}]" for name, (low, high) in zip("xy", box, strict=True)
    )
    made, _ = certified(tmp_path, variables, "; ".join(told))
    low, high = ends(made)
    assert made.domain == whole
    assert 0 <= low <= area(corners) <= high <= whole
    assert high - low <= whole / 20
    if made.point.certificate:
        verified(made.point)
    for part, truth in ((made.outer, area(corners)), (made.inner, whole - area(corners))):
        if part.bound:
            assert_smaller_volumes_are_rejected(part, truth, rng)


def assert_smaller_volumes_are_rejected(part, truth, rng):
    """Less than is proved is not proved; less than the truth is not proved by any other tree either."""
    text = part.certificate.decode()
    for claimed in (part.bound * Fraction(999_999, 1_000_000), truth * Fraction(99, 100), Fraction(0)):
        forged = text.replace(f"volume {part.bound}", f"volume {claimed}", 1)
        lines = forged.split("\n")
        start = lines.index("tree") + 1
        places = [k for k in range(start, len(lines)) if lines[k] == "open"]
        for forgery in (
            forged,
            with_leaves(lines, places),
            with_leaves(lines, rng.sample(places, len(places) // 2 + 1)),
        ):
            if forgery is forged or claimed < truth:
                for judge in judges:
                    assert judge(part.canonical, forgery.encode()).status.name == "REJECTED"


def with_leaves(lines, places):
    return "\n".join("evaluate 0 0" if k in places else line for k, line in enumerate(lines))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("variables", "constraints", "truth", "near"),
    [
        ("x in [-1, 1]; y in [-1, 1]", "sqrt(x - y) <= 2", 2.0, 0.1),  # only where x >= y
        ("x in [-1, 1]; y in [-1, 1]", "sqrt(x) >= y; x <= 0.25", 0.25 + 1 / 12, 0.05),
        ("x in [0, 10]", "sin(x) >= 0.5", 4.1887902, 0.001),
        ("x in [-1, 2]; y in [-1, 2]", "1/x <= y", 4.6137056, 0.05),  # undefined where x = 0
        ("x in [-1, 2]; y in [-1, 2]", "log(x) <= y", 4.2457006, 0.05),  # only where x > 0
        ("x in [-1, 2]; y in [-1, 2]", "sqrt(1/x) <= 1; y >= 0", 2.0, 0.2),  # only where x >= 1
        ("x in [1, 2]; y in [-1, 2]", "atan2(y, x) <= 0.5", 1.8194537, 0.05),
        ("x in [-1, 2]", "sign(sqrt(x) + 1) >= 0.5", 2.0, 0.01),  # only where x >= 0
        ("x in [-1, 2]", "x^(sin(0)) >= 0.5", 2.0, 0.01),  # only where x > 0
        (*RING, 9.4247780, 0.2),
        ("x in [-2, 2]; y in [-2, 2]", "(x^2 + y^2 - 1)^3 - x^2*y^3 <= 0", 3.6613, 0.2),
        ("x in [-2, 1]; y in [0, 3]", "y >= exp(x)", 6.4170535, 0.1),
        ("x in [1, 4]; y in [0, 2]", "y <= log(x); atan(y) <= 2*x", 2.5451774, 0.1),
        ("x in [-1.5, 1.5]; y in [-1.5, 1.5]", "abs(x) + max(y, -y) <= 1", 2.0, 0.6),
        ("x in [-1, 0.9]; y in [0, 2]", "y <= asin(x)", 0.4436832, 0.1),
        ("x in [1, 2]; y in [1, 2]", "x/y <= 1; y/x >= 0", 0.5, 0.02),
        ("x in [-1, 1]; y in [-1, 1]; p in [0.1, 0.3]", "x^2 + y^2 <= 0.5; 1 >= 0", 0.2 * 1.5707963, 0.05),
    ],
)
def test_known_sets(tmp_path, variables, constraints, truth, near):
    made, answer = certified(tmp_path, variables, constraints)
    low, high = map(float, ends(made))
    assert low <= truth <= high <= low + near
    assert low >= answer.paving.volume[0] - near / 4 and high <= answer.paving.volume[1] + near / 4
    verified(made.point)


def test_two_processes_make_the_same_certificates(tmp_path):
    found = pave(system_of(tmp_path, *RING), 20.0, record=True)
    alone, together = (certified_set(found, 60.0, workers=workers).made for workers in (1, 2))
    for one, two in ((alone.inner, together.inner), (alone.outer, together.outer), (alone.point, together.point)):
        assert one == two and one.certificate


def test_nothing_and_everything(tmp_path):
    made, _ = certified(tmp_path, "x in [-2, 2]; y in [-2, 2]", "x^2 + y^2 <= -0.1")
    assert verified(made.outer) == 0 and b"\nlower 0\n" in made.outer.certificate
    assert made.inner.reason == "the search found no part of the domain that is inside"
    assert not made.point.certificate
    made, _ = certified(tmp_path, "x in [-2, 2]; y in [-2, 2]", "x^2 + y^2 <= 9; x*y <= 4.5")
    assert verified(made.inner) == 0 and b"\nlower 0\n" in made.inner.certificate
    assert made.outer.reason == "the search found no part of the domain that is outside"
    verified(made.point)


@pytest.mark.parametrize(
    ("variables", "constraints", "reason"),
    [
        (
            "x in [-1, 1]; y in [1, 2]",
            "sign(x) + y >= 0.5",
            "uses sign, which certificates can state only where its number is never 0",
        ),
        ("x; y in [1, 2]", "x + y >= 0.5", "the domain of variable x is infinite"),
        ("x in [0, 1]", "; ".join(f"x <= {k}" for k in range(1, 67)), "66 conditions are more than the 65"),
        ("x[65] in [0, 1]", "x(1) <= 0.5", "65 variables are more than the 64"),
    ],
)
def test_what_cannot_be_certified_is_told(tmp_path, variables, constraints, reason):
    with pytest.raises(NotCertifiable, match=re.escape(reason)):
        complement_problem(system_of(tmp_path, variables, constraints))


def test_an_equation_has_no_volume(tmp_path):
    with pytest.raises(NotCertifiable, match="is an equation"):
        set_problem(system_of(tmp_path, "x in [0, 1]; y in [0, 1]", "x = y; x <= 0.5"))


def test_without_time_there_is_no_certificate(tmp_path):
    made, _ = certified(tmp_path, *RING, seconds=0.0)
    assert (
        made.outer.reason
        == "its time ran out before a part that is outside was confirmed (with a longer time limit there may be one)"
    )
    assert (
        made.inner.reason
        == "its time ran out before a part that is inside was confirmed (with a longer time limit there may be one)"
    )


FORMULAS = (
    "x^2 + y^3 <= 1.5",
    "sqrt(x + y) >= 0.7",
    "sqrt(1 - sqrt(x)) * y <= 0.2",
    "sin(3*x) - cos(y)^2 > -0.3",
    "x/(3 + y) < 0.1",
    "-x*y >= x^4 - y",
)


@pytest.mark.parametrize("seed", range(4))
def test_the_translation_is_exact(tmp_path, seed):
    """At random points every row of the set can be 0 if and only if the inequality holds there; of the complement some
    row if it does not.
    """
    rng = random.Random(seed)
    chosen = rng.sample(FORMULAS, 3)
    system = system_of(tmp_path, "x in [-1, 2]; y in [-1.5, 1]", "; ".join(chosen))
    scopes = []
    for problem in (set_problem(system), complement_problem(system)):
        parsed = parse_problem(canonical_bytes(problem))
        scopes.append(Scope(parsed, tuple(range(len(parsed.families))), 128))
    for _ in range(200):
        x, y = Fraction(rng.randint(-1000, 2000), 1000), Fraction(rng.randint(-1500, 1000), 1000)
        inside = all(_holds(formula, float(x), float(y)) for formula in chosen)
        assert inside == all(_can_be_0(scopes[0], row, (x, y)) for row, _ in scopes[0].rows())
        assert inside != any(_can_be_0(scopes[1], row, (x, y)) for row, _ in scopes[1].rows())


def _can_be_0(scope, row, values):
    program = scope.program(row)
    box = [scope.arithmetic.enclose(value) for value in values]
    try:
        low, high = program.values(scope.inputs(program, 0, box))[-1]
    except Undefined:
        return False
    return low <= 0 <= high


def _holds(formula, x, y):
    """By floats, at points that are not near an edge."""

    code = formula.replace("^", "**")
    try:
        known = {"x": x, "y": y, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos}
        return bool(eval(code, known))  # noqa: S307 - a text of this file
    except ValueError:
        return False


def run(capsys, *words):
    code = main([*map(str, words), "--json", "--quiet"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.thorough
def test_a_run_writes_and_checks_certificates(tmp_path, capsys):
    system_of(tmp_path, *RING)
    path, folder = tmp_path / "system.bch", tmp_path / "out"
    code, answer = run(capsys, "run", path, "--out", folder)
    assert code == 0
    told = answer["certificate"]
    assert told["verified"] and told["outer"]["verified"] and told["inner"]["verified"] and told["point"]["verified"]
    low, high = map(float, told["volume"])
    assert answer["volume"][0] - 0.01 <= low <= 3 * 3.14159 <= high <= answer["volume"][1] + 0.01
    assert json.loads((folder / "result.json").read_text())["certificate"] == told
    said = {
        "outer": "satisfy all 2 conditions",
        "inner": "satisfies all conditions of the system",
        "point": "Some point of the search box",
    }
    for name, word in said.items():
        code, checked = run(capsys, "check", path, folder / f"{name}.cert")
        assert code == 0 and checked["verified"]
        assert any(word in sentence for sentence in checked["in_words"])
        code, explained = run(capsys, "explain", folder / f"{name}.cert", "--problem", path)
        assert code == 0 and word in " ".join(explained["text"].split())
        assert "measurement" not in explained["text"] and "measured column" not in explained["text"]
        assert (
            "Every point of the search box, but for boxes of a total area of at most"
            in " ".join(explained["text"].split())
        ) == (name == "inner")
        alone = explained_text(capsys, folder / f"{name}.cert")
        assert f"into {'inner' if name == 'inner' else 'outer'}.canonical" in alone
        assert "problem.canonical" not in alone
        assert "the conditions of the system" not in alone
    inside = " ".join(explained_text(capsys, folder / "inner.cert", path).split())
    assert "whether its inequalities are strict or not" in inside
    assert "nowhere else one of the conditions is violated" in inside
    assert "No point of the search box" not in inside and "it does not hold there" not in inside
    code, explained = run(capsys, "explain", folder / "inner.cert", "--problem", path)
    words = " ".join(explained["text"].split())
    assert code == 0 and f"{path.name}, is not compared itself: its translation is that problem, byte for byte" in words
    (folder / "problem.toml").write_text("of another run")
    assert (
        run(capsys, "explain", folder / "inner.cert")[1]["check"]
        == f"certify check {folder / 'inner.canonical'} {folder / 'inner.cert'}"
    )
    (folder / "problem.toml").unlink()
    path.write_text(path.read_text().replace("x^2 + y^2 < 4", "x^2 + y^2 < 4.01"))
    for name in ("outer", "inner", "point"):
        assert run(capsys, "check", path, folder / f"{name}.cert")[0] == 1
    path.write_text(path.read_text().replace("x^2 + y^2 >= 1", "atan2(x, y) >= 1"))
    code, answer = run(capsys, "run", path, "--out", folder)
    assert code == 3  # the engine's answer alone is no claim
    assert "uses atan2" in answer["certificate"]["outer"]["reason"]
    assert not answer["certificate"]["verified"]
    assert {file.name for file in folder.iterdir()} - {"report.html"} == {"paving.png", "result.json"}


def test_where_all_is_inside_the_claim_is_not_the_opposite(tmp_path, capsys):
    """Nothing is left open: no point violates x <= 2, which is told as what it means where the translation shows that
    the row is the violation.
    """
    system_of(tmp_path, "x in [0, 1]", "x <= 2")
    assert run(capsys, "run", tmp_path / "system.bch", "--out", tmp_path / "out")[0] == 0
    alone = " ".join(explained_text(capsys, tmp_path / "out" / "inner.cert").split())
    assert "No point of the search box satisfies the condition." in alone and "violation1: x - 2 is from 0 to" in alone
    assert "satisfies all conditions of the system" not in alone
    words = " ".join(explained_text(capsys, tmp_path / "out" / "inner.cert", tmp_path / "system.bch").split())
    claimed = words[words.index("What is claimed") : words.index("About which problem")]
    assert "Every point of the search box" in claimed and "satisfies all conditions of the system" in claimed
    assert "No point" not in claimed


@pytest.mark.thorough
def test_a_certificate_with_the_wrong_canonical_is_told_the_right_one(tmp_path, capsys):
    system_of(tmp_path, *RING)
    folder = tmp_path / "out"
    run(capsys, "run", tmp_path / "system.bch", "--out", folder)
    code, told = run(capsys, "check", folder / "outer.canonical", folder / "inner.cert")
    assert code == 1
    assert told["message"].startswith("REJECTED")
    assert told["message"].endswith("; it is for inner.canonical in the same folder")
    (tmp_path / "elsewhere").mkdir()
    (folder / "inner.cert").rename(tmp_path / "elsewhere" / "inner.cert")
    _, told = run(capsys, "check", folder / "outer.canonical", tmp_path / "elsewhere" / "inner.cert")
    assert told["message"].endswith(f"; it is for {folder / 'inner.canonical'}")
    (tmp_path / "system.bch").write_text((tmp_path / "system.bch").read_text().replace("< 4", "< 5"))
    _, told = run(capsys, "check", tmp_path / "system.bch", folder / "outer.cert")
    assert told["message"].endswith("outer.canonical, and system.bch is now another problem")
    (folder / "inner.canonical").unlink()
    code, told = run(capsys, "check", folder / "outer.canonical", tmp_path / "elsewhere" / "inner.cert")
    assert code == 1
    assert told["message"].endswith("; give the problem.toml or the .canonical that was written beside the certificate")
    assert "written beside" not in run(capsys, "check", folder / "outer.canonical", folder / "outer.cert")[1]["message"]
    broken = folder / "point.cert"
    broken.write_bytes(broken.read_bytes().replace(b"end\n", b""))
    code, told = run(capsys, "check", folder / "outer.canonical", broken)
    assert code == 1
    assert "canonical" not in told["message"]


def explained_text(capsys, certificate, problem=None):
    return run(capsys, "explain", certificate, *(() if problem is None else ("--problem", problem)))[1]["text"]


def test_people_are_told_the_certified_bounds(tmp_path, capsys):
    system_of(tmp_path, *RING)
    assert main(["run", str(tmp_path / "system.bch"), "--out", str(tmp_path / "out"), "--quiet"]) == 0
    told = capsys.readouterr().out
    assert re.search(
        r"certificates verified by a separate process: area at least 9\.3\d+, area at most 9\.4\d+, not "
        r"empty \(\d+ bytes",
        told,
    )
    assert main(["run", str(tmp_path / "system.bch"), "--quiet"]) == 3
    assert "no certificate was asked for: --out DIR writes one" in capsys.readouterr().out


def test_a_certificate_of_one_half_is_none_of_the_other(tmp_path):
    """What is proved of the complement is not proved of the set."""
    made, _ = certified(tmp_path, *RING)
    for first, second in ((made.outer, made.inner), (made.inner, made.outer), (made.point, made.inner)):
        assert check(second.canonical, first.certificate).status is Status.REJECTED
