"""The documentation site: every page has its place, every public name its words, and it builds without a network."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

import certify

ROOT = Path(__file__).parent.parent
CONFIG = (ROOT / "mkdocs.yml").read_text()


def reference():
    spec = importlib.util.spec_from_file_location("reference_page", ROOT / "docs" / "reference_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_what_has_a_place_is_there():
    placed = set(re.findall(r": (\S+\.md)$", CONFIG, re.M))
    written = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert placed - written == {"decisions/README.md", "reference.md"} and len(placed & written) > 20


def test_every_public_name_has_words():
    module = reference()
    page = module.page()
    for name in module.public():
        assert f"### {name}\n" in page or name in ("cos", "sin", "sqrt")
    entries = re.findall(r"### (\w+)\n\n```text\n(.*?)```\n\n(.*?)\n", page, re.S)
    assert len(entries) > 50 and all(told.strip() for _, _, told in entries)
    assert "certify.fit(model, x, y, start" in page and hasattr(certify, "fit")


@pytest.mark.thorough
def test_it_builds_and_asks_nobody(tmp_path):
    pytest.importorskip("material")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    pages = sorted((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 60
    for page in pages:  # nothing is loaded from elsewhere; links that a reader follows may lead there
        assert not re.search(r'<(?:script|img|iframe)[^>]+src="https?:', page.read_text())
        assert not re.search(r'<link[^>]+rel="(?:stylesheet|preload|icon)"[^>]+href="https?:', page.read_text())
