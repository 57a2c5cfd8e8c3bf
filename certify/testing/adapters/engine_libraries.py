"""Codac and pyibex as interval libraries: a process of each one's own Python, which stays and answers line by line."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable
from functools import cached_property
from typing import IO

from certify.second_opinion.engines import ENGINES, Engine, engine
from certify.second_opinion.opinion import PROGRAM
from certify.testing.enclosing import Enclosing

FUNCTIONS = ("sqr", "sqrt", "sin", "cos", "exp", "log", "atan")


class Process:
    """The library's program, begun at the first question."""

    def __init__(self, found: Engine) -> None:
        self.found = found

    @cached_property
    def _pipes(self) -> tuple[IO[str], IO[str]]:
        command = [str(self.found.python), str(PROGRAM), self.found.name, "lines"]
        started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if started.stdin is None or started.stdout is None:
            raise RuntimeError("a process without pipes")
        return started.stdin, started.stdout

    def ask(self, function: str, lower: float, upper: float) -> tuple[float, float]:
        """Both ends; no numbers for an empty interval."""
        asking, telling = self._pipes
        tape = {"inputs": 1, "nodes": [[function, 0]]}
        asking.write(json.dumps({"tapes": {"0": tape}, "rows": [["0", [[lower.hex(), upper.hex()]]]]}) + "\n")
        asking.flush()
        (answer,) = json.loads(telling.readline())
        return (math.nan, math.nan) if answer is None else (float.fromhex(answer[0]), float.fromhex(answer[1]))


def engine_library(name: str) -> Enclosing | None:
    """The named one, if it is found."""
    found = engine(name) if name in ENGINES else Engine(name, None)
    if found.python is None:
        return None
    process = Process(found)

    def of(function: str) -> Callable[[float, float], tuple[float, float]]:
        return lambda lower, upper: process.ask(function, lower, upper)

    return Enclosing(name, {function: of(function) for function in FUNCTIONS}, f"{name} ({found.version})")
