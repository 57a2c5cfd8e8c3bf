"""python -m certify.checker_arb PROBLEM CERTIFICATE [--seconds S], or the folder by its path: judge one certificate.

Exit codes: 0 verified, 1 rejected, 2 bad arguments or unreadable files, 3 a limit was reached.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any


def _package() -> Any:
    """The folder as a package, also where it was started by its path and nothing of `certify` is loaded."""
    folder = Path(__file__).parent
    spec = importlib.util.spec_from_file_location(
        folder.name, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} is no package")
    module = importlib.util.module_from_spec(spec)
    sys.modules[folder.name] = module
    spec.loader.exec_module(module)
    return importlib.import_module(f"{folder.name}.command")


if __name__ == "__main__":
    if importlib.util.find_spec("flint") is None:
        sys.stderr.write("The second checker needs python-flint: pip install python-flint\n")
        sys.exit(2)
    if __package__:
        from .command import main
    else:
        main = _package().main
    sys.exit(main(sys.argv[1:]))
