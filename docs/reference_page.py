"""The page of public names, from their docstrings: `mkdocs build` adds it to the site, and nobody has to write it."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from typing import Any

import certify
from certify.problems.functions.function_table import Function

HEAD = """# Python

The public names of `certify`, from their docstrings; `help(certify.fit)` says all of it.
"""


def first_paragraph(thing: object) -> str:
    """What a docstring says first, as text of a page."""
    text = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return re.sub(r"(?<![`\w])([<>*_|])", r"\\\1", text)


def signature(thing: object) -> str:
    """Its parameters by name, those by keyword behind a star."""
    parameters = list(inspect.signature(thing).parameters.values())
    told, keyword = [], False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not keyword:
            told, keyword = [*told, "*"], True
        stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
        keyword |= one.kind is one.VAR_POSITIONAL
        told.append(f"{stars}{one.name}{'=' if one.default is not one.empty else ''}")
    return f"({', '.join(told)})"


def members(thing: type) -> list[str]:
    """Methods and properties of its own, and those that answers have in common."""
    fields = {name for base in thing.__mro__ for name in inspect.get_annotations(base)}
    return sorted(name for name in list(vars(thing)) if not name.startswith("_") and name not in fields)


def entry(name: str) -> list[str]:
    thing = getattr(certify, name)
    if inspect.isclass(thing):
        known = [
            found for found in members(thing) if callable(getattr(thing, found, None)) or is_property(thing, found)
        ]
        more = [f"Has {', '.join(f'`.{found}`' for found in known)}."] if known else []
        told = [f"class certify.{name}"]
    else:
        more, told = [], [f"certify.{name}{signature(thing)}"]
    code = textwrap.wrap(told[0], 96, subsequent_indent="    ", break_long_words=False)
    body = "\n".join(textwrap.wrap(" ".join([first_paragraph(thing), *more]), 98, break_on_hyphens=False))
    return [f"### {name}", "", "```text", *code, "```", "", body, ""]


def is_property(thing: type, name: str) -> bool:
    return isinstance(inspect.getattr_static(thing, name), property)


def page() -> str:
    names = [name for name in public() if not isinstance(getattr(certify, name), Function)]
    functions = [name for name in names if not inspect.isclass(getattr(certify, name))]
    classes = [name for name in names if inspect.isclass(getattr(certify, name))]
    lines = [HEAD, "## Functions", ""]
    lines += [line for name in sorted(functions, key=str.lower) for line in entry(name)]
    lines += ["## Classes", ""]
    lines += [line for name in sorted(classes, key=str.lower) for line in entry(name)]
    return "\n".join(lines).rstrip() + "\n"


def public() -> list[str]:
    """All names but those of modules."""
    return [name for name in certify.__all__ if callable(getattr(certify, name))]


def on_files(files: Any, config: Any) -> Any:
    """What mkdocs calls before it reads the pages."""
    generated = importlib.import_module("mkdocs.structure.files").File.generated
    files.append(generated(config, "reference.md", content=page()))
    return files
