"""A run that was killed goes on where it stood, and ends as if nothing had happened; no journal makes it say more."""

from dataclasses import replace

import numpy as np
import pytest
from killing import killed_after
from systems import leg

import certify
from certify.__main__ import main
from certify.checker import Status, check
from certify.claims.proved_words import nothing_here
from certify.contractors.protocol.contractor import Cut, Evaluate
from certify.pictures.paving_picture import paving_picture
from certify.proofs.problem_replay import proving_of
from certify.records.options import Options
from certify.solvers.journal import plain
from certify.solvers.journal.beside import journal_path
from certify.solvers.journal.journal import NOTHING, Journal, Memory
from certify.solvers.proof.proof_tree import Leaf
from certify.solvers.proof.trace import Refuted, Steps
from certify.solvers.search import before, before_refuting
from certify.solvers.tasks import growing, grown
from certify.solvers.workers.processes import Processes
from certify.systems.solve import Asked, answered

SYSTEM = "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;\nend\n"


def solved(memory=NOTHING, workers=1):
    return answered(SYSTEM, Asked(memory=memory, workers=workers, apart=workers > 1))


def bounded(memory=NOTHING):
    """The smallest model error of a leg that takes some bisections."""
    return certify.adequacy(leg(3, epsilon=5.0, radius=60.0).problem, options=Options(memory=memory, time_limit=1e6))


@pytest.fixture(scope="module")
def undisturbed():
    (document,) = solved().documents
    return document


@pytest.fixture(scope="module")
def leg_undisturbed():
    return bounded()


def killed(count, monkeypatch, path, run):
    """Run until so many answers are kept."""
    journal = Journal.begin(path, b"subject")
    try:
        with killed_after(count, monkeypatch):
            run(Memory(journal))
    finally:
        journal.close()


def resumed(path, run):
    journal = Journal.resume(path, b"subject")
    try:
        return run(Memory(journal)), journal.recalled
    finally:
        journal.close()


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
def test_a_system_that_was_killed_ends_in_the_same_certificate(count, tmp_path, monkeypatch, undisturbed):
    path = tmp_path / "journal"
    killed(count, monkeypatch, path, solved)
    answer, recalled = resumed(path, solved)
    assert recalled == count
    assert answer.verified
    assert answer.documents[0].certificate == undisturbed.certificate
    answer, recalled = resumed(path, solved)  # all of it is known now
    assert recalled > count
    assert answer.documents[0].certificate == undisturbed.certificate


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_leg_that_was_killed_ends_in_the_same_certificate(count, tmp_path, monkeypatch, leg_undisturbed):
    path = tmp_path / "journal"
    killed(count, monkeypatch, path, bounded)
    answer, recalled = resumed(path, bounded)
    assert recalled >= count
    (part,), (expected,) = answer.parts, leg_undisturbed.parts
    assert (part.verdict, part.epsilon, part.splits) == (expected.verdict, expected.epsilon, expected.splits)
    assert part.certificate == expected.certificate
    assert check(answer.canonical, part.certificate).status is Status.VERIFIED


def test_the_command_resumes_a_run_that_was_killed(tmp_path, monkeypatch, capsys, undisturbed):
    problem, out = tmp_path / "curves.bch", tmp_path / "out"
    problem.write_text(SYSTEM)
    command = ["run", str(problem), "--out", str(out), "--workers", "1"]
    with killed_after(3, monkeypatch):
        main(command)
    assert journal_path(out).is_file()
    assert main([*command, "--resume"]) == 0
    assert "resuming: the journal out.journal has 3 steps" in capsys.readouterr().err
    assert not journal_path(out).exists()
    assert (out / "solutions.cert").read_bytes() == undisturbed.certificate
    assert main(["run", str(problem), "--resume"]) == 2
    assert "--resume reads the journal beside the folder that --out names" in capsys.readouterr().err


