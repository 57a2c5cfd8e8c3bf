"""What a terminal is shown and a file is not: a bar, colours; what both are told: the time left."""

import argparse
import io
import re

import pytest

from certify import command
from certify.text.decimals import ends_so_far


class Stream(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


def told(monkeypatch, terminal, messages, **words):
    stream = Stream(terminal)
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setenv("COLUMNS", "60")
    say = command.progress(argparse.Namespace(quiet=False, **words))
    for message in messages:
        say(message)
    return stream.getvalue()


def test_a_file_has_lines_with_the_time_left(monkeypatch):
    assert told(monkeypatch, False, ["leg1: searching"], time_limit=300.0) == "leg1: searching, 300 s left\n"
    assert told(monkeypatch, False, ["a, 5 s left"], time_limit=300.0) == "a, 5 s left\n"
    assert told(monkeypatch, False, ["reading"]) == "reading\n"


def test_a_terminal_has_one_line_with_a_bar(monkeypatch):
    found = told(monkeypatch, True, ["x" * 200], time_limit=300.0)
    assert re.fullmatch(r"\r\033\[K\[\.{10}\] x+\.\.\. \.\.\.", found)
    assert len(found) <= 60 + len("\r\033[K")
    assert told(monkeypatch, True, ["reading"]) == "\r\033[Kreading ..."


def test_quiet_says_nothing(monkeypatch):
    stream = Stream(True)
    monkeypatch.setattr("sys.stderr", stream)
    command.progress(argparse.Namespace(quiet=True, time_limit=3.0))("searching")
    assert stream.getvalue() == ""


TEXT = "leg1  no (proved)  no: needs > 4.651521 mm (proved)  verified\nleg2  yes (witness)  undecided  NOT VERIFIED"


def test_colours_are_for_terminals_alone(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert command.coloured(TEXT, False) == TEXT
    shown = command.coloured(TEXT, True)
    assert re.sub(r"\033\[[0-9;]*m", "", shown) == TEXT
    pieces = re.findall(r"\033\[([0-9;]+)m([^\033]+)\033\[0m", shown)
    assert [words for _, words in pieces] == [
        "no (proved)", "no: needs > 4.651521 mm (proved)", "verified", "yes (witness)", "undecided", "NOT VERIFIED",
    ]  # fmt: skip
    assert len({colour for colour, _ in pieces}) == 4


@pytest.mark.parametrize("name", ["NO_COLOR", "TERM"])
def test_colours_can_be_declined(monkeypatch, name):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv(name, "dumb")
    assert command.coloured(TEXT, True) == TEXT


@pytest.mark.parametrize(
    ("ends", "said"), [((0, None), "0 .. ?"), ((1, 1), "1 .. 1"), ((1 / 3, 2 / 3), "0.333333 .. 0.666667")]
)
def test_ends_of_progress_are_rounded_outwards(ends, said):
    from fractions import Fraction

    low, high = (None if end is None else Fraction(end) for end in ends)
    assert ends_so_far(low, high) == said
