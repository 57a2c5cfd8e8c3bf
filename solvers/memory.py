"""Whether memory runs short: the process has grown to most of what it may have; and garbage that may wait.

It may have what it has and what is free, no more than `ulimit -v` says (of its virtual size), and no more than its
control group (containers), no more than the user allows. Where the system does not tell, memory never runs short.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path

MOST = 0.85  # of what the process may have
SELDOM = 0.1  # seconds between two looks
GARBAGE = 200_000  # new objects between two collections, while it waits
OWN, SYSTEM = Path("/proc/self/statm"), Path("/proc/meminfo")
GROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))

_allowed = [inf]  # bytes of this process, as the user says
_last: list[tuple[float, bool]] = [(0.0, False)]  # when the system is asked again, and what it said


def allow(gigabytes: float | None) -> None:
    """From here on a process may have so much; None: what there is."""
    _allowed[0] = inf if gigabytes is None else gigabytes * 1e9
    _last[0] = 0.0, False


@contextmanager
def garbage_waits() -> Iterator[None]:
    """Meanwhile circles of objects that nobody needs are seldom looked for: a proof is a tree, of which every look
    reads all that there is so far. What is in no circle goes at once, as ever.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(GARBAGE, before[0]) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def memory_is_short() -> bool:
    """Whether to stop for want of memory; the system is asked a few times a second."""
    again, short = _last[0]
    now = time.perf_counter()
    if now >= again:
        short = _grown()
        _last[0] = now + SELDOM, short
    return short


def _grown() -> bool:
    try:
        import resource

        virtual, resident = (int(word) * os.sysconf("SC_PAGE_SIZE") for word in OWN.read_text().split()[:2])
        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        allowed = min([resident + _free(), *_groups()])
        return resident > min(MOST * allowed, _allowed[0]) or (most != resource.RLIM_INFINITY and virtual > MOST * most)
    except (ImportError, OSError, ValueError, KeyError):
        return False


def _free() -> int:
    """Bytes that the system can still give."""
    told = dict(line.split(":") for line in SYSTEM.read_text().splitlines())
    return 1024 * int(told["MemAvailable"].split()[0])


def _groups() -> list[int]:
    """What control groups allow."""
    told = [path.read_text().strip() for path in GROUPS if path.is_file()]
    return [int(text) for text in told if text.isdigit()]
