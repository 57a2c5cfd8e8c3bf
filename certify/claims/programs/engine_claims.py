"""Sentences about what another interval library says of a certificate."""

from __future__ import annotations

from typing import Protocol


class Said(Protocol):
    """How many leaves and rows were confirmed, contradicted, neither, and not asked about."""

    @property
    def engine(self) -> str:
        """The library."""

    @property
    def version(self) -> str:
        """Its version, with that of its Python."""

    @property
    def confirmed(self) -> int:
        """Leaves that it refutes, rows that it finds within their bounds, by itself."""

    @property
    def neither(self) -> int:
        """Those that it neither confirms nor contradicts."""

    @property
    def passed_over(self) -> int:
        """Those that it was not asked about."""

    @property
    def contradicted(self) -> tuple[str, ...]:
        """Their places."""


def told(said: Said) -> str:
    """One sentence."""
    looked = said.confirmed + said.neither + len(said.contradicted)
    head = f"{said.engine} ({said.version}) was asked about {looked} leaves and rows: it confirms {said.confirmed}"
    if said.contradicted:
        return f"{head} and CONTRADICTS {len(said.contradicted)}: {', '.join(said.contradicted[:5])}."
    rest = f"; {said.passed_over} are of a kind that it cannot be asked about" if said.passed_over else ""
    return f"{head}, contradicts none, and says nothing of {said.neither} (too wide, or too much work){rest}."
