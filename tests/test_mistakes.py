"""Typical mistakes lead to a message that names the cause, and the page about them says what is said."""

from pathlib import Path

import mistakes
import pytest

from certify.__main__ import main

PAGE = Path(__file__).parent.parent / "docs" / "mistakes.md"


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """A robot without a mistake."""
    folder = tmp_path_factory.mktemp("right")
    words = ["--robot", "planar_3rpr", "--error", "none", "--out", str(folder), "--quiet"]
    assert main(["simulate", *words]) == 0
    return folder


def said(folder, words, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    capsys.readouterr()
    code = main([*words, "--quiet"])
    told = capsys.readouterr()
    return code, told.out + told.err


@pytest.mark.every_case
@pytest.mark.thorough
@pytest.mark.parametrize("mistake", mistakes.MISTAKES, ids=lambda m: m.told.replace(" ", "-"))
def test_the_cause_is_named(mistake, right, tmp_path, capsys, monkeypatch):
    mistakes.make(mistake, right, tmp_path)
    code, told = said(tmp_path, mistake.words, capsys, monkeypatch)
    assert code == mistake.code and mistake.said in told, told
    assert code != 2 or told.count("\n") == 1, "bad input is one sentence"


def test_without_a_mistake_none_is_told(right, capsys, monkeypatch):
    code, told = said(right, ("inspect", "problem.toml"), capsys, monkeypatch)
    assert code == 0
    assert not [m.told for m in mistakes.MISTAKES if m.code == 0 and m.said in told]


def test_the_page_has_them_all():
    assert len(mistakes.MISTAKES) >= 30
    assert "\n".join(mistakes.table()) in PAGE.read_text(), "python tests/mistakes.py prints the table"
