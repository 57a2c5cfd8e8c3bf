"""Systems proved in pieces: the same count whatever the pieces are and wherever they come from; what is missing or
damaged stays open, and nothing is said of it.
"""

import hashlib
import json
import random
import re
from dataclasses import replace
from fractions import Fraction

import pytest

from certify.__main__ import main
from certify.checker import Status, check
from certify.checker.outcome import Clock
from certify.checks.checking import REJECTED, RESOURCE, Check, check_files_twice
from certify.claims.system_claims import pieces_told
from certify.contractors.protocol.contractor import Box
from certify.explaining.explanation import explain
from certify.explaining.explanation_text import claim
from certify.pieces.answer import AskedPieces, in_pieces
from certify.pieces.composing import Cut, Left, composed
from certify.pieces.kept import Kept
from certify.pieces.manifest import manifest
from certify.pieces.proving import Effort, PartProver, across, halves
from certify.pieces.running import Pieces, parts, share_of, work_of
from certify.pieces.zeros import Together
from certify.problems.errors import InputError
from certify.problems.minibex import parse_minibex
from certify.problems.model.canonical import digest
from certify.proofs.certificate_text import Claim
from certify.questions.system_search import warm_up_systems
from certify.records.options import silent
from certify.solvers.limits import Limit
from certify.solvers.workers.processes import Processes

CIRCLE = """Variables x in [-3, 3]; y in [-3, 3];
Constraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;
end
"""
# x^2 = 2 y, y^2 = x y: (0, 0) twice, which no test isolates, and (2, 2)
TOUCHING = """Variables x in [-1, 3]; y in [-1, 3];
Constraints x^2 = 2*y; y^2 = x*y;
end
"""
# zeros at 0 and +-1 in x, where the box is cut, beside y = x/2
ON_CUTS = """Variables x in [-2, 2]; y in [-2, 2];
Constraints x^3 = x; y = x/2;
end
"""
LITTLE = Effort(cells=40, leaves=30)


def proved(tmp_path, text=CIRCLE, effort=LITTLE, seconds=60.0, workers=1):
    """The prover, its pieces, and the run that has found them."""
    warm_up_systems()
    prover = PartProver(parse_minibex(text), effort)
    kept = Kept(tmp_path / "pieces", digest(prover.proving.canonical))
    with Processes(workers, forked=True) as crew:
        crew.begin()
        run = Pieces(prover, kept, Limit.of(seconds), silent, crew, work_of(text, effort))
        run.run()
    return prover, kept, run


def judged(prover, kept, found):
    """What the checker says of a manifest."""

    def load(name):
        path = kept.folder / f"{name}.cert"
        return path.read_bytes() if path.is_file() else None

    return check(prover.proving.canonical, found.certificate, 60, load)


def test_a_system_is_counted_in_pieces(tmp_path):
    prover, kept, run = proved(tmp_path)
    found = manifest(prover.proving, prover.scope, kept.pieces())
    assert found.whole and found.solutions == 8 and found.pieces == len(run.found) > 3
    outcome = judged(prover, kept, found)
    assert outcome.status is Status.VERIFIED and f"exactly 8 (with {found.pieces} pieces)" in outcome.message
    (tmp_path / "one.canonical").write_bytes(prover.proving.canonical)
    (tmp_path / "one.cert").write_bytes(found.certificate)
    assert check_files_twice(tmp_path / "one.canonical", tmp_path / "one.cert").verified


@pytest.mark.thorough
def test_some_pieces_say_no_more_than_they_may(tmp_path):
    """Any of them together: at least so many solutions, and the rest is open, exactly."""
    prover, kept, _ = proved(tmp_path)
    everything = list(kept.pieces())
    rng = random.Random(1)
    for _ in range(4):
        some = rng.sample(everything, rng.randint(1, len(everything) - 1))
        found = manifest(prover.proving, prover.scope, some)
        assert not found.whole and found.solutions <= 8 and found.pieces == len(some)
        settled = sum(_volume(piece.part) for piece in some) / _volume(prover.box)
        assert found.open_share == 1 - settled
        outcome = judged(prover, kept, found)
        assert outcome.status is Status.VERIFIED and "exactly" not in outcome.message
        more = re.sub(rb"(?m)^volume .*$", b"volume " + str(found.open_share / 2).encode(), found.certificate)
        assert judged(prover, kept, found.__class__(more, 0, 0, (), Fraction(0))).status is Status.REJECTED


