"""Two commits on the same systems: what each proves, its boxes, and its seconds of processor time.

Each has a process of its own, in its own checkout (with the checkout's `.venv` if it has one), which is asked for one
system after the other; the two take turns, and the better of some rounds counts, so that what else the machine does
matters less. A system is *lost* if it was solved whole, and is not any more, or has fewer proved solutions.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORKER = Path(__file__).parent / "_search_worker.py"
LONG = 2.0  # seconds: a search that takes longer is made once


@dataclass(frozen=True)
class Peer:
    """The process of one checkout."""

    process: subprocess.Popen[str]

    @staticmethod
    def of(folder: Path) -> Peer:
        """Started, and ready."""
        own = folder / ".venv" / "bin" / "python"
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        process = subprocess.Popen(
            [str(own if own.exists() else sys.executable), str(WORKER)], cwd=folder, text=True,
            env=os.environ | single | {"PYTHONPATH": str(folder)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        peer = Peer(process)
        if peer._line() != "ready":
            raise SystemExit(f"{folder} is no checkout whose searches can be measured; see its message above")
        return peer

    def _line(self) -> str:
        if self.process.stdout is None:
            raise RuntimeError("the process was started without a pipe")
        return self.process.stdout.readline().strip()

    def search(self, path: Path, limit: float) -> dict[str, Any]:
        """What it finds."""
        if self.process.stdin is None:
            raise RuntimeError("the process was started without a pipe")
        self.process.stdin.write(json.dumps({"path": str(path), "time_limit": limit}) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._line())
        return answer

    def end(self) -> None:
        """No more questions."""
        self.process.communicate()


def side_by_side(files: list[Path], before: Path, limit: float, rounds: int) -> dict[str, Any]:
    """A row a system, and the geometric means of all ratios."""
    peers = Peer.of(before.resolve()), Peer.of(Path(__file__).parents[1])
    print(f"{'system':<16} {'proved':>11} {'left':>13} {'boxes':>15} {'CPU seconds':>15} {'ratio':>6}  lost")
    rows = []
    for path in files:
        rows.append(_row(path, peers, limit, rounds))
        print(_line(rows[-1]), flush=True)
    for peer in peers:
        peer.end()
    means = {
        key: _mean([row["after"][key] / max(row["before"][key], 1e-9) for row in rows]) for key in ("cpu", "boxes")
    }
    lost = [row["system"] for row in rows if row["lost"]]
    print(f"\n{len(rows)} systems: geometric mean of times {means['cpu']:.3f}, of boxes {means['boxes']:.3f}; "
          f"lost: {', '.join(lost) or 'none'}")  # fmt: skip
    return {"rows": rows, "means": means, "lost": lost}


def _row(path: Path, peers: tuple[Peer, Peer], limit: float, rounds: int) -> dict[str, Any]:
    best: list[dict[str, Any] | None] = [None, None]
    for turn in range(rounds):
        for k in (0, 1) if turn % 2 == 0 else (1, 0):
            known = best[k]
            if known is None or known["cpu"] < LONG:
                found = peers[k].search(path, limit)
                best[k] = found if known is None or found["cpu"] < known["cpu"] else known
    before, after = best
    if before is None or after is None:
        raise ValueError("there must be a round")
    solved = [found["stopped"] == "finished" and not found["undecided"] for found in (before, after)]
    lost = (solved[0] and not solved[1]) or after["proved"] < before["proved"]
    return {"system": path.stem, "before": before, "after": after, "lost": lost}


def _line(row: dict[str, Any]) -> str:
    before, after = row["before"], row["after"]

    def both(key: str, form: str = "d") -> str:
        return f"{before[key]:{form}} {after[key]:{form}}"

    left = " ".join(f"{found['undecided']}+{found['unexplored']}" for found in (before, after))
    ratio = after["cpu"] / max(before["cpu"], 1e-9)
    return (
        f"{row['system']:<16} {both('proved'):>11} {left:>13} {both('boxes'):>15} {both('cpu', '.3f'):>15} "
        f"{ratio:>6.2f}  {'lost' if row['lost'] else ''}"
    )


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(math.log(max(ratio, 1e-9)) for ratio in ratios) / max(len(ratios), 1))
