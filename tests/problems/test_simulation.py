from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from certify.__main__ import main
from certify.problems.errors import InputError
from certify.problems.experiments.shipped import shipped, shipped_names
from certify.problems.experiments.toml_reader import load_experiment
from certify.problems.readings.noise import half_width
from certify.problems.simulation.planar_simulation import simulate_planar
from certify.problems.simulation.simulation import simulate
from certify.problems.simulation.table_of_stewart import blueprint, calibrated, deviations, extreme_strokes
from certify.problems.simulation.unmodelled_error import unmodelled_error

GOUGH = [("none", 1, 1), ("none", 2, 0.001), ("joints", 3, 1), ("backlash", 4, 1), ("outlier", 5, 1), ("outlier", 6, 0)]
PLANAR = [("none", 1, 1), ("backlash", 2, 1), ("outlier", 3, 1), ("none", 4, 0), ("none", 5, 10)]
KEYS = [*(("gough", *case) for case in GOUGH), *(("planar", *case) for case in PLANAR)]


@cache
def simulation(robot, error, *numbers):
    return {"gough": simulate, "planar": simulate_planar}[robot](unmodelled_error(error), *numbers)


@pytest.fixture(params=KEYS, ids=lambda key: "-".join(map(str, key)))
def simulated(request):
    return simulation(*request.param)


def residuals(simulated):
    kind, truth = simulated.experiment.kind, simulated.truth
    units = {column.name: column.unit for column in simulated.experiment.columns}
    size = len(kind.parameter_names)
    for leg in range(kind.legs):
        columns = [truth.measurements[name] for name in kind.measured_names(leg)]
        yield [
            kind.residual(truth.parameters[leg * size : (leg + 1) * size], row, units)
            for row in zip(*columns, strict=True)
        ]


def test_the_truth_lies_in_every_measurement_box(simulated):
    for column in simulated.experiment.columns:
        for low, truth, high in zip(column.lower, simulated.truth.measurements[column.name], column.upper, strict=True):
            assert low <= truth <= high


def test_the_planted_figure_bounds_the_residuals_at_the_truth(simulated):
    for values, planted in zip(residuals(simulated), simulated.planted_epsilon, strict=True):
        largest = max(map(abs, values))
        assert largest <= planted + 1e-11  # the float model rounds, the planted figure is an enclosure
        assert planted <= largest + 1e-9


def test_what_is_planted_is_what_was_asked_for(simulated):
    planted, size = simulated.planted_epsilon, float(simulated.error.size)
    if simulated.error.name == "none":
        assert max(planted) < 1e-9
    elif simulated.error.name == "backlash":
        assert planted == pytest.approx([size / 2] * len(planted))
        signs = {round(value / size * 2) for values in residuals(simulated) for value in values}
        assert signs == {-1, 1}
    elif simulated.error.name == "outlier":
        leg, pose = simulated.truth.outlier
        assert planted[leg - 1] == pytest.approx(size)
        assert sum(planted) == pytest.approx(size)
        values = list(residuals(simulated))[leg - 1]
        assert [k + 1 for k, value in enumerate(values) if abs(value) > 1e-6] == [pose]


def test_simulated_data_say_so(simulated):
    text = simulated.experiment.provenance
    assert text.startswith("simulated: ")
    assert f"seed {simulated.seed}, unmodelled error {simulated.error}, noise factor " in text


def test_half_widths_are_three_sigma_of_the_paper():
    widths = {c.name: (c.upper[0] - c.lower[0]) / 2 for c in simulation("gough", "none", 1, 1).experiment.columns}
    expected = {
        "x": "0.1899",
        "y": "0.069",
        "z": "0.1824",
        "alpha": "0.02769",
        "beta": "0.0357",
        "gamma": "0.02682",
        "L1": "0.0231",
        "L6": "0.057",
    }
    assert {name: widths[name] for name in expected} == {name: Fraction(text) for name, text in expected.items()}
    assert half_width(Fraction(1, 10**9), Fraction(1, 10**5)) == Fraction(1, 10**5)


def test_tables_of_the_paper():
    assert len(extreme_strokes()) == len(set(extreme_strokes())) == 64
    assert deviations()["z"] == Fraction(608, 10000)
    assert [
        sum(abs(v - w) < 13 for v, w in zip(*legs, strict=True)) for legs in zip(blueprint(), calibrated(), strict=True)
    ] == [7] * 6
    base, platform = np.array(blueprint(), dtype=float)[:, :2], np.array(blueprint(), dtype=float)[:, 3:5]
    assert np.hypot(*base.T) == pytest.approx(270, abs=1e-3)  # the radii that S2 states
    assert np.hypot(*platform.T) == pytest.approx(195, abs=1e-3)


def test_equal_seeds_give_equal_data_and_others_do_not():
    error = unmodelled_error("backlash")
    again = simulate_planar(error, 2).experiment
    assert again.columns == simulation("planar", "backlash", 2, 1).experiment.columns
    assert again.columns != simulate_planar(error, 3).experiment.columns


def test_the_joints_leave_some_millimetres_that_no_parameters_explain():
    """Estimated: one Gauss-Newton fit of each leg from the truth."""
    experiment = load_experiment(shipped("table_of_stewart"))
    measured, kind = experiment.nominal_measurements(), experiment.kind
    for leg, truth in enumerate(np.array(calibrated(), dtype=float)):
        rows = np.array([measured[name] for name in kind.measured_names(leg)]).T

        def values(x, rows=rows):
            return np.array([kind.residual(x, row, {"alpha": "deg", "beta": "deg", "gamma": "deg"}) for row in rows])

        x = truth
        for _ in range(3):
            slopes = np.array([(values(x + h) - values(x - h)) / 2e-3 for h in 1e-3 * np.eye(7)]).T
            x = x - np.linalg.lstsq(slopes, values(x), rcond=None)[0]
        assert 3.0 < np.abs(values(x)).max() < 15.0


def test_the_shipped_data_are_what_the_program_writes(tmp_path):
    assert main(["simulate", "--out", str(tmp_path)]) == 0
    for name in ("problem.toml", "poses.csv"):
        assert (tmp_path / name).read_bytes() == (shipped("table_of_stewart").parent / name).read_bytes()


def test_shipped_data_are_found_by_name():
    assert "table_of_stewart" in shipped_names()
    assert all(load_experiment(shipped(name)).provenance.startswith("simulated: ") for name in shipped_names())
    with pytest.raises(InputError, match="there is no shipped data set 'stewart'; did you mean 'table_of_stewart'"):
        shipped("stewart")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", "1e3 mm"], "an error joints of 1000.0 mm is out of range; choose 0 to 100 mm (0 for none)"),
        (["--size", "big"], "--size: 'big' is not a decimal number"),
        (["--noise", "-1"], "the noise factor -1.0 is out of range; choose 0 to 1000"),
        (["--seed", "-1"], "seed -1 is not a whole number from 0 to 2^63 - 1; choose one such as 1"),
        (
            ["--robot", "planar_3rpr", "--error", "joints"],
            "the planar robot has no joints with two axes, so it has no error joints; choose none, backlash or outlier",
        ),
    ],
)
def test_the_command_line_refuses_in_one_sentence(tmp_path, capsys, arguments, message):
    assert main(["simulate", "--out", str(tmp_path / "new"), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_errors_are_known_by_name():
    with pytest.raises(InputError, match="there is no unmodelled error 'joint'; did you mean 'joints'"):
        unmodelled_error("joint")
    assert str(unmodelled_error("joints", 2.5)) == "joints of 2.5 mm"
    assert str(unmodelled_error("none")) == "none"
