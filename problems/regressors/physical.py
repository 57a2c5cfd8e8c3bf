"""What real bodies and real friction obey, of a model that is linear in their parameters, or in combinations of them.

    theta_j = sum_d S_jd phi_d       parameters of the model, combinations of those of the bodies (if none are stated:
                                     theta = phi); S is exactly as stated
    phi_d >= 0                       masses, friction, rotors
    P_i(phi) >= 0                    positive semidefinite, for each body of ten parameters in the order of BODY:
                                     P = [[tr(I)/2 1 - I, h], [h^T, m]], its pseudo-inertia: some mass is distributed so
    tr P_i(phi) <= LARGEST           m + tr(I) / 2: no body is as heavy or as large as that (kg and kg m^2)

That I is positive definite is not enough: its eigenvalues must obey the triangle inequality, and I and h must fit m.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from certify.problems.errors import InputError
from certify.problems.formulas.units import nearest
from certify.problems.regressors.regressor import Number, Regressor, exact

BODY = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
DIAGONAL = (0, 4, 7, 9)  # of BODY: what is not negative alone
LARGEST = 10**4
Matrix = list[list[Fraction]]
Row = tuple[tuple[int, Fraction], ...]


@dataclass(frozen=True, eq=False)
class Physical:
    """Use `physical`, which looks at everything first. `names` are those of phi; `rows` S, its parts that are not 0;
    `energy`, if it is known: numbers e with e . theta = sum of <E_i, P_i> with E_i positive definite wherever theta
    tells the body (estimated; it is tried and never believed).
    """

    names: tuple[str, ...]
    nonnegative: tuple[int, ...]
    bodies: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    energy: tuple[float, ...] | None = None

    @property
    def size(self) -> int:
        """How many phi there are."""
        return len(self.names)

    @cached_property
    def leading(self) -> tuple[int, ...]:
        """By parameter of the model a phi that is in it with factor 1 and in no other; -1 where there is none."""
        uses = Counter(d for row in self.rows for d, _ in row)
        return tuple(next((d for d, factor in row if factor == 1 and uses[d] == 1), -1) for row in self.rows)

    def signs(self) -> tuple[bool, ...]:
        """By parameter of the model whether it cannot be negative: all its parts are so."""
        known = {*self.nonnegative, *(body[k] for body in self.bodies for k in DIAGONAL)}
        return tuple(bool(row) and all(d in known and factor > 0 for d, factor in row) for row in self.rows)

    def combined(self, phi: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """theta."""
        return tuple(sum((factor * phi[d] for d, factor in row), Fraction(0)) for row in self.rows)

    def spread(self, weights: Sequence[Fraction]) -> list[Fraction]:
        """S^T w: the same linear function, of phi."""
        found = [Fraction(0)] * self.size
        for weight, row in zip(weights, self.rows, strict=True):
            if weight:
                for d, factor in row:
                    found[d] += weight * factor
        return found


def pseudo_inertia(ten: Sequence[Fraction]) -> Matrix:
    """P of the numbers of a body."""
    m, x, y, z, xx, xy, xz, yy, yz, zz = ten
    half = (xx + yy + zz) / 2
    return [[half - xx, -xy, -xz, x], [-xy, half - yy, -yz, y], [-xz, -yz, half - zz, z], [x, y, z, m]]


def pairing(ten: Sequence[Fraction]) -> Matrix:
    """Z with <Z, P(phi)> = z . phi for every body phi, of the numbers z."""
    m, x, y, z, xx, xy, xz, yy, yz, zz = ten
    # I = tr(S) 1 - S: z_xx I_xx + z_yy I_yy + z_zz I_zz weighs S_xx with z_yy + z_zz; I_xy = -S_xy, twice in <Z, P>
    return [
        [yy + zz, -xy / 2, -xz / 2, x / 2],
        [-xy / 2, xx + zz, -yz / 2, y / 2],
        [-xz / 2, -yz / 2, xx + yy, z / 2],
        [x / 2, y / 2, z / 2, m],
    ]


def not_negative(problem: Regressor, constraint: Physical) -> Regressor:
    """The model with 0 as the lower end of parameters that cannot be negative."""
    if len(constraint.rows) != problem.size:
        raise InputError(
            f"physical: it says what {len(constraint.rows)} parameters are, and W has {problem.size} columns; say so "
            f"of each column"
        )
    for place, row in enumerate(constraint.rows):
        called = constraint.names[row[0][0]] if len(row) == 1 and row[0][1] == 1 else problem.names[place]
        if called in problem.names and called != problem.names[place]:
            raise InputError(
                f"physical: it says that column {place + 1} of W is {called}, and W calls it {problem.names[place]}; "
                f"give the names in the order of the columns, or say by combinations what each column is"
            )
    bounds = []
    for sign, name, (low, high) in zip(constraint.signs(), problem.names, problem.bounds, strict=True):
        if sign and high is not None and high < 0:
            raise InputError(f"box, {name}: its upper end is negative, which no physical parameter is; leave it out")
        bounds.append((Fraction(0) if sign and (low is None or low < 0) else low, high))
    return replace(problem, bounds=tuple(bounds))


def physical(
    names: Sequence[str],
    nonnegative: Sequence[str] = (),
    bodies: Sequence[Sequence[str]] = (),
    combinations: Sequence[Mapping[str, Number]] | None = None,
    energy: Sequence[float] | None = None,
) -> Physical:
    """The constraint of parameters called `names`: which are not negative, which ten (in the order of BODY) are a body;
    `combinations` says of each parameter of the model what it is, if it is not the one of the same place.
    """
    place = {name: k for k, name in enumerate(names)}
    if len(place) != len(names) or not names:
        raise InputError("physical: names are missing or occur twice; give each parameter of the bodies a name")

    def number(name: str) -> int:
        if name not in place:
            raise InputError(f"physical: there is no parameter {name}; {nearest(name, list(names))}")
        return place[name]

    for body in bodies:
        if len(body) != len(BODY):
            raise InputError(f"physical: a body has {len(body)} parameters; give ten, {', '.join(BODY)}")
    used = [number(name) for body in bodies for name in body]
    if len(set(used)) != len(used):
        raise InputError("physical: a parameter is in two bodies, or twice in one; give each body its own ten")
    stated = [{name: 1} for name in names] if combinations is None else combinations
    rows = tuple(
        tuple((number(name), value) for name, factor in row.items() if (value := exact(factor, f"physical, {name}")))
        for row in stated
    )
    tens = tuple(tuple(number(name) for name in body) for body in bodies)
    given = None if energy is None else tuple(float(value) for value in energy)
    if given is not None and len(given) != len(rows):
        raise InputError(f"physical: energy has {len(given)} numbers; give one for each of {len(rows)} parameters")
    found = Physical(tuple(names), tuple(number(name) for name in nonnegative), tens, rows, given)
    if -1 in found.leading:
        raise InputError(
            f"physical: parameter {found.leading.index(-1) + 1} of the model has no part of its own; each combination "
            f"needs one that is in no other one, with the factor 1 (choose other base parameters, or another scale)"
        )
    return found
