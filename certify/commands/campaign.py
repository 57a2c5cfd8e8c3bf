"""certify campaign FILE: hundreds of problems in one command, one table, that can be stopped at any time and gone on
with.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from contextlib import ExitStack
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from certify.command import PROVED, UNDECIDED, Answer, Command, add_report, progress, reported
from certify.crews import add_workers, cluster_of, require_workers
from certify.problems.errors import InputError
from certify.solvers.limits import INTERRUPTIONS

if TYPE_CHECKING:
    from certify.campaigns.plan import Plan
    from certify.campaigns.rows import Row
    from certify.campaigns.running import Campaign, Found

TABLE, SHOWN = "campaign", 5000  # rows that the record has for a report
TABLES = tuple(f"{TABLE}.{form}" for form in ("csv", "parquet"))


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a campaign.toml: which problems, as lists")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where to write (default: FILE without its ending, beside it)"
    )
    add_workers(
        parser,
        "tasks answered side by side (default: one a processor), or with --dask judged; the table is the same for any "
        "number",
    )
    parser.add_argument(
        "--table", choices=("csv", "parquet"), default="csv",
        help="how the table is written (default: %(default)s; parquet needs pyarrow)",
    )  # fmt: skip
    parser.add_argument(
        "--resume", action="store_true",
        help="go on with a campaign that was stopped or killed: tasks that were answered are judged again, not asked",
    )  # fmt: skip
    add_report(parser)


def _run(arguments: argparse.Namespace) -> Answer:
    from certify.campaigns.plan import read_plan
    from certify.campaigns.running import Campaign, Seldom
    from certify.campaigns.table import require
    from certify.parts.warm_up import warm_up
    from certify.questions.system_search import warm_up_systems
    from certify.runs.folders import remove, remove_report, written_before
    from certify.solvers.journal.beside import kept_beside

    require_workers(arguments)
    require(arguments.table)
    plan, tell = read_plan(arguments.file), progress(arguments)
    folder: Path = arguments.out or arguments.file.with_suffix("")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file; give a folder")
    _require_own(folder, arguments.resume)
    old = written_before(folder)
    warm_up(tell)
    warm_up_systems()
    remove_report(folder)
    with (
        INTERRUPTIONS.heeded(),
        kept_beside(folder, b"campaign", arguments.resume, tell) as kept,
        ExitStack() as others,
    ):
        seldom = Seldom(lambda found: _written(plan, found, folder, arguments.table, False))
        campaign = _begun(arguments, Campaign(plan, folder, arguments.workers, kept.memory, tell, seldom), others)
        found = campaign.run()
        complete = len(found) == len(plan.tasks)
        record = _written(plan, found, folder, arguments.table, complete)
        remove(path for path in old if path.name not in record["files"])
    text = _text(plan, found, folder, record, campaign.recalled)
    told = {key: value for key, value in record.items() if key != "shown"}
    return reported(Answer(record["exit_code"], text, {"folder": str(folder), **told}), folder, arguments)


def _require_own(folder: Path, resume: bool) -> None:
    """Refuse a folder with tasks that is not to be gone on with, or is no campaign's: theirs are emptied first."""
    from certify.campaigns.running import RUNS
    from certify.problems.files.disk import read_json
    from certify.runs.folders import RECORD
    from certify.solvers.journal.beside import is_journal, journal_path

    runs = folder / RUNS
    if runs.is_symlink() or (runs.exists() and not runs.is_dir()):
        raise InputError(f"--out {folder}: its {RUNS} is a link or no folder; choose another folder or remove it")
    if not runs.exists():
        return
    record = folder / RECORD
    found = read_json(record, "record") if record.is_file() else None
    is_ours = isinstance(found, dict) and found.get("table") in TABLES and "tasks" in found
    if not (is_ours or is_journal(journal_path(folder))):
        raise InputError(f"--out {folder}: its folder {RUNS} is of no campaign of ours; choose another folder")
    if not resume:
        raise InputError(f"--out {folder} holds a campaign; give --resume to go on with it, or another folder")


def _begun(arguments: argparse.Namespace, campaign: Campaign, others: ExitStack) -> Campaign:
    """The campaign, by a cluster if that is asked for; processes that judge are forked before it is connected to."""
    if not arguments.dask:
        return campaign
    from certify.campaigns.sent import SentCampaign
    from certify.solvers.workers.processes import Processes

    judges = others.enter_context(Processes(arguments.workers + 1, forked=True))
    judges.begin()
    crew = others.enter_context(cluster_of(arguments, campaign.tell))
    given = {field.name: getattr(campaign, field.name) for field in fields(campaign) if field.init}
    return SentCampaign(**given, crew=crew, judges=judges)


def _written(plan: Plan, found: Found, folder: Path, form: str, complete: bool) -> dict[str, Any]:
    """The table and the record, as far as they are known."""
    from certify.campaigns.rows import FAILED
    from certify.campaigns.table import table
    from certify.claims.system_claims import AT_LEAST
    from certify.problems.files.disk import write_bytes
    from certify.records.verdicts import Verdict
    from certify.runs.folders import RECORD

    rows = [row for number in sorted(found) for row in found[number]]
    counts = Counter(row.verdict for row in rows)
    open_ones = {Verdict.UNDECIDED.value, AT_LEAST, FAILED} & set(counts)
    name = f"{TABLE}.{form}"
    record = {
        "title": plan.title,
        "tasks": len(plan.tasks),
        "answered": len(found),
        "verdicts": dict(sorted(counts.items())),
        "exit_code": PROVED if complete and not open_ones else UNDECIDED,
        "files": [name, RECORD],
        "table": name,
        "rows": len(rows),
        "shown": [_shown(row) for row in rows[:SHOWN]],
    }
    write_bytes(folder / name, table(rows, form))
    write_bytes(folder / RECORD, (json.dumps(record, indent=1) + "\n").encode())
    return record


def _shown(row: Row) -> list[Any]:
    """A row as a report shows it."""
    cells = [row.part, row.verdict, row.lower, row.upper, row.unit, row.solutions, row.stopped]
    return [row.task, " ".join(filter(None, row.settings)), *("" if cell is None else cell for cell in cells)]


def _text(plan: Plan, found: Found, folder: Path, record: dict[str, Any], recalled: int) -> str:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in record["verdicts"].items()) or "no rows"
    left = len(plan.tasks) - len(found)
    lines = [
        plan.title,
        f"{len(found)} of {len(plan.tasks)} tasks answered{f', {recalled} of them before' if recalled else ''}",
        f"{record['rows']} rows: {counts}",
        f"written to {folder}: {record['table']}, and a folder for each task in {folder / 'runs'}",
    ]
    failures = [row for number in sorted(found) for row in found[number] if row.verdict == "failed"]
    lines += [f"task {row.task} failed: {row.stopped}" for row in failures[:5]]
    if left:
        lines.append(f"{left} tasks are left: the same command with --resume goes on")
    return "\n".join(lines)


COMMAND = Command(
    "campaign",
    "answer hundreds of problems (robots, seeds, tolerances, systems), in one table that survives interruptions",
    "certify campaign campaign.toml --out campaign",
    _arguments,
    _run,
)
