"""What is odd about the fits, as plain text: which lost the blueprint, what a robust fit misses, and what to do.

Where the fit is and where the box is are facts; what is suspected is estimated, and told as such. A sentence a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from certify.parts.fitting import Fitting, PartFit, WrongEntry, wrong_entries
from certify.problems.experiments.experiment import LEAST_SQUARES, Experiment
from certify.problems.model.model import Bounds, Problem
from certify.proofs.witnesses import shared_columns
from certify.solvers.advice.mistakes import Mistake
from certify.solvers.advice.repairs import Repair
from certify.solvers.advice.wrong_columns import Suspicion
from certify.solvers.fits.robust_fit import RobustFit

MOST = 5  # of what is listed


def fit_lines(fitting: Fitting, problem: Problem) -> list[str]:
    """What there is to say of each part, if anything; `problem` is the one that is judged."""
    said: dict[str, list[str]] = {}
    for part in fitting.parts:
        for told in _told(fitting, part, problem):
            said.setdefault(told, []).append(part.name)
    alone = [f"{names[0]}: {told}." for told, names in said.items() if len(names) == 1]
    together = [f"{_listed(names, len(names))}: {told}." for told, names in said.items() if len(names) > 1]
    still = [fitting.experiment.variables[v].name for v in fitting.still]
    if still:
        alone.insert(
            0,
            f"in the least-squares fit {_listed(still, len(still))} {'stays' if len(still) == 1 else 'stay'} at the "
            f"blueprint, because it runs "
            f"away along what the measurements do not tell apart.",
        )
    entries = [_entry(fitting.experiment, entry) for entry in wrong_entries(fitting)]
    likely = [] if fitting.suspicion is None else [_suspected(fitting.experiment, fitting.suspicion)]
    return [*alone, *together, *likely, *entries, *copies(fitting.experiment)]


def _told(fitting: Fitting, part: PartFit, problem: Problem) -> Iterator[str]:
    lost = fitting.lost(part)
    if not lost and part.settled and not part.suspects:
        return
    yield from _place(fitting, part, problem)
    if fitting.suspicion is not None:
        return
    yield _missed(fitting.experiment, part)
    if part.mistake is not None and part.mended is not None:
        yield _mistaken(fitting.experiment, part.mistake, part.mended)
    if lost or not part.settled:
        yield _remedy(fitting.experiment, part, problem)


def _place(fitting: Fitting, part: PartFit, problem: Problem) -> Iterator[str]:
    """Where the fit is, and what that means for the box and for what is judged."""
    lost, centred = fitting.lost(part), fitting.experiment.centre == LEAST_SQUARES
    far = _listed([f"{variable.name} by {float(distance):.4g} {variable.unit}" for variable, distance in lost])
    if not part.settled:
        where = f" and left the blueprint ({far})" if far else ""
        yield f"least squares did not settle{where}, so there is no fit to judge"
        if centred:
            yield "the search box is centred on the blueprint instead"
        return
    if lost:
        yield f"the least-squares fit is further from the blueprint than the radius ({far})"
    if lost and centred:
        yield (
            "the search box is around the least-squares fit, without the blueprint; what is said here holds "
            "in that box only"
        )
    elif not part.within(problem):
        yield "the least-squares fit is outside the search box, so it is not judged"


def _missed(experiment: Experiment, part: PartFit) -> str:
    """What the robust fit misses: few rows that stand out, or all of them by more than half-widths explain, or none."""
    robust, suspects = part.robust, part.suspects
    if part.evenly:
        return "its measurements are many and missed evenly, so that no few of them stand out (estimated)"
    if robust is None:
        return "there are too few measurements to tell which of them are wrong"
    several = not part.grouped and len({name.partition(".pose")[0] for name, _ in part.rows}) > 1
    unit = next(family.unit for family in experiment.families if family.name == part.rows[0][0])
    near = "" if _near(experiment, part, robust) else ", further from the blueprint than the radius, too,"
    if suspects:
        missed = _listed([f"{pose(experiment, row, several)} by {miss:.4g} {unit}" for row, miss in suspects])
        others = f"the other {part.members - len(suspects)} {'rows' if several else 'poses'}"
        return (
            f"a robust fit{near} misses {missed}, {others} by about {robust.ordinary:.2g} {unit} or less "
            f"(estimated): look there first"
        )
    sizes = (
        f"by up to {robust.misses.max():.2g} {unit}, of which half-widths explain up to "
        f"{robust.explained.max():.2g} {unit}"
    )
    why = (
        "the robot is further from its blueprint than the radius says"
        if (robust.misses <= robust.explained).all() and part.mistake is None
        else "no few poses stand out; perhaps a sign, a unit or an offset is wrong, or columns are exchanged"
    )
    return f"a robust fit{near} misses its measurements {sizes} (estimated): {why}"


def _mistaken(experiment: Experiment, mistake: Mistake, mended: RobustFit) -> str:
    """What is likely to be wrong with the table."""
    columns = [experiment.columns[c] for c in mistake.columns]
    many = f"column{'s' if len(columns) > 1 else ''} {_listed([column.name for column in columns])}"
    if mistake.factor is None:
        changed, look = "exchanged", "look whether they are in their places"
    else:
        changed = f"times {mistake.factor:.6g}"
        look = "look at the sign" if mistake.factor < 0 else "look at the unit"
    missed = f"misses nothing by more than {mended.ordinary:.2g} {experiment.families[0].unit}"
    few = f" but {int(mended.suspected.sum())} rows" if mended.suspected.any() else ""
    return f"with {many} {changed} a robust fit is within the radius and {missed}{few} (estimated): {look}"


def _suspected(experiment: Experiment, suspicion: Suspicion) -> str:
    """What is likely to be wrong with the table or the blueprint of a robot without legs."""
    unit, after = suspicion.unit, f"{suspicion.after:.2g} {suspicion.unit}"
    helps = suspicion.before > 2.0 * suspicion.after
    missed = f"a fit misses a pose by typically {after}" + (
        f" instead of {suspicion.before:.3g} {unit}" if helps else ", nearer to the blueprint than without"
    )
    if suspicion.vector:
        numbers = ", ".join(f"{value:.1f}" for value in suspicion.found)
        return (
            f"with {suspicion.vector} at [{numbers}] mm {missed} (estimated): look whether the tool, or the point "
            f"on it that is measured, is missing in the blueprint."
        )
    changed, hints = repairs_told([(column.name, column.unit) for column in experiment.columns], suspicion.repairs)
    return f"{changed} {missed} (estimated): look {hints}."


def repairs_told(columns: Sequence[tuple[str, str]], repairs: Sequence[Repair]) -> tuple[str, str]:
    """Any of some changes of columns with these names and units, and at what to look."""
    ways = [_repair([columns[c] for c in repair.columns], repair) for repair in repairs]
    changed = ", or ".join(dict.fromkeys(f"with {change}" for change, _ in ways))
    return changed, ", or ".join(dict.fromkeys(hint for _, hint in ways))


def _repair(columns: Sequence[tuple[str, str]], repair: Repair) -> tuple[str, str]:
    """A change of the table, and at what to look."""
    many = f"column{'s' if len(columns) > 1 else ''} {_listed([name for name, _ in columns], len(columns))}"
    if not columns:
        return "the measured places turned and moved as a whole", "at the frame in which they are measured"
    if repair.exchanged:
        return f"{many} exchanged", "whether they are in their places"
    if repair.lines:
        way = "up" if repair.lines > 0 else "down"
        return f"{many} one line further {way}", "whether the lines of the table belong together"
    if repair.more:
        return f"{repair.more:.4g} {columns[0][1]} added to {many}", "at the zero of the joint"
    return f"{many} times {repair.factor:.6g}", "at the sign" if repair.factor < 0 else "at the unit"


def _entry(experiment: Experiment, entry: WrongEntry) -> str:
    """One number of the table that explains what several legs miss."""
    size = f"{abs(entry.change):.4g} {entry.unit} {'more' if entry.change > 0 else 'less'}"
    return (
        f"pose {experiment.poses[entry.row]}: its {entry.column}, if it were {size}, would explain every "
        f"leg there (estimated): look there first."
    )


def copies(experiment: Experiment) -> list[str]:
    """Rows of the table that are the same in every column."""
    rows: dict[tuple[Bounds, ...], list[str]] = {}
    columns = [
        tuple(zip(column.lower, column.upper, strict=True))
        for column in (*experiment.columns, *experiment.pose_columns)
    ]
    for pose, entries in zip(experiment.poses, zip(*columns, strict=True), strict=True):
        rows.setdefault(entries, []).append(pose)
    same = [poses for poses in rows.values() if len(poses) > 1]
    return [f"poses {_listed(poses)} are the same in every column: was one copied from another?" for poses in same]


def pose(experiment: Experiment, row: tuple[str, int], several: bool) -> str:
    """What the table calls the pose of a row, and of which leg the row is if that is not clear."""
    name, _, own = row[0].partition(".pose")
    number = int(own) - 1 if own else row[1]
    return f"pose {experiment.poses[number]}{f' of {name}' if several else ''}"


def _near(experiment: Experiment, part: PartFit, robust: RobustFit) -> bool:
    """Whether the robust fit is within the radius around the blueprint."""
    parameters = [(v, experiment.variables[v]) for v in part.variables if v < experiment.parameters]
    return all(abs(float(robust.x[v]) - float(p.nominal)) <= float(p.radius) for v, p in parameters)


def _remedy(experiment: Experiment, part: PartFit, problem: Problem) -> str:
    """What to do about a fit that is lost."""
    if part.mistake is not None:
        return "what to do: correct the table, and run again"
    if part.robust is not None and not part.suspects and part.robust.explains:
        return "what to do: widen the radius, or correct the blueprint"
    nominal = 'write centre = "nominal" under [box] of the problem file, so that the box is around the blueprint,'
    centred = experiment.centre == LEAST_SQUARES and part.settled
    names = {name for name, _ in part.rows}
    scope = tuple(n for n, family in enumerate(problem.families) if family.name in names)
    if part.evenly:
        return "what to do: give what is far off a larger radius, or a value in the blueprint that is nearer to the fit"
    what = "poses" if part.grouped else "measurements"
    found = f"run with --discard, which looks for the fewest {what} to leave out"
    if not part.grouped and shared_columns(problem, scope):  # no row can be left out alone
        found = "leave out the poses that are named"
    return f"what to do: correct the measurements, or {f'{nominal} and ' if centred else ''}{found}"


def _listed(items: Sequence[str], most: int = MOST) -> str:
    shown = [*items[:most], *([f"{len(items) - most} more"] if len(items) > most else [])]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""
