"""certify explain: every kind of claim in sentences, from the checker's own reading; what is broken is refused."""

import json
from dataclasses import replace
from fractions import Fraction

import commands
import pytest
from planted_zeros import FIRST, SECOND, steps, zeros_document, zeros_tree
from readings_on_a_line import VALUES, line

import certify
from certify.checker.outcome import Rejection
from certify.claims.hull_table import hull_section
from certify.contractors.protocol.contractor import Evaluate
from certify.explaining.explanation import AnotherProblem, explain
from certify.explaining.explanation_json import as_json
from certify.explaining.explanation_text import claim, text
from certify.explaining.explanation_words import Files, range_text
from certify.explaining.model_text import formula
from certify.explaining.model_units import row_unit, units
from certify.problems.model.model import Binding, Family, Problem, Variable, at_middles, trace
from certify.proofs.certificate_text import Claim
from certify.proofs.problem_replay import Proving
from certify.questions.discards import fewest_discards
from certify.questions.least_squares import least_squares
from certify.solvers.proof.trace import Refuted, Steps

SINE = (
    'format = "certify-problem-file 1"\ntitle = "A sine"\nprovenance = "simulated: by hand"\nposes = "poses.csv"\n'
    '[model]\nequation = "s - sin(q + zero)"\n[model.parameters]\nzero = '
    '"angle"\n[model.columns]\ns = "number"\nq = "angle"\n'
    '[half_widths]\ns = "0.001 1"\nq = "0.01 deg"\n[box]\ncentre = "least squares"\nradius = { zero '
    '= "5 deg" }\n[legs.leg1]\nzero = "29 deg"\n'
)
FILES = Files("leg1.cert", "problem.canonical", "The file beside it,", (), "certify check problem.canonical leg1.cert")


def told(canonical, certificate):
    """The text with single spaces, and the object."""
    explanation = explain(canonical, certificate)
    return " ".join(text(explanation, FILES).split()), as_json(explanation, FILES)


def run(*words):
    return commands.run("explain", *words)


@pytest.fixture(scope="module")
def saved(certified, tmp_path_factory):
    folder = tmp_path_factory.mktemp("explained")
    certified.save(folder)
    return folder


def test_a_leg(certified):
    part = certified.part("leg1")
    words, answer = told(certified.canonical, part.certificate)
    lower, upper = part.epsilon
    assert (
        f"No values of the 7 unknowns in the search box explain all 64 rows of leg1 with a model error "
        f"of {float(lower)!r} mm or less" in words
    )
    assert f"with a model error of at most {float(upper)!r} mm" in words
    assert "Explaining is not checking" in words
    assert "byte for byte" in words
    assert "x: +-0.1899 mm (64 values)" in words
    assert "alpha: +-0.02769 deg (64 values)" in words
    assert "63 operations on 14 numbers" in words
    assert "are shared" not in words
    assert "together cannot be explained" in words
    assert words.endswith("certify check problem.canonical leg1.cert")
    assert answer["checked"] is False
    assert answer["unit"] == "mm"
    assert answer["claims"]["lower"] == str(lower)
    rows = answer["tree"]["conflict"]["leg1"]
    assert rows == sorted(set(rows)) and set(rows) <= set(range(1, 65)) and len(rows) >= 8
    assert 8 <= len(answer["tree"]["last_rows"]) <= len(rows)
    assert answer["tree"]["leaves"]["aggregate"] == answer["tree"]["splits"] + 1
    assert answer["tree"]["rounds"][-1]["log10_left"] < answer["tree"]["rounds"][0]["log10_left"] < 0
    assert [row["leaves"] for row in answer["tree"]["rows_used"]] == sorted(
        (row["leaves"] for row in answer["tree"]["rows_used"]), reverse=True
    )
    assert json.loads(json.dumps(answer)) == answer


def test_the_platform_names_what_is_shared_and_whose_poses_conflict(certified):
    words, answer = told(certified.canonical, certified.part("platform").certificate)
    assert (
        "x, y, z, alpha, beta and gamma are shared: wherever rows use the same entry, it is one and the same true value"
        in words
    )
    assert len(answer["tree"]["conflict"]) == 1
    assert [column["name"] for column in answer["measurements"] if column["shared"]] == [
        "x",
        "y",
        "z",
        "alpha",
        "beta",
        "gamma",
    ]


