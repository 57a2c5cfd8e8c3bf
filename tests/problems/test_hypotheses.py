"""Hypotheses: richer problems are the problem with an error added that is linear in the new unknowns, and
nothing else.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from benchmarks._changed_problems import permuted
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.tape.lift import lift
from certify.problems.errors import InputError
from certify.problems.experiments.shipped import shipped
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.formulas.expression import rotation_xyz
from certify.problems.model.canonical import canonical_bytes
from certify.problems.model.hypothesis import chosen, given_term, hypotheses, measured_places, measured_term, richer
from certify.problems.model.model import Binding, Column, Family, Problem, Variable, trace
from certify.problems.simulation.planar_simulation import simulate_planar
from certify.problems.simulation.platform import find_platform, platform_names, simulate_platform
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.solvers.fits.plain_fit import fit, residuals


@pytest.fixture(scope="module")
def problem():
    experiment = load_experiment(shipped("table_of_stewart"))
    return experiment.problem(experiment.nominal)


def rows_at(problem, x):
    """The values of all rows at the middles of the measurements."""
    found = []
    for rows in problem.blocks:
        middle = 0.5 * (rows.lower + rows.upper)
        middle[rows.unknown_inputs] = x[rows.places, None]
        found.append(evaluate(rows.tape, middle, middle).estimated_middle[0])
    return np.array(found)


def middle_of(problem):
    return np.array([float(v.lower + v.upper) / 2 for v in problem.variables])


def test_the_hypotheses_about_a_gough_platform(problem):
    scales = [f"scale of {name}" for name in ("x", "y", "z", "alpha", "beta", "gamma", "L")]
    joints = ["joint offset at a", "joint offset at b", "joint offsets at a and b"]
    assert [hypothesis.name for hypothesis in hypotheses(problem)] == ["backlash of L", "first order", *scales, *joints]


def at_the_bounds(problem, more):
    """The rows with all added unknowns at their upper ends, sorted: family by family, by name."""
    added = [float(v.upper) for v in more.variables[len(problem.variables) :]]
    rows = np.sort(rows_at(more, np.concatenate([middle_of(problem), added])), axis=1)
    return rows[np.argsort([family.name for family in problem.families])]


@pytest.mark.parametrize("seed", [1, 2])
def test_hypotheses_do_not_depend_on_the_order_of_anything(problem, seed):
    other = permuted(problem, seed)
    first, again = ({h.name: h for h in hypotheses(one)} for one in (problem, other))
    assert first.keys() == again.keys()
    for name, hypothesis in first.items():
        wanted = at_the_bounds(problem, richer(problem, hypothesis, Fraction(5)))
        assert at_the_bounds(other, richer(other, again[name], Fraction(5))) == pytest.approx(wanted, abs=1e-6)


def test_columns_of_other_names_are_all_named():
    """Of x and lb, which two legs bind in one place, only x was named."""
    o, bound = Binding(False, 0), [Binding(True, k) for k in range(3)]
    tape = trace(lambda x, m: x.o + m.a - m.b, {"o": ()}, {"a": (), "b": ()})
    ends = (Fraction(0), Fraction(1))
    columns = tuple(Column(name, "mm", ends, ends) for name in ("x", "la", "lb"))
    pairs = ((o, bound[0], bound[1]), (o, bound[2], bound[0]))
    families = tuple(Family(f"leg{k}", tape, 2, pair, "mm") for k, pair in enumerate(pairs))
    problem = Problem((Variable("o", "mm", *ends),), columns, families)
    assert measured_places(problem) == {"x, lb": frozenset({0, 2}), "la, x": frozenset({0, 1})}


def test_names_of_ours_give_way_to_the_user_s(problem):
    """A parameter t_L1 or a column sign_L1 of a leg: doubt ended with two of one name."""
    for asked, items in (("scale of L", "variables"), ("backlash of L", "columns")):
        (hypothesis,) = chosen(problem, [asked])
        own = richer(problem, hypothesis, Fraction(5))
        name, mine = getattr(own, items)[-6].name, getattr(problem, items)
        again = richer(replace(problem, **{items: (replace(mine[0], name=name), *mine[1:])}), hypothesis, Fraction(5))
        assert [one.name for one in getattr(again, items)[-6:-4]] == [f"{name}_", getattr(own, items)[-5].name]
        assert rows_at(again, middle_of(again)) == pytest.approx(rows_at(own, middle_of(own)))


def test_a_vector_of_angles_is_no_joint_centre(problem):
    turned = tuple(replace(v, unit="deg") if v.name.rpartition(".")[2][0] == "b" else v for v in problem.variables)
    names = {hypothesis.name for hypothesis in hypotheses(replace(problem, variables=turned))}
    assert "joint offset at a" in names and "joint offset at b" not in names


def test_without_the_error_the_rows_are_the_same(problem):
    for hypothesis in hypotheses(problem):
        more = richer(problem, hypothesis, Fraction(5))
        assert more.variables[: len(problem.variables)] == problem.variables
        assert {(v.lower, v.upper, v.unit) for v in more.variables[len(problem.variables) :]} == {
            (Fraction(-5), Fraction(5), "mm")
        }
        assert rows_at(more, middle_of(more)) == pytest.approx(rows_at(problem, middle_of(problem)), abs=1e-9)


def test_an_error_is_what_it_says_at_the_ends_of_the_range(problem):
    """With t = 1 mm a row falls by 1 mm where the quantity is largest, and rises by 1 mm where it is least."""
    hypothesis = chosen(problem, ["scale of L"])[0]
    more = richer(problem, hypothesis, Fraction(5))
    x = middle_of(more)
    x[len(problem.variables) :] = 1.0
    change = rows_at(more, x) - rows_at(problem, middle_of(problem))
    for leg, moved in enumerate(change):
        column = problem.columns[6 + leg]
        middles = np.array([float(low + high) / 2 for low, high in zip(column.lower, column.upper, strict=True)])
        half = (middles.max() - middles.min()) / 2
        assert moved == pytest.approx(-(middles - middles.min() - half) / half, abs=1e-9)


def test_the_first_order_model_sums_all_quantities(problem):
    singles = [hypothesis for hypothesis in hypotheses(problem) if hypothesis.name.startswith("scale of ")]
    everything = chosen(problem, ["first order"])[0]
    base = rows_at(problem, middle_of(problem))
    total = np.zeros_like(base)
    for hypothesis in singles:
        more = richer(problem, hypothesis, Fraction(5))
        total += rows_at(more, np.append(middle_of(problem), np.ones(6))) - base
    more = richer(problem, everything, Fraction(5))
    assert rows_at(more, np.append(middle_of(problem), np.ones(42))) - base == pytest.approx(total, abs=1e-8)


def test_every_richer_row_keeps_its_lift(problem):
    """Quadratic in the unknowns after one squaring, on both sides."""
    for hypothesis in hypotheses(problem):
        family = richer(problem, hypothesis, Fraction(5)).families[0]
        unknowns = tuple(i for i, binding in enumerate(family.bindings) if not binding.measured)
        for side in (-1, 1):
            assert max(len(monomial) for monomial in lift(family.tape, unknowns, side).monomials) == 2


def test_a_row_uses_a_measurement_once(problem):
    for hypothesis in hypotheses(problem):
        for family in richer(problem, hypothesis, Fraction(5)).families:
            assert len(set(family.bindings)) == len(family.bindings)


def test_a_joint_offset_is_of_second_order_across_the_leg(problem):
    """A planted sqrt(1 - (w . u)^2), for an axis w of the base, is T and what the model has already: constant, shift of
    a, length.
    """
    rows = problem.blocks[0]
    x = middle_of(problem)
    middle = 0.5 * (rows.lower + rows.upper)
    a, b = x[:3], x[3:6]
    pose = middle[[i for i, place in enumerate(rows.unknowns) if place < 0]][:6].T
    direction = np.array([p[:3] + rotation_xyz(*np.radians(p[3:])) @ b - a for p in pose])
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    axis = np.array([0.6, 0.8, 0.0])
    planted = np.sqrt(1.0 - (direction @ axis) ** 2)
    more = richer(problem, chosen(problem, ["joint offset at a"])[0], Fraction(5))
    columns = [c for c in more.columns if c.name.startswith("leg1.")]
    assert len(columns) == 2
    forms = np.array([[float(v) for v in column.lower] for column in columns]).T
    known = np.column_stack([np.ones(len(pose)), direction])
    alone = planted - known @ np.linalg.lstsq(known, planted, rcond=None)[0]
    both = np.hstack([known, forms])
    left = planted - both @ np.linalg.lstsq(both, planted, rcond=None)[0]
    assert np.linalg.norm(left) < 0.1 * np.linalg.norm(alone)


def test_a_richer_problem_is_the_same_every_time(problem):
    hypothesis = chosen(problem, ["joint offsets at a and b"])[0]
    first, second = (canonical_bytes(richer(problem, hypothesis, Fraction(5))) for _ in range(2))
    assert first == second


def test_quantities_that_never_change_have_no_scale():
    assert given_term("q", [Fraction(1), Fraction(1)]) is None
    term = given_term("q", [Fraction(1), Fraction(4)])
    assert (term.middle, term.half_range) == (Fraction(5, 2), Fraction(3, 2))
    assert isinstance(term.column, Column)


def test_constant_columns_are_left_out(problem):
    flat = problem.columns[0]
    same = Column(flat.name, flat.unit, (flat.lower[0],) * 64, (flat.upper[0],) * 64)
    changed = replace(problem, columns=(same, *problem.columns[1:]))
    assert measured_term(changed, 0) is None
    assert len(richer(changed, chosen(changed, ["scale of x"])[0], Fraction(5)).variables) == len(problem.variables)
    assert (
        len(richer(changed, chosen(changed, ["first order"])[0], Fraction(5)).variables) == len(problem.variables) + 36
    )


def test_unknown_hypotheses_are_refused(problem):
    with pytest.raises(
        InputError, match="there is no hypothesis 'scale of M' about this problem; did you mean 'scale of"
    ):
        chosen(problem, ["scale of M"])


@pytest.mark.parametrize("name", ["planar_3rpr", *platform_names()])
def test_other_robots_have_hypotheses_too(name):
    error = unmodelled_error("none")
    experiment = (
        simulate_planar(error, 1) if name == "planar_3rpr" else simulate_platform(find_platform(name), error, 1)
    ).experiment
    problem = experiment.problem(experiment.nominal)
    for hypothesis in hypotheses(problem):
        more = richer(problem, hypothesis, Fraction(5))
        assert rows_at_all(more) == pytest.approx(rows_at_all(problem), abs=1e-9)


def rows_at_all(problem):
    """As rows_at, families of different numbers of rows one after the other."""
    found = []
    for rows in problem.blocks:
        middle = 0.5 * (rows.lower + rows.upper)
        middle[rows.unknown_inputs] = middle_of(problem)[rows.places, None]
        found.append(evaluate(rows.tape, middle, middle).estimated_middle[0])
    return np.concatenate(found)


@pytest.mark.thorough
def test_simulated_joints_are_explained_by_both_joint_offsets():
    """Least squares with the forms of both joints leaves less than a quarter of the residuals of least squares without
    them.
    """
    experiment = simulate(unmodelled_error("joints"), 2).experiment
    problem = experiment.problem(experiment.nominal)
    more = richer(problem, chosen(problem, ["joint offsets at a and b"])[0], Fraction(10))
    left = []
    for found in (problem, more):
        x = fit(found.blocks, (0,), middle_of(found))
        rows = found.blocks[0]
        left.append(np.sqrt((residuals(rows, x, 0.5 * (rows.lower + rows.upper))[0] ** 2).mean()))
    assert left[1] < 0.25 * left[0]
