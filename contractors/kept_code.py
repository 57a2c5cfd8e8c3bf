"""Compiled code that numba has kept beside the sources: it goes when any source has changed.

numba compiles a kernel together with all kernels that it calls, but asks only the kernel's own file whether the code is
old. So after a change of a callee (a pull into a clone, say) the caller would go on with what the callee was, and
nothing would tell. Which sources the kept code is of, by their names, times and sizes, stands in the file `NOTE`.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

NOTE = "kept_code.sources"


def forget_old_code(folders: tuple[Path, ...]) -> bool:
    """Remove what was compiled from other sources than those in these folders now; False where that is not allowed."""
    files = [(file.path.removeprefix(str(folder)), file) for folder in folders for file in _files(folder)]
    sources = [
        f"{name} {file.stat().st_mtime_ns} {file.stat().st_size}" for name, file in files if name.endswith(".py")
    ]
    now, note = hashlib.sha256("\n".join(sorted(sources)).encode()).hexdigest(), folders[0] / "__pycache__" / NOTE
    if note.is_file() and note.read_text() == now:
        return True
    kept = [Path(file.path) for name, file in files if name.endswith(".nbi")]
    try:
        for code in kept:
            code.unlink(missing_ok=True)
        note.parent.mkdir(exist_ok=True)
        note.write_text(now)
    except OSError:
        return not kept
    return True


def _files(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(Path(entry.path))
            else:
                yield entry
