"""What is done with one folder in any order: two runs at once, a run that is gone on with by others, with other
options, after its end, or about another problem. It ends as an undisturbed run would, or in a clear error.
"""

import fcntl
import json
import os

import pytest
from killing import Killed, killed_after

from certify.__main__ import main
from certify.pieces import answer as pieces_answer
from certify.problems.errors import InputError
from certify.solvers.journal import locks
from certify.solvers.journal.beside import journal_path
from certify.solvers.journal.journal import NOTHING, Journal, Memory
from certify.solvers.journal.locks import Busy, folders_locked, taken
from certify.solvers.workers.processes import Processes
from certify.systems.solve import Asked, answered

CURVES = "Variables x in [-3, 3]; y in [-3, 3];\nConstraints x^2*y + y^3 = x; y = 2*sin(3*x) - x*y;\nend\n"
LINES = "Variables x in [-2, 2]; y in [-2, 2];\nConstraints x^2 = 1; y = x/2;\nend\n"
PLAN = '[[problems]]\nfile = "lines.bch"\n'


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setattr(locks, "PATIENCE", 0.2)
    for name, text in (("curves.bch", CURVES), ("lines.bch", LINES), ("campaign.toml", PLAN)):
        (tmp_path / name).write_text(text)
    return tmp_path


def run(place, name, *words, out="out"):
    return main(["run", str(place / name), "--out", str(place / out), "--workers", "1", "--quiet", *words])


def killed(place, monkeypatch, count, *words):
    """A run of the curves that ends after so many steps are kept."""
    with killed_after(count, monkeypatch):
        run(place, "curves.bch", *words)


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_what_is_half_written_is_not_looked_for_where_a_link_leads(place):
    theirs = place / "elsewhere" / ".certify-theirs"
    theirs.parent.mkdir()
    theirs.write_text("")
    (place / "out").mkdir()
    (place / "out" / "pieces").symlink_to(theirs.parent)
    assert run(place, "lines.bch") == 0 and theirs.is_file()


@pytest.mark.parametrize("text", ["[" * 100_000, '{"files": [' + '{"a": ' * 5000, "1" * 5000])
def test_a_record_that_nobody_can_read_is_not_ours(place, capsys, text):
    (place / "out").mkdir()
    (place / "out" / "result.json").write_text(text)
    assert run(place, "lines.bch") == 2
    assert "its result.json is not ours" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("run", "lines.bch"),
        ("run", "lines.bch", "--pieces"),
        ("run", "lines.bch", "--resume"),
        ("campaign", "campaign.toml"),
    ],
)
def test_two_at_once_in_one_folder_are_refused(place, capsys, words):
    out = place / "out"
    out.mkdir()
    (out / "mine").write_text("of the other one")
    command = [words[0], str(place / words[1]), "--out", str(out), "--workers", "1", "--quiet", *words[2:]]
    other = os.open(out, os.O_RDONLY)
    fcntl.flock(other, fcntl.LOCK_EX)
    before = files(out)
    assert main(command) == 2
    assert "another run writes to it" in capsys.readouterr().err
    assert files(out) == before
    os.close(other)
    assert main(command) == 0


def test_a_folder_is_free_after_a_command_and_for_the_same_one(place):
    for _ in range(2):
        with folders_locked():
            taken(place)
            taken(place)
            with pytest.raises(Busy), folders_locked():
                taken(place)
    taken(place)  # a library locks nothing
    assert issubclass(Busy, InputError)


def test_a_disk_without_locks_is_no_obstacle(place, monkeypatch):
    def refused(handle, operation):
        raise OSError(95, "not supported")

    monkeypatch.setattr(fcntl, "flock", refused)
    with folders_locked():
        taken(place)
    assert run(place, "lines.bch") == 0


def test_a_journal_in_use_ends_a_run_that_would_write_over_it(place, capsys):
    (place / "out").mkdir()
    journal = Journal.begin(journal_path(place / "out"), b"of another run")
    assert run(place, "lines.bch") == 2
    assert "another run writes to it" in capsys.readouterr().err
    journal.close(remove=True)


def test_a_finished_run_that_is_resumed_is_a_run(place):
    assert run(place, "curves.bch") == 0
    before = (place / "out" / "solutions.cert").read_bytes()
    for _ in range(2):
        assert run(place, "curves.bch", "--resume") == 0
        assert (place / "out" / "solutions.cert").read_bytes() == before
        assert not journal_path(place / "out").exists()


def test_a_run_about_another_problem_is_not_gone_on_with(place, monkeypatch, capsys):
    killed(place, monkeypatch, 3)
    known = journal_path(place / "out").read_bytes()
    (place / "curves.bch").write_text(CURVES.replace("2*sin", "3*sin"))
    assert run(place, "curves.bch", "--resume") == 2
    assert "about another problem" in capsys.readouterr().err
    assert journal_path(place / "out").read_bytes() == known
    assert run(place, "curves.bch") == 0  # anew
    assert run(place, "curves.bch", out="alone") == 0
    assert (place / "out" / "solutions.cert").read_bytes() == (place / "alone" / "solutions.cert").read_bytes()


