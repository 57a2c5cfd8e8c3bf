"""NPZ and Parquet of strangers: sizes are looked at before anything is unpacked, and whatever libraries raise about a
broken file is bad input.
"""

from __future__ import annotations

import importlib
import importlib.util
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from certify.problems.errors import InputError


def read_npz(path: Path, most: int) -> dict[str, Any]:
    """The arrays by name, of at most so many bytes in all; what is not an array is left out, objects are refused."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size <= most:
            with np.load(path) as arrays:
                found = {name: arrays[name] for name in arrays.files}
    except Exception as error:  # of zipfile, zlib, tokenize, numpy: a header may also ask for more memory than there is
        raise InputError(f"table {path}: it cannot be read as NPZ ({error}); save it with numpy.savez") from error
    if size > most:
        raise InputError(f"table {path}: its arrays have {size} bytes, more than {most}; leave out rows")
    return {name: array for name, array in found.items() if isinstance(array, np.ndarray)}


def read_parquet(path: Path, most: int) -> Any:
    """A data frame of at most so many bytes, in doubles and as the file says that it is unpacked."""
    for package in ("pandas", "pyarrow"):
        if importlib.util.find_spec(package) is None:
            raise InputError(f"table {path}: Parquet needs {package}: pip install pandas pyarrow; or save it as CSV")
    try:
        told = importlib.import_module("pyarrow.parquet").read_metadata(path)
        groups = sum(told.row_group(k).total_byte_size for k in range(told.num_row_groups))
        size = max(8 * told.num_rows * told.num_columns, groups)
        if size <= most:
            return importlib.import_module("pandas").read_parquet(path)
    except Exception as error:
        raise InputError(f"table {path}: it cannot be read as Parquet ({error}); save it as CSV") from error
    raise InputError(f"table {path}: its columns have {size} bytes, more than {most}; leave out rows")
