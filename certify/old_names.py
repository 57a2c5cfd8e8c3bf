"""An import by a module's old name ends in an ImportError that says its new one."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec

PLACE = Path(__file__).parent
ROOMS = ("contractors", "problems", "solvers")
RENAMED = {
    "aggregate_cuts": "cuts",
    "aggregation": "weighted_sums",
    "apart": "independent_systems",
    "arithmetic": "rounded",
    "at_point": "error_at",
    "binary_projections": "preimages_of_two",
    "box_schedule": "schedule",
    "contractor_graph": "components",
    "claims": "proved_words",
    "classical": "classical_run",
    "disjunction": "slicing",
    "doubts": "doubt_records",
    "elementary": "images",
    "errors": "wrong_rounding",
    "emission": "problem_replay",
    "existence": "krawczyk_existence",
    "experiment_file": "toml_reader",
    "experiment_writer": "toml_writer",
    "files": "disk",
    "expressions": "expression_parser",
    "factors": "factor_records",
    "fixed_point": "exact_constants",
    "folds": "folded_terms",
    "formula": "graph",
    "functions": "function_kernels",
    "formula_text": "grammar",
    "formula_value": "meaning",
    "h4_enclosed": "enclosed",
    "h4_geometry": "geometry",
    "h4_plant": "plant",
    "h4_torques": "torques",
    "inequalities": "forms",
    "leg_equation": "gough_squared",
    "linear_batch": "batch",
    "linear_enclosure": "enclosure",
    "linear_rows": "corner_form",
    "least_squares": "plain_fit",
    "linear_weights": "weights",
    "mean_value": "newton",
    "narrowing": "contractor",
    "next_pose": "next_poses",
    "parser": "file_parser",
    "periodic_projections": "preimages_periodic",
    "polynomial": "lift",
    "preparation": "preparation_run",
    "preparation_file": "plan",
    "projections": "preimages",
    "proof_replay": "system_replay",
    "raw_simulation": "raw",
    "reduction": "argument_reduction",
    "repetition": "fixed_point",
    "sets": "set_paving",
    "supplement_sections": "proved_words",
    "solving": "system_search",
    "set_files": "set_answer",
    "system_files": "system_answer",
    "system_run": "solve",
    "system_graph": "build",
    "taylor_rows": "taylor_form",
    "problems.table": "csv_table",
    "quantities": "units",
    "table": "calibration_table",
    "verified_products": "products",
}


def new_name(name: str) -> str | None:
    """The present name of a module that was called `name`, or None if there never was one."""
    words = name.removeprefix("certify.").split(".")
    room = words[0] if words[0] in ROOMS else ""
    if not room and not name.startswith("certify."):
        return None
    if words == [room]:
        return f"certify.{room}"
    last = words[-1]
    for stem in dict.fromkeys((RENAMED.get(f"{room}.{last}", RENAMED.get(last, last)), last)):
        for pattern in (f"*/{stem}.py", f"{stem}.py", f"{stem}/__init__.py"):
            for path in sorted((PLACE / room).glob(pattern)):
                parts = path.relative_to(PLACE).with_suffix("").parts
                if parts[0] not in ("checker", "checker_arb", "commands", *(() if room else ROOMS)):
                    return ".".join(("certify", *parts)).removesuffix(".__init__")
    return None


class OldNames:
    """Asked last, when nothing else knows a name."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """No module, ever: an ImportError with the new name, or None for what was never here."""
        new = new_name(fullname)
        if new is None or new == fullname:
            return None
        raise ModuleNotFoundError(f"{fullname} is called {new} now", name=fullname)


def say_new_names() -> None:
    """From here on old names are answered with new ones."""
    sys.meta_path.append(OldNames())
