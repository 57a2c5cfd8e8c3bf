"""Results: plain frozen records that can be printed, saved and checked again by a stranger."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

from certify.checks.checking import check_each
from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.files.disk import write_bytes
from certify.records.verdicts import Verdict
from certify.solvers.graph.accounts import Statistics
from certify.solvers.limits import Limit, Stopped
from certify.text.shown import Shown


@dataclass(frozen=True, repr=False)
class Part:
    """The answer for one independent part of a problem (a leg), or for all rows together (the platform).

    `epsilon` is the proved interval of the smallest model error; its lower end is 0 where nothing better is proved, its
    upper end None where no witness was found. `estimated_undetermined` names the variables that the measurements leave
    free to first order (an estimate). `obstacles` are what else stood in the way, beside `stopped`; `begun` is False
    where a limit came before its turn. `conflict` are the rows (family name, row counted from 0) that the proof of the
    lower end uses, or the poses (name of the group, its number) that they are of: these alone cannot be explained with
    less. `history` has the ends that the search had reached after so many seconds.
    """

    name: str
    scope: tuple[str, ...]
    verdict: Verdict
    stopped: Stopped
    epsilon: tuple[Fraction, Fraction | None]
    unit: str
    witness: dict[str, Fraction] | None
    estimated_undetermined: tuple[str, ...]
    tree: tuple[str, ...]
    certificate: bytes | None
    seconds: float
    splits: int = 0
    contractors: Statistics = field(default_factory=dict)
    conflict: tuple[tuple[str, int], ...] = ()
    obstacles: tuple[Stopped, ...] = ()
    begun: bool = True
    history: tuple[tuple[float, Fraction, Fraction | None], ...] = field(default=(), kw_only=True)

    def __repr__(self) -> str:
        """One line: a part may have thousands of steps."""
        return f"<{type(self).__name__} {self.name}: {self.verdict.value}>"

    @property
    def gap(self) -> float | None:
        """(upper - lower) / upper, rounded up, or None where that has no meaning."""
        lower, upper = self.epsilon
        return enclose_rational((upper - lower) / upper)[1] if upper else None

    @property
    def documents(self) -> tuple[tuple[bytes | None, bytes], ...]:
        """All certificates of the answer, each after the canonical problem that it is about (None: that
        of the result).
        """
        return () if self.certificate is None else ((None, self.certificate),)

    def standing(self, accepted: Collection[bytes]) -> Self:
        """What is left of the answer where the checker has accepted these certificates and no others: a claim without
        its check is none.
        """
        if self.certificate is None or self.certificate in accepted:
            return self
        return replace(
            self,
            verdict=Verdict.UNDECIDED,
            stopped=Stopped.UNCHECKED,
            epsilon=(Fraction(0), None),
            witness=None,
            conflict=(),
            history=(),
        )

    def as_json(self) -> dict[str, Any]:
        """Plain numbers for scripts; the ends of epsilon are rounded outwards to doubles."""
        lower, upper = self.epsilon
        return {
            "name": self.name,
            "verdict": self.verdict.value,
            "stopped": self.stopped.value,
            "obstacles": [obstacle.value for obstacle in self.obstacles],
            "epsilon": [enclose_rational(lower)[0], None if upper is None else enclose_rational(upper)[1]],
            "gap": self.gap,
            "unit": self.unit,
            "estimated_undetermined": list(self.estimated_undetermined),
            "estimated_witness": None
            if self.witness is None
            else {name: float(value) for name, value in self.witness.items()},
            "seconds": round(self.seconds, 4),
            "splits": self.splits,
            "conflict": [[name, row + 1] for name, row in self.conflict],
            "bounds_over_time": [
                [round(at, 4), enclose_rational(low)[0], None if high is None else enclose_rational(high)[1]]
                for at, low, high in self.history
            ],
            "contractors": {
                name: {"calls": c.calls, "seconds": round(c.seconds, 4), "gain": round(c.gain, 3), "refuted": c.refuted}
                for name, c in self.contractors.items()
            },
        }


def accepted_of(documents: Collection[tuple[bytes, bytes]]) -> set[bytes]:
    """The certificates, of these with their problems, that the checker accepts, a process of its own for each."""
    listed = sorted(documents)
    with tempfile.TemporaryDirectory() as folder:
        pairs = [(Path(folder) / f"{k}.canonical", Path(folder) / f"{k}.cert") for k in range(len(listed))]
        for paths, contents in zip(pairs, listed, strict=True):
            for path, content in zip(paths, contents, strict=True):
                path.write_bytes(content)
        checks = check_each(pairs, Limit())
    return {text for (_, text), check in zip(listed, checks, strict=True) if check.verified}


@dataclass(frozen=True, repr=False)
class Result(Shown):
    """All parts of an answer, and the canonical problem that their certificates speak of; `judged` says whether the
    checker has judged these, and the parts are what is left.
    """

    parts: tuple[Part, ...]
    canonical: bytes
    judged: bool = field(default=False, kw_only=True)

    def standing(self, accepted: Collection[bytes]) -> Self:
        """What is left of the answer where the checker has accepted these certificates and no others."""
        return replace(self, parts=tuple(part.standing(accepted) for part in self.parts))

    def checked(self) -> Self:
        """What is left of the answer after the checker, a process of its own for each certificate, has judged them."""
        return replace(self.standing(accepted_of(self.documents())), judged=True)

    def documents(self) -> set[tuple[bytes, bytes]]:
        """The canonical problem and the text of each certificate."""
        return {(problem or self.canonical, text) for part in self.parts for problem, text in part.documents}

    def part(self, name: str) -> Part:
        """The part with this name."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(f"there is no part {name!r}; the result has {', '.join(p.name for p in self.parts)}")

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value; look at the verdict of its parts")

    def save(self, directory: Path | str) -> list[Path]:
        """Write problem.canonical and NAME.cert for each part that has one; returns the certificates' paths."""
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(folder / "problem.canonical", self.canonical)
        written = []
        for part in self.parts:
            if part.certificate is not None:
                written.append(folder / f"{part.name}.cert")
                write_bytes(written[-1], part.certificate)
        return written
