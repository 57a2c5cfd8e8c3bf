"""What is sparse says the same as what is dense, and never more than what is true."""

from fractions import Fraction

import numpy as np
import pytest
from planted import banded_system, boxes_around, random_system

from certify.contractors.linear.banded import BandedSystems
from certify.contractors.operators.krawczyk_existence import krawczyk_test
from certify.contractors.protocol.boxes import Boxes
from certify.contractors.rows.equations import Equations
from certify.contractors.sparse.band import band_of, order
from certify.contractors.sparse.parts import CORE, parts
from certify.contractors.tape.dependence import dependences
from certify.contractors.tape.tape import Builder


def needed_by(tape, node):
    """The same by recursion: operations and inputs."""
    if node < tape.inputs:
        return set(), {node}
    step = tape.steps[node - tape.inputs]
    operations, inputs = {node - tape.inputs}, set()
    for operand in (step.first, step.second):
        if operand >= 0:
            more, read = needed_by(tape, operand)
            operations, inputs = operations | more, inputs | read
    return operations, inputs


@pytest.mark.parametrize("seed", range(10))
def test_what_a_node_needs(seed):
    tape = random_system(seed).equations.tape
    operations, inputs = dependences(tape, list(tape.output_nodes[:, None]))
    for k, output in enumerate(tape.outputs):
        expected = needed_by(tape, output)
        assert operations.part(k).tolist() == sorted(expected[0])
        assert inputs.part(k).tolist() == sorted(expected[1])
    turned = inputs.turned(tape.inputs)
    for v in range(tape.inputs):
        assert turned.part(v).tolist() == [k for k in range(len(tape.outputs)) if v in inputs.part(k)]


@pytest.mark.parametrize("planted", [*map(random_system, range(10)), banded_system(0)])
def test_progressive_slopes_are_those_of_column_after_column(planted):
    equations, rng = planted.equations, np.random.default_rng(0)
    boxes = boxes_around(planted.zero, rng, 5, 2.0)
    tape, places = equations.derivatives
    centre = 0.5 * (boxes.lower + boxes.upper)
    low, high = centre.copy(), centre.copy()
    found = equations.progressive_entries(boxes.lower, boxes.upper, centre)
    defined, none, everything = np.ones(5, dtype=np.bool_), np.zeros(len(places)), np.arange(equations.variables)
    for v in range(equations.variables):
        mine = places[:, 1] == v
        low[v], high[v] = boxes.lower[v], boxes.upper[v]
        column = Equations(tape, none, none).part(np.flatnonzero(mine), everything)[0].values(low, high)
        assert np.array_equal(found.lower[mine], column.lower, equal_nan=True)
        assert np.array_equal(found.upper[mine], column.upper, equal_nan=True)
        defined &= column.defined
    assert (found.defined == defined).all()


def random_band(rng, n, under, over):
    """A band of rational intervals around a regular matrix, one matrix of it, and y and b with A y = b, all exact."""
    width = under + over + 1
    middle = rng.integers(-8, 9, (n, width)).astype(float)
    for i in range(n):
        middle[i, under] += (1 if rng.random() < 0.5 else -1) * rng.integers(0, 30)
        for c in range(width):
            if not 0 <= i - under + c < n:
                middle[i, c] = 0.0
    radius = np.where(middle != 0.0, rng.integers(0, 3, (n, width)) / 64, 0.0)
    share = rng.integers(-4, 5, (n, width)) / 4
    chosen = middle + share * radius
    y = rng.integers(-64, 65, n) / 32
    b = np.array(
        [sum(chosen[i, c] * y[i - under + c] for c in range(width) if 0 <= i - under + c < n) for i in range(n)]
    )
    return middle - radius, middle + radius, y, b


@pytest.mark.parametrize("seed", range(40))
def test_the_image_under_a_banded_inverse_holds_every_solution(seed):
    """All numbers are small multiples of powers of 2: the planted solution is exact, whatever matrix the inverse
    was made from.
    """
    rng = np.random.default_rng(seed)
    n, under, over = int(rng.integers(2, 30)), int(rng.integers(0, 4)), int(rng.integers(0, 4))
    low, high, y, b = random_band(rng, n, under, over)
    exact = [Fraction(float(v)) for v in b]
    for i in range(n):
        assert exact[i] == b[i]
    systems = BandedSystems(low[None], high[None], under, b[None].copy(), b[None].copy())
    around = rng.integers(1, 9, (2, n)) / 8 * 2.0 ** -int(rng.integers(0, 8))
    for near in (0.5 * (low + high), low, high, low + 0.01 * rng.standard_normal(low.shape) * (low != 0.0)):
        for applications in (1, 3):
            new_low, new_high, usable = systems.images(
                near[None].copy(),
                (y - around[0])[None],
                (y + around[1])[None],
                np.ones(1, dtype=np.bool_),
                applications,
            )
            if usable[0]:
                assert (new_low[0] <= y).all()
                assert (y <= new_high[0]).all()


