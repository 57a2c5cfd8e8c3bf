"""Wrong measurements in the table of a Gough platform: which fit is judged, where the box stands, who is suspected,
what is said and proved.
"""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from certify.claims.fit_table import fit_lines
from certify.parts.fitting import fit_experiment, judged
from certify.problems.experiments.experiment import NOMINAL, box_centre
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.unmodelled_error import unmodelled_error
from certify.questions.discards import fewest_discards
from certify.records.options import Options


@pytest.fixture(scope="module")
def sound():
    """64 poses of a robot without unmodelled errors, some 10 mm from its blueprint."""
    return simulate(unmodelled_error("none", None), 1).experiment


def with_poses(experiment, count):
    """The first poses only."""
    columns = tuple(replace(c, lower=c.lower[:count], upper=c.upper[:count]) for c in experiment.columns)
    families = tuple(replace(family, rows=count) for family in experiment.families)
    return replace(experiment, poses=experiment.poses[:count], columns=columns, families=families)


def first_legs(experiment, count):
    """The first legs only; the table keeps its columns."""
    return replace(
        experiment,
        families=experiment.families[:count],
        variables=experiment.variables[: 7 * count],
        blueprint=experiment.blueprint[: 7 * count],
    )


def within(experiment, radius):
    """The same blueprint, trusted more."""
    blueprint, variables = (
        tuple(replace(p, radius=Fraction(radius)) for p in part)
        for part in (experiment.blueprint, experiment.variables)
    )
    return replace(experiment, blueprint=blueprint, variables=variables)


def moved(experiment, column, change):
    """The readings of a column as `change(pose counted from 1, value)` has them, with their half-widths."""

    def column_of(c):
        if c.name != column:
            return c
        shifts = [
            change(k, (low + high) / 2) - (low + high) / 2
            for k, (low, high) in enumerate(zip(c.lower, c.upper, strict=True), 1)
        ]
        ends = ([end + shift for end, shift in zip(side, shifts, strict=True)] for side in (c.lower, c.upper))
        return replace(c, **dict(zip(("lower", "upper"), map(tuple, ends), strict=True)))

    return replace(experiment, columns=tuple(map(column_of, experiment.columns)))


def off(experiment, column, errors):
    """Errors added to single readings, by pose."""
    return moved(experiment, column, lambda pose, value: value + Fraction(errors.get(pose, 0)))


def said(experiment):
    fitting = fit_experiment(experiment)
    return fitting, fit_lines(fitting, experiment.problem(box_centre(experiment, fitting.estimate)))


def test_sound_measurements_are_not_talked_about(sound, experiment):
    assert said(sound)[1] == []
    assert said(experiment)[1] == []  # nor an error of the model that touches all poses


@pytest.mark.parametrize("error", [10, -10, 200, 10**6])
@pytest.mark.parametrize("leg", [1, 4])
def test_one_wrong_reading_is_named(sound, leg, error):
    fitting, told = said(off(sound, f"L{leg}", {17: error}))
    part = fitting.parts[leg - 1]
    assert [row for row, _ in part.suspects] == [(f"leg{leg}", 16)]
    assert part.suspects[0][1] == pytest.approx(abs(error), rel=0.02)
    assert all(line.startswith(f"leg{leg}: ") for line in told)
    (missed,) = (line for line in told if "a robust fit misses pose 17 by" in line)
    assert "the other 63 poses by about 0.1" in missed
    assert "(estimated): look there first." in missed


def test_two_wrong_readings_are_named_the_worst_first(sound):
    told = said(off(sound, "L2", {5: 10, 40: -25}))[1][0]
    assert "a robust fit misses pose 40 by 24.95 mm and pose 5 by 10.06 mm, the other 62 poses" in told


