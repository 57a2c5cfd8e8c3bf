"""Known systems: every solution is proved once, none is missed, none is invented."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from benchmarks.graph import round_robin
from certify.contractors.operators.hull_consistency import HullConsistency
from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.contractors.tape.tape import Builder, Operation
from certify.solvers.graph.build import smear, system_graph
from certify.solvers.graph.schedule import Graph, Node
from certify.solvers.limits import Stopped
from certify.solvers.search.branch_and_prune import Branching, SearchOptions, branch_and_prune
from certify.solvers.workers.processes import Processes


def system(variables, make, kinds=None):
    builder = Builder(variables)
    nodes = make(builder)
    kinds = kinds or ["="] * len(nodes)
    upper = np.zeros(len(nodes))
    lower = np.array([0.0 if kind == "=" else -np.inf for kind in kinds])
    return Equations(builder.tape(tuple(nodes)), lower, upper)


def circle_and_line(b):
    return [b.sub(b.add(b.sqr(0), b.sqr(1)), b.constant(1)), b.sub(0, 1)]


def hull_only(equations):
    return Graph((Node(HullConsistency(equations), 0.1),), partial(smear, equations))


@pytest.mark.parametrize("graph", [system_graph, hull_only])
@pytest.mark.parametrize("batch", [1, 7, 256])
def test_a_circle_meets_a_line_twice(batch, graph):
    paving = branch_and_prune(
        system(2, circle_and_line), Box(-np.full(2, 3.0), np.full(2, 4.0)), SearchOptions(batch=batch, graph=graph)
    )
    assert paving.stopped is Stopped.FINISHED
    assert [s.enclosure.centre.round(9).tolist() for s in paving.solutions] == [[-0.707106781] * 2, [0.707106781] * 2]
    assert not paving.undecided
    for solution in paving.solutions:
        assert (solution.enclosure.radius < 1e-12).all()


def test_zeros_on_the_faces_of_the_bisection_are_found():
    """x^3 = x on [-2, 2.444...]: one zero lies on the first cut."""

    def make(b):
        return [b.sub(b.mul(0, b.sqr(0)), 0)]

    domain = Box(np.array([-2.0]), np.array([-2.0 + 2.0 / 0.45]))
    paving = branch_and_prune(system(1, make), domain, SearchOptions(graph=hull_only))
    assert [round(float(s.enclosure.centre[0]), 9) + 0.0 for s in paving.solutions] == [-1.0, 0.0, 1.0]
    assert not paving.undecided


def test_a_double_zero_is_undecided_and_not_lost():
    def make(b):
        return [b.sqr(b.sub(0, b.constant(Fraction(1, 3))))]

    paving = branch_and_prune(system(1, make), Box(np.array([-1.0]), np.array([1.0])), SearchOptions(width=1e-4))
    assert not paving.solutions
    assert any(box.lower[0] <= 1 / 3 <= box.upper[0] for box in paving.undecided)


def test_a_system_without_solution_is_emptied():
    def make(b):
        return [b.add(b.add(b.sqr(0), b.sqr(1)), b.constant(1)), b.sub(0, 1)]

    paving = branch_and_prune(system(2, make), Box(-np.full(2, 1e8), np.full(2, 1e8)))
    assert paving.solutions == paving.undecided == paving.unexplored == ()


def test_inequalities_are_proved_at_the_zeros():
    def make(b):
        return [*circle_and_line(b), 0]

    paving = branch_and_prune(system(2, make, ["=", "=", "<"]), Box(-np.full(2, 3.0), np.full(2, 4.0)))
    assert [s.enclosure.centre.round(6).tolist() for s in paving.solutions] == [[-0.707107] * 2]


def test_an_inequality_alone_is_paved_inside_and_out():
    """The unit disc: inner boxes satisfy it everywhere, the rest of the plane is gone but for a thin rim."""

    def make(b):
        return [b.sub(b.add(b.sqr(0), b.sqr(1)), b.constant(1))]

    paving = branch_and_prune(
        system(2, make, ["<"]), Box(-np.full(2, 2.0), np.full(2, 2.0)), SearchOptions(width=0.02, graph=hull_only)
    )
    inner = sum(float(np.prod(2 * box.radius)) for box in paving.inner)
    rim = sum(float(np.prod(2 * box.radius)) for box in paving.undecided)
    assert inner <= np.pi <= inner + rim
    assert rim < 0.3
    for box in paving.inner:
        assert (
            np.maximum(np.abs(box.lower), np.abs(box.upper)) @ np.maximum(np.abs(box.lower), np.abs(box.upper))
            <= 1 + 1e-12
        )


def test_limits_leave_the_unexplored_boxes():
    paving = branch_and_prune(
        system(2, circle_and_line), Box(-np.full(2, 3.0), np.full(2, 4.0)), SearchOptions(time_limit=0.0)
    )
    assert paving.stopped is Stopped.TIME
    assert len(paving.unexplored) == 1
    paving = branch_and_prune(
        system(2, circle_and_line),
        Box(-np.full(2, 3.0), np.full(2, 4.0)),
        SearchOptions(cell_limit=1, batch=1, graph=hull_only),
    )
    assert paving.stopped is Stopped.SPLITS


def test_unbounded_domains_are_what_they_say():
    """A start box of +-1e16 is not the line: x = 1e20 and y = x are found from no bounds at all."""

    def make(b):
        return [b.sub(b.mul(0, b.constant(Fraction(1, 10**20))), b.constant(1)), b.sub(b.sqr(1), b.sqr(0))]

    everywhere = Box(np.full(2, -np.inf), np.full(2, np.inf))
    paving = branch_and_prune(system(2, make), everywhere)
    assert [s.enclosure.centre.tolist() for s in paving.solutions] == [[1e20, -1e20], [1e20, 1e20]]
    assert not paving.undecided


def test_where_a_constraint_is_undefined_nothing_is_inner():
    """sqrt(x) <= 5 on [-1, 1]: only x >= 0 satisfies it, although every value that the root takes does."""

    def make(b):
        return [b.sub(b.sqrt(0), b.constant(5))]

    paving = branch_and_prune(
        system(1, make, ["<"]), Box(np.array([-1.0]), np.array([1.0])), SearchOptions(width=1e-3, graph=hull_only)
    )
    assert paving.inner
    assert min(float(box.lower[0]) for box in paving.inner) >= 0.0


def test_a_zero_that_violates_an_inequality_is_no_solution():
    """x^2 = 2 with x <= 1: the zero of the equation near 1.41 is proved, and proved not to count."""

    def make(b):
        return [b.sub(b.sqr(0), b.constant(2)), b.sub(0, b.constant(1))]

    paving = branch_and_prune(system(1, make, ["=", "<"]), Box(np.array([-3.0]), np.array([3.0])))
    assert [round(float(s.enclosure.centre[0]), 6) for s in paving.solutions] == [-1.414214]
    assert not paving.undecided


def test_zeros_where_logarithms_are_not_defined_are_not_invented():
    """log(x) = log(-1 - x) has no real solution: nowhere are both defined."""

    def make(b):
        log = Operation.LOG
        return [b.sub(b.function(log, 0), b.function(log, b.sub(b.constant(-1), 0)))]

    paving = branch_and_prune(system(1, make), Box(np.array([-10.0]), np.array([10.0])), SearchOptions(width=1e-6))
    assert not paving.solutions


@pytest.mark.parametrize("seed", range(12))
def test_systems_with_known_zeros(seed):
    """p(x) = 0, q(y) = 0 with rational zeros, mixed by an invertible matrix: the zeros are a grid, known exactly."""
    rng = np.random.default_rng(seed)
    roots = [sorted({Fraction(int(v), 8) for v in rng.integers(-30, 31, int(rng.integers(1, 4)))}) for _ in range(2)]
    mixing = [(1, int(rng.integers(1, 4))), (int(rng.integers(-3, 0)), 1)]

    def make(b):
        products = []
        for variable, values in enumerate(roots):
            product = b.constant(1)
            for value in values:
                product = b.mul(product, b.sub(variable, b.constant(value)))
            products.append(product)
        return [b.add(b.mul(b.constant(p), products[0]), b.mul(b.constant(q), products[1])) for p, q in mixing]

    paving = branch_and_prune(
        system(2, make),
        Box(-np.full(2, 10.0), np.full(2, 11.0)),
        SearchOptions(graph=[hull_only, system_graph][seed % 2]),
    )
    assert not paving.undecided
    expected = {(x, y) for x in roots[0] for y in roots[1]}
    assert len(paving.solutions) == len(expected)
    for x, y in expected:
        holding = [
            s
            for s in paving.solutions
            if all(s.enclosure.lower[k] <= v <= s.enclosure.upper[k] for k, v in enumerate((float(x), float(y))))
        ]
        assert len(holding) == 1


def test_a_zero_between_the_exact_domain_and_its_enclosure_is_not_claimed():
    """x = 1/3 + 2^-56 lies outside [0, 1/3], but below the next double: neither proved to be inside nor dropped."""

    def make(b):
        return [b.sub(0, b.constant(Fraction(1, 3) + Fraction(1, 2**56)))]

    above, below = np.nextafter(1 / 3, 1.0), 1 / 3
    paving = branch_and_prune(
        system(1, make), Box(np.zeros(1), np.array([above])), surely_inside=Box(np.zeros(1), np.array([below]))
    )
    assert not paving.solutions
    assert len(paving.undecided) == 1


def caprasse_like(b):
    """Three equations of degree 3 with several zeros."""
    x, y, z = 0, 1, 2
    one = b.constant(1)
    return [
        b.sub(b.add(b.mul(b.sqr(x), y), z), one),
        b.sub(b.add(b.sqr(y), b.mul(x, z)), b.constant(2)),
        b.sub(b.mul(z, b.add(x, y)), b.constant(Fraction(1, 2))),
    ]


CUBE = Box(-np.full(3, 5.0), np.full(3, 6.0))


def points(paving):
    return [s.enclosure.centre.round(8).tolist() for s in paving.solutions]


def caprasse(b):
    """The cyclic system of Caprasse, as IBEX's benchmark has it: 18 real zeros."""
    x, y, z, t = 0, 1, 2, 3

    def total(*terms):
        result = b.constant(0)
        for factor, *powers in terms:
            node = b.constant(factor)
            for variable in powers:
                node = b.mul(node, variable)
            result = b.add(result, node)
        return result

    return [
        total((-2, x), (2, t, x, y), (-1, z), (1, y, y, z)),
        total(
            (2,),
            (4, x, x),
            (-10, t, y),
            (4, t, x, x, y),
            (-10, y, y),
            (2, t, y, y, y),
            (4, x, z),
            (-1, x, x, x, z),
            (4, x, y, y, z),
        ),
        total((-1, x), (1, t, t, x), (-2, z), (2, t, y, z)),
        total(
            (2,),
            (-10, t, t),
            (-10, t, y),
            (2, t, t, t, y),
            (4, x, z),
            (4, t, t, x, z),
            (4, z, z),
            (4, t, y, z, z),
            (-1, x, z, z, z),
        ),
    ]


