"""A process whose rounding was changed is refused, whichever way it was changed; each case in a process of its own."""

import platform
import subprocess
import sys

import pytest

CHANGE = """
import ctypes, sys
import numpy as np
from certify.contractors.tape.evaluation import evaluate
from certify.contractors.numbers.rounding import WrongRounding
from certify.contractors.tape.tape import Builder
builder = Builder(1)
tape = builder.row(builder.add(0, builder.constant(1)))
box = np.zeros((1, 1))
evaluate(tape, box, box)
ctypes.CDLL(None).fesetround({mode})
try:
    evaluate(tape, box, box)
except WrongRounding as error:
    ctypes.CDLL(None).fesetround(0)
    print(error)
    sys.exit(7)
"""


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the numbers of the rounding modes are those of x86")
@pytest.mark.parametrize(("name", "mode"), [("downward", 0x400), ("upward", 0x800), ("towards zero", 0xC00)])
def test_other_rounding_modes_are_refused(name, mode):
    done = subprocess.run([sys.executable, "-c", CHANGE.format(mode=mode)], capture_output=True, text=True, check=False)
    assert done.returncode == 7, (name, done.stderr)
    assert "in a process of its own" in done.stdout


def test_rounding_to_nearest_is_accepted():
    from certify.contractors.numbers.rounding import require_nearest

    require_nearest()
