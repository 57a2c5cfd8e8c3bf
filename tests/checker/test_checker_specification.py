"""The list of forgeries at the specification's end: every test that it names exists, every group of forgeries is named,
every item has ten.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

from checker_texts import Text, judge
from texts import (
    claims,
    enclosed,
    files,
    frames,
    further,
    groups,
    hitting,
    inequalities,
    intervals,
    many,
    minimum,
    partial,
    pieces,
    rules,
    squares,
    tables,
    taylor,
    volumes,
)
from texts.reasons import everything, messages

import certify.checker
from certify.checker import Status

SPECIFICATION = (Path(certify.checker.__file__).parent / "SPECIFICATION.md").read_text()
LIST = SPECIFICATION[
    SPECIFICATION.index("\n- *", SPECIFICATION.index("## 10. Forgeries")) : SPECIFICATION.index("\n\n## 11.")
]
ITEMS = LIST.replace("\n  ", " ").strip().splitlines()
BY = ". Forged by "
MODULES = {
    "claims": claims,
    "squares": squares,
    "taylor": taylor,
    "frames": frames,
    "hitting": hitting,
    "minimum": minimum,
    "volume": volumes,
    "defined": partial,
    "conditions": inequalities,
    "enclosed": enclosed,
    "groups": groups,
    "further": further,
    "tables": tables,
    "intervals": intervals,
    "many": many,
    "pieces": pieces,
}
PROBLEM, CERTIFICATE = files.PROBLEM, files.CERTIFICATE
CASES: dict[str, dict[str, Text]] = {
    "rules": {name: forged for name, (forged, _) in rules.FORGED.items()},
    "problem": {
        name: (PROBLEM.replace(old, new, 1), CERTIFICATE) for name, (old, new, _) in files.BAD_PROBLEMS.items()
    },
    "certificate": {
        name: (PROBLEM, CERTIFICATE.replace(old, new)) for name, (old, new, _) in files.BAD_CERTIFICATES.items()
    },
    **{word: {name: forged for name, (forged, _) in module.FORGED.items()} for word, module in MODULES.items()},
}
LEAST, IN_ALL = 10, 1500


def names(item: str) -> list[str]:
    return re.findall(r"`([^`]+)`", item.split(BY)[1])


@cache
def functions() -> frozenset[str]:
    """The test functions of this folder."""
    trees = [ast.parse(path.read_text()) for path in Path(__file__).parent.glob("test_*.py")]
    return frozenset(node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef))


@cache
def named(name: str) -> frozenset[Text]:
    """The forged texts of a name of the list; none of a test function."""
    match = re.fullmatch(r"(\w+)\[(.+)\]", name)
    if match is None:
        assert name in functions(), name
        return frozenset()
    word, case = match.groups()
    if word == "reason":
        found = {forged for forged, message in messages() if case in message}
    elif case.endswith("*"):
        found = {forged for key, forged in CASES[word].items() if key.startswith(case[:-1])}
    else:
        return frozenset([CASES[word][case]])
    assert len(found) >= LEAST, name
    return frozenset(found)


def test_every_item_of_the_list_has_ten_forgeries() -> None:
    assert len(ITEMS) > 60
    for item in ITEMS:
        assert re.match(r"- \*[a-z ]+\*: ", item), item
        assert item.count(BY) == 1, item
        found = set[Text]().union(*map(named, names(item)))
        assert len(found) >= LEAST or (item.startswith("- *all*: ") and names(item)), item


def test_the_forgeries_of_the_list_are_many() -> None:
    found = set[Text]().union(*(named(name) for item in ITEMS for name in names(item)))
    assert len(found) >= IN_ALL
    assert found <= everything()


def test_every_group_of_forgeries_is_named() -> None:
    known = {name for item in ITEMS for name in names(item)}
    for word, module in MODULES.items():
        assert {f"{word}[{group}: *]" for group in module.GROUPS} <= known


def test_the_example_is_verified() -> None:
    part = SPECIFICATION.partition("## 11. An example")[2].partition("\n## 12. ")[0]
    blocks = [
        "\n".join(line[4:] for line in found.splitlines()) + "\n" for found in re.findall(r"(?:^    .*\n)+", part, re.M)
    ]
    assert len(blocks) == 2
    assert judge(*blocks).status is Status.VERIFIED
    for old, new in (("lower 7/5", "lower 29/20"), ("upper 3/2", "upper 29/20")):
        assert judge(blocks[0], blocks[1].replace(old, new)).status is Status.REJECTED