def test_workers_change_nothing():
    """The same boxes, to the last bit, by one process and by two."""
    domain = Box(-np.full(4, 10.0), np.full(4, 10.0))
    one = branch_and_prune(system(4, caprasse), domain)
    with Processes(2, forked=True) as others:
        two = branch_and_prune(system(4, caprasse), domain, SearchOptions(crew=others))
        assert others.pids
    assert one.cells == two.cells > 300
    assert len(one.solutions) == 18
    assert not one.undecided
    for a, b in zip(one.solutions, two.solutions, strict=True):
        assert np.array_equal(a.enclosure.lower, b.enclosure.lower)
        assert np.array_equal(a.enclosure.upper, b.enclosure.upper)


@pytest.mark.parametrize("branching", list(Branching))
def test_every_branching_finds_the_same_zeros(branching):
    found = branch_and_prune(system(3, caprasse_like), CUBE, SearchOptions(branching=branching))
    assert not found.undecided
    assert points(found) == points(branch_and_prune(system(3, caprasse_like), CUBE, SearchOptions(graph=hull_only)))
    assert len(found.solutions) >= 2


def test_round_robin_finds_the_same_zeros():
    found = branch_and_prune(system(3, caprasse_like), CUBE, SearchOptions(graph=round_robin))
    assert points(found) == points(branch_and_prune(system(3, caprasse_like), CUBE))


