"""What the measurements of a robot without legs cannot determine, and what was done about it, as plain text: estimated,
and told as such. A sentence a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from certify.parts.redundancy import Redundancy, combined
from certify.solvers.advice.combinations import Determined, Weak
from certify.text.decimals import show

MOST = 6  # combinations that are listed


def held_line(found: Redundancy, held: Sequence[str]) -> list[str]:
    """What was held at its blueprint, which everything else is about."""
    if not held:
        return []
    values = {
        variable.name: f"{variable.name} = {show(variable.nominal)} {variable.unit}" for variable in found.variables
    }
    told = ", ".join(values[name] for name in held)
    return [f"held at the blueprint: {told}. Everything below is about the robot with {_these(held)}."]


def _these(held: Sequence[str]) -> str:
    return "this value" if len(held) == 1 else "these values"


def determination_lines(found: Redundancy, held: Sequence[str]) -> list[str]:
    """What each part's measurements cannot tell apart, with what they determine instead; and what to do."""
    told = []
    for name, part in found.parts.items():
        told += _not_told_apart(found, name, part)
        told += [_weak(found, name, weak) for weak in part.weak]
    if found.given_up and not held:
        told.append(
            f"what to do: --redundant fix holds {', '.join(found.given_up)} at the blueprint, and says so; or leave "
            f"{'it' if len(found.given_up) == 1 else 'them'} free, as here, where the interval of each alone is "
            f"as wide as the box lets it be."
        )
    return told


def _not_told_apart(found: Redundancy, name: str, part: Determined) -> list[str]:
    told = []
    if part.combinations:
        sums = [combined(found, combination) for combination in part.combinations]
        rest = f" and {len(sums) - MOST} more sums" if len(sums) > MOST else ""
        elsewhere = not set(part.redundant).intersection(found.together.given_up)
        others = "; all parts together tell them apart" if elsewhere else ""
        told.append(
            f"{name}: its measurements determine {', '.join(sums[:MOST])}{rest}, not each parameter of these alone "
            f"(estimated, to first order at the fit){others}."
        )
    if part.idle:
        names = ", ".join(found.variables[v].name for v in part.idle)
        told.append(f"{name}: nothing that is measured tells of {names} (estimated, to first order at the fit).")
    return told


def _weak(found: Redundancy, name: str, weak: Weak) -> str:
    """A direction and how little it changes, in parts of what half-widths explain."""
    shares = sorted(weak.shares, key=lambda share: -abs(share[1]))
    told = ", ".join(f"{found.variables[v].name} by {share:.2g} of its radius" for v, share in shares[:MOST])
    return (
        f"{name}: hardly determined is a change of {told}: it changes no measurement by more than "
        f"{ceil(100 * weak.change)} % of what the half-widths explain (estimated); other poses would help."
    )


def determination_record(found: Redundancy, held: Sequence[str]) -> dict[str, Any]:
    """The same for scripts."""
    parts = {name: _record(found, part) for name, part in found.parts.items()}
    return {"held": list(held), "together": _record(found, found.together), "parts": parts}


def _record(found: Redundancy, part: Determined) -> dict[str, Any]:
    names = [variable.name for variable in found.variables]
    combinations = [
        {"of": {names[c.kept]: 1.0, **{names[v]: factor for v, factor in c.terms}}, "text": combined(found, c)}
        for c in part.combinations
    ]
    weak = [{"radii": {names[v]: share for v, share in w.shares}, "change": w.change} for w in part.weak]
    indices = part.indices
    return {
        "estimated_redundant": [names[v] for v in part.redundant],
        "estimated_without_effect": [names[v] for v in part.idle],
        "estimated_combinations": combinations,
        "estimated_weak": weak,
        "estimated_observability": None
        if indices is None
        else {
            "condition": indices.condition if indices.smallest else None,
            "smallest": indices.smallest,
            "noise_amplification": indices.noise_amplification,
            "root_mean": indices.root_mean,
        },
    }
