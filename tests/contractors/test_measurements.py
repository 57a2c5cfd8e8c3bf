"""The measurement lemma against balls of 300 bits: no measurement of the box does better than the point, by more than
the slack.
"""

import flint
import numpy as np
from exact import BITS, arb_values
from hypothesis import given, settings
from hypothesis import strategies as st
from systems import SYSTEMS

from certify.contractors.rows.measurements import SIDES, realise


@settings(max_examples=150)
@given(st.sampled_from(sorted(SYSTEMS)), st.integers(0, 10**6), st.sampled_from([1, 2, 7, 16]))
def test_the_point_is_as_good_as_any_measurement(system, seed, cells):
    rng = np.random.default_rng(seed)
    planted = SYSTEMS[system](seed % 11)
    rows = planted.problem.blocks[0]
    radius = (30.0 if system == "leg" else 0.5) * 10.0 ** rng.uniform(-5, 0)
    centre = planted.truth + rng.uniform(-1, 1, planted.truth.size) * radius
    low, high = centre - radius, centre + radius
    points = realise(rows, low, high, cells)
    x = np.clip(low + rng.uniform(0, 1, low.size) * (high - low), low, high)
    for position, side in enumerate(SIDES):
        k = int(rng.integers(rows.count))
        h_low, h_high = points.lower[position][:, k], points.upper[position][:, k]
        measured = list(rows.measured_inputs)
        if not (h_low[measured] == h_high[measured]).all():
            assert not points.differentiable[position, k]
            continue
        least, most = rows.lower[:, k], rows.upper[:, k]
        best, other = h_low.copy(), np.clip(least + rng.choice([0, 0.3, 1], h_low.size) * (most - least), least, most)
        best[rows.unknown_inputs] = other[rows.unknown_inputs] = x[rows.places]
        with flint.ctx.workprec(BITS):
            (at_best,), (at_other,) = arb_values(rows.tape, list(best)), arb_values(rows.tape, list(other))
            assert not side * at_best > side * at_other + flint.arb(float(points.slack[position, k]))


def test_more_cells_lose_less():
    planted = SYSTEMS["bilinear"](0)
    rows = planted.problem.blocks[0]
    losses = [realise(rows, planted.truth, planted.truth, cells).slack.max() for cells in (1, 4, 16, 64)]
    assert losses[0] > 4 * losses[1] > 16 * losses[2] > 0
    assert losses[3] < losses[2]