def test_variables_without_any_bound_are_halved():
    """x y = 1, x - y = cos x on the whole plane."""

    def make(b):
        return [b.sub(b.mul(0, 1), b.constant(1)), b.sub(b.sub(0, 1), b.cos(0))]

    paving = branch_and_prune(system(2, make), Box(np.full(2, -np.inf), np.full(2, np.inf)))
    assert len(paving.solutions) == 2
    assert not paving.undecided


def test_near_singular_zeros_are_proved():
    """x^2 = 1e-10 has two zeros 2e-5 apart; y follows with a large slope."""

    def make(b):
        return [b.sub(b.sqr(0), b.constant(Fraction(1, 10**10))), b.sub(b.mul(b.constant(10**6), 0), 1)]

    paving = branch_and_prune(system(2, make), Box(np.full(2, -100.0), np.full(2, 101.0)))
    assert len(paving.solutions) == 2
    assert not paving.undecided


def test_the_graph_can_be_drawn():
    graph = system_graph(system(3, caprasse_like)).draw()
    assert {"hull consistency", "slicing", "interval Newton", "linear hull", "x0", "x1", "x2"} <= set(graph.nodes)
    assert graph.has_edge("slicing", "hull consistency")
    assert graph.has_edge("linear hull", "x2")


def test_giant_domains_lose_nothing():
    """x + y = 3, x - y = 1 on [-1e308, 1e308]: the width of the domain is no double."""

    def make(b):
        return [b.sub(b.add(0, 1), b.constant(3)), b.sub(b.sub(0, 1), b.constant(1))]

    paving = branch_and_prune(system(2, make), Box(np.full(2, -1e308), np.full(2, 1e308)), SearchOptions(time_limit=20))
    assert (
        any(s.enclosure.lower[0] <= 2 <= s.enclosure.upper[0] for s in paving.solutions)
        or paving.undecided
        or paving.unexplored
    )


def test_a_zero_is_not_counted_twice():
    """(x (x - z) (x - 1) + M) - M: rounding widens every enclosure, and the first cut comes close to the
    middle zero.
    """
    for digits in (3, 17, 41, 52, 77):
        for noise in (10**9, 7 * 10**8, 3 * 10**10):

            def make(b, digits=digits, noise=noise):
                large, z = b.constant(noise), b.constant(Fraction(45000000 + digits, 10**8))
                return [b.sub(b.add(b.mul(b.mul(0, b.sub(0, z)), b.sub(0, b.constant(1))), large), large)]

            paving = branch_and_prune(system(1, make), Box(np.array([-0.5]), np.array([1.6])))
            assert len(paving.solutions) <= 3
            assert paving.undecided or len(paving.solutions) == 3


def test_zero_times_what_is_undefined_is_undefined():
    """x + 1 + 0 log x = 0 has no solution: at -1 the logarithm is not defined."""

    def make(b):
        return [b.add(b.add(0, b.constant(1)), b.mul(b.constant(0), b.function(Operation.LOG, 0)))]

    paving = branch_and_prune(system(1, make), Box(np.array([-3.0]), np.array([2.0])))
    assert not paving.solutions
