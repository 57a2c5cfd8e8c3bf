"""The first use on a machine compiles the kernels; two processes do it in two thirds of the time.

numba compiles one function after the other and keeps the code beside the source. The elementary functions, which most
other kernels need, are compiled by a child process while this one compiles what does not need them.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from certify.contractors.fixed_point import tapes, terms
from certify.contractors.linear import gauss_seidel
from certify.contractors.tape import evaluation, function_kernels, functions_of_two
from certify.contractors.tape.tape import Operation

PLACE = Path(__file__).parents[3]  # where certify is found


def compile_functions() -> None:
    """Ranges and projections of all functions of one and of two numbers."""
    function_kernels.image(int(Operation.SIN), 0.0, 1.0)
    function_kernels.preimage(int(Operation.SIN), 0.0, 1.0, 0.0, 1.0)
    functions_of_two.image_of_two(int(Operation.MAX), 0.0, 1.0, 0.0, 1.0)
    functions_of_two.preimages_of_two(int(Operation.MAX), 0.0, 1.0, 0.0, 1.0, 0.0, 1.0)
    functions_of_two.image_of_power(0.0, 1.0, 3)
    functions_of_two.preimage_of_power(0.0, 1.0, 3, 0.0, 1.0)


def is_compiled() -> bool:
    """Whether code of the kernels that every search asks lies beside their sources, where it is kept unless the folder
    cannot be written.
    """
    kernels = ((evaluation, "forward"), (terms, "row_terms"), (terms, "weighted_bound"), (tapes, "last_nodes"))
    places = ((Path(str(module.__file__)), name) for module, name in kernels)
    return all(any((p.parent / "__pycache__").glob(f"{p.stem}.{name}-*.nbi")) for p, name in places)


def start_compiling() -> subprocess.Popen[bytes] | None:
    """A process that compiles the functions, if it is worth one; to be waited for before the kernels that need them are
    called.
    """
    if is_compiled():
        return None
    command = [
        sys.executable,
        "-c",
        "from certify.contractors.operators.compilation import compile_functions; compile_functions()",
    ]
    child = subprocess.Popen(
        command, cwd=PLACE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    ones = np.ones((1, 2, 2))
    systems = gauss_seidel.Systems(ones, ones, ones[0], ones[0])
    for diagonal in (False, True):
        gauss_seidel.sweep(systems, np.zeros((1, 2)), np.ones((1, 2)), diagonal)
    return child
