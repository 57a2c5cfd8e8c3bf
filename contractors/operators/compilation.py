"""The first use on a machine compiles the kernels; two processes do it in little more than half of the time.

numba compiles one function after the other and keeps the code beside the source. A child process compiles what this one
does not ask for meanwhile; both load it afterwards.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from certify.contractors.tape import function_kernels, functions_of_two
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


def is_kept(module: ModuleType, kernel: str) -> bool:
    """Whether code of a kernel lies beside its source, where it is kept unless the folder cannot be written."""
    source = Path(str(module.__file__))
    return any((source.parent / "__pycache__").glob(f"{source.stem}.{kernel}-*.nbi"))


@contextmanager
def compiled_beside(function: Callable[[], None], *kernels: tuple[ModuleType, str]) -> Iterator[None]:
    """Meanwhile a child process calls a function of a module, which compiles kernels, if code of one of these is
    missing; it is waited for.
    """
    if all(is_kept(*kernel) for kernel in kernels):
        yield
        return
    name = function.__name__
    command = [sys.executable, "-c", f"from {function.__module__} import {name}; {name}()"]
    child = subprocess.Popen(
        command, cwd=PLACE, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        child.wait()