def test_the_image_is_as_narrow_as_the_matrix():
    """A point matrix gives the solution up to rounding, whatever rows were exchanged."""
    rng = np.random.default_rng(3)
    exchanged = 0
    for _ in range(20):
        low, high, y, _ = random_band(rng, 25, 2, 2)
        middle = 0.5 * (low + high)
        middle[::3, 2] *= 2.0**-20  # no pivots
        b = np.array([sum(middle[i, c] * y[i - 2 + c] for c in range(5) if 0 <= i - 2 + c < 25) for i in range(25)])
        slack = 1e-12 * np.abs(middle).sum(axis=1)
        systems = BandedSystems(middle[None], middle[None], 2, (b - slack)[None], (b + slack)[None])
        new_low, new_high, usable = systems.images(middle[None].copy(), (y - 1)[None], (y + 1)[None], np.ones(1, bool))
        assert usable[0]
        assert (new_low[0] <= y).all()
        assert (y <= new_high[0]).all()
        exchanged += bool((new_high - new_low).max() < 1e-4)
    assert exchanged > 10


@pytest.mark.parametrize("seed", range(6))
def test_existence_is_proved_by_the_band_as_by_the_full_matrix(seed, monkeypatch):
    planted = banded_system(seed)
    zero, rng = planted.zero[:, None], np.random.default_rng(seed)
    assert band_of(planted.equations).width <= 8
    shares = rng.uniform(0.1, 1.0, (2, zero.size, 12))
    width = 10.0 ** np.linspace(-12, 1, 12)
    boxes = Boxes(zero - shares[0] * width, zero + shares[1] * width)
    banded = krawczyk_test(planted.equations, boxes)
    monkeypatch.setattr("certify.contractors.operators.krawczyk_existence.band_of", lambda equations: None)
    full = krawczyk_test(planted.equations, boxes)
    for tested in (banded, full):
        assert not tested.empty.any()
        assert (tested.lower <= zero).all()
        assert (zero <= tested.upper).all()
    assert banded.unique[:4].all()
    assert full.unique[:4].all()
    away = Boxes(boxes.lower + 8.0 * width, boxes.upper + 8.0 * width)
    assert not krawczyk_test(planted.equations, away).unique[:6].any()


def squares(size):
    """x_i^2 + x_(i+1) x_i / 4 = 5 / 4, the last one x_n^2 = 1: the zeros 1, and others with signs of their own."""
    builder = Builder(size)
    nodes = []
    for i in range(size - 1):
        coupled = builder.mul(builder.constant(Fraction(1, 4)), builder.mul(i, i + 1))
        nodes.append(builder.sub(builder.add(builder.sqr(i), coupled), builder.constant(Fraction(5, 4))))
    nodes.append(builder.sub(builder.sqr(size - 1), builder.constant(1)))
    return Equations(builder.tape(tuple(nodes)), np.zeros(size), np.zeros(size))


def test_a_box_with_several_zeros_or_none_is_not_said_to_hold_one():
    """x and -x are zeros; so is every box around 1 alone, and none around 0."""
    equations = squares(80)
    assert band_of(equations) is not None
    radii = np.array([1.25, 1.0, 0.05, 0.05])
    centres = np.array([0.0, 0.5, 1.0, 0.0])
    low, high = (np.repeat((centres + sign * radii)[None], 80, axis=0) for sign in (-1.0, 1.0))
    tested = krawczyk_test(equations, Boxes(low, high))
    assert tested.unique.tolist() == [False, False, True, False]
    assert not tested.empty[:3].any()


def test_the_parts_of_a_large_system_cover_it():
    planted = banded_system(1, 150)
    read, readers, _, _ = planted.equations.agenda
    found = parts(planted.equations)
    assert sorted(v for part in found for v in part.core) == list(range(150))
    assert sorted(order(planted.equations)) == list(range(150))
    for part in found:
        assert part.variables[: len(part.core)].tolist() == list(part.core)
        assert len(part.core) <= CORE
        constraints = sorted({o for v in part.core for o in readers.part(v).tolist()})
        assert set(part.variables.tolist()) == {v for o in constraints for v in read.part(o).tolist()}
        boxes = boxes_around(planted.zero, np.random.default_rng(0), 3, 1.0)
        whole = planted.equations.values(boxes.lower, boxes.upper)
        mine = part.equations.values(boxes.lower[part.variables], boxes.upper[part.variables])
        assert np.array_equal(mine.lower, whole.lower[constraints])
        assert np.array_equal(mine.upper, whole.upper[constraints])


def test_small_and_dense_systems_have_neither_band_nor_parts():
    builder = Builder(70)
    total = builder.constant(0)
    for v in range(70):
        total = builder.add(total, v)
    nodes = tuple(builder.sub(total, builder.sqr(v)) for v in range(70))
    dense = Equations(builder.tape(nodes), np.zeros(70), np.zeros(70))
    for equations in (dense, random_system(0).equations, banded_system(0, 40).equations):
        assert parts(equations) == ()
        assert band_of(equations) is None