def test_a_wrong_reading_among_few_poses_drags_the_box_away_and_it_is_said(sound):
    """12 poses within 20 mm: the fit goes 34 mm from the blueprint."""
    few = off(within(with_poses(sound, 12), 20), "L1", {5: 10})
    fitting, told = said(few)
    part = fitting.parts[0]
    assert part.settled
    assert next(parameter.name for parameter, _ in fitting.lost(part)) == "leg1.b_z"
    assert "leg1: the least-squares fit is further from the blueprint than the radius (leg1.b_z by 33.77 mm" in told[0]
    assert "around the least-squares fit, without the blueprint; what is said here holds in that box only" in told[1]
    assert "a robust fit misses pose 5 by 10.06 mm, the other 11 poses by about 0.064 mm or less (estimated)" in told[2]
    assert 'write centre = "nominal" under [box]' in told[3]
    problem = few.problem(box_centre(few, fitting.estimate))
    assert not all(v.lower <= p.nominal <= v.upper for v, p in zip(problem.variables, few.variables, strict=True))
    told = said(replace(few, centre=NOMINAL))[1]
    assert told[1] == "leg1: the least-squares fit is outside the search box, so it is not judged."
    assert "nominal" not in "".join(told)


@pytest.mark.parametrize("error", [200, 10**6])
def test_a_fit_that_does_not_settle_is_not_judged_and_the_box_keeps_the_blueprint(sound, error):
    few = off(within(with_poses(sound, 16), 20), "L1", {5: error})
    fitting, told = said(few)
    assert not fitting.parts[0].settled
    assert np.abs(fitting.parts[0].ended - [float(v) for v in few.nominal]).max() <= 100 * 20
    problem = few.problem(box_centre(few, fitting.estimate))
    assert [(v.lower + v.upper) / 2 for v in problem.variables[:7]] == list(few.nominal[:7])
    assert judged(fitting, problem)[0][1] == ("leg2", "leg3", "leg4", "leg5", "leg6")
    assert told[0].startswith("leg1: least squares did not settle and left the blueprint (leg1.")
    assert told[1] == "leg1: the search box is centred on the blueprint instead."
    assert f"misses pose 5 by {error:.4g} mm" in told[2]
    assert told[3].startswith("leg1: what to do: correct the measurements, or run with --discard")


@pytest.mark.parametrize("factor", [Fraction(1, 1000), 1000, -1])
def test_a_column_with_a_wrong_unit_or_sign_is_no_matter_of_few_poses(sound, factor):
    told = said(moved(first_legs(sound, 3), "gamma" if factor == -1 else "L3", lambda pose, value: value * factor))[1]
    (line,) = (line for line in told if line.startswith("leg3: a robust fit"))
    assert "no few poses stand out; perhaps a sign, a unit or an offset is wrong, or columns are exchanged." in line
    assert not any("look there first" in line for line in told)


@pytest.mark.parametrize(("column", "error", "unit"), [("x", 10, "mm"), ("beta", -8, "deg"), ("z", -90, "mm")])
def test_one_entry_that_all_legs_use_is_named(sound, column, error, unit):
    """What must be added is what was taken away, up to the noise."""
    line = said(off(first_legs(sound, 4), column, {17: error}))[1][-1]
    assert line.endswith(" would explain every leg there (estimated): look there first.")
    words = re.match(r"pose 17: its (\w+), if it were ([0-9.]+) (\w+) (more|less),", line)
    assert words[1] == column
    assert words[3] == unit
    assert words[4] == ("less" if error > 0 else "more")
    assert float(words[2]) == pytest.approx(abs(error), abs=0.2)


def test_copied_rows_are_asked_about(sound):
    def copied(values):
        return (*values[:19], values[4], *values[20:])

    columns = tuple(replace(c, lower=copied(c.lower), upper=copied(c.upper)) for c in sound.columns)
    assert said(replace(sound, columns=columns))[1] == [
        "poses 5 and 20 are the same in every column: was one copied from another?"
    ]


def test_two_wrong_readings_of_a_pose_are_no_shared_entry(sound):
    lines = said(off(off(first_legs(sound, 4), "L1", {17: 30}), "L2", {17: -12}))[1]
    assert not any(line.startswith("pose") for line in lines)


