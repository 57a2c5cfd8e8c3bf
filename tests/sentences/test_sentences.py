"""Everything that the command says about random planted problems is true: tables, sentences, records, certificates and
pictures, read back.
"""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import count

import pytest
from conversations import experiment, hear, hear_next, hear_platform, hear_prepare, run_experiment
from reading import SENTENCES
from statements import Unread, read_line

ENOUGH = 1500


@pytest.mark.thorough
def test_more_than_a_thousand_sentences_and_none_is_false(tmp_path):
    heard = 0
    for number in count():
        for statement in hear(number, tmp_path / str(number)):
            heard += 1
            assert statement.true, statement
        if heard >= ENOUGH:
            return


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(3))
def test_nothing_false_is_said_of_a_platform(number, tmp_path):
    assert [heard for heard in hear_platform(number, tmp_path / "platform") if not heard.true] == []


@pytest.mark.parametrize("number", [0, 2, 3, 12, 13])
def test_nothing_false_is_said_of_the_next_pose(number, tmp_path):
    assert [heard for heard in hear_next(number, tmp_path / "next") if not heard.true] == []


@pytest.mark.parametrize("number", range(3))
def test_nothing_false_is_said_of_raw_readings(number, tmp_path):
    assert [heard for heard in hear_prepare(number, tmp_path / "readings") if not heard.true] == []


@pytest.mark.thorough
def test_what_another_process_prints_is_the_same(tmp_path):
    planted = experiment(0)
    told = run_experiment(planted, tmp_path / "here", [])
    assert told.printed == f"{told.text}\n"
    command = [
        sys.executable,
        "-m",
        "certify",
        "run",
        str(tmp_path / "here" / "problem.toml"),
        "--out",
        str(tmp_path / "there"),
        "--quiet",
    ]
    there = subprocess.run(command, capture_output=True, text=True, check=False)
    assert there.returncode == told.code

    def comparable(text):
        return re.sub(r"[0-9.]+ s\b", "", text.split("\nwritten to")[0])

    assert comparable(there.stdout) == comparable(told.text)


def test_a_new_sentence_needs_a_reader():
    with pytest.raises(Unread):
        list(read_line("leg1: certainly right (proved).", SENTENCES))
