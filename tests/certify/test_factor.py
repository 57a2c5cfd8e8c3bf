"""The smallest factor on all half-widths: known ones are bracketed, both ends have certificates, and the words say no
more than that.
"""

import json
import re
from dataclasses import replace
from fractions import Fraction

import pytest

import certify
from benchmarks.factor import BUILDERS, column
from certify.__main__ import main
from certify.checker import Status, check
from certify.checks.checking import check_files
from certify.claims.factor_claims import factor_section
from certify.problems.experiments.half_widths import HalfWidths
from certify.problems.model.scaled import scaled
from certify.questions.factor import GAP
from certify.records.factor_records import Factor, Judgement
from certify.records.results import Result
from certify.records.verdicts import Verdict
from certify.solvers.limits import Stopped

THREE = HalfWidths(Fraction(3))
THREE_READINGS = HalfWidths(Fraction(2)).factor_of_noise(3)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", BUILDERS)
@pytest.mark.parametrize("seed", range(2))
def test_a_known_factor_is_bracketed_and_both_ends_are_certified(kind, seed):
    planted = BUILDERS[kind](seed)
    (part,) = certify.smallest_factor(planted.problem).parts
    lower, upper = part.epsilon
    assert lower <= planted.factor <= upper
    assert upper - lower <= GAP * upper
    assert (part.verdict, part.stopped) == (Verdict.FACTOR, Stopped.FINISHED)
    assert check(part.refuted, part.certificate).status is Status.VERIFIED
    assert check(part.fitting, part.witness_certificate).status is Status.VERIFIED
    assert check(part.fitting, part.certificate).status is Status.REJECTED  # it is about another problem
    assert (
        certify.decide(scaled(planted.problem, planted.factor * Fraction(1001, 1000))).parts[0].verdict
        is Verdict.FEASIBLE
    )
    assert (
        certify.decide(scaled(planted.problem, planted.factor * Fraction(999, 1000))).parts[0].verdict
        is Verdict.INFEASIBLE
    )


@pytest.mark.thorough
def test_a_result_is_checked_and_saved_with_the_problems_of_its_own_factors(tmp_path):
    found = certify.smallest_factor(BUILDERS["legs"](0).problem)
    assert found.checked().parts == found.parts
    paths = found.save(tmp_path)
    assert [path.name.rpartition("-factor-")[2] for path in paths] == ["lower.cert", "upper.cert"]
    assert all(check_files(path.with_suffix(".canonical"), path).verified for path in paths)
    (part,) = replace(found, parts=tuple(replace(one, refuted=one.fitting) for one in found.parts)).checked().parts
    assert (part.epsilon, part.conflict) == (
        (0, found.parts[0].epsilon[1]),
        (),
    )  # the lower end is about another problem
    assert part.witness == found.parts[0].witness


def lines(*columns):
    """x = reading, for each column of two readings."""
    tape = certify.trace(lambda x, m: x.u - m.r, {"u": ()}, {"r": ()})
    families = tuple(
        certify.Family(c.name, tape, len(c.lower), (certify.Binding(False, 0), certify.Binding(True, k)), "mm")
        for k, c in enumerate(columns)
    )
    return certify.Problem((certify.Variable("u", "mm", Fraction(-9), Fraction(9)),), columns, families)


def test_what_fits_with_middles_needs_the_factor_0():
    (part,) = certify.smallest_factor(lines(column("a", "mm", [Fraction(1)] * 2, [Fraction(1, 10)] * 2))).parts
    assert part.epsilon == (0, 0)
    assert part.judgement is Judgement.FITS
    assert check(part.fitting, part.witness_certificate).status is Status.VERIFIED
    assert part.certificate is None


def test_readings_that_are_all_exact_cannot_be_wider():
    (part,) = certify.smallest_factor(lines(column("a", "mm", [Fraction(0), Fraction(1)]))).parts
    assert (part.verdict, part.stopped, part.epsilon) == (Verdict.UNDECIDED, Stopped.EXACT, (0, None))
    assert "part  uncertain readings" in "\n".join(factor_section(Result((part,), b"")))


def test_what_no_factor_explains_is_told_with_the_largest_that_is_refuted():
    exact, uncertain = (
        column("exact", "mm", [Fraction(0), Fraction(1)]),
        column("uncertain", "mm", [Fraction(0)] * 2, [Fraction(1)] * 2),
    )
    (part,) = certify.smallest_factor(lines(exact, uncertain)).parts
    assert (part.stopped, part.epsilon) == (Stopped.UNBOUNDED, (10**6, None))
    assert check(part.refuted, part.certificate).status is Status.VERIFIED
    assert {name for name, _ in part.conflict} == {"exact"}


def test_a_problem_that_fits_has_a_factor_below_1():
    (part,) = certify.smallest_factor(
        lines(column("a", "mm", [Fraction(0), Fraction(1)], [Fraction(2), Fraction(2)])), half_widths=THREE
    ).parts
    assert part.epsilon[0] <= Fraction(1, 4) <= part.epsilon[1]
    assert part.gap <= 1e-4
    assert part.judgement is Judgement.FITS


