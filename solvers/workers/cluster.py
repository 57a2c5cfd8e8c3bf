"""The workers of a Dask cluster that is there: its scheduler deals the pieces, we only ask.

A piece and the text of its work travel as bytes; what a worker calls is a function of ours by its name. A worker that
is lost is Dask's business, which asks another one; where the scheduler is lost, or all workers are for some seconds,
every piece is done here.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable
from concurrent.futures import InvalidStateError
from contextlib import suppress
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from certify.problems.errors import InputError
from certify.solvers.journal.beside import certify_version
from certify.solvers.workers.addresses import SECURE, Where
from certify.solvers.workers.crew import Answer, nobody
from certify.solvers.workers.work import Work, answered

LONG = 0.6  # seconds that a piece should take: Dask takes some milliseconds for each
CONNECTING = 15.0  # seconds
LARGE = 2**16  # bytes of a text that is given to workers once, not with each piece
LOST = 15.0  # seconds without any worker, after which none is waited for
LOOK = 1.0  # seconds between two looks whether there are workers
AGAIN = 2  # how often a piece is asked for whose worker was lost, before it is done here
INSTALL = "pip install 'certify[cluster]'"
THREADS = "OMP_NUM_THREADS"


def fingerprint() -> dict[str, str]:
    """What answers of a worker depend on."""
    names = ("numpy", "numba", "scipy", "highspy")
    versions = {name: getattr(import_module(name), "__version__", "unknown") for name in names}
    machine = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "threads": os.environ.get(THREADS, ""),
    }
    return {"certify": certify_version().decode(), **versions, **machine}


class Cluster:
    """A client of a scheduler; `tell` hears what is odd about its workers."""

    def __init__(self, where: Where, tell: Callable[[str], None]) -> None:
        where.checked()
        distributed = _library()
        try:
            self._client = distributed.Client(
                where.address, security=_security(distributed, where), timeout=CONNECTING, set_as_default=False,
                name="certify",
            )  # fmt: skip
        except Exception as error:
            raise InputError(f"--dask {where.address}: there is no connection ({_words(error)})") from error
        self._tell, self.seconds, self.elsewhere = tell, LONG, False
        self._lost = threading.Event()
        self._texts: dict[bytes, Any] = {}
        self._lock = threading.Lock()
        self._asked: dict[Answer, Any] = {}  # what is waited for
        self._closed = threading.Event()
        self.count = self._welcomed(where)
        threading.Thread(target=self._watch, daemon=True).start()

    def _welcomed(self, where: Where) -> int:
        """How many workers there are; their versions are compared with ours. Raises InputError."""
        threads: dict[str, int] = self._client.nthreads()
        if not threads:
            self.close()
            raise InputError(f"--dask {where.address}: it has no workers; start some: dask worker {where.address}")
        try:
            found: dict[str, dict[str, str]] = self._client.run(fingerprint)
        except Exception as error:
            self.close()
            raise InputError(
                f"--dask {where.address}: its workers cannot load certify ({_words(error)}); install "
                f"the same version there"
            ) from error
        ours = fingerprint()
        for worker, theirs in sorted(found.items()):
            if theirs.get("certify") != ours["certify"]:
                self.close()
                raise InputError(
                    f"--dask {where.address}: worker {worker} has certify {theirs.get('certify')}, and here is "
                    f"{ours['certify']}; install the same version there"
                )
            other = [f"{key} {theirs.get(key)}" for key in ours if key != "threads" and theirs.get(key) != ours[key]]
            if other:
                self._tell(f"worker {worker} has {', '.join(other)}: ends may differ within the gap, verdicts not")
            if theirs.get("threads") != "1":
                self._tell(f"worker {worker} may use several threads for linear algebra; start it with {THREADS}=1")
        return sum(threads.values())

    def ask(self, work: Work, piece: bytes, seconds: float) -> Answer:
        """What one of them will answer."""
        if self._lost.is_set() or self._client.status != "running":
            return self._alone()
        answer: Answer = Answer()
        try:
            text = self._text(work)
            asked = self._client.submit(
                answered, work.opener, work.mark, text, piece, seconds, pure=False, retries=AGAIN, key=None
            )
        except Exception:
            return self._alone()
        self.elsewhere = True
        answer.set_running_or_notify_cancel()
        self._asked[answer] = asked
        asked.add_done_callback(lambda done: self._tell_of(done, answer))
        if self._lost.is_set():  # meanwhile
            _set(answer, None)
        return answer

    def _tell_of(self, done: Any, answer: Answer) -> None:
        """What has become of a piece."""
        self._asked.pop(answer, None)
        _tell_of(done, answer)

    def _watch(self) -> None:
        """Whether there are workers still; Dask itself would wait for new ones without end."""
        seen = time.monotonic()
        while not self._closed.wait(LOOK):
            if self._workers():
                seen = time.monotonic()
            elif time.monotonic() - seen > LOST and self._asked:
                self._alone("all workers were lost")
                for answer, asked in list(self._asked.items()):
                    with suppress(Exception):
                        asked.cancel()
                    _set(answer, None)
                return

    def _workers(self) -> bool:
        """Whether there are some, as the scheduler last said; where it is lost this is not the question."""
        if self._client.status != "running":
            return True
        with suppress(Exception):
            return bool(self._client.nthreads())
        return True

    def _text(self, work: Work) -> Any:
        """The text of a work, or where the workers have it."""
        if len(work.text) < LARGE:
            return work.text
        with self._lock:
            if work.mark not in self._texts:
                self._texts[work.mark] = self._client.scatter(work.text, broadcast=True, hash=False)
            return self._texts[work.mark]

    def _alone(self, why: str = "the scheduler was lost") -> Answer:
        if not self._lost.is_set():
            self._lost.set()
            self._tell(f"{why}: this process goes on alone")
        return nobody()

    def close(self) -> None:
        """The cluster stays."""
        self._closed.set()
        self._texts.clear()
        self._client.close(timeout=2.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _tell_of(done: Any, answer: Answer) -> None:
    """What has become of a piece; None if it has failed, or was lost too often."""
    found: object = None
    try:
        found = done.result() if done.status == "finished" else None
    except BaseException:
        found = None
    finally:
        _set(answer, found if isinstance(found, bytes) else None)


def _set(answer: Answer, found: bytes | None) -> None:
    """Once; who is late says nothing."""
    with suppress(InvalidStateError):
        answer.set_result(found)


def _library() -> Any:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise InputError(f"--dask needs dask.distributed, which is not installed: {INSTALL}") from error


def _security(distributed: Any, where: Where) -> Any:
    """Of TLS: these files, or those of Dask's own configuration; a plain connection is never an answer to it."""
    if not where.address.startswith(f"{SECURE}://"):
        return distributed.Security()
    if where.ca is None:
        return distributed.Security(require_encryption=True)
    return distributed.Security(
        tls_ca_file=str(where.ca), tls_client_cert=str(where.cert), tls_client_key=str(where.key),
        require_encryption=True,
    )  # fmt: skip


def _words(error: BaseException) -> str:
    """The first line of an error."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