def _volume(box):
    volume = Fraction(1)
    for low, high in box:
        volume *= high - low
    return volume


@pytest.mark.thorough
def test_a_run_goes_on_with_what_is_there(tmp_path):
    """Files that are gone, cut short or changed are proved again, and no others."""
    prover, kept, run = proved(tmp_path)
    files = sorted(kept.folder.glob("*.cert"))
    before = {path: path.read_bytes() for path in files}
    files[0].unlink()
    files[1].write_bytes(before[files[1]][:-5])
    files[2].write_bytes(before[files[2]].replace(b"precision 112", b"precision 113"))
    again = Pieces(prover, kept, Limit.of(60.0), silent)
    again.run()
    assert again.tried < run.tried
    found = manifest(prover.proving, prover.scope, kept.pieces())
    assert found.whole and found.solutions == 8
    assert judged(prover, kept, found).status is Status.VERIFIED


@pytest.mark.thorough
def test_processes_find_the_same_pieces(tmp_path):
    """Whether a part is proved or divided does not depend on when and where it is tried."""
    found = [proved(tmp_path / str(workers), workers=workers)[1] for workers in (1, 3)]
    one, three = ([piece.digest for piece in kept.pieces()] for kept in found)
    assert one == three and len(one) > 3


@pytest.mark.parametrize("cut", range(3))
def test_a_zero_on_a_cut_is_counted_once(tmp_path, cut):
    """Both sides of x = 0, or of x = +-1, are proved apart, and so have its zero twice."""
    at = Fraction((0, 1, -1)[cut])
    prover = PartProver(parse_minibex(ON_CUTS), Effort())
    kept = Kept(tmp_path / "pieces", digest(prover.proving.canonical))
    (low, high), rest = prover.box[0], prover.box[1:]
    pieces = [
        kept.add(prover.attempt(part, Limit.of(60.0)).certificate.encode())
        for part in (((low, at), *rest), ((at, high), *rest))
    ]
    assert sum(len(piece.zeros) for piece in pieces) == 4
    found = manifest(prover.proving, prover.scope, kept.pieces())
    assert found.whole and found.solutions == 3
    assert judged(prover, kept, found).status is Status.VERIFIED


def test_zeros_that_may_be_two_are_not_told_to_be_one(tmp_path):
    """Boxes around different zeros that do not hold each other's are two; of one that cannot be told nothing is."""
    prover = PartProver(parse_minibex(ON_CUTS), Effort())
    kept = Kept(tmp_path / "pieces", digest(prover.proving.canonical))
    piece = kept.add(prover.attempt(prover.box, Limit.of(60.0)).certificate.encode())
    together = Together(prover.proving.judge(prover.scope))
    assert together.add(piece.zeros) and len(together.found) == 3
    assert together.add(piece.zeros) and len(together.found) == 3
    false = piece.zeros[0]._replace(box=tuple((low + 1 / Fraction(3), high) for low, high in piece.zeros[0].box))
    assert not together.add([false])


def test_pieces_that_are_not_checked_say_how_to_go_on():
    late, refused = (Check("", code, "why", 1.0) for code in (RESOURCE, REJECTED))
    told, wrong = (pieces_told("title", 3, 2, 0, Fraction(0), check).text for check in (late, refused))
    assert "nothing is known" in told and "--pieces --resume" in told
    assert "nothing is known" in wrong and "--resume" not in wrong


