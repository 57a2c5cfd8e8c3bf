"""A Dask cluster of processes that are forked from one that has loaded everything, so that it is there at once and each
of them can be killed.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any, Self

PATIENCE = 60.0  # seconds until it must be there


class SmallCluster:
    """A scheduler and so many workers; the address stands in a file as soon as there is one."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        folder.mkdir()
        self._file = folder / "address"
        self.scheduler = _forked(_scheduler, self._file)
        self.address = self._waited()
        self.workers = [_forked(_worker, self.address, folder) for _ in range(workers)]
        self._waited_for(workers)

    def _waited(self) -> str:
        until = time.monotonic() + PATIENCE
        while not self._file.is_file() and time.monotonic() < until:
            time.sleep(0.02)
        return self._file.read_text()

    def _waited_for(self, workers: int) -> None:
        """Until so many have come, as a client in a process of its own sees it: this one stays without threads."""
        process = _forked(_look, self.address, workers)
        process.join()

    def kill(self, place: int) -> None:
        """The scheduler, or (from 0 on) one of the workers."""
        process = self.scheduler if place < 0 else self.workers[place]
        process.kill()
        process.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for place in range(-1, len(self.workers)):
            self.kill(place)


def _forked(work: Callable[..., Coroutine[Any, Any, None]], *given: Any) -> BaseProcess:
    process = multiprocessing.get_context("fork").Process(target=_run, args=(work, *given))
    process.start()
    return process


def _run(work: Callable[..., Coroutine[Any, Any, None]], *given: Any) -> None:
    """In a session of its own, silent."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    with suppress(BaseException):
        asyncio.run(work(*given))
    os._exit(0)


async def _scheduler(file: Path) -> None:
    from distributed import Scheduler

    async with Scheduler(host="127.0.0.1", port=0, dashboard=False) as scheduler:
        hidden = file.with_suffix(".new")
        hidden.write_text(scheduler.address)
        hidden.rename(file)
        await scheduler.finished()


async def _worker(address: str, folder: Path) -> None:
    from distributed import Worker

    async with Worker(address, nthreads=1, local_directory=str(folder), dashboard=False) as worker:
        await worker.finished()


async def _look(address: str, workers: int) -> None:
    from distributed import Client

    async with Client(address, asynchronous=True) as client:
        await client.wait_for_workers(workers, timeout=PATIENCE)
