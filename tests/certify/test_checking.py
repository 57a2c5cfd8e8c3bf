"""Many certificates judged by few processes: each in a fork of its own, with the words and codes of the checker called
for it alone.
"""

from fractions import Fraction

import pytest

import certify
from certify.checker.command import PIECES
from certify.checks import checking
from certify.checks.checking import SMALL, Check, _shared, check_each, check_files
from certify.solvers.limits import Limit


def written(folder, two_legs):
    result = certify.adequacy(two_legs, options=certify.Options(gap=Fraction(1, 10)))
    first, second, *_ = result.save(folder)
    damaged = folder / "damaged.cert"
    damaged.write_bytes(first.read_bytes().replace(b"\nlower ", b"\nlower 1"))
    torn = folder / "torn.cert"
    torn.write_bytes(first.read_bytes()[:500])
    return [
        (folder / "problem.canonical", path) for path in (first, damaged, second, torn, folder / "missing.cert", first)
    ]


@pytest.mark.thorough
def test_each_is_told_as_if_it_were_judged_alone(tmp_path, two_legs):
    pairs = written(tmp_path, two_legs)
    found = check_each(pairs, Limit.of(600.0))
    alone = [check_files(*pair) for pair in pairs]
    assert [(one.certificate, one.code, one.message) for one in found] == [
        (one.certificate, one.code, one.message) for one in alone
    ]
    assert [one.code for one in found] == [0, 1, 0, 1, 2, 0]


def test_a_checker_that_says_nothing_has_accepted_nothing(tmp_path, two_legs, monkeypatch):
    pairs = written(tmp_path, two_legs)[:3]
    torn = 'print("[0, \\"VERIF", end="")'
    silent = "RESOURCE the checker ended without a word"
    for script, told in (("", silent), (torn, silent), (KILLED, "RESOURCE the checker was ended by signal 9")):
        broken = tmp_path / "broken.py"
        broken.write_text(script)
        monkeypatch.setattr(checking, "EACH", broken)
        found = check_each(pairs, Limit.of(60.0))
        assert [(one.code, one.message) for one in found] == [(3, told)] * 3
        assert not any(one.verified for one in found)


KILLED = """
import json, sys
for line in sys.stdin:
    print(json.dumps([-9, "VERIFIED scope leg1"]), flush=True)
"""


def test_nothing_is_checked_after_the_limit(tmp_path, two_legs):
    pairs = written(tmp_path, two_legs)[:1]
    assert check_each(pairs, Limit.of(-1.0)) == (Check(pairs[0][1].name, 3, "not checked: time limit", 0.0),)


@pytest.mark.parametrize(
    ("sizes", "workers", "expected"),
    [
        ((SMALL * 4,), 2, [2]),
        ((SMALL * 4,), 1, [1]),
        ((SMALL - 1,), 2, [1]),
        ((SMALL * 4, SMALL * 4), 2, [1, 1]),
        ((SMALL * 40, SMALL, 10), 2, [2, 1, 1]),
        ((SMALL * 4, SMALL * 4), 8, [4, 4]),
        ((SMALL * 4,), 500, [99]),
    ],
)
def test_long_certificates_have_several_processes(sizes, workers, expected, tmp_path):
    pairs = [(tmp_path / "problem", tmp_path / f"{number}.cert") for number in range(len(sizes))]
    for (_, path), size in zip(pairs, sizes, strict=True):
        path.write_bytes(bytes(size))
    assert _shared(pairs, workers) == expected


def test_a_manifest_is_as_long_as_its_pieces(tmp_path):
    (tmp_path / PIECES).mkdir()
    (tmp_path / PIECES / "one.cert").write_bytes(bytes(SMALL))
    (tmp_path / "whole.cert").write_bytes(b"short")
    assert _shared([(tmp_path / "problem", tmp_path / "whole.cert")], 2) == [2]
