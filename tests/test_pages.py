"""What the documentation shows is what happens: all blocks of a page are run in one folder, in their order.

    <!-- file NAME -->       the next block is written to this file
    <!-- fails -->           the commands of the next block end with 2, a message about bad input
    <!-- NAME output -->     the next block is what was printed last; dots leave lines out
    <!-- not run: WHY -->    the next block stands for itself

Each line of a block of shell is a command that ends with 0. A block of Python has a namespace of its own, beside what a
page takes to be there (NAMES). What files a page takes to be there is made before (FOLDERS).
"""

import contextlib
import io
import re
import runpy
import shlex
from pathlib import Path

import numpy as np
import pytest
from prepared_folders import arm, palida, par4, patient, planar, regressor, urdf

import certify
from certify.__main__ import main

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r"(?:<!-- ([^\n]+?) -->\n)?```(\w+)\n(.*?)```", re.S)
PAGES = sorted((ROOT / "docs").glob("*.md"))


def without_times(text):
    """Seconds, and digits behind the sixth, which depend on the machine."""
    text = re.sub(r"\d+\.\d+ s\b", "TIME", re.sub(r" +", " ", text))
    return re.sub(r"(\d\.\d{5})\d+", r"\1", text)


def shown(text, printed):
    """Whether what is shown was printed, piece by piece between lines of dots, in this order."""
    place = 0
    rest = without_times(printed)
    for piece in without_times(text).split("...\n"):
        found = rest.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return True


def command(line, code, page):
    words = shlex.split(line.partition(" # ")[0])
    assert words[0] in ("certify", ".venv/bin/certify"), (page, line)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        done = main([*patient(words[1:]), "--quiet"])
    assert done == code, (page, line, printed.getvalue())
    return printed.getvalue()


def python(text, path, names):
    """What a block prints."""
    file, out = Path(f"{path.stem}.py"), io.StringIO()
    file.write_text(text)
    with contextlib.redirect_stdout(out):
        runpy.run_path(str(file), init_globals=names)
    return out.getvalue()


def run_page(path):
    printed = ""
    for told, language, text in BLOCK.findall(path.read_text()):
        if told.startswith("file "):
            Path(told.removeprefix("file ")).write_text(text)
        elif told.removesuffix(" output") in OF_README:
            continue
        elif told.endswith("output"):
            assert shown(text, printed), (path.name, text, printed)
        elif told.startswith("not run: "):
            continue
        elif language == "sh":
            lines = [line for line in text.replace("\\\n", " ").splitlines() if line.strip()]
            printed = "".join(command(line, 2 if told == "fails" else 0, path.name) for line in lines)
        elif language == "python":
            printed = python(text, path, NAMES.get(path.stem, dict)())
        else:
            assert language in ("text", "toml"), (path.name, language, text)


def regression():
    W = np.random.default_rng(1).uniform(-1, 1, (50, 3))
    return {"certify": certify, "W": W, "y": W @ [1.0, 2.0, 3.0], "bound": 0.1}


def body():
    """A point of 2 kg at (0.1, 0.2, 0.3) m, and friction."""
    W = np.random.default_rng(1).uniform(-1, 1, (60, 11))
    return {
        "certify": certify,
        "W": W,
        "y": W @ [2, 0.2, 0.4, 0.6, 0.26, -0.04, -0.06, 0.2, -0.12, 0.1, 1],
        "bound": 0.1,
    }


OF_README = {"checker", "contractors", "doors", "example", "explain", "system"}  # tests/test_readme.py runs these
NAMES = {"identification": regression, "arm_dynamics": body}
FOLDERS = {
    "accuracy": arm, "arms": urdf, "identification": regressor, "par4": par4, "periodic": palida, "reports": planar,
}  # fmt: skip


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
@pytest.mark.every_case
def test_what_a_page_shows_happens(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FOLDERS.get(page.stem, lambda folder, kept: None)(tmp_path, tmp_path / "kept")
    run_page(page)
