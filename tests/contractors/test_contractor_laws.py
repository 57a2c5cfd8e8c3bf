"""The laws of all contractors of systems, without tolerance. A new contractor is one line in CONTRACTORS.

A case makes a contractor from a system with a planted zero, and says which point is a solution of what the contractor
stands for: the zero itself, its unknowns without the parameters, or the zero as a point *outside* of a system that it
violates.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from planted import (
    Planted,
    banded_system,
    boxes_around,
    exact_zero_system,
    partial_system,
    permuted,
    random_system,
)

from certify.contractors.compositions.complement import complement
from certify.contractors.compositions.fixed_point import FixedPoint
from certify.contractors.compositions.on_grid import OnGrid
from certify.contractors.compositions.outside import TOTAL, Outside
from certify.contractors.compositions.q_intersection import QIntersection
from certify.contractors.compositions.quantifiers import ForAll, ForSome
from certify.contractors.compositions.sequence import Sequence
from certify.contractors.compositions.shaving import Shaving
from certify.contractors.compositions.slicing import Slicing
from certify.contractors.compositions.union import Union
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.operators.linear_hull import LinearHull
from certify.contractors.operators.newton import MeanValue
from certify.contractors.protocol.boxes import Boxes, Contractor, near
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.combinations import with_combinations
from certify.contractors.rows.corner_form import Slope
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.function_kernels import FUNCTIONS
from certify.contractors.tape.tape import Builder, Operation, replay
from certify.solvers.linear_programs.simplex import Simplex

ALL = (random_system, exact_zero_system, partial_system)
LARGE = (lambda seed: banded_system(seed % 8),)
KINDS = ("bounded", "degenerate", "unbounded")


@dataclass(frozen=True)
class Case:
    """`alone`: the kinds of boxes of which each in a batch is promised to be narrowed as if it were alone."""

    make: Callable[[Planted], Contractor]
    solution: Callable[[Planted], np.ndarray] = lambda planted: planted.zero
    systems: tuple[Callable[[int], Planted], ...] = ALL
    symmetric: bool = False
    alone: tuple[str, ...] = KINDS


def hull(equations):
    return HullConsistency(equations, sweeps=3, least_gain=0.0)


def moved(equations):
    """The same functions, but values that none of them takes at the planted zero."""
    return Equations(equations.tape, equations.upper + 1.0, equations.upper + 2.0)


def beyond(equations):
    """The same functions, above what they are at the planted zero: it violates every constraint."""
    return Equations(equations.tape, equations.upper + 1.0, np.full_like(equations.upper, np.inf))


def row(equations, number):
    builder = Builder(equations.variables)
    nodes = replay(equations.tape, builder, list(range(equations.variables)))
    tape = builder.tape((nodes[equations.tape.outputs[number]],))
    return Equations(tape, equations.lower[[number]], equations.upper[[number]])


def rows(equations):
    return [hull(row(equations, number)) for number in range(equations.lower.size)]


def parameter(planted):
    """The last unknown as a parameter, with values around the planted one."""
    return (planted.zero.size - 1,), Box(planted.zero[-1:] - 0.3, planted.zero[-1:] + 0.45)


def shifted_by_a_parameter(equations, low, high):
    """f_i(x) + p, and values that are allowed for all p of [low, high] wherever f_i(x) is allowed."""
    builder = Builder(equations.variables + 1)
    nodes = replay(equations.tape, builder, list(range(equations.variables)))
    tape = builder.tape(tuple(builder.add(nodes[o], equations.variables) for o in equations.tape.outputs))
    return Equations(tape, np.nextafter(equations.lower + low, -np.inf), np.nextafter(equations.upper + high, np.inf))


def for_all(planted):
    child = hull(shifted_by_a_parameter(planted.equations, -0.25, 0.5))
    return ForAll(child, (planted.zero.size,), Box(np.array([-0.25]), np.array([0.5])), 0.25)


def never_for_some(planted):
    """The zero violates f_i(x) + p >= upper_i + 2 for all p of [-1, 1]."""
    far = beyond(shifted_by_a_parameter(planted.equations, 0.0, 1.0))
    return complement(ForSome(hull(far), (planted.zero.size,), Box(-np.ones(1), np.ones(1)), 0.3))


def not_for_all(planted):
    """The zero violates f(x) + p >= upper + 1 for p = 0, one of [-1, 1]."""
    far = beyond(shifted_by_a_parameter(row(planted.equations, 0), 0.0, 0.0))
    return complement(ForAll(hull(far), (planted.zero.size,), Box(-np.ones(1), np.ones(1)), 0.3))


class Foolish:
    """An oracle whose multipliers are noise."""

    def multipliers(self, matrix, bound, width, wanted, ranged):
        return (
            np.random.default_rng(0).exponential(size=(matrix.shape[0], 2 * matrix.shape[2] + 1, matrix.shape[1])) ** 4
        )


def twice(equations):
    """The equations, and the sum of the first two (of the first with itself) once more."""
    builder = Builder(equations.variables)
    nodes = [replay(equations.tape, builder, list(range(equations.variables)))[node] for node in equations.tape.outputs]
    both = builder.add(nodes[0], nodes[-1])
    lower, upper = (
        np.append(ends, np.nextafter(ends[0] + ends[-1], way))
        for ends, way in ((equations.lower, -np.inf), (equations.upper, np.inf))
    )
    return Equations(builder.tape((*nodes, both)), lower, upper)


def without_parameter(planted):
    return planted.zero[:-1]


CONTRACTORS = {
    "hull consistency": Case(lambda p: hull(p.equations), symmetric=True),
    "hull consistency, with a least gain": Case(lambda p: HullConsistency(p.equations)),
    "hull consistency near a change": Case(lambda p: HullConsistency(p.equations, changed=1)),
    "hull consistency near a change, of a large system": Case(lambda p: near(hull(p.equations), 1), systems=LARGE),
    "linear hull by parts": Case(lambda p: LinearHull(p.equations, Simplex()), systems=LARGE),
    "slices of a large system": Case(
        lambda p: Slicing(Sequence((hull(p.equations), LinearHull(p.equations, Simplex()))), (1, 2)), systems=LARGE
    ),
    "interval Newton with a band": Case(lambda p: MeanValue(p.equations), systems=LARGE),
    "interval Newton with a band, around a variable": Case(lambda p: near(MeanValue(p.equations), 3), systems=LARGE),
    "Gauss-Seidel": Case(lambda p: MeanValue(p.equations, precondition=False)),
    "Gauss-Seidel, more equations than unknowns": Case(lambda p: MeanValue(twice(p.equations))),
    "linear hull at corners": Case(lambda p: LinearHull(p.equations, Simplex())),
    "linear hull by secants": Case(lambda p: LinearHull(p.equations, Simplex(), (0.5,))),
    "linear hull by middle slopes": Case(lambda p: LinearHull(p.equations, Simplex(), (0.5,), Slope.MIDDLE)),
    "linear hull of a foolish oracle": Case(lambda p: LinearHull(p.equations, Foolish()), alone=()),
    "with combinations": Case(lambda p: hull(with_combinations(twice(p.equations)))),
    "slicing": Case(lambda p: Slicing(hull(p.equations), p.equations.occurring)),
    "interval Newton": Case(lambda p: MeanValue(p.equations), systems=(exact_zero_system,)),
    "sequence": Case(lambda p: Sequence((hull(p.equations), MeanValue(p.equations, precondition=False)))),
    "sequence of rows": Case(lambda p: Sequence(tuple(rows(p.equations))), symmetric=True),
    "fixed point": Case(lambda p: FixedPoint(HullConsistency(p.equations, sweeps=1)), symmetric=True),
    "on a grid": Case(lambda p: OnGrid(hull(p.equations)), symmetric=True),
    "union": Case(lambda p: Union((hull(moved(p.equations)), hull(p.equations))), symmetric=True),
    "q-intersection": Case(lambda p: QIntersection((*rows(moved(p.equations)), *rows(p.equations)), 3), symmetric=True),
    "q-intersection of all": Case(lambda p: QIntersection.all_but(0, tuple(rows(p.equations))), symmetric=True),
    "shaving": Case(lambda p: Shaving(hull(p.equations), p.equations.occurring)),
    "shaving by first order": Case(
        lambda p: Shaving(MeanValue(p.equations, precondition=False), p.equations.occurring, slices=3)
    ),
    "outside": Case(lambda p: Outside(beyond(p.equations)), symmetric=True),
    "outside, two-sided": Case(
        lambda p: Sequence((Outside(moved(p.equations)), Outside(beyond(p.equations)))), symmetric=True
    ),
    "outside of a union": Case(
        lambda p: complement(Union((hull(beyond(p.equations)), *rows(beyond(p.equations))))), symmetric=True
    ),
    "outside of a q-intersection": Case(
        lambda p: complement(QIntersection(tuple(rows(beyond(p.equations))), 2)), symmetric=True
    ),
    "for some": Case(lambda p: ForSome(hull(p.equations), *parameter(p), 0.1), without_parameter),
    "for all": Case(for_all),
    "outside of for some": Case(never_for_some),
    "outside of for all": Case(not_for_all),
}

EACH = pytest.mark.parametrize("name", CONTRACTORS)
seeds = st.integers(0, 10**6)


def planted_by(case, seed):
    return case.systems[seed % len(case.systems)](seed)


def batch(solution, kind, seed):
    """Boxes with the solution and boxes elsewhere, in any order; some with unbounded variables, or variables that are
    points.
    """
    rng = np.random.default_rng(seed + 1)
    size = int(rng.integers(1, 9))
    boxes = boxes_around(solution, rng, size, float(rng.choice([0.3, 3.0])))
    low, high = boxes.lower.copy(), boxes.upper.copy()
    away = rng.uniform(size=low.shape) < min(0.2, 0.6 / solution.size)
    shift = rng.uniform(-4.0, 4.0, low.shape) * (high - low)
    low[away], high[away] = (low + shift)[away], (high + shift)[away]
    if kind == "degenerate":
        thin = rng.uniform(size=low.shape) < rng.choice([0.5, 1.0])
        point = np.where(away, low, solution[:, None])
        low[thin], high[thin] = point[thin], point[thin]
    if kind == "unbounded":
        low[rng.uniform(size=low.shape) < 0.4] = -np.inf
        high[rng.uniform(size=low.shape) < 0.4] = np.inf
    return Boxes(low, high)


def assert_keeps(answer, boxes, solution):
    holds = ((boxes.lower <= solution[:, None]) & (solution[:, None] <= boxes.upper)).all(axis=0)
    assert not answer.empty[holds].any()
    assert (answer.lower[:, holds] <= solution[:, None]).all()
    assert (answer.upper[:, holds] >= solution[:, None]).all()


def assert_same(one, other):
    assert np.array_equal(one.empty, other.empty)
    assert np.array_equal(one.lower[:, ~one.empty], other.lower[:, ~one.empty])
    assert np.array_equal(one.upper[:, ~one.empty], other.upper[:, ~one.empty])


@EACH
@settings(max_examples=80)
@given(seed=seeds, kind=st.sampled_from(KINDS))
def test_a_solution_survives_and_nothing_is_added_or_written_to(name, seed, kind):
    case = CONTRACTORS[name]
    planted = planted_by(case, seed)
    solution = case.solution(planted)
    boxes = batch(solution, kind, seed)
    low, high = boxes.lower.copy(), boxes.upper.copy()
    answer = case.make(planted).contract(boxes)
    assert np.array_equal(boxes.lower, low)
    assert np.array_equal(boxes.upper, high)
    assert_keeps(answer, boxes, solution)
    kept = ~answer.empty
    assert (answer.lower[:, kept] >= low[:, kept]).all()
    assert (answer.upper[:, kept] <= high[:, kept]).all()
    assert (answer.lower[:, kept] <= answer.upper[:, kept]).all()
    assert not np.shares_memory(answer.lower, boxes.lower)
    assert not np.shares_memory(answer.upper, boxes.upper)


@EACH
@settings(max_examples=30)
@given(seed=seeds, kind=st.sampled_from(KINDS))
def test_a_box_is_narrowed_as_if_it_were_alone(name, seed, kind):
    """So the answer depends on nothing but the box: not on its neighbours, not on their order, not on what was asked
    before.
    """
    case = CONTRACTORS[name]
    planted = planted_by(case, seed)
    boxes = batch(case.solution(planted), kind, seed)
    contractor = case.make(planted)
    answer = contractor.contract(boxes)
    assert_same(contractor.contract(boxes), answer)
    assert_same(case.make(planted).contract(boxes), answer)
    if kind not in case.alone:
        return
    back = contractor.contract(boxes.take(slice(None, None, -1)))
    assert_same(type(back)(back.lower[:, ::-1], back.upper[:, ::-1], back.empty[::-1]), answer)
    for k in range(boxes.count):
        alone = contractor.contract(boxes.take([k]))
        assert alone.empty[0] == answer.empty[k]
        if not answer.empty[k]:
            assert np.array_equal(alone.lower[:, 0], answer.lower[:, k])
            assert np.array_equal(alone.upper[:, 0], answer.upper[:, k])


@pytest.mark.parametrize("name", [name for name, case in CONTRACTORS.items() if case.symmetric])
@settings(max_examples=30)
@given(seed=seeds, kind=st.sampled_from(KINDS), order=st.permutations(range(3)))
def test_a_permutation_of_the_variables_permutes_the_answer(name, seed, kind, order):
    case = CONTRACTORS[name]
    planted = planted_by(case, seed)
    boxes = batch(case.solution(planted), kind, seed)
    other = Boxes(np.empty_like(boxes.lower), np.empty_like(boxes.upper))
    other.lower[order], other.upper[order] = boxes.lower, boxes.upper
    answer = case.make(planted).contract(boxes)
    permuted_answer = case.make(permuted(planted, np.array(order))).contract(other)
    assert_same(type(answer)(permuted_answer.lower[order], permuted_answer.upper[order], permuted_answer.empty), answer)


@EACH
def test_every_contractor_narrows_and_empties_something(name):
    case = CONTRACTORS[name]
    narrowed = emptied = 0
    for seed in range(24):
        planted = planted_by(case, seed)
        boxes = batch(case.solution(planted), "bounded", seed)
        answer = case.make(planted).contract(boxes)
        emptied += int(answer.empty.sum())
        narrowed += int(((answer.lower > boxes.lower) | (answer.upper < boxes.upper))[:, ~answer.empty].sum())
    assert narrowed > 0
    assert emptied > 0


@EACH
def test_compositions_can_be_walked(name):
    """Every contractor has what drawings and schedules ask for, down to the leaves."""
    case = CONTRACTORS[name]
    planted = planted_by(case, 1)
    waiting = [case.make(planted)]
    assert set(waiting[0].reads) <= set(range(case.solution(planted).size))
    while waiting:
        contractor = waiting.pop()
        assert isinstance(contractor.name, str)
        assert contractor.cost >= 0
        assert list(contractor.reads) == sorted(set(contractor.reads))
        waiting += contractor.children


SETS = {
    "hull consistency": lambda p: hull(p.equations),
    "sequence": lambda p: Sequence(tuple(rows(p.equations))),
    "union": lambda p: Union((hull(moved(p.equations)), hull(p.equations))),
    "q-intersection": lambda p: QIntersection((*rows(p.equations), *rows(moved(p.equations))), 2),
    "fixed point": lambda p: FixedPoint(hull(p.equations)),
    "shaving": lambda p: Shaving(hull(p.equations), (0, 1)),
    "slicing": lambda p: Slicing(hull(p.equations), (0, 1)),
    "on a grid": lambda p: OnGrid(hull(p.equations)),
    "for all": for_all,
}


@pytest.mark.parametrize("name", SETS)
@settings(max_examples=40)
@given(
    seed=seeds, kind=st.sampled_from(("bounded", "degenerate")), system=st.sampled_from((random_system, partial_system))
)
def test_every_point_is_kept_by_a_contractor_or_by_its_complement(name, seed, kind, system):
    """Also where operations are undefined: such points are outside, whatever the values next to them. And twice negated
    is a set again.
    """
    planted = system(seed)
    wide = Planted(
        Equations(planted.equations.tape, planted.equations.lower - 0.5, planted.equations.upper + 0.5), planted.zero
    )
    boxes = batch(planted.zero, kind, seed)
    contractor = SETS[name](wide)
    other = complement(contractor)
    rng = np.random.default_rng(seed)
    points = boxes.lower + rng.uniform(size=(20, *boxes.lower.shape)) * (boxes.upper - boxes.lower)
    points = np.clip(points, boxes.lower, boxes.upper)
    answers = [c.contract(boxes) for c in (contractor, other)]
    kept = [(~a.empty) & (a.lower <= points).all(axis=1) & (points <= a.upper).all(axis=1) for a in answers]
    assert (kept[0] | kept[1]).all()
    assert_keeps(complement(other).contract(boxes), boxes, planted.zero)


def test_it_is_known_where_every_operation_is_undefined():
    """A new operation belongs to one of the tables of `outside`; LESS and FLAT occur in derivatives only."""
    several = {Operation.DIV, Operation.POWER, Operation.INTEGER_POWER, Operation.ATAN2, Operation.LESS, Operation.FLAT}
    assert set(Operation) == TOTAL | FUNCTIONS.keys() | several


def single(variables, make, low, high):
    builder = Builder(variables)
    return Equations(builder.tape((make(builder),)), np.array([low]), np.array([high]))


def test_what_leaves_a_domain_is_outside():
    """sqrt(x) <= 5: the points below 0 are outside, and no box around them may be called inside."""
    root = single(1, lambda b: b.sqrt(0), -np.inf, 5.0)
    boxes = Boxes(np.array([[-1.0, -1.0, 0.01, 20.0, -5.0]]), np.array([[100.0, 3.0, 20.0, 30.0, -1.0]]))
    answer = Outside(root).contract(boxes)
    assert answer.empty.tolist() == [False, False, True, False, False]
    assert answer.lower[0, [0, 1, 4]].tolist() == [-1.0, -1.0, -5.0]
    assert answer.upper[0, 1] == 0.0
    assert 24.99 < answer.lower[0, 3] <= 25.0


def test_products_that_vanish_lose_nothing():
    """ibex-lib #470: x1 x2 = 0 on [-1, 1]^2 has solutions everywhere on both axes."""
    equations = single(2, lambda b: b.mul(0, 1), 0.0, 0.0)
    square = Boxes(-np.ones((2, 1)), np.ones((2, 1)))
    for contractor in (
        hull(equations),
        MeanValue(equations, precondition=False),
        LinearHull(equations, Simplex()),
        Slicing(hull(equations), (0, 1)),
        Shaving(hull(equations), (0, 1)),
    ):
        answer = contractor.contract(square)
        assert not answer.empty.any()
        assert (answer.lower == -1).all()
        assert (answer.upper == 1).all()


