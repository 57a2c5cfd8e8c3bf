"""Which of some segments to run: exchanges, and how far from the best any choice can be.

    F(S) = sum over s in S of M_s,  M_s = W_s' W_s           of whitened rows with scaled columns
    greedy, then exchanges of one for another until none makes the criterion smaller            (Fedorov 1972)
    for weights w >= 0 with sum 1,  F_w = sum w_s M_s,  d_s = trace(F_w^-1 M_s):
        ln det F(S) <= p ln n + ln det F_w + p ln(max_s d_s / p)       for every S with n members, repeated or not
                                                                        (Kiefer and Wolfowitz 1960)

The bound is for D only; both are computed in floats and called estimated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from certify.problems.errors import InputError
from certify.problems.motions.candidates import Candidates
from certify.problems.regressors.regressor import Floats
from certify.solvers.design.criteria import Criterion, Information
from certify.solvers.limits import Limit, Stopped

SWEEPS = 50  # of exchanges
STEPS = 2000  # of the weights
NEAR = 1e-4  # of p: weights are good enough
BETTER = 1e-9
RIDGE = 1e-9  # of the mean information, while fewer segments than determine the parameters are there


@dataclass(frozen=True, eq=False)
class Choice:
    """Numbers of the chosen segments; their information, that of all segments together for each chosen one, scales of
    the parameters; the most that any other choice gains in ln det F, and why the search ended.
    """

    numbers: tuple[int, ...]
    information: Information
    every: Information
    scales: Floats
    behind: float
    evaluations: int
    why: Stopped


def choose(
    found: Candidates, count: int, criterion: Criterion, limit: Limit, tell: Callable[[int, float], None],
    repeated: bool = False,
) -> Choice:  # fmt: skip
    """The best of the segments, each once, or as often as it is worth."""
    scales = _scales(found)
    parts = np.array([(rows * scales).T @ (rows * scales) for rows in found.rows])
    total, size = parts.sum(axis=0), len(scales)
    if not repeated and not 1 <= count <= len(parts):
        raise InputError(f"--choose {count}: there are {len(parts)} segments; choose 1 to {len(parts)} of them")
    every = _information(total)
    if every.value(Criterion.D) == np.inf:
        direction = every.directions[:, -1]
        names = [name for name, share in zip(found.parameters, direction, strict=True) if abs(share) > 0.1]
        raise InputError(
            f"all {len(parts)} segments together do not tell {', '.join(names)} apart (estimated); record other ones, "
            f"or leave one of these parameters out with --columns"
        )
    rows = min(sum(len(rows) for rows in found.rows), count * max(len(rows) for rows in found.rows))
    if rows < size:
        raise InputError(
            f"--choose {count}: the chosen segments have at most {rows} rows, and there are {size} parameters; choose "
            f"more"
        )
    search = _Search(parts, criterion, repeated, limit, tell)
    chosen = search.greedy(count)
    why = search.exchange(chosen)
    best = _information(parts[chosen].sum(axis=0))
    behind = np.inf if criterion is not Criterion.D else _most(parts, count, limit) + best.value(Criterion.D)
    share = _information(total * (count / len(parts)))
    numbers = tuple(found.numbers[k] for k in sorted(chosen))
    return Choice(numbers, best, share, scales, behind, search.evaluations, why)


def _scales(found: Candidates) -> Floats:
    """In which the columns of all rows together have length 1."""
    lengths = np.sqrt(sum((rows**2).sum(axis=0) for rows in found.rows) / sum(len(rows) for rows in found.rows))
    if not (lengths > 0.0).all():
        unseen = [name for name, length in zip(found.parameters, lengths, strict=True) if not length > 0.0]
        raise InputError(f"the column of {', '.join(unseen)} is 0 in every row; leave it out with --columns")
    return np.asarray(1.0 / lengths)


def _information(matrix: Floats) -> Information:
    values, directions = np.linalg.eigh(matrix)
    return Information(np.maximum(values[::-1], 0.0), directions[:, ::-1])


class _Search:
    """Greedy and exchanges."""

    def __init__(
        self, parts: Floats, criterion: Criterion, repeated: bool, limit: Limit, tell: Callable[[int, float], None]
    ) -> None:
        self._parts, self._criterion, self._repeated, self._limit, self._tell = parts, criterion, repeated, limit, tell
        self._ridge = RIDGE * np.trace(parts.mean(axis=0)) / parts.shape[1] * np.eye(parts.shape[1])
        self.evaluations = 0

    def _values(self, start: Floats, members: list[int]) -> Floats:
        """The criterion with each candidate added; infinite for those that are there already."""
        self.evaluations += len(self._parts)
        values = np.linalg.eigvalsh(start + self._ridge + self._parts)
        found = _smooth(self._criterion, np.maximum(values, 1e-300))
        if not self._repeated:
            found[members] = np.inf
        return found

    def greedy(self, count: int) -> list[int]:
        """One after the other."""
        chosen: list[int] = []
        start = np.zeros_like(self._ridge)
        for _ in range(count):
            best = int(np.argmin(self._values(start, chosen)))
            chosen.append(best)
            start = start + self._parts[best]
        return chosen

    def exchange(self, chosen: list[int]) -> Stopped:
        """One for another, in place, until nothing is gained."""
        for _ in range(SWEEPS):
            gained = False
            for place in range(len(chosen)):
                if self._limit.late():
                    return self._limit.why
                others = chosen[:place] + chosen[place + 1 :]
                values = self._values(self._parts[others].sum(axis=0), others)
                best = int(np.argmin(values))
                if values[best] < values[chosen[place]] - BETTER:
                    chosen[place] = best
                    gained = True
                self._tell(self.evaluations, float(values[chosen[place]]))
            if not gained:
                break
        return Stopped.FINISHED


def _smooth(criterion: Criterion, values: Floats) -> Floats:
    """The criterion of many matrices by their eigenvalues, (matrices, p), rising."""
    logs = np.log(values)
    if criterion is Criterion.D:
        return np.asarray(-logs.sum(axis=1))
    if criterion is Criterion.A:
        return np.asarray(np.log((1.0 / values).sum(axis=1)))
    return np.asarray(-logs[:, 0] if criterion is Criterion.E else (logs[:, -1] - logs[:, 0]) / 2.0)


def _most(parts: Floats, count: int, limit: Limit) -> float:
    """The most that ln det F can be with so many members, by weights that are multiplied by d_s / p."""
    size = parts.shape[1]
    weights = np.full(len(parts), 1.0 / len(parts))
    best = np.inf
    for _ in range(STEPS):
        matrix = np.einsum("s,sij->ij", weights, parts)
        variances = np.einsum("ij,sji->s", np.linalg.inv(matrix), parts)
        top = float(variances.max())
        sign, value = np.linalg.slogdet(matrix)
        best = min(best, size * np.log(count * top / size) + float(value)) if sign > 0 else best
        if top <= size * (1.0 + NEAR) or limit.late():
            break
        weights = weights * variances / size
    return float(best)
