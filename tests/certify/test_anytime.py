"""What is proved when a limit comes is the answer: coarse ends first, repaired proofs, interruptions, folders that are
never torn.
"""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from systems import leg

import certify
from certify import Verdict
from certify.__main__ import main
from certify.checker import Status, check
from certify.checker.nodes import Aggregate
from certify.checks.checking import check_each
from certify.parts import tightening
from certify.parts.workers import for_each, share_each
from certify.problems.experiments.toml_reader import load_experiment
from certify.proofs import problem_replay
from certify.records.options import Options
from certify.runs.calibration import calibrate
from certify.runs.folders import RECORD, staged, written_before
from certify.solvers.limits import INTERRUPTIONS, Late, Limit, Stopped


@pytest.fixture(scope="module")
def hard():
    """A leg that is too wide for one refutation at the default gap."""
    return leg(3, epsilon=2.0).problem


def verified(result):
    (part,) = result.parts
    return check(result.canonical, part.certificate).status is Status.VERIFIED


def test_lower_ends_come_coarse_first_and_then_tighten(hard, monkeypatch):
    """With the least effort at first the gap asked for is put off, coarse gaps come first, and the end is the same."""
    direct = certify.adequacy(hard)
    proved = []
    original = problem_replay.Proving.tree
    monkeypatch.setattr(
        problem_replay.Proving,
        "tree",
        lambda self, scope, lower, *rest: proved.append(lower) or original(self, scope, lower, *rest),
    )
    run = tightening.Tightening.run

    def from_little(self):
        self.effort = 1.0
        run(self)

    monkeypatch.setattr(tightening.Tightening, "run", from_little)
    monkeypatch.setattr(tightening, "MORE_EFFORT", 100.0)
    (part,) = (result := certify.adequacy(hard)).parts
    assert len(proved) > 1 and proved == sorted(proved)
    assert part.epsilon == direct.parts[0].epsilon
    assert part.stopped is Stopped.FINISHED
    assert verified(result)


def test_the_coarse_end_is_the_answer_where_more_cannot_be_done(hard, monkeypatch):
    """A gap of 5e-7 that never succeeds, as if it took too long: what was proved before stays, and the
    reason is told.
    """
    original = tightening.Tightening._attempt

    def attempt(self, gap, share):
        return original(self, gap, share) if gap > Fraction(1, 10**5) else Stopped.REPLAY

    monkeypatch.setattr(tightening.Tightening, "_attempt", attempt)
    (part,) = (result := certify.adequacy(hard)).parts
    assert part.verdict is Verdict.INADEQUATE
    assert Fraction(1, 10**5) < (part.epsilon[1] - part.epsilon[0]) / part.epsilon[1] < Fraction(1, 10**4)
    assert part.stopped is Stopped.REPLAY and Stopped.GAP in part.obstacles
    assert verified(result)


def test_answers_under_a_limit_in_bisections_repeat(hard):
    found = [certify.adequacy(hard, options=Options(splits=1)).parts[0] for _ in range(2)]
    assert found[0].epsilon == found[1].epsilon and found[0].tree == found[1].tree


def test_a_refutation_that_fails_in_replay_is_searched_for_again(hard, monkeypatch):
    """The first refutations of whole boxes are not confirmed, as if the checker's enclosures were wider there."""
    failing, original = [3], problem_replay.accepted

    def doubtful(proof, preparation, box, node):
        whole = isinstance(node, Aggregate) and box == preparation.box
        if whole and failing[0]:
            failing[0] -= 1
            return None
        return original(proof, preparation, box, node)

    monkeypatch.setattr(problem_replay, "accepted", doubtful)
    (part,) = (result := certify.adequacy(hard)).parts
    assert failing == [0]
    assert part.verdict is Verdict.INADEQUATE and part.stopped is Stopped.FINISHED
    assert verified(result)


def test_what_is_never_confirmed_is_withdrawn(hard, monkeypatch):
    monkeypatch.setattr(problem_replay, "accepted", lambda *_: None)
    monkeypatch.setattr(problem_replay, "MOST_REPAIRS", 2)
    (part,) = certify.adequacy(hard, options=Options(gap=Fraction(1, 2))).parts
    assert part.verdict is Verdict.UNDECIDED and part.epsilon[0] == 0
    assert part.stopped is Stopped.REPLAY


def test_without_time_nothing_is_begun_and_that_is_told(hard):
    for question in (certify.adequacy, certify.decide, certify.enclose, certify.least_squares, certify.fewest_discards):
        (part,) = question(hard, options=Options(time_limit=0.0)).parts
        assert (part.verdict, part.stopped, part.begun) == (Verdict.UNDECIDED, Stopped.TIME, False)


