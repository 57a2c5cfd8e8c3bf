"""Commands as a terminal shows them, in this process, where all kernels are loaded already."""

import contextlib
import io
from types import SimpleNamespace

from certify.__main__ import main


def run(*words):
    """The exit code of a command, and what it has said."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main([*map(str, words)])
        except SystemExit as ended:
            code = ended.code
    return SimpleNamespace(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())
