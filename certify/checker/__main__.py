"""Run the checker from its folder alone, whatever the folder is called: load it as a package of a name of its own."""

import importlib
import importlib.util
import pathlib
import sys


def _package() -> str:
    """The package's name, after it is loaded."""
    if __package__:
        return __package__
    folder, name = pathlib.Path(__file__).resolve().parent, "certificate_checker"
    spec = importlib.util.spec_from_file_location(name, folder / "__init__.py", submodule_search_locations=[str(folder)])
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} holds no package")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return name


sys.exit(importlib.import_module(".command", _package()).main(sys.argv[1:]))
