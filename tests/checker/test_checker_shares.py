"""One certificate judged by several processes: what one says three say, wherever a leaf is wrong."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from checker_texts import PIECES, Text, certificate, problem, tape
from texts import enclosed, further, groups, inequalities, pieces, tables, volumes
from texts.reasons import CASES

from certify.checker import Status, check, command, shares, tree
from certify.checker.outcome import Outcome, Rejection, ResourceLimit
from certify.checker.shares import VALID, Share, in_shares, said

LINE = problem([("x", 0, 16)], [], [tape(1, "const 1", "add 0 1")], ["F 0 1 v0"])
LEAVES = 16
GOOD = [
    text
    for module in (enclosed, further, groups, inequalities, pieces, tables, volumes)
    for text in module.VALID.values()
]


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "BLOCK", 1)


def judged(text: Text, processes: int) -> Outcome:
    return check(text[0].encode(), text[1].encode(), 100, PIECES.get, processes)


def leaves(*wrong: int) -> Text:
    """x + 1 misses 0 in each of sixteen boxes; the row of some leaves does not exist."""
    lines = []
    for number in range(LEAVES):
        lines += [f"split 0 {number + 1}"] if number < LEAVES - 1 else []
        lines.append("evaluate 0 7" if number in wrong else "evaluate 0 0")
    return LINE, certificate(LINE, lower="1/2", tree=lines)


@pytest.mark.parametrize("wrong", range(LEAVES))
def test_a_wrong_leaf_is_seen_by_the_one_whose_leaf_it_is(wrong: int) -> None:
    alone = judged(leaves(wrong), 1)
    assert alone.status is Status.REJECTED
    assert judged(leaves(wrong), 2) == judged(leaves(wrong), 3) == alone


def test_of_several_rejections_that_of_the_first_process_is_told() -> None:
    first = {judged(leaves(8, 9, 10), processes).message for processes in (3, 3, 3)}
    assert len(first) == 1 and judged(leaves(8, 9, 10), 3).status is Status.REJECTED


@pytest.mark.parametrize("part", range(12))
def test_valid_texts_are_valid_in_the_same_words(part: int) -> None:
    for text in GOOD[part::12]:
        found = judged(text, 3)
        assert found == judged(text, 1) and found.status is Status.VERIFIED


@pytest.mark.parametrize("part", range(64))
def test_forged_texts_are_rejected_by_three_processes_too(part: int) -> None:
    for reason, text in CASES[part::64]:
        found = judged(text, 3)
        assert found.status is Status.REJECTED and reason in found.message


def test_each_leaf_is_of_one_share() -> None:
    for count in (1, 2, 3, 7):
        assert all(sum(Share(k, count).has(block) for k in range(count)) == 1 for block in range(40))


def fails(error: BaseException) -> Callable[[Share], None]:
    """The second of three ends so."""

    def judge(share: Share) -> None:
        if share.number == 1:
            raise error

    return judge


def test_what_another_process_raises_is_raised_here() -> None:
    with pytest.raises(Rejection, match="rule: a reason: of two parts") as told:
        in_shares(fails(Rejection("rule", "a reason: of two parts", "node 3")), 3)
    assert (told.value.rule, told.value.where) == ("rule", "node 3")
    assert said(lambda: fails(told.value)(Share(1, 2))) == "node 3\nrule: a reason: of two parts"
    for limit in (ResourceLimit("the deadline"), MemoryError(), RecursionError("deep")):
        assert said(lambda limit=limit: fails(limit)(Share(1, 2))) == f"\n{str(limit) or type(limit).__name__}"  # type: ignore[misc]
        with pytest.raises(ResourceLimit, match=f"^{limit!s}$" if str(limit) else type(limit).__name__):
            in_shares(fails(limit), 3)


@pytest.mark.parametrize("error", [KeyError("a mistake of ours"), KeyboardInterrupt()])
def test_who_ends_without_a_word_has_found_nothing(error: BaseException) -> None:
    with pytest.raises(ResourceLimit, match="a process of the check was ended"):
        in_shares(fails(error), 2)


def test_who_is_killed_has_found_nothing() -> None:
    def judge(share: Share) -> None:
        if share.number:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(ResourceLimit, match="a process of the check was ended"):
        in_shares(judge, 2)


def test_nobody_goes_on_when_the_first_has_failed() -> None:
    def judge(share: Share) -> None:
        if share.number:
            signal.pause()
        raise ResourceLimit("enough")

    with pytest.raises(ResourceLimit, match="enough"):
        in_shares(judge, 3)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_a_process_says_what_it_has_found_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the other process does, in this one."""

    class Ended(Exception):
        pass

    def end(code: int) -> None:
        raise Ended(code)

    pipe = os.pipe()
    monkeypatch.setattr(shares.os, "pipe", lambda: pipe)
    monkeypatch.setattr(shares.os, "fork", lambda: 0)
    monkeypatch.setattr(shares.os, "_exit", end)
    with pytest.raises(Ended):
        shares._begun(lambda: None)
    assert os.read(pipe[0], 100).decode() == VALID == said(lambda: None)
    for end_of_pipe in pipe:
        os.close(end_of_pipe)


def test_the_command_takes_so_many_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in zip(("a.canonical", "a.cert"), leaves(), strict=True):
        (tmp_path / name).write_text(text)
    files = [str(tmp_path / "a.canonical"), str(tmp_path / "a.cert")]
    assert command.main([*files, "--processes", "2", "--seconds", "9"]) == 0
    assert command.main(["--processes", "2", "--seconds", "9", *files]) == 0
    words = set(capsys.readouterr().out.splitlines())
    assert len(words) == 1
    for wrong in ("0", "100", "-1", "x"):
        assert command.main([*files, "--processes", wrong]) == 2
    monkeypatch.setattr(os, "fork", None)
    monkeypatch.delattr(os, "fork")
    assert command.main([*files, "--processes", "2"]) == 0