def test_parts_share_measurements_and_together_need_more():
    """u = r and v = r - 1 each fit with the middles; w = u - v = 0 is their own. With r shared nothing helps but the
    third column.
    """
    tape = certify.trace(lambda x, m: x.u - m.r - m.s, {"u": ()}, {"r": (), "s": ()})
    columns = (
        column("r", "mm", [Fraction(0), Fraction(2)], [Fraction(1)] * 2),
        column("s", "mm", [Fraction(0)] * 2, [Fraction(1)] * 2),
    )
    columns += (column("t", "mm", [Fraction(0), Fraction(-2)], [Fraction(1)] * 2),)
    variables = tuple(certify.Variable(name, "mm", Fraction(-9), Fraction(9)) for name in "uv")
    families = tuple(
        certify.Family(
            name, tape, 2, (certify.Binding(False, k), certify.Binding(True, 0), certify.Binding(True, 1 + k)), "mm"
        )
        for k, name in enumerate("pq")
    )
    answer = certify.smallest_factor(certify.Problem(variables, columns, families))
    p, q, together = answer.parts
    assert p.epsilon[0] <= Fraction(1, 2) <= p.epsilon[1]  # u from r + s: 0 or 2, each +-2 f
    assert q.epsilon == (0, 0)
    assert together.name == "platform"
    assert together.epsilon[0] == p.epsilon[0]
    assert together.epsilon[1] >= p.epsilon[0]
    assert together.readings == 6
    assert check(together.refuted, together.certificate).status is Status.VERIFIED
    assert check(together.fitting, together.witness_certificate).status is Status.VERIFIED


def test_a_wide_gap_still_refutes_what_noise_alone_needs():
    planted = BUILDERS["arms"](0)
    problem = scaled(planted.problem, planted.factor / 2)  # its factor is 2, and noise needs at most 3.5 / 3
    (part,) = certify.smallest_factor(problem, options=certify.Options(gap=Fraction(9, 10)), half_widths=THREE).parts
    noise = THREE.factor_of_noise(part.readings)
    assert noise < part.epsilon[0] <= 2 <= part.epsilon[1]
    assert part.judgement is Judgement.MODEL


def factor(lower, upper, half_widths=THREE, readings=448):
    (part,) = certify.smallest_factor(BUILDERS["arms"](1).problem).parts
    ends = Fraction(lower), None if upper is None else Fraction(upper)
    return replace(part, epsilon=ends, half_widths=half_widths, readings=readings)


CASES = [
    (("1.5", "1.6"), THREE, Judgement.MODEL, "no: the model is wrong (estimated)"),
    (("1.4", "1.5"), THREE, Judgement.OPEN, "undecided"),
    (("1.1", "1.4"), THREE, Judgement.NOISE, "yes, alone (estimated)"),
    (("0.9", "1"), THREE, Judgement.FITS, "-"),
    (("1.5", None), THREE, Judgement.MODEL, "> 1.5"),
    (("0", None), THREE, Judgement.OPEN, "not known"),
    (("1.5", "1.6"), HalfWidths(), Judgement.BOUNDS, "no: the model or a bound is wrong"),
    (("0.9999", "1.0001"), HalfWidths(), Judgement.OPEN, "undecided"),
    (("1.5", "1.6"), HalfWidths(stated=False), Judgement.UNSTATED, "does not say what its half-widths are"),
]


@pytest.mark.parametrize(("ends", "half_widths", "judgement", "words"), CASES)
def test_only_beyond_noise_the_model_is_called_wrong(ends, half_widths, judgement, words):
    """4.2392 / 3 = 1.4131 is what noise alone needs of 448 readings at 3 standard deviations."""
    part = factor(*ends, half_widths)
    assert part.judgement is judgement
    told = "\n".join(factor_section(Result((part,), b"")))
    assert words in told
    assert ("the model is wrong" in told) == (judgement is Judgement.MODEL)
    assert ("1.2 are expected outside" in told) == (half_widths is THREE)


def test_each_end_stands_with_its_own_check():
    part = factor("1.5", "1.6")
    assert part.standing({part.certificate, part.witness_certificate}) is part
    without_lower, without_upper = part.standing({part.witness_certificate}), part.standing({part.certificate})
    assert (without_lower.epsilon, without_lower.judgement) == ((0, Fraction("1.6")), Judgement.OPEN)
    assert (without_upper.epsilon, without_upper.witness) == ((Fraction("1.5"), None), None)
    nothing = part.standing(set())
    assert (nothing.verdict, nothing.stopped, nothing.epsilon) == (Verdict.UNDECIDED, Stopped.UNCHECKED, (0, None))
    assert isinstance(nothing, Factor)


