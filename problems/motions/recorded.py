"""The record of a designed motion: from `result.json` the Fourier series again, and how many periods were asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from certify.problems.errors import InputError
from certify.problems.files.disk import read_text
from certify.problems.periodic.fourier import FourierMotion


def read_record(path: Path, names: Sequence[str]) -> tuple[FourierMotion, int]:
    """The motion of these coordinates, and its periods; raises InputError where it is no record of such a motion."""
    text = read_text(path, "record")
    try:
        record = json.loads(text)
        found = record["coordinates"]
        rows = np.array([[found[one]["middle"], *found[one]["sines"], *found[one]["cosines"]] for one in names], float)
        period, periods = float(record["period_s"]), int(record["periods"])
        usable = rows.ndim == 2 and rows.shape[1] % 2 == 1 and bool(np.isfinite(rows).all()) and period > 0 < periods
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"record {path}: it is no designed motion of {', '.join(names)} ({type(error).__name__}: {error}); give "
            f"the result.json of 'certify design'"
        ) from error
    if not (usable and set(found) == set(names)):
        raise InputError(
            f"record {path}: its coordinates are {', '.join(map(str, found))}, and {', '.join(names)} are wanted, with "
            f"as many sines as cosines and a positive period; give the result.json of 'certify design' of this robot"
        )
    return FourierMotion(rows, period), periods
