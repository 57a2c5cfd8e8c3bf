"""What both checkers say of a certificate, which must be the same."""

from __future__ import annotations

from certify import checker, checker_arb


def both(canonical, certificate):
    first, second = checker.check(canonical, certificate), checker_arb.check(canonical, certificate)
    assert first.status.value == second.status.value, (first.message, second.message)
    return first.status.value
