"""Whoever works: answers come in the order of the pieces, what nobody answers is done here, and nothing is believed."""

import os
import signal
import time

import pytest

from certify.problems.errors import InputError
from certify.solvers.journal.plain import Damaged
from certify.solvers.limits import UNLIMITED, Late, Limit
from certify.solvers.workers import processes
from certify.solvers.workers.addresses import Where
from certify.solvers.workers.crew import ALONE, Round
from certify.solvers.workers.processes import Processes
from certify.solvers.workers.work import Work, answered, open_echo


def open_doubling(text):
    def task(piece, limit):
        if piece == b"late":
            raise MemoryError
        if piece == b"slow":
            time.sleep(0.2)
        if piece == b"end":
            os.kill(os.getpid(), signal.SIGKILL)
        return text + piece * 2

    return task


DOUBLING = Work("certify.tests:open_doubling", b"x", b"mark")


@pytest.fixture(autouse=True)
def ours(monkeypatch):
    """The function stands in a test, which no name of certify's leads to."""
    monkeypatch.setattr("certify.solvers.workers.work._opened", lambda opener, mark, text: open_doubling(text))


def asked(crew, pieces, here=lambda number: b"here", read=lambda number, data: data):
    return list(Round(crew, DOUBLING, read, here).each(pieces, UNLIMITED))


def test_answers_come_in_order_and_what_nobody_can_do_is_done_here():
    with Processes(3, forked=True) as crew:
        found = asked(crew, [b"a", b"slow", b"late", b"c", b"d"], lambda number: b"%d" % number)
    expected = [b"xaa", b"xslowslow", b"2", b"xcc", b"xdd"]
    assert [one in (there, b"%d" % number) for number, (one, there) in enumerate(zip(found, expected, strict=True))]
    assert found[2] == b"2"
    assert asked(ALONE, [b"a", b"b"]) == [b"here", b"here"]


def test_one_worker_is_this_process():
    with Processes(1, forked=True) as crew:
        assert asked(crew, [b"a"]) == [b"here"]
        assert not crew.pids


@pytest.mark.parametrize("answer", [None, Damaged])
def test_what_is_not_believed_is_done_here(answer):
    def read(number, data):
        if answer is Damaged:
            raise Damaged("a lie")
        return answer

    with Processes(2, forked=True) as crew:
        assert asked(crew, [b"slow", b"a"], read=read) == [b"here", b"here"]


def test_a_process_that_ends_is_replaced_and_its_piece_is_done_here(monkeypatch):
    monkeypatch.setattr(processes, "_fresh", processes._forked)  # a fresh one does not know this test's function
    with Processes(2, forked=True) as crew:
        assert crew.ask(DOUBLING, b"end", 60.0).result(30.0) is None
        assert crew.ask(DOUBLING, b"a", 60.0).result(30.0) == b"xaa"


@pytest.mark.thorough
def test_a_process_that_is_begun_afresh_answers_too(monkeypatch):
    monkeypatch.setattr(processes, "PATIENCE", 0.0)
    with Processes(2, forked=False) as crew:
        echo = Work.of(open_echo, b"")
        assert crew.ask(echo, b"a", 60.0).result(60.0) == b"a"
        (place,) = crew.pids
        crew._processes[place].kill()
        assert crew.ask(echo, b"b", 60.0).result(60.0) == b"b"


def test_nobody_is_begun_for_what_is_soon_done():
    with Processes(2, forked=False) as crew:
        assert crew.ask(Work.of(open_echo, b""), b"a", 60.0).result(0.0) is None
        assert not crew.pids


def test_a_limit_ends_the_waiting():
    with Processes(2, forked=True) as crew:
        answers = Round(crew, DOUBLING, lambda number, data: data, lambda number: time.sleep(0.1)).each(
            [b"slow", b"slow", b"slow"], Limit.of(0.05)
        )
        with pytest.raises(Late):
            list(answers)


def test_what_comes_first_is_there_before_the_others_are():
    with Processes(2, forked=True) as crew:
        answers = Round(crew, DOUBLING, lambda number, data: data, lambda number: b"here").each(
            [b"a", b"late", b"slow"], UNLIMITED
        )
        assert next(answers) in (b"xaa", b"here")
        assert b"here" in list(answers)


def test_only_functions_of_ours_are_called(monkeypatch):
    monkeypatch.undo()
    assert answered("os:system", b"mark", b"true", b"", 1.0) is None


PLAIN_ONES = ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "localhost:8786", "tcp://[::1]:8786", "127.0.0.1:1"]


@pytest.mark.parametrize("address", [*PLAIN_ONES, "tls://far.example:8786"])
def test_addresses_that_are_taken(address):
    assert Where(address).checked().address == address


@pytest.mark.parametrize(
    "address", ["tcp://far.example:8786", "192.168.0.7:8786", "tcp://0.0.0.0:80", "localhost.example:1"]
)
def test_a_plain_address_elsewhere_is_refused_unless_it_is_allowed(address):
    with pytest.raises(InputError, match=r"without encryption.*--allow-plain"):
        Where(address).checked()
    assert Where(address, allow_plain=True).checked()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (Where("tls://far.example"), "no address"),
        (Where("ucx://far.example:8786"), "no address"),
        (Where("inproc://x:1"), "no address"),
        (Where(""), "no address"),
        (Where("tls://a:1", allow_plain=True, ca="here"), "without --tls-cert, --tls-key"),
        (Where("tcp://localhost:1", ca="here"), "not encrypted"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_an_address_is_said(where, said):
    with pytest.raises(InputError, match=said):
        where.checked()
