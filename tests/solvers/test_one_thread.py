import os
import subprocess
import sys

from certify.solvers.one_thread import VARIABLES

SAID = f"""
import os, sys
from unittest.mock import patch
import certify.__main__ as command
loaded = "numpy" in sys.modules
with patch.object(sys, "exit"), patch.object(sys, "argv", ["certify", "--version"]), patch("builtins.print"):
    try:
        command.program()
    except SystemExit:
        pass
print(loaded, *(os.environ[name] for name in {VARIABLES!r}))
"""


def answered(**said):
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    found = subprocess.run(
        [sys.executable, "-c", SAID], capture_output=True, text=True, env=environment | said, check=True
    )
    return found.stdout.split()


def test_commands_have_one_thread_for_linear_algebra_before_numpy_is_there():
    assert answered() == ["False", "1", "1", "1", "1"]


def test_what_the_user_says_stands():
    assert answered(OMP_NUM_THREADS="3") == ["False", "1", "1", "3", "1"]
