"""Run the checker from its folder alone, whatever the folder is called: load it as a package of a name of its own."""

import importlib
import pathlib
import sys
import types


def _package() -> str:
    """The package's name; without one, modules are looked up in this folder under a name of its own."""
    if __package__:
        return __package__
    package = types.ModuleType("certificate_checker")
    package.__path__ = [str(pathlib.Path(__file__).resolve().parent)]
    sys.modules[package.__name__] = package
    return package.__name__


sys.exit(importlib.import_module(".command", _package()).main(sys.argv[1:]))
