"""Criteria against determinants in rationals, slopes against differences in 400 bits, motions and choices against known
optima.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from flint import arb, arb_mat, ctx

from certify.designs.question import design as own_design
from certify.problems.errors import InputError
from certify.problems.motions.candidates import candidates
from certify.problems.motions.excited import Excited, Limited
from certify.problems.motions.h4_motion import h4_excited
from certify.problems.motions.noise import noise_of
from certify.solvers.design.choosing import choose
from certify.solvers.design.criteria import POWER, Criterion, information
from certify.solvers.design.descent import Effort
from certify.solvers.design.designed import Plan, design
from certify.solvers.design.keeping import kept_along, rooms
from certify.solvers.design.slopes import Instants, Weighing
from certify.solvers.limits import INTERRUPTIONS, Limit, Stopped


def robot(rows, names, limits=(), outputs=1, coordinates=1):
    """A model of one's own, whose limits are the coordinates' and what `limits` maps to quantities."""
    ranges = [Limited(f"x{k + 1}", "m", -1.0, 1.0) for k in range(coordinates)]
    more = [one for one, _ in limits]

    def both(x, v, a):
        return rows(x, v, a), np.concatenate([x, *(value(x, v, a) for _, value in limits)], axis=1)

    return Excited(
        "toy", (), tuple(one.name for one in ranges), ("m",) * coordinates, names, ("",) * len(names),
        np.ones(len(names)), tuple(f"y{k}" for k in range(outputs)), ("N",) * outputs, (*ranges, *more), both,
        np.zeros(coordinates),
    )  # fmt: skip


def mass_and_friction(x, v, a):
    return np.stack([a[:, 0], v[:, 0], np.sin(x[:, 0]), np.tanh(3.0 * v[:, 0])], axis=1)[:, None]


TOY = robot(mass_and_friction, ("M", "Fv", "k", "Fc"))


def plan(criterion=Criterion.D, harmonics=2, period=2.0, covariance=None, **more):
    values = {"scale": "column", "seed": 1, "starts": 1} | more
    ends = (period, period) if isinstance(period, float) else period
    return Plan(criterion, harmonics, ends, covariance=np.eye(1) if covariance is None else covariance, **values)


def designed(model, asked, evaluations=150, seconds=100.0):
    return design(model, asked, Effort(evaluations, Limit.of(seconds)), lambda *_: None)


def determinant(rows):
    """By Gauss in rationals."""
    rows, found = [[Fraction(v) for v in row] for row in rows], Fraction(1)
    for k in range(len(rows)):
        pivot = next((i for i in range(k, len(rows)) if rows[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            rows[k], rows[pivot], found = rows[pivot], rows[k], -found
        found *= rows[k][k]
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return found


@pytest.mark.parametrize("seed", range(4))
def test_criteria_are_those_of_the_exact_information(seed):
    whole = np.random.default_rng(seed).integers(-6, 7, (7, 2, 3))
    flat = whole.reshape(-1, 3).tolist()
    exact = [[Fraction(sum(row[i] * row[j] for row in flat), 7) for j in range(3)] for i in range(3)]
    found = information(whole.astype(float))
    det = determinant(exact)
    assert found.value(Criterion.D) == pytest.approx(-np.log(float(det)), rel=1e-12, abs=1e-12)
    minors = sum(determinant([[exact[i][j] for j in range(3) if j != k] for i in range(3) if i != k]) for k in range(3))
    assert np.exp(found.value(Criterion.A)) == pytest.approx(float(minors / det), rel=1e-11)
    small, large = np.exp(-found.value(Criterion.E)), np.exp(2.0 * found.value(Criterion.CONDITION))
    middle = float(det) / small**2 / large
    assert small + middle + small * large == pytest.approx(float(sum(exact[k][k] for k in range(3))), rel=1e-11)
    assert small <= middle <= small * large
    deviations = [
        float(determinant([[exact[i][j] for j in range(3) if j != k] for i in range(3) if i != k]) / det)
        for k in range(3)
    ]
    assert found.deviations(4.0) == pytest.approx(np.sqrt(deviations) / 2.0, rel=1e-11)


def test_what_is_not_seen_is_infinite():
    assert information(np.ones((5, 1, 2))).value(Criterion.D) == np.inf


def test_the_determinant_does_not_know_units_and_the_others_do():
    w = np.random.default_rng(5).standard_normal((20, 2, 3))
    scales = np.array([1000.0, 1.0, 1e-3])
    apart = [information(v).value(Criterion.D) - information(v * scales).value(Criterion.D) for v in (w, 2.0 * w)]
    assert apart == pytest.approx([2.0 * np.log(scales).sum()] * 2, abs=1e-9)
    conditions = [information(v).value(Criterion.CONDITION) for v in (w, w * scales)]
    assert conditions[1] > conditions[0] + 5.0


@pytest.mark.parametrize("seed", [1, 2])
def test_two_units_find_the_same_motion(seed):
    """Grams for kilograms change no step of a D-optimal descent, whatever the scales."""
    grams = robot(lambda x, v, a: mass_and_friction(x, v, a) * np.array([1e-3, 1, 1, 1]), TOY.parameters)
    one, other = (designed(model, plan(seed=seed)) for model in (TOY, grams))
    assert np.abs(one.motion.coefficients - other.motion.coefficients).max() < 1e-6
    assert one.gain == pytest.approx(other.gain, rel=1e-6)


@pytest.fixture
def digits():
    before = ctx.prec
    ctx.prec = 400
    yield
    ctx.prec = before


def exact_volume(coefficients, period, samples):
    """-ln det F of the toy in 400 bits; `coefficients` and `period` are balls."""
    waves, w = (len(coefficients) - 1) // 2, 2 * arb.pi() / period
    total = arb_mat(4, 4)
    for n in range(samples):
        phase = 2 * arb.pi() * n / samples
        x, v, a = coefficients[0], arb(0), arb(0)
        for k in range(1, waves + 1):
            sine, cosine = (k * phase).sin(), (k * phase).cos()
            s, c = coefficients[k], coefficients[waves + k]
            x, v, a = (
                x + s * sine - c * cosine,
                v + k * w * (s * cosine + c * sine),
                a - (k * w) ** 2 * (s * sine - c * cosine),
            )
        row = arb_mat([[a, v, x.sin(), (3 * v).tanh()]])
        total += row.transpose() * row
    return -(total * (arb(1) / samples)).det().log()


def test_slopes_are_those_of_differences_in_400_bits(digits):
    random = np.random.default_rng(4)
    coefficients, period = 0.3 * random.standard_normal((1, 5)), 1.3
    instants = Instants(TOY, Weighing(np.eye(1), np.ones(4)), 2, 24)
    found = instants.slopes(coefficients, period, Criterion.D)
    step = arb(2) ** -100
    numbers = [arb(float(value)) for value in coefficients[0]]
    for k in range(5):
        ahead, behind = ([v + side * step if j == k else v for j, v in enumerate(numbers)] for side in (1, -1))
        exact = float((exact_volume(ahead, arb(period), 24) - exact_volume(behind, arb(period), 24)) / (2 * step))
        assert found.criterion[k] == pytest.approx(exact, rel=1e-7, abs=1e-7)
    ahead, behind = (exact_volume(numbers, arb(period) * (side * step).exp(), 24) for side in (1, -1))
    assert found.criterion[-1] == pytest.approx(float((ahead - behind) / (2 * step)), rel=1e-7, abs=1e-7)
    assert found.value == pytest.approx(float(exact_volume(numbers, arb(period), 24)), rel=1e-10)


@pytest.mark.parametrize("criterion", Criterion)
def test_slopes_of_all_criteria_and_limits_are_differences(criterion):
    model = h4_excited().limited(None)
    coefficients = np.concatenate(
        [model.middle[:, None], 0.01 * np.random.default_rng(1).standard_normal((4, 4))], axis=1
    )
    instants = Instants(model, Weighing(np.eye(4), np.ones(14)), 2, 40)
    found = instants.slopes(coefficients, 1.5, criterion)
    direction = np.random.default_rng(2).standard_normal(coefficients.shape) * 0.01
    step = 1e-5
    ahead, behind = (instants.seen(coefficients + side * step * direction, 1.5) for side in (1, -1))
    slope = (ahead.information.smooth(criterion)[0] - behind.information.smooth(criterion)[0]) / (2 * step)
    assert found.criterion[:-1] @ direction.ravel() == pytest.approx(slope, rel=1e-5)
    changes = (ahead.quantities - behind.quantities) / (2 * step)
    mine = found.quantities[..., :-1] @ direction.ravel()
    assert np.abs(mine - changes).max() <= 1e-6 * np.abs(changes).max()


def test_rooms_are_never_larger_than_what_is_left():
    values = np.random.default_rng(3).uniform(-1.2, 1.2, (50, 1))
    for sharpness in (10.0, 300.0):
        low = rooms((Limited("x", "m", -1.0, 1.0),), values, sharpness)
        assert low[0] <= 1.0 - values.max() <= low[0] + np.log(50) / sharpness


@pytest.mark.parametrize("harmonics", [1, 3])
def test_the_fastest_motion_uses_its_range(harmonics):
    """W = v and |x| <= 1: with one harmonic the best mean of v^2 is that of the whole range, w^2 / 2."""
    model = robot(lambda x, v, a: v[:, None, :1], ("Fv",))
    found = designed(model, plan(harmonics=harmonics))
    best = (2.0 * np.pi / 2.0) ** 2 / 2.0
    reached = np.exp(-found.information.value(Criterion.D)) * found.scales[0] ** -2
    assert reached > 0.98 * best
    assert (reached <= best * (1 + 1e-9)) == (harmonics == 1)


def test_limits_are_kept_on_a_grid_ten_times_as_fine():
    speed = (Limited("speed", "m/s", -3.0, 3.0), lambda x, v, a: v)
    force = (Limited("force", "N", -9.0, 9.0), lambda x, v, a: a + np.sin(4.0 * x))
    model = robot(mass_and_friction, TOY.parameters, (speed, force))
    found = designed(model, plan(harmonics=4, period=(1.0, 6.0)))
    phases = np.linspace(0.0, 2.0 * np.pi, 40001)
    for one in kept_along(model, found.motion.at(phases)):
        assert one.excess <= 1e-6, one.limit.told
    assert max(one.excess for one in found.limits) > -0.1  # and used
    assert 1.0 <= found.motion.period <= 6.0
    assert found.gain > 1.0


def test_a_seed_tells_which_motion():
    first, second = (designed(TOY, plan(starts=2), 40) for _ in range(2))
    assert first.motion.coefficients.tobytes() == second.motion.coefficients.tobytes()
    assert designed(TOY, plan(seed=2), 40).motion.coefficients.tobytes() != first.motion.coefficients.tobytes()


def test_a_limit_leaves_the_best_so_far():
    found = designed(TOY, plan(), seconds=1e-9)
    assert found.why is Stopped.TIME
    assert all(one.is_kept for one in found.limits)


def test_an_interruption_leaves_the_best_so_far():
    def interrupt(number, spent, value):
        if spent == 3:
            INTERRUPTIONS.add()

    with INTERRUPTIONS.heeded():
        found = design(TOY, plan(), Effort(100, Limit.of(100.0)), interrupt)
    assert (found.why, found.evaluations) == (Stopped.INTERRUPTED, 3)
    assert all(one.is_kept for one in found.limits)


@pytest.mark.parametrize("criterion", Criterion)
def test_each_criterion_beats_the_others_at_its_own(criterion):
    every = {one: designed(TOY, plan(one, harmonics=3), 200).information for one in Criterion}
    best = min(information.value(criterion) for information in every.values())
    assert every[criterion].value(criterion) <= best + np.log(4.0) / POWER  # so much do power means leave


def test_noise_that_is_correlated_counts():
    """Of two equal readings with correlation r the mean has the variance (1 + r) / 2."""
    model = robot(lambda x, v, a: np.repeat(v[:, None, :1], 2, axis=1), ("Fv",), outputs=2)
    alone, both = (
        designed(model, plan(harmonics=1, covariance=np.array([[1.0, r], [r, 1.0]]), scale="none")) for r in (0.0, 0.8)
    )
    assert both.information.values[0] / alone.information.values[0] == pytest.approx(1 / 1.8, rel=1e-3)


@pytest.mark.parametrize(
    ("model", "asked", "told"),
    [
        (robot(lambda x, v, a: np.zeros((len(x), 1, 1)), ("M",)), {}, "no motion tells M: the column of W is 0"),
        (
            robot(lambda x, v, a: np.stack([v, 2 * v, x], -1)[:, 0][:, None], ("F1", "F2", "k")), {},
            r"tells 3 parameters apart: [^k]*F1[^k]*F2 changes no row",
        ),
        (robot(lambda x, v, a: x[:, None], ("k",), [(Limited("y", "N", 5.0), lambda x, v, a: x)]), {},
         "the limits contradict each other: .* asks for y = .*, but limit y = 5 .."),
        (robot(lambda x, v, a: x[:, None], ("k",), [(Limited("y", "N", 5.0), lambda x, v, a: x * np.nan)]), {},
         "none is reached"),
        (robot(lambda x, v, a: x[:, None], ("k",), [(Limited("y", "N", -1.0, 0.0), lambda x, v, a: v**2 - 0.1)]),
         {"period": 0.001}, "hardly a motion around it keeps them"),
        (TOY, {"harmonics": 31}, "choose 1 to 30"),
        (TOY, {"period": (3.0, 2.0)}, "no range of positive times"),
        (robot(mass_and_friction, ("a", "b")), {}, r"has the shape \(1, 4\), and there are 1 outputs and 2 parameters"),
    ],
)  # fmt: skip
def test_what_cannot_be_designed_is_said(model, asked, told):
    with pytest.raises(InputError, match=told):
        designed(model, plan(**asked), 20)


def lines(points, powers=3):
    """Candidates of a polynomial, one row each."""
    matrix = np.array([[x**k for k in range(powers)] for x in points], dtype=float)
    names = tuple(f"c{k}" for k in range(powers))
    return candidates(matrix, np.arange(len(points)) + 1.0, np.ones(len(points)), names, ("",) * powers, "here")


def chosen(table, count, criterion=Criterion.D, repeated=False):
    return choose(table, count, criterion, Limit.of(60), lambda *_: None, repeated)


def test_the_best_points_of_a_parabola_are_its_ends_and_its_middle():
    """D-optimal: a third each at -1, 0 and 1 (Smith 1918)."""
    points = np.linspace(-1, 1, 21)
    found = chosen(lines(points), 6, repeated=True)
    assert sorted(points[n - 1] for n in found.numbers) == pytest.approx([-1, -1, 0, 0, 1, 1])
    assert 0.0 <= found.behind < 1e-3


@pytest.mark.parametrize("criterion", Criterion)
def test_a_choice_is_the_best_of_all(criterion):
    points = np.array([-1.0, -0.7, -0.2, 0.1, 0.5, 0.9, 1.0])
    table = lines(points)
    found = chosen(table, 4, criterion, True)

    def value(numbers):
        rows = np.array([table.rows[n][0] for n in numbers]) * found.scales
        return information(np.sqrt(len(rows)) * rows[:, None]).value(criterion)

    best = min(value(numbers) for numbers in combinations_with_replacement(range(len(points)), 4))
    assert value([n - 1 for n in found.numbers]) <= best + 0.05
    if criterion is Criterion.D:
        mine = value([n - 1 for n in found.numbers])
        assert mine - found.behind <= best + 1e-9  # nobody is further in front than is said


@pytest.mark.parametrize(
    ("points", "count", "told"),
    [
        ([0.0, 1.0, 1.0], 3, "do not tell .* apart"),
        ([0.0, 1.0, -1.0], 2, "at most 2 rows, and there are 3 parameters"),
        ([0.0, 1.0, -1.0], 4, "there are 3 segments; choose 1 to 3"),
    ],
)
def test_what_cannot_be_chosen_is_said(points, count, told):
    with pytest.raises(InputError, match=told):
        chosen(lines(points), count)


def test_segments_have_numbers():
    with pytest.raises(InputError, match=r"row 2: segment 1.5 is no whole number"):
        candidates(np.ones((2, 1)), np.array([1.0, 1.5]), np.ones(2), ("a",), ("",), "here")
    with pytest.raises(InputError, match="nothing to choose from"):
        candidates(np.ones((2, 1)), np.array([1.0, 1.0]), np.ones(2), ("a",), ("",), "here")
    with pytest.raises(InputError, match="row 2: the deviation of its reading is not positive"):
        candidates(np.ones((2, 1)), np.array([1.0, 2.0]), np.array([1.0, 0.0]), ("a",), ("",), "here")


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"starts": 0}, "--starts 0: choose 1 to 20"),
        ({"noise": float("inf")}, "give a positive deviation"),
        ({"rate": 0.0}, "a positive number"),
        ({"rows": lambda x, v, a: np.stack([a, np.nan * v], axis=-1)}, "rows of a motion within all limits are not"),
    ],
)
def test_what_no_motion_can_be_designed_for_is_named(asked, message):
    rows = asked.get("rows", lambda x, v, a: np.stack([a, v], axis=-1))
    more = {name: value for name, value in asked.items() if name != "rows"}
    with pytest.raises(InputError, match=message):
        own_design(rows, {"x": (-1.0, 1.0)}, ["m", "Fv"], evaluations=2, harmonics=2, **more)


def test_a_covariance_may_be_of_outputs_with_any_name(tmp_path):
    model = replace(TOY, outputs=("s1",))
    (tmp_path / "s.csv").write_text("s1\n4\n")
    assert noise_of(str(tmp_path / "s.csv"), model) == 4.0
    (tmp_path / "t.csv").write_text("s1 [kN]\n4\n")
    with pytest.raises(InputError, match="write one column for each output, s1"):
        noise_of(str(tmp_path / "t.csv"), model)
