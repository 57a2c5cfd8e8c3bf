"""How a proof goes and which rows carry it, as sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from certify.explaining.explanation import Event, Explanation, Row, Tree
from certify.explaining.explanation_words import (
    MOST,
    SHORT,
    counted,
    joined,
    measure_of,
    number_text,
    rounded_down,
    rounded_up,
    row_noun,
    with_unit,
)

CONFLICTS = 8  # of a proof with rows left out that are told
FEW = 6  # splits of a tree that are told one by one
RULES = {
    "evaluate": "refuted by a single row: its error is too large, whatever the unknowns are there and the "
    "measurements in their intervals",
    "aggregate": "refuted by a weighted sum of rows: each of them would have to be at most 0 there, and their "
    "sum is proved to be above 0",
    "open": "within the hull, where nothing is claimed",
    "known": "within the box of a known solution or minimum, where there is no second one",
    "piece": "proved by a certificate of its own, a piece, which the checker judges where this one names it",
}
OF_CONDITIONS = {
    "evaluate": "refuted by a single condition: it does not hold there",
    "aggregate": "refuted by conditions that are expanded about the middle of a box and added up: they do not "
    "hold there together",
}
OF_VIOLATIONS = {
    "evaluate": "where a single violation is refuted: it does not occur there",
    "aggregate": "where a single violation is refuted, expanded about the middle of a box: it does not occur there",
}
OF_EQUATIONS = {"evaluate": "refuted by a single equation: it misses 0 by too much, whatever the unknowns are there"}
OF_SQUARES = {
    "evaluate": "refuted by a single row: the square of its error alone exceeds the level, whatever the "
    "unknowns are there",
    "aggregate": "refuted by a sum over rows: the sum of the squares of their errors is proved to exceed the "
    "level there",
}


def carriers(explanation: Explanation) -> str:
    return "conditions" if explanation.conditions else "measurements" if explanation.scope.columns else "equations"


def named_rows(explanation: Explanation, rows: Iterable[Row]) -> str:
    """Rows by their numbers from 1, group by group: rows 3, 17 and 42 of leg1."""
    noun, groups = row_noun(explanation), dict[int, list[int]]()
    for family, row in rows:
        groups.setdefault(family, []).append(row + 1)
    if noun in ("equation", "condition"):
        return joined([explanation.problem.families[family].name for family in groups])
    told = []
    for family, numbers in sorted(groups.items()):
        told.append(
            f"{noun}{'s' * (len(numbers) > 1)} {joined(_runs(sorted(numbers)))} of "
            f"{explanation.problem.families[family].name}"
        )
    return "; ".join(told)


def _runs(numbers: Sequence[int]) -> list[str]:
    """Ascending numbers, three or more in a row as 3 to 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    told: list[str] = []
    for run in runs:
        told += [f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run)
    return told


def carried_lines(explanation: Explanation, tree: Tree) -> list[str]:
    if tree.pieces:
        return [
            f"{counted(tree.pieces, 'piece')} of the proof may use any of the {explanation.rows} rows: each says so."
        ]
    if not tree.uses:
        return ["None: no part of the box is refuted by a row."]
    noun, total = row_noun(explanation), sum(tree.leaves.values())
    used = sorted(tree.uses)
    certificate = explanation.certificate
    told = []
    if tree.hit and noun != "condition":
        told += _conflicts(explanation, tree)
    elif certificate.lower is not None and noun != "condition":
        subject = named_rows(explanation, used)
        together = "together cannot be explained" if len(used) > 1 else "cannot be explained"
        bound = (
            ""
            if certificate.lower == 0
            else f" with {with_unit(rounded_down(certificate.lower), measure_of(explanation)[1])} or less"
        )
        place = "anywhere in the search box" if certificate.point is None else "by these values"
        told.append(f"The conflict: {subject} {together}{bound} {place}.")
        told.append(
            f"The proof uses no other of the {explanation.rows} rows (and fewer may do): who doubts the "
            f"claim has to doubt one of these "
            f"{carriers(explanation)}{', the box or the model' if explanation.scope.columns else ' or the box'}."
        )
        if tree.last and len(tree.last) < len(used):
            told.append(f"What all the cuts leave of the box is refuted by {named_rows(explanation, tree.last)}.")
    elif certificate.isolated:
        whose = "the minimum" if certificate.minimum is not None else counted(certificate.zeros or 0, "solution")
        told.append(
            f"The proof that {whose} {'are' if (certificate.zeros or 0) > 1 else 'is'} there uses all "
            f"{explanation.rows} rows."
        )
        nothing = "nothing else" if certificate.within is None else "nothing else but in what is open"
        told.append(f"The proof that there is {nothing} uses {len(used)} of them: {named_rows(explanation, used)}.")
    else:
        told.append(f"The proof uses {len(used)} of {explanation.rows} rows: {named_rows(explanation, used)}.")
    if len(used) > 1:
        told.append(
            f"Those that occur in most of the {total} leaves of the proof (and about their part of the "
            f"weights there, on average):"
        )
        for row, use in tree.ranked()[:MOST]:
            told.append(f"    {named_rows(explanation, [row])}: {_leaves(use.leaves)}, {use.weight / use.leaves:.1%}")
    if noun not in ("equation", "condition") and explanation.rows > len(explanation.families):
        told.append(f"A {noun} is numbered by its place in its group, from 1.")
    return told


