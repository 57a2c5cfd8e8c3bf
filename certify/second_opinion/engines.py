"""Where other interval libraries are: codac in this Python, pyibex in one of its own (its wheels are for 3.6 to 3.9).

pyibex is looked for in the interpreters of PATH, of pyenv, and of `uv python find`; CERTIFY_PYIBEX names one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ENGINES = ("codac", "pyibex")
VERSIONS = ("3.9", "3.8", "3.7", "3.6")
SECONDS = 60
REMEDY = {
    "codac": "pip install codac",
    "pyibex": "make one with Python 3.9 or older, such as: uv venv --python 3.9 ibex && uv pip install --python ibex "
    "pyibex; then set CERTIFY_PYIBEX=ibex/bin/python",
}


@dataclass(frozen=True, slots=True)
class Engine:
    """A library, the interpreter that has it (None: none was found), and its version."""

    name: str
    python: str | None
    version: str = ""

    @property
    def remedy(self) -> str:
        """How to get it."""
        return REMEDY[self.name]


def engine(name: str) -> Engine:
    """Where the named one is."""
    for python in _interpreters(name):
        version = _version(python, name)
        if version is not None:
            return Engine(name, python, version)
    return Engine(name, None)


def _interpreters(name: str) -> Iterator[str]:
    if name == "codac":
        yield sys.executable
        return
    named = os.environ.get("CERTIFY_PYIBEX")
    if named:
        yield named
    found = [shutil.which(f"python{version}") for version in VERSIONS]
    root = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    for version in VERSIONS:
        found += [str(path) for path in sorted(root.glob(f"{version}*/bin/python"))]
    if shutil.which("uv"):
        found += [_output(["uv", "python", "find", version]) for version in VERSIONS]
    yield from dict.fromkeys(path for path in found if path)


def _version(python: str, name: str) -> str | None:
    """Of the library there; None if it is not there, or does not load."""
    told = f"'%d.%d ' % sys.version_info[:2] + getattr({name}, '__version__', '')"
    code = f"import {name}, sys; sys.stdout.write({told})"
    said = _output([python, "-c", code])
    return f"Python {said}".strip() if said else None


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 and done.stdout.strip() else None
