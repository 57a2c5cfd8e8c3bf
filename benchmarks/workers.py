"""What a second process is worth, and a cluster: one worker and two, interleaved, the best of some rounds each.

    python -m benchmarks workers [--only system arm campaign dask cost simulation] [--rounds 2] [--data FOLDER]

Of everything: seconds by the clock and of processors, and whether the answers are the same bytes. The clock says less
where others compute, too, so that an estimate from processor time stands beside it: all of it with one worker, divided
by that of the busier process with two and half of what other processes (the checker's, or those of tasks) do anyway.
One worker has one processor (`--free`: all, which its checkers use, as they are processes of their own). `dask` are two
workers of a cluster on this machine beside one process without it. `cost` is what Dask takes for a task
that does nothing. `simulation` deals lists of tasks with the times that were measured here to 1 to 1,000 workers: each
task costs the scheduler and this process something, one after the other.
"""

from __future__ import annotations

import argparse
import heapq
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import certify
from benchmarks import _systems_of_others
from benchmarks.arms_planted import arm_of
from certify.__main__ import main
from certify.parts.warm_up import warm_up
from certify.questions.system_search import warm_up_systems
from certify.solvers.limits import Limit
from certify.solvers.tasks.growing import Growing
from certify.solvers.workers.addresses import Where
from certify.solvers.workers.cluster import LONG, Cluster
from certify.solvers.workers.crew import Crew, waited
from certify.solvers.workers.processes import Processes
from certify.solvers.workers.work import Work, open_echo
from certify.systems.solve import Asked, answered
from certify.testing.together import SHARE, fuzzed

PARTS = ("system", "arm", "campaign", "dask", "cost", "simulation")
WORKERS = (1, 2, 10, 30, 100, 300, 1000)
PLAN = """title = "a minute"
[[problems]]
robot = "planar_3rpr"
error = ["none", "backlash"]
seed = "1..{seeds}"
"""
EMPTY = 400  # tasks that do nothing
JUDGES = 2  # processes that judge what workers of a campaign send