def exchanged(experiment, one, other):
    """The values of two columns in each other's place."""
    columns = {c.name: c for c in experiment.columns}
    pair = {one: other, other: one}
    swapped = tuple(replace(columns[pair.get(c.name, c.name)], name=c.name) for c in experiment.columns)
    return replace(experiment, columns=swapped)


def told_of(experiment):
    return [line for line in said(experiment)[1] if "(estimated): look at the" in line or "in their places" in line]


@pytest.mark.parametrize(
    ("column", "factor", "found"),
    [("gamma", -1, "column gamma times -1"), ("L3", -1, "column L3 times -1"),
    ("L2", Fraction(1, 1000), "column L2 times 1000"),
     ("x", Fraction(1, 10), "column x times 10")],
)  # fmt: skip
def test_a_column_with_a_wrong_sign_or_unit_is_named(sound, column, factor, found):
    lines = told_of(moved(first_legs(sound, 3), column, lambda pose, value: value * factor))
    assert lines
    for line in lines:
        assert f"with {found} a robust fit is within the radius and misses nothing by more than 0.1" in line
        assert line.endswith("look at the sign." if factor == -1 else "look at the unit.")
        assert column[0] != "L" or line.startswith(f"leg{column[1]}: ")


def test_radians_for_degrees_are_named(sound):
    for angle in ("alpha", "beta", "gamma"):
        sound = moved(sound, angle, lambda pose, value: value * Fraction(355, 113) / 180)
    lines = told_of(first_legs(sound, 2))
    assert sum(line.partition(":")[0].count("leg") for line in lines) == 2
    assert all("with columns alpha, beta and gamma times 57.2958 a robust fit" in line for line in lines)


@pytest.mark.parametrize(("pair", "legs"), [(("x", "y"), {1, 2, 3}), (("L1", "L2"), {1, 2})])
def test_exchanged_columns_are_named(sound, pair, legs):
    lines = told_of(exchanged(first_legs(sound, 3), *pair))
    assert {
        int(name[3:]) for line in lines for name in line.partition(":")[0].replace(" and ", ", ").split(", ")
    } == legs
    names = {" and ".join(pair), " and ".join(reversed(pair))}
    assert all(any(f"with columns {name} exchanged a robust fit" in line for name in names) for line in lines)


def test_mistakes_are_not_made_up(sound):
    """An offset of a sensor is a parameter of the model; a wrong reading is no matter of a column."""
    assert told_of(moved(sound, "L4", lambda pose, value: value + 30)) == []
    assert told_of(off(within(with_poses(sound, 12), 20), "L1", {5: 200})) == []


def test_a_blueprint_that_is_trusted_too_much_is_the_radius_matter(sound):
    told = said(within(first_legs(sound, 2), 1))[1]
    assert sum(line.endswith("the robot is further from its blueprint than the radius says.") for line in told) == 2
    assert "leg1 and leg2: what to do: widen the radius, or correct the blueprint." in told


def test_around_the_blueprint_the_planted_reading_is_the_one_to_leave_out(sound):
    few = off(within(with_poses(sound, 12), 20), "L1", {5: 10})
    leg = first_legs(few, 1)
    fitting = fit_experiment(leg)
    problem = leg.problem(leg.nominal)
    (part,) = fewest_discards(problem, start=fitting.start(problem), options=Options(time_limit=60)).parts
    assert (part.fewest, part.discarded) == (1, (("leg1", 4),))


def test_searches_start_in_the_box(sound):
    few = replace(off(within(with_poses(sound, 12), 20), "L1", {5: 10}), centre=NOMINAL)
    fitting, problem = fit_experiment(few), few.problem(few.nominal)
    start, (low, high) = fitting.start(problem), problem.box
    assert ((start >= low) & (start <= high)).all()
    assert start[:7] == pytest.approx(np.clip(fitting.parts[0].robust.x[:7], low[:7], high[:7]))
    assert start[7:] == pytest.approx([float(v) for v in fitting.estimate[7:]])
