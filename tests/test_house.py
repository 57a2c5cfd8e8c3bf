"""The house rules that a program can check: who imports whom, what nobody may call, what the texts promise."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.every_case  # its cases are the modules of the project

ROOT = Path(__file__).parent.parent
ROOMS = ["contractors", "problems", "solvers", "certify"]
MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]


@cache
def imports(path):
    """The statements of a file that import, wherever they stand."""
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, (ast.Import, ast.ImportFrom))]


def imported(path):
    for node in imports(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module
        elif isinstance(node, ast.ImportFrom) and node.level > 1:
            yield "(leaves its folder)"


ORDER = {  # the folders of each room; a module imports from its own folder and from those before it
    "contractors": "numbers images tape fixed_point protocol rows sparse linear operators compositions",
    "problems": "functions formulas files regressors programs geometry model systems minibex robots kinds arms "
    "experiments readings dynamics h4 par4 arm_dynamics periodic palida motions model_fits hypotheses simulation "
    "platforms known_robots",
    "solvers": "journal proof workers linear_programs regressors programs weights fits linear_estimates "
    "periodic_estimates semidefinite graph zeros tasks search squares projected shapes tall_squares design advice",
    "certify": "text checks records bulk proofs parts hypotheses questions branches alignment accuracy stances "
    "ellipsoids bodies regressors linear_questions periodic claims model_fits pictures explaining runs designs arms "
    "systems pieces judging_programs second_opinion testing reports notebooks campaigns commands",
}
ONE_EACH = {"certify/commands"}  # a file is a command, and each is found by the folder
READ_WHOLE = {"certify/checker", "certify/checker_arb", "certify/checker_coq"}  # a judge is read as a whole
DISCOVERED = {"kinds", "hypotheses", "platforms", "known_robots", "commands"}  # found by their folder


@cache
def edges():
    """(path, module of ours that it imports), also of imports within functions; names that are no modules
    are left out.
    """
    return sorted(set(found_edges()))


def found_edges():
    known = {
        (p.parent if p.name == "__init__.py" else p.with_suffix("")).relative_to(ROOT).as_posix(): p for p in MODULES
    }
    for path in MODULES:
        for node in imports(path):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                words = name.split(".")
                if words[0] != "certify":
                    continue
                place = words[1:] if words[1:2] and words[1] in ROOMS else words
                for size in (len(place), len(place) - 1):
                    found = known.get("/".join(place[:size]))
                    if found is not None and found != path:
                        yield path, found
                        break


def folder(path):
    parts = path.relative_to(ROOT).parts
    return parts[0], parts[1] if len(parts) > 2 else ""


def test_the_folders_of_a_room_are_imported_one_way():
    for path, other in edges():
        (room, mine), (there, its) = folder(path), folder(other)
        assert ROOMS.index(there) <= ROOMS.index(room), f"{path} imports {other}"
        order = ORDER[room].split()
        if room == there and mine in order and its in order:
            assert order.index(its) <= order.index(mine), f"{path} imports {other}"


def test_every_folder_has_its_place_in_the_order():
    for path in MODULES:
        room, name = folder(path)
        assert not name or name in ORDER[room].split() or f"{room}/{name}" in READ_WHOLE, path


def test_no_folder_is_too_full():
    for place in sorted({path.parent for path in MODULES}):
        modules = [path for path in place.glob("*.py") if path.name != "__init__.py"]
        assert len(modules) <= 12 or place.relative_to(ROOT).as_posix() in READ_WHOLE | ONE_EACH, place


def test_no_module_imports_itself_by_a_detour():
    import networkx

    rings = [ring for ring in networkx.strongly_connected_components(networkx.DiGraph(edges())) if len(ring) > 1]
    assert not rings


def test_every_module_is_imported_or_found_by_its_folder():
    imported_ones = {other for _, other in edges()}
    for path in MODULES:
        found = path.parent.name in DISCOVERED or path.parent.relative_to(ROOT).as_posix() in READ_WHOLE
        found = found or path.name in ("engine_program.py", "engine_sums.py")  # it runs alone, in another Python
        if path.name not in ("__init__.py", "__main__.py") and not found:
            assert path in imported_ones, path


def test_what_is_private_stays_at_home():
    for path in MODULES:
        for node in imports(path):
            if isinstance(node, ast.ImportFrom):
                private = [
                    alias.name for alias in node.names if alias.name.startswith("_") and not alias.name.endswith("__")
                ]
                assert not private, f"{path} imports {private}"


def test_there_is_one_name_for_each_module():
    """The rooms are parts of certify; by their bare names they would be there twice, with every class twice."""
    for path in sorted(path for place in ("tests", "benchmarks", *ROOMS) for path in (ROOT / place).rglob("*.py")):
        for name in imported(path):
            assert name is None or name.split(".")[0] not in ROOMS[:3], f"{path} imports {name}"


@pytest.mark.parametrize("path", sorted((ROOT / "certify" / "checker").glob("*.py")), ids=lambda p: p.name)
def test_the_checker_imports_only_the_standard_library(path):
    for name in imported(path):
        assert name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text())), path


@pytest.mark.thorough
def test_no_fifteen_lines_stand_twice():
    found = {}
    for path in MODULES:
        lines = [(number, line.strip()) for number, line in enumerate(path.read_text().splitlines(), 1) if line.strip()]
        for start in range(len(lines) - 14):
            place = f"{path.relative_to(ROOT)}:{lines[start][0]}"
            said = tuple(line for _, line in lines[start : start + 15])
            assert said not in found, f"fifteen lines of {place} stand at {found[said]}, too: write them once"
            found[said] = place


def shape(body):
    """What lines do, whatever names are in them."""
    numbers, said = {}, []
    for node in (node for line in body for node in ast.walk(line)):
        name = getattr(node, "id", getattr(node, "arg", None))
        told = getattr(node, "attr", getattr(node, "value", None))
        number = None if name is None else numbers.setdefault(name, len(numbers))
        said.append((type(node).__name__, number, told if isinstance(told, str | int | float | bytes) else None))
    return tuple(said)


@pytest.mark.thorough
def test_no_function_of_five_statements_stands_twice_with_other_names():
    found = {}
    for path in MODULES:
        if path.parent.relative_to(ROOT).as_posix() in READ_WHOLE:  # judges share nothing
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno > 5:
                body = node.body[1:] if ast.get_docstring(node) else node.body
                said = shape(body)
                if sum(issubclass(getattr(ast, kind), ast.stmt) for kind, _, _ in said) >= 5:
                    place = f"{path.relative_to(ROOT)}:{node.lineno}"
                    assert said not in found, f"{place} does what {found[said]} does: write it once"
                    found[said] = place


def test_nothing_unsafe_is_called():
    forbidden = re.compile(
        r"fastmath\s*=|fesetround|allow_pickle|\beval\(|\bexec\(|pickle\.|yaml\.load|sympify|set_flush_denormal|mpmath"
    )
    for path in MODULES:
        text = path.read_text()
        if "adapters" in path.parts:  # what is tested there is called there: mpmath's intervals, which lose values
            text = text.replace("mpmath", "")
        found = forbidden.search(text)
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


def test_each_module_of_the_tests_has_a_name_of_its_own():
    """They are imported by their bare names, whatever folder they are in."""
    names = [
        path.name for path in sorted((ROOT / "tests").rglob("*.py")) if path.name not in ("conftest.py", "__init__.py")
    ]
    assert sorted(set(names)) == sorted(names)


def test_nobody_imports_a_file_of_tests():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        found = [name for name in imported(path) if name.split(".")[-1].startswith("test_")]
        assert not found, (
            f"{path} imports {found}: what tests share stands in a module of its own, beside them or in tests/"
        )


def test_no_test_keeps_time():
    """What takes how long is for benchmarks to say: a loaded machine must not fail a test."""
    for path in sorted((ROOT / "tests").rglob("*.py")):
        clocks = re.findall(r"(?:monotonic|perf_counter|process_time|time\.time)\(\) - ", path.read_text())
        assert not clocks, f"{path} asserts how long something takes: count calls (tests/counting.py), boxes or steps"


CLOCKS_OF_THE_DAY = re.compile(
    r"\btime\.(time|time_ns|localtime|gmtime)\(|\b(datetime|date)\.(now|today|utcnow)\(|"
    r"^from time import .*\btime(_ns)?\b",
    re.MULTILINE,
)


def test_no_limit_and_no_answer_follows_the_clock_of_the_day():
    """It may jump, by hours and backwards; what is timed is timed by clocks that only go on."""
    assert not [path for path in MODULES if CLOCKS_OF_THE_DAY.search(path.read_text())]
    assert CLOCKS_OF_THE_DAY.search("x = time.time()") and CLOCKS_OF_THE_DAY.search("from time import sleep, time\n")
