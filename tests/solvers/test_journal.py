"""Plain data come back as they were or not at all; a journal that was cut off or damaged anywhere gives whole answers
or none.
"""

import os
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies

from certify.problems.errors import InputError
from certify.solvers.journal import journal as journals
from certify.solvers.journal.beside import journal_path, kept_beside
from certify.solvers.journal.journal import HEADER, NOTHING, Journal, Memory, digest
from certify.solvers.journal.plain import DEEPEST, Damaged, Plain, fits


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Point:
    x: float
    colours: tuple[Colour, ...] = ()
    next: "Point | None" = None


CODEC = Plain(Point, Colour)
PLAIN = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats(allow_nan=False)
    | strategies.text()
    | strategies.binary()
    | strategies.fractions(),
    lambda inner: (
        strategies.lists(inner)
        | strategies.lists(inner).map(tuple)
        | strategies.dictionaries(strategies.integers() | strategies.text(), inner)
    ),
)


@given(PLAIN)
def test_plain_data_come_back_as_they_were(value):
    found = CODEC.decode(CODEC.encode(value), Any)
    assert found == value
    assert type(found) is type(value)


@given(strategies.binary(max_size=200))
def test_bytes_of_a_stranger_are_data_or_damaged(data):
    try:
        found = CODEC.decode(data, Any)
    except Damaged:
        return
    again = CODEC.encode(found)
    assert CODEC.encode(CODEC.decode(again, Any)) == again


def test_records_come_back_with_the_types_that_they_declare():
    point = Point(1.5, (Colour.RED, Colour.BLUE), Point(2.0))
    assert CODEC.decode(CODEC.encode(point), Point) == point
    for wrong in (Point("1.5"), Point(1.5, (1,)), Point(1.5, next=3)):
        with pytest.raises(Damaged):
            CODEC.decode(CODEC.encode(wrong), Point)
    with pytest.raises(Damaged, match="kind"):
        CODEC.decode(CODEC.encode(point), Colour)


def test_arrays_come_back_with_their_shapes():
    for array in (np.array([[1.0, -0.0], [np.inf, 5e-324]]), np.array([3, -(2**62)]), np.array([True, False])):
        found = CODEC.decode(CODEC.encode(array), Any)
        assert found.dtype == array.dtype
        assert found.tobytes() == array.tobytes()
        assert found.shape == array.shape
        found[...] = 0  # it is its own
    with pytest.raises(Damaged):
        CODEC.encode(np.array(["text"]))


def test_what_is_too_deep_is_neither_written_nor_read():
    deep = None
    for _ in range(DEEPEST + 2):
        deep = Point(1.0, (), deep)
    with pytest.raises(Damaged, match="deep"):
        CODEC.encode(deep)
    with pytest.raises(Damaged):
        CODEC.decode(b"u\x01\x00\x00\x00" * 5000, Any)


def test_lengths_beyond_the_bytes_are_refused_before_memory_is_taken():
    for data in (b"u\xff\xff\xff\xff", b"s\xff\xff\xff\xff", b"aD\x02\x00\x00\x00" + b"\xff" * 8, b"i\xff\xff\xff\x7f"):
        with pytest.raises(Damaged):
            CODEC.decode(data, Any)


def test_annotations_are_judged():
    assert fits((1, 2.0, None), tuple[int, float, str | None])
    assert not fits((1, 2.0), tuple[int, float, str | None])
    assert not fits(True, int)
    assert fits(2**53, float)
    assert not fits(10**400, float)  # what compares it with doubles would fail
    assert fits({"a": [1]}, dict[str, list[int]])
    assert not fits({"a": [1.0]}, dict[str, list[int]])


ANSWERS = {digest(bytes([k])): bytes([k]) * (3 * k + 1) for k in range(3)}


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.setattr(journals.os, "fsync", lambda handle: None)  # the disk is slow
    path = tmp_path / "run.journal"
    journal = Journal.begin(path, b"subject")
    for key, answer in ANSWERS.items():
        journal.put(key, answer)
    journal.close()
    return path


def read(path):
    journal = Journal.resume(path, b"subject")
    found = {key: journal.get(key) for key in ANSWERS}
    journal.close()
    return {key: answer for key, answer in found.items() if answer is not None}


def test_a_journal_gives_back_what_it_was_given(written):
    assert read(written) == ANSWERS
    assert read(written) == ANSWERS