@pytest.mark.parametrize(("first", "then"), [("1e-8", "1e-3"), ("1e-3", "1e-8"), ("1e-6", "1e-12")])
def test_another_width_is_answered_as_if_nothing_was_known(place, monkeypatch, first, then):
    killed(place, monkeypatch, 5, "--width", first)
    assert run(place, "curves.bch", "--resume", "--width", then) == run(
        place, "curves.bch", "--width", then, out="alone"
    )
    assert (place / "out" / "solutions.cert").read_bytes() == (place / "alone" / "solutions.cert").read_bytes()


def solved(memory, workers):
    if workers == 1:
        return answered(CURVES, Asked(memory=memory))
    with Processes(workers, forked=True) as crew:
        crew.begin()
        return answered(CURVES, Asked(memory=memory, crew=crew))


@pytest.mark.parametrize("order", [(1, 2), (2, 1), pytest.param((2, 3, 1), marks=pytest.mark.thorough)])
def test_whoever_goes_on_with_a_run_ends_in_the_same_certificate(tmp_path, monkeypatch, order):
    (expected,) = answered(CURVES, Asked(memory=NOTHING)).documents
    put, left = Journal.put, [0]

    def counted(self, key, answer):
        put(self, key, answer)
        left[0] -= 1
        if not left[0]:
            raise Killed

    path = tmp_path / "journal"
    Journal.begin(path, b"subject").close()
    for number, workers in enumerate(order):
        journal = Journal.resume(path, b"subject")
        left[0] = 3 if number + 1 < len(order) else 0
        with monkeypatch.context() as patched:
            patched.setattr(Journal, "put", counted)
            try:
                (found,) = solved(Memory(journal), workers).documents
            except Killed:
                assert number + 1 < len(order)
            finally:
                journal.close()
    assert found.certificate == expected.certificate


def test_what_was_said_of_another_problem_is_gone_when_pieces_are_begun(place, monkeypatch):
    assert run(place, "lines.bch", "--pieces") == 0
    assert json.loads((place / "out" / "result.json").read_text())["exit_code"] == 0

    def ended(self):
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(pieces_answer.Pieces, "run", ended)
        with pytest.raises(Killed):
            run(place, "curves.bch", "--pieces", "--resume")
    assert set(files(place / "out")) == {"problem.canonical", "result.json"}
    record = json.loads((place / "out" / "result.json").read_text())
    assert (record["exit_code"], record["certificate"]["verified"]) == (3, False)
    assert run(place, "curves.bch", "--pieces", "--resume") == 0
    assert run(place, "curves.bch", "--pieces", out="alone") == 0
    assert (place / "out" / "solutions.cert").read_bytes() == (place / "alone" / "solutions.cert").read_bytes()


def test_what_a_killed_run_has_left_half_written_is_swept_away(place):
    for at in (place / "out", place / "out" / "pieces"):
        (at / ".certify-stage").mkdir(parents=True)
        (at / ".certify-stage" / "result.json").write_text("half")
        (at / ".certify-solutions.cert.x").write_text("half")
        (at / ".mine").write_text("whole")
    assert run(place, "lines.bch", "--pieces", "--resume") == 0
    assert sorted(path.name for path in (place / "out").rglob(".*")) == [".mine", ".mine"]
    assert not list((place / "out").rglob("half"))


@pytest.mark.parametrize("words", [(), ("--pieces",)])
def test_a_file_with_an_accent_of_another_encoding_is_run(place, words):
    (place / "lines.bch").write_bytes(LINES.encode().replace(b"end", b"// \xe9t\xe9\nend"))
    assert run(place, "lines.bch", *words) == 0


@pytest.mark.parametrize("words", [(), ("--pieces",), ("--resume",)])
def test_a_file_that_cannot_be_read_is_named(place, words, monkeypatch, capsys):
    def refused(self, *more):
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as patched:
        patched.setattr("pathlib.Path.open", refused)
        assert run(place, "lines.bch", *words) == 2
    assert "lines.bch: it cannot be read (Permission denied); check its permissions" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a\u0000b.csv", "a\u0007.csv", "x" * 300 + ".csv", "a/" + "y" * 256])
def test_names_that_no_file_has_are_refused(place, capsys, name):
    """A TOML file may say a zero byte by \u0000; a name of 256 bytes is an error of the disk."""
    assert (
        main(["simulate", "--robot", "planar_3rpr", "--error", "none", "--out", str(place / "robot"), "--quiet"]) == 0
    )
    problem = place / "robot" / "problem.toml"
    text = problem.read_text()
    said = json.dumps(name)
    problem.write_text(text.replace('"poses.csv"', said))
    assert problem.read_text() != text
    assert main(["run", str(problem), "--out", str(place / "out"), "--quiet"]) == 2
    (place / "campaign.toml").write_text(f"[[problems]]\nfile = {said}\n")
    assert main(["campaign", str(place / "campaign.toml"), "--out", str(place / "out"), "--quiet"]) == 2
    told = capsys.readouterr().err
    assert told.isascii() and "bug" not in told and "Traceback" not in told
