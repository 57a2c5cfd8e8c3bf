"""certify report DIR: one HTML file, to be handed over, that tells what the folder of a run holds; every certificate in
it is judged again first.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from certify.command import PROVED, Answer, Command, add_limits, progress, time_limit
from certify.problems.errors import InputError


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, nargs="?", metavar="DIR", help="a folder that run, demo, doubt or accuracy has written"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE",
        help="the file to write (default: DIR/report.html); one that ends in .json is for programs, as its schema "
        "says, one in .xml is a digital calibration certificate (with --laboratory)",
    )  # fmt: skip
    parser.add_argument(
        "--laboratory", type=Path, metavar="FILE",
        help="who calibrated what for whom ('certify new laboratory' writes a file to fill in): the report is a "
        "digital calibration certificate, XML that keeps to PTB's DCC schema 3.2.1 (default: DIR/report.xml)",
    )  # fmt: skip
    parser.add_argument(
        "--proved",
        action="store_true",
        help="ask the checker that is proved in Coq, too (certify/checker_coq/README.md), and tell what it says",
    )
    parser.add_argument("--schema", action="store_true", help="only print the JSON schema of .json reports")
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.reports.dcc.laboratory import read_laboratory
    from certify.reports.record import schema
    from certify.reports.report import write_report
    from certify.runs.folders import CERTIFICATE, RECORD
    from certify.solvers.limits import Limit

    folder, out = arguments.folder, arguments.out
    if arguments.schema:
        found = schema()
        return Answer(PROVED, json.dumps(found, indent=1), found)
    if folder is None:
        raise InputError("whose report? Give the folder that a run wrote (--out), such as certify report demo")
    if out is not None and out.suffix.lower() not in (".html", ".htm", ".json", ".xml"):
        raise InputError(f"--out {out}: a report is a page or a record; give a name that ends in .html, .json or .xml")
    laboratory = None if arguments.laboratory is None else read_laboratory(arguments.laboratory)
    if laboratory is not None and out is None:
        out = folder / CERTIFICATE
    if out is not None and (out.suffix.lower() == ".xml") is not (laboratory is not None):
        raise InputError(
            f"--out {out}: a calibration certificate ends in .xml and says who calibrated what for whom; give "
            f"--laboratory FILE with it, which 'certify new laboratory --out laboratory.toml' writes to be filled in"
        )
    if out is not None and out.resolve() == (folder / RECORD).resolve():
        raise InputError(f"--out {out} is the record of the run itself; give another name, such as report.json")
    made = write_report(folder, Limit.of(time_limit(arguments)), progress(arguments), out, arguments.proved, laboratory)
    checks = [found.check for found in made.run.judged]
    accepted = sum(check.verified for check in checks)
    judged = f"{accepted} of {len(checks)} certificates accepted by the checker"
    text = f"{made.path} written ({made.size} bytes): {judged if checks else NONE}"
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


NONE = "no certificate lies in this folder itself, so that none was judged for it"
COMMAND = Command(
    "report",
    "write one HTML file, to be handed over, about the folder of a run; its certificates are judged again first",
    "certify report demo",
    _arguments,
    _run,
)
