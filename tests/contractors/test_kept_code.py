"""Compiled code is used only as long as no source has changed since."""

import os
from pathlib import Path

import pytest

from certify.contractors.kept_code import forget_old_code


@pytest.fixture
def folders(tmp_path):
    """Two folders of sources, in one of them with code that was compiled from them."""
    for name in ("one/inner", "two"):
        (tmp_path / name / "__pycache__").mkdir(parents=True)
        (tmp_path / name / "source.py").write_text("")
    rooms, code = (
        (tmp_path / "one", tmp_path / "two"),
        tmp_path / "one" / "inner" / "__pycache__" / "source.kernel-1.py311.nbi",
    )
    assert forget_old_code(rooms)
    code.write_bytes(b"")
    return rooms, code


def test_it_is_kept_while_nothing_changes(folders):
    rooms, code = folders
    assert forget_old_code(rooms) and code.exists()


@pytest.mark.parametrize("changed", ["one/inner/source.py", "two/source.py", "two/other.py"])
def test_it_goes_when_any_source_changes(folders, tmp_path, changed):
    """The changed one may be a callee in another file, or in another folder."""
    rooms, code = folders
    (tmp_path / changed).write_text("x = 1")
    assert forget_old_code(rooms) and not code.exists()
    code.write_bytes(b"")
    assert forget_old_code(rooms) and code.exists()


@pytest.mark.parametrize("seconds", [-1000, 1000])
def test_a_source_may_have_any_other_time(folders, tmp_path, seconds):
    rooms, code = folders
    os.utime(tmp_path / "two/source.py", (code.stat().st_mtime + seconds,) * 2)
    assert forget_old_code(rooms) and not code.exists()
    code.write_bytes(b"")
    assert forget_old_code(rooms) and code.exists()


def test_what_cannot_be_removed_is_told(folders, monkeypatch, tmp_path):
    rooms, code = folders
    (tmp_path / "two/source.py").write_text("x = 1")

    def refused(self, missing_ok=False):
        raise PermissionError(self)

    monkeypatch.setattr(Path, "unlink", refused)
    assert not forget_old_code(rooms) and code.exists()
