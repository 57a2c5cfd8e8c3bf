"""The house rules that a program can check: who imports whom, what nobody may call, what the texts promise."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ["contractors", "problems", "solvers", "certify"]
MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


def imported(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module
        elif isinstance(node, ast.ImportFrom) and node.level > 1:
            yield "(leaves its folder)"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_flow_one_way(path):
    room = path.relative_to(ROOT).parts[0]
    for name in imported(path):
        other = name.split(".")[0]
        if other in ROOMS:
            assert ROOMS.index(other) <= ROOMS.index(room), f"{path} imports {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "certify" / "checker").glob("*.py")), ids=lambda p: p.name)
def test_the_checker_imports_only_the_standard_library(path):
    for name in imported(path):
        assert name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text())), path


def test_nothing_unsafe_is_called():
    forbidden = re.compile(r"fastmath\s*=|fesetround|allow_pickle|\beval\(|\bexec\(|pickle\.|yaml\.load|sympify|set_flush_denormal|mpmath")
    for path in MODULES:
        found = forbidden.search(path.read_text())
        assert found is None, f"{path}: {found}"


def test_numba_is_not_told_to_cheat_by_configuration():
    assert not (ROOT / ".numba_config.yaml").exists()
    from certify.contractors.tape import evaluation

    for kernel in (evaluation.forward,):
        assert not kernel.targetoptions.get("fastmath")


def test_every_dependency_has_a_lower_bound_and_a_reason():
    text = (ROOT / "pyproject.toml").read_text()
    block = text[text.index("dependencies = [") : text.index("]", text.index("dependencies = ["))]
    lines = [line.strip() for line in block.splitlines()[1:] if line.strip()]
    assert lines
    for line in lines:
        assert re.fullmatch(r'"[a-z]+>=[0-9.]+",\s+# .+', line), line


def test_the_checker_runs_alone(tmp_path):
    import shutil

    shutil.copytree(ROOT / "certify" / "checker", tmp_path / "elsewhere")
    command = [sys.executable, "-I", "-S", str(tmp_path / "elsewhere"), "a", "b"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


def test_no_machine_path_is_in_the_project():
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False).stdout.split()
    for name in tracked:
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".csv", ".cfg", ""} and path.is_file():
            assert not re.search("/ro" + "ot/|/wo" + "rk/|/ho" + "me/", path.read_text(errors="replace")), name


def test_nobody_imports_a_file_of_tests():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        found = [name for name in imported(path) if name.split(".")[-1].startswith("test_")]
        assert not found, f"{path} imports {found}: what tests share stands in a module of its own, beside them or in tests/"


def test_no_test_keeps_time():
    """What takes how long is for benchmarks to say: a loaded machine must not fail a test."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        clocks = re.findall(r"(?:monotonic|perf_counter|process_time|time\.time)\(\) - ", path.read_text())
        assert not clocks, f"{path} asserts how long something takes: count calls (tests/counting.py), boxes or steps"
