"""A solver that may crash, or print, is called in a process of its own: a copy of this one, which answers in JSON.

Where processes cannot be copied (Windows) it is called here.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable

import numpy as np

from certify.problems.programs.program import Program
from certify.testing.contract import Answer, Said


def apart(solve: Callable[[Program], Answer]) -> Callable[[Program], Answer]:
    """The same, called in a copy of this process."""

    def called(found: Program) -> Answer:
        if not hasattr(os, "fork"):
            return solve(found)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            os.close(reading)
            _answer(solve, found, writing)
        os.close(writing)
        with os.fdopen(reading) as stream:
            told = stream.read()
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            return Answer(Said.NOTHING, word=f"crashed with signal {os.WTERMSIG(status)}")
        said, point, word = json.loads(told)
        return Answer(Said(said), None if point is None else np.array(point, dtype=float), word)

    return called


def _answer(solve: Callable[[Program], Answer], found: Program, writing: int) -> None:
    """In the copy: solve, write, and end without what this process does at its end."""
    try:
        sys.stdout.flush()
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        done = solve(found)
        point = None if done.point is None else np.asarray(done.point, dtype=float).tolist()
        text = json.dumps([done.said.value, point, done.word])
    except BaseException as error:  # whatever it is, the copy must end here
        text = json.dumps([Said.NOTHING.value, None, type(error).__name__])
    with os.fdopen(writing, "w") as stream:
        stream.write(text)
    os._exit(0)
