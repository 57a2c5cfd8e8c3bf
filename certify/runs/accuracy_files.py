"""What `certify accuracy` leaves in a folder: certificates, each beside its canonical problem, and a record; checked by
separate processes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from certify.accuracy.guarantees import Guarantee
from certify.checks.checking import REJECTED, RESOURCE, Check, check_each
from certify.contractors.numbers.enclosures import enclose_rational
from certify.problems.files.disk import write_bytes
from certify.records.options import Progress
from certify.runs.folders import RECORD, staged, written_before
from certify.solvers.limits import Limit
from certify.stances.guarantees import LegsGuarantee

DEVICE, ALIGNED = "device", "best rigid motion"
GRACE = 20.0  # seconds for the check after an interruption
Given = Guarantee | LegsGuarantee


@dataclass(frozen=True)
class Written:
    """The guarantees as they stand after the checks, and what was written."""

    guarantees: tuple[Given, ...]
    checks: tuple[Check, ...]
    files: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0 if all that was wanted is proved and checked, 1 if a certificate was rejected, else 3."""
        if any(check.code == REJECTED or check.code > RESOURCE for check in self.checks):
            return 1
        done = all(found.complete and found.upper is not None and found.attained for found in self.guarantees)
        return 0 if done and all(check.verified for check in self.checks) else 3

    def as_json(self) -> dict[str, Any]:
        """One object for each guarantee; upper ends are rounded up, lower ones down."""
        return {
            "guarantees": [_told(found) for found in self.guarantees],
            "certificates": {check.certificate: check.verified for check in self.checks},
            "files": list(self.files),
            "exit_code": self.exit_code,
        }


def _told(found: Given) -> dict[str, Any]:
    upper, total, attained = found.upper, found.total, found.attained
    return {
        "name": found.name,
        "workspace": found.workspace,
        "unit": found.unit,
        "epsilon": enclose_rational(max(level.epsilon for level in found.levels))[1],
        **({"epsilon_of_legs": _of_legs(found)} if len(found.levels) > 1 else {}),
        "deviation": [enclose_rational(found.lower)[0], None if upper is None else enclose_rational(upper)[1]],
        "with_error": None if total is None else enclose_rational(total)[1],
        **({"reach": [float(by) for by in found.reach]} if isinstance(found, LegsGuarantee) else {}),
        "witness": None if attained is None else {name: float(value) for name, value in attained.x.items()},
        "frame": _frame(found),
        "witness_joints": _points(found),
        "cells": [len(covering) for covering in found.coverings],
        "complete": found.complete,
    }


def _frame(found: Given) -> str:
    """In which both poses are told."""
    if not isinstance(found, Guarantee):
        return DEVICE
    frame = ALIGNED if found.aligned else DEVICE
    return f"{frame}, with {', '.join(found.held)} as in use" if found.held else frame


def _points(found: Given) -> list[Any] | None:
    """The joints at which the deviation is so large, or the list of those among which it is after each motion."""
    if found.attained is None:
        return None
    if isinstance(found, LegsGuarantee):
        return [float(value) for value in found.attained.q]
    points = [[float(value) for value in point] for point in found.attained.points]
    return points if found.aligned else points[0]


def _of_legs(found: Given) -> dict[str, float]:
    return {level.part: enclose_rational(level.epsilon)[1] for level in found.levels}


def write_guarantees(
    guarantees: Sequence[Given], folder: Path, record: dict[str, Any], progress: Progress, limit: Limit
) -> Written:
    """Write everything in the place of what an earlier run wrote, and have it checked; what is not checked within the
    limit does not stand.
    """
    pairs: list[tuple[str, str]] = []
    known: set[tuple[bytes, bytes]] = set()
    with staged(folder, written_before(folder)) as stage:
        for number, found in enumerate(guarantees, 1):
            for suffix, (canonical, certificate) in found.documents:
                if (canonical, certificate) in known:
                    continue  # the parts of a pose rest on the same legs
                known.add((canonical, certificate))
                stem = f"{number}-{found.name}{suffix}"
                pairs.append((f"{stem}.canonical", f"{stem}.cert"))
                write_bytes(stage / pairs[-1][0], canonical)
                write_bytes(stage / pairs[-1][1], certificate)
        files = (*(name for pair in pairs for name in pair), RECORD)
        unchecked = tuple(Check(name, RESOURCE, "not checked", 0.0) for _, name in pairs)
        _record(stage, Written(tuple(found.standing(()) for found in guarantees), unchecked, files), record)
    progress(f"checking {len(pairs)} certificates in separate processes")
    checks = check_each([(folder / a, folder / b) for a, b in pairs], limit.after(GRACE))
    accepted = {(folder / check.certificate).read_bytes() for check in checks if check.verified}
    written = Written(tuple(found.standing(accepted) for found in guarantees), checks, files)
    _record(folder, written, record)
    return written


def _record(folder: Path, written: Written, record: dict[str, Any]) -> None:
    write_bytes(folder / RECORD, (json.dumps(record | written.as_json(), indent=1) + "\n").encode())
