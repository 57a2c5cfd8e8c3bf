"""Polytopes: half-spaces along principal axes hold every sampled consistent point, are near verified witnesses, and
cannot be moved inwards.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from readings_on_a_line import VALUES, line
from two_checkers import both

from certify.claims.hull_table import hull_section
from certify.questions.enclose import enclose


@pytest.fixture(scope="module")
def answer():
    return enclose(line([str(v) for v in VALUES]), polytopes=True)


def test_it_is_verified_by_both_checkers(answer):
    part = answer.parts[0]
    assert part.polytope is not None
    assert part.certificate == part.polytope.certificate
    assert both(answer.canonical, part.certificate) == "VERIFIED"
    assert b"\nframe " in part.certificate
    assert part.certificate.count(b"\nfacet ") == 4


def test_it_is_much_smaller_than_the_box(answer):
    assert answer.parts[0].polytope.estimated_share < 0.6
    assert all(axis.gap < 0.011 for axis in answer.parts[0].polytope.axes)


def test_every_sampled_consistent_point_is_inside(answer):
    part, random = answer.parts[0], np.random.default_rng(1)
    times, values, inside = np.arange(len(VALUES)), np.array(VALUES), 0
    lower, upper = (np.array([float(end) for end in ends]) for ends in (part.box.lower, part.box.upper))
    for x in random.uniform(lower, upper, (4000, 2)):
        if np.abs(x[0] + x[1] * times - values).max() <= 0.1:
            inside += 1
            for axis in part.polytope.axes:
                at = float(np.dot([float(a) for a in axis.coefficients], x))
                assert float(axis.lower) - 1e-9 <= at <= float(axis.upper) + 1e-9
    assert inside > 100


def test_a_facet_moved_inwards_is_rejected(answer):
    lines = answer.parts[0].certificate.decode().splitlines()
    place = next(k for k, text in enumerate(lines) if text.startswith("facet "))
    *start, bound = lines[place].split(" ")
    lines[place] = " ".join([*start, str(Fraction(bound) - Fraction(1, 100))])
    assert both(answer.canonical, ("\n".join(lines) + "\n").encode()) == "REJECTED"


def test_another_frame_is_rejected(answer):
    text = answer.parts[0].certificate.decode()
    start = text.index("frame ")
    tokens = text[start : text.index("\n", start)].split(" ")
    tokens[1] = "12345"
    forged = text[:start] + " ".join(tokens) + text[text.index("\n", start) :]
    assert both(answer.canonical, forged.encode()) == "REJECTED"


def test_the_record_has_the_axes(answer):
    axes = answer.parts[0].as_json()["axes"]
    assert len(axes) == 2
    assert all(axis["range"][0] < axis["range"][1] for axis in axes)


def test_the_gap_is_to_witnesses_within_the_search_box(answer):
    """The box of skew coordinates holds consistent points that lie outside the search box: they say nothing about the
    half-spaces.
    """
    middle = sum((end[0] for end in (answer.parts[0].box.lower, answer.parts[0].box.upper)), Fraction(0)) / 2
    problem = line([str(v) for v in VALUES])
    first, second = problem.variables
    thin = replace(
        problem, variables=(replace(first, lower=middle - Fraction(1, 100), upper=middle + Fraction(1, 100)), second)
    )
    part, times, values = enclose(thin, polytopes=True).parts[0], np.arange(len(VALUES)), np.array(VALUES)
    for axis in part.polytope.axes:
        a, found = [float(entry) for entry in axis.coefficients], []
        for x in np.linspace(float(thin.variables[0].lower), float(thin.variables[0].upper), 2001):
            slopes = (values[1:] - x) / times[1:]
            low, high = (slopes - 0.1 / times[1:]).max(), (slopes + 0.1 / times[1:]).min()
            found += [a[0] * x + a[1] * y for y in (low, high) if low <= high]
        distance = max(min(found) - float(axis.lower), float(axis.upper) - max(found)) / float(axis.upper - axis.lower)
        assert distance <= axis.gap + 1e-6
        assert axis.gap < 0.1


def test_where_none_is_found_this_is_said(monkeypatch):
    import importlib

    monkeypatch.setattr(importlib.import_module("certify.questions.enclose"), "polytope", lambda *_: None)
    answer = enclose(line([str(v) for v in VALUES]), polytopes=True)
    assert answer.parts[0].polytope is None
    assert any("no half-spaces" in line_ for line_ in hull_section(answer))
    assert not any("half-spaces" in line_ for line_ in hull_section(enclose(line([str(v) for v in VALUES]))))