def test_the_conflict_is_what_the_proof_needs(certified, two_legs, start):
    """The poses that are not in it may be replaced by anything: the same tree, with other numbers there, proves the
    same.
    """
    part = certified.part("leg1")
    _, answer = told(certified.canonical, part.certificate)
    conflict = answer["tree"]["conflict"]["leg1"]
    other = next(row for row in range(64) if row + 1 not in conflict)
    columns = tuple(
        replace(c, upper=(*c.upper[:other], c.upper[other] + 50, *c.upper[other + 1 :])) for c in two_legs.columns
    )
    changed = Proving(replace(two_legs, columns=columns))
    forged = changed.document((0,), part.epsilon[0], None, None, part.tree)
    assert certify.check(changed.canonical, forged).status.value == "VERIFIED"
    used = conflict[0] - 1
    columns = tuple(
        replace(c, upper=(*c.upper[:used], c.upper[used] + 50, *c.upper[used + 1 :])) for c in two_legs.columns
    )
    changed = Proving(replace(two_legs, columns=columns))
    assert (
        certify.check(changed.canonical, changed.document((0,), part.epsilon[0], None, None, part.tree)).status.value
        == "REJECTED"
    )


def test_a_point(two_legs, estimate):
    result = certify.error_at(two_legs, estimate[:14])
    words, answer = told(result.canonical, result.part("leg2").certificate)
    assert "The given values of the 7 unknowns do not explain all 64 rows of leg2" in words
    assert "In one step: the box is not split." in words
    assert "outside the search box" not in words
    assert answer["claims"]["point"] == [str(value) for value in estimate[7:14]]


@pytest.fixture(scope="module")
def distances():
    """README's point from three anchors."""
    tape = certify.trace(lambda x, m: certify.norm(x.p - m.anchor) - m.d, {"p": (2,)}, {"anchor": (2,), "d": ()})

    def column(name, values, half):
        ends = [(Fraction(value) - Fraction(half), Fraction(value) + Fraction(half)) for value in values]
        return certify.Column(name, "m", tuple(low for low, _ in ends), tuple(high for _, high in ends))

    columns = (
        column("x", ["0", "4", "0"], "0"),
        column("y", ["0", "0", "3"], "0.01"),
        column("d", ["2.5", "2.5", "2.2"], "0.02"),
    )
    variables = tuple(certify.Variable(name, "m", Fraction(0), Fraction(5)) for name in ("p.x", "p.y"))
    bindings = tuple(certify.Binding(measured, k) for measured, count in ((False, 2), (True, 3)) for k in range(count))
    return certify.Problem(variables, columns, (certify.Family("point", tape, 3, bindings, "m"),))


def test_a_short_model_is_told_as_a_formula(distances):
    result = certify.adequacy(distances)
    words, answer = told(result.canonical, result.parts[0].certificate)
    assert "the error of a row is |sqrt((p.x - x)^2 + (p.y - y)^2) - d|" in words
    assert "all 3 rows of point" in words
    assert "x: known exactly (3 values)" in words
    assert "rows 1 to 3 of point together cannot be explained" in words
    assert answer["models"] == [
        {"family": "point", "rows": 3, "formula": "sqrt((p.x - x)^2 + (p.y - y)^2) - d", "operations": 7}
    ]


def test_a_hull(distances):
    result = certify.enclose(distances, Fraction(1, 2))
    (part,) = result.parts
    words, answer = told(result.canonical, part.certificate)
    assert (
        "All values of the unknowns in the search box that explain all 3 rows of point with a model "
        "error of at most 0.5 m lie" in words
    )
    assert "within the hull, where nothing is claimed" in words
    assert "(There may be none at all.)" in words
    assert "The proof uses" in words
    assert answer["tree"]["conflict"] is None
    for variable, low, high in zip(answer["variables"], part.box.lower, part.box.upper, strict=True):
        assert variable["hull"] == [str(low), str(high)]