@pytest.mark.thorough
def test_what_is_not_isolated_stays_open(tmp_path):
    """Around a double zero nothing is proved, and everything else is."""
    prover, kept, run = proved(tmp_path, TOUCHING, Effort(cells=200, leaves=100), seconds=4.0)
    found = manifest(prover.proving, prover.scope, run.found)
    assert not found.whole and found.solutions == 1
    assert all(low <= 0 <= high for box in found.left[:1] for low, high in box) or found.open_share < 1
    outcome = judged(prover, kept, found)
    assert outcome.status is Status.VERIFIED and "at least 1" in outcome.message


@pytest.mark.parametrize("seed", range(20))
def test_trees_are_found_from_parts(seed):
    """Of any division of a box, and any choice of its parts: each is a leaf, once, and what is left is the rest."""
    rng = random.Random(seed)
    box = tuple((Fraction(-rng.randint(1, 9), 7), Fraction(rng.randint(1, 9), 7)) for _ in range(rng.randint(1, 4)))
    whole = Box([float(low) for low, _ in box], [float(high) for _, high in box])
    found = [box]
    for _ in range(rng.randint(1, 40)):
        part = found.pop(rng.randrange(len(found)))
        found += halves(part, across(part, whole))
    chosen = rng.sample(found, rng.randint(1, len(found)))
    named, left, boxes = [], Fraction(0), [box]
    for node in composed(box, chosen):
        here = boxes.pop()
        if isinstance(node, Cut):
            low, high = here[node.place]
            assert low < node.at < high
            sides = [(*here[: node.place], ends, *here[node.place + 1 :]) for ends in ((node.at, high), (low, node.at))]
            boxes += sides
        elif isinstance(node, Left):
            assert node.box == here
            left += _volume(here)
        else:
            assert chosen[node] == here
            named.append(node)
    assert not boxes and sorted(named) == list(range(len(chosen)))
    assert left + sum(map(_volume, chosen)) == _volume(box)


def test_parts_that_overlap_are_divided_among_them():
    box = ((Fraction(0), Fraction(4)),)
    given = [((Fraction(0), Fraction(3)),), ((Fraction(1), Fraction(4)),)]
    nodes = list(composed(box, given))
    assert not any(isinstance(node, Left) for node in nodes) and {0, 1} <= {n for n in nodes if isinstance(n, int)}


@pytest.mark.parametrize("count", [1, 2, 3, 7, 16])
def test_equal_parts_are_the_whole(count):
    box = ((Fraction(-1), Fraction(2)), (Fraction(0), Fraction(1, 3)))
    found = parts(box, count, Box([-1.0, 0.0], [2.0, 1 / 3]))
    assert len(found) == count and sum(map(_volume, found)) == _volume(box)
    assert found == parts(box, count, Box([-1.0, 0.0], [2.0, 1 / 3]))


