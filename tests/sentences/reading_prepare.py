"""What `certify prepare` says about raw readings, read back: its tables, its sentences and statistics.json."""

from __future__ import annotations

import re
from collections.abc import Iterator

from running import Told
from statements import Said, Unread, compiled, nothing, number, read_line, table_cells

DEVIATIONS = ("of_centred_readings", "of_one_reading", "between_runs", "between_images")
LABELS = ("std of centred readings", "std of one reading", "between runs", "between images")
INDICES = {
    "product": "product",
    "condition number": "condition",
    "smallest": "smallest",
    "noise amplification": "noise_amplification",
    "root mean": "root_mean",
}
SENTENCES = compiled(
    [
        (
            "{I} readings of {I} poses in {I} runs; no validation poses",
            lambda readings, poses, runs: [("counts", "", (int(poses), int(runs), int(readings)))],
        ),
        ("leg lengths (as Daney et al. 2006, table 2):", nothing),
        ("poses (as Daney et al. 2006, table 3):", nothing),
        (
            "the half-widths are {N} standard deviation{Z}: of {I} uncertain readings {N} are expected outside their "
            "intervals if the noise is Gaussian and independent; {N} standard deviations hold all {I} readings with "
            "99 % if the noise is Gaussian and independent.",
            lambda sigmas, count, outside, all_inside, every: [
                ("sigmas", "", (number(sigmas),)),
                ("outside", "", (int(count), outside)),
                ("all inside", "", (int(every), all_inside)),
            ],
        ),
        (
            "observability of the poses, leg by leg, at the initial estimate (all but the condition number: the larger "
            "the better):",
            nothing,
        ),
        (
            "All of this is estimated in floats; what certify run proves starts from the intervals that were written.",
            nothing,
        ),
        ("written to {W}: {W}", lambda folder, files: [("files", folder, tuple(files.split(", ")))]),
    ]
)


def read_prepare(told: Told) -> Iterator[Said]:
    """The statements of the text and of the record."""
    title, provenance, *lines = told.text.split("\n")
    yield Said("title", "", (title, provenance), title)
    while lines:
        line = lines.pop(0)
        if lines and lines[0] and set(lines[0]) <= set("- "):
            table = [line, *lines[: lines.index("")]]
            del lines[: len(table) - 1]
            yield from _observability(table) if line.startswith("leg") else _errors(table)
        elif line:
            yield from read_line(line, SENTENCES)
    yield from _record(told)


def _errors(table: list[str]) -> Iterator[Said]:
    for row in table_cells(table, right=True):
        label, *cells = row.values()
        for heading, cell in zip(list(row)[1:], cells, strict=True):
            match = re.fullmatch(r"(\S+) \[(\S+)\]", heading)
            if match is None:
                raise Unread(f"no template reads the heading {heading!r}")
            name, unit = match.groups()
            if label.strip() in LABELS:
                values = DEVIATIONS[LABELS.index(label.strip())], cell, unit
                yield Said("deviation", name, values, "  ".join(row.values()))
            elif label == "half-width":
                yield Said("half-width", name, (cell, unit), "  ".join(row.values()))
            else:
                raise Unread(f"no template reads the row {label!r}")


def _observability(table: list[str]) -> Iterator[Said]:
    for row in table_cells(table, right=True):
        leg, *_ = row.values()
        for heading, cell in list(row.items())[1:]:
            yield Said("index", leg, (INDICES[heading], cell), "  ".join(row.values()))


def _record(told: Told) -> Iterator[Said]:
    record, file = told.json, "statistics.json"
    yield Said("title", "", (record["title"], record["provenance"]), file)
    yield Said("counts", "", (record["poses"], record["runs"], record["readings"]), file)
    yield Said("sigmas", "", (number(str(record["sigmas"])),), file)
    for name, column in record["columns"].items():
        for kind, value in column["estimated_deviation"].items():
            yield Said("deviation", name, (kind, value, column["unit"]), file)
        for value in column["half_width"]:
            yield Said("half-width", name, (value, column["unit"]), file)
    for leg, indices in record["estimated_observability"].items():
        for kind, value in indices.items():
            yield Said("index", leg, (kind, value), file)
    yield Said("files", record["folder"], tuple(record["files"]), file)