@pytest.mark.thorough
def test_the_command_resumes_a_robot(tmp_path, monkeypatch, capsys):
    robot, out = tmp_path / "robot", tmp_path / "out"
    assert main(["simulate", "--robot", "planar_3rpr", "--error", "backlash", "--out", str(robot), "--quiet"]) == 0
    command = ["run", str(robot / "problem.toml"), "--workers", "1", "--quiet", "--out"]
    assert main([*command, str(tmp_path / "undisturbed")]) == 0
    with killed_after(4, monkeypatch):
        main([*command, str(out)])
    journal_path(out).rename(tmp_path / "other.journal")
    assert main([*command, str(tmp_path / "other"), "--resume"]) == 0
    for path in sorted((tmp_path / "undisturbed").glob("*.cert")):
        assert (tmp_path / "other" / path.name).read_bytes() == path.read_bytes()


def test_what_the_engine_says_of_a_resumed_search_names_the_journal(tmp_path, monkeypatch):
    path = tmp_path / "journal"
    killed(1, monkeypatch, path, solved)
    answer, _ = resumed(path, lambda memory: answered(SYSTEM, Asked(certificate=False, memory=memory)))
    assert "if what the journal of an earlier run has cut off holds none, not certified" in answer.text
    assert "if what the journal of an earlier run has cut off holds none" in answer.drawing.premise
    assert "holds none)" in nothing_here(False, True, answer.drawing.premise)
    assert paving_picture(answer.drawing).startswith(b"\x89PNG")
    told = answer.as_json()
    assert not told["complete"] and told["premise"] == "if what the journal of an earlier run has cut off holds none"
    whole, _ = resumed(path, solved)
    assert whole.counts and not whole.drawing.premise
    assert whole.as_json()["complete"] is True and "premise" not in whole.as_json()
    assert "journal" not in solved().text + solved().drawing.premise


def test_a_proof_is_the_same_with_two_processes(undisturbed, monkeypatch):
    ask, asked = Processes.ask, []
    monkeypatch.setattr(growing, "FEWEST", 1)
    monkeypatch.setattr(Processes, "ask", lambda self, *about: asked.append(about) or ask(self, *about))
    assert solved(workers=2).documents[0].certificate == undisturbed.certificate
    assert asked


def test_a_lying_journal_makes_no_claim_about_a_system(tmp_path, monkeypatch):
    """Every box is said to be empty, or a leaf: the whole system has no solution, then."""
    path = tmp_path / "journal"
    journal = Journal.begin(path, b"subject")
    lie = (Evaluate(0, 0),)
    monkeypatch.setattr(Memory, "recall", lambda self, key, read: _lied(read, grown.pieces_bytes((lie,))))
    answer = solved(Memory(journal))
    journal.close()
    assert not answer.verified or answer.count == solved().count


def test_a_lying_journal_makes_no_claim_about_a_leg(tmp_path, monkeypatch, leg_undisturbed):
    """Every box is said to be refuted by its first row: no model error would be small enough."""
    path = tmp_path / "journal"
    journal = Journal.begin(path, b"subject")
    box = leg(3, epsilon=5.0, radius=60.0).problem.box

    def lie(self, key, read):
        from certify.contractors.protocol.contractor import Box

        told = (Box(*box), Steps([], Refuted(Evaluate(0, 0))), (), 1)
        return _lied(read, before_refuting.CODEC.encode(told))

    monkeypatch.setattr(Memory, "recall", lie)
    (part,) = bounded(Memory(journal)).parts
    journal.close()
    (expected,) = leg_undisturbed.parts
    assert part.epsilon[0] <= expected.epsilon[1]
    if part.certificate is not None:
        assert (
            check(proving_of(leg(3, epsilon=5.0, radius=60.0).problem).canonical, part.certificate).status
            is Status.VERIFIED
        )


def test_a_lying_journal_makes_no_box_hold_one_solution_that_holds_more(tmp_path, monkeypatch):
    """The zero is where it is said to be the only one; the box in which it is said to lie reaches beyond that."""
    from certify.contractors.protocol.boxes import Boxes

    truth = [solution.enclosure for solution in solved().found.paving.solutions]
    told = []

    def boxes(*ends):
        return Boxes(*(np.array(end, dtype=float)[:, None] for end in ends))

    def lie(self, key, read):
        asked, _ = before.CODEC.decode(key(), tuple[Boxes, before.Books])
        alone = boxes(truth[0].lower - 1e-4, truth[0].upper + 1e-4)
        far = before.Proved(boxes([-3.0, -3.0], [3.0, 3.0]), alone)
        nothing = asked.take(np.zeros(asked.count, dtype=bool))
        report = before.Report(asked.count, proved=[far])
        remains = nothing, np.zeros(0, dtype=np.int64), report
        found = _lied(read, before.CODEC.encode(remains))
        told.append(found is None)
        return found

    monkeypatch.setattr(Memory, "recall", lie)
    journal = Journal.begin(tmp_path / "journal", b"subject")
    answer = answered(SYSTEM, Asked(certificate=False, memory=Memory(journal)))
    journal.close()
    for solution in answer.found.paving.solutions:
        inside = [(one.lower >= solution.enclosure.lower).all() and (one.upper <= solution.enclosure.upper).all()
                  for one in truth]  # fmt: skip
        assert sum(inside) <= 1
    assert told and all(told)