def test_shares_are_told_as_fractions():
    assert share_of("2/3", "--part") == (2, 3)
    for text in ("0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "", "-1/2", "1.0/2"):
        with pytest.raises(InputError, match="no part of so many"):
            share_of(text, "--part")


def test_what_pieces_say_is_explained_as_that(tmp_path):
    """A piece speaks of its part, some pieces of at least so many, all of exactly so many."""
    prover = PartProver(parse_minibex(ON_CUTS), Effort())
    kept = Kept(tmp_path / "pieces", digest(prover.proving.canonical))
    both = [
        kept.add(prover.attempt(part, Limit.of(60.0)).certificate.encode())
        for part in parts(prover.box, 2, Box(*prover.system.box))
    ]
    data = (kept.folder / f"{both[0].digest}.cert").read_bytes()
    told = "\n".join(claim(explain(prover.proving.canonical, data)))
    assert "This certificate is a piece" in told and "in the part of the search box there is no other" in told
    some = manifest(prover.proving, prover.scope, both[:1])
    told = "\n".join(claim(explain(prover.proving.canonical, some.certificate)))
    assert f"at least {some.solutions} solution" in told and "All other solutions in the search box lie in" in told
    open_one = some.certificate.replace(b"\nbox\n", b"\npart -2 2 -2 2\n")
    told = "\n".join(claim(explain(prover.proving.canonical, open_one)))
    assert "All other solutions in the part of the search box lie in" in told
    whole = manifest(prover.proving, prover.scope, both)
    told = "\n".join(claim(explain(prover.proving.canonical, whole.certificate)))
    assert "exactly 3 solutions" in told and "piece" not in told


def test_what_is_open_is_told_for_scripts_as_in_words(tmp_path):
    """A count is one only where nothing is open, and a share that is no double is rounded up."""
    file = tmp_path / "cuts.bch"
    file.write_text(ON_CUTS)
    answer = in_pieces(file, AskedPieces(tmp_path / "out", 60.0, share=(1, 3)))
    told = json.loads((tmp_path / "out" / "result.json").read_text())
    assert "solutions" not in told and told["solutions_at_least"] == answer.made.solutions
    assert "at least" in told["coverage"] and not answer.made.whole
    assert Fraction(told["open_share"]) >= answer.made.open_share
    whole = answer.__class__(answer.title, _shared(answer.made, Fraction(1, 3)), answer.check, answer.stopped, tmp_path)
    assert whole.as_json()["open_share"] > Fraction(1, 3)
    refused = replace(answer, check=replace(answer.check, code=1)).as_json()
    assert not {"pieces", "open_parts", "open_share", "solutions", "solutions_at_least"} & set(refused)


def _shared(made, share):
    return made.__class__(made.certificate, made.solutions, made.pieces, made.left, share)


def test_an_open_part_of_a_box_without_volume_is_a_share_of_it(tmp_path):
    """One of its sides is a point."""
    prover = PartProver(
        parse_minibex("Variables x in [-2, 2]; y in [1, 1]; Constraints x^2 = 2*y; y = 1; end"), Effort()
    )
    kept = Kept(tmp_path / "pieces", digest(prover.proving.canonical))
    quarter = ((Fraction(0), Fraction(1)), prover.box[1])
    kept.add(prover.attempt(quarter, Limit.of(60.0)).certificate.encode())
    found = manifest(prover.proving, prover.scope, kept.pieces())
    assert found.open_share == Fraction(3, 4) and judged(prover, kept, found).status is Status.VERIFIED


@pytest.mark.parametrize("words", [["--pieces"], []])
def test_what_a_killed_run_has_left_is_not_told_by_the_next_one(tmp_path, monkeypatch, words):
    """Its certificate is written and not checked; then another system is asked, which gets none."""
    first, second, out = tmp_path / "first.bch", tmp_path / "second.bch", tmp_path / "out"
    first.write_text(ON_CUTS)
    second.write_text("Variables x in [-3, 3]; Constraints sign(x)*x = 2; end")

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        for module in ("certify.pieces.answer", "certify.systems.system_record"):
            patched.setattr(f"{module}.check_each", killed)
        main(["run", str(first), "--out", str(out), "--quiet", "--workers", "1", *words])
    assert (out / "solutions.cert").is_file() and "has not ended" in (out / "result.json").read_text()
    assert main(["run", str(second), "--out", str(out), "--quiet", "--workers", "1", "--no-report"]) == 3
    assert not list(out.glob("*.cert")) and not list(out.glob("*.canonical"))


def test_a_piece_that_proves_nothing_is_left_out(tmp_path):
    """It says that the box holds nothing: the checker refuses it, and the others stand for what they prove."""
    file, out = tmp_path / "cuts.bch", tmp_path / "out"
    file.write_text(ON_CUTS)
    prover = PartProver(parse_minibex(ON_CUTS), Effort())
    kept = Kept(out / "pieces", digest(prover.proving.canonical))
    half = parts(prover.box, 2, Box(*prover.system.box))[0]
    good = kept.add(prover.attempt(half, Limit.of(60.0)).certificate.encode())
    false = Claim(prover.proving.names(prover.scope), lower=Fraction(0), part=prover.box)
    bad = kept.add(prover.proving.written(false, ["evaluate 0 0"]))
    answer = in_pieces(file, AskedPieces(out, 60.0, resume=True))
    assert answer.exit_code == 3 and answer.check.verified and answer.made.solutions == len(good.zeros) > 0
    assert [piece.digest for piece in kept.pieces()] == [good.digest] and bad.digest != good.digest
    assert in_pieces(file, AskedPieces(out, 60.0, resume=True)).exit_code == 0


def test_files_that_are_no_pieces_are_left_alone(tmp_path):
    """Of another problem, of the whole box, with another name, links: none is read as one of ours."""
    _, kept, _ = proved(tmp_path, ON_CUTS, Effort())
    (piece,) = kept.pieces()
    data = (kept.folder / f"{piece.digest}.cert").read_bytes()
    other = Kept(tmp_path / "other", "0" * 64)
    assert other.add(data) is None and not list(other.pieces())
    assert kept.add(data.replace(b"part -2 2 -2 2", b"box")) is None
    assert kept.add(b"certify-certificate 6\n") is None
    (kept.folder / f"{hashlib.sha256(b'x').hexdigest()}.cert").write_bytes(data)
    (kept.folder / "copy.cert").write_bytes(data)
    assert [one.digest for one in kept.pieces()] == [piece.digest]


def test_what_cannot_be_proved_in_pieces_is_refused():
    for text, reason in (
        ("Variables x in [0, 1]; Constraints x^2 <= 2; end", "not as many equations"),
        ("Variables x in [0, 1]; y in [0, 1]; Constraints x^2 = y; end", "not as many equations"),
        ("Variables x; Constraints x^2 = 2; end", "without bounds"),
        (
            f"Variables {' '.join(f'x{k} in [0, 1];' for k in range(65))}"
            f"Constraints {' '.join(f'x{k}^2 = 2;' for k in range(65))} end",
            "more than 64",
        ),
    ):
        with pytest.raises(InputError, match=reason):
            PartProver(parse_minibex(text), Effort())


@pytest.mark.thorough
def test_parts_from_several_runs_are_composed(tmp_path, capsys):
    """As on three machines; the first two leave the third open, and a folder without pieces says nothing."""
    file = tmp_path / "circle.bch"
    file.write_text(CIRCLE)
    folders = [tmp_path / f"part{k}" for k in (1, 2, 3)]
    for k, folder in enumerate(folders, 1):
        assert main(["run", str(file), "--out", str(folder), "--pieces", "--part", f"{k}/3", "--workers", "1"]) == 3
    assert main(["compose", str(file), *map(str, folders[:2]), "--out", str(tmp_path / "all")]) == 3
    assert "left open" in capsys.readouterr().out
    assert main(["compose", str(file), str(folders[2]), "--out", str(tmp_path / "all")]) == 0
    assert "the box holds exactly 8 solutions" in capsys.readouterr().out
    assert main(["check", str(tmp_path / "all")]) == 0
    assert main(["report", str(tmp_path / "all")]) == 0
    assert main(["run", str(file), "--out", str(tmp_path / "all"), "--pieces"]) == 2
    assert "give --resume" in capsys.readouterr().err
    assert main(["run", str(file), "--out", str(tmp_path / "all"), "--pieces", "--resume", "--workers", "2"]) == 0


@pytest.mark.thorough
def test_a_run_without_time_says_nothing(tmp_path):
    file = tmp_path / "circle.bch"
    file.write_text(CIRCLE)
    answer = in_pieces(file, AskedPieces(tmp_path / "out", 1e-3))
    assert answer.exit_code == 3 and answer.check is None and "nothing is known" in answer.told.text
    assert Clock().deadline is None


def test_options_that_do_not_go_together_are_refused(tmp_path, capsys):
    file = tmp_path / "circle.bch"
    file.write_text(CIRCLE)
    out = ["--out", str(tmp_path / "out")]
    for words, reason in (
        (["--part", "1/2", *out], "belongs to --pieces"),
        (["--pieces"], "give both"),
        (["--pieces", "--width", "1", *out], "does not go with --pieces"),
        (["--pieces", "--part", "3/2", *out], "no part of so many"),
    ):
        assert main(["run", str(file), *words]) == 2
        assert reason in capsys.readouterr().err
    assert main(["compose", str(file), str(tmp_path / "none"), *out]) == 2
    assert "there is no folder" in capsys.readouterr().err