PROBLEM = """format = "certify-problem-file 1"
title = "A line"
provenance = "simulated: by hand"
poses = "poses.csv"
half_widths_are = "2 standard deviations"
[model]
equation = "a + b*t - y"
[model.parameters]
a = "number"
b = "number"
[model.columns]
t = "number"
[model.leg_columns]
y = "number"
[half_widths]
t = "0 1"
y1 = "0.1 1"
[box]
centre = "nominal"
radius = { a = "9 1", b = "9 1" }
[legs.leg1]
a = "0 1"
b = "1 1"
"""
TABLE = "pose,t [1],y1 [1]\n1,0,0.5\n2,1,0.5\n3,2,2.5\n4,3,3\n"  # 0.5, -0.5, 0.5 beside the line t: the factor is 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("line")
    (path / "problem.toml").write_text(PROBLEM)
    (path / "poses.csv").write_text(TABLE)
    return path


def run(capsys, *words):
    code = main([*map(str, words), "--quiet"])
    return code, capsys.readouterr().out


def test_the_command_tells_the_factor_and_its_files_are_checked_and_explained(folder, capsys):
    out = folder / "certified"
    code, text = run(capsys, "run", folder / "problem.toml", "--factor", "--out", out, "--json")
    assert code == 0
    told = json.loads(text)
    (part,) = told["factors"]
    assert part["factor"][0] < 5 <= part["factor"][1]
    assert (part["verdict"], part["verified"], part["readings"]) == ("smallest factor", True, 4)
    assert (
        part["estimated_judgement"] == "the model is wrong"
    )  # 10 standard deviations, where 3.02 hold four readings with 99 %
    assert part["estimated_readings_outside"] == pytest.approx(4 * 0.0455, abs=1e-4)
    for end in ("lower", "upper"):
        certificate = out / f"leg1-factor-{end}.cert"
        code, words = run(capsys, "check", out / "problem.toml", certificate)
        assert (code, words[:8]) == (0, "VERIFIED")
        factor = re.search(r"with all half-widths times (\S+)\)", words)[1]
        assert run(capsys, "check", out / "problem.toml", certificate, "--factor", factor) == (0, words)
        assert run(capsys, "check", out / "leg1-factor-lower.canonical", certificate)[0] == (end == "upper")
        code, words = run(capsys, "check", out / "problem.toml", certificate, "--factor", "5.5")
        assert code == 1
        assert f"it is for leg1-factor-{end}.canonical in the same folder, and problem.toml with that --factor" in words
        for given in ([], ["--problem", out / "problem.toml"]):
            words = " ".join(run(capsys, "explain", certificate, *given)[1].split())
            assert re.search(
                rf"half-widths of its measurements (are those of problem.canonical beside it )?times {factor}[,;]",
                words,
            )


def test_a_factor_belongs_to_a_problem_file_and_is_not_negative(folder, capsys):
    run(capsys, "run", folder / "problem.toml", "--out", folder / "quick")
    for words in (
        ["problem.toml", "--factor", "-1"],
        ["problem.canonical", "--factor", "2"],
        ["problem.toml", "--factor", "2x"],
    ):
        code = main(["check", str(folder / "quick" / words[0]), str(folder / "quick" / "leg1.cert"), *words[1:]])
        assert code == 2
        assert "--factor" in capsys.readouterr().err


def test_where_noise_may_explain_it_both_ends_are_proved_at_once(folder, capsys):
    """Half-widths of 0.4 instead of 0.1: the factor is 1.25, and noise alone needs 1.51."""
    (folder / "wide.toml").write_text(PROBLEM.replace('y1 = "0.1 1"', 'y1 = "0.4 1"'))
    code, text = run(capsys, "run", folder / "wide.toml", "--out", folder / "wide")
    assert code == 0
    assert "yes, alone (estimated)" in text
    assert "wider half-widths would do" in text
    assert "the model is wrong" not in text
    told = json.loads((folder / "wide" / "result.json").read_text())["factors"][0]
    assert told["factor"][0] < 1.25 <= told["factor"][1]


def test_beside_no_value_fits_stands_a_rough_factor(folder, capsys):
    code, text = run(capsys, "run", folder / "problem.toml", "--out", folder / "rough")
    assert code == 0
    row = next(line for line in text.splitlines() if line.startswith("leg1") and "model is wrong" in line)
    assert " 1.51 .. 5.0" in row
    told = json.loads((folder / "rough" / "result.json").read_text())["factors"][0]
    assert THREE_READINGS < told["factor"][0] < 5
    assert 5 <= told["factor"][1] < 5.05
    assert told["verified"]
    code, text = run(capsys, "run", folder / "problem.toml", "--out", folder / "rough", "--epsilon", "0 1")
    assert "model is wrong" in text
    assert (
        "half-widths"
        not in run(capsys, "run", folder / "problem.toml", "--out", folder / "rough", "--epsilon", "0.45 1")[1]
    )
