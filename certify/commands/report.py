"""certify report DIR: one HTML file, to be handed over, that tells what the folder of a run holds; every certificate in
it is judged again first.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from certify.command import Answer, Command, add_limits, progress, time_limit
from certify.problems.errors import InputError


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="a folder that run, demo, doubt or accuracy has written"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the HTML file to write (default: DIR/report.html)")
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.reports.report import write_report
    from certify.solvers.limits import Limit

    folder, out = arguments.folder, arguments.out
    if out is not None and out.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"--out {out}: a report is an HTML file; give a name that ends in .html")
    made = write_report(folder, Limit.of(time_limit(arguments)), progress(arguments), out)
    checks = [found.check for found in made.run.judged]
    accepted = sum(check.verified for check in checks)
    text = f"{made.path} written ({made.size} bytes): {accepted} of {len(checks)} certificates accepted by the checker"
    refused = [f"{check.certificate}: {check.message}" for check in checks if not check.verified]
    text = "\n".join([text, *refused, *([f"{made.run.reason}."] if made.run.reason else [])])
    told = {
        "report": str(made.path),
        "bytes": made.size,
        "sections": list(made.sections),
        "certificates": {check.certificate: check.verified for check in checks},
        "exit_code": made.run.exit_code,
    }
    return Answer(made.run.exit_code, text, told)


COMMAND = Command(
    "report",
    "write one HTML file, to be handed over, about the folder of a run; its certificates are judged again first",
    "certify report demo",
    _arguments,
    _run,
)
