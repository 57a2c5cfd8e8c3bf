"""Pictures are drawn in a process of their own, which loads the plotting library while others search.

Where there is one worker only, or no fork, they are drawn in place.
"""

from __future__ import annotations

import importlib
import multiprocessing
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

Draw = Callable[[], bytes]
Paint = Callable[[Callable[..., bytes], tuple[object, ...]], Draw]


def load_library() -> None:
    """What draws, which takes a third of a second to load."""
    for name in ("matplotlib.figure", "matplotlib.backends.backend_agg"):
        importlib.import_module(name)


def in_place(picture: Callable[..., bytes], of: tuple[object, ...]) -> Draw:
    """Draws when the picture is asked for."""
    return lambda: picture(*of)


@contextmanager
def painter(workers: int) -> Iterator[Paint]:
    """A function that begins to draw, and answers with a function that waits for the picture."""
    if workers < 2 or "fork" not in multiprocessing.get_all_start_methods():
        yield in_place
        return
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, ours), daemon=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns of forks beside threads; ours sleep
        process.start()
    theirs.close()

    def paint(picture: Callable[..., bytes], of: tuple[object, ...]) -> Draw:
        try:
            ours.send((picture, of))
        except OSError:
            return in_place(picture, of)
        return lambda: _received(ours, in_place(picture, of))

    try:
        yield paint
    finally:
        process.kill()
        process.join()
        ours.close()


def _work(asked: Connection, theirs: Connection) -> None:
    """Draw whatever is asked for, until nobody is there to ask; an interruption is not for us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    theirs.close()  # of which a fork has a copy, so that its end would never be seen
    load_library()
    with suppress(EOFError, OSError):
        while True:
            picture, of = asked.recv()
            asked.send(picture(*of))


def _received(ours: Connection, otherwise: Draw) -> bytes:
    try:
        return bytes(ours.recv())
    except (EOFError, OSError):
        return otherwise()
