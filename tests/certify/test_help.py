"""What a newcomer types first: 'certify' alone, --help, the example of each command as it stands there, completion."""

import json
import re
import shlex
import shutil
import subprocess
import sys

import planted_poses
import pytest
from prepared_folders import arm, calibrated, campaign, patient, planar, prepared, raw, regressor, shares, urdf

from certify.__main__ import build_parser, find_commands, main
from certify.command import EXIT_CODES

COMMANDS = {command.name: command for command in find_commands()}


def test_certify_alone_shows_each_command_with_an_example(capsys):
    assert main([]) == 0
    told = capsys.readouterr().out
    for command in COMMANDS.values():
        assert f"  {command.example}\n      {command.summary}" in told


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.every_case
def test_help_has_the_example_and_the_exit_codes(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert COMMANDS[name].example in told and EXIT_CODES in told


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.every_case
def test_an_option_that_is_not_there_is_bad_input(name, capsys):
    assert main([name, "--no-such-option"]) == 2
    assert re.search(rf"see 'certify( {name})? --help'", capsys.readouterr().err)


def test_help_loads_nothing_that_computes():
    """Numpy and the kernels take a second to load; the help of all commands needs none of them."""
    code = "import sys, certify.__main__ as m; m.build_parser(); m.overview(); print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "numba", "scipy", "networkx", "matplotlib", "highspy"} & set(done.stdout.split())


NEEDS = {
    "accuracy": arm, "calibrate": prepared, "campaign": campaign, "check": planar, "compose": shares,
    "correct": calibrated,
    "doubt": planar, "explain": planar, "graph": arm, "identify": regressor, "inspect": arm, "new": urdf, "next": arm,
    "prepare": raw, "report": planar, "run": arm,
}  # fmt: skip
ENDS = {"fuzz": 1}  # the solver of its example is wrong
WRITES = {
    "accuracy": "accuracy/result.json", "calibrate": "prepared/calibrated/result.json", "doubt": "doubted/result.json",
    "campaign": "campaign/campaign.csv",
    "graph": "graph.png", "identify": "identified/result.json", "new": "arm/problem.toml",
    "prepare": "prepared/problem.toml", "report": "demo/report.html", "run": "certified/result.json",
    "simulate": "delta/problem.toml",
}  # fmt: skip


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


@pytest.mark.thorough
@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "demo"])  # the demo is run by test_readme
def test_the_example_runs(name, kept, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    NEEDS.get(name, lambda folder, kept: None)(tmp_path, kept)
    program, *words = shlex.split(COMMANDS[name].example.partition(" > ")[0])
    capsys.readouterr()
    assert program == "certify"
    assert main([*patient(words), "--json"]) == ENDS.get(name, 0)
    assert isinstance(json.loads(capsys.readouterr().out), dict)
    assert name not in WRITES or (tmp_path / WRITES[name]).is_file()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["certify", "id"], ["identify"]),
        (["certify", "run", "--red"], ["--redundant"]),
        (["certify", "run", "--redundant", ""], ["leave", "fix", "group"]),
        (["certify", "completion", "--js"], ["--json"]),
    ],
)
def test_bash_completes(words, expected, capsys, tmp_path):
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    assert main(["completion", "bash"]) == 0
    (tmp_path / "script").write_text(capsys.readouterr().out)
    typed = " ".join(map(shlex.quote, words))
    state = f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}"
    ask = f"source ./script; {state}; _certify; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.split() == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_completed(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name, child in build_parser()._subparsers._group_actions[0].choices.items():
        assert name in script
        for action in child._actions:
            for option in action.option_strings:
                assert not option.startswith("--") or option.removeprefix("--") in script
    program = shutil.which(shell)
    if program is not None:  # the shell itself reads it without a complaint
        done = subprocess.run([program, "-n"], input=script, text=True, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["graph.svg", "graph.dot", "graph.png"])
def test_a_graph_is_drawn(name, tmp_path, capsys):
    text = "Variables\n x in [-3, 3]; y in [-3, 3];\nConstraints\n x^2 + y^2 = 4; y = x;\nend\n"
    (tmp_path / "s.bch").write_text(text)
    assert main(["graph", str(tmp_path / "s.bch"), "--out", str(tmp_path / name)]) == 0
    assert "hull consistency" in capsys.readouterr().out
    first = {"graph.svg": b"<?xml", "graph.dot": b"graph certify {", "graph.png": b"\x89PNG"}[name]
    assert (tmp_path / name).read_bytes().startswith(first)
    assert main(["graph", str(tmp_path / "s.bch"), "--out", str(tmp_path / "graph.exe")]) == 2


@pytest.mark.thorough
def test_an_answer_under_a_node_limit_repeats(tmp_path, capsys):
    path = planted_poses.write_arm(tmp_path / "planted")
    told = []
    for name in ("a", "b"):
        words = ["--node-limit", "3", "--time-limit", "1000", "--workers", "1", "--json", "--quiet"]
        assert main(["run", str(path), "--out", str(tmp_path / name), *words]) in (0, 3)
        parts = json.loads(capsys.readouterr().out)["parts"]
        told.append([(part["name"], part["epsilon"], part["splits"]) for part in parts])
    assert told[0] == told[1] and all(splits <= 3 for _, _, splits in told[0])
    assert main(["run", str(path), "--node-limit", "0"]) == 2


@pytest.mark.parametrize("name", sorted(NEEDS))
@pytest.mark.every_case
def test_without_its_files_it_is_bad_input(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _, *words = shlex.split(COMMANDS[name].example.partition(" > ")[0])
    assert main([*words, "--quiet"]) == 2
    assert capsys.readouterr().err.startswith("certify: ")


LATE = ("accuracy", "demo", "doubt", "identify", "inspect", "next", "report", "run")


@pytest.mark.thorough
@pytest.mark.parametrize("name", LATE)
def test_a_limit_that_is_over_at_once_ends_with_3(name, kept, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    NEEDS.get(name, lambda folder, kept: None)(tmp_path, kept)
    _, *words = shlex.split(COMMANDS[name].example)
    assert main([*words, "--time-limit", "1e-6", "--quiet"]) == 3


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["check", "report"])
def test_a_rejected_certificate_ends_with_1(name, kept, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    planar(tmp_path, kept)
    path = next((tmp_path / "demo").glob("leg*.cert"))
    path.write_bytes(path.read_bytes().replace(b"lower ", b"lower 9"))
    assert main([name, "demo", "--quiet"]) == 1
