"""What is argued about survivors is about mutants that there are, each named by a label of its own."""

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.mutants import ARGUED, argued, every_mutant


@pytest.fixture(scope="module")
def labels():
    return Counter(mutant.label for mutant in every_mutant())


@pytest.mark.thorough
def test_every_label_names_one_mutant(labels):
    assert len(labels) > 3000
    assert set(labels.values()) == {1}


@pytest.mark.thorough
def test_every_argument_is_about_one_mutant(labels):
    found = argued()
    assert len(found) == sum(line.startswith("- ") for line in ARGUED.read_text().splitlines()) == len(set(found))
    assert set(found) <= set(labels)
