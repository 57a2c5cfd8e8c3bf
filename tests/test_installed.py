"""What is installed: one name, certify, which works beside a user's own problems.py and tells old names
their new ones.
"""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OLD = ("contractors", "problems", "solvers")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with the installed wheel, and one of a user with files that are called as our rooms once were."""
    place = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = place / "source"
    tracked = subprocess.run(["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=True).stdout.split(
        "\n"
    )
    for name in filter(None, tracked):  # what is committed or staged, links as links; nothing is built in the clone
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_symlink():
            (source / name).symlink_to(os.readlink(ROOT / name))
        elif (ROOT / name).exists():
            (source / name).write_bytes((ROOT / name).read_bytes())
    building = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(place), str(source)]
    subprocess.run(building, check=True, capture_output=True)
    (wheel,) = place.glob("*.whl")
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", str(place / "site"), str(wheel)], check=True, capture_output=True
    )
    (place / "user").mkdir()
    for name in OLD:
        (place / "user" / f"{name}.py").write_text("raise SystemExit('this is the user\\'s own file')\n")
    return place


def python(*words, cwd, site=None):
    environment = dict(os.environ) | ({} if site is None else {"PYTHONPATH": str(site)})
    return subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )


@pytest.mark.thorough
def test_one_name_is_installed(installed):
    (wheel,) = installed.glob("*.whl")
    names = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {"certify"}
    assert "certify/problems/data/table_of_stewart/problem.toml" in zipfile.ZipFile(wheel).namelist()


@pytest.mark.thorough
def test_it_works_beside_files_of_a_user(installed):
    code = """
import certify, certify.solvers.search.branch_and_prune, certify.problems.experiments.shipped as shipped
print(certify.__file__)
print(certify.load_experiment(shipped.shipped("table_of_stewart")).title)
"""
    done = python("-c", code, cwd=installed / "user", site=installed / "site")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(installed / "site"))
    assert "Table of Stewart" in done.stdout
    done = python("-m", "certify", "run", "nothing.toml", cwd=installed / "user", site=installed / "site")
    assert (done.returncode, "nothing.toml" in done.stderr) == (2, True), done.stderr


def test_the_clone_has_all_its_parts():
    """From the clone's own root its folder certify is found before the installed one."""
    done = python("-m", "certify", "run", "nothing.toml", cwd=ROOT)
    assert (done.returncode, "nothing.toml" in done.stderr) == (2, True), done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("certify.part_search", "certify.parts.part_search"),
        ("certify.at_point", "certify.questions.error_at"),
        ("contractors.narrowing", "certify.contractors"),
        ("problems.experiment_file", "certify.problems"),
        ("certify.reports.claims", "certify.claims.proved_words"),
        ("certify.contractors.narrowing", "certify.contractors.protocol.contractor"),
    ],
)
def test_an_old_import_is_told_the_new_one(installed, tmp_path, old, new):
    done = python("-c", f"import certify; import {old}", cwd=tmp_path, site=installed / "site")
    assert done.returncode == 1
    assert "Error" in done.stderr and f"{new} now" in done.stderr, done.stderr


@pytest.mark.thorough
def test_what_was_never_here_is_just_not_there(installed, tmp_path):
    done = python("-c", "import certify; import certify.nothing", cwd=tmp_path, site=installed / "site")
    assert "No module named 'certify.nothing'" in done.stderr


@pytest.mark.parametrize("room", OLD)
def test_a_room_of_the_clone_is_not_imported_by_its_bare_name(room):
    done = python("-c", f"import {room}", cwd=ROOT)
    assert done.returncode == 1
    assert f"certify.{room}" in done.stderr
