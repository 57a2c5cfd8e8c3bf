import itertools
import re
from fractions import Fraction

import pytest

pytest.importorskip("flint", reason="the second checker needs python-flint")

from systems import bilinear, circle, leg

import certify

GAP = certify.Options(gap=Fraction(1, 1000))


def _third_version(data):
    """Certificates of the engine as version 3 of the format has them."""
    text = data.decode()
    if not text.startswith("certify-certificate 2\n"):
        return text
    text = re.sub(r"^(lower .*\n)", r"norm largest\ndiscard 0\n\1", text, count=1, flags=re.M)
    return re.sub(r"^(zeros .*\n)", r"\1minimum none\n", text.replace("certificate 2", "certificate 3", 1), count=1, flags=re.M)


@pytest.fixture(scope="session")
def certified():
    """Certificates of the engine for planted problems: (name, text of the problem, text of the certificate, verdict)."""
    found = []
    for make, seed in itertools.product((circle, bilinear, leg), (1, 2)):
        for epsilon in (0.0, 3.0 if make is leg else 1.0):
            planted = make(seed, epsilon=epsilon)
            result = certify.adequacy(planted.problem, options=GAP)
            for part in result.parts:
                if part.certificate is not None:
                    name = f"{make.__name__} {seed} {epsilon:g} {part.name}"
                    found.append((name, result.canonical.decode(), _third_version(part.certificate), part.verdict))
    return found


@pytest.fixture(scope="session")
def bounded(certified):
    """Those that have a lower and an upper end, both above 0."""
    found = [(problem, text) for _, problem, text, verdict in certified if verdict is certify.Verdict.INADEQUATE]
    assert len(found) >= 3
    return found
