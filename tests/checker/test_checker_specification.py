"""The table of forgeries at the specification's end: every test that it names exists, and every forged claim is in a group that it names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import test_checker_claims
import test_checker_rules
import test_checker_text

import certify.checker

TEXT = (Path(certify.checker.__file__).parent / "SPECIFICATION.md").read_text()
TABLE = [line for line in TEXT[TEXT.index("## 10. Forgeries") :].splitlines() if line.startswith("| ")][2:]
CASES = {
    "rules": test_checker_rules.FORGED,
    "claims": test_checker_claims.FORGED,
    "problem": test_checker_text.BAD_PROBLEMS,
    "certificate": test_checker_text.BAD_CERTIFICATES,
}
LEAST = 10


def names() -> list[str]:
    return [name for line in TABLE for name in re.findall(r"`([^`]+)`", line.split(" | ")[2])]


def functions() -> set[str]:
    """The test functions of this folder."""
    trees = [ast.parse(path.read_text()) for path in Path(__file__).parent.glob("test_*.py")]
    return {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_every_named_test_exists() -> None:
    known = functions()
    assert len(TABLE) > 30
    for name in names():
        match = re.fullmatch(r"(rules|claims|problem|certificate)\[(.+)\]", name)
        if match is None:
            assert name in known
        elif match[2].endswith("*"):
            assert sum(case.startswith(match[2][:-1]) for case in CASES[match[1]]) >= LEAST, name
        else:
            assert match[2] in CASES[match[1]], name


def test_every_row_of_the_table_names_a_test() -> None:
    assert all(line.count(" | ") == 2 and "`" in line.split(" | ")[2] for line in TABLE)


def test_every_group_of_forged_claims_is_named() -> None:
    assert {f"claims[{group}: *]" for group in test_checker_claims.GROUPS} <= set(names())
