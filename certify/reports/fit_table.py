"""What is odd about the fits, as plain text: which lost the blueprint, what a robust fit misses, and what to do.

Where the fit is and where the box is are facts; what is suspected is estimated, and told as such.
"""

from __future__ import annotations

from collections.abc import Sequence

from certify.fitting import Fitting, PartFit
from problems.experiment import LEAST_SQUARES, Experiment
from problems.model import Problem

MOST = 5  # of what is listed


def fit_lines(fitting: Fitting, problem: Problem) -> list[str]:
    """A paragraph for each part about whose fit there is something to say; `problem` is the one that is judged."""
    return [" ".join(told) for part in fitting.parts if (told := _told(fitting, part, problem))]


def _told(fitting: Fitting, part: PartFit, problem: Problem) -> list[str]:
    lost = fitting.lost(part)
    if not lost and part.settled and not part.suspects:
        return []
    told = _place(fitting, part, problem)
    told += _suspects(fitting.experiment, part)
    if lost or not part.settled:
        told += _remedy(fitting.experiment, part)
    return told


def _place(fitting: Fitting, part: PartFit, problem: Problem) -> list[str]:
    """Where the fit is, and what that means for the box and for what is judged."""
    lost, centred = fitting.lost(part), fitting.experiment.centre == LEAST_SQUARES
    far = _listed([f"{variable.name} {float(distance):.4g} {variable.unit}" for variable, distance in lost])
    if not part.settled:
        where = f", having gone {far} from the blueprint" if far else ""
        centre = f" The search box of {part.name} is centred on the blueprint instead." if centred else ""
        return [f"{part.name}: least squares did not settle{where}, so there is no fit to judge.{centre}"]
    if not lost:
        return [f"{part.name}: the least-squares fit is drawn towards wrong measurements."]
    told = f"{part.name}: the least-squares fit lies further from the blueprint than the radius: {far}."
    if centred:
        meant = f"so that it does not hold the blueprint, and all that is said of {part.name} holds in that box only"
        return [told, f"The search box is centred on it, {meant}."]
    if not part.within(problem):
        return [told, "It is outside the search box, so that it is not judged."]
    return [told]


def _suspects(experiment: Experiment, part: PartFit) -> list[str]:
    """What the robust fit misses: few rows that stand out, or all of them by more than half-widths explain, or none."""
    robust, suspects = part.robust, part.suspects
    if robust is None:
        return ["There are too few measurements to tell which of them are wrong."]
    families = {family.name: family for family in experiment.families}
    unit = families[part.rows[0][0]].unit
    several = len({name.partition(".pose")[0] for name, _ in part.rows}) > 1
    near = "" if _near(experiment, part) else " (further from the blueprint than the radius, too)"
    if not suspects:
        most, explained = f"by up to {robust.ordinary:.2g} {unit}", f"up to {robust.explained.max():.2g} {unit}"
        if robust.explains:
            why = "the robot is then further from its blueprint than the radius says"
            return [f"A robust fit{near} misses its measurements {most}, and their half-widths explain {explained} (estimates): {why}."]
        why = "no few of them stand out; is a sign, a unit or an offset wrong, or are columns exchanged?"
        return [f"A robust fit{near} misses its measurements {most}, where their half-widths explain {explained} (estimates), and {why}"]
    missed = [f"{pose(experiment, row, several)} by {miss:.4g} {unit}" for row, miss in suspects]
    others = f", the other {len(part.rows) - len(suspects)} {'rows' if several else 'poses'} by at most {robust.ordinary:.2g} {unit}"
    return [f"A robust fit{near} misses {_listed(missed)}{others} (estimates): look there first."]


def pose(experiment: Experiment, row: tuple[str, int], several: bool) -> str:
    """What the table calls the pose of a row, and of which leg the row is if that is not clear."""
    name, _, own = row[0].partition(".pose")
    number = int(own) - 1 if own else row[1]
    return f"pose {experiment.poses[number]}{f' of {name}' if several else ''}"


def _near(experiment: Experiment, part: PartFit) -> bool:
    """Whether the robust fit is within the radius around the blueprint."""
    robust = part.robust
    parameters = [(v, experiment.variables[v]) for v in part.variables if v < experiment.parameters]
    return robust is not None and all(abs(float(robust.x[v]) - float(p.nominal)) <= float(p.radius) for v, p in parameters)


def _remedy(experiment: Experiment, part: PartFit) -> list[str]:
    """What to do about a fit that is lost."""
    if part.robust is not None and not part.suspects and part.robust.explains:
        return ["What to do: widen the radius, or correct the blueprint."]
    nominal = 'write centre = "nominal" under [box] of the problem file, so that the box is around the blueprint'
    found = "which finds the fewest measurements to leave out"
    if experiment.centre == LEAST_SQUARES and part.settled:
        return [f"What to do: correct the measurements, or {nominal}, and run with --discard, {found}."]
    return [f"What to do: correct the measurements, or run with --discard, {found}."]


def _listed(items: Sequence[str]) -> str:
    shown = [*items[:MOST], *([f"{len(items) - MOST} more"] if len(items) > MOST else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
