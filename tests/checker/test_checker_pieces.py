"""Trees that are proved in pieces: planted zeros are counted once each, wherever the box is cut, and no piece is held
longer than it is judged.
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from checker_texts import PIECES, certificate6, judge, kept, problem, tape
from texts import pieces

from certify.checker import Status, check, command
from certify.proofs.certificate_text import dyadic

RADIUS = Fraction(1, 32)
Root = Fraction


def product_of(roots: list[Root]) -> str:
    """The product of all x - r on [-2, 2]."""
    lines, place, total = [], 1, -1
    for root in roots:
        lines += [f"const {root}", f"sub 0 {place}"]
        place += 2
        if total >= 0:
            lines.append(f"mul {total} {place - 1}")
            place += 1
        total = place - 1
    return problem([("x", -2, 2)], [], [tape(1, *lines)], ["F 0 1 v0"])


def isolated(root: Root, roots: list[Root]) -> list[str]:
    """A box around a root, and the inverse of the derivative there, rounded."""
    slope = Fraction(1)
    for other in roots:
        slope *= root - other if other != root else 1
    inverse = Fraction(round(2**20 / slope), 2**20)
    return [f"zero {dyadic(root - RADIUS)} {dyadic(root + RADIUS)}", f"inverse {dyadic(inverse)}"]


def tree(low: Fraction, high: Fraction, roots: list[Root]) -> list[str]:
    """Divided at the ends of all boxes: known within them, refuted elsewhere."""
    for number, root in enumerate(roots):
        for end in (root - RADIUS, root + RADIUS):
            if low < end < high:
                return [f"split 0 {dyadic(end)}", *tree(low, end, roots), *tree(end, high, roots)]
        if root - RADIUS <= low and high <= root + RADIUS:
            return [f"known {number}"]
    return ["evaluate 0 0"]


def certified(text: str, roots: list[Root], known: list[Root], lines: list[str], point: str = "box") -> str:
    found = [line for root in known for line in isolated(root, roots)]
    return certificate6(text, pieces.EQUATION, kind="system", point=point, zeros=len(known), isolated=found, tree=lines)


def piece(text: str, roots: list[Root], low: Fraction, high: Fraction) -> str:
    """The leaf of a part, whose roots are all that lie in it or near."""
    near = [root for root in roots if low - RADIUS <= root <= high + RADIUS]
    return f"piece {kept(certified(text, roots, near, tree(low, high, near), f'part {low} {high}'))}"


@pytest.mark.parametrize("seed", range(12))
def test_a_planted_zero_is_counted_in_pieces(seed: int) -> None:
    """Cuts lie anywhere, also on zeros; whoever leaves a zero out is not believed."""
    rng = random.Random(seed)
    roots = sorted(rng.sample([Fraction(k, 2) for k in range(-3, 4)], rng.randint(1, 3)))
    text = product_of(roots)
    cuts = {*rng.sample([Fraction(k, 64) for k in range(-127, 128)], 3), rng.choice(roots)}
    ends = [Fraction(-2), *sorted(cuts), Fraction(2)]
    lines: list[str] = []
    for low, high in pairwise(ends):
        lines += [f"split 0 {dyadic(high)}"] if high < 2 else []
        lines.append(piece(text, roots, low, high))
    whole = certified(text, roots, roots, lines)
    outcome = judge(text, whole)
    assert outcome.status is Status.VERIFIED, outcome.message
    assert f"is exactly {len(roots)} (with {len(ends) - 1} pieces)" in outcome.message
    for left_out in roots:
        fewer = certified(text, roots, [root for root in roots if root != left_out], lines)
        assert judge(text, fewer).status is Status.REJECTED


def test_the_words_of_parts_say_that_they_are_parts() -> None:
    for name in ("a piece", "a piece without zeros", "a piece that is open", "a piece that does not end"):
        assert "in a part of the box of 1 variables: " in judge(*pieces.VALID[name]).message
    assert "is at least 1" in judge(*pieces.VALID["at least one of three"]).message
    assert "all unknowns but those of the zeros" in judge(*pieces.VALID["at least one of three"]).message
    assert "a part" not in judge(*pieces.VALID["two pieces"]).message


def test_pieces_lie_beside_the_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In files that are named by their hashes; one that is missing, or another, is no proof."""
    text, whole = pieces.VALID["two pieces"]
    (tmp_path / "one.canonical").write_text(text)
    (tmp_path / "one.cert").write_text(whole)
    asked = [str(tmp_path / "one.canonical"), str(tmp_path / "one.cert")]
    assert command.main(asked) == 1
    assert "is not at hand" in capsys.readouterr().out
    (tmp_path / "pieces").mkdir()
    files = [tmp_path / "pieces" / f"{word.split(' ')[1]}.cert" for word in pieces.HALVES[1:]]
    for path in files:
        path.write_bytes(PIECES[path.stem])
    assert command.main(asked) == 0
    assert "with 2 pieces" in capsys.readouterr().out
    files[0].write_bytes(PIECES[files[1].stem])
    assert command.main(asked) == 1
    assert "have another hash" in capsys.readouterr().out


def test_one_piece_is_held_at_a_time() -> None:
    """Each is loaded when the tree comes to it, and the deadline is one for all."""
    asked: list[str] = []

    def load(digest: str) -> bytes | None:
        asked.append(digest)
        return PIECES.get(digest)

    text, whole = pieces.VALID["a piece twice"]
    assert check(text.encode(), whole.encode(), 100, load).status is Status.VERIFIED
    assert len(asked) == 3
    assert check(text.encode(), whole.encode(), 0, load).status is Status.RESOURCE
