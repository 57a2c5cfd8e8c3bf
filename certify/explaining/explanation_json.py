"""An explanation as one object for scripts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from certify.checker.certificate import Certificate
from certify.explaining.explanation import Explanation, Row, Tree
from certify.explaining.explanation_text import needed_lines, text
from certify.explaining.explanation_words import NOT_NEEDED, Files
from certify.explaining.model_text import formula


def _minimum_record(certificate: Certificate) -> dict[str, Any] | None:
    return (
        None
        if certificate.minimum is None
        else {"value": str(certificate.minimum), "everywhere": certificate.everywhere}
    )


def as_json(explanation: Explanation, files: Files) -> dict[str, Any]:
    """The same as one object; exact numbers as strings, rows numbered from 1."""
    certificate, problem, tree = explanation.certificate, explanation.problem, explanation.tree
    columns = []
    for column in explanation.columns:
        least, most = explanation.half_widths(column)
        declared = problem.columns[column]
        columns.append(
            {
                "name": declared.name,
                "unit": explanation.column_units[declared.name],
                "values": len(declared.entries),
                "half_widths": [str(least), str(most)],
                "shared": column in explanation.shared,
            }
        )
    models = [
        {
            "family": problem.families[number].name,
            "rows": problem.families[number].rows,
            "formula": formula(problem, number),
        }
        | {"operations": len(problem.tapes[problem.families[number].tape].operations)}
        for number in explanation.families
    ]
    return {
        "certificate": files.certificate,
        "bytes": explanation.size,
        "checked": False,
        "problem": {"file": files.problem, "sha256": certificate.problem, "same": True, "translated": files.translated},
        "kind": certificate.kind or None,
        "scope": [problem.families[number].name for number in explanation.families],
        "groups": [
            {
                "role": group.role if certificate.kind else None,
                "norm": group.norm,
                "bound": [str(group.base), str(group.scale)],
                "families": list(group.names),
            }
            for group in certificate.groups
        ],
        "factor": str(certificate.factor),
        "unit": explanation.unit,
        "claims": {
            word: None if value is None else str(value)
            for word, value in (
                ("lower", certificate.lower),
                ("upper", certificate.upper),
                ("within", certificate.within),
                ("volume", certificate.volume),
            )
        }
        | {
            "minimum": _minimum_record(certificate),
            "norm": "squares" if certificate.squares else "largest",
            "discard": certificate.discard,
        }
        | {
            "zeros": certificate.zeros,
            "point": None if certificate.point is None else [str(value) for value in certificate.point],
            "part": None if certificate.part is None else [[str(end) for end in ends] for ends in certificate.part],
        },
        "variables": [
            {"name": name, "unit": unit, "box": [str(low), str(high)]}
            | ({} if certificate.hull is None else {"hull": [str(end) for end in certificate.hull.box[place]]})
            | ({} if certificate.witness is None else {"witness": str(certificate.witness.values[place])})
            for place, (name, unit, low, high) in enumerate(explanation.boxed())
        ],
        "measurements": columns,
        "models": models,
        "tree": None if tree is None else _tree_json(explanation, tree),
        "trust": {"needed": list(needed_lines(explanation, files)), "not_needed": NOT_NEEDED},
        "check": files.check,
        "text": text(explanation, files),
    }


def _tree_json(explanation: Explanation, tree: Tree) -> dict[str, Any]:
    problem = explanation.problem
    return {
        "leaves": dict(tree.leaves),
        "pieces": tree.pieces,
        "splits": tree.splits,
        "prepares": tree.prepares,
        "depth": tree.depth,
        "rounds": [{"cuts": found.cuts, "log10_left": found.left} for found in tree.rounds],
        "rows_used": [
            {
                "family": problem.families[family].name,
                "row": row + 1,
                "leaves": use.leaves,
                "mean_weight": use.weight / use.leaves,
            }
            for (family, row), use in tree.ranked()
        ],
        "last_rows": [[problem.families[family].name, row + 1] for family, row in tree.last],
        "conflict": None
        if explanation.certificate.lower is None or tree.hit or tree.pieces
        else _by_family(explanation, tree.uses),
        "conflicts": [] if explanation.conditions else [_by_family(explanation, rows) for rows in tree.hit],
    }


def _by_family(explanation: Explanation, rows: Iterable[Row]) -> dict[str, list[int]]:
    """The numbers of rows, from 1, by the names of their families."""
    told: dict[str, list[int]] = {}
    for family, row in sorted(rows):
        told.setdefault(explanation.problem.families[family].name, []).append(row + 1)
    return told
