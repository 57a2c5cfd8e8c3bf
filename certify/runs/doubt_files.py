"""What a doubt leaves in a folder: a canonical problem for each model, the certificates about it, and a record; and the
checks of the certificates.

    base.canonical, base.leg1.cert                      the model error on the poses used
    base.apart.canonical, base.leg1-apart.cert          what the witness needs on the poses kept apart
    joint-offset-at-a.canonical, ...                    the same for a hypothesis
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.checks.checking import RESOURCE, Check, check_each
from certify.problems.files.disk import write_bytes
from certify.records.doubt_records import Doubts, Model
from certify.records.options import Progress
from certify.records.results import Result
from certify.runs.folders import RECORD, staged, written_before
from certify.solvers.limits import LIMITS, UNLIMITED, Limit

GRACE = 10.0  # seconds for the check after an interruption


@dataclass(frozen=True)
class Written:
    """The files of a doubt, the checks of its certificates, the model that each certificate is about, and what stands
    after the checks.
    """

    files: tuple[str, ...]
    checks: tuple[Check, ...]
    models: tuple[str, ...]
    doubts: Doubts


def exit_code(written: Written) -> int:
    """0 if the base model's error is proved and all certificates are verified, 1 if one was rejected, 3 otherwise."""
    if any(check.code == 1 or check.code > 3 for check in written.checks):
        return 1
    decided = all(
        judged.upper is not None and (judged.part.epsilon[0] > 0 or judged.upper == 0)
        for judged in written.doubts.base_parts
    )
    limited = any(judged.part.stopped in LIMITS for judged in written.doubts.base_parts) or bool(
        written.doubts.unjudged
    )
    return 0 if decided and not limited and all(check.verified for check in written.checks) else 3


def write_doubts(
    doubts: Doubts, folder: Path, record: dict[str, Any], progress: Progress, limit: Limit = UNLIMITED
) -> Written:
    """Write everything to a folder, in the place of what an earlier run wrote there, and have the certificates checked
    in separate processes.

    What is not checked within the limit does not stand; after an interruption there is a little time for it.
    """
    names: list[str] = []
    found: list[tuple[str, str, str]] = []
    with staged(folder, written_before(folder)) as stage:
        for model in (doubts.base, *doubts.richer):
            for result, canonical in (
                (model.used, f"{_slug(model)}.canonical"),
                (model.apart, f"{_slug(model)}.apart.canonical"),
            ):
                if result is not None:
                    names.append(canonical)
                    found += _write(stage, model, result, canonical)
        names += [certificate for _, _, certificate in found]
        models = tuple(model for model, _, _ in found)
        unchecked = tuple(Check(certificate, RESOURCE, "not checked", 0.0) for _, _, certificate in found)
        _record(stage, Written((*names, RECORD), unchecked, models, doubts.standing(())), record)
    progress(f"checking {len(found)} certificates in separate processes")
    checks = check_each(
        [(folder / canonical, folder / certificate) for _, canonical, certificate in found], limit.after(GRACE)
    )
    accepted = {(folder / check.certificate).read_bytes() for check in checks if check.verified}
    written = Written((*names, RECORD), checks, models, doubts.standing(accepted))
    _record(folder, written, record)
    return written


def _record(folder: Path, written: Written, record: dict[str, Any]) -> None:
    told = record | written.doubts.as_json() | {"files": list(written.files), "exit_code": exit_code(written)}
    told["certificates"] = {check.certificate: check.verified for check in written.checks}
    write_bytes(folder / RECORD, (json.dumps(told, indent=1) + "\n").encode())


def _write(folder: Path, model: Model, result: Result, canonical: str) -> list[tuple[str, str, str]]:
    """The canonical problem and the certificates; returns the model's name and both files for each of these."""
    write_bytes(folder / canonical, result.canonical)
    found = []
    for part in result.parts:
        if part.certificate is not None:
            found.append((model.name, canonical, f"{_slug(model)}.{part.name}.cert"))
            write_bytes(folder / found[-1][2], part.certificate)
    return found


def _slug(model: Model) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", model.name).strip("-")