def _conflicts(explanation: Explanation, tree: Tree) -> list[str]:
    """What each child of a hitting refutes: the rows are not in conflict all together, but each of these sets is."""
    certificate = explanation.certificate
    bound = _bound(explanation)
    place = (
        "the part of the search box that it is about"
        if tree.parted
        else "the search box"
        if certificate.point is None
        else "the values given"
    )
    out = counted(certificate.discard, "row")
    told = [
        f"{counted(len(tree.hit), 'conflict')}, each a set of rows that together cannot be "
        f"explained{bound} in {place}; whichever {out} "
        f"{'is' if certificate.discard == 1 else 'are'} left out, a conflict stays "
        f"whole{' in each part' if tree.parted else ''}:"
    ]
    told += [
        f"    {number}: {named_rows(explanation, sorted(rows))}" for number, rows in enumerate(tree.hit[:CONFLICTS], 1)
    ]
    if len(tree.hit) > CONFLICTS:
        told.append(f"    ... and {len(tree.hit) - CONFLICTS} more")
    return [*told, f"The proof uses {len(tree.uses)} of the {explanation.rows} rows."]


def proof_lines(explanation: Explanation) -> list[str]:
    tree = explanation.tree
    if tree is None:
        if explanation.certificate.minimum is not None:
            return [
                "There is nothing to search, and no witness: only one small box is looked at.",
                *_isolated(explanation),
            ]
        return ["The witness is put into the model, row by row, in outward rounding; there is nothing to search."]
    told = _isolated(explanation)
    if told:
        told.append("What is not in such a box is excluded by the search:")
    told += _cases(tree)
    if tree.frames:
        told.append(
            f"What is left of a box is looked at in slanted coordinates, along which the "
            f"{carriers(explanation)} bound it best."
        )
    told += _left_out(explanation, tree)
    for rule, meaning in (RULES | _meanings(explanation)).items():
        if tree.leaves[rule]:
            meaning += (
                ", but the sum of their volumes"
                if rule == "open" and explanation.certificate.volume is not None
                else ""
            )
            count = tree.leaves[rule]
            what = _leaves(count) if tree.conflicts else counted(count, "part")
            told.append(f"- {what} {'is' if count == 1 else 'are'} {meaning}")
    if tree.rounds:
        told += _rounds(tree)
    if 0 < tree.splits <= FEW:
        told += [f"    {number}. {_event(explanation, event)}" for number, event in enumerate(tree.events, 1)]
    elif tree.events:
        kind = "split" if tree.events[0].cut is None else "cut"
        told.append(f"The first {kind}: {_event(explanation, tree.events[0])}")
    if explanation.certificate.witness is not None:
        told.append("Then the witness is put into the model, row by row, in outward rounding.")
    return told


def _cases(tree: Tree) -> list[str]:
    """How the box is split; where rows are left out, a part has a leaf at least for each conflict."""
    if not tree.splits:
        return ["In one step: the box is not split."]
    total = sum(tree.leaves.values())
    into = f"; the proof has {_leaves(total)}, some of the same part" if tree.conflicts else f" into {total} parts"
    anew = (
        f" {counted(tree.prepares, 'time')} the rows are described anew for the part at hand." if tree.prepares else ""
    )
    return [f"By cases: the box is split {counted(tree.splits, 'time')} (at most {tree.depth} deep){into}.{anew}"]


def _leaves(count: int) -> str:
    return "1 leaf" if count == 1 else f"{count} leaves"


