"""What a text model declares and uses: names that are none, twice there or have a meaning already, and what is declared
in vain, each refused at its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from certify.problems.errors import InputError
from certify.problems.formulas.grammar import Call, Entry, Name, Node, parse_formula
from certify.problems.formulas.meaning import RESERVED
from certify.problems.formulas.units import shown
from certify.problems.robots.components import MODEL
from certify.problems.robots.declarations import NAME

_RESERVED = {"pose", *RESERVED}
Texts = Sequence[tuple[str, str]]


def check_names(declared: Sequence[tuple[str, str]], place: str) -> None:
    """Refuse a name that cannot stand in a formula, and one that is declared twice; `declared` are group and name."""
    seen: dict[str, str] = {}
    for group, name in declared:
        section = f"{place}{group}."
        if NAME.fullmatch(name) is None:
            raise InputError(
                f"{section}{shown(name)} is no name for a formula; write a letter, then at most 19 letters, digits or _"
            )
        if name in _RESERVED:
            raise InputError(f"{section}{name}: {name} has a meaning of its own already; choose another name")
        if name in seen:
            raise InputError(
                f"{section}{name}: there is a {name} under [model.{seen[name]}] already; rename one of them"
            )
        seen[name] = group


def check_used(equations: Texts, definitions: Texts, declared: Sequence[str], place: str) -> None:
    """Refuse what no equation uses."""
    used = set().union(*(_names(parse_formula(text, at(place, name))) for name, text in equations))
    for name, text in reversed(definitions):
        if name not in used:
            raise InputError(f"{place}definitions.{name} is used nowhere; use it or remove it")
        used |= _names(parse_formula(text, f"{place}definitions.{name}"))
    for name in declared:
        if name not in used:
            raise InputError(f"{place}{name} is declared, but the equation does not use it; use it or remove it")


def _names(node: Node) -> set[str]:
    if isinstance(node, Name):
        return {node.name}
    if isinstance(node, Entry):
        return _names(node.value)
    return set().union(*map(_names, node.arguments)) if isinstance(node, Call) else set()


def at(place: str, name: str) -> str:
    """Where an equation stands."""
    return f"{place}equation" if name in ("", MODEL) else f"{place}equations.{name}"
