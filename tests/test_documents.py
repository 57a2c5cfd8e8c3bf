"""What the documents promise: links lead somewhere, what they name exists, the table of trust is complete."""

import ast
import importlib
import pkgutil
import re
import tomllib
from pathlib import Path
from unicodedata import normalize

from certify import command, commands
from certify.records.verdicts import Verdict

ROOT = Path(__file__).parent.parent
ROOMS = ("contractors", "problems", "solvers", "certify")
PLACES = tuple(
    ROOT / place
    for place in (
        "", "docs", "docs/decisions", "certify/checker", "certify/checker_coq", "tests/checker", "benchmarks/finds",
        "changelog.d",
    )
)  # fmt: skip
DOCUMENTS = sorted(path for place in PLACES for path in place.glob("*.md"))
COLUMNS, PAGE = 100, 75
AS_PRINTED = re.compile(  # wider, as a program prints it, in a block or in a table that a test makes
    r"<!-- [a-z ]+ output -->\n```text\n.*?```|<!-- mistakes -->\n.*?<!-- end -->", re.S
)
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
TRUST = (ROOT / "docs" / "trust.md").read_text()
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))


def spans():
    """What stands in backticks outside of blocks of code, line breaks as spaces, each after its document."""
    for path in DOCUMENTS:
        text = re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)
        yield from ((path, " ".join(span.split())) for span in SPAN.findall(text))


def anchors(path):
    """The names that headings can be linked by."""
    headings = re.findall(r"^#+ (.+)$", path.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", normalize("NFC", heading).lower()).replace(" ", "-") for heading in headings}


def table_rows(text):
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


def test_all_documents_are_found():
    found = {
        path.resolve()
        for place in ("docs", "tests", "benchmarks", "changelog.d", *ROOMS)
        for path in (ROOT / place).rglob("*.md")
    }
    assert found | set(ROOT.resolve().glob("*.md")) == {path.resolve() for path in DOCUMENTS}
    assert len(DECISIONS) >= 27


def test_fragments_of_the_changelog_are_put_together():
    """Each has a section that towncrier knows, and is a sentence; what it makes is no wider than other documents."""
    known = {
        kind["directory"] for kind in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["towncrier"]["type"]
    }
    for path in sorted((ROOT / "changelog.d").glob("*.md")):
        name = path.name.split(".")
        assert path.name == "README.md" or (len(name) == 3 and name[1] in known), path
        assert all(len(line) <= COLUMNS - 2 for line in path.read_text().splitlines()) or path.name == "README.md", path
        assert path.read_text().rstrip().endswith((".", "`"))


def test_no_line_is_too_long():
    wide = [
        (path.name, line)
        for path in DOCUMENTS
        for line in AS_PRINTED.sub("", path.read_text()).splitlines()
        if len(line) > COLUMNS
    ]
    assert not wide


def test_links_lead_somewhere():
    links = [(path, link) for path in DOCUMENTS for link in LINK.findall(path.read_text()) if "://" not in link]
    assert len(links) > len(DECISIONS)
    for path, link in links:
        file, _, anchor = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), (path, link)
        assert not anchor or anchor in anchors(target), (path, link)


def test_files_that_are_named_exist():
    """A path from one of the project's folders; NAME and capital letters stand for something else."""
    first = {place.name for place in ROOT.iterdir() if place.is_dir()} - {"demo"}  # a run of a user's
    for path, span in spans():
        parts = span.rstrip("/").split("/")
        if len(parts) > 1 and parts[0] in first and re.fullmatch(r"[a-z0-9_./-]+", span):
            assert (ROOT / span).exists(), (path, span)


def test_commands_that_are_named_exist():
    known = {
        importlib.import_module(f"certify.commands.{module.name}").COMMAND.name
        for module in pkgutil.iter_modules(commands.__path__)
    }
    timed = {file.stem for file in (ROOT / "benchmarks").glob("[a-z]*.py")}
    for path, span in spans():
        words = span.removeprefix(".venv/bin/").split()
        if words[0] == "certify" and len(words) > 1 and words[1][0] != "-":
            assert words[1] in {*known, "COMMAND"}, (path, span)
        if words[:3] == ["python", "-m", "benchmarks"] and len(words) > 3:
            assert words[3] in {*timed, "NAME"}, (path, span)


def test_the_architecture_is_one_page():
    assert len(ARCHITECTURE.splitlines()) <= PAGE


def test_every_folder_has_its_question_in_the_order_of_imports():
    """That of the house's test; a judge, which is read whole, stands where it is needed."""
    house = (ROOT / "tests" / "test_house.py").read_text()
    order = ast.literal_eval(re.search(r"^ORDER = (\{.*?^\})", house, re.S | re.M)[1])
    judges = {place.split("/")[1] for place in ast.literal_eval(re.search(r"^READ_WHOLE = (\{.*?\})", house, re.M)[1])}
    told, room = {}, ""
    for cell in (row[0] for row in table_rows(ARCHITECTURE)):
        room = cell.strip("*") if cell.startswith("**") else room
        told.setdefault(room, []).extend(SPAN.findall(cell))
    for room in ROOMS:
        assert [name for name in told[room] if name not in judges] == order[room].split()
    assert judges <= set(told["certify"])
    assert all(f"`certify/{name}`" in ARCHITECTURE for name in judges)


def test_every_verdict_stands_in_the_table_of_trust():
    rows = {row[0].strip("`"): row for row in table_rows(TRUST)}
    for verdict in Verdict:
        assert rows[verdict.value][1], verdict
    details = re.findall(r"^- (`[^:]+):", TRUST, re.M)
    assert {verdict.value for verdict in Verdict} <= {name for detail in details for name in SPAN.findall(detail)}
    assumed = {letter for verdict in Verdict for letter in rows[verdict.value][-1].split()}
    assert assumed == set(re.findall(r"^- \*\*([A-Z]),", TRUST, re.M))


def test_every_exit_code_is_told():
    codes = {command.PROVED, command.REJECTED, command.BAD_INPUT, command.UNDECIDED, command.INTERNAL}
    for text in (TRUST, (ROOT / "README.md").read_text()):
        assert codes <= {int(row[0]) for row in table_rows(text) if row[0].isdecimal()}


def test_a_decision_says_why_and_what_was_measured():
    index = " ".join((ROOT / "docs" / "decisions" / "README.md").read_text().split())
    for path in DECISIONS:
        text = path.read_text()
        number, title = re.match(r"# (\d+)\. (.+)\n", text).groups()
        assert path.name.startswith(f"{int(number):02}-")
        assert re.findall(r"^## (.+)$", text, re.M) == ["Context", "Decision", "Measured", "What would change it"]
        assert all(part.strip() for part in re.split(r"^## .+$", text, flags=re.M)[1:])
        assert f"[{number}. {title}]({path.name})" in index