@dataclass(frozen=True)
class Fixed:
    """A contractor that answers with one box, met with what it is given."""

    box: Box
    name: str = "fixed"
    cost: int = 0
    reads: tuple[int, ...] = (0, 1)
    children: tuple[Contractor, ...] = ()

    def contract(self, boxes):
        from certify.contractors.protocol.boxes import Narrowed

        low, high = np.maximum(boxes.lower, self.box.lower[:, None]), np.minimum(boxes.upper, self.box.upper[:, None])
        return Narrowed(low, high, (low > high).any(axis=0))


@settings(max_examples=200)
@given(data=st.data(), m=st.integers(1, 7))
def test_q_intersections_in_the_plane_are_exact(data, m):
    """Against the definition: the hull of the points of the grid of all ends that lie in q boxes."""
    ends = st.tuples(*[st.integers(0, 12)] * 4)
    boxes = [(min(a, b), max(a, b), min(c, d), max(c, d)) for a, b, c, d in (data.draw(ends) for _ in range(m))]
    q = data.draw(st.integers(1, m))
    children = tuple(Fixed(Box(np.array([a, c], dtype=float), np.array([b, d], dtype=float))) for a, b, c, d in boxes)
    answer = QIntersection(children, q).contract(Boxes(np.full((2, 1), -1.0), np.full((2, 1), 20.0)))
    deep = [
        (x, y) for x in range(13) for y in range(13) if sum(a <= x <= b and c <= y <= d for a, b, c, d in boxes) >= q
    ]
    assert answer.empty[0] == (not deep)
    if deep:
        assert answer.lower[:, 0].tolist() == [min(x for x, _ in deep), min(y for _, y in deep)]
        assert answer.upper[:, 0].tolist() == [max(x for x, _ in deep), max(y for _, y in deep)]


