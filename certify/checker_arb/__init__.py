"""A second checker of certificates, on Arb's balls: it shares the specification with the first one, and no line of
code.

It was written from `certify/checker/SPECIFICATION.md` alone, so that a mistake must be made twice to be believed. It
needs python-flint; the first checker needs nothing but Python, and remains the one whose answer counts.
"""

from .decision import check
from .outcome import Outcome, Status

__all__ = ["Outcome", "Status", "check"]
