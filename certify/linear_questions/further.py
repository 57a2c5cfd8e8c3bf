"""An answer beside the intervals of a linear model: its certificates, and what is left of it after the check."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Collection
from pathlib import Path
from typing import Any, ClassVar, Self

from certify.checks.checking import check_each
from certify.problems.files.disk import write_bytes
from certify.problems.regressors.regressor import Regressor
from certify.regressors.identified import CANONICAL
from certify.solvers.limits import Limit, Stopped
from certify.text.shown import Shown

Document = tuple[str, bytes]


class Further(Shown, ABC):
    """What all such answers have; `key` is their name in a record."""

    key: ClassVar[str]
    problem: Regressor
    stopped: Stopped

    @property
    @abstractmethod
    def documents(self) -> tuple[Document, ...]:
        """The certificates by their names."""

    @abstractmethod
    def standing(self, accepted: Collection[bytes]) -> Self:
        """What is left where the checker has accepted these certificates and no others."""

    @abstractmethod
    def as_json(self) -> dict[str, Any]:
        """For scripts."""

    @property
    def extras(self) -> tuple[str, ...]:
        """Names of tables and pictures that a run writes beside the certificates."""
        return ()

    def checked(self) -> Self:
        """What is left after the checker, in processes of its own, has judged the certificates."""
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            self.problem.write(place / CANONICAL)
            texts = {f"{name}.cert": text for name, text in self.documents}
            for name, text in texts.items():
                write_bytes(place / name, text)
            checks = check_each([(place / CANONICAL, place / name) for name in texts], Limit())
        return self.standing({texts[check.certificate] for check in checks if check.verified})
