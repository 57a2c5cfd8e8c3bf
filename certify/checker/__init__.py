"""The certificate checker: SPECIFICATION.md as a program, on nothing but the standard library.

It trusts neither the problem nor the certificate. `check` judges files; `rules.Proof` and `scope.Scope` are the same
rules one leaf at a time, for whoever writes a certificate and replays it.
"""

from .decision import check
from .outcome import Outcome, Status

__all__ = ["Outcome", "Status", "check"]
