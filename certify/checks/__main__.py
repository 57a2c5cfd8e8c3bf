"""The stand-alone checker, loaded once, for many certificates: each is judged in a process of its own, forked before
anything was read.

    python -I -S certify/checks CHECKER      a line ["PROBLEM.canonical", "FILE.cert", SECONDS, PROCESSES] each;
        answered by [code, what it said]

A script that imports nothing of ours but the checker in the folder named, as that folder's own __main__ does.
"""

import importlib
import io
import json
import os
import sys
import types
from collections.abc import Callable
from contextlib import redirect_stdout
from functools import partial

INTERNAL_ERROR = 4


def main(folder: str) -> None:
    """Answer line by line until the input ends."""
    package = types.ModuleType("certificate_checker")
    package.__path__ = [folder]
    sys.modules["certificate_checker"] = package
    check: Callable[[list[str]], int] = importlib.import_module(".command", "certificate_checker").main
    for line in sys.stdin:
        problem, certificate, seconds, processes = json.loads(line)
        words = [problem, certificate, "--seconds", str(seconds), "--processes", str(processes)]
        print(json.dumps(apart(partial(check, words))), flush=True)


def apart(check: Callable[[], int]) -> tuple[int, str]:
    """The exit code of a check in a forked process, and what it wrote; without fork, of the check here."""
    if not hasattr(os, "fork"):
        with redirect_stdout(io.StringIO()) as words:
            return check(), words.getvalue()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = INTERNAL_ERROR
        try:
            os.close(read)
            os.dup2(write, 1)
            os.dup2(write, 2)
            code = check()
            sys.stdout.flush()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, errors="replace") as stream:
        told = stream.read()
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), told


if __name__ == "__main__":
    main(sys.argv[1])
