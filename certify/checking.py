"""Certificates are judged by the stand-alone checker in a process of its own: no state of ours, no package but the standard library."""

from __future__ import annotations

import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

CHECKER = Path(__file__).parent / "checker"


@dataclass(frozen=True, slots=True)
class Check:
    """What the checker said about one certificate; `code` 0 verified, 1 rejected, 3 a limit was reached."""

    certificate: str
    code: int
    message: str
    seconds: float

    @property
    def verified(self) -> bool:
        """Whether the certificate was accepted."""
        return self.code == 0


def check_files(canonical: Path, certificate: Path, seconds: int = 600) -> Check:
    """Run the checker on two files."""
    began = time.perf_counter()
    command = [sys.executable, "-I", "-S", str(CHECKER), str(canonical), str(certificate), "--seconds", str(seconds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    message = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return Check(certificate.name, done.returncode, message[-1] if message else "no answer", time.perf_counter() - began)