def test_an_exact_explanation(distances):
    easy = replace(distances, columns=tuple(replace(c, lower=tuple(v - 1 for v in c.lower)) for c in distances.columns))
    result = certify.adequacy(easy)
    words, answer = told(result.canonical, result.parts[0].certificate)
    assert "Some values in the box do explain all 3 rows of point exactly" in words
    assert "there is nothing to search" in words
    assert answer["tree"] is None


BOTH = (Binding(False, 0), Binding(False, 1))


def test_zeros():
    """x^2 + y^2 = 25, x - y = 1: (4, 3) and (-3, -4)."""
    circle = trace(lambda x, m: x.x * x.x + x.y * x.y - 25, {"x": (), "y": ()}, {})
    line = trace(lambda x, m: x.x - x.y - 1, {"x": (), "y": ()}, {})
    sides = tuple(Variable(name, "1", Fraction(-6), Fraction(6)) for name in "xy")
    proving = Proving(Problem(sides, (), (Family("circle", circle, 1, BOTH), Family("line", line, 1, BOTH))))
    zeros = [FIRST, SECOND]
    document = zeros_document(proving, (0, 1), zeros, zeros_tree(proving, (0, 1), zeros, steps(zeros)))
    words, answer = told(proving.canonical, document)
    assert "the system of 2 equations in 2 unknowns has exactly 2 solutions" in words
    (alone,) = claim(explain(proving.canonical, document))
    assert alone.endswith("each alone in its box (which need not be small).")
    assert "1: x = 4 +-0.3, y = 3 +-0.3 2: x = -3 +-0.3, y = -4 +-0.3" in words
    assert "The equation circle: x^2 + y^2 - 25 = 0." in words
    assert "Which equations carry it" in words
    assert "measurement" not in words and "measured" not in words
    assert "Krawczyk's operator (a Newton step with bounds) of the equations maps the box into its interior" in words
    assert "no solution is counted twice" in words
    assert "The proof that 2 solutions are there uses all 2 rows." in words
    assert "witness" not in words
    assert "within the box of a known solution" in words
    assert answer["claims"]["zeros"] == 2
    nothing = Proving(replace(proving.problem, variables=(replace(sides[0], lower=Fraction(11, 2)), sides[1])))
    certificate = zeros_document(
        nothing, (0, 1), [], zeros_tree(nothing, (0, 1), [], Steps([], Refuted(Evaluate(0, 0))))
    )
    words, _ = told(nothing.canonical, certificate)
    assert "has no solution at all" in words
    assert "Krawczyk" not in words
    assert "The proof uses 1 of 2 rows: circle." in words


def test_a_minimum_is_proved_without_a_witness(distances):
    """Where it is local there is no tree either: Krawczyk's operator, the Hessian, the value at the centre."""
    (part,) = (result := least_squares(distances)).parts
    proof = (
        "Krawczyk's operator (a Newton step with bounds) of the gradient",
        "are positive definite there",
        "The sum at the box's centre",
    )
    for certificate, everywhere in ((part.local_certificate, False), (part.certificate, True)):
        words, answer = told(result.canonical, certificate)
        assert answer["claims"]["minimum"]["everywhere"] is everywhere
        assert all(sentence in words for sentence in proof)
        assert "The witness is put" not in words
        assert ("There is nothing to search, and no witness" in words) != everywhere
        assert ("What is not in such a box is excluded by the search:" in words) == everywhere
        assert ("The proof that the minimum is there uses all 3 rows." in words) == everywhere
        assert "may be anywhere in its interval" not in words and "hold the true measurements" not in words
        assert (
            "with the measurements at their exact values in the problem (a run takes the middles of their intervals)"
            in words
        )
        assert "x: taken as exact (3 values)" in words


