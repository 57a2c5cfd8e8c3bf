"""The kernels are right only while the processor rounds to nearest and keeps subnormal numbers: checked at every entry.

Other packages change that for a whole process, numpy included: importing codac or pyibex leaves it rounding upwards.
"""

from __future__ import annotations

from numba import njit

from certify.contractors.wrong_rounding import WrongRounding


@njit(cache=True)
def _is_nearest(one: float, half_unit: float, least: float) -> bool:
    """With 1, 2^-53 and the least normal number as arguments, so that the compiler cannot answer in advance."""
    return bool(
        one + half_unit == one and one - 0.5 * half_unit == one and -one - half_unit == -one and least * 0.5 > 0.0
    )


def require_nearest() -> None:
    """Raise WrongRounding unless additions round to nearest and subnormals are kept."""
    if not _is_nearest(1.0, 2.0**-53, 2.0**-1022):
        raise WrongRounding(
            "the processor does not round to nearest in this process (importing codac or pyibex, or a "
            "setting such as flush-to-zero, does that); "
            "run certify in a process of its own"
        )
