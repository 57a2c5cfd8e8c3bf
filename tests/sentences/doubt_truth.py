"""What a doubt says, held against the truth about the poses used and those kept apart.

The model as it is and wrong readings are known exactly: a wrong reading adds an unknown to its row. Any other added
term may be 0, so that its model
needs no more than the one as it is, and no less than nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from certificates import read_certificate, scope_variables
from linear_truth import Ends, LinearPart
from planted_experiments import PlantedExperiment
from running import Told, centre_of
from statements import Said, ruled
from tables_truth import table_read

BASE, WRONG = "base", "wrong readings"


@dataclass(frozen=True)
class DoubtJudge:
    """A planted experiment, a doubt about it, and a run's folder that has the same search box."""

    planted: PlantedExperiment
    told: Told
    boxed: Told

    def holds(self, said: Said) -> bool:
        """Whether a statement is true, or cannot be known to be false."""
        return ruled(RULES, self, said)

    @cached_property
    def apart(self) -> set[int]:
        """The poses kept apart, from 0."""
        return {int(label) - 1 for label in self.told.json["poses_kept_apart"]}

    @cached_property
    def parts(self) -> list[str]:
        """The parts that the model does not explain: the tables are about these."""
        return [part["name"] for part in self.told.json["base"]["parts"] if part["verdict"] == "inadequate"]

    def part(self, name: str, model: str, used: bool) -> LinearPart:
        """A part on the poses used, or on those kept apart, with the unknowns that a hypothesis adds."""
        box = self.planted.box(centre_of(self.boxed.folder))
        found = self.planted.part(name, box)
        assert isinstance(found, LinearPart)
        added = self._added(name) if model == WRONG else {}
        rows, halves = [], {}
        for row in found.rows:
            own = {f"{key} of {row.name[0]}": key for key in row.shared}  # each leg has measurements of its own
            halves |= {key: found.halves[shared] for key, shared in own.items()}
            row = replace(row, shared={key: row.shared[shared] for key, shared in own.items()})
            if (row.name[1] not in self.apart) == used:
                more = {f"{row.name[0]}.t_row{row.name[1] + 1}": Fraction(1)}
                rows.append(
                    replace(row, slopes={**row.slopes, **{key: one for key, one in more.items() if key in added}})
                )
        return replace(found, rows=rows, halves=halves, box={**found.box, **added})

    def _added(self, part: str) -> dict[str, Ends]:
        lines = (self.told.folder / "wrong-readings.canonical").read_text().split("\n")
        words = [line.split(" ") for line in lines if ".t_row" in line.split(" ")[0]]
        return {
            name: (Fraction(low), Fraction(high))
            for name, _, low, high in words
            if name.split(".")[0] in part.split("+")
        }

    def error(self, part: str, model: str) -> Ends:
        """Between which numbers the smallest model error on the poses used lies."""
        exact = self.part(part, BASE, True).least_error()
        if model == BASE:
            return exact, exact
        if model != WRONG:
            return Fraction(0), exact
        return (self.part(part, WRONG, True).least_error(),) * 2

    def needs(self, part: str, model: str) -> Fraction | None:
        """What the witness of a model needs on the poses kept apart; None if it is not known."""
        if model not in (BASE, WRONG):
            return None
        file = model.replace(" ", "-")
        claimed = read_certificate(self.told.folder / f"{file}.{part}.cert")
        names = scope_variables(self.told.folder / f"{file}.canonical", claimed.scope)
        values = dict(zip(names, claimed.values or (), strict=True))
        return self.part(part, model, False).needs(values)[0]


def _model_error(judge: DoubtJudge, part: str, model: str, low: Fraction, high: Fraction | None) -> bool:
    least, most = judge.error(part, model)
    return low <= most and (high is None or least <= high)


def _worst_error(judge: DoubtJudge, _: str, model: str, low: Fraction, high: Fraction | None) -> bool:
    ends = [judge.error(part, model) for part in judge.parts]
    return low <= max(most for _, most in ends) and (high is None or max(least for least, _ in ends) <= high)


def _apart(judge: DoubtJudge, part: str, model: str, low: Fraction, high: Fraction | None) -> bool:
    exact = judge.needs(part, model)
    return exact is None or (low <= exact and (high is None or exact <= high))


def _worst_apart(judge: DoubtJudge, part: str, model: str, low: Fraction, high: Fraction | None) -> bool:
    if part:
        return _apart(judge, part, model, low, high)
    exact = [judge.needs(name, model) for name in judge.parts]
    known = [value for value in exact if value is not None]
    return len(known) < len(exact) or (low <= max(known) and (high is None or max(known) <= high))


def _explained_share(judge: DoubtJudge, _: str, model: str, share: Fraction) -> bool:
    """At most the true share, if the richer model needs as little as it may."""
    whole = sum((judge.error(part, BASE)[0] for part in judge.parts), Fraction(0))
    rest = sum((judge.error(part, model)[0] for part in judge.parts), Fraction(0))
    return share * whole <= whole - rest


def _explained_there(judge: DoubtJudge, _: str, model: str, share: Fraction) -> bool:
    before = [judge.needs(part, BASE) for part in judge.parts]
    after = [judge.needs(part, model) for part in judge.parts]
    if None in before or None in after:
        return True
    whole = sum(before, Fraction(0))
    return share * whole <= whole - sum(after, Fraction(0))


def _gain(judge: DoubtJudge, part: str, model: str, gain: Fraction) -> bool:
    return gain <= judge.error(part, BASE)[0] - judge.error(part, model)[0]


def _first(judge: DoubtJudge, _: str, model: str, share: Fraction, there: Fraction | None, rest: str) -> bool:
    """What is said of the hypothesis to doubt first; the rest is one sentence."""
    told = _explained_share(judge, "", model, share) and (there is None or _explained_there(judge, "", model, there))
    return told and rest.strip() in ("", "Most of it stays unexplained.")


def _largest(judge: DoubtJudge, part: str, model: str, value: Fraction) -> bool:
    """Three digits of the largest residual at the readings: what is needed there and at most all that readings may
    move a row.
    """
    exact = judge.needs(part, model)
    return exact is None or exact * Fraction(99, 100) <= value


def _certificates(judge: DoubtJudge, _: str, verified: int, count: int) -> bool:
    return count == len(judge.told.checked) and verified == list(judge.told.checked.values()).count(0)


RULES: dict[str, Callable[..., bool]] = {
    "table read": lambda judge, part, *values: table_read(judge.planted, *values),
    "model error": _model_error,
    "worst error": _worst_error,
    "apart": _apart,
    "worst apart": _worst_apart,
    "explained share": _explained_share,
    "explained there": _explained_there,
    "gain": _gain,
    "first": _first,
    "largest": _largest,
    "effect": lambda judge, part, value: value > 0,
    "kept apart": lambda judge, part, count: count == len(judge.apart),
    "explained as it is": lambda judge, part: judge.error(part, BASE)[0] == 0,
    "nothing to doubt": lambda judge, part: all(judge.error(name, BASE)[0] == 0 for name in _all(judge)),
    "certificates": _certificates,
    "file count": lambda judge, part, count: (
        count == len([path for path in judge.told.folder.iterdir() if path.name != "report.html"])
    ),
}


def _all(judge: DoubtJudge) -> list[str]:
    """All legs, each with readings of its own; those that have an unknown in common are one part."""
    legs = [f"leg{number + 1}" for number in range(len(judge.planted.unknowns))]
    return ["+".join(legs)] if judge.planted.joint else legs