def test_conflicts_are_told_one_by_one():
    """Two wrong readings of seven: no set of rows is the conflict of all others."""
    answer = fewest_discards(line(["1", "1.5", "5", "2.5", "3", "9", "4"]))
    (part,) = answer.parts
    words, told_ = told(answer.canonical, part.certificate)
    conflicts = told_["tree"]["conflicts"]
    assert len(conflicts) > 2 and told_["tree"]["conflict"] is None
    assert "The conflict:" not in words
    assert f"{len(conflicts)} conflicts, each a set of rows that together cannot be explained" in words
    assert "whichever 1 row is left out, a conflict stays whole" in words
    for number, conflict in enumerate(conflicts[:8], 1):
        said = words.split(f" {number}: rows ", 1)[1].split(" of line")[0]
        ranges = [list(map(int, part.split(" to "))) for part in said.replace(" and ", ", ").split(", ")]
        assert [row for ends in ranges for row in range(ends[0], ends[-1] + 1)] == conflict["line"]
    assert not set.intersection(*(set(conflict["line"]) for conflict in conflicts))


def test_of_many_conflicts_the_first_are_told():
    answer = fewest_discards(line(["1", "1.5", "5", "2.5", "3", "9", "4"]))
    lines = answer.parts[0].certificate.decode().splitlines()
    place = next(k for k, found in enumerate(lines) if found.startswith("hitting"))
    many = "\n".join([*lines[:place], "hitting 11", *["evaluate 0 3"] * 11, "end"]) + "\n"
    words, _ = told(answer.canonical, many.encode())
    assert "8: row 4 of line ... and 3 more The proof uses 1 of the 7 rows." in words


def test_units_follow_from_the_model(certified, distances):
    from certify.checker.problem import parse_problem
    from certify.problems.model.canonical import canonical_bytes

    def unit(problem):
        canonical = canonical_bytes(problem)
        return row_unit(parse_problem(canonical), 0, units(canonical))

    assert unit(distances) == "m"
    assert unit(replace(distances, columns=tuple(replace(c, unit="mm") for c in distances.columns))) is None
    product = trace(lambda x, m: x.u * x.u / x.v, {"u": (), "v": ()}, {})
    sides = (Variable("u", "m", Fraction(0), Fraction(1)), Variable("v", "deg", Fraction(1), Fraction(2)))
    assert unit(Problem(sides, (), (Family("f", product, 1, BOTH),))) == "m^2 deg^-1"
    assert unit(Problem(tuple(replace(s, unit="m") for s in sides), (), (Family("f", product, 1, BOTH),))) == "m"
    assert unit(Problem(tuple(replace(s, unit="1") for s in sides), (), (Family("f", product, 1, BOTH),))) == "1"


def test_formulas_keep_their_brackets():
    from certify.checker.problem import parse_problem
    from certify.problems.model.canonical import canonical_bytes

    models = {
        "u - (v - 1)": lambda x: x.u - (x.v - 1),
        "u/(u*v)": lambda x: x.u / (x.u * x.v),
        "(u + v)^2*(1/3)": lambda x: (x.u + x.v) * (x.u + x.v) * Fraction(1, 3),
        "(-(u + v))*sin(v)": lambda x: -(x.u + x.v) * certify.sin(x.v),
        "(-u)^2 + v": lambda x: (-x.u) * (-x.u) + x.v,
    }
    sides = tuple(Variable(name, "1", Fraction(0), Fraction(1)) for name in "uv")
    for expected, model in models.items():
        tape = trace(lambda x, m, model=model: model(x), {"u": (), "v": ()}, {})
        problem = parse_problem(canonical_bytes(Problem(sides, (), (Family("f", tape, 1, BOTH),))))
        assert formula(problem, 0) == expected


def test_the_command(saved):
    done = run(saved / "leg1.cert")
    assert done.returncode == 0, done.stderr
    assert "Explaining is not checking" in done.stdout
    assert max(map(len, done.stdout.splitlines())) < 130 + len(str(saved))
    done = run(saved / "leg1.cert", "--json")
    answer = json.loads(done.stdout)
    assert answer["problem"]["same"] is True and answer["scope"] == ["leg1"]
    assert answer["check"] == f"certify check {saved / 'problem.canonical'} {saved / 'leg1.cert'}"