def _left_out(explanation: Explanation, tree: Tree) -> list[str]:
    """What the conflicts are for, if there are any."""
    count = tree.conflicts
    if not count:
        return []
    if explanation.inner:
        return [
            f"{counted(count, 'time')} a violation is refuted for a part, until none is left: there every "
            f"condition holds."
        ]
    if explanation.conditions:
        return [
            f"{counted(count, 'time')} a condition is refuted for a part, so many of them that too few are "
            f"left to hold."
        ]
    bound, out = _bound(explanation), explanation.certificate.discard
    whose, all_ = "no values in the search box explain", "them all"
    if explanation.certificate.point is not None:
        whose = "the given values do not explain"
    elif tree.parted:
        whose, all_ = "no values in some part of the search box explain", "all those of a part"
    return [
        f"{counted(count, 'conflict')}: sets of rows that {whose} together{bound}, each refuted by itself; "
        f"no {'row' if out == 1 else counted(out, 'row')} left out would meet {all_}."
    ]


def _bound(explanation: Explanation) -> str:
    """What rows in conflict exceed."""
    level = explanation.certificate.within if explanation.certificate.lower is None else explanation.certificate.lower
    return f" with {with_unit(rounded_down(level), measure_of(explanation)[1])} or less" if level else ""


def _isolated(explanation: Explanation) -> list[str]:
    """How existence and uniqueness in the small boxes are proved."""
    certificate = explanation.certificate
    if certificate.minimum is not None:
        return [
            "In the small box: Krawczyk's operator (a Newton step with bounds) of the gradient of the sum "
            "maps the box into its interior, so exactly "
            "one point of it is stationary.",
            "The second derivatives (the Hessian) are enclosed over the whole box and are positive definite "
            "there, so this point is a strict "
            "minimum, and the sum is higher in the rest of the box.",
            "The sum at the box's centre, in outward rounding, is at most the value claimed; at the minimum "
            "it is no more.",
        ]
    if not certificate.zeros:
        return []
    told = [
        f"In {'the box of the solution' if certificate.zeros == 1 else 'each box of a solution'}: "
        f"Krawczyk's operator (a Newton step with bounds) of "
        "the equations maps the box into its interior, so exactly one solution is in it."
    ]
    if explanation.scope.columns:
        what = "inequalities" if explanation.conditions else "rows with measurements"
        told[0] += f" The {what} are proved to hold at every point where it may be."
    if certificate.zeros > 1:
        told[0] += " The images of any two boxes have no point in common, so no solution is counted twice."
    return told


def _meanings(explanation: Explanation) -> dict[str, str]:
    if explanation.inner:
        return OF_VIOLATIONS
    if explanation.conditions:
        return OF_CONDITIONS
    if explanation.certificate.squares:
        return OF_SQUARES
    return {} if explanation.scope.columns else OF_EQUATIONS


def _rounds(tree: Tree) -> list[str]:
    first, last = tree.rounds[0], tree.rounds[-1]
    several = f"{first.cuts} cuts cut off what is impossible at the edges and leave"
    cuts = "cut cuts off what is impossible at an edge and leaves" if first.cuts == 1 else several
    told = f"The first {cuts} about {_share(first.left)} of the box's volume"
    if first is last:
        return [f"{told}."]
    return [
        f"{told}; after {last.cuts} cuts in {len(tree.rounds)} rounds about {_share(last.left)} is left, "
        f"which the rest of the proof settles."
    ]


def _share(logarithm: float) -> str:
    """A part that may be far too small for a double."""
    if logarithm > -2:
        return f"{100 * 10**logarithm:.2g} %"
    exponent = math.floor(logarithm)
    return f"{10 ** (logarithm - exponent):.1f}e{exponent}"


def _event(explanation: Explanation, event: Event) -> str:
    """A split in words: of what is left of the box, or of a part of it only."""
    variable = explanation.problem.variables[event.variable].name
    unit = explanation.variable_units[variable]
    if event.cut is None:
        return (
            f"{'the box' if event.whole else 'a part of the box'} is divided at {variable} = "
            f"{with_unit(number_text(event.at), unit)}."
        )
    sign, at = ("<=", rounded_down(event.at, SHORT)) if event.cut == "below" else (">=", rounded_up(event.at, SHORT))
    why = ": the sum of squares exceeds the level there" if explanation.certificate.squares else " is impossible"
    where = "" if event.whole else "in a part of the box "
    return f"{where}{variable} {sign} {with_unit(at, unit)}{why}, because of {named_rows(explanation, event.rows)}."
