"""The answer about one part of a platform's pose over one workspace: the certificates of its legs, and what follows
from them if the checker has accepted them all.

    upper    from the bounds of all legs, by `stand`
    lower    poses of a platform with parameters that are consistent leg by leg, each by a witness
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from fractions import Fraction

from certify.accuracy.guarantees import Document, Level


@dataclass(frozen=True, slots=True)
class Stance:
    """With these parameters the platform stands at least `distance` from the pose `q`, by a witness for each leg."""

    distance: Fraction
    x: dict[str, Fraction]
    q: tuple[Fraction, ...]
    documents: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class LegsGuarantee:
    """One part of the pose over one workspace; `bounds` are what is proved without the errors of the legs and with
    them, `reach` is how far from each pose no other pose has the same legs.
    """

    name: str
    unit: str
    levels: tuple[Level, ...]
    workspace: str
    documents_of_legs: tuple[Document, ...] = ()
    bounds: tuple[Fraction, Fraction] | None = None
    reach: tuple[Fraction, ...] = ()
    cells: int = 0
    attained: Stance | None = None
    complete: bool = False

    @property
    def upper(self) -> Fraction | None:
        """The deviation is at most this; None if nothing is proved."""
        return None if self.bounds is None else self.bounds[0]

    @property
    def total(self) -> Fraction | None:
        """The same with the errors of the legs."""
        return None if self.bounds is None else self.bounds[1]

    @property
    def lower(self) -> Fraction:
        """Somewhere it is at least this."""
        return Fraction(0) if self.attained is None else self.attained.distance

    @property
    def coverings(self) -> tuple[tuple[int, ...], ...]:
        """The cells of the poses."""
        return ((0,) * self.cells,) if self.cells else ()

    def standing(self, accepted: Collection[bytes]) -> LegsGuarantee:
        """What is left where the checker has accepted these certificates and no others."""
        whole = all(certificate in accepted for _, certificate in self.documents_of_legs)
        kept = self.attained is not None and all(text in accepted for _, text in self.attained.documents)
        return replace(
            self,
            documents_of_legs=self.documents_of_legs if whole else (),
            bounds=self.bounds if whole else None,
            attained=self.attained if kept else None,
            complete=self.complete and whole and (kept or self.attained is None),
        )

    @property
    def documents(self) -> tuple[tuple[str, Document], ...]:
        """All certificates by the ends of their names, each after its canonical problem."""
        found = [(f"-{k}", document) for k, document in enumerate(self.documents_of_legs, 1)]
        if self.attained is not None:
            found += [(f"-witness-{k}", document) for k, document in enumerate(self.attained.documents, 1)]
        return tuple(found)
