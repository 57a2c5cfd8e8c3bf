"""Who works for a command: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from certify.problems.errors import InputError

if TYPE_CHECKING:
    from certify.solvers.workers.cluster import Cluster
    from certify.solvers.workers.crew import Crew


def add_workers(parser: argparse.ArgumentParser, told: str) -> None:
    """How many, or where."""
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help=told)
    parser.add_argument(
        "--dask", metavar="ADDRESS",
        help="the workers of a Dask cluster instead, such as tls://host:8786 (pip install 'certify[cluster]')",
    )  # fmt: skip
    for name, what in (("ca", "authority"), ("cert", "certificate"), ("key", "key")):
        parser.add_argument(
            f"--tls-{name}", type=Path, metavar="FILE",
            help=f"the {what} for the cluster's encrypted connections (default: what Dask is configured for)",
        )  # fmt: skip
    parser.add_argument(
        "--allow-plain", action="store_true",
        help="also connect to another machine without encryption: who can change what travels can run programs here",
    )  # fmt: skip


def require_workers(arguments: argparse.Namespace) -> None:
    """Raises InputError."""
    if arguments.workers < 1:
        raise InputError(f"--workers {arguments.workers} is not a positive number; give how many processes search")
    given = [f"--tls-{name}" for name in ("ca", "cert", "key") if getattr(arguments, f"tls_{name}")]
    given += ["--allow-plain"] if arguments.allow_plain else []
    if given and not arguments.dask:
        raise InputError(f"{', '.join(given)}: these belong to --dask ADDRESS; give both")


def side_by_side(arguments: argparse.Namespace) -> int:
    """How many parts are answered side by side here: one after the other where a cluster works for each."""
    return 1 if arguments.dask else int(arguments.workers)


@contextmanager
def cluster_of(arguments: argparse.Namespace, tell: Callable[[str], None]) -> Iterator[Cluster]:
    """The cluster that is asked for. Raises InputError."""
    from certify.solvers.workers.addresses import Where
    from certify.solvers.workers.cluster import Cluster

    files = arguments.tls_ca, arguments.tls_cert, arguments.tls_key
    with Cluster(Where(arguments.dask, *files, arguments.allow_plain), tell) as cluster:
        tell(f"{cluster.count} workers at {arguments.dask}")
        yield cluster


@contextmanager
def crew_of(arguments: argparse.Namespace, tell: Callable[[str], None], forked: bool = True) -> Iterator[Crew]:
    """Whoever works beside this process; nobody of this machine unless processes may be `forked` here."""
    from certify.solvers.workers.crew import ALONE
    from certify.solvers.workers.processes import Processes

    if arguments.dask:
        with cluster_of(arguments, tell) as cluster:
            yield cluster
    elif forked:
        with Processes(arguments.workers, forked=True) as processes:
            yield processes
    else:
        yield ALONE
