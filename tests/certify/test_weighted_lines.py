"""Combinations written at once have the bytes of those that are written term by term."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

from certify.contractors.protocol.contractor import Box
from certify.contractors.rows.equations import Equations
from certify.problems.minibex import parse_minibex
from certify.proofs.certificate_text import leaf
from certify.proofs.weighted_lines import WeightedLines
from certify.questions.system_search import equations_of
from certify.solvers.proof.proof_tree import Weighted
from certify.solvers.weights.expansion_weights import Expansions, as_reason

TEXT = "Variables x in [-1, 2]; y in [0, 3]; z in [1, 2];\nConstraints\nx^2*y = 1; x*y - sin(z) = 0; x + y*z = 3;\nend"


@pytest.fixture(scope="module")
def expansions() -> Expansions:
    equations: Equations = equations_of(parse_minibex(TEXT))
    assert Box(np.zeros(3), np.ones(3)).lower.size == equations.variables
    return Expansions.of(equations)


@pytest.mark.parametrize("seed", range(8))
def test_any_combination_has_the_same_line(seed: int, expansions: Expansions) -> None:
    chance = random.Random(seed)
    rows, every = len(expansions.forms), len(expansions.forms) + len(expansions.products)
    lines = WeightedLines(lambda found: leaf(as_reason(found, expansions)))
    every_one = []
    for _ in range(50):
        numbers = sorted(chance.sample(range(every), chance.randint(1, every)))
        weights = []
        for number in numbers:
            bits = chance.choice((1, 4, 20, 53))
            size = math.ldexp(chance.getrandbits(bits) or 1, chance.randint(-90, 30))
            weights.append(-size if number < rows and chance.random() < 0.5 else size)
        every_one.append(Weighted(tuple(numbers), tuple(weights), True))
    assert lines.lines(every_one) == [leaf(as_reason(found, expansions)) for found in every_one]
    assert lines.lines([]) == []
