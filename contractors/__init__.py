"""What may be removed? Interval arithmetic, tapes, and pure narrowing operators.

The kernels are compiled by numba and cached beside their source or in the user's cache folder; where neither can be
written (a service account) they are compiled into a private temporary folder, anew in each process.
"""

import os
import tempfile
from pathlib import Path


def _find_a_cache() -> None:
    places = [Path(__file__).parent, Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"), Path.home()]
    if "NUMBA_CACHE_DIR" not in os.environ and not any(
        place.is_dir() and os.access(place, os.W_OK) for place in places
    ):
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="certify-kernels-")


if __name__ == "contractors":
    raise ImportError("contractors is a part of certify: import certify.contractors")
_find_a_cache()
