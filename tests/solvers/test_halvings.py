"""Where a search has halved its boxes is found again, and proofs that start from there prove the same."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from certify.problems.minibex import parse_minibex
from certify.proofs.system_certificate import certify_system
from certify.questions.system_search import search, warm_up_systems
from certify.solvers.proof.halvings import NOWHERE, Halvings
from certify.solvers.search.branch_and_prune import SearchOptions

UNBOUNDED = "Variables x; y in [-3, 3]; Constraints x^3 - x*y = 1/7; x + y^2 = 2; end"
NARROW = "Variables x in [-2e-7, 3e-7]; y in [-2, 3]; Constraints 1e14*x^2 + y^2 = 1; 1e7*x = y^3; end"
QUARTICS = "Variables x[3] in [-3, 3]; Constraints x(1)^4 + x(2)*x(3) = 1; x(2)^3 = x(1); x(3)^2 + x(2) = x(1) + 1; end"


@given(seed=st.integers(0, 10**6))
def test_any_box_is_told_the_halvings_on_its_way(seed):
    """Boxes that are halved at random, and narrowed between: a path down the tree passes just the places that divide a
    box, in their order.
    """
    rng = np.random.default_rng(seed)
    known, waiting, places = Halvings(), [(np.zeros(2), np.ones(2), ())], {}
    for _ in range(20):
        low, high, way = waiting.pop(rng.integers(len(waiting)))
        width = high - low
        low, high = low + rng.uniform(0, 0.2, 2) * width, high - rng.uniform(0, 0.2, 2) * width
        v = int(rng.integers(2))
        at = float(rng.uniform(low[v], high[v]))
        known.add(low, high, v, at)
        places[way] = v, at
        left, right = high.copy(), low.copy()
        left[v] = right[v] = at
        waiting += [(low, left, (*way, 0)), (right, high, (*way, 1))]
    low, high = np.sort(rng.uniform(0, 1, (2, 2)), axis=0)
    way, cell = (), known.first
    while way in places:
        v, at = places[way]
        if low[v] < at < high[v]:
            break
        way = (*way, 0 if high[v] <= at else 1)
    cell = known.dividing(cell, low, high)
    assert (cell == NOWHERE) == (way not in places)
    assert cell == NOWHERE or (known.variables[cell], known.places[cell]) == places[way]


@pytest.mark.parametrize("text", [UNBOUNDED, NARROW, QUARTICS])
def test_what_is_recorded_changes_no_answer_and_certificates_start_from_it(text):
    """In the variables of the certificate, too: folded ones, and those that are searched in other units."""
    warm_up_systems()
    system = parse_minibex(text)
    plain, recorded = search(system), search(system, SearchOptions(recorded=True))
    assert plain.paving.halvings is None
    assert [s.enclosure.lower.tolist() for s in plain.paving.solutions] == [
        s.enclosure.lower.tolist() for s in recorded.paving.solutions
    ]
    halvings = recorded.paving.halvings
    assert len(halvings.places) == len(halvings.variables) == len(halvings.lower) == len(halvings.upper) > 0
    low, high = system.box
    assert all(low[v] < at < high[v] for v, at in zip(halvings.variables, halvings.places, strict=True))
    found = certify_system(system, recorded.paving, 30.0)
    assert found.counts and found.proves == certify_system(system, plain.paving, 30.0).proves