def test_a_descent_that_a_limit_has_broken_off_is_not_kept(tmp_path):
    from certify.contractors.protocol.contractor import Box
    from certify.proofs.witnesses import estimated_error
    from certify.solvers.limits import Limit

    problem = leg(3, epsilon=5.0, radius=60.0).problem
    box, journal = Box(*problem.box), Journal.begin(tmp_path / "journal", b"subject")
    asked = problem, tuple(range(len(problem.families))), box, box.centre, 1.0
    estimated_error(*asked, Limit.of(0.0), Memory(journal))
    assert journal.is_empty
    least = estimated_error(*asked, Limit.of(60.0), Memory(journal))
    assert not journal.is_empty
    assert least == estimated_error(*asked)
    journal.close()


def _lied(read, data):
    try:
        return read(data)
    except plain.Damaged:
        return None


def test_pieces_of_trees_that_name_what_is_not_there_are_refused():
    low, high = np.array([0.0, 0.0]), np.array([1.0, 1.0])
    sizes = grown.Sizes(2, 3, 1, 4, False)
    left = grown.Left(np.ones(2), -1)
    for piece in (
        (),
        (left, left),
        (grown.Divides(0, 0.5), left),
        (grown.Divides(2, 0.5), left, left),
        (grown.Divides(0, 1.0), left, left),
        (grown.Divides(0, float("nan")), left, left),
        (grown.Prepares(),),
        (Evaluate(2, 0),),
        (grown.Known(1),),
        (grown.Open(),),
        (grown.Weighted((3,), (1.0,), True),),
        (grown.Weighted((0,), (0.0,), True),),
        (grown.Weighted((0,), (), True),),
        (grown.Left(np.ones(3), -1),),
        (grown.Left(np.ones(2), 4),),
    ):
        task = grown.task_of(low, high, high - low, -1)
        with pytest.raises(plain.Damaged):
            grown.attached(task, piece, sizes)
        assert grown.attached(task, (Evaluate(1, 0),), sizes) == []
        assert task.hole.parent.below == Leaf(Evaluate(1, 0))
    task = grown.task_of(low, high, high - low, -1)
    (rest,) = grown.attached(task, (grown.Divides(0, 0.5), Evaluate(1, 0), left), sizes)
    assert (rest.low.tolist(), rest.high.tolist()) == ([0.5, 0.0], [1.0, 1.0])


def test_narrowings_of_another_box_are_refused():
    from certify.contractors.protocol.contractor import Box

    box = Box(np.zeros(2), np.ones(2))
    known = before_refuting.Narrowings(NOTHING, {0: 3}, 1, before_refuting._Nothing())
    wider = Box(np.zeros(2), np.array([1.0, 2.0]))
    cut = Cut(0, 0.5, True, Evaluate(0, 1))
    for after, steps in (
        (wider, Steps()),
        (Box(np.zeros(3), np.ones(3)), Steps()),
        (Box(np.zeros(2), np.array([1.0, np.nan])), Steps()),
        (box, Steps([replace(cut, variable=2)])),
        (box, Steps([replace(cut, at=np.inf)])),
        (box, Steps([replace(cut, reason=Evaluate(0, 3))])),
        (box, Steps([replace(cut, reason=Evaluate(1, 0))])),
    ):
        with pytest.raises(plain.Damaged):
            known._read(box, before_refuting.CODEC.encode((after, steps, (), 0)))
    after, steps, rest = known._read(box, before_refuting.CODEC.encode((box, Steps([cut]), (), 5)))
    assert steps is rest
    assert known.meter.effort == 5