def run(words: list[str]) -> dict[str, Any]:
    """A line for each measurement."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks workers")
    parser.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    parser.add_argument("--rounds", type=int, default=2, help="of one worker and two; the best counts")
    parser.add_argument("--data", type=Path, default=Path("../shared/data/systems"), help="folder of the .bch files")
    parser.add_argument("--system", default="economics-8", help="a generated one, or the name of a file")
    parser.add_argument("--without", action="store_true", help="a certificate, and the check of that")
    parser.add_argument("--searched", default="Eco10", help="by Dask, without certificate")
    parser.add_argument("--free", action="store_true", help="one worker may use all processors, by its checkers")
    parser.add_argument("--seconds", type=float, default=600.0, help="limit of each search")
    parser.add_argument("--arms", type=int, nargs="*", default=[127, 143, 152, 125], help="numbers of planted arms")
    parser.add_argument("--gap", default="1e-3", help="of the arms")
    parser.add_argument(
        "--seeds", type=int, default=45, help="of the campaign's robots, of which there are twice as many"
    )
    options = parser.parse_args(words)
    ALL.update(os.sched_getaffinity(0))
    ONE.update(ALL if options.free else sorted(ALL)[:1])
    warm_up(lambda message: None)
    warm_up_systems()
    return {part: PART[part](options) for part in options.only}


@dataclass
class Measured:
    """The best of some rounds: by the clock, and of each process."""

    seconds: float = float("inf")
    own: float = float("inf")
    others: float = float("inf")
    answers: set[bytes] = field(default_factory=set)

    def take(self, answer: bytes, seconds: float, own: float, others: float) -> None:
        """One round more."""
        self.seconds, self.own = min(self.seconds, seconds), min(self.own, own)
        self.others = min(self.others, others)
        self.answers.add(answer)


KNOWN: dict[str, Measured] = {}  # one process, by what it did
ONE: set[int] = set()  # the processors of one worker
ALL: set[int] = set()


def _others() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _compared(name: str, rounds: int, ask: Callable[[int], bytes], one: Measured | None = None) -> dict[str, Any]:
    """Both, one after the other in each round; one of them may be known."""
    first, two = one or Measured(), Measured()
    for _ in range(rounds):
        for count, measured in ((1, first), (2, two)):
            if measured is not one:
                began, own, others = time.perf_counter(), time.process_time(), _others()
                os.sched_setaffinity(0, ONE if count == 1 else ALL)
                answer = ask(count)
                os.sched_setaffinity(0, ALL)
                measured.take(answer, time.perf_counter() - began, time.process_time() - own, _others() - others)
    KNOWN[name] = first
    estimate = "" if one or "Dask" in name else f" (estimated {_estimated(first, two):.2f})"  # its workers do not end
    told = {
        "seconds": [round(some.seconds, 2) for some in (first, two)],
        "processor": [[round(some.own, 2), round(some.others, 2)] for some in (first, two)],
        "faster": round(first.seconds / two.seconds, 2),
        "same": len(first.answers | two.answers) == 1,
    }
    print(
        f"{name:<24} {first.seconds:6.1f} s, {two.seconds:6.1f} s: {told['faster']:.2f} times as fast{estimate}; "
        f"processor {told['processor'][0]} and {told['processor'][1]}; "
        f"{'the same bytes' if told['same'] else 'DIFFERENT'}",
        flush=True,
    )
    return told


def _estimated(one: Measured, two: Measured) -> float:
    """By processor time. What other processes do with one worker, two of them do in half of the time."""
    return (one.own + one.others) / max(max(two.own, two.others - one.others) + one.others / 2, 1e-9)


def _path(name: str, folder: Path, made: Path) -> Path:
    """The file of a system, which is made where its name is that of a generated one, such as economics-8."""
    function, _, size = name.partition("-")
    if not size or not hasattr(_systems_of_others, function):
        return folder / f"{name}.bch"
    path = made / f"{name}.bch"
    path.write_text(getattr(_systems_of_others, function)(int(size)))
    return path


def _solved(path: Path, certificate: bool, seconds: float, workers: int, crew: Crew | None = None) -> bytes:
    answer = answered(path, Asked(None, certificate, seconds, None, workers, apart=crew is None, crew=crew))
    if answer.documents:
        return answer.documents[0].certificate
    return repr(answer.as_json()["solutions"]).encode()


def _system(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        path = _path(options.system, options.data, Path(name))
        return _compared(options.system, options.rounds, partial(_solved, path, not options.without, options.seconds))


def _arm(options: argparse.Namespace) -> dict[str, Any]:
    return {str(seed): _one_arm(seed, options) for seed in options.arms}


def _one_arm(seed: int, options: argparse.Namespace) -> dict[str, Any]:
    arm, nodes = arm_of(seed)[1], 0

    def ask(workers: int) -> bytes:
        nonlocal nodes
        with Processes(workers, forked=True) as crew:
            asked = certify.Options(gap=Fraction(options.gap), splits=24, time_limit=options.seconds, crew=crew)
            (part, *_) = certify.adequacy(arm.problem, start=arm.start, options=asked).parts
        nodes = 2 * part.splits + 1
        return part.certificate or b""

    told = _compared(f"arm {seed}", options.rounds, ask)
    print(f"{'':<28} {nodes} nodes", flush=True)
    return told | {"nodes": nodes}


def _campaign(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        plan = Path(name) / "campaign.toml"
        plan.write_text(PLAN.format(seeds=options.seeds))

        def ask(workers: int) -> bytes:
            return _table(plan, f"out{time.time_ns()}", "--workers", str(workers))

        return _compared(f"{2 * options.seeds} robots", options.rounds, ask)


def _table(plan: Path, out: str, *words: str) -> bytes:
    folder = plan.parent / out
    main(["campaign", str(plan), "--out", str(folder), "--quiet", *words])
    return (folder / "campaign.csv").read_bytes()


@contextmanager
def _scheduler(workers: int) -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=":0", protocol="tcp://"
    ) as found:
        yield found.scheduler_address


def _dask(options: argparse.Namespace) -> dict[str, Any]:
    """One process, and two workers of a cluster, which are there and have loaded the kernels before anything is
    measured.
    """
    told = {}
    with tempfile.TemporaryDirectory() as name, _scheduler(2) as address:
        plan, few = Path(name) / "campaign.toml", Path(name) / "few.toml"
        plan.write_text(PLAN.format(seeds=options.seeds))
        few.write_text(PLAN.format(seeds=2))
        path = _path(options.searched, options.data, Path(name))
        by_dask = "--dask", address, "--workers", "1"

        def table(workers: int, plan: Path = plan) -> bytes:
            return _table(plan, f"out{time.time_ns()}", *(("--workers", "1") if workers == 1 else by_dask))

        def solved(workers: int, path: Path = path, certificate: bool = False) -> bytes:
            if workers == 1:
                return _solved(path, certificate, options.seconds, 1)
            with Cluster(Where(address), lambda message: None) as crew:
                return _solved(path, certificate, options.seconds, workers, crew)

        table(2, few)
        solved(2)
        known = KNOWN.get(f"{2 * options.seeds} robots")
        told["campaign"] = _compared(f"{2 * options.seeds} robots by Dask", options.rounds, table, known)
        told["system"] = _compared(f"{options.searched} by Dask", options.rounds, solved)
        whole, proved = _path(options.system, options.data, Path(name)), KNOWN.get(options.system)
        told["proof"] = _compared(
            f"{options.system} by Dask", options.rounds, partial(solved, path=whole, certificate=True), proved
        )
    return told


def _cost(options: argparse.Namespace) -> dict[str, Any]:
    """Milliseconds for each of many tasks that do nothing, with so many bytes each: by the clock, and of this process,
    in which the scheduler is, too.
    """
    told: dict[str, Any] = {}
    work = Work.of(open_echo, b"")
    with Processes(2, forked=True) as processes:
        processes.begin()
        with _scheduler(2) as address, Cluster(Where(address), lambda message: None) as cluster:
            for name, crew in (("Dask", cluster), ("a process", processes)):
                for size in (100, 100_000):
                    told[f"{name}, {size} bytes"] = _empty(crew, work, bytes(size))
    for what, cost in told.items():
        print(f"{what:<28} {cost[0]:7.2f} ms a task, {cost[1]:.2f} ms of this processor", flush=True)
    return told


def _empty(crew: Crew, work: Work, piece: bytes) -> tuple[float, float]:
    waited(crew.ask(work, piece, 60.0), Limit())
    began, own = time.perf_counter(), time.process_time()
    answers = [crew.ask(work, piece, 60.0) for _ in range(EMPTY)]
    for answer in answers:
        waited(answer, Limit())
    parts = time.perf_counter() - began, time.process_time() - own
    return 1e3 * parts[0] / EMPTY, 1e3 * parts[1] / EMPTY


@dataclass(frozen=True)
class Costs:
    """Seconds: of a task for a worker (a list), for the scheduler, and for those who take answers, so many of them."""

    tasks: Sequence[float]
    scheduler: float
    taking: float
    takers: int


def simulated(costs: Costs, workers: int, known: Sequence[int] | None = None) -> float:
    """Seconds until all tasks are answered and taken, each when a worker is free, the scheduler one after the other.

    `known` says after how many answers were taken each task is there (0: from the start).
    """
    free = [0.0] * workers
    takers = [0.0] * costs.takers
    ready: list[float] = []  # when answers were taken, in order
    dealt = 0.0
    for number, seconds in enumerate(costs.tasks):
        there = 0.0
        if known is not None and known[number]:
            there = ready[known[number] - 1]
        dealt = max(dealt, there) + costs.scheduler
        begun = max(heapq.heappop(free), dealt)
        heapq.heappush(free, begun + seconds)
        taken = max(heapq.heappop(takers), begun + seconds) + costs.taking
        heapq.heappush(takers, taken)
        ready.append(max(taken, ready[-1] if ready else 0.0))
    return ready[-1]


def _simulation(options: argparse.Namespace) -> dict[str, Any]:
    """Of a campaign, and of a proof that takes an hour of one worker."""
    random = np.random.default_rng(1)
    robots, judging = _task_times(options)
    pieces, taking = _piece_times(options)
    share = _share_time()
    deal = _cost(options)["Dask, 100 bytes"][1] / 1e3
    many = random.choice(robots, 5_000).tolist()
    growing = random.choice(pieces, 6_000).tolist()
    known = [0 if number < 2 else number // 2 for number in range(len(growing))]  # each answer leaves two pieces
    lists = {
        f"fuzzing: 5,000 shares of {share:.1f} s, which nobody judges": (Costs([share] * 5_000, deal, deal, 1), None),
        f"campaign of 5,000 tasks of a minute, judged by {JUDGES} here in {judging:.2f} s": (
            Costs([60.0] * 5_000, deal, judging, JUDGES), None,
        ),
        f"campaign of 5,000 tasks of {np.mean(robots):.1f} s, judged by {JUDGES} here in {judging:.2f} s": (
            Costs(many, deal, judging, JUDGES), None,
        ),
        "the robots, judged by another worker, too": (
            Costs([one + judging for one in many], 2 * deal, deal, 1), None,
        ),
        f"a proof of 6,000 pieces of {np.mean(pieces):.2f} s, taken in {1e3 * taking:.1f} ms": (
            Costs(growing, deal, taking, 1), known,
        ),
        "the same, judged where they are found, which leaves a hash to be taken": (
            Costs(growing, deal, deal, 1), known,
        ),
    }  # fmt: skip
    told: dict[str, Any] = {}
    for name, (costs, after) in lists.items():
        one = simulated(costs, 1, after)
        told[name] = {count: round(one / (count * simulated(costs, count, after)), 3) for count in WORKERS}
        print(f"{name}: {', '.join(f'{count}: {100 * part:.0f} %' for count, part in told[name].items())}", flush=True)
    return told


def _task_times(options: argparse.Namespace) -> tuple[list[float], float]:
    """Processor seconds of tasks of the campaign, and of the judgement of one of their folders."""
    from certify.campaigns.carried import accepted, open_answering, packed, replaced
    from certify.campaigns.plan import read_plan
    from certify.campaigns.rows import rows_of

    answering, found, judged = open_answering(b""), [], []
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "campaign.toml"
        path.write_text(PLAN.format(seeds=min(options.seeds, 5)))
        for task in read_plan(path).tasks:
            piece = packed(task)
            began = time.process_time() + _others()
            data = answering(piece, Limit())
            found.append(time.process_time() + _others() - began)
            folder = Path(name) / str(task.number)
            replaced(folder, accepted(data))
            began = time.process_time() + _others()
            rows_of(task, folder)
            judged.append(time.process_time() + _others() - began)
    return found, float(np.mean(judged))


def _piece_times(options: argparse.Namespace) -> tuple[list[float], float]:
    """Seconds of a worker for the pieces of a proof, and of this process for taking one up."""
    asked, taken = [], []
    told = Growing.told

    class Timed:
        """A worker that this process is, for as long as Dask's would work."""

        count, seconds, elsewhere = 1, LONG, False

        def ask(self, work: Work, piece: bytes, seconds: float) -> Any:
            from certify.solvers.workers.crew import nobody
            from certify.solvers.workers.work import answered as done

            began = time.process_time()
            answer = type(nobody())()
            answer.set_result(done(work.opener, work.mark, work.text, piece, seconds))
            asked.append(time.process_time() - began)
            return answer

    def timed(self: Growing, *about: Any) -> Any:
        began = time.process_time()
        left = told(self, *about)
        taken.append(time.process_time() - began)
        return left

    Growing.told = timed  # type: ignore[method-assign]
    try:
        answered(options.data / "Caprasse.bch", Asked(time_limit=options.seconds, crew=Timed()))
    finally:
        Growing.told = told  # type: ignore[method-assign]
    return [LONG] * 100, LONG * sum(taken) / max(sum(asked), 1e-9)


def _share_time() -> float:
    """Processor seconds of one share of instances of a solver that is there anyway."""
    began = time.process_time()
    fuzzed("scipy-highs", SHARE, 1)
    return time.process_time() - began


PART: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "system": _system, "arm": _arm, "campaign": _campaign, "dask": _dask, "cost": _cost, "simulation": _simulation,
}  # fmt: skip
