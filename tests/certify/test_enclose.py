"""Hulls: nothing consistent is outside, something consistent is near every face, and the checker agrees."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from commands import run
from systems import SYSTEMS, leg

import certify
from certify import Verdict
from certify.__main__ import main
from certify.checker import Status, check
from certify.claims.hull_table import hull_section
from certify.contractors.protocol.contractor import Evaluate
from certify.parts.enclosure_emission import HullProof
from certify.parts.part_search import PartSearch
from certify.parts.scopes import start_point
from certify.proofs.witnesses import sharing
from certify.records.options import Options
from certify.solvers.fits.extremes import Sides
from certify.solvers.limits import Stopped
from certify.solvers.proof.trace import Refuted, Steps


def sensor(low=Fraction(-1, 2), high=Fraction(1, 2), bound=Fraction(10)):
    """u read by one sensor: |u - y|, y in [low, high]."""
    tape = certify.trace(lambda x, m: x.u - m.y, {"u": ()}, {"y": ()})
    family = certify.Family("f", tape, 1, (certify.Binding(False, 0), certify.Binding(True, 0)))
    return certify.Problem(
        (certify.Variable("u", "1", -bound, bound),), (certify.Column("y", "1", (low,), (high,)),), (family,)
    )


def verified(result):
    for part in result.parts:
        for data in (part.certificate, *part.witness_certificates.values()):
            outcome = check(result.canonical, data)
            assert outcome.status is Status.VERIFIED, outcome.message


def largest_side(problem):
    sides = Sides(
        problem.blocks, sharing(problem, tuple(range(len(problem.families)))), tuple(range(len(problem.variables)))
    )
    return lambda x: sides.point(x).largest


def test_one_sensor():
    for epsilon in (0, Fraction(1, 4)):
        result = certify.enclose(sensor(), epsilon)
        verified(result)
        (part,) = result.parts
        (low, high) = part.box.faces[0]
        end = Fraction(1, 2) + epsilon
        assert part.verdict is Verdict.ENCLOSED and part.stopped is Stopped.FINISHED
        assert low.outer <= -end <= low.witness < high.witness <= end <= high.outer
        assert part.box.gaps[0] <= 0.01
        assert not low.limited and not high.limited


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
def test_what_is_consistent_is_inside_and_the_faces_are_near_witnesses(system, seed):
    planted = system(seed, epsilon=0.2) if system is leg else system(seed)
    epsilon = Fraction(planted.epsilon)
    result = certify.enclose(planted.problem, epsilon, options=Options(time_limit=30))
    verified(result)
    (part,) = result.parts
    assert part.verdict is Verdict.ENCLOSED
    assert max(part.box.gaps) <= 0.01
    lower, upper = np.array([told["hull"] for told in part.box.as_json()]).T  # rounded outwards, as the search box is
    assert ((lower <= planted.truth) & (planted.truth <= upper)).all()
    rng, largest, box = np.random.default_rng(seed), largest_side(planted.problem), planted.problem.box
    inside, x = 0, planted.truth
    for _ in range(300):
        step = rng.normal(size=x.size) * (upper - lower) * 10.0 ** rng.uniform(-3, 0.3)
        trial = np.clip(x + step, *box)
        if largest(trial) <= planted.epsilon:
            inside, x = inside + 1, trial
            assert ((lower <= x) & (x <= upper)).all()
    assert inside > 10


def test_two_parts_of_the_solution_set_are_both_inside():
    """u^2 read between 1 and 4: u in [-2, -1] or [1, 2]; a walk from one part does not see the other."""
    tape = certify.trace(lambda x, m: x.u * x.u - m.y, {"u": ()}, {"y": ()})
    family = certify.Family("f", tape, 1, (certify.Binding(False, 0), certify.Binding(True, 0)))
    column = certify.Column("y", "1", (Fraction(1),), (Fraction(4),))
    problem = certify.Problem((certify.Variable("u", "1", Fraction(-10), Fraction(10)),), (column,), (family,))
    for start in (1.5, -1.5):
        result = certify.enclose(problem, start=np.array([start]))
        verified(result)
        low, high = result.part("f").box.faces[0]
        assert low.outer <= -2 <= low.witness <= Fraction("-1.95")
        assert Fraction("1.95") <= high.witness <= 2 <= high.outer


def test_the_search_box_is_named_where_it_limits():
    part = certify.enclose(sensor(bound=Fraction(1, 4))).part("f")
    low, high = part.box.faces[0]
    assert low.limited and high.limited
    assert part.box.lower == (Fraction(-1, 4),) and part.box.gaps == (0.0,)


def test_nothing_consistent_is_said_with_proof(two_legs, start):
    result = certify.enclose(two_legs, start=start)
    verified(result)
    for part in result.parts:
        assert part.verdict is Verdict.INFEASIBLE
        assert part.box is None
        assert b"\nlower 0\n" in part.certificate
    assert (
        hull_section(result)[-1] == "platform: no value at all is consistent, because none is for leg1, leg2 (proved)."
    )


@pytest.mark.thorough
def test_with_an_epsilon_the_shipped_legs_are_enclosed_and_the_platform_needs_no_search(two_legs, start, tmp_path):
    result = certify.enclose(two_legs, 4, start=start)
    verified(result)
    assert [part.name for part in result.parts] == ["leg1", "leg2"]
    assert all(part.verdict is Verdict.ENCLOSED and max(part.box.gaps) <= 0.01 for part in result.parts)
    assert hull_section(result)[-1].startswith("platform: its hull is that of each part")
    assert [path.name for path in result.save(tmp_path)] == ["leg1-hull.cert", "leg2-hull.cert"]
    names = {path.name for path in result.save(tmp_path, witnesses=True)}
    assert len(names) == 2 * 15 and "leg1-hull-a_x-lower.cert" in names
    told = result.part("leg1").as_json()["hull"]
    assert (
        len(told) == 7
        and told[0]["hull"][0] <= told[0]["witnesses"][0] <= told[0]["witnesses"][1] <= told[0]["hull"][1]
    )


@pytest.mark.thorough
def test_the_command_line_writes_and_checks_hulls(tmp_path, capsys):
    robot = ["--robot", "planar_3rpr", "--error", "none", "--out", str(tmp_path / "robot")]
    assert main(["simulate", *robot, "--quiet"]) == 0
    capsys.readouterr()
    words = ["--epsilon", "0.5 mm", "--enclose", "--out", str(tmp_path / "out"), "--json", "--quiet"]
    assert main(["run", str(tmp_path / "robot" / "problem.toml"), *words]) == 0
    hulls = json.loads(capsys.readouterr().out)["hulls"]
    assert [(hull["certificate"], hull["verified"]) for hull in hulls] == [
        (f"leg{k}-hull.cert", True) for k in range(1, 4)
    ]
    assert all((tmp_path / "out" / hull["certificate"]).stat().st_size == hull["bytes"] for hull in hulls)
    assert max(row["gap"] for hull in hulls for row in hull["hull"]) <= 0.01
    assert {row["unit"] for hull in hulls for row in hull["hull"]} == {"mm"}


def test_systems_of_equations_have_no_hulls_to_ask_for(tmp_path):
    (tmp_path / "s.bch").write_text("Variables\n x in [0, 1];\nConstraints\n x = 0;\nend\n")
    done = run("run", tmp_path / "s.bch", "--enclose")
    assert done.returncode == 2
    assert "--enclose" in done.stderr


def test_a_model_that_is_undefined_somewhere_is_not_claimed_to_be_consistent():
    """1 / y - u y with y in [-1, 1]."""
    tape = certify.trace(lambda x, m: 1 / m.y - x.u * m.y, {"u": ()}, {"y": ()})
    family = certify.Family("f", tape, 1, (certify.Binding(False, 0), certify.Binding(True, 0)))
    column = certify.Column("y", "1", (Fraction(-1),), (Fraction(1),))
    problem = certify.Problem((certify.Variable("u", "1", Fraction(4), Fraction(6)),), (column,), (family,))
    result = certify.enclose(problem, 1)
    verified(result)
    assert result.parts[0].verdict is Verdict.UNDECIDED and not result.complete
    assert result.parts[0].box.lower == (4,) and result.parts[0].box.upper == (6,)


def test_the_table_says_what_limits_an_end_and_what_is_missing():
    limited = "\n".join(hull_section(certify.enclose(sensor(bound=Fraction(1, 4)))))
    assert "-0.25" in limited and "lower and upper: the search box" in limited
    point = "\n".join(hull_section(certify.enclose(sensor(Fraction(1, 3), Fraction(1, 3)))))
    assert "no witness" in point and "f: no consistent value is proved" in point
    empty = "\n".join(hull_section(certify.enclose(sensor(Fraction(20), Fraction(21)))))
    assert "f: no value at all is consistent (proved)." in empty


def test_without_an_inside_there_is_no_witness_but_a_proved_box():
    result = certify.enclose(sensor(Fraction(1, 3), Fraction(1, 3)))
    verified(result)
    (part,) = result.parts
    assert part.box.lower[0] <= Fraction(1, 3) <= part.box.upper[0]
    assert part.verdict is Verdict.UNDECIDED
    assert part.box.gaps == (None,)
    assert part.box.upper[0] - part.box.lower[0] < Fraction(1, 10**6)


def test_a_time_limit_leaves_a_wider_hull_that_is_proved_too():
    planted = leg(1, epsilon=0.2)
    result = certify.enclose(planted.problem, Fraction(planted.epsilon), options=Options(time_limit=1e-3))
    verified(result)
    (part,) = result.parts
    assert part.stopped is Stopped.TIME
    assert Stopped.TIME in {face.stopped for pair in part.box.faces for face in pair}


def test_rows_that_share_a_measurement_are_enclosed_apart_and_witnessed_together():
    """|u - y| and |u + y - 1| with one y in [0, 1]: together u = 1/2, each for itself all of [0, 1]."""
    tapes = [
        certify.trace(model, {"u": ()}, {"y": ()}) for model in (lambda x, m: x.u - m.y, lambda x, m: x.u + m.y - 1)
    ]
    families = tuple(
        certify.Family(f"f{k}", tape, 1, (certify.Binding(False, 0), certify.Binding(True, 0)))
        for k, tape in enumerate(tapes)
    )
    column = certify.Column("y", "1", (Fraction(0),), (Fraction(1),))
    problem = certify.Problem((certify.Variable("u", "1", Fraction(-3), Fraction(4)),), (column,), families)
    result = certify.enclose(problem, Fraction(1, 10))
    verified(result)
    (part,) = result.parts
    low, high = part.box.faces[0]
    assert Fraction("-0.2") < low.outer <= Fraction("-0.1") and Fraction("1.1") <= high.outer < Fraction("1.2")
    assert Fraction("0.4") <= low.witness < Fraction("0.41") and Fraction("0.59") < high.witness <= Fraction("0.6")
    assert part.stopped is Stopped.FEASIBLE


def test_a_slab_that_is_not_refuted_stays():
    from certify.proofs.problem_replay import Proving

    problem = sensor()
    proof = HullProof(PartSearch(Proving(problem), (0,), Options(), start_point(problem, None)), Fraction(0))
    reason = Steps([], Refuted(Evaluate(0, 0)))
    assert not proof.remove(0, 0.25, False, reason)
    assert not proof.remove(0, 11.0, False, reason)
    assert proof.tree == ["open"] and proof.exact == ((-10, 10),)
    assert proof.remove(0, 0.75, False, reason) and proof.remove(0, -0.75, True, reason)
    assert proof.exact == ((Fraction(-3, 4), Fraction(3, 4)),)


def test_a_tighter_hull_than_proved_is_rejected():
    result = certify.enclose(sensor())
    data = result.parts[0].certificate.decode()
    low, high = (str(ends[0]) for ends in (result.parts[0].box.lower, result.parts[0].box.upper))
    assert f"\nhull\n{low} {high}\n" in data
    for forged in (f"{low} 1/4", f"-1/4 {high}"):
        outcome = check(result.canonical, data.replace(f"\nhull\n{low} {high}\n", f"\nhull\n{forged}\n").encode())
        assert outcome.status is Status.REJECTED


def test_bad_questions_are_refused():
    for arguments in ({"epsilon": -1}, {"epsilon": "x"}, {"gap": 0}, {"gap": 2}, {"gap": "1/0"}):
        with pytest.raises(certify.InputError):
            certify.enclose(sensor(), **arguments)


def test_results_have_no_truth_value_and_parts_have_names():
    result = certify.enclose(sensor())
    with pytest.raises(TypeError):
        bool(result)
    with pytest.raises(KeyError):
        result.part("g")
    assert result.part("f") is result.parts[0]


def test_a_fixed_variable_is_its_own_hull():
    problem = sensor()
    fixed = replace(problem, variables=(replace(problem.variables[0], lower=Fraction(1, 8), upper=Fraction(1, 8)),))
    part = certify.enclose(fixed).part("f")
    assert part.verdict is Verdict.ENCLOSED
    assert part.box.lower == part.box.upper == (Fraction(1, 8),)