@settings(max_examples=100)
@given(data=st.data(), m=st.integers(1, 8))
def test_q_intersections_of_intervals_are_exact(data, m):
    intervals = [sorted(data.draw(st.tuples(st.integers(0, 20), st.integers(0, 20)))) for _ in range(m)]
    q = data.draw(st.integers(1, m))
    children = tuple(Fixed(Box(np.array([float(a)]), np.array([float(b)])), reads=(0,)) for a, b in intervals)
    answer = QIntersection(children, q).contract(Boxes(np.full((1, 1), -1.0), np.full((1, 1), 30.0)))
    deep = [x for x in range(21) if sum(a <= x <= b for a, b in intervals) >= q]
    assert answer.empty[0] == (not deep)
    if deep:
        assert (answer.lower[0, 0], answer.upper[0, 0]) == (deep[0], deep[-1])


def test_quantifiers_mean_what_they_say():
    """(x - p)^2 <= 1 for p in [-1/2, 3]: for some p x lies in [-3/2, 4], for all p in the empty set; with [0, 1], for
    all p in [0, 1].
    """

    def distance(b):
        return b.sqr(b.sub(0, 1))

    child = hull(single(2, distance, -np.inf, 1.0))
    wide = Boxes(np.array([[-100.0]]), np.array([[100.0]]))
    some = ForSome(child, (1,), Box(np.array([-0.5]), np.array([3.0])), 0.01).contract(wide)
    assert -1.5 - 1e-9 < some.lower[0, 0] <= -1.5
    assert 4.0 <= some.upper[0, 0] < 4.0 + 1e-9
    assert ForAll(child, (1,), Box(np.array([-0.5]), np.array([3.0])), 0.1).contract(wide).empty.all()
    every = ForAll(child, (1,), Box(np.array([0.0]), np.array([1.0])), 0.1).contract(wide)
    assert -1e-9 < every.lower[0, 0] <= 0.0
    assert 1.0 <= every.upper[0, 0] < 1.0 + 1e-9


