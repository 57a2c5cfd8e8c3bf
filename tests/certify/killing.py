"""Runs that end as if by force: at a moment that a test chooses, by what no run can catch."""

from contextlib import contextmanager

import pytest

from certify.solvers.journal.journal import Journal


class Killed(BaseException):
    """What a run cannot catch."""


@contextmanager
def killed_after(count, monkeypatch):
    """What runs meanwhile ends when so many answers are kept."""
    put, kept = Journal.put, []

    def counted(self, key, answer):
        put(self, key, answer)
        kept.append(key)
        if len(kept) == count:
            raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(Journal, "put", counted)
        with pytest.raises(Killed):
            yield
