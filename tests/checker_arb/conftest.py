import itertools
import sys
from fractions import Fraction
from pathlib import Path

import pytest

pytest.importorskip("flint", reason="the second checker needs python-flint")

sys.path.insert(0, str(Path(__file__).parent.parent / "checker"))  # its texts, and its exact truth

from systems import bilinear, circle, leg

import certify

GAP = certify.Options(gap=Fraction(1, 1000))


@pytest.fixture(scope="session")
def certified():
    """Certificates of the engine for planted problems: (name, text of the problem, text of the
    certificate, verdict).
    """
    found = []
    for make, seed in itertools.product((circle, bilinear, leg), (1, 2)):
        for epsilon in (0.0, 3.0 if make is leg else 1.0):
            planted = make(seed, epsilon=epsilon)
            result = certify.adequacy(planted.problem, options=GAP)
            for part in result.parts:
                if part.certificate is not None:
                    name = f"{make.__name__} {seed} {epsilon:g} {part.name}"
                    found.append((name, result.canonical.decode(), part.certificate.decode(), part.verdict))
    return found


@pytest.fixture(scope="session")
def bounded(certified):
    """Those that have a lower and an upper end, both above 0."""
    found = [(problem, text) for _, problem, text, verdict in certified if verdict is certify.Verdict.INADEQUATE]
    assert len(found) >= 3
    return found