@pytest.mark.thorough
def test_what_was_compared_is_told(tmp_path):
    """A problem.toml given is translated and compared; one that lies beside problem.canonical is not."""
    folder = tmp_path / "my run"
    folder.mkdir()
    (folder / "poses.csv").write_text("pose,s [1],q [deg]\n1,0.5,0\n2,0.87,31\n3,1,59.5\n")
    (folder / "problem.toml").write_text(SINE)
    done = commands.run("run", folder / "problem.toml", "--out", folder / "out")
    assert done.returncode == 0, done.stderr
    out = folder / "out"
    certificate = next(out.glob("*.cert"))
    beside = run(certificate).stdout
    assert f"certify check '{out / 'problem.toml'}' '{certificate}'" in beside
    words = " ".join(beside.split())
    assert "problem.canonical, is that problem, byte for byte" in words
    assert "The problem.toml beside it says what they mean; it is not compared here" in words
    assert "s - sin(q + zero) = 0" in words
    words = " ".join(run(certificate, "--problem", out / "problem.toml").stdout.split())
    assert "problem.toml, is not compared itself: its translation is that problem, byte for byte" in words
    assert "problem.toml, says what they mean:" in words and "not compared here" not in words
    (out / "problem.toml").write_text((out / "problem.toml").read_text().replace("sin(q + zero)", "cos(q + zero)"))
    assert run(certificate, "--problem", out / "problem.toml").returncode == 1


def spoilt(folder, saved, change, problem=lambda data: data):
    (folder / "problem.canonical").write_bytes(problem((saved / "problem.canonical").read_bytes()))
    (folder / "leg1.cert").write_bytes(change((saved / "leg1.cert").read_bytes()))
    return folder / "leg1.cert"


