"""What README shows is what happens: its example and its table are run; seconds and the last digits, which depend on the machine, are left out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text()


def block(marker):
    return re.search(rf"<!-- {marker} -->\n```\w+\n(.*?)```", README, re.S).group(1)


def without_times(text):
    text = re.sub(r"\d+\.\d+ s\b", "TIME", text)
    return re.sub(r"(\d\.\d{5})\d+", r"\1", re.sub(r" +", " ", text))


@pytest.mark.parametrize("example", ["example", "contractors"])
def test_the_examples_print_what_is_shown(example):
    done = subprocess.run([sys.executable, "-c", block(example)], capture_output=True, text=True, check=True)
    assert done.stdout == block(f"{example} output")


def test_the_demo_prints_what_is_shown(tmp_path):
    command = [sys.executable, "-m", "certify", "demo", "--out", "demo", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert without_times(done.stdout) == without_times(block("demo output"))
    command = [sys.executable, "-m", "certify", "explain", "demo/leg1.cert"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    for piece in block("explain output").split("...\n"):
        assert without_times(piece) in without_times(done.stdout)


def test_there_are_exactly_two_commands_to_copy():
    head = README[: README.index("## Your robot")]
    assert head.count("```sh") == 2
