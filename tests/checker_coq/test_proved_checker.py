"""The proved checker: without Coq's program the command says what is missing; with it (CI builds it) it agrees."""

import pytest

from certify.checks import proved
from certify.problems.errors import InputError


def test_it_is_said_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(proved, "PROGRAM", tmp_path / "verify")
    with pytest.raises(InputError, match=r"is not built here.*libcoq-interval.*sh certify/checker_coq/build\.sh"):
        proved.proved_program()