def test_shaving_reaches_what_its_child_cannot_see():
    """x^2 - x = 6 on [-5, 5], where x occurs twice: slices are refuted, the whole box is not."""
    child = hull(single(1, lambda b: b.sub(b.sqr(0), 0), 6.0, 6.0))
    box = Boxes(np.array([[-5.0]]), np.array([[5.0]]))
    plain, shaved = child.contract(box), FixedPoint(Shaving(child, (0,)), until_gain_below=1e-6).contract(box)
    assert shaved.upper[0, 0] - shaved.lower[0, 0] < plain.upper[0, 0] - plain.lower[0, 0]
    assert -2.01 < shaved.lower[0, 0] <= -2.0
    assert 3.0 <= shaved.upper[0, 0] < 3.01


@pytest.mark.parametrize("wrong", [0, 3])
def test_a_q_intersection_wants_a_number_of_its_children(wrong):
    child = hull(single(1, lambda b: b.sqr(0), 0.0, 1.0))
    with pytest.raises(ValueError, match="from 1 to 2"):
        QIntersection((child, child), wrong)


def test_the_complement_of_an_unknown_contractor_is_refused():
    with pytest.raises(TypeError, match=r"complement\.register"):
        complement(Fixed(Box(np.zeros(1), np.ones(1))))


def test_parameters_are_checked():
    child = hull(single(2, lambda b: b.mul(0, 1), 0.0, Fraction(1)))
    with pytest.raises(ValueError, match="one place and one interval"):
        ForSome(child, (0, 1), Box(np.zeros(1), np.ones(1)), 0.1)
    with pytest.raises(ValueError, match="finite"):
        ForAll(child, (1,), Box(np.zeros(1), np.full(1, np.inf)), 0.1)
    with pytest.raises(ValueError, match="positive"):
        ForSome(child, (1,), Box(np.zeros(1), np.ones(1)), 0.0)
