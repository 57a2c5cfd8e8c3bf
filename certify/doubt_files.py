"""What a doubt leaves in a folder: a canonical problem for each model, the certificates about it, and a record; and the
checks of the certificates.

    base.canonical, base.leg1.cert                      the model error on the poses used
    base.apart.canonical, base.leg1-apart.cert          what the witness needs on the poses kept apart
    joint-offset-at-a.canonical, ...                    the same for a hypothesis
"""

from __future__ import annotations

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.checking import Check, check_files
from certify.doubts import Doubts, Model
from certify.folders import RECORD, remove, written_before
from certify.part_search import Progress
from certify.results import Result
from problems.files import write_bytes


@dataclass(frozen=True)
class Written:
    """The files of a doubt, the checks of its certificates, the model that each certificate is about, and what stands after the checks."""

    files: tuple[str, ...]
    checks: tuple[Check, ...]
    models: tuple[str, ...]
    doubts: Doubts


def exit_code(written: Written) -> int:
    """0 if the base model's error is proved and all certificates are verified, 1 if one was rejected, 3 otherwise."""
    if any(check.code == 1 or check.code > 3 for check in written.checks):
        return 1
    decided = all(judged.upper is not None and (judged.part.epsilon[0] > 0 or judged.upper == 0) for judged in written.doubts.base_parts)
    return 0 if decided and all(check.verified for check in written.checks) else 3


def write_doubts(doubts: Doubts, folder: Path, record: dict[str, Any], progress: Progress) -> Written:
    """Write everything to a folder, in the place of what an earlier run wrote there, and have the certificates checked in separate processes."""
    remove(written_before(folder))
    names: list[str] = []
    pairs: list[tuple[str, Path, Path]] = []
    for model in (doubts.base, *doubts.richer):
        for result, canonical in ((model.used, f"{_slug(model)}.canonical"), (model.apart, f"{_slug(model)}.apart.canonical")):
            if result is not None:
                names.append(canonical)
                pairs += _write(folder, model, result, canonical)
    progress(f"checking {len(pairs)} certificates in separate processes")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = tuple(pool.map(lambda pair: check_files(pair[1], pair[2]), pairs))
    names += [certificate.name for _, _, certificate in pairs]
    doubts = doubts.standing({certificate.read_bytes() for (_, _, certificate), check in zip(pairs, checks, strict=True) if check.verified})
    written = Written((*names, RECORD), checks, tuple(name for name, _, _ in pairs), doubts)
    told = record | doubts.as_json() | {"files": list(written.files), "exit_code": exit_code(written)}
    told["certificates"] = {check.certificate: check.verified for check in checks}
    write_bytes(folder / RECORD, (json.dumps(told, indent=1) + "\n").encode())
    return written


def _write(folder: Path, model: Model, result: Result, canonical: str) -> list[tuple[str, Path, Path]]:
    write_bytes(folder / canonical, result.canonical)
    found = []
    for part in result.parts:
        if part.certificate is not None:
            found.append((model.name, folder / canonical, folder / f"{_slug(model)}.{part.name}.cert"))
            write_bytes(found[-1][2], part.certificate)
    return found


def _slug(model: Model) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", model.name).strip("-")
