"""Compiled code that numba has kept beside the sources: it goes when a kernel has changed that others call.

numba compiles a kernel together with all kernels that it calls, but asks only the kernel's own file whether the code is
old. So after a change of a callee (a pull into a clone, say) the caller would go on with what the callee was, and
nothing would tell. What kernels take from other files lies at the places `CALLED`; what these said when it was compiled
stands as a digest in the file `NOTE`.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

CALLED = (
    *(f"contractors/{name}" for name in ("numbers", "images", "tape", "fixed_point")),
    "contractors/short_numbers.py",
    "contractors/rows/weighted_sums.py",
    "solvers/linear_programs/simplex.py",
    "solvers/weights",
)
NOTE = "kept_code.digest"


def forget_old_code(contractors: Path) -> bool:
    """Remove the code of this folder and of `solvers` beside it, if it is old; False where that is not allowed."""
    said, root = hashlib.sha256(), contractors.parent
    for source in sorted(source for name in CALLED for source in _sources(root / name)):
        said.update(f"{source.relative_to(root)}\n".encode() + source.read_bytes())
    note = contractors / "__pycache__" / NOTE
    if note.is_file() and note.read_text() == said.hexdigest():
        return True
    kept = [code for folder in (contractors, root / "solvers") for code in folder.rglob("*.nbi")]
    try:
        for code in kept:
            code.unlink(missing_ok=True)
        note.parent.mkdir(exist_ok=True)
        note.write_text(said.hexdigest())
    except OSError:
        return not kept
    return True


def _sources(place: Path) -> list[Path]:
    """The files of a folder, or the one file that it is."""
    return [place] if place.suffix else list(place.glob("*.py"))
