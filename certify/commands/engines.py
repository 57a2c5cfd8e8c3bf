"""certify engines: which independent interval libraries are found here, for `certify check --engine`."""

from __future__ import annotations

import argparse

from certify.command import PROVED, Answer, Command


def _run(_: argparse.Namespace) -> Answer:
    from certify.second_opinion.engines import ENGINES, engine

    found = [engine(name) for name in ENGINES]
    lines = [
        f"{one.name:8} {one.python}  ({one.version})" if one.python else f"{one.name:8} not found; {one.remedy}"
        for one in found
    ]
    told = {one.name: {"python": one.python, "version": one.version} for one in found}
    return Answer(PROVED, "\n".join(lines), {"engines": told})


COMMAND = Command(
    "engines",
    "which independent interval libraries are found here, for `certify check --engine`",
    "certify engines",
    lambda parser: None,
    _run,
)
