"""What a doubt comes to: a model judged part by part, on the poses used and on those kept apart, and
models compared.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.model.model import Bounds
from certify.records.results import Part, Result, accepted_of
from certify.text.shown import Shown

NOTABLE = Fraction(1, 100)  # of the model error: what explains less is no explanation


@dataclass(frozen=True)
class Judged:
    """One part under one model: its smallest model error on the poses used, and what its witness needs on those kept
    apart.

    `apart` is None without a witness or without such poses; the two figures about residuals there are at the readings,
    in floats.
    """

    part: Part
    apart: Part | None
    estimated_rms_apart: float | None
    estimated_largest_apart: float | None

    def standing(self, accepted: Collection[bytes]) -> Judged:
        """What is left where the checker has accepted these certificates and no others."""
        return replace(
            self, part=self.part.standing(accepted), apart=None if self.apart is None else self.apart.standing(accepted)
        )

    @property
    def upper(self) -> Fraction | None:
        """The proved upper end of the model error on the poses used."""
        return self.part.epsilon[1]

    def as_json(self) -> dict[str, Any]:
        """Plain numbers; ends are rounded outwards."""
        apart = None if self.apart is None else self.apart.epsilon
        ends = (
            None
            if apart is None
            else [enclose_rational(apart[0])[0], None if apart[1] is None else enclose_rational(apart[1])[1]]
        )
        told = {"estimated_rms": self.estimated_rms_apart, "estimated_largest": self.estimated_largest_apart}
        record = self.part.as_json()
        record.pop("conflict", None)  # its rows are numbered among the poses used
        return record | {"kept_apart": {"epsilon": ends, **told}}


@dataclass(frozen=True)
class Model:
    """A model, the unknowns that a hypothesis adds to it in all with the ends of their boxes, and its parts; `used` and
    `apart` hold their canonical problems.
    """

    name: str
    sentence: str
    bounds: Mapping[str, Bounds]
    parts: tuple[Judged, ...]
    used: Result
    apart: Result | None

    def standing(self, accepted: Collection[bytes]) -> Model:
        """What is left where the checker has accepted these certificates and no others."""
        return replace(self, parts=tuple(judged.standing(accepted) for judged in self.parts))

    @property
    def added(self) -> tuple[str, ...]:
        """The names of these unknowns."""
        return tuple(self.bounds)

    def limited(self) -> tuple[str, ...]:
        """The added unknowns whose witness is at the bound of its box: the bound, not the measurements, limits them."""
        found = [(name, value) for judged in self.parts for name, value in (judged.part.witness or {}).items()]
        return tuple(dict.fromkeys(name for name, value in found if value in self.bounds.get(name, ())))

    @property
    def units(self) -> tuple[str, ...]:
        """The units of the parts' errors, each once."""
        return tuple(dict.fromkeys(judged.part.unit for judged in self.parts))

    def worst(self, unit: str) -> tuple[Fraction, Fraction | None]:
        """The model error of the worst part in this unit on the poses used."""
        return _worst([judged.part for judged in self.parts if judged.part.unit == unit])

    def worst_apart(self, unit: str) -> tuple[Fraction, Fraction | None] | None:
        """What the witness of the worst part in this unit needs on the poses kept apart."""
        own = [judged for judged in self.parts if judged.part.unit == unit]
        parts = [judged.apart for judged in own if judged.apart is not None]
        return _worst(parts) if len(parts) == len(own) else None

    def rms_apart(self, unit: str) -> float | None:
        """The estimated root mean square of all residuals in this unit on the poses kept apart."""
        found = [judged.estimated_rms_apart for judged in self.parts if judged.part.unit == unit]
        known = [value for value in found if value is not None]
        return float(np.sqrt(np.mean(np.square(known)))) if known and len(known) == len(found) else None


