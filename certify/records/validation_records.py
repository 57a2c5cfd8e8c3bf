"""The record of what parameters that were found need on poses that were kept apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from certify.records.results import Part

FIT, WITNESS = "least squares", "witness"


@dataclass(frozen=True, repr=False)
class Validated(Part):
    """The answer about the part `of` with the `parameters` that least squares or the search found on the other poses:
    `epsilon` is what the worst of the `poses` needs. What each of them needs is estimated, and what it needed with
    the blueprint.
    """

    of: str = ""
    parameters: str = ""
    poses: tuple[str, ...] = ()
    estimated: tuple[float, ...] = ()
    estimated_before: tuple[float, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The part's record, with the poses by name."""
        return super().as_json() | {
            "of": self.of,
            "parameters": self.parameters,
            "estimated_errors": dict(zip(self.poses, self.estimated, strict=True)),
            "estimated_errors_of_blueprint": dict(zip(self.poses, self.estimated_before, strict=True)),
        }