def test_a_journal_with_any_byte_changed_gives_whole_answers_or_an_error(written):
    whole = written.read_bytes()
    for place in range(len(whole)):
        for flip in (0x01, 0x80):
            data = bytearray(whole)
            data[place] ^= flip
            written.write_bytes(bytes(data))
            if place < HEADER:
                with pytest.raises(InputError, match="begin anew"):
                    read(written)
            else:
                found = read(written)
                assert found.items() < ANSWERS.items()


def test_a_journal_cut_off_anywhere_goes_on_after_its_last_whole_record(written):
    whole = written.read_bytes()
    key, answer = digest(b"later"), b"later"
    for size in range(len(whole)):
        written.write_bytes(whole[:size])
        journal = Journal.resume(written, b"subject")
        known = len(journal.index)
        journal.put(key, answer)
        journal.close()
        again = Journal.resume(written, b"subject")
        assert (again.get(key), len(again.index), again.lost) == (answer, known + 1, 0)
        again.close()


def test_a_journal_of_another_subject_is_refused(written):
    with pytest.raises(InputError, match="another problem"):
        Journal.resume(written, b"other")


def test_a_journal_that_is_no_file_or_in_use_is_refused(tmp_path, written, monkeypatch):
    (tmp_path / "link").symlink_to(written)
    with pytest.raises(InputError, match="link"):
        Journal.resume(tmp_path / "link", b"subject")
    from certify.solvers.journal import locks

    monkeypatch.setattr(locks, "PATIENCE", 0.0)
    journal = Journal.resume(written, b"subject")
    with pytest.raises(InputError, match="another run"):
        Journal.resume(written, b"subject")
    journal.close()


def test_a_file_of_something_else_is_not_written_over(tmp_path):
    path, told = journal_path(tmp_path / "out"), []
    for content in (b"mine", b"my own notes\n" * 20):
        path.write_bytes(content)
        for begin in (Journal.begin, Journal.resume):
            with pytest.raises(InputError, match="rename"):
                begin(path, b"subject")
        with kept_beside(tmp_path / "out", b"subject", False, told.append) as kept:
            assert kept.memory == NOTHING
        assert "this run cannot be resumed" in told[-1]
        assert path.read_bytes() == content
    path.write_bytes(journals.MARK + b"0\n" + b"of an older version" * 9)
    Journal.begin(path, b"subject").close()
    assert path.stat().st_size == HEADER


def test_a_full_disk_ends_the_keeping_and_not_the_run(written, monkeypatch):
    journal = Journal.resume(written, b"subject")
    write = os.write
    monkeypatch.setattr(journals.os, "write", lambda handle, data: write(handle, data[: len(data) // 2]))
    journal.put(digest(b"more"), b"more")
    monkeypatch.setattr(journals.os, "write", write)
    assert journal.broken == "the disk is full"
    journal.put(digest(b"yet more"), b"yet more")
    journal.close()
    assert read(written) == ANSWERS


def test_answers_that_are_not_believed_are_found_again(written):
    journal = Journal.resume(written, b"subject")
    memory = Memory(journal).about(b"question")
    memory.keep(lambda: b"key", lambda: b"answer")

    def doubt(data):
        raise Damaged("it is not so")

    journal.close()
    journal = Journal.resume(written, b"subject")
    memory = Memory(journal).about(b"question")
    assert memory.recall(lambda: b"key", bytes) == b"answer"
    assert memory.recall(lambda: b"key", doubt) is None
    assert Memory(journal).recall(lambda: b"key", bytes) is None  # another question
    assert NOTHING.recall(lambda: b"key", bytes) is None
    journal.close()


def test_a_run_without_a_place_for_its_journal_goes_on(tmp_path):
    told = []
    with kept_beside(tmp_path / "missing" / "out", b"subject", False, told.append) as kept:
        assert kept.memory == NOTHING
    assert "cannot be resumed" in told[0]
    with kept_beside(tmp_path / "out", b"subject", False, told.append) as kept:
        kept.memory.keep(lambda: b"key", lambda: b"answer")
    with kept_beside(tmp_path / "out", b"subject", True, told.append) as kept:
        assert kept.memory.recall(lambda: b"key", bytes) == b"answer"
        kept.done = True
    assert "1 steps" in told[1]
    assert not journal_path(tmp_path / "out").exists()
