"""The table of a campaign as bytes: Parquet where pyarrow is installed and wanted, else CSV; the same rows, the same
bytes.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple, fields
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from certify.campaigns.plan import KEYS
from certify.campaigns.rows import Row
from certify.problems.errors import InputError

COLUMNS = ("task", *KEYS, *(field.name for field in fields(Row)[2:]))
WHOLE, REAL = ("task", "solutions"), ("lower", "upper")


def table(rows: Iterable[Row], form: str) -> bytes:
    """All rows. Raises InputError if a package is missing."""
    return _parquet(rows) if form == "parquet" else _csv(rows)


def require(form: str) -> None:
    """Refuse a table that cannot be written."""
    if form == "parquet" and find_spec("pyarrow") is None:
        raise InputError("--table parquet needs pyarrow: pip install 'certify[campaign]'; or take --table csv")


def _cells(row: Row) -> tuple[Any, ...]:
    number, settings, *others = astuple(row)
    return (number, *settings, *others)


def _csv(rows: Iterable[Row]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow(["" if value is None else value for value in _cells(row)])
    return out.getvalue().encode()


def _parquet(rows: Iterable[Row]) -> bytes:
    pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    listed = [_cells(row) for row in rows]
    kinds = [pyarrow.int64() if n in WHOLE else pyarrow.float64() if n in REAL else pyarrow.string() for n in COLUMNS]
    arrays = [pyarrow.array([row[k] for row in listed], kind) for k, kind in enumerate(kinds)]
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays, names=list(COLUMNS)), out)
    return out.getvalue()
