"""One limit: the deadline, interruptions that are counted and forgiven, memory."""

import gc
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from certify.solvers import memory
from certify.solvers.limits import INTERRUPTIONS, Late, Limit, Stopped


def test_a_deadline_is_a_limit():
    assert not Limit.of(1000.0).late()
    assert Limit.of(1000.0).why is Stopped.FINISHED
    passed = Limit.of(-1.0)
    assert (passed.late(), passed.why, passed.remaining) == (True, Stopped.TIME, 0.0)
    with pytest.raises(Late) as caught:
        passed.check()
    assert caught.value.why is Stopped.TIME


def test_shares_never_end_after_the_whole():
    whole = Limit.of(1000.0)
    half = whole.share(0.5)
    assert 499.0 < half.remaining < 501.0
    assert whole.within(2000.0).deadline == whole.deadline
    assert Limit().share(0.5).deadline == math.inf


def test_a_signal_is_an_interruption_and_no_exception():
    with INTERRUPTIONS.heeded():
        limit = Limit.of(1000.0)
        os.kill(os.getpid(), signal.SIGINT)
        assert (limit.late(), limit.why, limit.remaining) == (True, Stopped.INTERRUPTED, 0.0)
        little = limit.after(5.0)
        assert not little.late()
        assert little.remaining <= 5.0
        os.kill(os.getpid(), signal.SIGTERM)
        assert little.why is Stopped.INTERRUPTED
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    with INTERRUPTIONS.heeded():
        assert not limit.late()


def test_the_handlers_of_before_come_back():
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with INTERRUPTIONS.heeded():
        assert signal.getsignal(signal.SIGINT) is not before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_forked_workers_see_the_interruption_and_obey_a_termination():
    program = """
import os, signal
from certify.solvers.limits import INTERRUPTIONS, Limit
with INTERRUPTIONS.heeded():
    limit, child = Limit(), os.fork()
    if not child:
        os.kill(os.getpid(), signal.SIGINT)  # a terminal sends it to all processes; the parent's counts
        while not limit.late():
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGINT)
    print(INTERRUPTIONS.count, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["1", str(128 + signal.SIGTERM)], done.stderr


def test_memory_is_short_when_most_of_it_is_used(monkeypatch: pytest.MonkeyPatch):
    assert not memory._grown()
    monkeypatch.setattr(memory, "_groups", lambda: [1 << 20])
    assert memory._grown()
    monkeypatch.setattr(memory, "_last", [(0.0, False)])
    assert Limit.of(1000.0).why is Stopped.MEMORY
    assert Limit.of(1000.0).remaining == 0.0


def test_a_system_that_does_not_tell_has_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "OWN", memory.OWN / "no such file")
    assert not memory._grown()


def endless(seconds: float = 30.0) -> None:
    """No checkpoints, though not for ever."""
    began = time.perf_counter()
    while time.perf_counter() < began + seconds:
        pass
    raise AssertionError("it was not broken off")


def enforced(limit: Limit, work: Callable[[], None]) -> Stopped:
    try:
        with limit.enforced():
            work()
    except Late as late:
        return late.why
    return Stopped.FINISHED


def test_what_has_no_checkpoints_is_broken_off():
    assert enforced(Limit.of(0.1), endless) is Stopped.TIME
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_an_inner_limit_ends_before_the_outer_one_which_goes_on():
    inner = []

    def work() -> None:
        inner.append(enforced(Limit.of(0.1), endless))
        endless()

    assert enforced(Limit.of(0.3), work) is Stopped.TIME
    assert inner == [Stopped.TIME]


def test_an_interruption_breaks_off_too():
    def work() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        endless()

    with INTERRUPTIONS.heeded():
        assert enforced(Limit.of(1000.0), work) is Stopped.INTERRUPTED


def test_interruptions_of_a_run_are_forgotten_after_it_and_not_within():
    with INTERRUPTIONS.heeded():
        os.kill(os.getpid(), signal.SIGINT)
        with INTERRUPTIONS.heeded():
            assert Limit.of(1000.0).why is Stopped.INTERRUPTED
        assert Limit.of(1000.0).why is Stopped.INTERRUPTED
    assert Limit.of(1000.0).why is Stopped.FINISHED


def test_an_interruption_after_the_last_answer_changes_nothing():
    code = """
import os, signal
from certify.solvers.limits import INTERRUPTIONS
INTERRUPTIONS.listen()
with INTERRUPTIONS.heeded():
    pass
os.kill(os.getpid(), signal.SIGINT)
os.kill(os.getpid(), signal.SIGTERM)
print("told")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "told\n"), done.stderr


def test_an_interruption_that_a_library_swallows_ends_what_begins_next():
    code = """
import os, signal
from certify.solvers.limits import INTERRUPTIONS
INTERRUPTIONS.listen()
try:
    os.kill(os.getpid(), signal.SIGTERM)
except KeyboardInterrupt:
    pass
try:
    with INTERRUPTIONS.heeded():
        print("begun")
except KeyboardInterrupt:
    print("ended")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "ended\n"), done.stderr


def test_garbage_waits_and_is_looked_for_again():
    before = gc.get_threshold()
    try:
        for given, meanwhile in ((700, memory.GARBAGE), (10**6, 10**6), (0, 0)):
            gc.set_threshold(given, 10, 10)
            with memory.garbage_waits():
                with memory.garbage_waits():
                    assert gc.get_threshold() == (meanwhile, 10, 10)
                assert gc.get_threshold() == (meanwhile, 10, 10)
            assert gc.get_threshold() == (given, 10, 10)
    finally:
        gc.set_threshold(*before)
