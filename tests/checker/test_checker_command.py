"""The command line, the copied folder under `python -I -S`, and the rules about the checker's own source."""

from __future__ import annotations

import ast
import resource
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from checker_texts import ProblemWriter, TapeWriter, certificate, gough_problem

import certify.checker
from certify.checker import command
from certify.checker.command import main

FOLDER = Path(certify.checker.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))


def small() -> tuple[str, str]:
    tape = TapeWriter(2)
    tape.put("sub", 0, 1)
    text = ProblemWriter([("x", 0, 1)], [("m", [(2, 3)])], [("t", tape)], ["F 0 1 v0 c0"]).text()
    return text, certificate(text, lower="1/2", upper=2, witness=["values 1", "column m 0"], tree=["evaluate 0 0"])


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "a.canonical", tmp_path / "a.cert"
    for path, text in zip(paths, small(), strict=True):
        path.write_bytes(text.encode())
    return paths


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command_line = [sys.executable, "-I", "-S", str(folder), *map(str, arguments)]
    return subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=False, cwd="/")


def test_the_copied_folder_runs_alone(tmp_path: Path, files: tuple[Path, Path]) -> None:
    copy = tmp_path / "another-name 1"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    verified = run(copy, *files)
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.startswith("VERIFIED scope F") and verified.stdout.count("\n") == 1
    files[1].write_bytes(files[1].read_bytes().replace(b"lower 1/2", b"lower 1"))
    rejected = run(copy, *files, "--seconds", 9)
    assert (rejected.returncode, rejected.stderr) == (1, "")
    assert rejected.stdout == "REJECTED node 0 (line 18): evaluate: the row may reach [-level, level]\n"
    limited = run(copy, *files, "--seconds", 0)
    assert (limited.returncode, limited.stdout) == (3, "RESOURCE the deadline of 0 seconds\n")
    missing = run(copy, files[0], tmp_path / "nothing.cert")
    assert (missing.returncode, missing.stdout) == (2, "") and missing.stderr.count("\n") == 1


def test_the_package_runs_as_a_module(files: tuple[Path, Path]) -> None:
    command_line = [sys.executable, "-m", "certify.checker", *map(str, files)]
    result = subprocess.run(
        command_line, capture_output=True, text=True, timeout=60, check=False, cwd=FOLDER.parents[1]
    )
    assert (result.returncode, result.stdout[:8]) == (0, "VERIFIED")


