"""One thread for linear algebra.

Our matrices have few columns. Threads that wait for each other cost more there than they help: a little on an idle
machine, and thirty times the processor time where others compute, too, be it only our own workers. And answers do not
depend on how many processors there are.
"""

from __future__ import annotations

import os

VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def one_thread() -> None:
    """For this process and those that it starts, unless the user has said otherwise; to be called before numpy is
    imported, which looks only then.
    """
    for name in VARIABLES:
        os.environ.setdefault(name, "1")