@pytest.fixture(scope="module")
def planar(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planar")
    main(["simulate", "--robot", "planar_3rpr", "--error", "backlash", "--seed", "3", "--out", str(folder)])
    return load_experiment(folder / "problem.toml")


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_what_was_proved(planar, tmp_path, workers, kind):
    """When the second leg begins: the first one is done (or beside it, with two workers), the third is not begun."""
    sent = []

    def progress(message):
        if message == "leg1: searching" and workers == 2:
            time.sleep(0.5)  # the second leg is begun meanwhile
        if message == "leg2: searching":
            sent.append(kind)
            os.kill(os.getppid() if workers == 2 else os.getpid(), kind)

    with INTERRUPTIONS.heeded():
        answer = calibrate(planar, tmp_path, Options(workers=workers), progress=progress)
    parts = {part.name: part for part in answer.result.parts}
    assert parts["leg3"].stopped is Stopped.INTERRUPTED and not parts["leg3"].begun
    assert parts["leg2"].stopped is Stopped.INTERRUPTED
    if workers == 1:
        assert sent == [kind]
        assert parts["leg1"].verdict is Verdict.INADEQUATE and parts["leg1"].stopped is Stopped.FINISHED
        assert parts["platform"].epsilon == (parts["leg1"].epsilon[0], None)
    assert answer.exit_code == 3
    record = json.loads((tmp_path / RECORD).read_text())
    assert record["exit_code"] == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(record["files"])
    assert all(found.verified for found in answer.checks)


def test_an_interruption_during_the_fit_claims_nothing(planar, tmp_path):
    with INTERRUPTIONS.heeded(), pytest.raises(Late):
        calibrate(planar, tmp_path, progress=lambda message: os.kill(os.getpid(), signal.SIGINT))
    assert not list(tmp_path.iterdir())


def test_an_interruption_is_told_part_by_part(planar, tmp_path):
    from certify.claims.proved_words import ended_early

    def progress(message):
        if message == "leg2: searching":
            os.kill(os.getpid(), signal.SIGINT)

    with INTERRUPTIONS.heeded():
        answer = calibrate(planar, tmp_path, progress=progress)
    (line,) = ended_early(answer.result.parts, 12.2)
    assert line == "interrupted after 12 s: leg1 done; leg2, leg3, platform not begun."


def test_what_is_not_checked_in_time_is_said_not_to_be(tmp_path):
    pairs = [(tmp_path / "a", tmp_path / "b.cert")]
    (found,) = check_each(pairs, Limit.of(-1.0))
    assert (found.certificate, found.code, found.message) == ("b.cert", 3, "not checked: time limit")


def test_files_take_the_place_of_old_ones_at_once(tmp_path):
    for name in ("a", RECORD):
        (tmp_path / name).write_text(json.dumps({"files": ["a", RECORD]}))
    old = written_before(tmp_path)

    def fails():
        with staged(tmp_path, old) as stage:
            (stage / "b").write_text("new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", RECORD]
    with staged(tmp_path, old) as stage:
        (stage / "b").write_text("new")
        (stage / RECORD).write_text("{}")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", RECORD]


def test_an_interruption_between_two_files_waits_for_the_last(tmp_path, monkeypatch):
    """The third interruption ends the program, but not between two files of one folder."""
    moved, original = [], os.replace

    def interrupted(source, target):
        if not moved:
            moved.append(target)
            raise KeyboardInterrupt
        original(source, target)

    def write():
        with staged(tmp_path, [Path(tmp_path / "gone")]) as stage:
            for name in ("a", "b", RECORD):
                (stage / name).write_text(name)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", RECORD]


def test_parts_share_the_time_that_is_left():
    parts = [(f"leg{k}", (k,)) for k in range(4)]
    left = share_each(parts, lambda name, scope, limit: limit.remaining, 1, Limit.of(1000.0), after=1)
    assert [round(1000 / seconds) for seconds in left] == [5, 4, 3, 2]


def test_a_worker_that_dies_leaves_its_part_to_the_parent():
    def task(name, scope):
        if os.getpid() != parent and name == "leg1":
            os.kill(os.getpid(), signal.SIGKILL)  # as the system does for want of memory
        return name

    parent = os.getpid()
    assert for_each([("leg1", (0,)), ("leg2", (1,))], task, 2) == ["leg1", "leg2"]


def test_want_of_memory_is_a_limit(hard, monkeypatch):
    from certify.solvers import memory

    monkeypatch.setattr(memory, "_allowed", [1.0])
    monkeypatch.setattr(memory, "_last", [(0.0, False)])
    (part,) = certify.adequacy(hard).parts
    assert (part.verdict, part.stopped) == (Verdict.UNDECIDED, Stopped.MEMORY)


def test_undecided_is_never_finished(hard):
    """An error below the resolution, without an exact witness, is told as such."""
    planted = certify.adequacy(hard).parts[0].epsilon[1]
    (part,) = certify.adequacy(hard, options=replace(Options(), resolution=2 * planted)).parts
    assert (part.verdict, part.stopped) == (Verdict.UNDECIDED, Stopped.SMALL)
