"""One limit for everything that a run does: a deadline, an interruption, or too little memory.

    late()      asked at checkpoints: between the calls of contractors, boxes, leaves
    why         which limit it was
    remaining   seconds that are left; none once it is late
    share(p)    a part of what is left, for one of several things
    after(s)    once interrupted: a little time to write down what was found, which the next interruption ends
    enforced()  around what has no partial answer and no checkpoints: it is broken off where it stands

An interruption (SIGINT, SIGTERM) does not end the run: it is counted, and whoever searches stops at the next
checkpoint with what was found. The count is shared with forked workers. The first interruption ends searches, the
second ends what is done with their answers, the third the program.
"""

from __future__ import annotations

import mmap
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from types import FrameType
from typing import Any

from certify.solvers.memory import memory_is_short

MOST_INTERRUPTIONS = 3  # the last of them ends the program
SIGNALS = (signal.SIGINT, signal.SIGTERM)
TICK = 0.05  # seconds between two looks at a limit that is enforced


class Stopped(Enum):
    """Why a search ended; never what is proved."""

    FINISHED = "finished"
    FEASIBLE = "a feasible candidate was found"
    TIME = "time limit"
    INTERRUPTED = "interrupted"
    MEMORY = "memory limit"
    PAUSED = "put off"
    SPLITS = "split limit"
    WIDTH = "boxes too narrow to split"
    GAP = "the gap that was asked for was not reached"
    SMALL = "the smallest model error is below the resolution, and no exact witness was found"
    JOINT = "between the worst part's lower end and the best joint witness no method is tried"
    NO_REALISATION = (
        "no row alone was refuted, and no realisation of all measurements was found that satisfies every row exactly"
    )
    UNDEFINED = (
        "the model is not defined around the best candidate (a division by zero, the root of a negative number, ...)"
    )
    SINGULAR = (
        "the sum of squares is flat or has a kink at the fit (by estimate): the measurements do not determine the "
        "unknowns, or its slope jumps there"
    )
    EDGE = "the fit lies at the edge of the search box or outside it"
    UNPROVED = "in the smallest box tried around the fit the minimum is not proved to be the only one"
    UNSUPPORTED = "the model has a function for which the search for a least-squares proof has no form"
    CLOSE = "the best candidate fails by so little that neither side is proved"
    ELSEWHERE = "the rest of the search box was not searched"
    SIDES = "on which side of the scale of the loss a residual lies is not decided"
    BETTER = "a point with a smaller sum of squares was met"
    MANY = "so many rows would have to be left out that no more conflicts are looked for"
    EXACT = "every measurement is known exactly, so no half-width can be wider"
    UNWITNESSED = "no witness in exact numbers was found near the estimated factor"
    UNBOUNDED = "no factor on the half-widths up to 1000000 was found that makes the model fit"
    REPLAY = "a step did not survive the checker's arithmetic"
    UNCHECKED = "the checker, in a process of its own, did not confirm the certificate"


LIMITS = (Stopped.TIME, Stopped.INTERRUPTED, Stopped.MEMORY)  # what `Limit` asks about


class Late(Exception):
    """A limit was reached, and what was under way has no answer."""

    def __init__(self, why: Stopped) -> None:
        super().__init__(why.value)
        self.why = why


