"""Parameters that the problem file calls exact (radius 0) and that may not be: axes that are not parallel or do not
meet, a tool or a length that is another one. They become unknown, in the model as it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from certify.problems.experiments.experiment import Experiment
from certify.problems.experiments.freed import exact_numbers, freed
from certify.problems.model.hypothesis import Hypothesis
from certify.problems.model.model import Binding, Family, Problem

RADIUS = Fraction(1)  # until the effect gives another one


def propose(problem: Problem) -> tuple[Hypothesis, ...]:
    """None: a problem has forgotten what was exact; see `about_exact`."""
    return ()


def about_exact(experiment: Experiment, centre: Sequence[Fraction]) -> tuple[Hypothesis, ...]:
    """One for each exact angle, and one for each field with several exact numbers, of a robot without legs; `centre` is
    where the search box stands.
    """
    if experiment.kind.legs or experiment.pose_columns:
        return ()
    units = {parameter.name: parameter.unit for parameter in experiment.blueprint}
    found = []
    for field, names in exact_numbers(experiment).items():
        if len(names) > 1:
            found.append(_hypothesis(experiment, centre, field, names))
        if units[names[0]] != "mm" or len(names) == 1:
            found += [_hypothesis(experiment, centre, name, (name,)) for name in names]
    return tuple(hypothesis for hypothesis in found if hypothesis is not None)


def _hypothesis(
    experiment: Experiment, centre: Sequence[Fraction], what: str, names: Sequence[str]
) -> Hypothesis | None:
    more = freed(experiment, dict.fromkeys(names, RADIUS))
    nominal = {parameter.name: parameter.nominal for parameter in more.blueprint}
    places = dict(zip((variable.name for variable in experiment.variables), centre, strict=True))
    problem = more.problem([places.get(v.name, nominal[v.name]) for v in more.variables])
    order = [v for v in problem.variables if v.name in places] + [v for v in problem.variables if v.name in names]
    moved = {n: order.index(variable) for n, variable in enumerate(problem.variables)}
    families = tuple(_renumbered(family, moved) for family in problem.families)
    read = {b.index for family in families for b in family.bindings if not b.measured}
    if not read.issuperset(range(len(places), len(order))):
        return None
    sentence = f"what the blueprint calls exact is another one: {', '.join(names)}"
    return Hypothesis(
        f"exact {what}",
        sentence,
        freed=Problem(
            tuple(order), problem.columns, families, problem.title, problem.provenance, problem.groups, problem.poses
        ),
    )


def _renumbered(family: Family, moved: dict[int, int]) -> Family:
    bindings = tuple(b if b.measured else Binding(False, moved[b.index]) for b in family.bindings)
    return Family(family.name, family.tape, family.rows, bindings, family.unit, family.role)
