"""The package's public names, which are imported when they are first used, and a check that starts
without the kernels.
"""

import os
import subprocess
import sys

import pytest

import certify
from certify.problems.experiments.shipped import shipped

KERNELS = ("numba", "highspy", "networkx", "matplotlib", "certify.proofs.problem_replay")


def python(code, *words):
    return subprocess.run([sys.executable, "-c", code, *map(str, words)], capture_output=True, text=True, check=False)


def test_all_public_names_are_there():
    assert set(certify.__all__) <= set(dir(certify))
    assert sorted([*certify._HOMES, *certify._MODULES]) == sorted(certify.__all__)
    for name in certify.__all__:
        value = getattr(certify, name)
        assert getattr(value, "__name__", name).rpartition(".")[2] == name
    with pytest.raises(AttributeError, match="certifi"):
        _ = certify.certifi
    done = python("from certify import *; print(adequacy, Verdict, cos)")
    assert done.returncode == 0, done.stderr


def test_the_package_itself_imports_nothing():
    done = python("import sys, certify; print(*sys.modules)")
    found = done.stdout.split()
    assert not {"numpy", "numba"} & set(found)
    assert [name for name in found if name.startswith("certify")] == ["certify.old_names", "certify"]


def test_the_help_needs_no_arrays():
    done = python("import sys; from certify.__main__ import build_parser; build_parser(); print(*sys.modules)")
    assert not {"numpy", "numba"} & set(done.stdout.split())


def test_a_check_of_a_problem_file_loads_no_kernels(tmp_path):
    """The translation of problem.toml needs numpy and nothing compiled; that the box is fitted anew is found out after
    it was read.
    """
    code = f"""
import sys
from certify.__main__ import main
code = main(["check", sys.argv[1], sys.argv[2]])
print(code, *[name for name in {KERNELS!r} if name in sys.modules])
"""
    done = python(code, shipped("table_of_stewart"), os.__file__)
    assert done.stdout.split() == ["2"], done.stdout + done.stderr


def test_versions_are_told_when_asked():
    done = subprocess.run([sys.executable, "-m", "certify", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("certify ")