def test_both_ways_of_running_it_end_with_an_exit_code(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In this process: the file alone, which loads its neighbours as a package of their own, and the module."""
    monkeypatch.setattr(sys, "argv", ["checker", *map(str, files)])
    for start in (
        lambda: runpy.run_path(str(FOLDER / "__main__.py"), run_name="__main__"),
        lambda: runpy.run_module("certify.checker"),
    ):
        with pytest.raises(SystemExit) as ended:
            start()
        assert ended.value.code == 0 and capsys.readouterr().out.startswith("VERIFIED")
    for name in [name for name in sys.modules if name.startswith("certificate_checker")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "extra", [["--seconds"], ["--seconds", "-1"], ["--seconds", "1.5"], ["--seconds", "1e3"], ["--fast"], ["more"]]
)
def test_wrong_arguments_are_one_sentence(
    extra: list[str], files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*map(str, files), *extra]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1


def test_files_that_cannot_be_read(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (tmp_path, tmp_path / "none", "\0"):
        assert main([str(path), str(files[1])]) == 2
        assert "cannot be read" in capsys.readouterr().err
    assert main([]) == 2


def test_unreadable_contents_are_rejected(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    files[0].write_bytes(b"\xff\x00")
    assert main([*map(str, files)]) == 1
    assert capsys.readouterr().out == "REJECTED problem: text: the file is not ASCII\n"


def test_our_errors_are_called_so(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for error, code, word in ((KeyError("x"), 4, "internal error"), (KeyboardInterrupt(), 3, "RESOURCE")):

        def fail(*_: object, error: BaseException = error) -> None:
            raise error

        monkeypatch.setattr(command, "check", fail)
        assert main(["--seconds", "5", *map(str, files)]) == code
        printed = capsys.readouterr()
        assert word in printed.out + printed.err and "VERIFIED" not in printed.out


def test_an_operation_that_never_looks_at_the_clock_is_interrupted(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def endless(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(command, "check", endless)
    before, asked, setitimer = signal.getsignal(signal.SIGALRM), [], signal.setitimer

    def recorded(timer: int, seconds: float) -> None:
        asked.append(seconds)
        setitimer(timer, seconds)

    monkeypatch.setattr(signal, "setitimer", recorded)
    assert main([*map(str, files), "--seconds", "1"]) == 3
    assert asked == [2, 0]
    assert capsys.readouterr().out == "RESOURCE the deadline of 1 seconds\n"
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_memory_is_limited_as_long_as_a_check_lasts(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before, seen = resource.getrlimit(resource.RLIMIT_DATA), []

    def greedy(*_: object) -> None:
        seen.append(resource.getrlimit(resource.RLIMIT_DATA))
        bytearray(command.MEMORY)

    monkeypatch.setattr(command, "check", greedy)
    assert main([*map(str, files)]) == 3
    assert capsys.readouterr().out == "RESOURCE MemoryError\n"
    assert seen == [(command.MEMORY, before[1])] and resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize("limit", [1 << 30, command.MEMORY])
def test_a_lower_limit_of_memory_stays(limit: int, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", lambda *_: pytest.fail("the limit is changed"))
    assert main([*map(str, files)]) == 0
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_a_higher_limit_of_memory_is_lowered_and_given_back(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (command.MEMORY + 1, command.MEMORY + 2))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: told.append(limits))
    assert main([*map(str, files)]) == 0
    assert told == [(command.MEMORY, command.MEMORY + 2), (command.MEMORY + 1, command.MEMORY + 2)]


def test_without_such_limits_of_the_system_it_checks_all_the_same(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr(signal, "setitimer")
    assert main([*map(str, files)]) == 0
    assert capsys.readouterr().out.startswith("VERIFIED")


def test_memory_while_reading_is_a_limit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(_: str, __: int) -> bytes:
        raise MemoryError

    monkeypatch.setattr(command, "_read", fail)
    assert main(["a", "b"]) == 3
    assert capsys.readouterr().out == "RESOURCE MemoryError\n"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_only_the_standard_library_is_imported(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            assert all(alias.name.partition(".")[0] in sys.stdlib_module_names for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 1 or (
                node.level == 0 and str(node.module).partition(".")[0] in sys.stdlib_module_names
            )


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_floats_no_asserts_no_names_of_the_standard_library(path: Path) -> None:
    assert path.stem not in sys.stdlib_module_names
    for node in ast.walk(ast.parse(path.read_text())):
        assert not isinstance(node, ast.Assert)
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float | complex))
        assert not (
            isinstance(node, ast.Name) and node.id in {"float", "eval", "exec", "compile", "round", "globals", "pickle"}
        )
        assert not (
            isinstance(node, ast.Attribute)
            and node.attr in {"time", "sqrt_", "sin_", "isclose", "monotonic", "perf_counter"}
        )


def test_a_platform_is_judged_in_time() -> None:
    """A q term of a leg: one lemma and one polynomial; 1.5 ms each on the machine it was written on, ten times as much
    here.
    """
    text = gough_problem(16).text()
    terms = " ".join(f"q0.{row}{side}1" for row in range(16) for side in "+-")
    result = certify.checker.check(
        text.encode(), certificate(text, lower="1/10", tree=[f"aggregate {terms}"]).encode(), 2
    )
    assert result.message.endswith("the weighted sum is not proved to be positive")