@dataclass(frozen=True, repr=False)
class Doubts(Shown):
    """The base model with the parts that it does not explain, and the richer ones, the most convincing first.

    `base_parts` are all parts, `unjudged` the hypotheses whose turn did not come, `unproved` those that were estimated
    to explain less than a hundredth. `effects` are what an error may amount to, for each unit of rows; `judged` says
    whether the checker has judged the certificates, and this is what is left.
    """

    base: Model
    richer: tuple[Model, ...]
    effects: Mapping[str, Fraction]
    kept_apart: tuple[int, ...]
    base_parts: tuple[Judged, ...]
    unjudged: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()
    judged: bool = False

    def checked(self) -> Doubts:
        """What is left after the checker, a process of its own for each certificate, has judged them."""
        results = [one for model in (self.base, *self.richer) for one in (model.used, model.apart) if one is not None]
        accepted = accepted_of({document for result in results for document in result.documents()})
        return replace(self.standing(accepted), judged=True)

    def standing(self, accepted: Collection[bytes]) -> Doubts:
        """What is left where the checker has accepted these certificates and no others."""
        richer = tuple(model.standing(accepted) for model in self.richer)
        base_parts = tuple(judged.standing(accepted) for judged in self.base_parts)
        return replace(self, base=self.base.standing(accepted), richer=richer, base_parts=base_parts)

    def gains(self, model: Model) -> tuple[Fraction, ...]:
        """For each part the proved reduction of its model error, 0 where none is proved."""
        return tuple(_gain(base.part, other.part) for base, other in zip(self.base.parts, model.parts, strict=True))

    def explained(self, model: Model) -> Fraction:
        """The proved share of the parts' model errors, added up, that the hypothesis explains on the poses used.

        It is the least share over all that these errors may be between their proved ends: 0 if one has no upper end
        that counts. Errors of different units are not added: it is the mean of their shares.
        """
        found = []
        for unit in self.base.units:
            whole, gained = Fraction(0), Fraction(0)
            for base, other, gain in zip(self.base.parts, model.parts, self.gains(model), strict=True):
                if base.part.unit == unit:
                    error = _least_explained(base.part, other.part)
                    if error is None:
                        return Fraction(0)
                    whole, gained = whole + error, gained + gain
            found.append(_share(gained, whole))
        return sum(found, Fraction(0)) / len(found) if found else Fraction(0)

    def confirmed(self, model: Model) -> Fraction | None:
        """The proved share of what the base witnesses need on the poses kept apart by which those of the hypothesis
        need less; negative if more. The mean over units, as of `explained`.
        """
        found = []
        for unit in self.base.units:
            total, gained = Fraction(0), Fraction(0)
            for base, other in zip(self.base.parts, model.parts, strict=True):
                before, after = base.apart, other.apart
                if base.part.unit != unit:
                    continue
                if before is None or after is None or after.epsilon[1] is None:
                    return None
                total += before.epsilon[0]
                gained += before.epsilon[0] - after.epsilon[1]
            if not total:
                return None
            found.append(gained / total)
        return sum(found, Fraction(0)) / len(found) if found else None

    @property
    def first(self) -> Model | None:
        """The hypothesis to doubt first: the first one with a notable proved gain that is not gone on the poses kept
        apart.
        """
        return next((model for model in self.notable if model not in self.overfitting), None)

    @property
    def notable(self) -> tuple[Model, ...]:
        """The hypotheses that are proved to explain at least a hundredth of the model error on the poses used."""
        return tuple(model for model in self.richer if self.explained(model) >= NOTABLE)

    @property
    def overfitting(self) -> tuple[Model, ...]:
        """The notable hypotheses whose witnesses need no less than the base model's on the poses kept apart, as far as
        is proved.
        """
        return tuple(model for model in self.notable if (share := self.confirmed(model)) is not None and share <= 0)

    def as_json(self) -> dict[str, Any]:
        """One object for scripts; gains and shares are rounded down."""

        def told(model: Model) -> dict[str, Any]:
            confirmed = self.confirmed(model)
            parts = [
                judged.as_json() | {"proved_gain": enclose_rational(gain)[0]}
                for judged, gain in zip(model.parts, self.gains(model), strict=True)
            ]
            return {
                "name": model.name,
                "sentence": model.sentence,
                "unknowns": list(model.added),
                "limited_by_effect": list(model.limited()),
                "proved_share": enclose_rational(self.explained(model))[0],
                "proved_share_kept_apart": None if confirmed is None else enclose_rational(confirmed)[0],
                "parts": parts,
            }

        return {
            "base": {"name": self.base.name, "parts": [judged.as_json() for judged in self.base_parts]},
            "hypotheses": [told(model) for model in self.richer],
            "not_judged": list(self.unjudged),
            "estimated_below_a_hundredth": list(self.unproved),
            "effect": {unit: float(effect) for unit, effect in self.effects.items()},
            "kept_apart": [row + 1 for row in self.kept_apart],
            "doubt_first": None if self.first is None else self.first.name,
            "likely_overfitting": [model.name for model in self.overfitting],
        }


def _gain(base: Part, other: Part) -> Fraction:
    upper = other.epsilon[1]
    return Fraction(0) if upper is None else max(base.epsilon[0] - upper, Fraction(0))


def _least_explained(base: Part, other: Part) -> Fraction | None:
    """The base model's error of a part, between its proved ends, of which the least is explained; None if it may be
    anything.

    More unknowns never make the error larger: e - min(e, upper of the other) of e is explained at least.
    """
    if _gain(base, other):
        return base.epsilon[0]
    return min((upper for upper in (base.epsilon[1], other.epsilon[1]) if upper is not None), default=None)


def _share(part: Fraction, whole: Fraction) -> Fraction:
    return part / whole if whole else Fraction(0)


def _worst(parts: list[Part]) -> tuple[Fraction, Fraction | None]:
    uppers = [part.epsilon[1] for part in parts]
    known = [upper for upper in uppers if upper is not None]
    return max((part.epsilon[0] for part in parts), default=Fraction(0)), max(known, default=Fraction(0)) if len(
        known
    ) == len(uppers) else None