BROKEN = {
    "cut off": (lambda data: data[: len(data) // 2], "certificate"),
    "another version": (lambda data: data.replace(b"certify-certificate 6", b"certify-certificate 2"), "line 1"),
    "a missing child": (
        lambda data: data[: data.index(b"tree\n")] + b"tree\nsplit 0 -200\nend\n",
        "a child is missing",
    ),
    "a split outside": (
        lambda data: data[: data.index(b"tree\n")] + b"tree\nsplit 0 0\nopen\nopen\nend\n",
        "strictly between",
    ),
    "a variable out of scope": (
        lambda data: data[: data.index(b"tree\n")] + b"tree\nsplit 9 0\nopen\nopen\nend\n",
        "not in the scope",
    ),
    "a row that is not there": (
        lambda data: data[: data.index(b"tree\n")] + b"tree\nevaluate 0 64\nend\n",
        "no row 0.64",
    ),
    "not text": (lambda data: data + b"\xff\n", "ASCII"),
    "another scope": (lambda data: data.replace(b" 0 1 leg1\n", b" 0 1 leg7\n"), "leg7"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_certificates_are_refused_with_a_sentence(name, saved, tmp_path):
    change, hint = BROKEN[name]
    done = run(spoilt(tmp_path, saved, change))
    assert done.returncode == 1, done.stderr
    assert done.stdout.count("\n") == 1
    assert "cannot be explained" in done.stdout and hint in done.stdout


def test_another_problem_is_refused(saved, tmp_path):
    path = spoilt(tmp_path, saved, lambda data: data, lambda data: data.replace(b"leg1.a_x mm -", b"leg1.a_x mm -1", 1))
    done = run(path, "--json")
    assert done.returncode == 1
    assert "SHA-256" in json.loads(done.stdout)["message"]
    assert run(path, "--problem", saved / "problem.canonical").returncode == 0
    with pytest.raises(AnotherProblem):
        explain((tmp_path / "problem.canonical").read_bytes(), path.read_bytes())


def test_bad_input(saved, tmp_path):
    alone = tmp_path / "leg1.cert"
    alone.write_bytes((saved / "leg1.cert").read_bytes())
    for words, hint in (
        ([alone], "--problem"),
        ([tmp_path / "nowhere.cert"], "nowhere.cert"),
        ([tmp_path], "folder"),
        ([alone, "--problem", tmp_path / "nowhere.toml"], "nowhere.toml"),
        ([saved / "problem.canonical", "--problem", alone], "swap"),
    ):
        done = run(*words)
        assert done.returncode == 2, (words, done)
        assert done.stdout == "" and done.stderr.count("\n") == 1
        assert hint in done.stderr


def test_hulls_and_points_of_another_size_are_refused(distances):
    result = certify.enclose(distances, Fraction(1, 2))
    certificate = result.parts[0].certificate
    lines = certificate.split(b"\n")
    place = lines.index(b"hull")
    with pytest.raises(Rejection):
        explain(result.canonical, b"\n".join([*lines[: place + 1], *lines[place + 2 :]]))


def test_a_small_box_holds_its_interval_as_it_is_written():
    """Not 1001.90373 +-0.00000006, which is another box."""
    for middle in (
        Fraction(755097856, 7),
        Fraction("1001.903729188500013"),
        Fraction(-1, 3),
        Fraction(4),
        Fraction(123456789123, 7),
    ):
        for radius in (Fraction(1, 2**24), Fraction(45, 10**20), Fraction(3, 10**15), Fraction(2, 7), Fraction(12345)):
            written, reach = map(Fraction, range_text(middle - radius, middle + radius, "1").split(" +-"))
            assert written - reach <= middle - radius < middle + radius <= written + reach
            assert reach < radius * Fraction(3, 2)


def test_a_level_is_rounded_to_the_safe_side(distances):
    """What is proved within 1/3 is not said of more."""
    (part,) = (result := certify.enclose(distances, Fraction(1, 3))).parts
    words, _ = told(result.canonical, part.certificate)
    assert "at most 0.333333333333333 m lie" in words
    assert "within 0.333333333333333 m: none outside" in " ".join(hull_section(result))


def test_a_sum_of_squares_is_not_called_a_model_error(distances):
    """A sum of squares of 1/2 m^2 may have errors of 0.1 m."""
    exact = Proving(at_middles(distances))
    squares = Claim(("point",), squares=True, lower=Fraction(1, 1000))
    words, _ = told(exact.canonical, exact.written(squares, ["evaluate 0 0"]))
    assert "with a sum of squared errors of 0.001 m^2 or less" in words
    assert "model error" not in words.split("About which problem")[0]
    assert "the square of its error alone exceeds the level" in words


def test_what_holds_of_skew_coordinates_or_of_some_rows_is_not_said_of_a_variable():
    """No `x <= 1 is impossible` below a frame, or below a hitting, where rows may be left out."""
    problem = line(["1", "1.5", "5", "2.5", "3"])
    answer = fewest_discards(problem)
    part = answer.parts[0]
    lines = part.certificate.decode().replace("discard 0", "discard 1").splitlines()
    place = lines.index("tree")
    text_ = "\n".join([*lines[: place + 1], "hitting 1", *lines[place + 1 :]]) + "\n"
    assert (
        explain(answer.canonical, part.certificate).tree.events
        or not explain(answer.canonical, part.certificate).tree.splits
    )
    assert not explain(answer.canonical, text_.encode()).tree.events
    (hull,) = (found := certify.enclose(line([str(v) for v in VALUES]), polytopes=True)).parts
    tree = explain(found.canonical, hull.certificate).tree
    assert tree.frames
    assert len(tree.events) < tree.splits


@pytest.mark.parametrize("name", ["leg1.canonical", "base.canonical"])
def test_the_problem_that_a_certificate_names_is_found_beside_it(saved, tmp_path, name):
    """Whatever it is called; a problem.toml beside it is another problem's."""
    (tmp_path / "problem.toml").write_text(SINE)
    (tmp_path / "leg1.cert").write_bytes((saved / "leg1.cert").read_bytes())
    (tmp_path / "another.canonical").write_bytes(b"certify-problem 2\n")
    (tmp_path / name).write_bytes((saved / "problem.canonical").read_bytes())
    done = run(tmp_path / "leg1.cert")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"    certify check {tmp_path / name} {tmp_path / 'leg1.cert'}\n")
    assert f"the translation of your problem into {name}, which" in " ".join(done.stdout.split())