class Interruptions:
    """How often somebody asked for an end; one byte that forked processes share."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, 1)
        self._heeding = False
        self.is_last = False

    @property
    def count(self) -> int:
        """How often so far."""
        return self._shared[0]

    def add(self) -> None:
        """Somebody asks for an end."""
        self._shared[0] = min(self._shared[0] + 1, 255)

    def forget(self) -> None:
        """A new run begins."""
        self._shared[0] = 0

    def listen(self) -> None:
        """One question is all that is asked here. Until it is begun an interruption ends the process, also one that
        a library swallows while it is loaded; when its answer is written, interruptions are ignored.
        """
        self.is_last = True

        def end(number: int, _: FrameType | None) -> None:
            self.add()
            raise KeyboardInterrupt

        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:  # as in the background of a script
                signal.signal(number, end)

    @contextmanager
    def heeded(self) -> Iterator[None]:
        """SIGINT and SIGTERM are counted meanwhile, and forgotten afterwards; a forked worker leaves SIGINT to its
        parent and obeys SIGTERM.
        """
        if self._heeding or threading.current_thread() is not threading.main_thread():
            yield
            return
        owner = os.getpid()
        if self.is_last and self.count:
            raise KeyboardInterrupt
        self.forget()

        def heed(number: int, _: FrameType | None) -> None:
            if os.getpid() != owner:
                if number == signal.SIGTERM:
                    os._exit(128 + number)
                return
            self.add()
            if self.count >= MOST_INTERRUPTIONS:
                raise KeyboardInterrupt

        before: list[Any] = [signal.signal(number, heed) for number in SIGNALS]
        self._heeding = True
        try:
            yield
        finally:
            self._heeding = False
            for number, handler in zip(SIGNALS, before, strict=True):
                signal.signal(number, signal.SIG_IGN if self.is_last else handler)
            self.forget()

    @contextmanager
    def raised(self) -> Iterator[None]:
        """SIGINT and SIGTERM break off what is done here, which nothing rests on, with a KeyboardInterrupt."""
        if self._heeding or threading.current_thread() is not threading.main_thread():
            yield
            return

        def end(number: int, _: FrameType | None) -> None:
            raise KeyboardInterrupt

        before: list[Any] = [signal.signal(number, end) for number in SIGNALS]
        try:
            yield
        finally:
            for number, handler in zip(SIGNALS, before, strict=True):
                signal.signal(number, handler)


INTERRUPTIONS = Interruptions()


@dataclass(frozen=True, slots=True)
class Limit:
    """A deadline on `time.perf_counter`; interruptions beyond those `forgiven`, and want of memory, are one too."""

    deadline: float = float("inf")
    forgiven: int = 0

    @staticmethod
    def of(seconds: float) -> Limit:
        """So many seconds from now on."""
        return Limit(time.perf_counter() + seconds)

    @property
    def interrupted(self) -> bool:
        """Whether somebody asked for an end."""
        return INTERRUPTIONS.count > self.forgiven

    def late(self) -> bool:
        """Whether to stop now."""
        return self.why is not Stopped.FINISHED

    def check(self) -> None:
        """Raise Late if it is."""
        why = self.why
        if why is not Stopped.FINISHED:
            raise Late(why)

    @property
    def why(self) -> Stopped:
        """The limit that was reached; FINISHED if none was."""
        if self.interrupted:
            return Stopped.INTERRUPTED
        if memory_is_short():
            return Stopped.MEMORY
        return Stopped.TIME if time.perf_counter() > self.deadline else Stopped.FINISHED

    def reached(self, otherwise: Stopped) -> Stopped:
        """The limit that was reached, or what else there is to say."""
        why = self.why
        return otherwise if why is Stopped.FINISHED else why

    @property
    def remaining(self) -> float:
        """Seconds that are left."""
        return 0.0 if self.interrupted or memory_is_short() else max(self.deadline - time.perf_counter(), 0.0)

    def share(self, part: float) -> Limit:
        """A part of the time that is left."""
        return self.within(part * (self.deadline - time.perf_counter()))

    def within(self, seconds: float) -> Limit:
        """No later than in so many seconds."""
        return replace(self, deadline=min(self.deadline, time.perf_counter() + seconds))

    def at_least(self, seconds: float) -> Limit:
        """No earlier than in so many seconds, unless it is interrupted."""
        return replace(self, deadline=max(self.deadline, time.perf_counter() + seconds))

    def after(self, seconds: float) -> Limit:
        """What was found may be written down: once interrupted, in so many seconds, unless it is interrupted again."""
        return replace(self.within(seconds), forgiven=INTERRUPTIONS.count) if self.interrupted else self

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Late is raised in the middle of what runs meanwhile, which must leave nothing that is used afterwards half
        done; a kernel that is being compiled is waited for.

        By a timer, whose signal only the main thread gets, between two steps of Python; elsewhere checkpoints must do.
        """
        self.check()
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            yield
            return

        looking = [True]

        def tick(number: int, _: FrameType | None) -> None:
            if looking and not _compiling():
                self.check()

        handler = signal.signal(signal.SIGALRM, tick)
        before = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        try:
            yield
        finally:
            try:
                looking.clear()  # the last tick may come before this, and what follows is done all the same
            finally:
                signal.setitimer(signal.ITIMER_REAL, *before)
                signal.signal(signal.SIGALRM, handler)


def _compiling() -> bool:
    """Whether this thread is compiling a kernel, or loading one, which would be left half done."""
    compiler = sys.modules.get("numba.core.compiler_lock")
    return compiler is not None and compiler.global_compiler_lock.is_locked()


UNLIMITED = Limit()
