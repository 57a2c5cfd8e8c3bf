"""Compiled code is used only as long as no kernel that others call has changed since."""

import ast
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from certify.contractors import compiled_code
from certify.contractors.compiled_code import CALLED, forget_old_code
from certify.contractors.operators import compilation
from certify.contractors.operators.compilation import compile_functions, compiled_beside
from certify.contractors.tape import function_kernels
from certify.parts.warm_up import compile_narrowing
from certify.questions.system_search import compile_proofs

ROOT = Path(compiled_code.__file__).parent.parent.parent


@pytest.fixture
def room(tmp_path):
    """A room with kernels and what was compiled from them, and another one with what calls them."""
    for place in (*CALLED, "contractors/operators", "solvers/search"):
        source = tmp_path / place if place.endswith(".py") else tmp_path / place / "source.py"
        (source.parent / "__pycache__").mkdir(parents=True, exist_ok=True)
        source.write_text("")
    assert forget_old_code(tmp_path / "contractors")
    for code in codes(tmp_path):
        code.write_bytes(b"")
    return tmp_path / "contractors"


def codes(root):
    return [root / folder / "__pycache__/source.f-1.py311.nbi" for folder in ("contractors/tape", "solvers/search")]


def test_it_is_kept_while_nothing_changes(room):
    (room / "tape/source.py").touch()
    (room / "operators/source.py").write_text("of which numba knows itself")
    assert forget_old_code(room) and all(code.exists() for code in codes(room.parent))


@pytest.mark.parametrize(
    "changed", ["numbers/source.py", "tape/other.py", "short_numbers.py", "../solvers/weights/source.py"]
)
def test_all_goes_when_a_callee_changes(room, changed):
    (room / changed).write_text("x = 1")
    assert forget_old_code(room) and not any(code.exists() for code in codes(room.parent))
    for code in codes(room.parent):
        code.write_bytes(b"")
    assert forget_old_code(room) and all(code.exists() for code in codes(room.parent))


def test_what_cannot_be_removed_is_told(room, monkeypatch):
    (room / "tape/source.py").write_text("x = 1")

    def refused(self, missing_ok=False):
        raise PermissionError(self)

    monkeypatch.setattr(Path, "unlink", refused)
    assert not forget_old_code(room) and all(code.exists() for code in codes(room.parent))


@pytest.mark.parametrize("function", [compile_functions, compile_narrowing, compile_proofs])
def test_another_process_compiles_what_is_missing_and_is_waited_for(function, monkeypatch):
    started, waited = [], []

    def start(command, **_):
        started.append(command)
        return SimpleNamespace(wait=lambda: waited.append(command))

    monkeypatch.setattr(compilation.subprocess, "Popen", start)
    function()
    with compiled_beside(function, (function_kernels, "image")):
        assert started == []
    with compiled_beside(function, (function_kernels, "image"), (function_kernels, "nobody_s")):
        assert len(started) == 1 and waited == []
    assert waited == started
    program, option, text = started[0]
    assert (program, option) == (sys.executable, "-c")
    called = {}
    exec(text, called)  # noqa: S102
    assert called[function.__name__] is function


def kernels(tree):
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and any("njit" in ast.dump(one) for one in node.decorator_list)
    ]


def test_what_kernels_take_from_other_files_is_watched():
    """Kernels, and constants, which are compiled in."""
    found = set()
    for path in (path for room in ("contractors", "solvers") for path in (ROOT / room).rglob("*.py")):
        tree = ast.parse(path.read_text())
        used = {name.id for kernel in kernels(tree) for name in ast.walk(kernel) if isinstance(name, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("certify."):
                found |= {node.module for alias in node.names if (alias.asname or alias.name) in used}
    assert len(found) > 10
    places = {"/".join(module.split(".")[1:]) for module in found}
    assert {
        place for place in places if f"{place}.py" not in CALLED and place.rpartition("/")[0] not in CALLED
    } == set()
