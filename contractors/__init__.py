"""What may be removed? Interval arithmetic, tapes, and pure narrowing operators.

The kernels are compiled by numba and cached beside their source or in the user's cache folder; where neither can be
written (a service account) they are compiled into a private temporary folder, anew in each process.
"""

import os
import tempfile
from pathlib import Path

from certify.contractors.compiled_code import forget_old_code


def _find_a_cache() -> None:
    here = Path(__file__).parent
    kept = forget_old_code(here)
    places = [here, Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"), Path.home()]
    writable = any(place.is_dir() and os.access(place, os.W_OK) for place in places)
    if "NUMBA_CACHE_DIR" not in os.environ and not (kept and writable):
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="certify-kernels-")


if __name__ == "contractors":
    raise ImportError("contractors is a part of certify: import certify.contractors")
_find_a_cache()
