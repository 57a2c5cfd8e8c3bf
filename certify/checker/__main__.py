"""Run the checker from its folder alone, whatever the folder is called: load it as a package of a name of its own."""

import importlib
import pathlib
import sys
import types

name = __package__
if not name:
    package = types.ModuleType(name := "certificate_checker")
    package.__path__ = [str(pathlib.Path(__file__).resolve().parent)]
    sys.modules[name] = package
sys.exit(importlib.import_module(".command", name).main(sys.argv[1:]))
