"""Intervals at the prompt: the value class, and the functions of IEEE 1788-2015 with their inverses.

    >>> from certify import interval
    >>> x = interval.Interval("0.1", 2)
    >>> interval.exp(x) / x

`certify.contractors.interval` says what each encloses, and how tightly.
"""

from certify.contractors.interval import *  # noqa: F403 - all of its public names are public here
from certify.contractors.interval import __all__ as __all__
