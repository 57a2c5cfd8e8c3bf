"""Where the solutions of an interval linear system are: A x = b, every entry of A and b anywhere in its interval,
independently of the others.

    answer = certify.linear_system([[(2, 4), (-2, 1)], [(-1, 2), (2, 4)]], [(-2, 2), (-2, 2)])
    print(answer)              every solution lies in this box
    answer.box[0]              an Interval; answer.has([4, 3]) decides in rational numbers whether a point is a solution

    method="hull"              the smallest box, orthant by orthant (Oettli and Prager), up to rounding; finds out that
                               there is no solution, or that solutions have no bounds. The default up to 24 unknowns;
                               at worst there are 2^n orthants
    method="preconditioned"    the smallest box after a multiplication by the inverse of the middle (Hansen, Bliek,
                               Rohn); the default for more unknowns
    method="beaumont"          a box narrowed by linear programs
    method="gauss-seidel"      a box narrowed equation by equation

The last two narrow the `box` that is given, or else that of "preconditioned". Everything rests on the engine's
outward-rounded arithmetic, in which entries that are no doubles lie between their neighbours; there are no
certificates of it. What is said of single points (`has`, and rays) is true of the entries as they are given.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from certify.claims.linear_claims import linear_sentence
from certify.claims.proved_words import BY_ENGINE
from certify.contractors.interval import Interval, exact_ends
from certify.contractors.interval_texts import Exact, enclosed
from certify.contractors.linear.enclosure import enclose
from certify.contractors.linear.gauss_seidel import Systems, gauss_seidel
from certify.contractors.linear.linear_system import EnclosedSolutions, IntervalSystem, LinearVerdict, interval_system
from certify.contractors.linear.weights import is_ray, solves_for_some
from certify.contractors.operators.beaumont import beaumont
from certify.contractors.operators.oettli_prager import hull
from certify.contractors.operators.of_linear_system import OfLinearSystem
from certify.contractors.tape.evaluation import Floats
from certify.problems.errors import InputError
from certify.solvers.linear_programs.highs import HighsOracle
from certify.text.shown import Shown

Number = int | float | Fraction | Decimal | str
Entry = Number | Interval | tuple[Number, Number]
Matrix = Sequence[Sequence[Entry]] | NDArray[Any] | tuple[NDArray[Any], NDArray[Any]]
Vector = Sequence[Entry] | NDArray[Any] | tuple[NDArray[Any], NDArray[Any]]
Ends = tuple[Floats, Floats]
FEW = 24  # unknowns up to which the hull is asked for
PARTS = 5000  # of the hull, at most


@dataclass(frozen=True, eq=False, repr=False)
class LinearAnswer(Shown):
    """A box of all solutions (of those in `within`, if a box was given), and what is proved about them: `verdict`,
    and why in `proof`.

    Where the solutions have no bounds, `ray` is a point and a direction: point + t direction is a solution for every
    t >= 0.
    """

    system: IntervalSystem
    exact: IntervalSystem  # the ends that were given, as rational numbers where they are no doubles
    enclosed: EnclosedSolutions
    method: str
    within: tuple[Interval, ...] | None
    seconds: float

    @property
    def verdict(self) -> LinearVerdict:
        """Bounded, unbounded, empty, or not proved."""
        return self.enclosed.verdict

    @property
    def proof(self) -> str:
        """What proves the verdict, or what is missing, in words."""
        return self.enclosed.proof

    @property
    def box(self) -> tuple[Interval, ...]:
        """Where the unknowns are; empty intervals if there is no solution."""
        if self.verdict is LinearVerdict.EMPTY:
            return (Interval("[empty]"),) * len(self.enclosed.lower)
        return tuple(
            Interval(float(low), float(high))
            for low, high in zip(self.enclosed.lower, self.enclosed.upper, strict=True)
        )

    @property
    def ray(self) -> tuple[Floats, Floats] | None:
        """The point and the direction of a ray of solutions, if one was found."""
        found = self.enclosed.ray
        return None if found is None else (found[0], found[1])

    def has(self, point: Sequence[Number]) -> bool:
        """Whether a point solves the system for some choice of its entries: decided in rational numbers."""
        if len(point) != len(self.enclosed.lower):
            raise InputError(f"the point has {len(point)} numbers, the system {len(self.enclosed.lower)} unknowns")
        return solves_for_some(self.exact, [Fraction(value) for value in point])

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; look at its verdict")

    def __repr__(self) -> str:
        """One line: a system may have thousands of entries."""
        rows, columns = self.system.shape
        return f"<LinearAnswer about {rows} x {columns}: {self.verdict.value}>"

    def __str__(self) -> str:
        rows, columns = self.system.shape
        size = f"{rows} equation{'s' * (rows > 1)}, {columns} unknown{'s' * (columns > 1)}"
        told = linear_sentence(self.verdict, self.proof, self.within is not None, self.ray)
        lines = [size, f"{BY_ENGINE}, not certified: {told}"]
        if self.verdict is not LinearVerdict.EMPTY:
            lines += [f"  x[{number}] in {side}" for number, side in enumerate(self.box)]
        return "\n".join([*lines, f"{self.method}, {self.seconds:.2f} s"])


def linear_system(
    matrix: Matrix, right: Vector, box: Vector | None = None, *, method: str | None = None
) -> LinearAnswer:
    """A box of all solutions of A x = b, or of those in a box, for a matrix and a right-hand side of intervals;
    `method`: see above.

    An entry is a number (a text is the decimal that is written), an Interval, or the pair of its ends; arrays of
    floats are taken as they are, and a pair of them as lower and upper ends. For more rows than columns these are the
    x that solve all rows. Raises InputError with a sentence.
    """
    began = time.perf_counter()
    exact, system = _systems(matrix, right)
    columns = system.shape[1]
    method = _method(method, columns)
    ends = (
        (np.full(columns, -np.inf), np.full(columns, np.inf)) if box is None else _outwards(*_vector_ends(box, "box"))
    )
    if ends[0].size != columns:
        raise InputError(f"the box has {ends[0].size} sides, the system {columns} unknowns; give as many")
    within = None if box is None else tuple(Interval(float(a), float(b)) for a, b in zip(*ends, strict=True))
    found = _of_given_entries(METHODS[method](system, *ends), exact)
    return LinearAnswer(system, exact, found, method, within, time.perf_counter() - began)


def linear_contractor(
    matrix: Matrix, right: Vector, *, method: str | None = None
) -> Callable[[object], OfLinearSystem]:
    """What makes a contractor of the x with A x = b for some entries, by one of the same methods: for the variables of
    a system in their order, `certify.solve(system, contractors=[certify.linear_contractor(matrix, right)])`.
    """
    _, system = _systems(matrix, right)
    chosen = _method(method, system.shape[1])
    return lambda asked: OfLinearSystem(system, METHODS[chosen], f"linear system, {chosen}")


def _systems(matrix: Matrix, right: Vector) -> tuple[IntervalSystem, IntervalSystem]:
    """With the ends that were given, and with doubles around them."""
    low, high = _matrix_ends(matrix)
    right_low, right_high = _vector_ends(right, "right-hand side")
    try:
        system = interval_system(*_outwards(low, high), *_outwards(right_low, right_high))
    except ValueError as error:
        raise InputError(str(error)) from error
    return IntervalSystem(low, high, right_low, right_high), system


def _method(method: str | None, columns: int) -> str:
    method = method or ("hull" if columns <= FEW else "preconditioned")
    if method not in METHODS:
        raise InputError(f"there is no method {method!r}; choose {', '.join(METHODS)}")
    return method


def _of_given_entries(found: EnclosedSolutions, exact: IntervalSystem) -> EnclosedSolutions:
    """Without a ray that is there only for entries rounded outwards; boxes of those hold all others."""
    if found.ray is None or is_ray(exact, found.ray[0], found.ray[1]):
        return found
    proof = "they have none if entries that are no doubles are rounded outwards"
    return replace(found, verdict=LinearVerdict.NOT_PROVED, proof=proof, ray=None)


def _preconditioned(system: IntervalSystem, lower: Floats, upper: Floats) -> EnclosedSolutions:
    """The enclosure of all solutions, cut with the box."""
    found = enclose(system)
    if found.verdict is LinearVerdict.EMPTY:
        return found
    low, high = np.maximum(found.lower, lower), np.minimum(found.upper, upper)
    if (low > high).any():
        return EnclosedSolutions.empty(low.size, "the box and the enclosure of all solutions do not meet")
    bounded = bool(np.isfinite(low).all() and np.isfinite(high).all())
    proof = found.proof if found.verdict is LinearVerdict.BOUNDED or not bounded else "the box that was given"
    return EnclosedSolutions(low, high, LinearVerdict.BOUNDED if bounded else LinearVerdict.NOT_PROVED, proof)


def _hull(system: IntervalSystem, lower: Floats, upper: Floats) -> EnclosedSolutions:
    return hull(system, HighsOracle(), lower, upper, PARTS)


def _beaumont(system: IntervalSystem, lower: Floats, upper: Floats) -> EnclosedSolutions:
    start = _preconditioned(system, lower, upper)
    if start.verdict is LinearVerdict.NOT_PROVED:
        raise InputError(
            f"Beaumont's method narrows a box, and none was found to start from ({start.proof}); "
            "give one (box=...) or ask for the hull"
        )
    return start if start.verdict is LinearVerdict.EMPTY else beaumont(system, HighsOracle(), start.lower, start.upper)


def _gauss_seidel(system: IntervalSystem, lower: Floats, upper: Floats) -> EnclosedSolutions:
    start = _preconditioned(system, lower, upper)
    if start.verdict is LinearVerdict.EMPTY:
        return start
    found = gauss_seidel(Systems.of(system), start.lower[None], start.upper[None])
    low, high = found.lower[0], found.upper[0]
    if found.empty[0]:
        return EnclosedSolutions.empty(low.size, "equations bound an unknown from below above its upper bound")
    bounded = bool(np.isfinite(low).all() and np.isfinite(high).all())
    proof = "equation by equation, from the box before" if bounded else start.proof
    return EnclosedSolutions(low, high, LinearVerdict.BOUNDED if bounded else LinearVerdict.NOT_PROVED, proof)


METHODS: dict[str, Callable[[IntervalSystem, Floats, Floats], EnclosedSolutions]] = {
    "hull": _hull, "preconditioned": _preconditioned, "beaumont": _beaumont, "gauss-seidel": _gauss_seidel,
}  # fmt: skip


def _matrix_ends(matrix: Matrix) -> Ends:
    """The ends of all entries."""
    given = _as_arrays(matrix, 2)
    if given is not None:
        return given
    rows = [_entries(row, f"row {number} of the matrix") for number, row in enumerate(matrix)]
    if len({len(row) for row in rows}) > 1:
        raise InputError(
            f"the rows of the matrix have {', '.join(str(len(row)) for row in rows)} entries; they must have as many"
        )
    return _ends([low for low, _ in row] for row in rows), _ends([high for _, high in row] for row in rows)


def _vector_ends(vector: Vector, what: str) -> Ends:
    given = _as_arrays(vector, 1)
    if given is not None:
        return given
    sides = _entries(vector, f"the {what}")
    return _ends(low for low, _ in sides), _ends(high for _, high in sides)


def _ends(values: Any) -> NDArray[Any]:
    return np.array(list(values), dtype=object)


def _outwards(low: NDArray[Any], high: NDArray[Any]) -> Ends:
    """Doubles around these ends."""
    if low.dtype == high.dtype == np.float64:
        return low, high
    sides = [np.array([enclosed(end)[side] for end in ends.flat]) for side, ends in enumerate((low, high))]
    return sides[0].reshape(low.shape), sides[1].reshape(high.shape)


def _as_arrays(given: Any, dimensions: int) -> Ends | None:
    """Arrays of floats, or a pair of them; None for anything else."""
    pair = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
    fit = all(isinstance(array, np.ndarray) and array.dtype.kind == "f" and array.ndim == dimensions for array in pair)
    return (np.asarray(pair[0], dtype=np.float64), np.asarray(pair[1], dtype=np.float64)) if fit else None


def _entries(row: Any, what: str) -> list[tuple[Exact, Exact]]:
    """The ends of the intervals that a row states."""
    found = []
    for place, entry in enumerate(row):
        try:
            pair = isinstance(entry, (tuple, list)) and len(entry) == 2
            found.append(exact_ends(*entry) if pair else exact_ends(entry))
        except (TypeError, ValueError) as error:
            raise InputError(f"entry {place} of {what}: {error}") from error
    return found
